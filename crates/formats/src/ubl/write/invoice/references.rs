//! References in UBL: BT-11 to BT-18, BG-3, BG-24.

use quoin_model::en16931::{DocumentReference, Invoice};

use super::{date, wrapped};
use crate::writing::{InvoiceOutput, OutputAttribute};

/// What CII has for the name of a project where none is known.
const PROJECT_NAME: &str = "Project reference";

/// Writes every reference of the document level, in the order of the schema.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, is_credit: bool) {
    let references = &invoice.references;
    order(out, invoice);
    for preceding in &references.preceding_invoices {
        out.group("cac:BillingReference", |out| {
            plain(out, "cac:InvoiceDocumentReference", preceding);
        });
    }
    for one in &references.despatch_advice {
        plain(out, "cac:DespatchDocumentReference", one);
    }
    for one in &references.receiving_advice {
        plain(out, "cac:ReceiptDocumentReference", one);
    }
    if !is_credit {
        tender(out, invoice);
    }
    for one in &references.contract {
        plain(out, "cac:ContractDocumentReference", one);
    }
    // UBL-SR-04: one of them.
    if let Some(object) = references.invoiced_object.first() {
        out.group("cac:AdditionalDocumentReference", |out| typed(out, object, "130"));
    }
    for document in &references.supporting_documents {
        out.group("cac:AdditionalDocumentReference", |out| supporting(out, document));
    }
    match references.project.first() {
        Some(project) if is_credit => {
            out.group("cac:AdditionalDocumentReference", |out| typed(out, project, "50"));
            project_name(out, project);
        }
        Some(project) => {
            wrapped(out, "cac:ProjectReference", "cbc:ID", &project.id);
            project_name(out, project);
        }
        None => {}
    }
    if is_credit {
        tender(out, invoice);
    }
}

/// BT-17.
fn tender<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for one in &invoice.references.tender {
        out.group("cac:OriginatorDocumentReference", |out| {
            if out.first("cbc:ID", &one.id) {
                issued(out, Some(one));
            }
        });
        told_type(out, one, "50");
    }
}

/// BT-13, BT-14. An order reference must have an identifier, which is `NA` where only the sales
/// order is known (Peppol BIS Billing 3.0, section 6.2).
fn order<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let references = &invoice.references;
    let purchase = references.purchase_order.first();
    let sales = references.sales_order.first();
    out.group("cac:OrderReference", |out| {
        let is_known = purchase.is_some_and(|order| out.first("cbc:ID", &order.id));
        let Some(sales) = sales.filter(|sales| sales.id.is_filled()) else {
            return issued(out, purchase.filter(|_| is_known));
        };
        if !is_known {
            let path = out.path_of("cbc:ID");
            let reason = "an order reference must have an identifier; only BT-14 is known";
            out.ledger.invent(sales.element, Some("BT-13"), "NA", path, reason);
            out.constant("cbc:ID", "NA", &[]);
        }
        out.first("cbc:SalesOrderID", &sales.id);
        issued(out, purchase.filter(|_| is_known));
    });
}

fn issued<'d>(out: &mut InvoiceOutput<'d>, reference: Option<&DocumentReference<'d>>) {
    if let Some(reference) = reference {
        date(out, "cbc:IssueDate", &reference.issue_date);
    }
}

/// An identifier, the day of issue, and what extensions know of a document.
pub(super) fn plain<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    one: &DocumentReference<'d>,
) {
    out.group(name, |out| {
        if !out.first("cbc:ID", &one.id) {
            return;
        }
        out.first("cbc:UUID", &one.uuid);
        issued(out, Some(one));
        out.first("cbc:DocumentTypeCode", &one.type_code);
        out.first("cbc:DocumentType", &one.document_type);
        out.first("cbc:DocumentStatusCode", &one.status);
        out.first("cbc:DocumentDescription", &one.description);
    });
}

/// BT-18, BT-128, and BT-11 of a credit note: the type code tells which term it is.
pub(super) fn typed<'d>(
    out: &mut InvoiceOutput<'d>,
    reference: &DocumentReference<'d>,
    code: &str,
) {
    let Some(id) = reference.id.filled() else { return };
    let scheme = reference.scheme().map(OutputAttribute::Carried);
    out.attributed("cbc:ID", id, &[("schemeID", scheme)]);
    issued(out, Some(reference));
    out.constant("cbc:DocumentTypeCode", code, &[]);
    told_type(out, reference, code);
}

/// The type code of the source is told by the place in the target.
fn told_type<'d>(out: &mut InvoiceOutput<'d>, reference: &DocumentReference<'d>, code: &str) {
    if let Some(own) = reference.type_code.filled().filter(|own| own.is(code)) {
        out.ledger.carry(*own);
    }
}

/// BG-24, which is what has no type code; CII has 916 there.
fn supporting<'d>(out: &mut InvoiceOutput<'d>, document: &DocumentReference<'d>) {
    out.first("cbc:ID", &document.id);
    out.first("cbc:UUID", &document.uuid);
    issued(out, Some(document));
    if let Some(own) = document.type_code.filled().filter(|own| own.is("916")) {
        out.ledger.regenerate(*own);
    }
    out.first("cbc:DocumentType", &document.document_type);
    out.first("cbc:DocumentDescription", &document.description);
    out.group("cac:Attachment", |out| {
        if let Some(file) = document.embedded.filled() {
            let attributes = [
                ("mimeCode", file.mime_code().map(OutputAttribute::Carried)),
                ("filename", file.filename().map(OutputAttribute::Carried)),
            ];
            out.attributed("cbc:EmbeddedDocumentBinaryObject", file, &attributes);
        }
        wrapped(out, "cac:ExternalReference", "cbc:URI", &document.uri);
    });
}

/// CII has a name beside BT-11, which says nothing where it repeats the identifier.
fn project_name<'d>(out: &mut InvoiceOutput<'d>, project: &DocumentReference<'d>) {
    let id = project.id.text().unwrap_or_default();
    for name in &project.project_name {
        if name.is(PROJECT_NAME) {
            out.ledger.regenerate(**name);
        } else if name.is(&id) {
            out.ledger.derive(**name);
        }
    }
}
