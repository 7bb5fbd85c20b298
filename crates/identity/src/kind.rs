//! What documents of a type are for, by the same tables.

use quoin_formats::DocumentKind;
use quoin_formats::profiles::Profile;
use quoin_formats::ubl::ubl_kind;
use quoin_peppol::identifiers::DocumentTypeId;

/// What a message about another message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatusKind {
    /// A message level status or response, which is never answered by another one.
    MessageLevel,
    /// An invoice response, which a receiver gives to a sender.
    Invoice,
}

/// The profile of the documents of a type, or of a pattern of one.
pub fn profile_of(document_type: &DocumentTypeId) -> Option<&'static Profile> {
    let customization = document_type.parts().customization;
    let (profile, _) = Profile::of_chain(customization.trim_end_matches('*'))?;
    Some(profile)
}

/// What documents of a type are for: by their profile, or else by their document element.
pub fn kind_of(document_type: &DocumentTypeId) -> Option<DocumentKind> {
    let parts = document_type.parts();
    let by_profile = profile_of(document_type).and_then(|profile| profile.kind);
    by_profile.or_else(|| match parts.local_name? {
        "CrossIndustryInvoice" => Some(DocumentKind::Invoice),
        local => ubl_kind(local),
    })
}

/// Which status documents of a type are, if they are one.
pub fn status_of(document_type: &DocumentTypeId) -> Option<StatusKind> {
    match kind_of(document_type)? {
        DocumentKind::MessageLevelStatus | DocumentKind::MessageLevelResponse => {
            Some(StatusKind::MessageLevel)
        }
        DocumentKind::InvoiceResponse => Some(StatusKind::Invoice),
        _ => None,
    }
}

/// Whether documents of a type are reports of a provider about its traffic.
pub fn is_report(document_type: &DocumentTypeId) -> bool {
    let kind = kind_of(document_type);
    matches!(kind, Some(DocumentKind::TransactionStatistics | DocumentKind::EndUserStatistics))
}

/// Whether documents of a kind are messages about an order.
pub(crate) fn is_of_order(kind: Option<DocumentKind>) -> bool {
    matches!(
        kind,
        Some(
            DocumentKind::Order
                | DocumentKind::OrderChange
                | DocumentKind::OrderCancellation
                | DocumentKind::OrderResponse
                | DocumentKind::OrderAgreement
                | DocumentKind::OrderBalance
        )
    )
}

/// Whether a document of a kind can become one of another kind: what bills becomes what bills, as
/// which its type code says, and everything else stays what it is. What is not known becomes
/// nothing.
pub fn becomes(source: Option<DocumentKind>, target: Option<DocumentKind>) -> bool {
    let Some((source, target)) = source.zip(target) else { return false };
    source == target || is_bill(source) && is_bill(target)
}

/// Whether documents of a kind bill or credit somebody.
fn is_bill(kind: DocumentKind) -> bool {
    matches!(kind, DocumentKind::Invoice | DocumentKind::CreditNote | DocumentKind::DebitNote)
}
