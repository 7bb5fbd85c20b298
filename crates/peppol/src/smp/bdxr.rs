//! The same publications in the forms of OASIS: BDXR SMP 1.0, which is the Peppol form in another
//! namespace, and BDXR SMP 2.0, which orders them anew. Sources: OASIS Service Metadata Publishing
//! 1.0 (2017) and 2.0 (2021).

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_xml::write::{escape_attribute, escape_text};
use quoin_xmldsig::enveloped;
use quoin_xmldsig::keys::Signer;

use super::write::{BDXR_1, DECLARATION, element, publishable};
use super::{Endpoint, PublishRefusal, Redirect, ServiceInformation, ServiceMetadata};
use crate::identifiers::{DocumentTypeId, META_SCHEME, ParticipantId, ProcessId};
use crate::pki::Certificate;
use crate::sml::SmpBase;

/// Namespace of BDXR SMP 1.0.
pub const BDXR1_NAMESPACE: &str = "http://docs.oasis-open.org/bdxr/ns/SMP/2016/05";
/// What the namespaces of BDXR SMP 2.0 begin with; the names of its parts follow.
pub const BDXR2_NAMESPACES: &str = "http://docs.oasis-open.org/bdxr/ns/SMP/2/";
/// The value of `SMPVersionID` in version 2.0.
const VERSION: &str = "2.0";
/// The media type of a DER certificate.
const CERTIFICATE: &str = "application/pkix-cert";

/// The service group of BDXR SMP 1.0, which is not signed.
pub fn service_group_1(
    base: &SmpBase,
    participant: &ParticipantId,
    document_types: &[DocumentTypeId],
) -> String {
    BDXR_1.service_group(base, participant, document_types)
}

/// Service metadata of BDXR SMP 1.0 without its signature; [`super::sign`] completes it.
///
/// # Errors
/// [`PublishRefusal`] for metadata that may not be published.
pub fn service_metadata_1(metadata: &ServiceMetadata) -> Result<String, PublishRefusal> {
    BDXR_1.service_metadata(metadata)
}

/// The service group of BDXR SMP 2.0: document types with their processes, instead of addresses.
pub fn service_group_2(
    participant: &ParticipantId,
    services: &[(DocumentTypeId, Vec<ProcessId>)],
) -> String {
    let mut out = start("ServiceGroup");
    identifier(&mut out, "ParticipantID", META_SCHEME, participant.as_str());
    for (document_type, processes) in services {
        out.push_str("<sma:ServiceReference>");
        identifier(&mut out, "ID", document_type.scheme().as_str(), document_type.value());
        processes.iter().for_each(|id| process(&mut out, id));
        out.push_str("</sma:ServiceReference>");
    }
    out.push_str("</smp:ServiceGroup>");
    out
}

/// Service metadata of BDXR SMP 2.0 without its signature; [`sign_2`] completes it.
///
/// # Errors
/// [`PublishRefusal`] for metadata that may not be published.
pub fn service_metadata_2(
    participant: &ParticipantId,
    document_type: &DocumentTypeId,
    metadata: &ServiceMetadata,
) -> Result<String, PublishRefusal> {
    let mut out = start("ServiceMetadata");
    identifier(&mut out, "ID", document_type.scheme().as_str(), document_type.value());
    identifier(&mut out, "ParticipantID", META_SCHEME, participant.as_str());
    match metadata {
        ServiceMetadata::Redirect(redirect) => redirected(&mut out, redirect),
        ServiceMetadata::Information(information) => {
            publishable(information)?;
            processes(&mut out, information);
        }
    }
    out.push_str("</smp:ServiceMetadata>");
    Ok(out)
}

/// Signs a document of BDXR SMP 2.0 with the key of the SMP certificate.
///
/// # Errors
/// [`PublishRefusal::Sign`] if the key fails.
pub fn sign_2(
    document: &str,
    signer: &dyn Signer,
    certificate: &Certificate,
) -> Result<String, PublishRefusal> {
    Ok(enveloped::sign_c14n_11(document, signer, certificate.der())?)
}

fn start(root: &str) -> String {
    format!(
        "{DECLARATION}<smp:{root} xmlns:smp=\"{BDXR2_NAMESPACES}{root}\" \
         xmlns:sma=\"{BDXR2_NAMESPACES}AggregateComponents\" \
         xmlns:smb=\"{BDXR2_NAMESPACES}BasicComponents\">\
         <smb:SMPVersionID>{VERSION}</smb:SMPVersionID>"
    )
}

fn identifier(out: &mut String, name: &str, scheme: &str, value: &str) {
    out.push_str(&format!("<smb:{name} schemeID=\""));
    escape_attribute(scheme, out);
    out.push_str("\">");
    escape_text(value, out);
    out.push_str(&format!("</smb:{name}>"));
}

fn process(out: &mut String, id: &ProcessId) {
    out.push_str("<sma:Process>");
    identifier(out, "ID", id.scheme(), id.value());
    out.push_str("</sma:Process>");
}

/// The base address of the other SMP: what comes before the path of the record.
fn redirected(out: &mut String, redirect: &Redirect) {
    let record = redirect.href.rsplit_once("/services/").map_or(&*redirect.href, |(it, _)| it);
    let base = record.rsplit_once('/').map_or(record, |(base, _)| base);
    out.push_str("<sma:ProcessMetadata><sma:Redirect>");
    element(out, "smb:PublisherURI", base);
    out.push_str("</sma:Redirect></sma:ProcessMetadata>");
}

fn processes(out: &mut String, information: &ServiceInformation) {
    for each in &information.processes {
        out.push_str("<sma:ProcessMetadata>");
        process(out, &each.id);
        each.endpoints.iter().for_each(|each| endpoint(out, each));
        out.push_str("</sma:ProcessMetadata>");
    }
}

fn endpoint(out: &mut String, endpoint: &Endpoint) {
    let day = |at: Timestamp| at.to_zoned(TimeZone::UTC).date().to_string();
    out.push_str("<sma:Endpoint>");
    element(out, "smb:TransportProfileID", &endpoint.transport_profile);
    element(out, "smb:Description", &endpoint.description);
    element(out, "smb:Contact", &endpoint.technical_contact);
    element(out, "smb:AddressURI", &endpoint.address);
    if let Some(from) = endpoint.published_activation() {
        element(out, "smb:ActivationDate", &day(from));
    }
    if let Some(until) = endpoint.published_expiration() {
        element(out, "smb:ExpirationDate", &day(until));
    }
    out.push_str(&format!("<sma:Certificate><smb:ContentBinaryObject mimeCode=\"{CERTIFICATE}\">"));
    escape_text(&endpoint.certificate, out);
    out.push_str("</smb:ContentBinaryObject></sma:Certificate></sma:Endpoint>");
}
