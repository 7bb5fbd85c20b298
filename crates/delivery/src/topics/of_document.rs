//! Which family a document type belongs to.

use quoin_formats::DocumentKind;
use quoin_identity::{StatusKind, kind_of, status_of};
use quoin_peppol::identifiers::DocumentTypeId;

use super::Family;

impl Family {
    /// The family of a document type, by what its documents are for.
    pub fn of(document_type: &DocumentTypeId) -> Family {
        match status_of(document_type) {
            Some(StatusKind::MessageLevel) => return Family::MessageLevelStatus,
            Some(StatusKind::Invoice) => return Family::InvoiceResponse,
            None => {}
        }
        kind_of(document_type).map_or(Family::Document, Family::of_kind)
    }

    /// The family of documents that are for something, whether they have a type on the network or
    /// not.
    pub fn of_kind(kind: DocumentKind) -> Family {
        match kind {
            DocumentKind::Invoice | DocumentKind::CreditNote => Family::Invoice,
            DocumentKind::Order
            | DocumentKind::OrderBalance
            | DocumentKind::OrderChange
            | DocumentKind::OrderCancellation
            | DocumentKind::OrderResponse
            | DocumentKind::OrderAgreement => Family::Order,
            _ => Family::Document,
        }
    }
}
