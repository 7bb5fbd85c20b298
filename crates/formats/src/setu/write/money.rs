//! Totals (BG-22), VAT (BG-23), allowances and charges (BG-20, BG-21, BG-27, BG-28).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AllowanceCharge, Amount, Field, Invoice, TaxCategory, Totals};

use super::super::codes::{CATEGORIES, VAT_UNITS};
use super::{amount, kept, made, one_amount, plain};
use crate::writing::{
    CREDIT_BELOW, ConversionRefusal, InvoiceOutput, LossKind, WrittenSign, is_credit_below, sum_of,
    without_place,
};

/// The rule behind a refusal.
const RULE: &str = "the target has the total with VAT only, which is what is due";

/// Whether the first total that says something is below nought.
pub(super) fn is_below_nought(invoice: &Invoice<'_>) -> bool {
    let Some(totals) = invoice.totals.first() else { return false };
    let all = [&totals.with_vat, &totals.without_vat];
    let mut values = all.into_iter().filter_map(|field| field.filled()?.value());
    values.find(|value| !value.is_zero()).is_some_and(Decimal::is_negative)
}

/// A credit note is above nought, for readers take the sign away; and the total must be what is
/// due: the target has no prepaid amount and no rounding.
pub(super) fn refuse(invoice: &Invoice<'_>, in_own_words: bool) -> Result<(), ConversionRefusal> {
    let Some(totals) = invoice.totals.first().filter(|_| !in_own_words) else { return Ok(()) };
    if let Some(total) = totals.with_vat.filled().filter(|_| is_credit_below(invoice)) {
        return Err(without_place(*total, CREDIT_BELOW));
    }
    let whole = totals.with_vat.filled().and_then(Amount::value);
    let Some((due, whole)) = totals.due.filled().zip(whole) else { return Ok(()) };
    if due.value().map(Decimal::round_to_cents) == Some(whole.round_to_cents()) {
        return Ok(());
    }
    let (path, said) = (due.path(), due.trimmed().into_owned());
    Err(ConversionRefusal::SumsDiffer { path, said, computed: whole.to_string(), rule: RULE })
}

/// BT-112, which is BT-115, too.
pub(super) fn total<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    const NAME: &str = "TotalAmount";
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    if !amount(out, NAME, &totals.with_vat, sign) && !out.ledger.in_own_words {
        return out.refuse_without(totals.element, "the total with VAT (BT-112)", NAME);
    }
    if out.ledger.in_own_words {
        return;
    }
    let whole = totals.with_vat.filled().and_then(Amount::value);
    computed(out, NAME, &totals.due, whole, sign, "BT-115", invoice);
    let lines = sum_of(invoice.lines.iter().map(|line| line.net_amount.filled()));
    computed(out, "Line/Charges", &totals.line_net, lines, sign, "BT-106", invoice);
    let more = sum_of(invoice.charges().map(|one| one.amount.filled()));
    let more = more.filter(|_| invoice.charges().next().is_some());
    computed(out, "Charges", &totals.charges, more, sign, "BT-108", invoice);
}

/// A total that readers compute: it is what the source says, or has a row.
fn computed<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<Amount<'d>>,
    number: Option<Decimal>,
    sign: WrittenSign,
    term: &'static str,
    invoice: &Invoice<'d>,
) {
    match field.filled().filter(|own| sign != WrittenSign::Same && own.value() == number) {
        Some(value) => {
            out.signed(name, *value, sign);
            out.one_currency(value);
        }
        None => out.computed_total(invoice.element, name, field, number, term),
    }
}

/// `Charges`: the target has one charge for the document.
pub(super) fn charges<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    let more = invoice.extensions.netherlands.as_deref();
    let sums = more.map(|more| more.on_charged_vat.as_slice()).unwrap_or_default();
    let all: Vec<_> = invoice.charges().collect();
    out.group("Charges", |out| {
        for one in sums {
            out.group("Charge", |out| charge(out, one, sign));
        }
        charge_of_all(out, &all, ["BT-99", "BT-104"], sign);
    });
}

