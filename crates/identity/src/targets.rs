//! What a receiver takes that a document could become: the registrations of its SMP that name a
//! syntax with a writer and a specification whose rules are here, the best first.

use quoin_formats::convert::ConversionTarget;
use quoin_formats::profiles::Profile;
use quoin_formats::ubl::{CREDIT_NOTE, INVOICE, is_order};
use quoin_formats::{Detection, Syntax};
use quoin_peppol::codelists::{CodeState, DOCUMENT_TYPES};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId, best_match};

use crate::kind::{becomes, kind_of, profile_of};

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
    /// What a document is converted to for a type; `None` where no writer makes documents of it, no
    /// rules that are here judge them, or it is only the base of other types.
    pub fn of(document_type: &DocumentTypeId) -> Option<ConversionOffer> {
        let profile = profile_of(document_type)?;
        if profile.packages.is_empty() {
            return None;
        }
        let target = target_of(document_type)?;
        let specification = document_type.parts().customization.trim_end_matches('*').to_owned();
        let plain = document_type.plain();
        if is_abstract(&plain) {
            return None;
        }
        let document_type = DocumentTypeId::new(document_type.scheme(), &plain).ok()?;
        Some(ConversionOffer { document_type, target, specification })
    }

    /// Whether its documents have a format: a document type, `scheme::value`, or the customization
    /// of its documents, with the `*` of a pattern or without. The types of PINT have had both
    /// schemes.
    pub fn is_of(&self, format: &str) -> bool {
        is_of_format(&self.document_type, format)
    }
}

/// Whether documents of a type have a format, a document type or a customization as for
/// [`ConversionOffer::is_of`].
pub fn is_of_format(document_type: &DocumentTypeId, format: &str) -> bool {
    let is_named = |named: DocumentTypeId| named.plain() == document_type.plain();
    document_type.parts().customization.trim_end_matches('*') == format.trim_end_matches('*')
        || format.parse::<DocumentTypeId>().is_ok_and(is_named)
}

/// Whether a value without `*` is that of a type which no document has: the base of others.
fn is_abstract(plain: &str) -> bool {
    DOCUMENT_TYPES.iter().any(|row| row.is_abstract && row.value == plain)
}

/// Whether a format, a document type or a customization as for [`ConversionOffer::is_of`], is only
/// the base of others, so that no document can be of it.
pub fn is_base(format: &str) -> bool {
    match format.parse::<DocumentTypeId>() {
        Ok(named) => is_abstract(&named.plain()),
        Err(_) => {
            let part = format!("##{}::", format.trim_end_matches('*'));
            DOCUMENT_TYPES.iter().any(|row| row.is_abstract && row.value.contains(&part))
        }
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
/// the table of preferences. A pattern of an abstract type stands for what is made of it: the
/// document becomes what it names itself, what is in the table of preferences, or the format that
/// is `asked` for (as for [`ConversionOffer::is_of`]), and nothing else of it is tried.
pub fn targets(
    registered: &[DocumentTypeId],
    source: &Detection,
    asked: Option<&str>,
) -> Vec<ConversionOffer> {
    let own = source.customization_id.as_deref();
    let is_wanted = |offer: &ConversionOffer| {
        let of_table = profile_of(&offer.document_type).and_then(preference).is_some();
        own == Some(&offer.specification)
            || of_table
            || asked.is_some_and(|format| offer.is_of(format))
    };
    let mut found: Vec<(OfferRank, ConversionOffer)> = Vec::new();
    let registered = registered.iter().take(REGISTRATIONS);
    for offer in registered.flat_map(|registered| stood_for(registered, &is_wanted)) {
        let Some(profile) = profile_of(&offer.document_type) else { continue };
        let fits = becomes(source.kind, kind_of(&offer.document_type));
        if !fits || found.iter().any(|(_, known)| known.document_type == offer.document_type) {
            continue;
        }
        let rank = (
            own != Some(&offer.specification),
            !is_syntax(source, offer.target),
            preference(profile).unwrap_or(PREFERENCES.len()),
        );
        found.push((rank, offer));
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, offer)| offer).collect()
}

/// The place of a profile in the table of preferences.
fn preference(profile: &Profile) -> Option<usize> {
    PREFERENCES.iter().position(|id| *id == profile.id)
}

/// What a registration stands for: its own type, and of the pattern of an abstract one the types of
/// the list that it covers and that are wanted.
fn stood_for(
    registered: &DocumentTypeId,
    is_wanted: &impl Fn(&ConversionOffer) -> bool,
) -> Vec<ConversionOffer> {
    if !registered.is_pattern() || !is_abstract(&registered.plain()) {
        return ConversionOffer::of(registered).into_iter().collect();
    }
    let start = registered.value().split('*').next().unwrap_or_default();
    let rows = DOCUMENT_TYPES.iter().filter(|row| {
        row.scheme == registered.scheme()
            && row.state != CodeState::Removed
            && row.value.starts_with(start)
    });
    rows.filter_map(|row| row.id().ok())
        .filter(|id| best_match(id, [registered]).is_some())
        .filter_map(|id| ConversionOffer::of(&id))
        .filter(is_wanted)
        .collect()
}

/// Whether a document is in a syntax already.
fn is_syntax(source: &Detection, target: ConversionTarget) -> bool {
    match source.syntax {
        Some(Syntax::UblInvoice | Syntax::UblCreditNote) => target == ConversionTarget::UBL,
        Some(Syntax::Cii) => target == ConversionTarget::CII,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
