//! Addresses of SMP resources (Peppol SMP 1.4.0, section 5.3): every path segment is encoded on its
//! own, and requests are understood encoded, partly encoded and raw.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::identifiers::{DocumentTypeId, ParticipantId};
use crate::sml::SmpBase;

/// Longest request path that is looked at, in bytes.
pub const PATH_LIMIT: usize = 4096;

/// Everything but the unreserved characters of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What a request of an SMP asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    /// `/{participant}`.
    ServiceGroup(ParticipantId),
    /// `/{participant}/services/{document type}`.
    ServiceMetadata(ParticipantId, DocumentTypeId),
    /// `/businesscard/{participant}`.
    BusinessCard(ParticipantId),
}

/// The address of a service group.
pub fn service_group_url(base: &SmpBase, participant: &ParticipantId) -> String {
    format!("{base}/{}", encode(&participant.uri()))
}

/// The address of service metadata.
pub fn service_metadata_url(
    base: &SmpBase,
    participant: &ParticipantId,
    document_type: &DocumentTypeId,
) -> String {
    format!("{base}{}", service_metadata_path(participant, document_type))
}

/// The path of service metadata below the base address; it starts with a slash.
pub fn service_metadata_path(
    participant: &ParticipantId,
    document_type: &DocumentTypeId,
) -> String {
    let (who, what) = (encode(&participant.uri()), encode(&document_type.to_string()));
    format!("/{who}/services/{what}")
}

/// The address of a business card (Peppol Directory 1.1.1).
pub fn business_card_url(base: &SmpBase, participant: &ParticipantId) -> String {
    format!("{base}/businesscard/{}", encode(&participant.uri()))
}

/// What the path of a request asks for; `None` where it asks for nothing that exists (404).
///
/// `path` is what follows the base address, as it was sent: the server must not have decoded it or
/// merged its slashes. It is split at slashes first and each segment is decoded once, so that an
/// encoded slash of a document type stays part of it; a raw one is understood too.
pub fn request(path: &str) -> Option<Resource> {
    if path.len() > PATH_LIMIT {
        return None;
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    if let Some(participant) = path.strip_prefix("businesscard/") {
        return Some(Resource::BusinessCard(participant_of(participant)?));
    }
    match path.split_once('/') {
        None => Some(Resource::ServiceGroup(participant_of(path)?)),
        Some((participant, rest)) => {
            let document_type = decode(rest.strip_prefix("services/")?)?.parse().ok()?;
            Some(Resource::ServiceMetadata(participant_of(participant)?, document_type))
        }
    }
}

/// The document type that the address of service metadata names, whatever its base.
pub(super) fn document_type_of(href: &str) -> Option<DocumentTypeId> {
    let (_, document_type) = href.rsplit_once("/services/")?;
    decode(document_type)?.parse().ok()
}

fn participant_of(segment: &str) -> Option<ParticipantId> {
    decode(segment)?.parse().ok()
}

fn decode(segment: &str) -> Option<String> {
    Some(percent_decode_str(segment).decode_utf8().ok()?.into_owned())
}

fn encode(segment: &str) -> String {
    utf8_percent_encode(segment, SEGMENT).to_string()
}
