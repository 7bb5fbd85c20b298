//! Totals (BG-22), VAT (BG-23), allowances and charges (BG-20, BG-21, BG-27, BG-28).

use quoin_model::en16931::{
    Agreement, AllowanceCharge, Amount, Derivation, Field, Invoice, Line, TaxCategory, TaxTotal,
    Totals, ValueSource, VatBreakdown,
};
use quoin_xml::tree::Element;

use super::super::codes::{CATEGORIES, ON_CHARGED_VAT, PERCENT_UNITS, VAT_UNITS};
use super::{SetuWalk, child, dutch, name};
use crate::reading::{RunningSum, agreement, summed};

/// Money of the header, of which some follows from the lines.
pub(super) struct HeaderMoney<'d> {
    totals: Totals<'d>,
    is_said: bool,
}

impl<'d> HeaderMoney<'d> {
    pub(super) fn new(element: Element<'d>) -> HeaderMoney<'d> {
        HeaderMoney { totals: Totals::new(element), is_said: false }
    }

    /// Whether the element is money, which is read.
    pub(super) fn take(
        &mut self,
        walk: &mut SetuWalk<'d>,
        invoice: &mut Invoice<'d>,
        element: Element<'d>,
    ) -> bool {
        match name(element) {
            "TotalAmount" => {
                self.at(element);
                walk.amount(&mut self.totals.with_vat, element);
            }
            "TotalCharges" => {
                self.at(element);
                walk.amount(&mut self.totals.without_vat, element);
            }
            "TotalAllowance" => {
                self.at(element);
                walk.amount(&mut self.totals.allowances, element);
            }
            "TotalTax" => {
                let mut total = TaxTotal::new(element);
                walk.amount(&mut total.amount, element);
                invoice.tax_totals.push(total);
            }
            "Tax" => {
                let own = breakdown(walk, element);
                invoice.vat_breakdown.push(own);
            }
            "Allowance" => {
                let own = allowance(walk, element);
                invoice.allowance_charges.push(own);
            }
            "Charges" => charges(walk, invoice, element),
            _ => return false,
        }
        true
    }

    fn at(&mut self, element: Element<'d>) {
        if !self.is_said {
            self.totals.element = element;
            self.is_said = true;
        }
    }

    /// BT-5, BT-106, BT-108 and BT-115, of which SETU has no element.
    pub(super) fn settle(mut self, invoice: &mut Invoice<'d>) {
        let totals = &mut self.totals;
        let whole = totals.with_vat.get().or_else(|| totals.without_vat.get());
        let whole = whole.or_else(|| invoice.lines.iter().find_map(|line| line.net_amount.get()));
        let currency = whole.and_then(Amount::currency);
        invoice.currency.extend(currency);
        let count = invoice.vat_breakdown.len();
        if let Some(total) = invoice.tax_totals.first_mut() {
            total.breakdown = 0..count;
        }
        totals.due.extend(totals.with_vat.get());
        let [mut lines, mut more, mut less] = [RunningSum::default(); 3];
        invoice.lines.iter().for_each(|line| lines.add(&line.net_amount));
        for one in &invoice.allowance_charges {
            if one.is_charge() { &mut more } else { &mut less }.add(&one.amount);
        }
        let how = agreement(
            lines.plus(more).minus(less).value(),
            &[totals.without_vat.get().and_then(Amount::value)],
        );
        summed(&mut totals.line_net, totals.element, lines, how, currency);
        summed(&mut totals.charges, totals.element, more, how, currency);
        if totals.allowances.is_absent() {
            summed(&mut totals.allowances, totals.element, less, how, currency);
        }
        if self.is_said {
            invoice.totals.push(self.totals);
        }
    }
}

/// Reads `Tax` of the header.
fn breakdown<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let mut own = VatBreakdown::new(element);
    let mut category = TaxCategory::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TaxAmount" => walk.amount(&mut own.tax_amount, child),
            "TaxBaseAmount" => walk.amount(&mut own.taxable_amount, child),
            "Description" => walk.pass.take(&mut category.exemption_reason, child),
            _ => tax_term(walk, &mut category, child),
        }
    }
    implied_category(&mut category);
    own.category.push(category);
    own
}

