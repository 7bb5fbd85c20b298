//! Reading SMP answers, in the order that keeps a sender safe: structure, signature profile and
//! signer, and only then what the answer says (SMP 1.4.0, 5.5).

use std::io::Read;

use flate2::bufread::MultiGzDecoder;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use quoin_xml::tree::{Document, Element, Limits};
use quoin_xmldsig::enveloped;

use super::address::document_type_of;
use super::{
    ADDRESSING_NAMESPACE, ANSWER_LIMIT, Endpoint, MetadataReference, NAMESPACE, ProcessEndpoints,
    Redirect, ServiceGroup, ServiceInformation, ServiceMetadata, SmpRefusal,
};
use crate::identifiers::{
    DocumentTypeId, DocumentTypeScheme, IDENTIFIERS_NAMESPACE, ParticipantId, ProcessId,
    TransportProfile,
};
use crate::instant::instant;
use crate::pki::{
    Certificate, CertificateRole, DistinguishedName, PkiRefusal, RevocationPolicy, Revocations,
    Trust, Trusted,
};
use crate::sml::{UriPolicy, check_https};

/// In how many bytes a page says that it is one.
const PAGE_START: usize = 512;

/// Everything a verification depends on besides the answer.
#[derive(Debug, Clone, Copy)]
pub struct VerificationContext<'a> {
    /// The authorities of our stage.
    pub trust: &'a Trust,
    /// What is known about revocation.
    pub revocations: &'a Revocations,
    /// What happens when nothing is known.
    pub policy: RevocationPolicy,
    /// Which addresses are acceptable.
    pub uris: UriPolicy,
    /// The instant of the check.
    pub now: Timestamp,
}

/// A service metadata answer that was verified, and who signed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedMetadata {
    /// What it says.
    pub metadata: ServiceMetadata,
    /// The SMP that said it.
    pub signer: Trusted,
}

/// Reads a service group. It is not signed, so it only helps to choose what to ask for next.
///
/// # Errors
/// [`SmpRefusal`], also where the group is of another participant than `asked`.
pub fn read_service_group(bytes: &[u8], asked: &ParticipantId) -> Result<ServiceGroup, SmpRefusal> {
    let document = parse_answer(bytes)?;
    let root = document.root();
    expect_root(root, "ServiceGroup")?;
    let participant = participant(root)?;
    same_participant(&participant, asked)?;
    let references = root
        .child(NAMESPACE, "ServiceMetadataReferenceCollection")
        .into_iter()
        .flat_map(|all| all.children_named(NAMESPACE, "ServiceMetadataReference"))
        .filter_map(|reference| reference.attribute("href"))
        .map(|href| MetadataReference {
            href: href.to_owned(),
            document_type: document_type_of(href),
        })
        .collect();
    Ok(ServiceGroup { participant, references })
}

/// Reads and verifies service metadata that was asked for with these identifiers.
///
/// # Errors
/// [`SmpRefusal`] with the first thing that does not hold: structure, signature, signer, or an
/// answer about something else (participants compare without case, document types with case).
pub fn read_service_metadata(
    bytes: &[u8],
    participant: &ParticipantId,
    document_type: &DocumentTypeId,
    verification: &VerificationContext<'_>,
) -> Result<VerifiedMetadata, SmpRefusal> {
    let document = parse_answer(bytes)?;
    let root = document.root();
    expect_root(root, "SignedServiceMetadata")?;
    let certificate = enveloped::verify(&document)?;
    let certificate = Certificate::from_der(&certificate).map_err(PkiRefusal::from)?;
    let VerificationContext { trust, revocations, policy, now, .. } = *verification;
    let signer = trust.check(&certificate, CertificateRole::Smp, now, revocations, policy)?;
    let metadata = only(root, "ServiceMetadata")?;
    let metadata = match metadata.child(NAMESPACE, "Redirect") {
        Some(redirect) => {
            let redirect = read_redirect(redirect)?;
            check_https(&redirect.href, verification.uris).map_err(SmpRefusal::RedirectAddress)?;
            ServiceMetadata::Redirect(redirect)
        }
        None => {
            let information = read_information(only(metadata, "ServiceInformation")?, published)?;
            same_participant(&information.participant, participant)?;
            if information.document_type != *document_type {
                return Err(SmpRefusal::OtherSubject {
                    what: "document type",
                    found: information.document_type.to_string(),
                    asked: document_type.to_string(),
                });
            }
            ServiceMetadata::Information(information)
        }
    };
    Ok(VerifiedMetadata { metadata, signer })
}

