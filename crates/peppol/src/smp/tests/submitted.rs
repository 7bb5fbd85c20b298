//! What tools submit is what was published, without its signature; everything else is refused.

use super::answers::{billing, information, participant};
use crate::sml::{SmpBase, UriPolicy};
use crate::smp::*;

fn unsigned(metadata: &ServiceMetadata) -> String {
    let text = service_metadata(metadata).unwrap();
    text.replace("<smp:SignedServiceMetadata", "<smp:ServiceMetadata")
        .replacen("<smp:ServiceMetadata><smp:", "<smp:", 1)
        .replace("</smp:ServiceMetadata></smp:SignedServiceMetadata>", "</smp:ServiceMetadata>")
}

fn redirect() -> ServiceMetadata {
    ServiceMetadata::Redirect(Redirect {
        href: "https://other.example.test/x".to_owned(),
        certificate_uid: "CN=SMP, O=Other".to_owned(),
    })
}

#[test]
fn metadata_is_taken_with_and_without_the_root_for_a_signature() {
    for metadata in [ServiceMetadata::Information(information()), redirect()] {
        let whole = service_metadata(&metadata).unwrap();
        assert_eq!(submitted_metadata(whole.as_bytes()).unwrap(), metadata);
        assert_eq!(submitted_metadata(unsigned(&metadata).as_bytes()).unwrap(), metadata);
    }
}

/// What ends never is written back as the last instant, which is read again.
#[test]
fn an_end_that_never_comes_is_taken() {
    let mut all = information();
    all.processes[0].endpoints[0].expiration = Some("2027-01-01T00:00:00Z".parse().unwrap());
    let text = unsigned(&ServiceMetadata::Information(all.clone()));
    let never = text.replace("2027-01-01T00:00:00Z", "9999-12-31T23:59:59Z");
    let taken = submitted_metadata(never.as_bytes()).unwrap();
    all.processes[0].endpoints[0].expiration = Some(jiff::Timestamp::MAX);
    assert_eq!(taken, ServiceMetadata::Information(all));
    let written = service_metadata(&taken).unwrap();
    assert_eq!(submitted_metadata(written.as_bytes()).unwrap(), taken);
    for wrong in ["soon", "2027-02-30T00:00:00Z", "2027-01-01T24:00:01Z"] {
        let text = text.replace("2027-01-01T00:00:00Z", wrong);
        assert!(submitted_metadata(text.as_bytes()).is_err(), "{wrong}");
    }
}

#[test]
fn a_group_says_whose_it_is() {
    let base = SmpBase::new("https://smp.example.test", UriPolicy::default()).unwrap();
    let group = service_group(&base, &participant(), &[billing()]);
    assert_eq!(submitted_group(group.as_bytes()).unwrap(), participant());
    let list = group_list(&base, &[participant()]);
    assert!(list.contains("href=\"https://smp.example.test/iso6523-actorid-upis%3A%3A0088"));
    let records = [(billing(), ServiceMetadata::Information(information()))];
    let complete = complete_group(&base, &participant(), &records).unwrap();
    let document =
        quoin_xml::tree::Document::parse(complete.as_bytes(), &Default::default()).unwrap();
    let children: Vec<_> = document.root().elements().map(|e| e.local().to_owned()).collect();
    assert_eq!(children, ["ServiceGroup", "ServiceMetadata"]);
}

#[test]
fn bodies_that_are_something_else_are_refused() {
    let good = unsigned(&ServiceMetadata::Information(information()));
    let both = good.replace(
        "<smp:ServiceInformation>",
        "<smp:Redirect href=\"x\"><smp:CertificateUID>u</smp:CertificateUID></smp:Redirect>\
         <smp:ServiceInformation>",
    );
    for bad in [
        both,
        good.replace("ServiceMetadata", "Metadata"),
        good.replacen("?>\n<smp", "?>\n<!DOCTYPE a [<!ENTITY b 'c'>]><smp", 1),
        good.replace("busdox-docid-qns", "no-such-scheme"),
        good.replace("ParticipantIdentifier", "Participant"),
        good.replace("</smp:ServiceMetadata>", ""),
    ] {
        assert!(submitted_metadata(bad.as_bytes()).is_err(), "{bad}");
    }
    assert!(submitted_group(good.as_bytes()).is_err());
}
