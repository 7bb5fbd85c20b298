//! Wildcard document types (PFUOI 4.4.0, section 5.1.2): which registrations serve a document whose
//! customization is a chain of parts, `urn:peppol:pint:billing-1@aunz-1`.

use super::{DocumentTypeId, DocumentTypeScheme, IdentifierError};

/// Most parts of a customization. Real ones have three; each part costs a look-up.
const PARTS_LIMIT: usize = 16;

/// Checks a customization against the rules BR-PDW and the rules for parts.
pub(super) fn check_customization(
    scheme: DocumentTypeScheme,
    customization: &str,
) -> Result<(), IdentifierError> {
    let refuse =
        |why, rule| Err(IdentifierError::Wildcard { found: customization.to_owned(), why, rule });
    if scheme == DocumentTypeScheme::Busdox {
        return if customization.contains('*') {
            refuse("holds '*', which only scheme peppol-doctype-wildcard may", "BR-PDW-01")
        } else {
            Ok(())
        };
    }
    let chain = customization.strip_suffix('*').unwrap_or(customization);
    if chain.contains('*') {
        return refuse("holds '*' before its end, or twice", "BR-PDW-03 and 04");
    }
    let parts: Vec<&str> = chain.split('@').collect();
    if parts.iter().any(|part| part.is_empty()) {
        return refuse("has an empty part: '*' must follow a part directly", "BR-PDW-05");
    }
    if parts.len() > PARTS_LIMIT {
        return refuse("has more than 16 parts", "our limit");
    }
    let twice =
        parts.iter().enumerate().any(|(i, part)| parts.iter().skip(i + 1).any(|p| p == part));
    if twice {
        return refuse("names a part twice", "parts");
    }
    Ok(())
}

/// The registrations that may serve a document of type `wanted`, the best first.
///
/// For scheme `busdox-docid-qns` that is the type itself. For the wildcard scheme it is the exact
/// type, then, part by part from the longest chain, the chain followed by `*`. A sender asks for
/// each in turn, or picks the first that the service group lists ([`best_match`]).
pub fn candidates(wanted: &DocumentTypeId) -> Vec<DocumentTypeId> {
    let mut found = vec![wanted.clone()];
    if wanted.scheme() == DocumentTypeScheme::Busdox || wanted.is_pattern() {
        return found;
    }
    let customization = wanted.parts().customization;
    let mut chain = Some(customization);
    while let Some(prefix) = chain {
        // A pattern one character over the length limit cannot be registered by anyone.
        found.extend(wanted.with_customization(&format!("{prefix}*")));
        chain = prefix.rsplit_once('@').map(|(shorter, _)| shorter);
    }
    found
}

/// The registration that serves a document of type `wanted`: exact before wildcard, and among
/// wildcards the one with most matching parts (BR-PDM-01 to 04).
pub fn best_match<'r>(
    wanted: &DocumentTypeId,
    registrations: impl IntoIterator<Item = &'r DocumentTypeId> + Clone,
) -> Option<&'r DocumentTypeId> {
    candidates(wanted)
        .iter()
        .find_map(|candidate| registrations.clone().into_iter().find(|r| *r == candidate))
}
