//! Items in UBL: BG-30 to BG-32, and what extensions know of an item.

use quoin_model::en16931::{
    AttributeName, Classification, Identifier, ItemAttribute, ItemExtensions, ItemInformation,
    ItemInstance, Line,
};

use super::{date, id, quantity, totals, wrapped};
use crate::writing::{InvoiceOutput, OutputAttribute, quantity_as_value};

/// Writes the inside of `Item`: BG-31, BG-32, BG-30.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>, line: &Line<'d>) {
    let more = item.extensions.as_deref();
    out.first("cbc:Description", &item.description);
    out.first("cbc:Name", &item.name);
    if let Some(more) = more {
        out.each("cbc:BrandName", &more.brand);
        out.each("cbc:ModelName", &more.model);
    }
    wrapped(out, "cac:BuyersItemIdentification", "cbc:ID", &item.buyer_id);
    wrapped(out, "cac:SellersItemIdentification", "cbc:ID", &item.seller_id);
    if let Some(more) = more {
        maker(out, more);
    }
    out.group("cac:StandardItemIdentification", |out| {
        if let Some(standard) = item.standard_id.filled() {
            id(out, "cbc:ID", standard);
        }
    });
    out.group("cac:OriginCountry", |out| {
        if out.first("cbc:IdentificationCode", &item.origin)
            && let Some(more) = more
        {
            out.first("cbc:Name", &more.origin_name);
        }
    });
    for one in &item.classifications {
        classification(out, one);
    }
    if let Some(category) = line.tax_category.first() {
        totals::category(out, "cac:ClassifiedTaxCategory", category);
    }
    for one in &item.attributes {
        attribute(out, one);
    }
    for one in more.into_iter().flat_map(|more| &more.instances) {
        instance(out, one);
    }
}

/// The maker's identifier.
fn maker<'d>(out: &mut InvoiceOutput<'d>, more: &ItemExtensions<'d>) {
    let is_it = |own: &&Identifier<'d>| own.element().local() == "ManufacturerAssignedID";
    if let Some(own) = more.other_ids.iter().find(is_it) {
        out.group("cac:ManufacturersItemIdentification", |out| {
            id(out, "cbc:ID", *own);
        });
    }
}

fn attribute<'d>(out: &mut InvoiceOutput<'d>, one: &ItemAttribute<'d>) {
    out.group("cac:AdditionalItemProperty", |out| {
        out.first("cbc:ID", &one.id);
        if !out.first("cbc:Name", &one.name) {
            return;
        }
        out.first("cbc:NameCode", &one.code);
        out.first("cbc:Value", &one.value);
        quantity_as_value(out, "cbc:Value", "cbc:ValueQuantity", one);
        if let Some(value) = one.quantity.filled() {
            quantity(out, "cbc:ValueQuantity", value);
        }
    });
}

/// BT-158, with its name in words.
pub(in crate::ubl) fn classification<'d>(out: &mut InvoiceOutput<'d>, one: &Classification<'d>) {
    out.group("cac:CommodityClassification", |out| {
        let Some(code) = one.code.filled() else { return };
        let words = one.name.filled().map(|words| OutputAttribute::Carried(*words));
        let attributes = [
            (AttributeName::ListId.as_str(), code.list().map(OutputAttribute::Carried)),
            ("listVersionID", code.list_version().map(OutputAttribute::Carried)),
            ("name", words),
        ];
        out.attributed("cbc:ItemClassificationCode", code, &attributes);
    });
}

/// A lot or a single piece.
fn instance<'d>(out: &mut InvoiceOutput<'d>, one: &ItemInstance<'d>) {
    out.group("cac:ItemInstance", |out| {
        out.first("cbc:ProductTraceID", &one.trace);
        out.first("cbc:SerialID", &one.serial);
        out.group("cac:LotIdentification", |out| {
            out.first("cbc:LotNumberID", &one.lot);
            date(out, "cbc:ExpiryDate", &one.expiry);
        });
    });
}
