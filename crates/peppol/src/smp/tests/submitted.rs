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

/// An instant that no answer can name is left out where it means always, and is never one before
/// the first year, which other readers refuse.
#[test]
fn dates_before_the_first_year_are_not_published() {
    let mut all = information();
    let text = unsigned(&ServiceMetadata::Information(all.clone()));
    let now = all.processes[0].endpoints[0].activation.unwrap().to_string();
    for (from, written) in [
        ("0001-01-01T00:00:00+01:00", None),
        ("-0001-06-01T00:00:00Z", None),
        ("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z")),
    ] {
        let taken = submitted_metadata(text.replace(&now, from).as_bytes()).unwrap();
        let out = service_metadata(&taken).unwrap();
        let found = out.split("ServiceActivationDate>").nth(1);
        assert_eq!(found.and_then(|rest| rest.strip_suffix("</smp:")), written, "{out}");
        let out = bdxr::service_metadata_2(&participant(), &billing(), &taken).unwrap();
        assert_eq!(out.contains("ActivationDate>"), written.is_some(), "{out}");
    }
    let endpoint = &mut all.processes[0].endpoints[0];
    endpoint.activation = None;
    endpoint.expiration = Some("0000-06-01T00:00:00Z".parse().unwrap());
    let out = service_metadata(&ServiceMetadata::Information(all)).unwrap();
    assert!(out.contains("Date>0001-01-01T00:00:00Z<"), "what is over stays so: {out}");
}

/// Whoever submits a record is not to believe that the network is told what it is not.
#[test]
fn what_is_not_published_is_not_taken() {
    let good = unsigned(&ServiceMetadata::Information(information()));
    let process = good.split("<smp:Process>").nth(1).unwrap().split("</smp:Process>").next();
    let process = format!("<smp:Process>{}</smp:Process>", process.unwrap());
    let unknown = process.replacen("scheme=\"", "scheme=\"no such ", 1);
    let level = "<smp:MinimumAuthenticationLevel>2</smp:MinimumAuthenticationLevel>";
    let signs = "RequireBusinessLevelSignature>";
    for (bad, word) in [
        (good.replace(&format!("{signs}false"), &format!("{signs} true ")), "BusinessLevel"),
        (good.replace(&format!("{signs}false"), &format!("{signs}1")), "BusinessLevel"),
        (good.replacen("<smp:Certificate>", &format!("{level}<smp:Certificate>"), 1), "Minimum"),
        (
            good.replacen("</smp:Process>", "<smp:Extension><a/></smp:Extension></smp:Process>", 1),
            "Extension",
        ),
        (good.replacen(&process, &format!("{process}{unknown}"), 1), "ProcessIdentifier"),
    ] {
        assert_ne!(bad, good);
        let refused = submitted_metadata(bad.as_bytes()).unwrap_err().to_string();
        assert!(refused.contains(word), "{word}: {refused}");
    }
    let nothing = "<smp:Extension/></smp:ServiceInformation>";
    let empty = good.replace("</smp:ServiceInformation>", nothing);
    assert!(submitted_metadata(empty.as_bytes()).is_ok());
    let twice = good.replacen(&process, &format!("{process}{process}"), 1);
    let Ok(ServiceMetadata::Information(twice)) = submitted_metadata(twice.as_bytes()) else {
        panic!("it can be read")
    };
    assert!(matches!(publishable(&twice), Err(PublishRefusal::TwoProcesses { .. })));
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