/// One charge, which is all of them together where there are several.
pub(super) fn charge_of_all<'d>(
    out: &mut InvoiceOutput<'d>,
    all: &[&AllowanceCharge<'d>],
    terms: [&'static str; 2],
    sign: WrittenSign,
) {
    const NAME: &str = "Charge";
    match all {
        [] => {}
        several if out.ledger.in_own_words => {
            for one in several {
                out.group(NAME, |out| charge(out, one, sign));
            }
        }
        [one] => {
            out.group(NAME, |out| charge(out, one, sign));
        }
        [first, ..] => {
            let reason = "the target has one charge: all of them together";
            let Some(sum) = sum_of(all.iter().map(|one| one.amount.filled())) else {
                let what = "the amount of a charge (BT-99, BT-141)";
                return out.refuse_without(first.element, what, NAME);
            };
            let text = sign.of(&crate::reading::cents(sum));
            out.group(NAME, |out| {
                out.implied("Total", &text, first.element, Some(terms[0]), reason);
                made(out, "Total", sum, sign);
                for one in all {
                    one.indicator.iter().for_each(|own| out.ledger.regenerate(**own));
                    let Some(own) = one.amount.filled() else { continue };
                    out.told_otherwise("Total", *own, LossKind::Merged, reason);
                    out.one_currency(own);
                }
            });
        }
    }
}

fn charge<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>, sign: WrittenSign) {
    if !amount(out, "Total", &one.amount, sign) && !out.ledger.in_own_words {
        let what = "the amount of a charge (BT-99, BT-141)";
        out.refuse_without(one.element, what, "Charge");
    }
    plain(out, "Description", &one.reason);
    one.indicator.iter().for_each(|own| out.ledger.carry(**own));
}

/// `TotalAllowance`, `TotalCharges` and `TotalTax`.
pub(super) fn totals<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    let is_said = totals.allowances.get().is_some_and(|one| one.derivation().is_none());
    if !out.ledger.in_own_words || is_said {
        let is_written = amount(out, "TotalAllowance", &totals.allowances, sign);
        if !is_written && invoice.allowances().next().is_some() {
            let less = sum_of(invoice.allowances().map(|one| one.amount.filled()));
            computed(out, "Allowance", &totals.allowances, less, sign, "BT-107", invoice);
        }
    }
    if !amount(out, "TotalCharges", &totals.without_vat, sign) && !out.ledger.in_own_words {
        let what = "the total without VAT (BT-109)";
        out.refuse_without(totals.element, what, "TotalCharges");
    }
    vat(out, invoice, sign);
}

/// BT-110; without it the sum of its parts.
fn vat<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    const NAME: &str = "TotalTax";
    if !out.ledger.in_own_words {
        out.vat_total_said_twice(invoice, NAME);
    }
    let own: Field<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    if amount(out, NAME, &own, sign) || out.ledger.in_own_words {
        return;
    }
    let parts = invoice.breakdown_in_document_currency().map(|one| one.tax_amount.filled());
    match sum_of(parts) {
        Some(sum) => {
            let reason = "the target asks for the total of VAT: the sum of its parts";
            let text = sign.of(&crate::reading::cents(sum));
            out.implied(NAME, &text, invoice.element, Some("BT-110"), reason);
            made(out, NAME, sum, sign);
        }
        None => out.refuse_without(invoice.element, "the total of VAT (BT-110)", NAME),
    }
}

/// `Allowance`, of the document or of a line.
pub(super) fn allowances<'d>(
    out: &mut InvoiceOutput<'d>,
    all: &[AllowanceCharge<'d>],
    sign: WrittenSign,
) {
    for one in all.iter().filter(|one| !one.is_charge()) {
        out.group("Allowance", |out| {
            if !amount(out, "Total", &one.amount, sign) {
                let what = "the amount of an allowance (BT-92, BT-136)";
                out.refuse_without(one.element, what, "Allowance");
            }
            plain(out, "Description", &one.reason);
            if let Some(percentage) = one.percentage.filled() {
                percent(out, *percentage, "percentage");
            }
            let is_own = out.ledger.in_own_words;
            let is_said = |tax: &&TaxCategory<'d>| {
                !is_own || tax.rate.iter().all(|rate| rate.derivation().is_none())
            };
            if let Some(category) = one.tax_category.first().filter(is_said) {
                out.group("Tax", |out| {
                    for own in one.tax.iter().filter(|_| !category.rate.is_absent()) {
                        one_amount(out, "TaxAmount", *own, sign);
                    }
                    rate(out, category, ["BT-96", "BT-95"]);
                });
            }
            one.indicator.iter().for_each(|own| out.ledger.carry(**own));
        });
    }
}

