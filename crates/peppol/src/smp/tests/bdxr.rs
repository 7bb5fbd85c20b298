//! The forms of OASIS say what the Peppol form says.

use quoin_xml::tree::{Document, Limits};
use quoin_xmldsig::enveloped;
use quoin_xmldsig::keys::PrivateKey;

use super::answers::{billing, information, participant};
use crate::pki::tests::world::{Leaf, WORLD};
use crate::sml::{SmpBase, UriPolicy};
use crate::smp::*;

const SMA: &str = "http://docs.oasis-open.org/bdxr/ns/SMP/2/AggregateComponents";
const SMB: &str = "http://docs.oasis-open.org/bdxr/ns/SMP/2/BasicComponents";

fn base() -> SmpBase {
    SmpBase::new("https://smp.example.test/smp", UriPolicy::default()).unwrap()
}

fn key() -> PrivateKey {
    PrivateKey::from_pkcs8(WORLD.leaf_key.serialized_der()).unwrap()
}

fn parsed(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

fn redirect() -> ServiceMetadata {
    ServiceMetadata::Redirect(Redirect {
        href: format!(
            "https://other.example.test/base{}",
            service_metadata_path(&participant(), &billing())
        ),
        certificate_uid: "CN=POP000998".to_owned(),
    })
}

#[test]
fn version_1_is_the_peppol_form_in_another_namespace() {
    let metadata = ServiceMetadata::Information(information());
    let signed = sign(
        &bdxr::service_metadata_1(&metadata).unwrap(),
        &key(),
        &WORLD.leaf(&WORLD.smp, &Leaf::smp()),
    );
    let signed = signed.unwrap();
    let document = parsed(&signed);
    enveloped::verify(&document).unwrap();
    let found = document
        .root()
        .descendants()
        .find(|e| e.is(bdxr::BDXR1_NAMESPACE, "EndpointURI"))
        .map(|e| e.text().into_owned());
    assert_eq!(found.as_deref(), Some("https://ap.example.test/as4"));
    assert!(!signed.contains("busdox.org/"), "{signed}");
    let group = bdxr::service_group_1(&base(), &participant(), &[billing()]);
    assert!(group.contains("href=\"https://smp.example.test/smp/bdxr-smp-1/iso6523"), "{group}");
    let elsewhere = bdxr::service_metadata_1(&redirect()).unwrap();
    assert!(elsewhere.contains("<smp:CertificateUID>CN=POP000998<"), "{elsewhere}");
}

#[test]
fn version_2_names_processes_in_groups_and_metadata() {
    let process = information().processes[0].id.clone();
    let group = bdxr::service_group_2(&participant(), &[(billing(), vec![process.clone()])]);
    let metadata = ServiceMetadata::Information(information());
    let metadata = bdxr::service_metadata_2(&participant(), &billing(), &metadata).unwrap();
    for (text, root) in [(group, "ServiceGroup"), (metadata, "ServiceMetadata")] {
        let signed = bdxr::sign_2(&text, &key(), &WORLD.leaf(&WORLD.smp, &Leaf::smp())).unwrap();
        assert!(signed.contains("http://www.w3.org/2006/12/xml-c14n11"), "{signed}");
        let document = parsed(&signed);
        assert!(document.root().is(&format!("{}{root}", bdxr::BDXR2_NAMESPACES), root));
        let one = |namespace: &str, local: &str| {
            let found = document.root().descendants().find(|e| e.is(namespace, local));
            found.unwrap_or_else(|| panic!("{local} is not in {signed}"))
        };
        assert_eq!(one(SMB, "SMPVersionID").text(), "2.0");
        assert_eq!(one(SMB, "ParticipantID").attribute("schemeID"), Some("iso6523-actorid-upis"));
        assert_eq!(one(SMB, "ID").attribute("schemeID"), Some("busdox-docid-qns"));
        let id = one(SMA, "Process").child(SMB, "ID").unwrap();
        assert_eq!(id.text(), process.value());
    }
}

#[test]
fn version_2_redirects_to_the_publisher() {
    let text = bdxr::service_metadata_2(&participant(), &billing(), &redirect()).unwrap();
    assert!(
        text.contains("<smb:PublisherURI>https://other.example.test/base</smb:PublisherURI>"),
        "{text}"
    );
}

#[test]
fn what_may_not_be_published_is_not_in_any_form() {
    let mut twice = information();
    let endpoint = twice.processes[0].endpoints[0].clone();
    twice.processes[0].endpoints.push(endpoint);
    let mut none = information();
    none.processes.clear();
    for bad in [twice, none] {
        let bad = ServiceMetadata::Information(bad);
        assert!(service_metadata(&bad).is_err());
        assert!(bdxr::service_metadata_1(&bad).is_err());
        assert!(bdxr::service_metadata_2(&participant(), &billing(), &bad).is_err());
    }
}
