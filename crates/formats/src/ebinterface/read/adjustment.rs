//! Reductions and surcharges of the document (BG-20, BG-21) and of a line (BG-27, BG-28), and taxes
//! that are taxed themselves, which are charges.

use quoin_model::en16931::{Agreement, AllowanceCharge, Derivation, TaxCategory};
use quoin_xml::tree::Element;

use super::{name, tax, with_attribute};
use crate::reading::{Pass, cents, implied, share};

/// Reads `ReductionAndSurchargeDetails` or `ReductionAndSurchargeListLineItemDetails`.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    found: &mut Vec<AllowanceCharge<'d>>,
    element: Element<'d>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Reduction" | "ReductionListLineItem" => found.push(one(pass, child, "false")),
            "Surcharge"
            | "SurchargeListLineItem"
            | "OtherVATableTax"
            | "OtherVATableTaxListLineItem" => found.push(one(pass, child, "true")),
            _ => pass.unread(child),
        }
    }
}

fn one<'d>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
    is_charge: &'static str,
) -> AllowanceCharge<'d> {
    let is_tax = name(element).starts_with("OtherVATableTax");
    let (mut own, mut category) = (AllowanceCharge::new(element), TaxCategory::new(element));
    own.indicator.push(implied(element, is_charge));
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "BaseAmount" | "TaxableAmount" => pass.take(&mut own.base_amount, child),
            "Percentage" => pass.take(&mut own.percentage, child),
            "Amount" | "TaxAmount" => pass.take(&mut own.amount, child),
            "Comment" => pass.take(&mut own.reason, child),
            "TaxID" => pass.take(&mut own.id, child),
            "Classification" => {
                let (code, list): (quoin_model::en16931::ReasonCode<'d>, _) =
                    with_attribute(pass, child, "ClassificationSchema");
                let list = list.map(|list| (quoin_model::en16931::AttributeName::ListId, list));
                own.reason_code.push(code.with(list.as_slice()).into());
            }
            "TaxPercent" if is_tax => tax::percentage(pass, &mut own, child),
            "TaxItem" => {
                let item = tax::item(pass, child);
                own.tax_category.extend(item.category.iter().cloned());
                own.taxes.push(item);
            }
            _ if tax::rate(pass, &mut category, child) => {}
            _ => pass.unread(child),
        }
    }
    if category.rate.is_present() || category.code.is_present() {
        own.tax_category.push(category);
    }
    computed(&mut own);
    own
}

/// BT-92, BT-99, BT-136, BT-141: an amount that is not written is the percentage of the base.
fn computed(own: &mut AllowanceCharge<'_>) {
    let (Some(percentage), true) = (own.percentage.get(), own.amount.is_absent()) else { return };
    if let Some(amount) = share(own.base_amount.value(), percentage.value()) {
        let how = Derivation::Computed(Agreement::Unsaid);
        own.amount.push(percentage.saying(how, cents(amount)).into());
    }
}
