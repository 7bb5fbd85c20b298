//! Addresses of SMP resources (Peppol SMP 1.4.0, section 5.3): every path segment is encoded on its
//! own, and requests are understood encoded, partly encoded and raw.

use std::str::FromStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::identifiers::{DocumentTypeId, ParticipantId};
use crate::sml::{SmpBase, UriPolicy};

/// Longest request path that is looked at, in bytes.
pub(super) const PATH_LIMIT: usize = 4096;

/// Everything but the unreserved characters of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// How document type identifiers begin (Policy for use of Identifiers, policies 16 and 17).
const SCHEMES: [&str; 2] = ["busdox-docid-qns", "peppol-doctype-wildcard"];

/// In which form an SMP answers, told by the path of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SmpForm {
    /// Peppol SMP 1.4.0, right below the base address.
    Peppol,
    /// OASIS BDXR SMP 1.0, below `bdxr-smp-1`.
    Bdxr1,
    /// OASIS BDXR SMP 2.0, below `bdxr-smp-2` (its section 5.4).
    Bdxr2,
}

impl SmpForm {
    /// The forms that have a path of their own.
    const PREFIXED: [SmpForm; 2] = [SmpForm::Bdxr1, SmpForm::Bdxr2];

    /// What its paths begin with, without slashes.
    pub fn prefix(self) -> &'static str {
        match self {
            SmpForm::Peppol => "",
            SmpForm::Bdxr1 => "bdxr-smp-1",
            SmpForm::Bdxr2 => "bdxr-smp-2",
        }
    }

    /// The address below which its resources are.
    pub fn base(self, base: &SmpBase) -> String {
        match self {
            SmpForm::Peppol => base.to_string(),
            _ => format!("{base}/{}", self.prefix()),
        }
    }

    /// The form of a path, and the rest of the path.
    fn of(path: &str) -> (SmpForm, &str) {
        let prefixed =
            |form: SmpForm| Some((form, path.strip_prefix(form.prefix())?.strip_prefix('/')?));
        SmpForm::PREFIXED.into_iter().find_map(prefixed).unwrap_or((SmpForm::Peppol, path))
    }
}

/// What a request of an SMP asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Resource {
    /// `/{participant}`.
    ServiceGroup(ParticipantId),
    /// `/{participant}/services/{document type}`.
    ServiceMetadata(ParticipantId, DocumentTypeId),
    /// `/businesscard/{participant}`.
    BusinessCard(ParticipantId),
}

impl Resource {
    /// Whose resource it is.
    pub fn participant(&self) -> &ParticipantId {
        match self {
            Resource::ServiceGroup(participant)
            | Resource::ServiceMetadata(participant, _)
            | Resource::BusinessCard(participant) => participant,
        }
    }
}

/// Why the path of a request asks for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequestRefusal {
    /// Nothing can be registered under it here (404): another path, another scheme, or no
    /// identifier at all. A sender may only take this for "not registered".
    #[error("expected /{{participant}} or /{{participant}}/services/{{document type}}")]
    Unknown,
    /// It cannot be read (400): too long, or a percent sign that encodes nothing.
    #[error("the path {0}")]
    Malformed(&'static str),
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

/// What the path of a request asks for, and in which form.
///
/// `path` is what follows the base address, as it was sent: the server must not have decoded it or
/// merged its slashes. It is split at slashes first and each segment is decoded once, so that an
/// encoded slash of a document type stays part of it; a raw one is understood too.
///
/// # Errors
/// [`RequestRefusal`] tells 404 from 400.
pub fn request(path: &str) -> Result<(SmpForm, Resource), RequestRefusal> {
    if path.len() > PATH_LIMIT {
        return Err(RequestRefusal::Malformed("is longer than 4096 bytes"));
    }
    let (form, path) = SmpForm::of(path.strip_prefix('/').unwrap_or(path));
    if let Some(participant) =
        path.strip_prefix("businesscard/").filter(|_| form == SmpForm::Peppol)
    {
        return Ok((form, Resource::BusinessCard(identifier(participant)?)));
    }
    let resource = match path.split_once('/') {
        None => Resource::ServiceGroup(identifier(path)?),
        Some((participant, rest)) => {
            let document_type = rest.strip_prefix("services/").ok_or(RequestRefusal::Unknown)?;
            Resource::ServiceMetadata(identifier(participant)?, identifier(document_type)?)
        }
    };
    Ok((form, resource))
}

/// The document type that the address of service metadata names, whatever its base.
pub(super) fn document_type_of(href: &str) -> Option<DocumentTypeId> {
    let found = href.rsplit_once("/services/");
    let read = found.and_then(|(_, document_type)| identifier(document_type).ok());
    read.or_else(|| {
        // Some publishers leave a slash out: the scheme tells where the identifier begins.
        let text = decode(href)?;
        let at = SCHEMES.iter().filter_map(|scheme| text.rfind(scheme)).max()?;
        text.get(at..)?.parse().ok()
    })
}

/// An identifier from a segment of a path.
pub(super) fn identifier<T: FromStr>(segment: &str) -> Result<T, RequestRefusal> {
    let encoded = |at: usize| {
        let digits = segment.as_bytes().get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !segment.match_indices('%').all(|(at, _)| encoded(at)) {
        return Err(RequestRefusal::Malformed("has a percent sign without two hexadecimal digits"));
    }
    let text = decode(segment).ok_or(RequestRefusal::Malformed("is not UTF-8"))?;
    text.parse().map_err(|_| RequestRefusal::Unknown)
}

/// The participant and document type that the address of service metadata names, whatever its base.
pub fn request_of(href: &str) -> Option<(ParticipantId, DocumentTypeId)> {
    let (before, document_type) = href.rsplit_once("/services/")?;
    let (_, participant) = before.rsplit_once('/')?;
    Some((identifier(participant).ok()?, identifier(document_type).ok()?))
}

/// Whether the address of service metadata leads to the SMP of this base address, in whichever of
/// its forms: addresses compare as addresses, and not as they are written.
pub fn leads_to(href: &str, base: &SmpBase, policy: UriPolicy) -> bool {
    let before = href.rsplit_once("/services/").and_then(|(before, _)| before.rsplit_once('/'));
    let found = before.and_then(|(base, _)| SmpBase::new(base, policy).ok());
    let forms = [SmpForm::Peppol].into_iter().chain(SmpForm::PREFIXED);
    found.is_some_and(|found| forms.map(|form| form.base(base)).any(|own| own == found.as_str()))
}

fn decode(segment: &str) -> Option<String> {
    Some(percent_decode_str(segment).decode_utf8().ok()?.into_owned())
}

fn encode(segment: &str) -> String {
    utf8_percent_encode(segment, SEGMENT).to_string()
}
