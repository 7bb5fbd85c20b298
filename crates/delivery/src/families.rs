//! The document families of look-ups (`documentFamily`, conventions A10): which document types a
//! name stands for, and which of them is the best.

use quoin_formats::DocumentKind;
use quoin_identity::{kind_of, profile_of};
use quoin_peppol::codelists::{self, CodeState};
use quoin_peppol::identifiers::DocumentTypeId;

/// A row of [`DOCUMENT_FAMILIES`].
#[derive(Debug, Clone, Copy)]
pub struct DocumentFamily {
    /// The name in queries and answers.
    pub name: &'static str,
    /// Document elements of its documents.
    pub roots: &'static [&'static str],
    /// Document elements of its credit notes; none where it has no credit notes.
    pub credit_roots: &'static [&'static str],
    /// What its documents are for; empty for anything that its document elements are for.
    pub kinds: &'static [DocumentKind],
    /// Profiles, the best first; what is not named comes after them.
    pub best: &'static [&'static [&'static str]],
}

const fn row(name: &'static str, roots: &'static [&'static str]) -> DocumentFamily {
    DocumentFamily { name, roots, credit_roots: &[], kinds: &[], best: &[] }
}

impl DocumentFamily {
    const fn only(self, kinds: &'static [DocumentKind]) -> DocumentFamily {
        DocumentFamily { kinds, ..self }
    }

    const fn best(self, best: &'static [&'static [&'static str]]) -> DocumentFamily {
        DocumentFamily { best, ..self }
    }

    /// The family of this name, in any case.
    pub fn named(name: &str) -> Option<&'static DocumentFamily> {
        DOCUMENT_FAMILIES.iter().find(|family| family.name.eq_ignore_ascii_case(name))
    }

    /// The first family that a document type belongs to.
    pub fn of(document_type: &DocumentTypeId) -> Option<&'static DocumentFamily> {
        DOCUMENT_FAMILIES.iter().find(|family| family.has(document_type, None))
    }

    /// Whether a document type is of the family; with `credit`, whether it is a credit note.
    pub fn has(&self, document_type: &DocumentTypeId, credit: Option<bool>) -> bool {
        let parts = document_type.parts();
        let Some(local) = parts.local_name else { return false };
        let invoices = self.roots.contains(&local);
        let credits = self.credit_roots.contains(&local);
        let root = match credit {
            // A CII document is an invoice or a credit note by its type code.
            Some(true) => credits || (invoices && local == "CrossIndustryInvoice"),
            Some(false) => invoices,
            None => invoices || credits,
        };
        let is_one = || kind_of(document_type).is_some_and(|kind| self.kinds.contains(&kind));
        root && (self.kinds.is_empty() || is_one())
    }

    /// Where a document type stands among those of every family, the smaller the better: families
    /// in their order, in them the best type first, an invoice before its credit note.
    pub fn standing(document_type: &DocumentTypeId) -> (usize, usize, bool) {
        let mut rows = DOCUMENT_FAMILIES.iter().enumerate();
        let Some((place, family)) = rows.find(|(_, row)| row.has(document_type, None)) else {
            return (usize::MAX, 0, false);
        };
        let local = document_type.parts().local_name;
        let is_credit = local.is_some_and(|local| family.credit_roots.contains(&local));
        (place, family.rank(document_type), is_credit)
    }

    /// How good a document type is within the family: the smaller the better.
    fn rank(&self, document_type: &DocumentTypeId) -> usize {
        let profile = profile_of(document_type).map_or("", |profile| profile.id);
        let place = self.best.iter().position(|profiles| profiles.contains(&profile));
        let place = place.unwrap_or(self.best.len());
        let row = codelists::document_type(document_type);
        let active = row.is_some_and(|row| row.state == CodeState::Active);
        let cii = document_type.parts().local_name == Some("CrossIndustryInvoice");
        place * 2 + usize::from(cii) + if active { 0 } else { 1_000 }
    }
}

/// Every family, in the order of the interface.
pub static DOCUMENT_FAMILIES: &[DocumentFamily] = &[
    DocumentFamily {
        name: "Invoice",
        roots: &["Invoice", "CrossIndustryInvoice"],
        credit_roots: &["CreditNote"],
        kinds: &[],
        best: &[
            &["nlcius", "nlcius-gaccount", "nlcius-setu", "nlcius-seef"],
            &["peppol-bis3", "peppol-bis3-it", "peppol-bis3-pl", "ehf3-variant"],
            &[
                "pint",
                "pint-ae",
                "pint-aunz",
                "pint-eu",
                "pint-jp",
                "pint-my",
                "pint-ng",
                "pint-om",
                "pint-sg",
            ],
            &["peppol-bis3-selfbilling"],
        ],
    },
    row("InvoiceResponse", &["ApplicationResponse"]).only(&[DocumentKind::InvoiceResponse]),
    row("Review", &["ApplicationResponse"])
        .only(&[DocumentKind::MessageLevelStatus, DocumentKind::MessageLevelResponse])
        .best(&[&["peppol-mls"]]),
    row("Order", &["Order"]).best(&[&["peppol-order-3", "peppol-it-order", "ehf3-order"]]),
    row("OrderResponse", &["OrderResponse", "OrderResponseSimple"])
        .only(&[DocumentKind::OrderResponse])
        .best(&[
            &["peppol-order-response-3", "peppol-it-order-response", "ehf3-order-response"],
            &["peppol-order-response-advanced-3"],
        ]),
    row("OrderAgreement", &["OrderResponse"]).only(&[DocumentKind::OrderAgreement]).best(&[&[
        "peppol-order-agreement-3",
        "peppol-it-order-agreement",
        "ehf3-order-agreement",
    ]]),
    row("OrderChange", &["OrderChange"]),
    row("OrderCancellation", &["OrderCancellation"]),
    row("TimeCard", &["TimeCard"]),
    row("MaintenanceInstruction", &["MaintenanceInstruction"]),
    row("MaintenanceStatus", &["MaintenanceStatus"]),
    row("DespatchAdvice", &["DespatchAdvice"]).best(&[&["peppol-despatch-advice-3"]]),
    row("ReceiptAdvice", &["ReceiptAdvice"]),
    row("Catalogue", &["Catalogue"]),
];

#[cfg(test)]
mod tests;
