//! Which family a document type belongs to.

use quoin_peppol::identifiers::DocumentTypeId;

use super::Family;

impl Family {
    /// The family of a document type, by its document element and customization.
    pub fn of(document_type: &DocumentTypeId) -> Family {
        let parts = document_type.parts();
        match parts.local_name {
            Some(
                "Invoice"
                | "CreditNote"
                | "CrossIndustryInvoice"
                | "SelfBilledInvoice"
                | "SelfBilledCreditNote",
            ) => Family::Invoice,
            Some(name) if name.starts_with("Order") => Family::Order,
            Some("ApplicationResponse") if parts.customization.contains(":mls:") => {
                Family::MessageLevelStatus
            }
            Some("ApplicationResponse") if parts.customization.contains("invoice_response") => {
                Family::InvoiceResponse
            }
            _ => Family::Document,
        }
    }
}
