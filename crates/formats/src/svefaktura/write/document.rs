//! The document level: BT-1 to BT-22, references, delivery, period.

use quoin_model::codes;
use quoin_model::en16931::{DocumentReference, ExchangeRate, Field, Identifier, Invoice};

use super::super::codes::GLN;
use super::{NO_CURRENCY, has_currency, id, moment, party, plain, with, wrapped_id};
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, documents};

/// Types that are no invoice of the seller.
const NO_TYPES: &[&str] = &["389", "261", "751", "527"];

/// BT-3: the target has 380 and 381.
pub(super) fn type_code(invoice: &Invoice<'_>) -> Result<&'static str, ConversionRefusal> {
    let refused =
        |code: &str, why| Err(ConversionRefusal::TypeWithoutPlace { code: code.to_owned(), why });
    let Some(code) = invoice.type_code.text() else {
        return refused("", "it is not said, and the target must say it");
    };
    match code.as_ref() {
        code if NO_TYPES.contains(&code) => {
            refused(code, "the target has invoices and credit notes of the seller")
        }
        _ if invoice.is_credit_note() => Ok("381"),
        code if codes::is_document_type(code) => Ok("380"),
        code => refused(code, "it is neither an invoice nor a credit note (BR-CL-01)"),
    }
}

/// From `ID` to `AdditionalDocumentReference`.
pub(super) fn head<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, kind: &'static str) {
    let place = invoice.element;
    if !plain(out, "ID", &invoice.number) {
        out.refuse_without(place, "the number (BT-1)", "ID");
    }
    if !out.plain_day("cbc:IssueDate", &invoice.issue_date) {
        out.refuse_without(place, "the day of issue (BT-2)", "IssueDate");
    }
    if let Some(code) = invoice.type_code.filled() {
        match code.is(kind) {
            true => with(out, "InvoiceTypeCode", *code, &[]),
            false => {
                let reason = "the target has invoices and credit notes: the nearest";
                out.changed("InvoiceTypeCode", kind, *code, reason);
            }
        }
    }
    note(out, invoice);
    out.plain_day("TaxPointDate", &invoice.tax_point_date);
    currencies(out, invoice);
    let count = invoice.lines.len().to_string();
    out.constant("LineItemCountNumeric", &count, &[]);
    process(out, invoice);
    documents(out, invoice);
}

/// BT-24: the document element is the specification.
fn process<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for id in &invoice.process.customization {
        let reason = "the document element of Svefaktura is the specification";
        out.ledger.list(**id, LossKind::Changed, None, reason);
    }
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}

/// BG-1: the target has one note.
fn note<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let notes: Vec<_> = invoice
        .notes
        .iter()
        .filter_map(|note| Some((note.text.filled()?, note.subject_code.filled())))
        .collect();
    let reason = "the notes are one in the target";
    match notes.as_slice() {
        [] => {}
        [(text, None)] => with(out, "cbc:Note", **text, &[]),
        [(text, Some(subject))] => {
            let whole = format!("#{}#{}", subject.trimmed(), text.text());
            out.constant("cbc:Note", &whole, &[]);
            out.ledger.carry(**text);
            out.subject_before_text("cbc:Note", *subject);
        }
        several => {
            let mut texts = Vec::new();
            for (text, subject) in several {
                texts.push(match subject {
                    Some(subject) => format!("#{}#{}", subject.trimmed(), text.text()),
                    None => text.text().into_owned(),
                });
                out.told_otherwise("cbc:Note", **text, LossKind::Merged, reason);
                if let Some(subject) = subject {
                    out.told_otherwise("cbc:Note", **subject, LossKind::Merged, reason);
                }
            }
            out.constant("cbc:Note", &texts.join("\n"), &[]);
        }
    }
}

/// BT-5, BT-6: codes of the list of 2004.
fn currencies<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    match invoice.currency.filled() {
        Some(code)
            if code.element().local() == "InvoiceCurrencyCode" || !out.ledger.in_own_words =>
        {
            match has_currency(&code.trimmed()) {
                true => with(out, "InvoiceCurrencyCode", *code, &[]),
                false => {
                    out.refuse_value(*code, NO_CURRENCY);
                }
            }
        }
        // It is that of an amount, which says it.
        Some(_) => {}
        None => out.refuse_without(invoice.element, "the currency (BT-5)", "InvoiceCurrencyCode"),
    }
    if let Some(code) = invoice.tax_currency.filled().filter(|code| has_currency(&code.trimmed())) {
        with(out, "TaxCurrencyCode", *code, &[]);
    }
}

/// BT-12, BT-16, BT-18, BG-24: identifiers of schemes of SFTI.
fn documents<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let references = &invoice.references;
    let single = [
        ("CT", documents::CONTRACT, &references.contract),
        ("DQ", documents::DESPATCH, &references.despatch_advice),
        ("ACD", documents::OBJECT, &references.invoiced_object),
    ];
    let mut all: Vec<(&str, &str, &DocumentReference<'d>)> = Vec::new();
    for (scheme, kind, field) in single {
        all.extend(field.iter().map(|one| (scheme, kind, one)));
    }
    let supporting = references.supporting_documents.iter();
    all.extend(supporting.map(|one| ("ATS", documents::SUPPORTING, one)));
    if out.ledger.in_own_words {
        all.sort_by_key(|(.., one)| one.element.id().0);
    }
    for (scheme, kind, one) in all {
        document(out, scheme, kind, one);
    }
}

