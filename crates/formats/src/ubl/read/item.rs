//! Items in UBL: BG-30 to BG-32.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{name, references, totals, wrapped};
use crate::reading::Pass;
use quoin_model::en16931::{
    AttributeName, Classification, Field, ItemAttribute, ItemExtensions, ItemInformation,
    ItemInstance, TaxCategory, Text, ValueSource,
};

/// Reads `Item`; its `ClassifiedTaxCategory` is BG-30 of the line.
pub(in crate::ubl) fn read<'d>(
    pass: &mut Pass<'d>,
    tax: &mut Field<TaxCategory<'d>>,
    element: Element<'d>,
) -> ItemInformation<'d> {
    let mut item = ItemInformation::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("Name") => pass.take(&mut item.name, child),
            Basic("Description") => pass.take(&mut item.description, child),
            Aggregate("ClassifiedTaxCategory") => tax.push(totals::category(pass, child)),
            Aggregate("SellersItemIdentification") => {
                wrapped(pass, &mut item.seller_id, child, "ID");
            }
            Aggregate("BuyersItemIdentification") => {
                wrapped(pass, &mut item.buyer_id, child, "ID");
            }
            Aggregate("StandardItemIdentification") => {
                wrapped(pass, &mut item.standard_id, child, "ID");
            }
            Aggregate("CommodityClassification") => {
                item.classifications.push(classification(pass, child));
            }
            Aggregate("OriginCountry") => origin(pass, &mut item, child),
            Aggregate("AdditionalItemProperty") => item.attributes.push(attribute(pass, child)),
            _ => extension(pass, item.extensions.get_or_insert_default(), child),
        }
    }
    item
}

fn classification<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Classification<'d> {
    let mut classification = Classification::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ItemClassificationCode") => {
                pass.take(&mut classification.code, child);
                let words = ValueSource::attribute_of(child, AttributeName::Name);
                classification.name.extend(words.map(Text::from));
            }
            Basic("CommodityCode") => pass.take(&mut classification.commodity, child),
            Basic("NatureCode") => pass.take(&mut classification.nature, child),
            _ => pass.unread(child),
        }
    }
    classification
}

fn origin<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("IdentificationCode") => pass.take(&mut item.origin, child),
            Basic("Name") => {
                pass.take(&mut item.extensions.get_or_insert_default().origin_name, child);
            }
            _ => pass.unread(child),
        }
    }
}

fn attribute<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ItemAttribute<'d> {
    let mut attribute = ItemAttribute::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("Name") => pass.take(&mut attribute.name, child),
            Basic("Value") => pass.take(&mut attribute.value, child),
            Basic("NameCode") => pass.take(&mut attribute.code, child),
            Basic("ValueQuantity") => pass.take(&mut attribute.quantity, child),
            Basic("ID") => pass.take(&mut attribute.id, child),
            _ => pass.unread(child),
        }
    }
    attribute
}

/// What only extensions have.
fn extension<'d>(pass: &mut Pass<'d>, more: &mut ItemExtensions<'d>, child: Element<'d>) {
    match name(child) {
        Basic("AdditionalInformation") => pass.take(&mut more.information, child),
        Basic("BrandName") => pass.take(&mut more.brand, child),
        Basic("ModelName") => pass.take(&mut more.model, child),
        Basic("Keyword") => pass.take(&mut more.keywords, child),
        Basic("PackQuantity") => pass.take(&mut more.pack_quantity, child),
        Basic("PackSizeNumeric") => pass.take(&mut more.pack_size, child),
        Aggregate("AdditionalItemIdentification") => {
            wrapped(pass, &mut more.additional_ids, child, "ID");
        }
        Aggregate("ManufacturersItemIdentification") => {
            wrapped(pass, &mut more.other_ids, child, "ID");
        }
        Aggregate("CatalogueItemIdentification") => {
            wrapped(pass, &mut more.catalogue_ids, child, "ID");
        }
        Aggregate("ItemSpecificationDocumentReference") => {
            more.specifications.push(references::read(pass, child));
        }
        Aggregate("ItemInstance") => more.instances.push(instance(pass, child)),
        _ => pass.unread(child),
    }
}

fn instance<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ItemInstance<'d> {
    let mut instance = ItemInstance::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("SerialID") => pass.take(&mut instance.serial, child),
            Basic("ProductTraceID") => pass.take(&mut instance.trace, child),
            Aggregate("LotIdentification") => {
                pass.open(child);
                for part in child.elements() {
                    match name(part) {
                        Basic("LotNumberID") => pass.take(&mut instance.lot, part),
                        Basic("ExpiryDate") => pass.take(&mut instance.expiry, part),
                        _ => pass.unread(part),
                    }
                }
            }
            _ => pass.unread(child),
        }
    }
    instance
}
