//! Products in CII: BG-31, BG-32.

use quoin_xml::tree::Element;

use super::{date, ram};
use crate::reading::Pass;
use quoin_model::en16931::{
    Classification, ItemAttribute, ItemExtensions, ItemInformation, ItemInstance,
};

/// Reads `SpecifiedTradeProduct` or `IncludedReferencedProduct`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ItemInformation<'d> {
    let mut item = ItemInformation::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "Name" => pass.take(&mut item.name, child),
            "Description" => pass.take(&mut item.description, child),
            "SellerAssignedID" => pass.take(&mut item.seller_id, child),
            "BuyerAssignedID" => pass.take(&mut item.buyer_id, child),
            "GlobalID" => pass.take(&mut item.standard_id, child),
            "DesignatedProductClassification" => {
                item.classifications.push(classification(pass, child));
            }
            "OriginTradeCountry" => origin(pass, &mut item, child),
            "ApplicableProductCharacteristic" => item.attributes.push(attribute(pass, child)),
            _ => extension(pass, item.extensions.get_or_insert_default(), child),
        }
    }
    item
}

fn origin<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" => pass.take(&mut item.origin, child),
            "Name" => pass.take(&mut item.extensions.get_or_insert_default().origin_name, child),
            _ => pass.unread(child),
        }
    }
}

fn classification<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Classification<'d> {
    let mut classification = Classification::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ClassCode" => pass.take(&mut classification.code, child),
            "ClassName" => pass.take(&mut classification.name, child),
            _ => pass.unread(child),
        }
    }
    classification
}

fn attribute<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ItemAttribute<'d> {
    let mut attribute = ItemAttribute::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "Description" => pass.take(&mut attribute.name, child),
            "Value" => pass.take(&mut attribute.value, child),
            "TypeCode" => pass.take(&mut attribute.code, child),
            "ValueMeasure" => pass.take(&mut attribute.quantity, child),
            "ID" => pass.take(&mut attribute.id, child),
            _ => pass.unread(child),
        }
    }
    attribute
}

/// What only extensions have.
fn extension<'d>(pass: &mut Pass<'d>, more: &mut ItemExtensions<'d>, child: Element<'d>) {
    match ram(child) {
        "ID" | "IndustryAssignedID" | "ModelID" | "ManufacturerAssignedID" => {
            pass.take(&mut more.other_ids, child);
        }
        "BrandName" => pass.take(&mut more.brand, child),
        "ModelName" => pass.take(&mut more.model, child),
        "BatchID" => {
            let mut instance = ItemInstance::new(child);
            pass.take(&mut instance.lot, child);
            more.instances.push(instance);
        }
        "IndividualTradeProductInstance" => more.instances.push(instance(pass, child)),
        "UnitQuantity" => pass.take(&mut more.unit_quantity, child),
        "IncludedReferencedProduct" => more.parts.push(read(pass, child)),
        _ => pass.unread(child),
    }
}

fn instance<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ItemInstance<'d> {
    let mut instance = ItemInstance::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "BatchID" => pass.take(&mut instance.lot, child),
            "SupplierAssignedSerialID" | "SerialID" => pass.take(&mut instance.serial, child),
            "ExpiryDateTime" => date(pass, &mut instance.expiry, child),
            _ => pass.unread(child),
        }
    }
    instance
}
