//! Totals (BG-22): what ebInterface says, and the sums that it has no elements for.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Invoice, TaxTotal, Totals};
use quoin_xml::tree::Element;

use super::name;
use crate::reading::{Pass, RunningSum, agreement, summed};

/// The totals that the document says.
pub(super) struct SaidTotals<'d>(Totals<'d>);

impl<'d> SaidTotals<'d> {
    pub(super) fn new(element: Element<'d>) -> SaidTotals<'d> {
        SaidTotals(Totals::new(element))
    }

    /// Reads a total; anything else is unread.
    pub(super) fn read(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
        match name(element) {
            "TotalGrossAmount" => pass.take(&mut self.0.with_vat, element),
            "PrepaidAmount" => pass.take(&mut self.0.paid, element),
            "RoundingAmount" => pass.take(&mut self.0.rounding, element),
            "PayableAmount" => pass.take(&mut self.0.due, element),
            _ => pass.unread(element),
        }
    }
}

/// Adds the sums, and BT-115 of 4.0, which has no payable amount.
pub(super) fn finish<'d>(invoice: &mut Invoice<'d>, element: Element<'d>, said: SaidTotals<'d>) {
    let (SaidTotals(mut totals), currency) = (said, invoice.currency.get());
    let [mut lines, mut less, mut more] = [RunningSum::default(); 3];
    invoice.lines.iter().for_each(|line| lines.add(&line.net_amount));
    for one in &invoice.allowance_charges {
        if one.is_charge() { &mut more } else { &mut less }.add(&one.amount);
    }
    let [mut taxable, mut vat, mut accounting] = [RunningSum::default(); 3];
    for one in &invoice.vat_breakdown {
        taxable.add(&one.taxable_amount);
        vat.add(&one.tax_amount);
        accounting.add(&one.tax_currency_amount);
    }
    let net = lines.plus(more).minus(less);
    let whole = [value(&totals.with_vat)];
    let how = agreement(net.plus(vat).value(), &whole);
    summed(&mut totals.line_net, element, lines, how, currency);
    summed(&mut totals.allowances, element, less, how, currency);
    summed(&mut totals.charges, element, more, how, currency);
    summed(&mut totals.without_vat, element, net, how, currency);
    let mut total = TaxTotal::new(element);
    summed(&mut total.amount, element, vat, how, currency);
    if total.amount.is_present() {
        total.breakdown = 0..invoice.vat_breakdown.len();
        invoice.tax_totals.push(total);
    }
    let mut other = TaxTotal::new(element);
    let of_tax = invoice.tax_currency.get();
    let only_one = agreement(accounting.value(), &[]);
    summed(&mut other.amount, element, accounting, only_one, of_tax);
    if other.amount.is_present() {
        invoice.tax_totals.push(other);
    }
    if totals.due.is_absent() {
        let mut due = RunningSum::default();
        due.add(&totals.with_vat);
        summed(&mut totals.due, element, due, agreement(due.value(), &[]), currency);
    }
    let any = [&totals.line_net, &totals.with_vat, &totals.paid, &totals.rounding, &totals.due];
    if any.iter().any(|field| field.is_present()) {
        invoice.totals.push(totals);
    }
}

fn value(field: &quoin_model::en16931::Field<quoin_model::en16931::Amount<'_>>) -> Option<Decimal> {
    field.value()
}
