//! The document level: BT-1 to BT-8, BG-1, BG-3, lists of lines, what is below the line.

use quoin_model::amount::Decimal;
use quoin_model::codes;
use quoin_model::en16931::{Date, DocumentReference, ExchangeRate, Invoice, LineGroup, Note};

use super::super::codes::{DOCUMENT_TYPES, DOCUMENT_TYPES_WRITTEN, LANGUAGES};
use super::{CENTS, MAX_ID, fact, kept_with, line};
use crate::reading::lookup;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, NumberForm, documents};

/// `ExchangeRateType`: 17 digits, 8 of them decimals.
const RATE: NumberForm = NumberForm { least: 0, most: 8, digits: 9 };
/// The system that wrote the document.
const SYSTEM: &str = "Quoin";

/// The attributes of the document element.
pub(super) fn attributes<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
) -> Result<Vec<(&'static str, String)>, ConversionRefusal> {
    let mut all = vec![("xmlns:eb", super::NAMESPACE.to_owned())];
    let austria = invoice.extensions.austria.as_deref();
    let system = austria.and_then(|austria| austria.generating_system.filled());
    match system {
        Some(system) => {
            out.ledger.carry(*system);
            all.push(("GeneratingSystem", system.trimmed().into_owned()));
        }
        None => all.push(("GeneratingSystem", SYSTEM.to_owned())),
    }
    all.push(("DocumentType", type_code(out, invoice)?));
    let Some(currency) = invoice.currency.filled().filter(|one| one.trimmed().len() == 3) else {
        return Err(ConversionRefusal::Required {
            what: "the currency (BT-5)",
            path: invoice.element.path(),
            target: "@InvoiceCurrency",
        });
    };
    out.ledger.carry(*currency);
    all.push(("InvoiceCurrency", currency.trimmed().into_owned()));
    let manual = austria.and_then(|austria| austria.manual_processing.filled());
    for (name, flag) in
        [("ManualProcessing", manual), ("IsDuplicate", invoice.extensions.copy.filled())]
    {
        if let Some(flag) = flag.filter(|flag| flag.value().is_some()) {
            out.ledger.carry(*flag);
            all.push((name, flag.trimmed().into_owned()));
        }
    }
    if let Some(title) = invoice.extensions.document_name.filled() {
        out.ledger.carry(*title);
        all.push(("DocumentTitle", title.trimmed().into_owned()));
    }
    if let Some(language) = invoice.extensions.language.filled() {
        let own = language.trimmed();
        match LANGUAGES.iter().find(|(three, _)| own.eq_ignore_ascii_case(three)) {
            _ if own.chars().count() == 2 => {
                out.ledger.carry(*language);
                all.push(("Language", own.into_owned()));
            }
            Some((_, two)) => {
                let reason =
                    "the source has the three letters of ISO 639-2, the target two of ISO 639-1";
                out.told_otherwise("@Language", *language, LossKind::Changed, reason);
                all.push(("Language", (*two).to_owned()));
            }
            None => {}
        }
    }
    process(out, invoice);
    Ok(all)
}

/// BT-24: the version of the target is the specification.
fn process<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for id in &invoice.process.customization {
        let reason = "the version of ebInterface is the specification";
        out.ledger.list(**id, LossKind::Changed, None, reason);
    }
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}

/// `DocumentType`: BT-3.
fn type_code<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
) -> Result<String, ConversionRefusal> {
    let path = "/eb:Invoice/@DocumentType";
    let refused =
        |code: &str, why| Err(ConversionRefusal::TypeWithoutPlace { code: code.to_owned(), why });
    let Some(code) = invoice.type_code.filled() else {
        return refused("", "it is not said, and the target must say it");
    };
    let own = code.as_written();
    if out.ledger.in_own_words && lookup(DOCUMENT_TYPES, own.trim()).is_some() {
        out.ledger.carry(*code);
        return Ok(own.trim().to_owned());
    }
    let text = code.trimmed();
    let written = match lookup(DOCUMENT_TYPES_WRITTEN, &text) {
        Some(written) => written,
        None if text == "751" => return refused(&text, "accounting information is no invoice"),
        None if invoice.is_credit_note() => "CreditMemo",
        None if codes::is_document_type(&text) => "Invoice",
        None => return refused(&text, "it is neither an invoice nor a credit note (BR-CL-01)"),
    };
    match lookup(DOCUMENT_TYPES, written).is_some_and(|again| again == text) {
        true => out.ledger.carry(*code),
        false => {
            let reason = "the target has fewer types of document: the nearest";
            out.ledger.list(*code, LossKind::Changed, Some(path.to_owned()), reason);
        }
    }
    Ok(written.to_owned())
}

