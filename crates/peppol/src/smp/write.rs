//! Writing what an SMP publishes. The text is written once, with every namespace declared on the
//! root, because the signature covers it as it stands.

use quoin_xml::write::{escape_attribute, escape_text};
use quoin_xmldsig::enveloped;
use quoin_xmldsig::keys::Signer;

use super::address::{SmpForm, service_metadata_path};
use super::bdxr::BDXR1_NAMESPACE;
use super::{Endpoint, NAMESPACE, PublishRefusal, ServiceInformation, ServiceMetadata};
use crate::identifiers::{DocumentTypeId, META_SCHEME, ParticipantId};
use crate::pki::Certificate;
use crate::sml::SmpBase;

pub(super) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// How a version of the specification writes the same model.
#[derive(Debug, Clone, Copy)]
pub(super) struct SmpDialect {
    form: SmpForm,
    /// Declarations of the root, besides that of the prefix `smp`.
    namespaces: &'static str,
    /// Namespace of the prefix `smp`.
    namespace: &'static str,
    /// Prefix of identifiers.
    ids: &'static str,
    /// What is around the address of an endpoint.
    address: [&'static str; 2],
}

/// Peppol SMP 1.4.0.
pub(super) const PEPPOL: SmpDialect = SmpDialect {
    form: SmpForm::Peppol,
    namespaces: concat!(
        " xmlns:ids=\"http://busdox.org/transport/identifiers/1.0/\"",
        " xmlns:wsa=\"http://www.w3.org/2005/08/addressing\""
    ),
    namespace: NAMESPACE,
    ids: "ids",
    address: ["<wsa:EndpointReference><wsa:Address>", "</wsa:Address></wsa:EndpointReference>"],
};

/// OASIS BDXR SMP 1.0.
pub(super) const BDXR_1: SmpDialect = SmpDialect {
    form: SmpForm::Bdxr1,
    namespaces: "",
    namespace: BDXR1_NAMESPACE,
    ids: "smp",
    address: ["<smp:EndpointURI>", "</smp:EndpointURI>"],
};

/// The service group of a participant, unsigned as the specification has it.
///
/// `document_types` are the registrations that have an endpoint or a redirect. An empty group is
/// legal: a participant that only sends.
pub fn service_group(
    base: &SmpBase,
    participant: &ParticipantId,
    document_types: &[DocumentTypeId],
) -> String {
    PEPPOL.service_group(base, participant, document_types)
}

/// Service metadata without its signature: a `SignedServiceMetadata` that [`sign`] completes.
///
/// # Errors
/// [`PublishRefusal`] for metadata that SMP 1.4.0 does not allow to publish.
pub fn service_metadata(metadata: &ServiceMetadata) -> Result<String, PublishRefusal> {
    PEPPOL.service_metadata(metadata)
}

/// Service metadata as it is submitted: a `ServiceMetadata`, which nobody signs.
///
/// # Errors
/// As [`service_metadata`].
pub fn unsigned_metadata(metadata: &ServiceMetadata) -> Result<String, PublishRefusal> {
    let mut out = PEPPOL.start("ServiceMetadata");
    PEPPOL.metadata_content(&mut out, metadata)?;
    out.push_str("</smp:ServiceMetadata>");
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

/// Sees that every process is there once and has an endpoint, and no two of one transport (SMP
/// 1.4.0, section 2.2).
///
/// # Errors
/// [`PublishRefusal`].
pub fn publishable(information: &ServiceInformation) -> Result<(), PublishRefusal> {
    let processes = &information.processes;
    if processes.is_empty() || processes.iter().any(|process| process.endpoints.is_empty()) {
        return Err(PublishRefusal::Nothing);
    }
    for (index, process) in processes.iter().enumerate() {
        if processes.iter().take(index).any(|other| other.id == process.id) {
            return Err(PublishRefusal::TwoProcesses { process: process.id.to_string() });
        }
        for (index, each) in process.endpoints.iter().enumerate() {
            let mut before = process.endpoints.iter().take(index);
            if before.any(|other| other.transport_profile == each.transport_profile) {
                return Err(PublishRefusal::TwoEndpoints {
                    process: process.id.to_string(),
                    profile: each.transport_profile.clone(),
                });
            }
        }
    }
    Ok(())
}

impl SmpDialect {
    pub(super) fn start(&self, root: &str) -> String {
        let SmpDialect { namespace, namespaces, .. } = self;
        format!("{DECLARATION}<smp:{root} xmlns:smp=\"{namespace}\"{namespaces}>")
    }

    pub(super) fn service_group(
        &self,
        base: &SmpBase,
        participant: &ParticipantId,
        document_types: &[DocumentTypeId],
    ) -> String {
        let mut out = self.start("ServiceGroup");
        self.group(&mut out, base, participant, document_types);
        out.push_str("</smp:ServiceGroup>");
        out
    }

    /// What is in a `ServiceGroup`.
    pub(super) fn group(
        &self,
        out: &mut String,
        base: &SmpBase,
        participant: &ParticipantId,
        document_types: &[DocumentTypeId],
    ) {
        self.identifier(out, "ParticipantIdentifier", META_SCHEME, participant.as_str());
        out.push_str("<smp:ServiceMetadataReferenceCollection>");
        let base = self.form.base(base);
        for document_type in document_types {
            out.push_str("<smp:ServiceMetadataReference href=\"");
            let path = service_metadata_path(participant, document_type);
            escape_attribute(&format!("{base}{path}"), out);
            out.push_str("\"/>");
        }
        out.push_str("</smp:ServiceMetadataReferenceCollection>");
    }

    pub(super) fn service_metadata(
        &self,
        metadata: &ServiceMetadata,
    ) -> Result<String, PublishRefusal> {
        let mut out = self.start("SignedServiceMetadata");
        self.metadata(&mut out, metadata)?;
        out.push_str("</smp:SignedServiceMetadata>");
        Ok(out)
    }

    /// The element `ServiceMetadata` below a root of this dialect.
    pub(super) fn metadata(
        &self,
        out: &mut String,
        metadata: &ServiceMetadata,
    ) -> Result<(), PublishRefusal> {
        out.push_str("<smp:ServiceMetadata>");
        self.metadata_content(out, metadata)?;
        out.push_str("</smp:ServiceMetadata>");
        Ok(())
    }

    /// What is in a `ServiceMetadata`.
    fn metadata_content(
        &self,
        out: &mut String,
        metadata: &ServiceMetadata,
    ) -> Result<(), PublishRefusal> {
        match metadata {
            ServiceMetadata::Redirect(redirect) => {
                out.push_str("<smp:Redirect href=\"");
                escape_attribute(&redirect.href, out);
                out.push_str("\">");
                element(out, "smp:CertificateUID", &redirect.certificate_uid);
                out.push_str("</smp:Redirect>");
            }
            ServiceMetadata::Information(information) => {
                publishable(information)?;
                self.information(out, information);
            }
        }
        Ok(())
    }

    fn information(&self, out: &mut String, information: &ServiceInformation) {
        out.push_str("<smp:ServiceInformation>");
        let (participant, document_type) = (&information.participant, &information.document_type);
        self.identifier(out, "ParticipantIdentifier", META_SCHEME, participant.as_str());
        let scheme = document_type.scheme().as_str();
        self.identifier(out, "DocumentIdentifier", scheme, document_type.value());
        out.push_str("<smp:ProcessList>");
        for process in &information.processes {
            out.push_str("<smp:Process>");
            self.identifier(out, "ProcessIdentifier", process.id.scheme(), process.id.value());
            out.push_str("<smp:ServiceEndpointList>");
            process.endpoints.iter().for_each(|each| self.endpoint(out, each));
            out.push_str("</smp:ServiceEndpointList></smp:Process>");
        }
        out.push_str("</smp:ProcessList></smp:ServiceInformation>");
    }

    fn endpoint(&self, out: &mut String, endpoint: &Endpoint) {
        out.push_str("<smp:Endpoint transportProfile=\"");
        escape_attribute(&endpoint.transport_profile, out);
        out.push_str("\">");
        let [before, after] = self.address;
        out.push_str(before);
        escape_text(&endpoint.address, out);
        out.push_str(after);
        element(out, "smp:RequireBusinessLevelSignature", "false");
        if let Some(from) = endpoint.published_activation() {
            element(out, "smp:ServiceActivationDate", &from.to_string());
        }
        if let Some(until) = endpoint.published_expiration() {
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

    fn identifier(&self, out: &mut String, name: &str, scheme: &str, value: &str) {
        let ids = self.ids;
        out.push_str(&format!("<{ids}:{name} scheme=\""));
        escape_attribute(scheme, out);
        out.push_str("\">");
        escape_text(value, out);
        out.push_str(&format!("</{ids}:{name}>"));
    }
}

pub(super) fn element(out: &mut String, name: &str, text: &str) {
    out.push_str(&format!("<{name}>"));
    escape_text(text, out);
    out.push_str(&format!("</{name}>"));
}
