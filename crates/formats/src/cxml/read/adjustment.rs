//! Allowances and charges: BG-20, BG-21, BG-27, BG-28, and the discount on a price.

use quoin_model::en16931::{AllowanceCharge, Price, Text};
use quoin_xml::tree::Element;

use super::{CxmlWalk, at, open, take, take_at, tax};
use crate::reading::{DocumentLeaf, implied};

/// Reads every `Modification` of a group of them.
pub(in crate::cxml) fn several<'d>(
    walk: &mut CxmlWalk<'d>,
    all: &mut Vec<AllowanceCharge<'d>>,
    element: Element<'d>,
) {
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "Modification" => {
                let one = modification(walk, child);
                all.push(one);
            }
            _ => walk.pass.unread(child),
        }
    }
}

fn modification<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> AllowanceCharge<'d> {
    let mut own = AllowanceCharge::new(element);
    open(&mut walk.pass, element, &["level"]);
    take_at(&mut own.sequence, element, "level");
    for child in element.elements() {
        match child.local() {
            "OriginalPrice" => walk.amount(&mut own.base_amount, child),
            "AdditionalDeduction" => deduction(walk, &mut own, child),
            "AdditionalCost" => cost(walk, &mut own, child),
            "Tax" => tax::of_change(walk, &mut own, child),
            "ModificationDetail" => detail(walk, &mut own, child),
            _ => walk.pass.unread(child),
        }
    }
    own
}

fn deduction<'d>(walk: &mut CxmlWalk<'d>, own: &mut AllowanceCharge<'d>, element: Element<'d>) {
    own.indicator.push(implied(element, "false"));
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "DeductionAmount" => walk.amount(&mut own.amount, child),
            "DeductionPercent" => percent(walk, own, child),
            _ => walk.pass.unread(child),
        }
    }
}

fn cost<'d>(walk: &mut CxmlWalk<'d>, own: &mut AllowanceCharge<'d>, element: Element<'d>) {
    own.indicator.push(implied(element, "true"));
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "Money" => own.amount.push(walk.money(child)),
            "Percentage" => percent(walk, own, child),
            _ => walk.pass.unread(child),
        }
    }
}

fn percent<'d>(walk: &mut CxmlWalk<'d>, own: &mut AllowanceCharge<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &["percent"]);
    take_at(&mut own.percentage, element, "percent");
    element.elements().for_each(|inner| walk.pass.unread(inner));
}

/// Why: in words, else by the name, which the definition asks for; and as a code.
fn detail<'d>(walk: &mut CxmlWalk<'d>, own: &mut AllowanceCharge<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &["name", "code"]);
    take_at(&mut own.reason_code, element, "code");
    for child in element.elements() {
        match child.local() {
            "Description" if !child.elements().any(|_| true) => {
                take(&mut walk.pass, &mut own.reason, child);
            }
            _ => walk.pass.unread(child),
        }
    }
    own.reason.extend(at::<Text<'d>>(element, "name"));
}

/// Reads `InvoiceDetailDiscount`: an allowance, with how many percent it is.
pub(super) fn discount<'d>(
    walk: &mut CxmlWalk<'d>,
    all: &mut Vec<AllowanceCharge<'d>>,
    element: Element<'d>,
) {
    let mut own = AllowanceCharge::new(element);
    open(&mut walk.pass, element, &["percentageRate"]);
    take_at(&mut own.percentage, element, "percentageRate");
    own.indicator.push(implied(element, "false"));
    for child in element.elements() {
        match child.local() {
            "Money" => own.amount.push(walk.money(child)),
            _ => walk.pass.unread(child),
        }
    }
    own.reason.push(implied(element, "Discount"));
    all.push(own);
}

/// Reads what shipping or special handling costs: a charge. One of nothing says nothing.
pub(in crate::cxml) fn service<'d>(
    walk: &mut CxmlWalk<'d>,
    all: &mut Vec<AllowanceCharge<'d>>,
    element: Element<'d>,
) {
    let mut own = AllowanceCharge::new(element);
    open(&mut walk.pass, element, &[]);
    own.indicator.push(implied(element, "true"));
    for child in element.elements() {
        match child.local() {
            "Money" if is_nothing(child) => nothing(walk, child),
            "Money" => own.amount.push(walk.money(child)),
            _ => walk.pass.unread(child),
        }
    }
    let is_shipping = element.local().ends_with("Shipping") || element.local() == "ShippingAmount";
    own.reason.push(implied(element, if is_shipping { "Shipping" } else { "Special handling" }));
    if own.amount.is_present() {
        all.push(own);
    }
}

/// Whether an amount is zero, in the one way that says it without decimals.
fn is_nothing(money: Element<'_>) -> bool {
    let text = money.text();
    let is_zero = quoin_model::amount::Decimal::parse(text.trim()).is_ok_and(|one| one.is_zero());
    is_zero && !money.elements().any(|_| true) && money.attributes().count() < 2
}

/// What an amount of nothing says follows from its not being there.
fn nothing<'d>(walk: &mut CxmlWalk<'d>, money: Element<'d>) {
    walk.pass.derived.push(DocumentLeaf::text_of(money));
    let attributes = money.attributes().map(|one| DocumentLeaf::attribute_of(money, one));
    walk.pass.derived.extend(attributes);
}

/// BT-147, BT-148: what was taken off a price. A price that was raised has no place in EN 16931.
pub(in crate::cxml) fn of_price<'d>(
    walk: &mut CxmlWalk<'d>,
    price: &mut Price<'d>,
    element: Element<'d>,
) {
    let mut all = Vec::new();
    several(walk, &mut all, element);
    for one in all {
        if price.discount.is_absent() && price.gross.is_absent() && one.is_allowance() {
            price.gross = one.base_amount;
            price.discount = one.amount;
            let extensions = price.extensions.get_or_insert_default();
            extensions.percentage = one.percentage;
            extensions.reason = one.reason;
        } else {
            price.extensions.get_or_insert_default().adjustments.push(one);
        }
    }
}
