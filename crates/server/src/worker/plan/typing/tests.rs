//! Every document type of the network is routed and enveloped by the tables: what the official list
//! has in use comes out of a document with its identifiers, for each of its processes.

use jiff::Timestamp;
use quoin_document::formats::UBL_PREFIX;
use quoin_peppol::identifiers::DocumentTypeScheme;
use quoin_peppol::sbdh::{self, CountryC1, Sbdh};

use super::*;

const CII: &str = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";

/// A document of a row with these identifiers, where its syntax has places for them.
fn document(row: &DocumentType, process: &str) -> Option<String> {
    let id = row.id().unwrap();
    let parts = id.parts();
    let (namespace, local) = (parts.root_namespace, parts.local_name?);
    let customization = parts.customization.replace('&', "&amp;");
    if namespace.starts_with(UBL_PREFIX) {
        return Some(format!(
            "<{local} xmlns=\"{namespace}\" xmlns:cbc=\"{UBL_PREFIX}CommonBasicComponents-2\">\
             <cbc:CustomizationID>{customization}</cbc:CustomizationID>\
             <cbc:ProfileID>{process}</cbc:ProfileID><cbc:ID>1</cbc:ID></{local}>"
        ));
    }
    (namespace == CII).then(|| {
        format!(
            "<r:{local} xmlns:r=\"{namespace}\" xmlns:a=\"urn:un:unece:uncefact:data:standard:\
             ReusableAggregateBusinessInformationEntity:100\"><r:ExchangedDocumentContext>\
             <a:BusinessProcessSpecifiedDocumentContextParameter><a:ID>{process}</a:ID>\
             </a:BusinessProcessSpecifiedDocumentContextParameter>\
             <a:GuidelineSpecifiedDocumentContextParameter><a:ID>{customization}</a:ID>\
             </a:GuidelineSpecifiedDocumentContextParameter></r:ExchangedDocumentContext></r:{local}>"
        )
    })
}

/// What the plan makes of a row in a process, from a document or, where the syntax has no place for
/// identifiers, from what is asked beside it.
fn planned(row: &DocumentType, process: &str) -> (DocumentTypeId, ProcessId) {
    let parts = row.id().unwrap();
    let mut wishes = Wishes::default();
    let routing = match document(row, process) {
        Some(text) => quoin_document::read(text.as_bytes()).routing().unwrap(),
        None => {
            wishes.document_type = Some(parts.to_string());
            wishes.process = Some(process.to_owned());
            let local = parts.parts().local_name.unwrap_or_default().to_owned();
            let root_namespace = parts.parts().root_namespace.to_owned();
            Routing { root_namespace, root_local: local, ..Routing::default() }
        }
    };
    let (id, listed) = document_type(&routing, &wishes).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(listed, "{}", row.name);
    let process = super::process(&routing, &id, &wishes).unwrap_or_else(|e| panic!("{e:?}"));
    (id, process)
}

/// Whether two rows have the same document element and customization in different versions of a
/// syntax, so that a document alone cannot tell them apart.
fn has_twin(row: &DocumentType) -> bool {
    let before = |value: &str| value.rsplit_once("::").map(|(start, _)| start.to_owned());
    let same = |other: &&DocumentType| {
        other.value != row.value
            && other.state == State::Active
            && before(other.value) == before(row.value)
    };
    DOCUMENT_TYPES.iter().any(|other| same(&other))
}

#[test]
fn every_active_row_is_routed_and_enveloped_by_its_identifiers() {
    let mut from_documents = 0;
    for row in DOCUMENT_TYPES.iter().filter(|r| r.state == State::Active && !r.is_abstract) {
        let expected = row.id().unwrap();
        for process in row.processes {
            let (id, found) = planned(row, process);
            if !has_twin(row) {
                assert_eq!(id, expected, "{}", row.name);
            }
            assert_eq!(found, process.parse().unwrap(), "{}", row.name);
            from_documents += usize::from(document(row, process).is_some());
            let header = Sbdh {
                sender: "0106:12345678".parse().unwrap(),
                receiver: "0106:87654321".parse().unwrap(),
                document_type: id.clone(),
                process: found.clone(),
                instance: "i".to_owned(),
                created: Timestamp::UNIX_EPOCH,
                country: CountryC1::new("NL").unwrap(),
                mls_to: None,
                mls_type: None,
                others: Vec::new(),
            };
            let envelope = match id.parts().local_name {
                Some(local) => {
                    let payload = format!("<{local} xmlns=\"{}\"/>", id.parts().root_namespace);
                    sbdh::wrap(&header, payload.as_bytes())
                }
                None => sbdh::wrap_binary(&header, "application/pdf", None, b"%PDF-1.7"),
            };
            let envelope = envelope.unwrap_or_else(|error| panic!("{}: {error}", row.name));
            let read = sbdh::read(&envelope).unwrap();
            assert_eq!((read.sbdh.document_type, read.sbdh.process), (id, found), "{}", row.name);
            let text = String::from_utf8(envelope).unwrap();
            assert!(text.contains(&format!("<Identifier>{}</Identifier>", row.scheme)), "{text}");
        }
    }
    assert!(from_documents > 150, "{from_documents} come from documents");
}

#[test]
fn the_scheme_follows_from_the_customization() {
    for row in DOCUMENT_TYPES.iter().filter(|row| row.state == State::Active) {
        let id = row.id().unwrap();
        let pint = id.parts().customization.starts_with("urn:peppol:pint:");
        assert_eq!(row.scheme == DocumentTypeScheme::Wildcard, pint, "{}", row.name);
    }
}
