//! VAT (BG-23) and totals (BG-22).

use std::collections::HashMap;

use quoin_model::en16931::{
    Agreement, AttributeName, CurrencyCode, Derivation, Invoice, Percentage, PolishBody,
    PolishExemption, PolishInvoiceRow, PolishMargin, PolishSum13, TaxCategory, TaxTotal, Totals,
    ValueSource, VatBreakdown,
};
use quoin_xml::tree::Element;

use super::super::codes::{MARGINS, SUMS, SumNames};
use super::signed_amount;
use crate::reading::{RunningSum, agreement, implied, summed};

/// The rate that rows say for a sum; `None` where they say several.
type RowRates<'d> = HashMap<&'static str, Option<Percentage<'d>>>;

/// Says BG-23, BT-110 and BT-111.
pub(super) fn tell<'d>(
    invoice: &mut Invoice<'d>,
    body: &PolishBody<'d>,
    rows: &[PolishInvoiceRow<'d>],
    is_credit: bool,
) {
    let rates = rates(rows);
    let mut reasons = BodyReasons::of(body);
    let [mut vat, mut in_zloty] = [RunningSum::default(); 2];
    let mut zloty = None;
    for sum in &body.sums {
        let own = breakdown(sum, &rates, &mut reasons, is_credit);
        if own.tax_amount.get().is_some_and(|one| one.derivation() != Some(Derivation::Implied)) {
            vat.add(&own.tax_amount);
        }
        in_zloty.add(&own.tax_currency_amount);
        zloty = zloty.or_else(|| own.tax_currency_amount.get());
        invoice.vat_breakdown.push(own);
    }
    let mut total = TaxTotal::new(body.element);
    total.breakdown = 0..invoice.vat_breakdown.len();
    let [mut whole, mut nets] = [RunningSum::default(); 2];
    body.total.iter().take(1).for_each(|_| whole.add(&body.total));
    body.sums.iter().for_each(|sum| nets.add(&sum.net));
    let expected = whole.minus(nets).value();
    let expected = expected.map(|sum| if is_credit { sum.negated() } else { sum });
    let (currency, how) = (invoice.currency.get(), agreement(vat.value(), &[expected]));
    summed(&mut total.amount, body.element, vat, how, currency);
    if total.amount.is_absent() && !body.sums.is_empty() {
        let none = ValueSource::of(body.element).saying(Derivation::Implied, "0.00");
        let currency = currency.map(|currency| (AttributeName::CurrencyId, *currency));
        total.amount.push(none.with(currency.as_slice()).into());
    }
    invoice.tax_totals.push(total);
    let Some(first) = zloty else { return };
    let code = ValueSource::of(first.element()).saying(Derivation::Implied, "PLN");
    invoice.tax_currency.push(code.into());
    let mut other = TaxTotal::new(first.element());
    let is_only = body.sums.iter().filter(|sum| sum.vat_in_zloty.is_present()).count() == 1;
    match is_only {
        true => other.amount.push(first.with(&[(AttributeName::CurrencyId, code)]).into()),
        false => {
            let code = Some(CurrencyCode::from(code));
            summed(&mut other.amount, first.element(), in_zloty, Agreement::Unsaid, code);
        }
    }
    invoice.tax_totals.push(other);
}

/// The rates of the rows by sum.
fn rates<'d>(rows: &[PolishInvoiceRow<'d>]) -> RowRates<'d> {
    let mut rates: RowRates<'d> = HashMap::new();
    for row in rows {
        let (name, rate) = match (row.rate.get(), row.foreign_rate.get()) {
            (Some(rate), _) => {
                let text = rate.trimmed();
                let fits = |one: &&SumNames| one.rates.contains(&text.as_ref());
                let Some(names) = SUMS.iter().find(fits) else { continue };
                (names.net, Percentage::from(*rate))
            }
            (None, Some(rate)) => ("P_13_5", rate),
            (None, None) => continue,
        };
        let known = rates.entry(name).or_insert(Some(rate));
        if known.is_some_and(|known| known.trimmed() != rate.trimmed()) {
            *known = None;
        }
    }
    rates
}

/// Why no VAT is due, which the first sum of its kind says.
struct BodyReasons<'b, 'd> {
    exemptions: Vec<&'b PolishExemption<'d>>,
    margins: Vec<&'b PolishMargin<'d>>,
}

