//! Items: BT-132, BG-31, BG-32.

use quoin_model::en16931::{
    AttributeName, Classification, Code, ItemAttribute, ItemInformation, Line, OrderLineReference,
    Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{CLASSIFICATIONS, ITEMS};
use super::{CxmlWalk, at, open, take, take_at, value};
use crate::reading::{LeafKind, leaf, lookup, mapped, view};

/// Reads `InvoiceDetailItemReference`: the item, and the line of the order.
pub(super) fn read<'d>(
    walk: &mut CxmlWalk<'d>,
    order_line: &mut OrderLineReference<'d>,
    element: Element<'d>,
) -> ItemInformation<'d> {
    let mut item = ItemInformation::new(element);
    open(&mut walk.pass, element, &["lineNumber"]);
    take_at(&mut order_line.line_id, element, "lineNumber");
    for child in element.elements() {
        match child.local() {
            "ItemID" => numbers(walk, &mut item, child),
            "Description" => description(walk, &mut item, child),
            "Classification" => {
                let one = classification(walk, child);
                item.classifications.push(one);
            }
            "Country" => {
                let extensions = item.extensions.get_or_insert_default();
                extensions.origin_name.push(value(&mut walk.pass, child, &["isoCountryCode"]));
                take_at(&mut item.origin, child, "isoCountryCode");
            }
            _ => walk.pass.unread(child),
        }
    }
    item
}

/// BT-155 to BT-157.
pub(in crate::cxml) fn numbers<'d>(
    walk: &mut CxmlWalk<'d>,
    item: &mut ItemInformation<'d>,
    element: Element<'d>,
) {
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "SupplierPartID" => take(&mut walk.pass, &mut item.seller_id, child),
            "BuyerPartID" => take(&mut walk.pass, &mut item.buyer_id, child),
            "IdReference" => {
                let domain = child.attribute("domain").unwrap_or_default();
                if lookup(ITEMS, domain).is_none() {
                    walk.pass.unread(child);
                    continue;
                }
                open(&mut walk.pass, child, &["identifier", "domain"]);
                child.elements().for_each(|inner| walk.pass.unread(inner));
                let own = ValueSource::attribute_called(child, "", "identifier");
                let scheme = ValueSource::attribute_called(child, "", "domain");
                if let (Some(own), Some(scheme)) = (own, scheme) {
                    let scheme: Text<'d> = mapped(scheme, ITEMS);
                    let own = own.with(&[(AttributeName::SchemeId, *scheme)]);
                    item.standard_id.push(own.into());
                }
            }
            _ => walk.pass.unread(child),
        }
    }
}

/// BT-153 is the short name, and without one the description; else that is BT-154.
pub(in crate::cxml) fn description<'d>(
    walk: &mut CxmlWalk<'d>,
    item: &mut ItemInformation<'d>,
    element: Element<'d>,
) {
    if !element.elements().any(|_| true) {
        return take(&mut walk.pass, &mut item.name, element);
    }
    let has_text = matches!(leaf(element), LeafKind::Text);
    open(&mut walk.pass, element, &[]);
    if has_text {
        // The text is the description, not a text that is in no term.
        walk.pass.residue.pop();
        walk.pass.read += 1;
        let field = match element.elements().any(|child| child.local() == "ShortName") {
            true => &mut item.description,
            false => &mut item.name,
        };
        field.push(view(element));
    }
    for child in element.elements() {
        match child.local() {
            "ShortName" => take(&mut walk.pass, &mut item.name, child),
            _ => walk.pass.unread(child),
        }
    }
}

/// BT-158, of which the domain is the list.
pub(in crate::cxml) fn classification<'d>(
    walk: &mut CxmlWalk<'d>,
    element: Element<'d>,
) -> Classification<'d> {
    let mut one = Classification::new(element);
    let own: Code<'d> = value(&mut walk.pass, element, &["domain"]);
    let list = ValueSource::attribute_called(element, "", "domain");
    let list = list.map(|list| mapped::<Text<'d>>(list, CLASSIFICATIONS));
    one.code.push(match list {
        Some(list) => (*own).with(&[(AttributeName::ListId, *list)]).into(),
        None => own,
    });
    one
}

/// BG-32: an extrinsic of a line.
pub(super) fn attribute<'d>(walk: &mut CxmlWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let Some(item) = line.item.all_mut().first_mut() else { return walk.pass.unread(element) };
    let mut own = ItemAttribute::new(element);
    own.value.push(value(&mut walk.pass, element, &["name"]));
    own.name.extend(at::<Text<'d>>(element, "name"));
    item.attributes.push(own);
}
