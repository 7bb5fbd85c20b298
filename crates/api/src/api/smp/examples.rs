//! What the records of an SMP look like, for the description of the interface: written by what
//! writes the real ones. Each is empty where it could not be written, which a test would show.

use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sml::{SmpBase, UriPolicy};
use quoin_peppol::smp::{
    self, BusinessCard, BusinessEntity, BusinessName, Endpoint, ProcessEndpoints,
    ServiceInformation, ServiceMetadata, service_metadata_path,
};

#[cfg(test)]
use crate::api::paths::{BILLING, BILLING_PROCESS, CERTIFICATE};

/// What the examples are about.
struct ExampleSubject {
    base: SmpBase,
    participant: ParticipantId,
    document_type: DocumentTypeId,
    process: ProcessId,
}

impl ExampleSubject {
    fn new() -> Option<ExampleSubject> {
        Some(ExampleSubject {
            base: SmpBase::new("https://smp.example.org", UriPolicy::default()).ok()?,
            participant: "0106:12345678".parse().ok()?,
            document_type: BILLING.parse().ok()?,
            process: BILLING_PROCESS.parse().ok()?,
        })
    }

    fn metadata(&self) -> ServiceMetadata {
        let endpoint = Endpoint {
            transport_profile: "peppol-transport-as4-v2_0".to_owned(),
            address: "https://ap.example.org/as4".to_owned(),
            activation: None,
            expiration: None,
            certificate: CERTIFICATE.to_owned(),
            description: "Access point of Example".to_owned(),
            technical_contact: "mailto:tech@example.org".to_owned(),
            technical_information: None,
        };
        ServiceMetadata::Information(ServiceInformation {
            participant: self.participant.clone(),
            document_type: self.document_type.clone(),
            processes: vec![ProcessEndpoints {
                id: self.process.clone(),
                endpoints: vec![endpoint],
            }],
        })
    }
}

fn written(write: impl FnOnce(ExampleSubject) -> Option<String>) -> String {
    ExampleSubject::new().and_then(write).unwrap_or_default()
}

/// The list of the groups of an organisation.
pub(super) fn list() -> String {
    written(|subject| Some(smp::group_list(&subject.base, &[subject.participant])))
}

/// A group of one document type.
pub(super) fn group() -> String {
    written(|s| Some(smp::service_group(&s.base, &s.participant, &[s.document_type])))
}

/// The same group with its record.
pub(super) fn complete() -> String {
    written(|subject| {
        let records = [(subject.document_type.clone(), subject.metadata())];
        smp::complete_group(&subject.base, &subject.participant, &records).ok()
    })
}

/// The record of a document type.
pub(super) fn record() -> String {
    written(|subject| smp::unsigned_metadata(&subject.metadata()).ok())
}

/// A record that leads to another SMP, as it is submitted.
pub(super) fn redirect() -> String {
    written(|subject| {
        let path = service_metadata_path(&subject.participant, &subject.document_type);
        Some(format!(
            "<smp:ServiceMetadata xmlns:smp=\"{}\"><smp:Redirect href=\"https://other.example.org\
             {path}\"><smp:CertificateUID>CN=PSG000001,O=Other,C=SG</smp:CertificateUID>\
             </smp:Redirect></smp:ServiceMetadata>",
            smp::NAMESPACE
        ))
    })
}

/// A business card.
pub(super) fn card() -> String {
    written(|subject| {
        let entity = BusinessEntity {
            names: vec![BusinessName { text: "Acme BV".to_owned(), language: None }],
            country: "NL".to_owned(),
            geographical_information: Some("Main Street 1, 1000 AA Amsterdam".to_owned()),
            ..BusinessEntity::default()
        };
        let card = BusinessCard { participant: subject.participant, entities: vec![entity] };
        Some(smp::business_card(&card))
    })
}

#[cfg(test)]
mod tests {
    use quoin_formats::structure_tables;
    use quoin_peppol::smp::submitted_metadata;
    use quoin_xml::tree::{Document, Limits};

    use super::*;

    /// That a document is whole, and valid where its schema is known.
    fn whole(text: &str, root: &str, schema: bool) {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let element = document.root();
        assert_eq!(element.local(), root);
        assert!(!text.contains('…') && !text.contains("..."), "{text}");
        let known = structure_tables::find(element.namespace(), element.local(), None);
        let known = known.and_then(|structure| structure.schema());
        assert_eq!(known.is_some(), schema, "{root}");
        if let Some(known) = known {
            assert_eq!(known.validate(element).violations, [], "{text}");
        }
    }

    #[test]
    fn every_example_is_a_whole_document_of_its_schema() {
        whole(&list(), "ServiceGroupReferenceList", false);
        whole(&group(), "ServiceGroup", true);
        whole(&complete(), "CompleteServiceGroup", false);
        whole(&redirect(), "ServiceMetadata", true);
        whole(&card(), "BusinessCard", true);
        let record = record();
        assert!(record.contains(CERTIFICATE));
        whole(&record, "ServiceMetadata", true);
        submitted_metadata(record.as_bytes()).unwrap();
        submitted_metadata(redirect().as_bytes()).unwrap();
    }

    #[test]
    fn the_certificate_of_the_examples_is_one() {
        let der = data_encoding::BASE64.decode(CERTIFICATE.as_bytes()).unwrap();
        let read = quoin_peppol::pki::Certificate::from_der(&der).unwrap();
        assert!(read.subject().to_string().contains("POP000000"));
    }
}