/// Reads and verifies the record that a redirect led to: everything that
/// [`read_service_metadata`] checks, no second redirect, and the signer that was announced.
///
/// # Errors
/// [`SmpRefusal`].
pub fn read_redirected(
    bytes: &[u8],
    participant: &ParticipantId,
    document_type: &DocumentTypeId,
    redirect: &Redirect,
    verification: &VerificationContext<'_>,
) -> Result<(ServiceInformation, Trusted), SmpRefusal> {
    let answer = read_service_metadata(bytes, participant, document_type, verification)?;
    let subject = answer.signer.certificate().subject();
    if DistinguishedName::parse(&redirect.certificate_uid).as_ref() != Some(subject) {
        return Err(SmpRefusal::OtherSigner {
            found: subject.to_string(),
            announced: redirect.certificate_uid.clone(),
        });
    }
    match answer.metadata {
        ServiceMetadata::Information(information) => Ok((information, answer.signer)),
        ServiceMetadata::Redirect(_) => Err(SmpRefusal::SecondRedirect),
    }
}

/// Whether an answer is a page for people, as servers show it that are not well. Metadata are none,
/// whatever they are called: their signature decides.
pub fn is_page(content_type: Option<&[u8]>, answer: &[u8]) -> bool {
    let start = answer.get(..PAGE_START).unwrap_or(answer).to_ascii_lowercase();
    let has = |mark: &[u8]| start.windows(mark.len()).any(|part| part == mark);
    let called = content_type.unwrap_or_default().to_ascii_lowercase();
    let called = [&b"text/html"[..], b"application/xhtml"].iter().any(|k| called.starts_with(k));
    let answers = has(b"servicemetadata") || has(b"servicegroup");
    has(b"<html") || has(b"<!doctype html") || (called && !answers)
}

/// An answer that its server compressed with gzip, though nobody asked for it (RFC 9110, 12.5.3).
///
/// # Errors
/// In words: it is no gzip, or larger than [`ANSWER_LIMIT`](super::ANSWER_LIMIT).
pub fn inflate(packed: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut decoder = MultiGzDecoder::new(packed).take(ANSWER_LIMIT as u64 + 1);
    decoder.read_to_end(&mut out).map_err(|error| format!("an answer that is no gzip: {error}"))?;
    match out.len() > ANSWER_LIMIT {
        true => Err(format!("an answer of more than {ANSWER_LIMIT} bytes once unpacked")),
        false => Ok(out),
    }
}

/// Reads an answer, which is in UTF-8 (SMP 1.4.0, section 5.2).
fn parse_answer(bytes: &[u8]) -> Result<Document, SmpRefusal> {
    let refused = |found: &str| Err(SmpRefusal::Encoding { found: found.to_owned() });
    if bytes.starts_with(&[0xFE, 0xFF]) || bytes.starts_with(&[0xFF, 0xFE]) {
        return refused("UTF-16");
    }
    let document = parse(bytes)?;
    match declared_encoding(bytes) {
        Some(name) if !["utf-8", "utf8", "us-ascii"].contains(&&*name.to_ascii_lowercase()) => {
            refused(name)
        }
        _ => Ok(document),
    }
}

/// The encoding that the XML declaration of a document names, which is known to be well-formed.
fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
    let rest = bytes.strip_prefix(b"<?xml")?;
    let end = rest.windows(2).position(|two| two == b"?>")?;
    let declaration = std::str::from_utf8(rest.get(..end)?).ok()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    value.get(1..)?.split(quote).next()
}

pub(super) fn parse(bytes: &[u8]) -> Result<Document, SmpRefusal> {
    let limits = Limits { bytes: ANSWER_LIMIT, ..Limits::default() };
    Ok(Document::parse(bytes, &limits)?)
}

pub(super) fn expect_root(root: Element<'_>, expected: &'static str) -> Result<(), SmpRefusal> {
    if root.is(NAMESPACE, expected) {
        return Ok(());
    }
    Err(SmpRefusal::Root { found: root.qualified_name().into_owned(), expected })
}

/// The child of the SMP namespace that must be there exactly once: a second one is how a signature
/// is made to cover one thing and a reader to see another.
pub(super) fn only<'d>(
    parent: Element<'d>,
    local: &'static str,
) -> Result<Element<'d>, SmpRefusal> {
    let mut found = parent.children_named(NAMESPACE, local);
    let first = found.next().ok_or(SmpRefusal::Missing { element: local })?;
    match found.next() {
        None => Ok(first),
        Some(_) => Err(SmpRefusal::Value {
            element: local,
            found: "there twice".to_owned(),
            expected: "exactly one",
        }),
    }
}

pub(super) fn participant(parent: Element<'_>) -> Result<ParticipantId, SmpRefusal> {
    const ELEMENT: &str = "ParticipantIdentifier";
    let element = parent
        .child(IDENTIFIERS_NAMESPACE, ELEMENT)
        .ok_or(SmpRefusal::Missing { element: ELEMENT })?;
    let scheme = element.attribute("scheme").unwrap_or_default();
    format!("{scheme}::{}", element.text().trim())
        .parse()
        .map_err(|error| SmpRefusal::Identifier { element: ELEMENT, error })
}

fn same_participant(found: &ParticipantId, asked: &ParticipantId) -> Result<(), SmpRefusal> {
    if found == asked {
        return Ok(());
    }
    let (found, asked) = (found.to_string(), asked.to_string());
    Err(SmpRefusal::OtherSubject { what: "participant", found, asked })
}

