//! The document level: BT-1 to BT-26, payment terms, the attachment.

use quoin_model::codes;
use quoin_model::en16931::{DocumentReference, Invoice, PaymentTerms};

use super::super::codes::{PERCENT_UNITS, TYPES};
use super::{EURO, amount, kept, moment, plain, units};
use crate::reading::lookup;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, WrittenSign, documents};

/// Types that are no invoice of the seller.
const NO_TYPES: &[&str] = &["389", "261", "751", "527"];
/// What readers of the target call a file that has no name.
const NAMELESS: &str = "attachment";

/// What a document is in SETU: its type, and how its amounts are taken.
pub(super) struct SetuKind {
    word: &'static str,
    pub sign: WrittenSign,
}

impl SetuKind {
    /// A credit note is `Credit`; what charges and credits is both.
    pub(super) fn of(invoice: &Invoice<'_>) -> Result<SetuKind, ConversionRefusal> {
        let refused = |code: &str, why| {
            Err(ConversionRefusal::TypeWithoutPlace { code: code.to_owned(), why })
        };
        let Some(code) = invoice.type_code.text() else {
            return refused("", "it is not said, and the target must say it");
        };
        let is_listed = codes::is_document_type(&code);
        let is_below = super::money::is_below_nought(invoice);
        let (word, sign) = match code.as_ref() {
            code if NO_TYPES.contains(&code) => {
                return refused(code, "the target has invoices and credit notes of the seller");
            }
            "384" if is_below => ("Credit", WrittenSign::TakenForOther),
            _ if invoice.is_credit_note() => ("Credit", WrittenSign::Same),
            _ if is_listed && is_mixed(invoice) => ("Both", WrittenSign::Same),
            _ if is_listed => ("Debit", WrittenSign::Same),
            code => {
                return refused(code, "it is neither an invoice nor a credit note (BR-CL-01)");
            }
        };
        Ok(SetuKind { word, sign })
    }
}

/// Whether some lines charge and others credit.
fn is_mixed(invoice: &Invoice<'_>) -> bool {
    let values = || invoice.lines.iter().filter_map(|line| line.net_amount.filled()?.value());
    values().any(|value| value.is_negative())
        && values().any(|value| !value.is_negative() && !value.is_zero())
}

/// From `DocumentIds` to `ReasonCode`.
pub(super) fn head<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let place = invoice.element;
    let is_numbered = out.group("DocumentIds", |out| {
        out.group("DocumentId", |out| {
            plain(out, "Id", &invoice.number);
        });
    });
    if !is_numbered {
        out.refuse_without(place, "the number (BT-1)", "DocumentIds");
    }
    if !moment(out, "DocumentDateTime", &invoice.issue_date) {
        out.refuse_without(place, "the day of issue (BT-2)", "DocumentDateTime");
    }
    match invoice.currency.filled() {
        Some(code) if out.ledger.in_own_words || code.is(EURO) => out.ledger.carry(*code),
        Some(code) => out.refuse_value(*code, "the target has the euro only"),
        None => out.refuse_without(place, "the currency (BT-5)", "TotalAmount/@currency"),
    }
    process(out, invoice);
    let more = invoice.extensions.netherlands.as_deref();
    if let Some(more) = more {
        out.each("Description", &more.description);
    }
    notes(out, invoice);
    out.group("DocumentReferences", |out| {
        if let Some(one) = invoice.references.preceding_invoices.first() {
            out.group("InvoiceDocumentReference", |out| preceding(out, one));
        }
    });
    let files = &invoice.references.supporting_documents;
    out.group("Attachments", |out| match out.ledger.in_own_words {
        true => files.iter().for_each(|one| {
            out.group("Attachment", |out| file(out, one));
        }),
        false => {
            if let Some(one) = files.iter().find(|one| is_pdf(one)) {
                out.group("Attachment", |out| file(out, one));
            }
        }
    });
    match more.and_then(|more| more.reason_code.filled()) {
        Some(code) if out.ledger.in_own_words => kept(out, "ReasonCode", *code),
        _ if out.ledger.in_own_words => {}
        _ => {
            let reason = "the target says whether hours or services are invoiced: by the units";
            out.derived("ReasonCode", units::reason(invoice), place, None, reason);
        }
    }
}

/// BT-24: the document element is the specification.
fn process<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for id in &invoice.process.customization {
        let reason = "the document element of SETU is the specification";
        out.ledger.list(**id, LossKind::Changed, None, reason);
    }
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}