/// From `InvoiceNumber` to `CurrencyExchangeInformation`.
pub(super) fn head<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let place = invoice.element;
    if !invoice.number.filled().is_some_and(|id| out.limited("eb:InvoiceNumber", *id, MAX_ID)) {
        out.refuse_without(place, "the number, at most 255 characters (BT-1)", "InvoiceNumber");
    }
    if !out.plain_day("eb:InvoiceDate", &invoice.issue_date) {
        out.refuse_without(place, "the day of issue (BT-2)", "InvoiceDate");
    }
    let all = &invoice.references.preceding_invoices;
    let is_cancelled = |one: &DocumentReference<'d>| {
        one.element.local() == "CancelledOriginalDocument"
            && one.id.is_filled()
            && one.issue_date.is_filled()
    };
    let cancelled = all.iter().position(is_cancelled);
    if let Some(one) = cancelled.and_then(|at| all.get(at)) {
        related(out, "eb:CancelledOriginalDocument", one);
    }
    for (_, one) in all.iter().enumerate().filter(|(at, _)| Some(*at) != cancelled) {
        related(out, "eb:RelatedDocument", one);
    }
    facts(out, invoice);
    exchange(out, invoice);
}

/// BG-3, of which the target asks for the number (BT-25).
fn related<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, one: &DocumentReference<'d>) {
    let Some(id) = one.id.filled() else { return };
    out.headed((name, "eb:InvoiceNumber"), *id, MAX_ID, |out| {
        out.plain_day("eb:InvoiceDate", &one.issue_date);
        if let Some(kind) = one.document_type.filled()
            && lookup(DOCUMENT_TYPES, &kind.trimmed()).is_some()
        {
            out.kept("eb:DocumentType", &kind.trimmed(), *kind);
        }
        out.first("eb:Comment", &one.description);
        out.ledger.implied_document(one, documents::INVOICE);
    });
}

/// Facts with a key: those of Austria, and references that have no other place.
fn facts<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let austria = invoice.extensions.austria.as_deref();
    for one in austria.iter().flat_map(|austria| &austria.facts) {
        line::keyed(out, one);
    }
    let day = |field: &quoin_model::en16931::Field<Date<'d>>| field.filled().map(|day| *day);
    if let Some(day) = day(&invoice.tax_point_date) {
        fact(out, "TaxPointDate", day);
        if let Some(format) = Date::from(day).format() {
            out.ledger.regenerate(format);
        }
    }
    if let Some(code) = invoice.tax_point_date_code.filled() {
        fact(out, "TaxPointDateCode", *code);
    }
    let references = &invoice.references;
    let has_order = references.purchase_order.first().is_some_and(|order| order.id.is_filled())
        && references.filler_of_order().is_none();
    let reference = invoice.buyer_reference.filled();
    if let Some(own) = reference.filter(|own| has_order || !out.is_short(**own, MAX_ID)) {
        fact(out, "BuyerReference", *own);
    }
    for (key, field, kind) in [
        ("ProjectReference", &references.project, documents::TENDER),
        ("ReceivingAdviceReference", &references.receiving_advice, documents::RECEIPT),
        ("DespatchAdviceReference", &references.despatch_advice, documents::DESPATCH),
        ("TenderOrLotReference", &references.tender, documents::TENDER),
        ("InvoicedObjectIdentifier", &references.invoiced_object, documents::OBJECT),
    ] {
        for one in field {
            for id in &one.id {
                fact(out, key, **id);
            }
            out.ledger.implied_document(one, kind);
        }
    }
}

/// The rate that the source says to BT-6, and the one that follows from BT-111 and BT-110.
fn rates<'i, 'd>(invoice: &'i Invoice<'d>) -> (Option<&'i ExchangeRate<'d>>, Option<String>) {
    let Some(currency) = invoice.tax_currency.text() else { return (None, None) };
    let mut rates = invoice.extensions.exchange_rates.iter();
    let said = rates.find(|rate| rate.target.is(&currency) && rate.rate.is_filled());
    let whole = invoice.vat_total().next().and_then(|amount| amount.value());
    let other = invoice.vat_total_in_tax_currency().next();
    let computed = other.and_then(|other| other.value()?.checked_div(whole?));
    let computed = computed.and_then(|rate| crate::writing::in_form(rate, RATE));
    (said, computed.filter(|_| currency.len() == 3))
}

/// The rate to BT-6 as it is written.
pub(super) fn written_rate(invoice: &Invoice<'_>) -> Option<Decimal> {
    let (said, computed) = rates(invoice);
    let text = match said {
        Some(said) => crate::writing::in_form(said.rate.value()?, RATE),
        None => computed,
    };
    Decimal::parse(&text?).ok().filter(|rate| !rate.is_zero() && !rate.is_negative())
}

/// Whether the document has BT-6 in the target.
pub(super) fn has_tax_currency(invoice: &Invoice<'_>) -> bool {
    let (said, computed) = rates(invoice);
    said.is_some() || computed.is_some()
}

/// BT-6 and the rate, which the target asks for: that of the source, else BT-111 by BT-110.
fn exchange<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(currency) = invoice.tax_currency.filled() else { return };
    let (said, computed) = rates(invoice);
    if said.is_none() && computed.is_none() {
        return;
    }
    out.group("eb:CurrencyExchangeInformation", |out| {
        out.kept("eb:Currency", &currency.trimmed(), *currency);
        match (said, computed) {
            (Some(said), _) => {
                if let Some(rate) = said.rate.filled() {
                    out.number_in("eb:ExchangeRate", *rate, RATE);
                }
                out.plain_day("eb:ExchangeRateDate", &said.date);
                out.first("eb:Comment", &said.note);
            }
            (None, Some(rate)) => {
                let reason = "the target asks for the rate: the VAT in both currencies";
                out.derived("eb:ExchangeRate", &rate, currency.element(), None, reason);
            }
            (None, None) => {}
        }
    });
}

