//! The document level: BT-1 to BT-6, BT-22, BG-3, lists of lines, what is below the line.

use quoin_model::en16931::{
    BelowTheLine, DocumentReference, ExchangeRate, Invoice, ItemAttribute, LineGroup, Note,
    PartyRole,
};
use quoin_xml::tree::Element;

use super::super::codes::DOCUMENT_TYPES;
use super::{
    adjustment, attribute, austria, delivery, is_one_of, line, name, party, payment, put, tax,
    totals, with_attribute,
};
use crate::reading::{Pass, mapped, view};

/// Reads the document element.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Invoice<'d> {
    let mut invoice = Invoice::new(element);
    head(pass, &mut invoice, element);
    let mut said = totals::SaidTotals::new(element);
    for child in element.elements() {
        match name(child) {
            "InvoiceNumber" => pass.take(&mut invoice.number, child),
            "InvoiceDate" => pass.take(&mut invoice.issue_date, child),
            "CancelledOriginalDocument" | "RelatedDocument" => {
                invoice.references.preceding_invoices.push(related(pass, child));
            }
            "AdditionalInformation" => {
                let own = fact(pass, child);
                austria(&mut invoice).facts.push(own);
            }
            "CurrencyExchangeInformation" => exchange(pass, &mut invoice, child),
            "Delivery" => delivery::of_document(pass, &mut invoice, child),
            "Biller" => party::read(pass, &mut invoice, PartyRole::Seller, child),
            "InvoiceRecipient" => party::read(pass, &mut invoice, PartyRole::Buyer, child),
            "OrderingParty" => party::read(pass, &mut invoice, PartyRole::BuyerCustomer, child),
            "Details" => details(pass, &mut invoice, child),
            "ReductionAndSurchargeDetails" => {
                adjustment::read(pass, &mut invoice.allowance_charges, child);
            }
            "Tax" => tax::read(pass, &mut invoice, child),
            "PaymentMethod" => payment::method(pass, &mut invoice, child),
            "PaymentConditions" => payment::conditions(pass, &mut invoice, child),
            "Comment" | "HeaderDescription" | "FooterDescription" => {
                note(pass, &mut invoice, child)
            }
            _ => said.read(pass, child),
        }
    }
    totals::finish(&mut invoice, element, said);
    invoice
}

/// The attributes of the document element.
fn head<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let known = [
        "GeneratingSystem",
        "DocumentType",
        "InvoiceCurrency",
        "ManualProcessing",
        "DocumentTitle",
        "Language",
        "IsDuplicate",
    ];
    pass.open_root_of(element, |one| is_one_of(one, &known));
    let kind = attribute(element, "DocumentType");
    invoice.type_code.extend(kind.map(|kind| mapped(kind, DOCUMENT_TYPES)));
    put(&mut invoice.currency, element, "InvoiceCurrency");
    put(&mut invoice.extensions.document_name, element, "DocumentTitle");
    put(&mut invoice.extensions.language, element, "Language");
    put(&mut invoice.extensions.copy, element, "IsDuplicate");
    let austria = austria(invoice);
    put(&mut austria.generating_system, element, "GeneratingSystem");
    put(&mut austria.manual_processing, element, "ManualProcessing");
}

/// BG-1.
fn note<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut note = Note::new(element);
    pass.take(&mut note.text, element);
    invoice.notes.push(note);
}

/// BG-3; the element says whether the invoice is cancelled by this one.
fn related<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "InvoiceNumber" => pass.take(&mut reference.id, child),
            "InvoiceDate" => pass.take(&mut reference.issue_date, child),
            "DocumentType" => pass.take(&mut reference.document_type, child),
            "Comment" => pass.take(&mut reference.description, child),
            _ => pass.unread(child),
        }
    }
    reference
}

/// Reads `AdditionalInformation`: a text and its key.
pub(super) fn fact<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ItemAttribute<'d> {
    let mut fact = ItemAttribute::new(element);
    let (value, _) = with_attribute(pass, element, "Key");
    fact.value.push(value);
    put(&mut fact.name, element, "Key");
    fact
}

/// BT-6 and the exchange rate to it.
fn exchange<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut rate = ExchangeRate::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Currency" => {
                pass.take(&mut rate.target, child);
                invoice.tax_currency.push(view(child));
            }
            "ExchangeRate" => pass.take(&mut rate.rate, child),
            "ExchangeRateDate" => pass.take(&mut rate.date, child),
            "Comment" => pass.take(&mut rate.note, child),
            _ => pass.unread(child),
        }
    }
    invoice.extensions.exchange_rates.push(rate);
}

/// Reads `Details`: texts (BG-1), lists of lines, and what is below the line.
fn details<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "HeaderDescription" | "FooterDescription" => note(pass, invoice, child),
            "ItemList" => list(pass, invoice, child),
            "BelowTheLineItem" => {
                let own = below_the_line(pass, child);
                austria(invoice).below_the_line.push(own);
            }
            _ => pass.unread(child),
        }
    }
}

fn list<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut group = LineGroup::new(element);
    let first = invoice.lines.len();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "HeaderDescription" => pass.take(&mut group.header, child),
            "FooterDescription" => pass.take(&mut group.footer, child),
            "ListLineItem" => {
                let number = invoice.lines.len() + 1;
                invoice.lines.push(line::read(pass, number, child));
            }
            _ => pass.unread(child),
        }
    }
    group.lines = first..invoice.lines.len();
    austria(invoice).groups.push(group);
}

fn below_the_line<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> BelowTheLine<'d> {
    let mut own = BelowTheLine::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Description" => pass.take(&mut own.description, child),
            "LineItemAmount" => pass.take(&mut own.amount, child),
            "Reason" => {
                let (reason, _) = with_attribute(pass, child, "Date");
                own.reason.push(reason);
                put(&mut own.date, child, "Date");
            }
            _ => pass.unread(child),
        }
    }
    own
}
