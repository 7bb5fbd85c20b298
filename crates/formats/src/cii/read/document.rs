//! The document level of CII: context, document, and the parts of the transaction.

use quoin_xml::tree::Element;

use super::{date, delivery, indicator, line, ram, references, rsm, settlement, typed, wrapped};
use crate::reading::Pass;
use quoin_model::en16931::{Invoice, Note};

/// Reads the document element.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Invoice<'d> {
    let mut invoice = Invoice::new(element);
    pass.open_root(element);
    for child in element.elements() {
        match rsm(child) {
            "ExchangedDocumentContext" => context(pass, &mut invoice, child),
            "ExchangedDocument" => document(pass, &mut invoice, child),
            "SupplyChainTradeTransaction" => transaction(pass, &mut invoice, child),
            _ => pass.unread(child),
        }
    }
    invoice
}

/// BG-2: process control.
fn context<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "BusinessProcessSpecifiedDocumentContextParameter" => {
                wrapped(pass, &mut invoice.process.profile, child, "ID");
            }
            "GuidelineSpecifiedDocumentContextParameter" => {
                wrapped(pass, &mut invoice.process.customization, child, "ID");
            }
            "TestIndicator" => indicator(pass, &mut invoice.extensions.test, child),
            _ => pass.unread(child),
        }
    }
}

/// BT-1 to BT-3, BG-1.
fn document<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" => pass.take(&mut invoice.number, child),
            "TypeCode" => pass.take(&mut invoice.type_code, child),
            "IssueDateTime" => date(pass, &mut invoice.issue_date, child),
            "IncludedNote" => invoice.notes.push(note(pass, child)),
            "Name" => pass.take(&mut invoice.extensions.document_name, child),
            "LanguageID" => pass.take(&mut invoice.extensions.language, child),
            "CopyIndicator" => typed(pass, &mut invoice.extensions.copy, child, &["Indicator"]),
            "EffectiveSpecifiedPeriod" => {
                invoice.extensions.effective_period.push(settlement::period(pass, child));
            }
            _ => pass.unread(child),
        }
    }
}

/// BG-1: a note; of a line BT-127.
pub(super) fn note<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Note<'d> {
    let mut note = Note::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "Content" => pass.take(&mut note.text, child),
            "SubjectCode" => pass.take(&mut note.subject_code, child),
            "ContentCode" => pass.take(&mut note.content_code, child),
            _ => pass.unread(child),
        }
    }
    note
}

fn transaction<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "IncludedSupplyChainTradeLineItem" => invoice.lines.push(line::read(pass, child)),
            "ApplicableHeaderTradeAgreement" => references::agreement(pass, invoice, child),
            "ApplicableHeaderTradeDelivery" => delivery::read(pass, invoice, child),
            "ApplicableHeaderTradeSettlement" => settlement::read(pass, invoice, child),
            _ => pass.unread(child),
        }
    }
}