fn document<'d>(
    out: &mut InvoiceOutput<'d>,
    scheme: &str,
    kind: &str,
    one: &DocumentReference<'d>,
) {
    let uri = one.uri.filled().map(|uri| Identifier::from(*uri));
    let Some(value) = one.id.filled().or(uri) else { return };
    out.group("AdditionalDocumentReference", |out| {
        let attributes =
            [("identificationSchemeID", scheme), ("identificationSchemeAgencyName", "SFTI")];
        with(out, "cac:ID", *value, &attributes);
    });
    if out.ledger.in_own_words {
        return;
    }
    if one.id.filled().is_none() && scheme == "ATS" {
        let reason = "the location is the identifier in the target";
        let path = "AdditionalDocumentReference/cac:ID";
        out.implied(path, &value.trimmed(), one.element, Some("BT-122"), reason);
    }
    let is_address =
        value.trimmed().starts_with("http://") || value.trimmed().starts_with("https://");
    if one.uri.filled().is_none() && scheme == "ATS" && is_address {
        let reason = "readers of the target take an address for a location";
        let path = "AdditionalDocumentReference/cac:ID";
        out.implied(path, &value.trimmed(), one.element, Some("BT-124"), reason);
    }
    out.ledger.implied_document(one, kind);
    if let Some(own) = one.scheme().filter(|own| !own.is_blank()) {
        let reason = "the scheme says in the target which kind of document it is";
        let path = "AdditionalDocumentReference/cac:ID/@identificationSchemeID";
        let (term, path) = ((scheme == "ACD").then_some("BT-18-1"), Some(out.path_of(path)));
        out.ledger.list_as(term, own, LossKind::Changed, path, reason);
    } else if scheme == "ACD" {
        let reason = "the scheme says in the target which kind of document it is";
        let path = "AdditionalDocumentReference/cac:ID/@identificationSchemeID";
        out.implied(path, scheme, one.element, Some("BT-18-1"), reason);
    }
}

/// BG-13, BG-15.
pub(super) fn delivery<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(one) = invoice.delivery.first() else { return };
    out.group("cac:Delivery", |out| {
        moment(out, "cbc:ActualDeliveryDateTime", &one.date);
        if out.ledger.in_own_words {
            one.time.iter().for_each(|time| out.ledger.carry(**time));
        }
        out.group("cac:DeliveryAddress", |out| {
            if let Some(location) = one.location.filled() {
                id(out, "cac:ID", location, GLN);
            }
            if let Some(address) = one.address.first() {
                party::address(out, address);
            }
        });
    });
}

/// Whether the target has both currencies of a rate.
fn has_both(rate: &ExchangeRate<'_>) -> bool {
    [&rate.source, &rate.target].iter().all(|one| one.text().is_some_and(|one| has_currency(&one)))
}

/// `ExchangeRate`, of a document that says both currencies.
pub(super) fn exchange<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let rates = invoice.extensions.exchange_rates.iter();
    let mut rates =
        rates.filter(|one| one.source.is_filled() && one.target.is_filled() && has_both(one));
    let Some(rate) = rates.next() else { return };
    out.group("cac:ExchangeRate", |out| {
        plain(out, "cac:SourceCurrencyCode", &rate.source);
        plain(out, "cbc:SourceCurrencyBaseRate", &rate.source_base);
        plain(out, "cac:TargetCurrencyCode", &rate.target);
        plain(out, "cbc:TargetUnitBaseRate", &rate.target_base);
        plain(out, "cbc:CalculationRate", &rate.rate);
        out.plain_day("cbc:Date", &rate.date);
    });
}

/// From `RequisitionistDocumentReference` to `InvoicingPeriod`.
pub(super) fn tail<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    requisitions(out, invoice);
    for one in &invoice.references.preceding_invoices {
        if let Some(id) = one.id.filled() {
            wrapped_id(out, "InitialInvoiceDocumentReference", id, "");
            out.ledger.implied_document(one, documents::INVOICE);
        }
    }
    let terms = &invoice.extensions.delivery_terms;
    if let Some(terms) = terms.iter().find(|terms| terms.text.is_filled()) {
        out.group("cac:DeliveryTerms", |out| {
            plain(out, "cbc:SpecialTerms", &terms.text);
        });
    }
    if let Some(period) = invoice.period.first() {
        out.group("InvoicingPeriod", |out| {
            moment(out, "cbc:StartDateTime", &period.start);
            moment(out, "cbc:EndDateTime", &period.end);
        });
    }
}

/// BT-10 and BT-19. The target asks for the first; without it the order stands for it.
fn requisitions<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    const NAME: &str = "RequisitionistDocumentReference";
    let own = invoice.buyer_reference.filled();
    let filler = invoice.references.filler_of_order();
    let order = invoice.references.purchase_order.first().filter(|_| filler.is_none());
    let order = order.and_then(|order| order.id.filled());
    match (own, order) {
        (Some(own), _) => out.group(NAME, |out| with(out, "cac:ID", *own, &[])),
        (None, Some(order)) => out.group(NAME, |out| {
            let reason = "the target asks for the reference of the buyer: the order";
            let text = order.trimmed();
            out.derived("cac:ID", &text, order.element(), Some("BT-10"), reason);
        }),
        (None, None) => {
            let what = "the reference of the buyer (BT-10) or an order (BT-13)";
            return out.refuse_without(invoice.element, what, NAME);
        }
    };
    let accounts: &Field<_> = &invoice.accounting_reference;
    if let Some(account) = accounts.filled() {
        out.group(NAME, |out| with(out, "cac:ID", *account, &[]));
    }
}
