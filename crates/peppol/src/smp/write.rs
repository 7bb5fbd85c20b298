//! Writing what an SMP publishes. The text is written once, with every namespace declared on the
//! root, because the signature covers it as it stands.

use quoin_xml::enveloped;
use quoin_xml::keys::Signer;
use quoin_xml::write::{escape_attribute, escape_text};

use super::address::service_metadata_url;
use super::{
    ADDRESSING_NAMESPACE, Endpoint, IDENTIFIERS_NAMESPACE, NAMESPACE, PublishRefusal,
    ServiceInformation, ServiceMetadata,
};
use crate::identifiers::{DocumentTypeId, META_SCHEME, ParticipantId};
use crate::pki::Certificate;
use crate::sml::SmpBase;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The service group of a participant, unsigned as the specification has it.
///
/// `document_types` are the registrations that have an endpoint or a redirect. An empty group is
/// legal: a participant that only sends.
pub fn service_group(
    base: &SmpBase,
    participant: &ParticipantId,
    document_types: &[DocumentTypeId],
) -> String {
    let mut out = format!(
        "{DECLARATION}<smp:ServiceGroup xmlns:smp=\"{NAMESPACE}\" \
         xmlns:ids=\"{IDENTIFIERS_NAMESPACE}\">"
    );
    identifier(&mut out, "ids:ParticipantIdentifier", META_SCHEME, participant.as_str());
    out.push_str("<smp:ServiceMetadataReferenceCollection>");
    for document_type in document_types {
        out.push_str("<smp:ServiceMetadataReference href=\"");
        escape_attribute(&service_metadata_url(base, participant, document_type), &mut out);
        out.push_str("\"/>");
    }
    out.push_str("</smp:ServiceMetadataReferenceCollection></smp:ServiceGroup>");
    out
}

/// Service metadata without its signature: a `SignedServiceMetadata` that [`sign`] completes.
///
/// # Errors
/// [`PublishRefusal`] for metadata that SMP 1.4.0 does not allow to publish.
pub fn service_metadata(metadata: &ServiceMetadata) -> Result<String, PublishRefusal> {
    let mut out = format!(
        "{DECLARATION}<smp:SignedServiceMetadata xmlns:smp=\"{NAMESPACE}\" \
         xmlns:ids=\"{IDENTIFIERS_NAMESPACE}\" xmlns:wsa=\"{ADDRESSING_NAMESPACE}\">\
         <smp:ServiceMetadata>"
    );
    match metadata {
        ServiceMetadata::Redirect(redirect) => {
            out.push_str("<smp:Redirect href=\"");
            escape_attribute(&redirect.href, &mut out);
            out.push_str("\">");
            element(&mut out, "smp:CertificateUID", &redirect.certificate_uid);
            out.push_str("</smp:Redirect>");
        }
        ServiceMetadata::Information(information) => service_information(&mut out, information)?,
    }
    out.push_str("</smp:ServiceMetadata></smp:SignedServiceMetadata>");
    Ok(out)
}

/// Signs what [`service_metadata`] wrote, with the key of the SMP certificate (SMP 1.4.0, 5.5). The
/// result is served byte by byte as it is.
///
/// # Errors
/// [`PublishRefusal::Sign`] if the key fails.
pub fn sign(
    metadata: &str,
    signer: &dyn Signer,
    certificate: &Certificate,
) -> Result<String, PublishRefusal> {
    Ok(enveloped::sign(metadata, signer, certificate.der())?)
}

fn service_information(
    out: &mut String,
    information: &ServiceInformation,
) -> Result<(), PublishRefusal> {
    if information.processes.is_empty() {
        return Err(PublishRefusal::Nothing);
    }
    out.push_str("<smp:ServiceInformation>");
    let (participant, document_type) = (&information.participant, &information.document_type);
    identifier(out, "ids:ParticipantIdentifier", META_SCHEME, participant.as_str());
    let scheme = document_type.scheme();
    identifier(out, "ids:DocumentIdentifier", scheme.as_str(), document_type.value());
    out.push_str("<smp:ProcessList>");
    for process in &information.processes {
        if process.endpoints.is_empty() {
            return Err(PublishRefusal::Nothing);
        }
        out.push_str("<smp:Process>");
        identifier(out, "ids:ProcessIdentifier", process.id.scheme(), process.id.value());
        out.push_str("<smp:ServiceEndpointList>");
        for (index, each) in process.endpoints.iter().enumerate() {
            let before = process.endpoints.iter().take(index);
            if before.into_iter().any(|other| other.transport_profile == each.transport_profile) {
                return Err(PublishRefusal::TwoEndpoints {
                    process: process.id.to_string(),
                    profile: each.transport_profile.clone(),
                });
            }
            endpoint(out, each);
        }
        out.push_str("</smp:ServiceEndpointList></smp:Process>");
    }
    out.push_str("</smp:ProcessList></smp:ServiceInformation>");
    Ok(())
}

fn endpoint(out: &mut String, endpoint: &Endpoint) {
    out.push_str("<smp:Endpoint transportProfile=\"");
    escape_attribute(&endpoint.transport_profile, out);
    out.push_str("\"><wsa:EndpointReference>");
    element(out, "wsa:Address", &endpoint.address);
    out.push_str("</wsa:EndpointReference>");
    element(out, "smp:RequireBusinessLevelSignature", "false");
    if let Some(from) = endpoint.activation {
        element(out, "smp:ServiceActivationDate", &from.to_string());
    }
    if let Some(until) = endpoint.expiration {
        element(out, "smp:ServiceExpirationDate", &until.to_string());
    }
    element(out, "smp:Certificate", &endpoint.certificate);
    element(out, "smp:ServiceDescription", &endpoint.description);
    element(out, "smp:TechnicalContactUrl", &endpoint.technical_contact);
    if let Some(url) = &endpoint.technical_information {
        element(out, "smp:TechnicalInformationUrl", url);
    }
    out.push_str("</smp:Endpoint>");
}

fn identifier(out: &mut String, name: &str, scheme: &str, value: &str) {
    out.push_str(&format!("<{name} scheme=\""));
    escape_attribute(scheme, out);
    out.push_str("\">");
    escape_text(value, out);
    out.push_str(&format!("</{name}>"));
}

fn element(out: &mut String, name: &str, text: &str) {
    out.push_str(&format!("<{name}>"));
    escape_text(text, out);
    out.push_str(&format!("</{name}>"));
}
