//! Amounts have at most 2 decimals: the family BR-DEC, and UBL-DT-01 for every amount at once.
//!
//! Counted as the official binding counts: characters after the point, trailing noughts and white
//! space included. Unit prices (`PriceAmount`, and the discount inside `Price`) may have more.
//! BR-DEC-13 and BR-DEC-15 are not here: the expressions of their binding never fire, and the
//! amounts they mean (BT-110, BT-111) are covered by UBL-DT-01.

use quoin_xml::tree::Element;

use super::{Check, Emit, Rule};
use crate::amount::decimals_as_written;
use crate::report::{FixBy, Flag};
use crate::ubl::{self, CAC, Invoice, SPACE};

/// Decimals that an amount has at most.
const AMOUNT_DECIMALS: usize = 2;

/// Where the family looks for an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Document level allowances (BG-20).
    Allowance,
    /// Document level charges (BG-21).
    Charge,
    /// Document totals (BG-22).
    Total,
    /// VAT breakdown (BG-23).
    Category,
    /// Lines (BG-25).
    Line,
    /// Line allowances (BG-27).
    LineAllowance,
    /// Line charges (BG-28).
    LineCharge,
}

const fn row(
    id: &'static str,
    terms: &'static [&'static str],
    place: Place,
    local: &'static str,
) -> Rule {
    Rule {
        id,
        terms,
        flag: Flag::Fatal,
        fix_by: FixBy::SourceSystem,
        asks: "An amount has at most 2 decimals.",
        check: Check::Decimals(place, local),
    }
}

pub(super) const RULES: &[Rule] = &[
    row("BR-DEC-01", &["BT-92"], Place::Allowance, "Amount"),
    row("BR-DEC-02", &["BT-93"], Place::Allowance, "BaseAmount"),
    row("BR-DEC-05", &["BT-99"], Place::Charge, "Amount"),
    row("BR-DEC-06", &["BT-100"], Place::Charge, "BaseAmount"),
    row("BR-DEC-09", &["BT-106"], Place::Total, "LineExtensionAmount"),
    row("BR-DEC-10", &["BT-107"], Place::Total, "AllowanceTotalAmount"),
    row("BR-DEC-11", &["BT-108"], Place::Total, "ChargeTotalAmount"),
    row("BR-DEC-12", &["BT-109"], Place::Total, "TaxExclusiveAmount"),
    row("BR-DEC-14", &["BT-112"], Place::Total, "TaxInclusiveAmount"),
    row("BR-DEC-16", &["BT-113"], Place::Total, "PrepaidAmount"),
    row("BR-DEC-17", &["BT-114"], Place::Total, "PayableRoundingAmount"),
    row("BR-DEC-18", &["BT-115"], Place::Total, "PayableAmount"),
    row("BR-DEC-19", &["BT-116"], Place::Category, "TaxableAmount"),
    row("BR-DEC-20", &["BT-117"], Place::Category, "TaxAmount"),
    row("BR-DEC-23", &["BT-131"], Place::Line, "LineExtensionAmount"),
    row("BR-DEC-24", &["BT-136"], Place::LineAllowance, "Amount"),
    row("BR-DEC-25", &["BT-137"], Place::LineAllowance, "BaseAmount"),
    row("BR-DEC-27", &["BT-141"], Place::LineCharge, "Amount"),
    row("BR-DEC-28", &["BT-142"], Place::LineCharge, "BaseAmount"),
    Rule {
        id: "UBL-DT-01",
        terms: &[],
        flag: Flag::Fatal,
        fix_by: FixBy::SourceSystem,
        asks: "An amount other than a unit price has at most 2 decimals.",
        check: Check::Own(every_amount),
    },
];

/// One row of the family.
pub(super) fn check<'d>(invoice: &Invoice<'d>, place: Place, local: &str, emit: &mut Emit<'_, 'd>) {
    let mut look = |group: Element<'d>| {
        ubl::basics(group, local).for_each(|amount| amount_decimals(amount, emit));
    };
    let of_kind = |group: &Element<'d>, yes: bool| {
        let (word, digit) = if yes { ("true", "1") } else { ("false", "0") };
        ubl::value(*group, "ChargeIndicator").is_some_and(|sign| sign == word || sign == digit)
    };
    let documents = invoice.allowance_charges.iter().copied();
    let lines = invoice.lines.iter().copied();
    let on_lines = lines.clone().flat_map(|line| ubl::aggregates(line, "AllowanceCharge"));
    match place {
        Place::Allowance => documents.filter(|group| of_kind(group, false)).for_each(look),
        Place::Charge => documents.filter(|group| of_kind(group, true)).for_each(look),
        Place::Total => invoice.totals.iter().copied().for_each(look),
        Place::Line => lines.for_each(look),
        Place::LineAllowance => on_lines.filter(|group| of_kind(group, false)).for_each(look),
        Place::LineCharge => on_lines.filter(|group| of_kind(group, true)).for_each(look),
        Place::Category => {
            let groups = invoice.tax_totals.iter();
            groups.flat_map(|group| ubl::aggregates(*group, "TaxSubtotal")).for_each(&mut look);
        }
    }
}

fn every_amount<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    for &element in &invoice.numbers {
        let name = element.local();
        if name.ends_with("Amount") && !name.ends_with("PriceAmount") && !in_gross_price(element) {
            amount_decimals(element, emit);
        }
    }
}

/// Whether it belongs to a `Price` with a discount: an item gross price (BT-148) and its discount
/// (BT-147), which may have more decimals.
fn in_gross_price(element: Element<'_>) -> bool {
    let mut above = element.parent();
    while let Some(place) = above {
        if place.is(CAC, "Price") && ubl::aggregate(place, "AllowanceCharge").is_some() {
            return true;
        }
        above = place.parent();
    }
    false
}

fn amount_decimals<'d>(amount: Element<'d>, emit: &mut Emit<'_, 'd>) {
    let text = amount.text();
    let decimals = decimals_as_written(&text);
    if decimals <= AMOUNT_DECIMALS {
        return;
    }
    let (asks, shown) = (emit.rule.asks, text.trim_matches(SPACE));
    let space = if shown == text { "" } else { " (white space after the number counts)" };
    let message =
        format!("{asks} Found {decimals}: {shown}{space}. Round it in the source system.");
    emit.fire(amount, shown, "at most 2 decimals", message);
}
