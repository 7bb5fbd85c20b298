//! The documents of a Service Metadata Publisher (Peppol SMP 1.4.0): their addresses, the service
//! group and the signed service metadata, written as publisher and read as sender.

mod address;
pub mod bdxr;
mod business_card;
mod endpoint;
mod read;
mod refusal;
mod submitted;
mod write;

#[cfg(test)]
mod tests;

pub use address::{
    RequestRefusal, Resource, SmpForm, business_card_url, leads_to, request, request_of,
    service_group_url, service_metadata_path, service_metadata_url,
};
pub use business_card::{
    BUSINESS_CARD_NAMESPACE, BusinessCard, BusinessContact, BusinessEntity, BusinessIdentifier,
    BusinessName, business_card, read_business_card,
};
pub use endpoint::{UsableEndpoint, select, usable};
pub use read::{
    VerificationContext, VerifiedMetadata, inflate, is_page, read_redirected, read_service_group,
    read_service_metadata,
};
pub use refusal::{EndpointRefusal, PublishRefusal, SmpRefusal};
pub use submitted::{complete_group, group_list, submitted_group, submitted_metadata};
pub use write::{publishable, service_group, service_metadata, sign, unsigned_metadata};

use jiff::Timestamp;

use crate::identifiers::{DocumentTypeId, ParticipantId, ProcessId};

/// Namespace of service groups and service metadata.
pub const NAMESPACE: &str = "http://busdox.org/serviceMetadata/publishing/1.0/";
/// Namespace of endpoint addresses.
pub const ADDRESSING_NAMESPACE: &str = "http://www.w3.org/2005/08/addressing";
/// Largest SMP answer that is read, in bytes.
pub const ANSWER_LIMIT: usize = 1 << 20;

/// What a participant can receive: one reference per registered document type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceGroup {
    /// The participant.
    pub participant: ParticipantId,
    /// The registrations; patterns included.
    pub references: Vec<MetadataReference>,
}

/// A reference of a service group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetadataReference {
    /// Full address of the service metadata, as it stands in the document.
    pub href: String,
    /// The document type that the address names; `None` if it cannot be told.
    pub document_type: Option<DocumentTypeId>,
}

/// How a participant receives one document type: here, or at another SMP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceMetadata {
    /// Here.
    Information(ServiceInformation),
    /// At another SMP.
    Redirect(Redirect),
}

/// The processes and endpoints of one document type of a participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceInformation {
    /// The participant.
    pub participant: ParticipantId,
    /// The document type, or pattern, of the registration.
    pub document_type: DocumentTypeId,
    /// The processes.
    pub processes: Vec<ProcessEndpoints>,
}

/// A process and where its documents go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessEndpoints {
    /// The process.
    pub id: ProcessId,
    /// The endpoints, each with another transport profile.
    pub endpoints: Vec<Endpoint>,
}

/// An endpoint of an access point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Transport profile; today only `peppol-transport-as4-v2_0` is active.
    pub transport_profile: String,
    /// Address of the access point.
    pub address: String,
    /// Usable from this instant on; `None` for always.
    pub activation: Option<Timestamp>,
    /// Usable until this instant; `None` for always.
    pub expiration: Option<Timestamp>,
    /// The certificate of the receiving access point: the text of the element (Base64 of DER).
    pub certificate: String,
    /// What the service is, for people.
    pub description: String,
    /// Address or mail of a technical contact.
    pub technical_contact: String,
    /// Address of technical information.
    pub technical_information: Option<String>,
}

impl Endpoint {
    /// The first instant that an answer can name: its dates have no years before the first one.
    const FIRST: Timestamp = Timestamp::constant(-62_135_596_800, 0);

    /// From when it is usable as it is published: one that began before all dates always was.
    pub(crate) fn published_activation(&self) -> Option<Timestamp> {
        self.activation.filter(|from| *from >= Self::FIRST)
    }

    /// Until when it is usable, as it is published.
    pub(crate) fn published_expiration(&self) -> Option<Timestamp> {
        self.expiration.map(|until| until.max(Self::FIRST))
    }
}

/// A pointer to the record at another SMP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// Full address of the record there.
    pub href: String,
    /// Subject of the certificate that the other SMP signs with (RFC 2253).
    pub certificate_uid: String,
}
