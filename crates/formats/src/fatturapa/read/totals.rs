//! Totals (BG-22), most of which FatturaPA has no elements for: they are computed of what it has,
//! and each says whether the document agrees.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Agreement, Derivation, Field, Invoice, TaxTotal, Totals};
use quoin_xml::tree::Element;

use super::body::BodyState;
use crate::reading::{RunningSum, agreement, cents, summed};

/// Computes the totals of a body.
pub(super) fn read<'d>(invoice: &mut Invoice<'d>, element: Element<'d>, state: BodyState<'d>) {
    let currency = invoice.currency.get();
    let mut totals = state.totals.unwrap_or_else(|| Totals::new(element));
    let (mut lines, mut charges) = (RunningSum::default(), RunningSum::default());
    invoice.lines.iter().for_each(|line| lines.add(&line.net_amount));
    invoice.allowance_charges.iter().for_each(|charge| charges.add(&charge.amount));
    let (mut taxable, mut vat) = (RunningSum::default(), RunningSum::default());
    let mut adjusted = RunningSum::default();
    for one in &invoice.vat_breakdown {
        taxable.add(&one.taxable_amount);
        vat.add(&one.tax_amount);
        adjusted.add(&one.accessory);
        adjusted.add(&one.rounding);
    }
    // The taxable amounts are lines, charges, accessory expenses and rounding (SdI check 00422).
    let parts = lines.plus(charges).plus(adjusted);
    let basis = agreement(taxable.value(), &[parts.value()]);
    summed(&mut totals.line_net, element, lines, basis, currency);
    summed(&mut totals.charges, element, charges, basis, currency);
    summed(&mut totals.without_vat, element, taxable, basis, currency);
    let gross = taxable.plus(vat);
    let whole = agreement(gross.value(), &said(invoice, &totals));
    let mut total = TaxTotal::new(element);
    summed(&mut total.amount, element, vat, whole, currency);
    if total.amount.is_present() {
        total.breakdown = 0..invoice.vat_breakdown.len();
        invoice.tax_totals.push(total);
    }
    let is_rounded = is_rounded(invoice, &totals, gross);
    let due = due(invoice, &totals, gross, is_rounded);
    match is_rounded {
        Some(true) => without_rounding(&mut totals),
        _ if totals.with_vat.is_absent() => {
            summed(&mut totals.with_vat, element, gross, whole, currency);
        }
        _ => {}
    }
    let mut withheld = RunningSum::default();
    invoice.extensions.withholding.iter().for_each(|one| withheld.add(&one.amount));
    // An instalment is what the seller gets: without tax withheld, without VAT of a split payment.
    let less = withheld.plus(state.split_vat);
    let less = [due.value(), due.minus(withheld).value(), due.minus(less).value()];
    let asked = agreement(state.instalments.value(), &less);
    summed(&mut totals.due, element, due, asked, currency);
    if has_any(&totals) {
        invoice.totals.push(totals);
    }
}

/// What the taxable amounts and the VAT are together, as the document says it: before discounts of
/// the document, with its rounding and with stamp duty, or without.
fn said(invoice: &Invoice<'_>, totals: &Totals<'_>) -> [Option<Decimal>; 4] {
    let [mut whole, mut rounding, mut duty] = [RunningSum::default(); 3];
    whole.add(&totals.with_vat);
    rounding.add(&totals.rounding);
    if whole.value().is_none() {
        return [None; 4];
    }
    let italy = invoice.extensions.italy.iter();
    italy.flat_map(|italy| &italy.stamp_duty).for_each(|one| duty.add(&one.amount));
    let whole = whole.minus(discounts(invoice));
    let exact = whole.minus(rounding);
    [whole, exact, whole.minus(duty), exact.minus(duty)].map(RunningSum::value)
}

/// Whether `ImportoTotaleDocumento` is the whole after its rounding, by what the rest leads to;
/// `None` without a rounding, or where neither is.
fn is_rounded(invoice: &Invoice<'_>, totals: &Totals<'_>, gross: RunningSum) -> Option<bool> {
    let rounding = totals.rounding.value().filter(|own| !own.is_zero());
    let gross = gross.value().filter(|_| rounding.is_some())?.round_to_cents();
    let [whole, exact, untaxed, untaxed_exact] = said(invoice, totals);
    let is = |said: Option<Decimal>| said.map(Decimal::round_to_cents) == Some(gross);
    match () {
        () if is(whole) || is(untaxed) => Some(false),
        () if is(exact) || is(untaxed_exact) => Some(true),
        () => None,
    }
}

/// BT-112 of a document whose total is after the rounding.
fn without_rounding(totals: &mut Totals<'_>) {
    let [mut whole, mut rounding] = [RunningSum::default(); 2];
    whole.add(&totals.with_vat);
    rounding.add(&totals.rounding);
    let (Some(own), Some(exact)) = (totals.with_vat.get(), whole.minus(rounding).value()) else {
        return;
    };
    let exact = own.saying(Derivation::Computed(Agreement::Agrees), cents(exact));
    totals.with_vat = Field::default();
    totals.with_vat.push(exact.into());
}

/// What the discounts and surcharges of the document change.
fn discounts(invoice: &Invoice<'_>) -> RunningSum {
    let [mut less, mut more] = [RunningSum::default(); 2];
    let italy = invoice.extensions.italy.iter();
    for one in italy.flat_map(|italy| &italy.document_discounts) {
        if one.is_charge() { &mut more } else { &mut less }.add(&one.amount);
    }
    more.minus(less)
}

/// BT-115: the whole as the document says it, else as it is computed. FatturaPA has no prepaid
/// amount. Some write `ImportoTotaleDocumento` before its rounding, and some after it.
fn due(
    invoice: &Invoice<'_>,
    totals: &Totals<'_>,
    gross: RunningSum,
    is_rounded: Option<bool>,
) -> RunningSum {
    let mut whole = RunningSum::default();
    whole.add(&totals.with_vat);
    let nothing = invoice.vat_breakdown.is_empty();
    match whole.value() {
        Some(_) if is_rounded == Some(false) => {
            whole.add(&totals.rounding);
            whole
        }
        Some(_) => whole,
        None if nothing => RunningSum::default(),
        None => {
            let mut gross = gross.plus(discounts(invoice));
            gross.add(&totals.rounding);
            gross
        }
    }
}

fn has_any(totals: &Totals<'_>) -> bool {
    let fields = [
        &totals.line_net,
        &totals.charges,
        &totals.without_vat,
        &totals.with_vat,
        &totals.rounding,
        &totals.due,
    ];
    fields.iter().any(|field| field.is_present())
}
