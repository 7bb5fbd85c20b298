//! The document level: BT-1 to BT-26, payment terms, attachments.

use quoin_model::en16931::{
    AttributeName, Binary, Date, DocumentReference, Field, Identifier, Invoice, Note, PaymentTerms,
    TermsAdjustment, Text,
};
use quoin_xml::tree::Element;

use super::super::codes::{PERCENT_UNITS, TYPES};
use super::money::HeaderMoney;
use super::{SetuWalk, dutch, line, name, party, staffing};
use crate::reading::{day_of, implied, only_category, view};

/// Reads the document element.
pub(super) fn read<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>) -> Invoice<'d> {
    let mut invoice = Invoice::new(element);
    let mut money = HeaderMoney::new(element);
    walk.pass.open_root(element);
    for child in element.elements() {
        match name(child) {
            "Header" => header(walk, &mut invoice, &mut money, child),
            "Line" => line::read(walk, &mut invoice, child, None),
            _ => walk.pass.unread(child),
        }
    }
    money.settle(&mut invoice);
    only_category(&mut invoice);
    invoice
}

fn header<'d>(
    walk: &mut SetuWalk<'d>,
    invoice: &mut Invoice<'d>,
    money: &mut HeaderMoney<'d>,
    element: Element<'d>,
) {
    walk.pass.open(element);
    for child in element.elements() {
        if money.take(walk, invoice, child) {
            continue;
        }
        match name(child) {
            "DocumentIds" => walk.wrapped(&mut invoice.number, child, &["DocumentId", "Id"]),
            "DocumentDateTime" => {
                let mut written: Field<Date<'d>> = Field::default();
                walk.pass.take(&mut written, child);
                invoice.issue_date.extend(written.iter().map(|one| day_of(**one)));
            }
            "Type" => {
                let kind = walk.pass.mapped(child, TYPES);
                invoice.type_code.push(kind);
            }
            "Description" => walk.pass.take(&mut dutch(invoice).description, child),
            "ReasonCode" => walk.pass.take(&mut dutch(invoice).reason_code, child),
            "Reason" => walk.pass.take(&mut dutch(invoice).reasons, child),
            "Note" => {
                let mut note = Note::new(child);
                walk.pass.take(&mut note.text, child);
                invoice.notes.push(note);
            }
            "DocumentReferences" => {
                let all = references(walk, child);
                invoice.references.preceding_invoices.extend(all);
            }
            "Attachments" => attachments(walk, invoice, child),
            "PaymentTerms" => terms(walk, invoice, child),
            "Parties" => party::parties(walk, invoice, child),
            "UserArea" => staffing::of_header(walk, invoice, child),
            _ => walk.pass.unread(child),
        }
    }
}

/// BG-3: `InvoiceDocumentReference`, of the document or of a line.
pub(super) fn references<'d>(
    walk: &mut SetuWalk<'d>,
    element: Element<'d>,
) -> Vec<DocumentReference<'d>> {
    let mut all = Vec::new();
    walk.pass.open(element);
    for child in element.elements() {
        if name(child) != "InvoiceDocumentReference" {
            walk.pass.unread(child);
            continue;
        }
        let mut reference = DocumentReference::new(child);
        walk.pass.open(child);
        for inner in child.elements() {
            match name(inner) {
                "DocumentIds" => walk.wrapped(&mut reference.id, inner, &["DocumentId", "Id"]),
                "DocumentDate" => {
                    let mut written: Field<Date<'d>> = Field::default();
                    walk.pass.take(&mut written, inner);
                    reference.issue_date.extend(written.iter().map(|one| day_of(**one)));
                }
                _ => walk.pass.unread(inner),
            }
        }
        all.push(reference);
    }
    all
}

/// BG-24. The file has no name; that it is base64 is no content.
fn attachments<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Attachment" => {
                let document = attachment(walk, child);
                invoice.references.supporting_documents.push(document);
            }
            _ => walk.pass.unread(child),
        }
    }
}

fn attachment<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut document = DocumentReference::new(element);
    let (mut data, mut kinds) = (Vec::new(), Vec::new());
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "EmbeddedData" => {
                walk.open_of(child, "encoding", "base64");
                for inner in child.elements() {
                    match name(inner) {
                        "Data" => data.push(walk.pass.value::<Binary<'d>>(inner)),
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            "FileType" => kinds.push(walk.pass.value::<Text<'d>>(child)),
            "FileName" => walk.pass.take(&mut document.id, child),
            "Description" => walk.pass.take(&mut document.description, child),
            "URI" => walk.pass.take(&mut document.uri, child),
            _ => walk.pass.unread(child),
        }
    }
    for one in data {
        let kind = kinds.first().map(|kind| (AttributeName::MimeCode, **kind));
        document.embedded.push(one.with(kind.as_slice()).into());
    }
    let is_used = document.embedded.is_present();
    document.document_type.extend(kinds.iter().skip(usize::from(is_used)).copied());
    if document.id.is_absent() {
        document.id.push(match document.uri.get() {
            Some(uri) => view::<Identifier<'d>>(uri.element()),
            None => implied(element, "attachment"),
        });
    }
    document
}

/// BT-20 and BT-9, with a discount for early payment.
fn terms<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let (mut terms, mut own) = (PaymentTerms::new(element), TermsAdjustment::new(element));
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Description" => walk.pass.take(&mut terms.text, child),
            "DueDate" => {
                let mut written: Field<Date<'d>> = Field::default();
                walk.pass.take(&mut written, child);
                terms.due_date.extend(written.iter().map(|one| day_of(**one)));
            }
            "PaymentTermsDate" => walk.pass.take(&mut terms.basis_date, child),
            "NumberOfDays" => walk.pass.take(&mut terms.days, child),
            "DiscountPercent" => walk.percentage(&mut own.percentage, child, PERCENT_UNITS),
            "DiscountAmount" => walk.amount(&mut own.amount, child),
            _ => walk.pass.unread(child),
        }
    }
    invoice.due_date.extend(terms.due_date.iter().copied());
    if own.percentage.is_present() || own.amount.is_present() {
        terms.discounts.push(own);
    }
    invoice.payment.terms.push(terms);
}