/// A percentage with its unit.
fn percent<'d>(
    out: &mut InvoiceOutput<'d>,
    source: quoin_model::en16931::ValueSource<'d>,
    unit: &str,
) {
    let words = out.words(source);
    out.constant("PercentQuantity", &words, &[("uom", unit)]);
    out.ledger.carry(source);
}

/// Rate and category. Readers take a rate over nought for standard, and nought for zero rated;
/// another category stands beside the rate.
pub(super) fn rate<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    [rate_term, code_term]: [&'static str; 2],
) {
    rate_only(out, category, rate_term);
    code_only(out, category, code_term);
}

fn vat_unit() -> &'static str {
    VAT_UNITS.first().copied().unwrap_or_default()
}

/// `PercentQuantity`.
fn rate_only<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>, term: &'static str) {
    match category.rate.filled() {
        Some(rate) => percent(out, *rate, vat_unit()),
        None if out.ledger.in_own_words => {}
        None => {
            let reason = "the target asks for a rate";
            out.implied("PercentQuantity", "0", category.element, Some(term), reason);
            out.constant("PercentQuantity", "0", &[("uom", vat_unit())]);
        }
    }
    category.scheme.iter().for_each(|scheme| out.ledger.carry(**scheme));
}

/// `TaxCode`, where the rate does not say the category.
fn code_only<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>, term: &'static str) {
    let is_nought = category.rate.value().is_none_or(|rate| rate.is_zero());
    let usual = if is_nought { "Z" } else { "S" };
    match category.code.filled() {
        Some(code) if out.ledger.in_own_words => {
            if code.derivation().is_none() {
                kept(out, "TaxCode", *code);
            }
        }
        Some(code) if code.is(usual) => out.ledger.carry(*code),
        Some(code) if CATEGORIES.contains(&&*code.trimmed()) => {
            out.kept("TaxCode", &code.trimmed(), *code);
        }
        Some(code) => out.refuse_value(*code, "the target has no such VAT category"),
        None if out.ledger.in_own_words => {}
        None => {
            let reason = "the target tells the category by the rate";
            out.implied("PercentQuantity", usual, category.element, Some(term), reason);
        }
    }
}

/// `Tax` of the header, one for each category and rate.
pub(super) fn breakdown<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    for one in invoice.breakdown_in_document_currency() {
        let empty = TaxCategory::new(one.element);
        let category = one.category.first().unwrap_or(&empty);
        out.group("Tax", |out| {
            if !amount(out, "TaxAmount", &one.tax_amount, sign) && !out.ledger.in_own_words {
                out.refuse_without(one.element, "the VAT amount (BT-117)", "TaxAmount");
            }
            amount(out, "TaxBaseAmount", &one.taxable_amount, sign);
            rate_only(out, category, "BT-119");
            plain(out, "Description", &category.exemption_reason);
            code_only(out, category, "BT-118");
        });
    }
}

/// `Tax` of a line, with what the rate of its amount is.
pub(super) fn of_line<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    net: Option<Decimal>,
    sign: WrittenSign,
) {
    let share = net
        .and_then(|net| net.checked_mul(category.rate.value().unwrap_or(Decimal::ZERO)))
        .and_then(|product| product.checked_mul(Decimal::new(1, 2)));
    out.group("Tax", |out| {
        let reason = "the target asks for the VAT of a line: the rate of its amount";
        if let Some((share, net)) = share.zip(net) {
            let text = sign.of(&crate::reading::cents(share));
            out.implied("TaxAmount", &text, category.element, None, reason);
            made(out, "TaxAmount", share, sign);
            made(out, "TaxBaseAmount", net, sign);
        }
        rate(out, category, ["BT-152", "BT-151"]);
    });
}
