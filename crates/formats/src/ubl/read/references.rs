//! References and supporting documents in UBL: BT-11 to BT-18, BG-3, BG-24.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{delivery, name};
use crate::reading::Pass;
use quoin_model::en16931::{DocumentReference, Invoice, References, Root};

/// Reads a reference of the document level. Whether it was one.
pub(super) fn document_level<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    local: &str,
    child: Element<'d>,
) -> bool {
    let references = &mut invoice.references;
    match local {
        "OrderReference" => order(pass, references, child),
        "ProjectReference" => references.project.push(read(pass, child)),
        "ContractDocumentReference" => references.contract.push(read(pass, child)),
        "ReceiptDocumentReference" => references.receiving_advice.push(read(pass, child)),
        "DespatchDocumentReference" => references.despatch_advice.push(read(pass, child)),
        "OriginatorDocumentReference" => references.tender.push(read(pass, child)),
        "StatementDocumentReference" => references.others.push(read(pass, child)),
        "AdditionalDocumentReference" => {
            let reference = read(pass, child);
            let is_credit_note = invoice.root == Root::CreditNote;
            if reference.type_code.is("130") {
                references.invoiced_object.push(reference);
            } else if is_credit_note && reference.type_code.is("50") {
                references.project.push(reference);
            } else {
                references.supporting_documents.push(reference);
            }
        }
        "BillingReference" => {
            let (invoices, others) = billing(pass, child);
            references.preceding_invoices.extend(invoices);
            references.others.extend(others);
        }
        _ => return false,
    }
    true
}

/// Reads a reference to any document.
pub(in crate::ubl) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut reference.id, child),
            Basic("UUID") => pass.take(&mut reference.uuid, child),
            Basic("IssueDate") => pass.take(&mut reference.issue_date, child),
            Basic("IssueTime") => pass.take(&mut reference.issue_time, child),
            Basic("DocumentTypeCode") => pass.take(&mut reference.type_code, child),
            Basic("DocumentType") => pass.take(&mut reference.document_type, child),
            Basic("DocumentDescription") => pass.take(&mut reference.description, child),
            Basic("DocumentStatusCode") => pass.take(&mut reference.status, child),
            Aggregate("Attachment") => attachment(pass, &mut reference, child),
            Aggregate("ValidityPeriod") => {
                reference.validity.push(delivery::period(pass, child));
            }
            Aggregate("ResultOfVerification") => verification(pass, &mut reference, child),
            _ => pass.unread(child),
        }
    }
    reference
}

fn attachment<'d>(
    pass: &mut Pass<'d>,
    reference: &mut DocumentReference<'d>,
    element: Element<'d>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("EmbeddedDocumentBinaryObject") => pass.take(&mut reference.embedded, child),
            Aggregate("ExternalReference") => {
                super::wrapped(pass, &mut reference.uri, child, "URI");
            }
            _ => pass.unread(child),
        }
    }
}

fn verification<'d>(
    pass: &mut Pass<'d>,
    reference: &mut DocumentReference<'d>,
    element: Element<'d>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ValidationDate") => pass.take(&mut reference.verified_on, child),
            Basic("ValidationTime") => pass.take(&mut reference.verified_at, child),
            _ => pass.unread(child),
        }
    }
}

/// `OrderReference`: BT-13 is its `ID`, BT-14 its `SalesOrderID`.
fn order<'d>(pass: &mut Pass<'d>, references: &mut References<'d>, element: Element<'d>) {
    let mut purchase = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("SalesOrderID") => {
                let mut sales = DocumentReference::new(child);
                pass.take(&mut sales.id, child);
                references.sales_order.push(sales);
            }
            _ => order_part(pass, &mut purchase, child),
        }
    }
    references.purchase_order.push(purchase);
}

/// Reads the order that a line names.
pub(super) fn line_order<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut order = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        order_part(pass, &mut order, child);
    }
    order
}

fn order_part<'d>(pass: &mut Pass<'d>, order: &mut DocumentReference<'d>, child: Element<'d>) {
    match name(child) {
        Basic("ID") => pass.take(&mut order.id, child),
        Basic("UUID") => pass.take(&mut order.uuid, child),
        Basic("IssueDate") => pass.take(&mut order.issue_date, child),
        Basic("IssueTime") => pass.take(&mut order.issue_time, child),
        Basic("OrderTypeCode") => pass.take(&mut order.type_code, child),
        Basic("CustomerReference") => pass.take(&mut order.customer_reference, child),
        Basic("SalesOrderID") => pass.take(&mut order.sales_id, child),
        _ => pass.unread(child),
    }
}

/// `BillingReference`: the invoices (BG-3), and the other documents it names.
pub(super) fn billing<'d>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
) -> (Vec<DocumentReference<'d>>, Vec<DocumentReference<'d>>) {
    let (mut invoices, mut others) = (Vec::new(), Vec::new());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Aggregate("InvoiceDocumentReference") => invoices.push(read(pass, child)),
            Aggregate(
                "SelfBilledInvoiceDocumentReference"
                | "CreditNoteDocumentReference"
                | "SelfBilledCreditNoteDocumentReference"
                | "DebitNoteDocumentReference"
                | "ReminderDocumentReference"
                | "AdditionalDocumentReference",
            ) => others.push(read(pass, child)),
            Aggregate("BillingReferenceLine") => {
                let mut line = DocumentReference::new(child);
                super::wrapped(pass, &mut line.line_id, child, "ID");
                others.push(line);
            }
            _ => pass.unread(child),
        }
    }
    (invoices, others)
}

/// `DespatchLineReference`, `ReceiptLineReference`: a line of another document.
pub(super) fn line_of<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    let mut line_id = std::mem::take(&mut reference.line_id);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("LineID") => pass.take(&mut line_id, child),
            Basic("UUID") => pass.take(&mut reference.uuid, child),
            Aggregate("DocumentReference") if reference.id.is_absent() => {
                let uuid = std::mem::take(&mut reference.uuid);
                reference = DocumentReference { element, ..read(pass, child) };
                reference.uuid.extend(uuid.iter().copied());
            }
            _ => pass.unread(child),
        }
    }
    reference.line_id = line_id;
    reference
}
