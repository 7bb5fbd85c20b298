//! Lines (2.2.1): BG-25 to BG-32, and lines that stand for allowances and charges of the document.

use quoin_model::en16931::{AllowanceCharge, Date, Field, Invoice, Line, Period, TaxCategory};

use super::plan::{BodyPlan, extra as extra_lines};
use super::price::LinePrice;
use super::{category, detail, price, text};
use crate::writing::{InvoiceOutput, LossKind};

/// Characters of `Descrizione`.
const MAX_DESCRIPTION: usize = 1_000;

/// Writes the inside of `DettaglioLinee`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    line: &Line<'d>,
    plan: &BodyPlan,
    at: usize,
) {
    number(out, line, plan.numbers.get(at).copied().unwrap_or_default());
    let own = line.extensions.as_deref().and_then(|more| more.italy.as_deref());
    if let Some(own) = own {
        text::code(out, "TipoCessionePrestazione", &own.kind, 2);
    }
    let empty = quoin_model::en16931::ItemInformation::new(line.element);
    let item = line.item.first().unwrap_or(&empty);
    detail::articles(out, item);
    detail::description(out, line, item, MAX_DESCRIPTION);
    let how = LinePrice::of(line, out.ledger.in_own_words);
    price::quantity(out, line, &how);
    period(out, invoice, line);
    price::price(out, line, &how);
    match line.tax_category.first() {
        Some(tax) => {
            category::rate(out, tax, "BT-152");
            if let Some(own) = own {
                text::code(out, "Ritenuta", &own.withheld, 2);
            }
            nature(out, tax, plan);
        }
        None => {
            out.refuse_without(line.element, "the VAT category of a line (BT-151)", "AliquotaIVA")
        }
    }
    text::code(out, "RiferimentoAmministrazione", &line.accounting_reference, 20);
    detail::other_data(out, line, item);
}

/// `Natura` of a line or a charge.
pub(super) fn nature<'d>(out: &mut InvoiceOutput<'d>, tax: &TaxCategory<'d>, plan: &BodyPlan) {
    if out.is_refused() {
        return;
    }
    match plan.taxed(tax) {
        Ok(taxed) => category::nature_of(out, tax, taxed),
        Err(refusal) => out.refuse(refusal),
    }
}

/// BT-126.
fn number<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, number: u32) {
    let text = number.to_string();
    let reason = "lines have numbers from 1 to 9999";
    match line.id.filled() {
        Some(id) => out.fitted("NumeroLinea", &text, *id, reason),
        None => out.derived("NumeroLinea", &text, line.element, Some("BT-126"), reason),
    }
}

/// BG-26, else BG-14, which the target has no place for but the lines.
fn period<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, line: &Line<'d>) {
    let is_filled = |one: &&Period<'d>| one.start.is_filled() || one.end.is_filled();
    if let Some(own) = line.period.iter().find(is_filled) {
        out.plain_day("DataInizioPeriodo", &own.start);
        out.plain_day("DataFinePeriodo", &own.end);
        return;
    }
    if let Some(whole) = invoice.period.first().filter(is_filled) {
        copied(out, line, "DataInizioPeriodo", &whole.start, "BT-134");
        copied(out, line, "DataFinePeriodo", &whole.end, "BT-135");
    }
}

/// A day of the document on each line.
fn copied<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    name: &'static str,
    field: &Field<Date<'d>>,
    term: &'static str,
) {
    let reason = "the period of the document (BG-14) is that of each line in the target";
    let Some(date) = field.filled() else { return };
    let Some(day) = crate::writing::written_day(date) else { return };
    if !out.ledger.is_told(*date) {
        out.told_otherwise(name, *date, LossKind::Changed, reason);
        if let Some(format) = date.format() {
            out.ledger.regenerate(format);
        }
    }
    out.derived(name, &day.day.to_string(), line.element, Some(term), reason);
}

/// Writes a line for each allowance and charge of the document (BG-20, BG-21), so that the taxable
/// amounts are the sums of lines (SdI check 00422).
pub(super) fn extra<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &BodyPlan) {
    for (number, one) in (plan.next..).zip(extra_lines(invoice)) {
        out.required_group("DettaglioLinee", |out| adjustment(out, one, plan, number));
    }
}

fn adjustment<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &AllowanceCharge<'d>,
    plan: &BodyPlan,
    number: u32,
) {
    const INSTEAD: &str = "allowances and charges of the document are lines in the target";
    let place = one.element;
    out.derived("NumeroLinea", &number.to_string(), place, Some("BT-126"), INSTEAD);
    let (kind, usual) = match one.is_charge() {
        true => ("AC", "Spese accessorie"),
        false => ("SC", "Sconto"),
    };
    match one.indicator.filled() {
        Some(indicator) => out.kept("TipoCessionePrestazione", kind, *indicator),
        None => out.constant("TipoCessionePrestazione", kind, &[]),
    }
    let reason = one.reason.filled();
    let words = reason.and_then(|text| text::latin(&text.trimmed(), MAX_DESCRIPTION));
    let words = words.as_deref().unwrap_or(usual);
    if let Some(reason) = reason {
        out.told_otherwise("Descrizione", *reason, LossKind::Changed, INSTEAD);
    }
    out.derived("Descrizione", words, place, Some("BT-153"), INSTEAD);
    price::signed(out, one);
    let Some(tax) = one.tax_category.first() else {
        let what = "the VAT category of an allowance or charge (BT-95, BT-102)";
        return out.refuse_without(place, what, "AliquotaIVA");
    };
    let rate = category::rate_text(tax);
    out.derived("AliquotaIVA", &rate, place, Some("BT-152"), INSTEAD);
    if let Some(rate) = tax.rate.filled() {
        out.told_otherwise("AliquotaIVA", *rate, LossKind::Changed, INSTEAD);
    }
    if out.is_refused() {
        return;
    }
    let taxed = match plan.taxed(tax) {
        Ok(taxed) => taxed,
        Err(refusal) => return out.refuse(refusal),
    };
    out.implied("Natura", taxed.again, place, Some("BT-151"), INSTEAD);
    if let Some(nature) = taxed.nature {
        out.constant("Natura", nature, &[]);
    }
    for code in &tax.code {
        out.told_otherwise("Natura", **code, LossKind::Changed, INSTEAD);
    }
    for scheme in &tax.scheme {
        out.ledger.carry(**scheme);
    }
}
