//! The head of `Fa`: number, days, sums, and what is noted of the whole (`Adnotacje`).

use quoin_model::en16931::{DeliveryInformation, Invoice, Text};

use super::super::codes::{MARGINS, has_currency};
use super::category::{EXEMPT, MARGIN};
use super::number::{AMOUNT, collapsed, day, id, is_day, number, one_day, text};
use super::plan::FaPlan;
use super::vat::FaSums;
use crate::reading::lookup;
use crate::writing::{InvoiceOutput, LossKind, documents, written_day};

/// Delivery notes that a document may have.
const MAX_NOTES: usize = 1_000;

/// The first day of `TDataT`.
pub(super) const FIRST_DAY: &str = "2006-01-01";

/// Writes `KodWaluty` to `P_6`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let place = invoice.element;
    match invoice.currency.filled() {
        Some(code) if has_currency(&code.trimmed()) => {
            out.kept("KodWaluty", &code.trimmed(), *code);
        }
        Some(code) => out.refuse_value(*code, "the target has no such currency"),
        None => out.refuse_without(place, "the currency (BT-5)", "KodWaluty"),
    }
    if !day(out, "P_1", &invoice.issue_date, FIRST_DAY) {
        out.refuse_without(place, "the day of issue (BT-2), from 2006 to 2050", "P_1");
    }
    if !id(out, "P_2", invoice.number.filled(), 256) {
        out.refuse_without(place, "the number (BT-1), of 256 characters at most", "P_2");
    }
    for one in invoice.references.despatch_advice.iter().take(MAX_NOTES) {
        id(out, "WZ", one.id.filled(), 256);
        out.ledger.implied_document(one, documents::DESPATCH);
    }
    delivered(out, invoice);
}

/// `OkresFa` (BG-14), else `P_6` (BT-72, else BT-7): the day only where it is not that of issue.
fn delivered<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if let Some(period) = invoice.period.first()
        && let (Some(start), Some(end)) = (period.start.filled(), period.end.filled())
        && [start, end].iter().all(|day| is_day(*day, FIRST_DAY))
    {
        out.group("OkresFa", |out| {
            one_day(out, "P_6_Od", start, FIRST_DAY);
            one_day(out, "P_6_Do", end, FIRST_DAY);
        });
        return;
    }
    let delivery = invoice.delivery.first();
    let own = delivery.and_then(|one: &DeliveryInformation<'d>| one.date.filled());
    let is_point = own.is_none();
    let Some(own) = own.or_else(|| invoice.tax_point_date.filled()) else { return };
    let issued = invoice.issue_date.filled().and_then(written_day).map(|written| written.day);
    let written = written_day(own).map(|written| written.day);
    if written.is_some() && written == issued {
        let reason =
            "the target says the day of delivery only where it is another than that of issue";
        out.told_otherwise("P_1", *own, LossKind::Merged, reason);
        if let Some(format) = own.format() {
            out.ledger.regenerate(format);
        }
        return;
    }
    match (is_point && is_day(own, FIRST_DAY), written) {
        (true, Some(written)) => {
            let reason = "the target has one day, on which the supply was made";
            let text = written.to_string();
            out.implied("P_6", &text, own.element(), Some("BT-72"), reason);
            out.changed("P_6", &text, *own, reason);
            if let Some(format) = own.format() {
                out.ledger.regenerate(format);
            }
        }
        _ => {
            one_day(out, "P_6", own, FIRST_DAY);
        }
    }
}

/// Writes `P_15`.
pub(super) fn total<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &FaPlan) {
    let total = invoice.totals.first().and_then(|totals| totals.with_vat.filled());
    match total {
        Some(total) => {
            number(out, "P_15", *total, AMOUNT, plan.signs);
            out.one_currency(total);
        }
        None => out.refuse_without(invoice.element, "the total with VAT (BT-112)", "P_15"),
    }
}

