//! The agreement and the delivery in CII: BT-10 to BT-18, BG-4, BG-7, BG-11, BG-13, BG-24.

use quoin_model::en16931::{
    Code, DeliveryInformation, DocumentReference, Field, Invoice, PartyRole,
};

use super::{date, party};
use crate::writing::{InvoiceOutput, OutputAttribute};

/// What stands in the name of a project that has none, which the schema asks for.
const PROJECT_NAME: &str = "Project reference";

/// Writes the inside of `ApplicableHeaderTradeAgreement`.
pub(super) fn agreement<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let references = &invoice.references;
    out.first("ram:BuyerReference", &invoice.buyer_reference);
    party::write(out, "ram:SellerTradeParty", &invoice.seller);
    party::write(out, "ram:BuyerTradeParty", &invoice.buyer);
    agent(out, invoice);
    party::other(out, "ram:BuyerRequisitionerTradeParty", invoice, PartyRole::Originator);
    let role = PartyRole::BuyerTaxRepresentative;
    party::other(out, "ram:BuyerTaxRepresentativeTradeParty", invoice, role);
    party::write(out, "ram:SellerTaxRepresentativeTradeParty", &invoice.tax_representative);
    party::other(out, "ram:ProductEndUserTradeParty", invoice, PartyRole::EndUser);
    delivery_terms(out, invoice);
    first(out, "ram:SellerOrderReferencedDocument", &references.sales_order);
    match invoice.references.filler_of_order() {
        Some(filler) => out.ledger.regenerate(*filler),
        None => first(out, "ram:BuyerOrderReferencedDocument", &references.purchase_order),
    }
    first(out, "ram:ContractReferencedDocument", &references.contract);
    for document in &references.supporting_documents {
        out.group("ram:AdditionalReferencedDocument", |out| supporting(out, document));
    }
    if let Some(tender) = references.tender.first() {
        out.group("ram:AdditionalReferencedDocument", |out| typed(out, tender, "50"));
    }
    for object in &references.invoiced_object {
        out.group("ram:AdditionalReferencedDocument", |out| typed(out, object, "130"));
    }
    party::other(out, "ram:BuyerAgentTradeParty", invoice, PartyRole::BuyerAgent);
    if let Some(one) = references.project.first() {
        project(out, one);
    }
}

/// Who acts for the seller.
fn agent<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let of_seller = invoice.seller.first().and_then(|seller| seller.extensions.as_deref());
    let of_document = invoice.extensions.parties.iter().find(|one| one.role == PartyRole::Agent);
    if let Some(agent) = of_document.or_else(|| of_seller?.agents.first()) {
        party::one(out, "ram:SalesAgentTradeParty", agent);
    }
}

/// The terms of delivery, of the document or of its delivery.
fn delivery_terms<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let of_delivery = invoice.delivery.iter().flat_map(|one| &one.terms);
    let Some(terms) = invoice.extensions.delivery_terms.iter().chain(of_delivery).next() else {
        return;
    };
    out.group("ram:ApplicableTradeDeliveryTerms", |out| {
        out.first("ram:DeliveryTypeCode", &terms.id);
        // Factur-X has the code only, and asks for it.
        out.first("ram:Description", &terms.text);
    });
}

/// Writes the inside of `ApplicableHeaderTradeDelivery`.
pub(super) fn delivery<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if let Some(delivery) = invoice.delivery.first() {
        party::ship_to(out, delivery);
    }
    let role = PartyRole::UltimateShipTo;
    party::other(out, "ram:UltimateShipToTradeParty", invoice, role);
    party::other(out, "ram:ShipFromTradeParty", invoice, PartyRole::ShipFrom);
    if let Some(delivery) = invoice.delivery.first() {
        delivered(out, delivery);
    }
    let references = &invoice.references;
    first(out, "ram:DespatchAdviceReferencedDocument", &references.despatch_advice);
    first(out, "ram:ReceivingAdviceReferencedDocument", &references.receiving_advice);
    let is_note =
        |one: &&DocumentReference<'d>| one.element.local() == "DeliveryNoteReferencedDocument";
    if let Some(note) = references.others.iter().find(is_note) {
        dated(out, "ram:DeliveryNoteReferencedDocument", note);
    }
}