impl<'b, 'd> BodyReasons<'b, 'd> {
    fn of(body: &'b PolishBody<'d>) -> Self {
        let annotations = || body.annotations.iter();
        BodyReasons {
            exemptions: annotations().flat_map(|one| &one.exemption).collect(),
            margins: annotations().flat_map(|one| &one.margin).collect(),
        }
    }
}

fn breakdown<'d>(
    sum: &PolishSum13<'d>,
    rates: &RowRates<'d>,
    reasons: &mut BodyReasons<'_, 'd>,
    is_credit: bool,
) -> VatBreakdown<'d> {
    let mut own = VatBreakdown::new(sum.element);
    own.taxable_amount.extend(sum.net.iter().map(|one| signed_amount(*one, is_credit)));
    own.tax_amount.extend(sum.vat.iter().map(|one| signed_amount(*one, is_credit)));
    let in_zloty = sum.vat_in_zloty.iter().map(|one| signed_amount(*one, is_credit));
    own.tax_currency_amount.extend(in_zloty);
    let local = sum.element.local();
    let Some(names) = SUMS.iter().find(|one| one.net == local) else { return own };
    if names.category != "S" && own.tax_amount.is_absent() {
        own.tax_amount.push(implied(sum.element, "0.00"));
    }
    let mut category = TaxCategory::new(sum.element);
    category.code.push(implied(sum.element, names.category));
    category.scheme.push(implied(sum.element, "VAT"));
    match (names.category, rates.get(names.net)) {
        ("S", Some(rate)) => category.rate.extend(*rate),
        ("S", None) => {
            let usual = names.rates.first().map(|usual| implied(sum.element, usual));
            category.rate.extend(usual);
        }
        ("O", _) => {}
        _ => category.rate.push(implied(sum.element, "0")),
    }
    if !names.reason.is_empty() {
        category.exemption_reason_code.push(implied(sum.element, names.reason));
    }
    match local {
        "P_13_7" => {
            let all = reasons.exemptions.drain(..);
            all.for_each(|one| exemption(&mut category, one));
        }
        "P_13_11" => {
            let all = reasons.margins.drain(..);
            all.for_each(|one| margin(&mut category, sum.element, one));
        }
        _ => {}
    }
    own.category.push(category);
    own
}

/// BT-120 of what is exempt; BT-121 where it is said as a code.
fn exemption<'d>(category: &mut TaxCategory<'d>, own: &PolishExemption<'d>) {
    for text in own.by_law.iter().chain(&own.by_directive).chain(&own.by_other) {
        match text.trimmed().starts_with("VATEX-") && !text.trimmed().contains(' ') {
            true => category.exemption_reason_code.push((**text).into()),
            false => category.exemption_reason.push(*text),
        }
    }
}

/// BT-121 of what is taxed by its margin.
fn margin<'d>(category: &mut TaxCategory<'d>, place: Element<'d>, own: &PolishMargin<'d>) {
    let fields = [&own.travel, &own.second_hand, &own.art, &own.antiques];
    for (field, (code, _)) in fields.into_iter().zip(MARGINS) {
        if field.is("1") {
            category.exemption_reason_code.push(implied(place, code));
        }
    }
}

/// BG-22 but for what is paid and due.
pub(super) fn totals<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>, is_credit: bool) {
    let mut totals = Totals::new(body.element);
    let [mut lines, mut nets] = [RunningSum::default(); 2];
    invoice.lines.iter().for_each(|line| lines.add(&line.net_amount));
    invoice.vat_breakdown.iter().for_each(|one| nets.add(&one.taxable_amount));
    let currency = invoice.currency.get();
    let how = agreement(lines.value(), &[nets.value()]);
    summed(&mut totals.line_net, body.element, lines, how, currency);
    let mut vat = RunningSum::default();
    invoice.tax_totals.iter().take(1).for_each(|one| vat.add(&one.amount));
    let whole = body.total.value().map(|sum| if is_credit { sum.negated() } else { sum });
    let how = agreement(nets.plus(vat).value(), &[whole]);
    summed(&mut totals.without_vat, body.element, nets, how, currency);
    totals.with_vat.extend(body.total.iter().map(|one| signed_amount(*one, is_credit)));
    invoice.totals.push(totals);
}