pub(super) fn read_redirect(redirect: Element<'_>) -> Result<Redirect, SmpRefusal> {
    let href =
        redirect.attribute("href").ok_or(SmpRefusal::Missing { element: "Redirect/@href" })?;
    let uid = only(redirect, "CertificateUID")?.text();
    Ok(Redirect { href: href.trim().to_owned(), certificate_uid: uid.trim().to_owned() })
}

pub(super) fn read_information(
    information: Element<'_>,
    endpoint: EndpointReader,
) -> Result<ServiceInformation, SmpRefusal> {
    const DOCUMENT: &str = "DocumentIdentifier";
    let refuse = |error| SmpRefusal::Identifier { element: DOCUMENT, error };
    let participant = participant(information)?;
    let id = information
        .child(IDENTIFIERS_NAMESPACE, DOCUMENT)
        .ok_or(SmpRefusal::Missing { element: DOCUMENT })?;
    let scheme: DocumentTypeScheme =
        id.attribute("scheme").unwrap_or_default().parse().map_err(refuse)?;
    let document_type = DocumentTypeId::new(scheme, id.text().trim()).map_err(refuse)?;
    let processes = only(information, "ProcessList")?
        .children_named(NAMESPACE, "Process")
        .filter_map(|process| read_process(process, endpoint).transpose())
        .collect::<Result<_, _>>()?;
    Ok(ServiceInformation { participant, document_type, processes })
}

/// A process; `None` for one whose identifier is none, because it cannot be the one asked for.
fn read_process(
    process: Element<'_>,
    endpoint: EndpointReader,
) -> Result<Option<ProcessEndpoints>, SmpRefusal> {
    const PROCESS: &str = "ProcessIdentifier";
    let id = process
        .child(IDENTIFIERS_NAMESPACE, PROCESS)
        .ok_or(SmpRefusal::Missing { element: PROCESS })?;
    let scheme = id.attribute("scheme").unwrap_or(ProcessId::SCHEME);
    let Ok(id) = ProcessId::new(scheme, id.text().trim()) else { return Ok(None) };
    let endpoints = process
        .children_named(NAMESPACE, "ServiceEndpointList")
        .flat_map(|list| list.children_named(NAMESPACE, "Endpoint"))
        .filter_map(|found| endpoint(found).transpose())
        .collect::<Result<_, _>>()?;
    Ok(Some(ProcessEndpoints { id, endpoints }))
}

/// How an endpoint is read; `None` for one that is passed over.
pub(super) type EndpointReader = fn(Element<'_>) -> Result<Option<Endpoint>, SmpRefusal>;

/// An endpoint that another SMP publishes. One of another transport that cannot be read would not
/// be used either, and spoils nothing.
fn published(endpoint: Element<'_>) -> Result<Option<Endpoint>, SmpRefusal> {
    match read_endpoint(endpoint) {
        Err(_) if endpoint.attribute("transportProfile") != Some(TransportProfile::AS4) => Ok(None),
        read => read.map(Some),
    }
}

/// An endpoint that is to be published here: every one can be read.
pub(super) fn submitted(endpoint: Element<'_>) -> Result<Option<Endpoint>, SmpRefusal> {
    read_endpoint(endpoint).map(Some)
}

fn read_endpoint(endpoint: Element<'_>) -> Result<Endpoint, SmpRefusal> {
    let text =
        |local| endpoint.child(NAMESPACE, local).map(|element| element.text().trim().to_owned());
    let address = endpoint
        .child(ADDRESSING_NAMESPACE, "EndpointReference")
        .and_then(|reference| reference.child(ADDRESSING_NAMESPACE, "Address"))
        .ok_or(SmpRefusal::Missing { element: "EndpointReference/Address" })?;
    Ok(Endpoint {
        transport_profile: endpoint.attribute("transportProfile").unwrap_or_default().to_owned(),
        address: address.text().trim().to_owned(),
        activation: date("ServiceActivationDate", text("ServiceActivationDate"))?,
        expiration: date("ServiceExpirationDate", text("ServiceExpirationDate"))?,
        certificate: text("Certificate").unwrap_or_default(),
        description: text("ServiceDescription").unwrap_or_default(),
        technical_contact: text("TechnicalContactUrl").unwrap_or_default(),
        technical_information: text("TechnicalInformationUrl"),
    })
}

/// An `xs:dateTime`; one without a zone, which occurs in the network, is taken as UTC, and what is
/// no `xs:dateTime` but can only mean one instant as that.
fn date(element: &'static str, text: Option<String>) -> Result<Option<Timestamp>, SmpRefusal> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    let zoned = || text.parse::<Timestamp>().ok();
    let local = || {
        let local: DateTime = text.parse().ok()?;
        Some(local.to_zoned(TimeZone::UTC).ok()?.timestamp())
    };
    match instant(&text).or_else(zoned).or_else(local) {
        Some(instant) => Ok(Some(instant)),
        None => Err(SmpRefusal::Value {
            element,
            found: text,
            expected: "a date and time (xs:dateTime)",
        }),
    }
}
