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
            Some("ApplicationResponse") if is_status(parts.customization) => {
                Family::MessageLevelStatus
            }
            Some("ApplicationResponse") if parts.customization.contains("invoice_response") => {
                Family::InvoiceResponse
            }
            _ => Family::Document,
        }
    }
}

/// A status about a message: MLS 1.0, Message Level Response 3.0, and the one of BIS 36A before it.
fn is_status(customization: &str) -> bool {
    [":mls:", ":mlr:", "peppol36a"].iter().any(|part| customization.contains(part))
}
