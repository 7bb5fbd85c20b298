//! The agreement in CII: seller, buyer and references (BT-10 to BT-18, BG-24).

use quoin_xml::tree::Element;

use super::{date, party, ram};
use crate::reading::Pass;
use quoin_model::en16931::{DeliveryTerms, DocumentReference, Invoice, PartyRole};

/// Reads `ApplicableHeaderTradeAgreement`.
pub(super) fn agreement<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        let references = &mut invoice.references;
        match ram(child) {
            "BuyerReference" => pass.take(&mut invoice.buyer_reference, child),
            "SellerTradeParty" => {
                invoice.seller.push(party::read(pass, PartyRole::Seller, child));
            }
            "BuyerTradeParty" => invoice.buyer.push(party::read(pass, PartyRole::Buyer, child)),
            "SellerTaxRepresentativeTradeParty" => {
                let party = party::read(pass, PartyRole::TaxRepresentative, child);
                invoice.tax_representative.push(party);
            }
            "SellerOrderReferencedDocument" => references.sales_order.push(read(pass, child)),
            "BuyerOrderReferencedDocument" => references.purchase_order.push(read(pass, child)),
            "ContractReferencedDocument" => references.contract.push(read(pass, child)),
            "SpecifiedProcuringProject" => references.project.push(project(pass, child)),
            "AdditionalReferencedDocument" => additional(pass, invoice, child),
            "QuotationReferencedDocument"
            | "RequisitionReferencedDocument"
            | "UltimateCustomerOrderReferencedDocument" => {
                references.others.push(read(pass, child));
            }
            "ApplicableTradeDeliveryTerms" => {
                invoice.extensions.delivery_terms.push(delivery_terms(pass, child));
            }
            local => match other_party(local) {
                Some(role) => invoice.extensions.parties.push(party::read(pass, role, child)),
                None => pass.unread(child),
            },
        }
    }
}

fn delivery_terms<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DeliveryTerms<'d> {
    let mut terms = DeliveryTerms::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "DeliveryTypeCode" => pass.take(&mut terms.id, child),
            "Description" => pass.take(&mut terms.text, child),
            _ => pass.unread(child),
        }
    }
    terms
}

fn other_party(local: &str) -> Option<PartyRole> {
    Some(match local {
        "SalesAgentTradeParty" => PartyRole::Agent,
        "BuyerAgentTradeParty" => PartyRole::BuyerAgent,
        "BuyerTaxRepresentativeTradeParty" => PartyRole::BuyerTaxRepresentative,
        "ProductEndUserTradeParty" => PartyRole::EndUser,
        "BuyerRequisitionerTradeParty" => PartyRole::Originator,
        _ => return None,
    })
}

/// `AdditionalReferencedDocument`: type code 50 is BT-17, 130 BT-18, any other BG-24.
fn additional<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let reference = read(pass, element);
    let references = &mut invoice.references;
    if reference.type_code.is("50") {
        references.tender.push(reference);
    } else if reference.type_code.is("130") {
        references.invoiced_object.push(reference);
    } else {
        references.supporting_documents.push(reference);
    }
}

/// Reads a `…ReferencedDocument`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "IssuerAssignedID" => pass.take(&mut reference.id, child),
            "FormattedIssueDateTime" => date(pass, &mut reference.issue_date, child),
            "TypeCode" => pass.take(&mut reference.type_code, child),
            "ReferenceTypeCode" => pass.take(&mut reference.reference_type, child),
            "Name" => pass.take(&mut reference.description, child),
            "URIID" => pass.take(&mut reference.uri, child),
            "AttachmentBinaryObject" => pass.take(&mut reference.embedded, child),
            "LineID" => pass.take(&mut reference.line_id, child),
            "GlobalID" => pass.take(&mut reference.uuid, child),
            "Information" => pass.take(&mut reference.document_type, child),
            "StatusCode" => pass.take(&mut reference.status, child),
            _ => pass.unread(child),
        }
    }
    reference
}

fn project<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut project = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" => pass.take(&mut project.id, child),
            "Name" => pass.take(&mut project.project_name, child),
            _ => pass.unread(child),
        }
    }
    project
}