/// BT-72.
pub(super) fn delivered<'d>(out: &mut InvoiceOutput<'d>, delivery: &DeliveryInformation<'d>) {
    out.group("ram:ActualDeliverySupplyChainEvent", |out| {
        date(out, "ram:OccurrenceDateTime", "udt:DateTimeString", &delivery.date);
    });
}

/// The first reference of a kind.
fn first<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<DocumentReference<'d>>,
) {
    if let Some(reference) = field.first() {
        dated(out, name, reference);
    }
}

/// An identifier, and the day of issue.
pub(super) fn dated<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    reference: &DocumentReference<'d>,
) {
    out.group(name, |out| {
        if !out.first("ram:IssuerAssignedID", &reference.id) {
            return;
        }
        // The rules of EN 16931 forbid the rest (CII-DT-018, CII-DT-021).
        if out.is_extended() {
            out.first("ram:LineID", &reference.line_id);
            out.first("ram:TypeCode", &reference.type_code);
            out.first("ram:Name", &reference.description);
        }
        issued(out, name, reference);
    });
}

/// BT-26; of any other document the day of issue is against CII-DT-027 of EN 16931.
pub(super) fn issued<'d>(
    out: &mut InvoiceOutput<'d>,
    group: &str,
    reference: &DocumentReference<'d>,
) {
    if out.is_extended() || group == "ram:InvoiceReferencedDocument" {
        let inner = "qdt:DateTimeString";
        date(out, "ram:FormattedIssueDateTime", inner, &reference.issue_date);
    }
}

/// BT-17, BT-18, BT-128: a reference that its type code tells.
pub(super) fn typed<'d>(
    out: &mut InvoiceOutput<'d>,
    reference: &DocumentReference<'d>,
    code: &str,
) {
    if !out.first("ram:IssuerAssignedID", &reference.id) {
        return;
    }
    match reference.type_code.filled().filter(|own| own.is(code)) {
        Some(own) => {
            out.text("ram:TypeCode", own);
        }
        None => out.constant("ram:TypeCode", code, &[]),
    }
    // Beside a tender or lot (BT-17) the profiles of Factur-X do not use it.
    let is_whole = out.ledger.profile.is_none_or(|profile| profile.unused.is_empty());
    let has_scheme = code == "130" || is_whole;
    if let Some(scheme) = reference.scheme().filter(|_| has_scheme) {
        // In D22B the schema has the codes of UNTDID 1153, and no others.
        out.number("ram:ReferenceTypeCode", Code::from(scheme), &[]);
    }
    issued(out, "ram:AdditionalReferencedDocument", reference);
}

/// BG-24: type code 916.
fn supporting<'d>(out: &mut InvoiceOutput<'d>, document: &DocumentReference<'d>) {
    out.first("ram:IssuerAssignedID", &document.id);
    out.first("ram:URIID", &document.uri);
    match document.type_code.filled().filter(|own| own.is("916")) {
        Some(own) => {
            out.text("ram:TypeCode", own);
        }
        None => out.constant("ram:TypeCode", "916", &[]),
    }
    out.first("ram:Name", &document.description);
    if let Some(file) = document.embedded.filled() {
        let attributes = [
            ("mimeCode", file.mime_code().map(OutputAttribute::Carried)),
            ("filename", file.filename().map(OutputAttribute::Carried)),
        ];
        out.attributed("ram:AttachmentBinaryObject", file, &attributes);
    }
    issued(out, "ram:AdditionalReferencedDocument", document);
}

/// BT-11. The schema asks for a name beside the identifier.
fn project<'d>(out: &mut InvoiceOutput<'d>, project: &DocumentReference<'d>) {
    out.group("ram:SpecifiedProcuringProject", |out| {
        if !out.first("ram:ID", &project.id) {
            return;
        }
        if let Some(code) = project.type_code.filled().filter(|code| code.is("50")) {
            out.ledger.regenerate(*code);
        }
        if !out.first("ram:Name", &project.project_name) {
            let path = out.path_of("ram:Name");
            let reason = "the schema asks for a name of the project";
            out.ledger.invent(project.element, None, PROJECT_NAME, path, reason);
            out.constant("ram:Name", PROJECT_NAME, &[]);
        }
    });
}
