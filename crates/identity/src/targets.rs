//! What a receiver takes that a document could become: the registrations of its SMP that name a
//! syntax with a writer and a specification whose rules are here, the best first.

use quoin_formats::convert::ConversionTarget;
use quoin_formats::ubl::{CREDIT_NOTE, INVOICE, is_order};
use quoin_formats::{Detection, DocumentKind, Syntax};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};

use crate::kind::{is_of_order, profile_of};

/// Profiles in the order in which they are tried: what all of Europe exchanges, then what one
/// country exchanges, then the core that every CIUS is a part of. Others come after, in the order
/// of their registrations.
const PREFERENCES: &[&str] = &[
    "peppol-bis3",
    "peppol-bis3-selfbilling",
    "pint-eu",
    "nlcius",
    "xrechnung-3",
    "peppol-international",
    "en16931",
    "peppol-order-3",
    "peppol-order-change-3",
    "peppol-order-cancellation-3",
    "peppol-order-response-3",
];

/// Registrations that are looked at, at most.
const REGISTRATIONS: usize = 256;

/// A document type that a receiver takes, and what a document is converted to for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversionOffer {
    /// The type as a document has it: a registered pattern without its `*`.
    pub document_type: DocumentTypeId,
    /// The syntax.
    pub target: ConversionTarget,
    /// BT-24.
    pub specification: String,
}

/// What a document could become for a receiver, and in which process that is exchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessOffer {
    /// What it takes.
    pub offer: ConversionOffer,
    /// In which process.
    pub process: ProcessId,
}

impl ConversionOffer {
    /// What a document is converted to for a type; `None` where no writer makes documents of it, or
    /// no rules that are here judge them.
    pub fn of(document_type: &DocumentTypeId) -> Option<ConversionOffer> {
        let profile = profile_of(document_type)?;
        if profile.packages.is_empty() {
            return None;
        }
        let target = target_of(document_type)?;
        let specification = document_type.parts().customization.trim_end_matches('*').to_owned();
        let plain = document_type.plain();
        let document_type = DocumentTypeId::new(document_type.scheme(), &plain).ok()?;
        Some(ConversionOffer { document_type, target, specification })
    }

    /// Whether its documents have a format: a document type, `scheme::value`, or the customization
    /// of its documents.
    pub fn is_of(&self, format: &str) -> bool {
        self.specification == format || self.document_type.to_string() == format
    }
}

/// The syntax of documents of a type, where it has a writer.
pub fn target_of(document_type: &DocumentTypeId) -> Option<ConversionTarget> {
    let parts = document_type.parts();
    match (parts.root_namespace, parts.local_name?) {
        (INVOICE, "Invoice") | (CREDIT_NOTE, "CreditNote") => Some(ConversionTarget::UBL),
        (_, "CrossIndustryInvoice") => Some(ConversionTarget::CII),
        (namespace, local) => is_order(namespace, local).then_some(ConversionTarget::UBL),
    }
}

/// Whether it is of another specification, whether in another syntax, and its place in the table:
/// the lowest comes first.
type OfferRank = (bool, bool, usize);

/// What a receiver with these registrations takes that a document could become, the best first:
/// of the specification that it names itself, then in its own syntax before another one, then by
/// the table of preferences.
pub fn targets(registered: &[DocumentTypeId], source: &Detection) -> Vec<ConversionOffer> {
    let own = source.customization_id.as_deref();
    let mut found: Vec<(OfferRank, ConversionOffer)> = Vec::new();
    for document_type in registered.iter().take(REGISTRATIONS) {
        let Some(offer) = ConversionOffer::of(document_type) else { continue };
        let Some(profile) = profile_of(document_type) else { continue };
        let fits = becomes(source.kind, profile.kind);
        if !fits || found.iter().any(|(_, known)| known.document_type == offer.document_type) {
            continue;
        }
        let rank = PREFERENCES.iter().position(|id| *id == profile.id);
        let rank = (
            own != Some(&offer.specification),
            !is_syntax(source, offer.target),
            rank.unwrap_or(PREFERENCES.len()),
        );
        found.push((rank, offer));
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, offer)| offer).collect()
}

/// Whether documents of a kind can become those of another: a message about an order stays the one
/// that it is.
fn becomes(source: Option<DocumentKind>, offered: Option<DocumentKind>) -> bool {
    match is_of_order(source) {
        true => source == offered,
        false => !is_of_order(offered),
    }
}

/// Whether a document is in a syntax already.
fn is_syntax(source: &Detection, target: ConversionTarget) -> bool {
    match source.syntax {
        Some(Syntax::UblInvoice | Syntax::UblCreditNote) => target == ConversionTarget::UBL,
        Some(Syntax::Cii) => target == ConversionTarget::CII,
        _ => false,
    }
}