/// What a note says of the whole invoice, in the words that the law asks for.
fn says(invoice: &Invoice<'_>, words: &str) -> bool {
    let notes = invoice.notes.iter().flat_map(|note| note.text.iter().copied());
    let means = invoice.payment.means.iter().flat_map(|means| means.text.iter().copied());
    let mut texts = notes.chain(invoice.payment.texts()).chain(means);
    texts.any(|text: Text<'_>| collapsed(&text.trimmed()).to_lowercase().contains(words))
}

/// Writes `Adnotacje`.
pub(super) fn annotations<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    plan: &FaPlan,
    sums: &FaSums<'_, 'd>,
) {
    const NO: &str = "the target asks for it, and the source says nothing of it";
    let place = invoice.element;
    let mark = |is: bool| if is { "1" } else { "2" };
    out.group("Adnotacje", |out| {
        let code = invoice.tax_point_date_code.filled();
        match code.filter(|code| ["432", "72"].iter().any(|paid| code.is(paid))) {
            Some(code) => {
                out.kept("P_16", "1", *code);
                out.repeated(&invoice.tax_point_date_code, code);
            }
            None if says(invoice, "metoda kasowa") => {
                let reason = "a note says that VAT is due when it is paid";
                out.derived("P_16", "1", place, Some("BT-8"), reason);
            }
            None => out.derived("P_16", "2", place, None, NO),
        }
        out.constant("P_17", mark(plan.is_self_billed), &[]);
        let is_reverse = invoice
            .vat_breakdown
            .iter()
            .any(|one| one.category.iter().any(|category| category.is("AE")));
        out.constant("P_18", mark(is_reverse), &[]);
        let is_split = says(invoice, "mechanizm podzielonej płatności");
        let reason = if is_split { "a note says that the payment is split" } else { NO };
        out.derived("P_18A", mark(is_split), place, None, reason);
        out.group("Zwolnienie", |out| exemption(out, invoice, sums));
        out.group("NoweSrodkiTransportu", |out| out.derived("P_22N", "1", place, None, NO));
        out.derived("P_23", "2", place, None, NO);
        out.group("PMarzy", |out| margin(out, sums));
    });
}

/// By which law something is exempt: BT-120, else BT-121.
fn exemption<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sums: &FaSums<'_, 'd>) {
    let mut groups = sums.of(EXEMPT).peekable();
    if groups.peek().is_none() {
        return out.constant("P_19N", "1", &[]);
    }
    out.constant("P_19", "1", &[]);
    let categories: Vec<_> = groups.flat_map(|one| one.category.first()).collect();
    let words = categories.iter().find_map(|one| one.exemption_reason.filled());
    let code = categories.iter().find_map(|one| one.exemption_reason_code.filled());
    let is_law = words.is_some_and(|words| {
        let words = words.trimmed().to_lowercase();
        words.contains("art.") || words.contains("ustaw")
    });
    let is_directive = code.is_some_and(|code| code.trimmed().starts_with("VATEX-EU-1"));
    let name = match (is_law, is_directive) {
        (true, _) => "P_19A",
        (false, true) => "P_19B",
        (false, false) => "P_19C",
    };
    match (words, code) {
        (Some(words), code) => {
            text(out, name, Some(words), 256);
            if let Some(code) = code {
                let reason = "the target has the reason of an exemption once, in words";
                out.told_otherwise(name, *code, LossKind::Merged, reason);
            }
        }
        (None, Some(code)) => out.kept(name, &code.trimmed(), *code),
        (None, None) => {
            let reason = "the target asks why it is exempt, of which the source says nothing";
            let words = "zwolnienie od podatku";
            out.derived(name, words, invoice.element, Some("BT-120"), reason);
        }
    }
}

/// Which scheme taxes the margin (BT-121).
fn margin<'d>(out: &mut InvoiceOutput<'d>, sums: &FaSums<'_, 'd>) {
    let mut codes = sums
        .of(MARGIN)
        .flat_map(|one| one.category.first())
        .filter_map(|one| one.exemption_reason_code.filled());
    let Some(code) = codes.next() else { return out.constant("P_PMarzyN", "1", &[]) };
    let name = lookup(MARGINS, &code.trimmed()).unwrap_or("P_PMarzy_2");
    out.constant("P_PMarzy", "1", &[]);
    out.kept(name, "1", *code);
}