/// Where a note is written; readers take each for a note again.
const PLACES: [&str; 3] = ["eb:HeaderDescription", "eb:FooterDescription", "eb:Comment"];

/// The note that is written in a place: the one that stands there in a document of ebInterface; of
/// other documents they stand in the order of the places, the last in the comment.
fn note_of<'i, 'd>(invoice: &'i Invoice<'d>, place: &str) -> Option<&'i Note<'d>> {
    let filled = || invoice.notes.iter().filter(|note| note.text.is_filled());
    let local = place.trim_start_matches("eb:");
    let is_own =
        |note: &&Note<'d>| PLACES.iter().any(|place| place.ends_with(note.element.local()));
    if filled().any(|note| is_own(&note)) {
        return filled().find(|note| note.element.local() == local);
    }
    let unused = PLACES.len().saturating_sub(filled().count());
    let at = PLACES.iter().position(|known| *known == place)?;
    filled().nth(at.checked_sub(unused)?)
}

fn note<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, name: &'static str) {
    let Some(note) = note_of(invoice, name) else { return };
    let Some(text) = note.text.filled() else { return };
    match note.subject_code.filled() {
        Some(subject) => {
            out.constant(name, &format!("#{}#{}", subject.trimmed(), text.text()), &[]);
            out.ledger.carry(*text);
            out.subject_before_text(name, subject);
        }
        None => {
            out.text(name, text);
        }
    }
}

/// Writes `Details`: two notes, the lists of lines, what is below the line.
pub(super) fn details<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.required_group("eb:Details", |out| {
        note(out, invoice, "eb:HeaderDescription");
        let austria = invoice.extensions.austria.as_deref();
        let numbers = line::numbers(invoice);
        let groups = austria.map(|austria| austria.groups.as_slice()).unwrap_or_default();
        let is_whole =
            groups.iter().map(|group| group.lines.len()).sum::<usize>() == invoice.lines.len();
        if groups.is_empty() || !is_whole {
            out.required_group("eb:ItemList", |out| {
                for (one, number) in invoice.lines.iter().zip(&numbers) {
                    out.required_group("eb:ListLineItem", |out| {
                        line::write(out, invoice, one, *number);
                    });
                }
            });
        } else {
            groups.iter().for_each(|group| list(out, invoice, group, &numbers));
        }
        note(out, invoice, "eb:FooterDescription");
        for own in austria.iter().flat_map(|austria| &austria.below_the_line) {
            out.group("eb:BelowTheLineItem", |out| {
                out.first("eb:Description", &own.description);
                out.first_amount_in("eb:LineItemAmount", &own.amount, CENTS);
                if let Some(reason) = own.reason.filled() {
                    let date = own.date.filled();
                    let day = date.map(|date| date.trimmed().into_owned());
                    let attributes = day.as_deref().map(|day| ("Date", day));
                    kept_with(out, "eb:Reason", *reason, attributes.as_slice());
                    date.iter().for_each(|date| out.ledger.carry(**date));
                }
            });
        }
    });
}

fn list<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    group: &LineGroup<'d>,
    numbers: &[Option<u32>],
) {
    let lines = invoice.lines.get(group.lines.clone()).unwrap_or_default();
    let numbers = numbers.get(group.lines.clone()).unwrap_or_default();
    if lines.is_empty() {
        return;
    }
    out.required_group("eb:ItemList", |out| {
        out.first("eb:HeaderDescription", &group.header);
        for (one, number) in lines.iter().zip(numbers) {
            out.required_group("eb:ListLineItem", |out| line::write(out, invoice, one, *number));
        }
        out.first("eb:FooterDescription", &group.footer);
    });
}

/// Writes `Comment`: the last note, or those after the second, which are one text.
pub(super) fn comment<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let name = "eb:Comment";
    let left: Vec<_> = invoice
        .notes
        .iter()
        .filter_map(|note| Some((note.text.filled()?, note.subject_code.filled())))
        .filter(|(text, _)| !out.ledger.is_told(**text))
        .collect();
    if left.len() < 2 {
        return note(out, invoice, name);
    }
    let reason = "the target has three places for notes: what is left is one text in the last";
    let mut texts = Vec::new();
    for (text, subject) in left {
        texts.push(match subject {
            Some(subject) => format!("#{}#{}", subject.trimmed(), text.text()),
            None => text.text().into_owned(),
        });
        out.told_otherwise(name, *text, LossKind::Merged, reason);
        if let Some(subject) = subject {
            out.told_otherwise(name, *subject, LossKind::Merged, reason);
        }
    }
    out.constant(name, &texts.join("\n"), &[]);
}
