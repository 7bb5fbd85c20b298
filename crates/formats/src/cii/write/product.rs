//! Products in CII: BG-31, BG-32, and what extensions know of an item.

use quoin_model::en16931::{
    Classification, Identifier, ItemAttribute, ItemExtensions, ItemInformation, ItemInstance,
};

use super::{date, id, quantity};
use crate::writing::{InvoiceOutput, OutputAttribute, quantity_as_value};

/// Writes the inside of `SpecifiedTradeProduct`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    let more = item.extensions.as_deref();
    if let Some(own) = more.and_then(|more| identifier(more, &["ID"])) {
        out.text("ram:ID", own);
    }
    if let Some(standard) = item.standard_id.filled() {
        id(out, "ram:GlobalID", standard);
    }
    out.first("ram:SellerAssignedID", &item.seller_id);
    out.first("ram:BuyerAssignedID", &item.buyer_id);
    if let Some(more) = more {
        other_ids(out, more);
    }
    out.first("ram:Name", &item.name);
    out.first("ram:Description", &item.description);
    if let Some(more) = more {
        out.first("ram:BrandName", &more.brand);
        // D16B has no name of a model.
        if out.is_of_factur_x() {
            out.first("ram:ModelName", &more.model);
        }
    }
    for one in &item.attributes {
        attribute(out, one);
    }
    for one in &item.classifications {
        classification(out, one);
    }
    for one in more.into_iter().flat_map(|more| &more.instances) {
        instance(out, one);
    }
    out.group("ram:OriginTradeCountry", |out| {
        // CII-SR-090: a country has a code.
        if out.first("ram:ID", &item.origin)
            && let Some(more) = more
        {
            out.first("ram:Name", &more.origin_name);
        }
    });
}

/// Identifiers that EN 16931 has not: the maker's, and those of the industry and the model, which
/// D16B does not know.
fn other_ids<'d>(out: &mut InvoiceOutput<'d>, more: &ItemExtensions<'d>) {
    let maker = ["ManufacturerAssignedID", "ManufacturersItemIdentification"];
    if let Some(own) = identifier(more, &maker) {
        id(out, "ram:ManufacturerAssignedID", own);
    }
    if out.is_of_factur_x() {
        for (local, name) in
            [("IndustryAssignedID", "ram:IndustryAssignedID"), ("ModelID", "ram:ModelID")]
        {
            if let Some(own) = identifier(more, &[local]) {
                out.text(name, own);
            }
        }
    }
}

/// The identifier whose element, or the group around it, has one of these names.
fn identifier<'d>(more: &ItemExtensions<'d>, names: &[&str]) -> Option<Identifier<'d>> {
    let is_it = |own: &&Identifier<'d>| {
        let parent = own.element().parent().map_or("", |parent| parent.local());
        let is_group = parent.ends_with("ItemIdentification");
        let name = if is_group { parent } else { own.element().local() };
        !own.is_blank() && names.contains(&name)
    };
    more.other_ids.iter().find(is_it).copied()
}

fn attribute<'d>(out: &mut InvoiceOutput<'d>, one: &ItemAttribute<'d>) {
    out.group("ram:ApplicableProductCharacteristic", |out| {
        out.first("ram:ID", &one.id);
        out.first("ram:TypeCode", &one.code);
        out.first("ram:Description", &one.name);
        if let Some(value) = one.quantity.filled() {
            quantity(out, "ram:ValueMeasure", value);
        }
        out.first("ram:Value", &one.value);
        quantity_as_value(out, "ram:Value", "ram:ValueMeasure", one);
    });
}

fn classification<'d>(out: &mut InvoiceOutput<'d>, one: &Classification<'d>) {
    out.group("ram:DesignatedProductClassification", |out| {
        let Some(code) = one.code.filled() else { return };
        let attributes = [
            ("listID", code.list().map(OutputAttribute::Carried)),
            ("listVersionID", code.list_version().map(OutputAttribute::Carried)),
        ];
        out.attributed("ram:ClassCode", code, &attributes);
        out.first("ram:ClassName", &one.name);
    });
}

/// A lot or a single piece. Factur-X has the lot beside the product, too.
fn instance<'d>(out: &mut InvoiceOutput<'d>, one: &ItemInstance<'d>) {
    out.group("ram:IndividualTradeProductInstance", |out| {
        out.first("ram:BatchID", &one.lot);
        out.first("ram:SupplierAssignedSerialID", &one.serial);
        date(out, "ram:ExpiryDateTime", "udt:DateTimeString", &one.expiry);
    });
}
