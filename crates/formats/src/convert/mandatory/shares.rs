//! Allowances and charges that are a share of an amount: Peppol, and XRechnung with it, ask for
//! both the amount and the percentage where a document says one of them.
//!
//! Source: PEPPOL-EN16931-R041 and PEPPOL-EN16931-R042.

use quoin_model::en16931::{AllowanceCharge, Invoice};

use super::terms::{MandatoryTerm, TermGroup, term};

const PERCENTAGE: &str = "where an allowance or a charge says of which amount it is a share, the \
    percentage is asked for (PEPPOL-EN16931-R042)";
const AMOUNT: &str = "where an allowance or a charge says its percentage, the amount that it is of \
    is asked for (PEPPOL-EN16931-R041)";

pub(super) const SHARES: &[MandatoryTerm] = &[
    term("BT-93", TermGroup::Document, |own| own.allowances().all(is_of_amount), AMOUNT),
    term("BT-94", TermGroup::Document, |own| own.allowances().all(has_percentage), PERCENTAGE),
    term("BT-100", TermGroup::Document, |own| own.charges().all(is_of_amount), AMOUNT),
    term("BT-101", TermGroup::Document, |own| own.charges().all(has_percentage), PERCENTAGE),
    term("BT-137", TermGroup::Document, |own| of_lines(own, false).all(is_of_amount), AMOUNT),
    term("BT-138", TermGroup::Document, |own| of_lines(own, false).all(has_percentage), PERCENTAGE),
    term("BT-142", TermGroup::Document, |own| of_lines(own, true).all(is_of_amount), AMOUNT),
    term("BT-143", TermGroup::Document, |own| of_lines(own, true).all(has_percentage), PERCENTAGE),
];

fn of_lines<'i, 'd>(
    invoice: &'i Invoice<'d>,
    is_charge: bool,
) -> impl Iterator<Item = &'i AllowanceCharge<'d>> {
    let all = invoice.lines.iter().flat_map(|line| &line.allowance_charges);
    all.filter(move |one| one.is_charge() == is_charge)
}

fn is_of_amount(one: &AllowanceCharge<'_>) -> bool {
    one.base_amount.is_filled() || !one.percentage.is_filled()
}

fn has_percentage(one: &AllowanceCharge<'_>) -> bool {
    one.percentage.is_filled() || !one.base_amount.is_filled()
}