/// Reads `Tax` of a line into a category; the amounts go into `amounts`.
pub(super) fn of_line<'d>(
    walk: &mut SetuWalk<'d>,
    amounts: &mut Vec<Amount<'d>>,
    element: Element<'d>,
) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TaxAmount" | "TaxBaseAmount" => {
                let mut own: Field<Amount<'d>> = Field::default();
                walk.amount(&mut own, child);
                amounts.extend(own.iter().copied());
            }
            _ => tax_term(walk, &mut category, child),
        }
    }
    implied_category(&mut category);
    category
}

fn tax_term<'d>(walk: &mut SetuWalk<'d>, category: &mut TaxCategory<'d>, element: Element<'d>) {
    let is_category = || CATEGORIES.contains(&element.text().trim());
    match name(element) {
        "PercentQuantity" => walk.percentage(&mut category.rate, element, VAT_UNITS),
        "TaxCode" if is_category() => walk.pass.take(&mut category.code, element),
        _ => walk.pass.unread(element),
    }
}

/// SETU has rates: one over nought is standard, and nought is zero rated.
pub(super) fn implied_category(category: &mut TaxCategory<'_>) {
    let Some(rate) = category.rate.get() else { return };
    let place = *rate;
    category.scheme.push(place.saying(Derivation::Named, "VAT").into());
    if category.code.is_present() {
        return;
    }
    if let Some(number) = rate.value() {
        let code = if number.is_zero() { "Z" } else { "S" };
        category.code.push(place.saying(Derivation::Implied, code).into());
    }
}

/// What the name of an element says: whether it is a charge.
fn indicated<'d>(element: Element<'d>, is_charge: bool) -> AllowanceCharge<'d> {
    let mut own = AllowanceCharge::new(element);
    let text = if is_charge { "true" } else { "false" };
    own.indicator.push(ValueSource::of(element).saying(Derivation::Named, text).into());
    own
}

/// Reads `Allowance`, of the document or of a line.
pub(super) fn allowance<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>) -> AllowanceCharge<'d> {
    let mut own = indicated(element, false);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Total" => walk.amount(&mut own.amount, child),
            "Description" => walk.pass.take(&mut own.reason, child),
            "PercentQuantity" => walk.percentage(&mut own.percentage, child, PERCENT_UNITS),
            "Tax" => {
                let mut amounts = Vec::new();
                let category = of_line(walk, &mut amounts, child);
                own.tax.extend(amounts);
                own.tax_category.push(category);
            }
            _ => walk.pass.unread(child),
        }
    }
    own
}

/// Reads `Charge`.
pub(super) fn charge<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>) -> AllowanceCharge<'d> {
    let mut own = indicated(element, true);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Total" => walk.amount(&mut own.amount, child),
            "Description" => walk.pass.take(&mut own.reason, child),
            _ => walk.pass.unread(child),
        }
    }
    own
}

/// Reads `Charges` of the header: BG-21, but for the one that only sums lines.
fn charges<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    walk.pass.open(element);
    for one in element.elements() {
        if name(one) != "Charge" {
            walk.pass.unread(one);
            continue;
        }
        let is_sum =
            child(one, "Description").is_some_and(|words| words.text().trim() == ON_CHARGED_VAT);
        let own = charge(walk, one);
        match is_sum {
            true => dutch(invoice).on_charged_vat.push(own),
            false => invoice.allowance_charges.push(own),
        }
    }
}

/// Reads `Charges` of a line: BT-131 is the total, or without one what is charged.
pub(super) fn of_charges<'d>(walk: &mut SetuWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let has_total = child(element, "TotalCharge").is_some();
    walk.pass.open(element);
    for one in element.elements() {
        match name(one) {
            "TotalCharge" => {
                let own = charge(walk, one);
                line.net_amount.extend(own.amount.iter().copied());
                line.note.extend(own.reason.iter().copied());
            }
            "Charge" => {
                let own = charge(walk, one);
                match has_total || line.net_amount.is_present() {
                    true => line.allowance_charges.push(own),
                    false => {
                        line.net_amount.extend(own.amount.iter().copied());
                        line.note.extend(own.reason.iter().copied());
                    }
                }
            }
            _ => walk.pass.unread(one),
        }
    }
}

/// The sum of the lines of a group.
pub(super) fn sum_of(lines: &[Line<'_>]) -> RunningSum {
    let mut sum = RunningSum::default();
    lines.iter().for_each(|line| sum.add(&line.net_amount));
    sum
}

/// Whether a group says the sum of its lines.
pub(super) fn is_sum(sum: RunningSum, total: &Field<Amount<'_>>) -> bool {
    let said = total.get().and_then(Amount::value);
    agreement(sum.value(), &[said]) == Agreement::Agrees
}
