//! Totals (BG-22): what ebInterface says, and the sums that it has no elements for.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Agreement, Amount, AttributeName, Derivation, Field, Invoice, TaxTotal, Totals, ValueSource,
};
use quoin_xml::tree::Element;

use super::name;
use crate::reading::{Pass, RunningSum, agreement, cents, negated, summed};

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
    accounted(invoice, element, vat, accounting);
    paid_below_the_line(invoice, &mut totals);
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

/// What stands below the line, where all of it is taken off and the amount due is what is left: it
/// is paid already (BT-113). What is asked for there is in no total of EN 16931.
fn paid_below_the_line<'d>(invoice: &Invoice<'d>, totals: &mut Totals<'d>) {
    let items = invoice.extensions.austria.iter().flat_map(|own| &own.below_the_line);
    let items: Vec<_> = items.filter_map(|one| one.amount.filled()).collect();
    let values: Option<Vec<Decimal>> = items.iter().map(|one| one.value()).collect();
    let Some(values) = values.filter(|all| all.iter().all(|one| one.is_negative())) else { return };
    let or_none =
        |field: &Field<Amount<'d>>| field.filled().map_or(Some(Decimal::ZERO), |one| one.value());
    let paid = || or_none(&totals.paid)?.checked_sub(Decimal::sum(values)?);
    let left = |paid: Decimal| {
        let left = totals.with_vat.value()?.checked_sub(paid)?;
        left.checked_add(or_none(&totals.rounding)?)
    };
    let Some(paid) =
        paid().filter(|paid| left(*paid).is_some() && left(*paid) == totals.due.value())
    else {
        return;
    };
    let said = totals.paid.filled();
    let own: Amount<'d> = match (said, items.as_slice()) {
        (_, []) => return,
        (None, [only]) => only.saying(Derivation::Negated, negated(&only.trimmed())).into(),
        (_, [first, ..]) => {
            let parts: Vec<_> = said.iter().chain(&items).map(|one| **one).collect();
            first.made_of(&parts, cents(paid)).into()
        }
    };
    totals.paid = Field::default();
    totals.paid.push(own);
}

/// BT-111: the sum of what the tax items say in the currency of accounting (BT-6); where one with
/// VAT does not say it, BT-110 at the rate of the document.
fn accounted<'d>(
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
    vat: RunningSum,
    accounting: RunningSum,
) {
    let mut total = TaxTotal::new(element);
    let currency = invoice.tax_currency.get();
    let unsaid = Agreement::Unsaid;
    let is_other = invoice.tax_currency.text() != invoice.currency.text();
    let is_whole = accounting.value().is_some()
        && invoice.vat_breakdown.iter().all(|one| {
            let has_vat = one.tax_amount.value().is_none_or(|tax| !tax.is_zero());
            one.tax_currency_amount.is_present() || !has_vat
        });
    let currency_of_rate = currency.filter(|_| is_other && !is_whole);
    match currency_of_rate.and_then(|own| Some((own, at_rate(invoice, vat)?))) {
        Some((currency, tax)) => {
            let own = ValueSource::of(element).saying(Derivation::Computed(unsaid), cents(tax));
            let own = own.with(&[(AttributeName::CurrencyId, *currency)]);
            total.amount.push(own.into());
        }
        None => summed(&mut total.amount, element, accounting, unsaid, currency),
    }
    if total.amount.is_present() {
        invoice.tax_totals.push(total);
    }
}

/// An amount at the rate to BT-6, in cents.
fn at_rate(invoice: &Invoice<'_>, amount: RunningSum) -> Option<Decimal> {
    let currency = invoice.tax_currency.text()?;
    let mut rates = invoice.extensions.exchange_rates.iter();
    let rate = rates.find(|rate| rate.target.is(&currency))?.rate.value()?;
    let is_rate = !rate.is_zero() && !rate.is_negative();
    amount.value().filter(|_| is_rate)?.checked_mul(rate).map(Decimal::round_to_cents)
}

fn value(field: &Field<Amount<'_>>) -> Option<Decimal> {
    field.value()
}