/// BG-1.
fn notes<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for note in &invoice.notes {
        let Some(text) = note.text.filled() else { continue };
        match note.subject_code.filled() {
            Some(subject) => {
                let whole = format!("#{}#{}", subject.trimmed(), text.text());
                out.constant("Note", &whole, &[]);
                out.ledger.carry(*text);
                out.subject_before_text("Note", subject);
            }
            None => kept(out, "Note", *text),
        }
    }
}

/// BT-25, BT-26.
pub(super) fn preceding<'d>(out: &mut InvoiceOutput<'d>, one: &DocumentReference<'d>) {
    out.group("DocumentIds", |out| {
        out.group("DocumentId", |out| {
            plain(out, "Id", &one.id);
        });
    });
    out.plain_day("DocumentDate", &one.issue_date);
    out.ledger.implied_document(one, documents::INVOICE);
}

/// Whether a document is a file that the target takes.
fn is_pdf(one: &DocumentReference<'_>) -> bool {
    one.embedded.iter().any(|data| {
        !data.is_blank() && data.mime_code().is_some_and(|kind| kind.is("application/pdf"))
    })
}

/// BG-24: one file in PDF, without its name.
fn file<'d>(out: &mut InvoiceOutput<'d>, one: &DocumentReference<'d>) {
    let data = one.embedded.iter().find(|data| !data.is_blank());
    if let Some(data) = data {
        out.tagged("EmbeddedData", &[("encoding", Some(BASE64))], |out| {
            out.text("Data", *data);
        });
    }
    out.ledger.implied_document(one, documents::SUPPORTING);
    if out.ledger.in_own_words {
        plain(out, "URI", &one.uri);
        if one.id.get().is_some_and(|id| id.derivation().is_none()) && one.uri.is_absent() {
            plain(out, "FileName", &one.id);
        }
        out.each("Description", &one.description);
    } else {
        let reason = "a file of the target has no name";
        out.implied("EmbeddedData", NAMELESS, one.element, Some("BT-122"), reason);
    }
    if let Some(kind) = data.and_then(|data| data.mime_code()) {
        kept(out, "FileType", kind);
    }
}

const BASE64: crate::writing::OutputAttribute<'static, 'static> =
    crate::writing::OutputAttribute::Constant("base64");

/// BT-9 and BT-20.
pub(super) fn terms<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    if out.ledger.in_own_words {
        for one in &invoice.payment.terms {
            out.group("PaymentTerms", |out| own_terms(out, one, sign));
        }
        return;
    }
    out.group("PaymentTerms", |out| {
        for text in invoice.payment.texts() {
            out.kept("Description", &text.text(), *text);
        }
        out.plain_day("DueDate", &invoice.due_date);
        if let Some(due) = invoice.due_date.filled() {
            for means in &invoice.payment.means {
                out.repeated(&means.due_date, due);
            }
        }
    });
}

/// Terms as they stand in a document of SETU.
fn own_terms<'d>(out: &mut InvoiceOutput<'d>, terms: &PaymentTerms<'d>, sign: WrittenSign) {
    out.each("Description", &terms.text);
    plain(out, "DueDate", &terms.due_date);
    plain(out, "PaymentTermsDate", &terms.basis_date);
    plain(out, "NumberOfDays", &terms.days);
    for one in &terms.discounts {
        amount(out, "DiscountAmount", &one.amount, sign);
        if let Some(percentage) = one.percentage.filled() {
            let unit = PERCENT_UNITS.first().copied().unwrap_or_default();
            out.constant("DiscountPercent", &percentage.trimmed(), &[("uom", unit)]);
            out.ledger.carry(*percentage);
        }
    }
}

/// BT-3.
pub(super) fn kind<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, kind: &SetuKind) {
    const NAME: &str = "Type";
    if let Some(code) = invoice.type_code.filled() {
        let read = lookup(TYPES, kind.word).unwrap_or_default();
        match out.ledger.in_own_words {
            true => kept(out, NAME, *code),
            false if code.is(read) => out.kept(NAME, kind.word, *code),
            false => {
                let reason = "the target has invoices and credit notes: the nearest";
                out.changed(NAME, kind.word, *code, reason);
            }
        }
    }
    if let Some(more) = invoice.extensions.netherlands.as_deref() {
        out.each("Reason", &more.reasons);
    }
}
