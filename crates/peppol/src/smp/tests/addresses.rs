//! Every form of a request means the same resource.

use crate::identifiers::ParticipantId;
use crate::sml::{SmpBase, UriPolicy};
use crate::smp::*;

const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

fn base() -> SmpBase {
    SmpBase::new("https://smp.example.test/smp", UriPolicy::default()).unwrap()
}

#[test]
fn addresses_of_the_worked_example() {
    let participant = "0106:12345678".parse().unwrap();
    assert_eq!(
        service_group_url(&base(), &participant),
        "https://smp.example.test/smp/iso6523-actorid-upis%3A%3A0106%3A12345678"
    );
    assert_eq!(
        service_metadata_url(&base(), &participant, &BILLING.parse().unwrap()),
        "https://smp.example.test/smp/iso6523-actorid-upis%3A%3A0106%3A12345678/services/\
         busdox-docid-qns%3A%3Aurn%3Aoasis%3Anames%3Aspecification%3Aubl%3Aschema%3Axsd%3A\
         Invoice-2%3A%3AInvoice%23%23urn%3Acen.eu%3Aen16931%3A2017%23compliant%23urn%3Afdc%3A\
         peppol.eu%3A2017%3Apoacc%3Abilling%3A3.0%3A%3A2.1"
    );
    let pint = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
        Invoice##urn:peppol:pint:billing-1@jp-1*::2.1";
    let path = service_metadata_path(&participant, &pint.parse().unwrap());
    assert!(path.ends_with("billing-1%40jp-1%2A%3A%3A2.1"), "{path}");
    assert!(
        business_card_url(&base(), &participant)
            .ends_with("/businesscard/iso6523-actorid-upis%3A%3A0106%3A12345678")
    );
}

#[test]
fn requests_are_understood_encoded_partly_encoded_and_raw() {
    let participant: ParticipantId = "0106:12345678".parse().unwrap();
    for path in [
        "/iso6523-actorid-upis%3A%3A0106%3A12345678",
        "/iso6523-actorid-upis%3a%3a0106:12345678",
        "/iso6523-actorid-upis::0106:12345678",
        "iso6523-actorid-upis::0106:12345678",
        "/0106:12345678",
    ] {
        let found = (SmpForm::Peppol, Resource::ServiceGroup(participant.clone()));
        assert_eq!(request(path), Ok(found), "{path}");
    }
    let dico = "busdox-docid-qns::http://www.ketenstandaard.nl/onderhoudsstatus/SALES/005::\
        MaintenanceStatus##dico:maintenancestatus@nl-1.0::1.0";
    let dico_id: DocumentTypeId = dico.parse().unwrap();
    let encoded = service_metadata_path(&participant, &dico_id);
    assert!(encoded.contains("http%3A%2F%2Fwww"), "{encoded}");
    let raw = format!("/iso6523-actorid-upis::0106:12345678/services/{}", dico.replace('#', "%23"));
    for path in [encoded, raw] {
        let found = Resource::ServiceMetadata(participant.clone(), dico_id.clone());
        assert_eq!(request(&path), Ok((SmpForm::Peppol, found.clone())), "{path}");
        for form in [SmpForm::Bdxr1, SmpForm::Bdxr2] {
            let path = format!("/{}/{}", form.prefix(), path.trim_start_matches('/'));
            assert_eq!(request(&path), Ok((form, found.clone())), "{path}");
        }
    }
    for star in ["*", "%2A", "%2a"] {
        let path = format!("/0106:1/services/peppol-doctype-wildcard::n::r%23%23a{star}::2.1");
        assert!(
            matches!(request(&path), Ok((_, Resource::ServiceMetadata(_, id))) if id.is_pattern())
        );
    }
    assert_eq!(
        request("/businesscard/iso6523-actorid-upis%3A%3A0106%3A12345678"),
        Ok((SmpForm::Peppol, Resource::BusinessCard(participant)))
    );
}

#[test]
fn requests_that_ask_for_nothing() {
    for path in [
        "",
        "/",
        "/x",
        "/0106:1/",
        "/0106:1/services/",
        "/0106:1/services/x",
        "/0106:1/other/x",
        "/iso6523-actorid-upis%253A%253A0106%253A1",
        "/bdxr-smp-1/businesscard/0106:1",
        "/bdxr-smp-3/0106:1",
        "/businesscard/",
        "/iso6523-actorid-upis::0106:1/x/services/busdox-docid-qns::a::b%23%23c::1",
        "/../0106:1",
    ] {
        assert_eq!(request(path), Err(RequestRefusal::Unknown), "{path}");
    }
    let long = format!("/0106:{}", "1".repeat(5000));
    for path in ["/0106:1%FF", "/0106:1%2", "/0106:1%zz", "/0106:1/services/a%", long.as_str()] {
        assert!(matches!(request(path), Err(RequestRefusal::Malformed(_))), "{path}");
    }
}

/// PE-16: a publisher that leaves a slash out, or writes its references raw, is understood.
#[test]
fn pe_16_a_reference_is_read_wherever_its_identifier_stands() {
    let encoded = utf8(BILLING);
    let participant = "iso6523-actorid-upis%3A%3A0106%3A12345678";
    for href in [
        format!("https://smp.example.org/{participant}/services/{encoded}"),
        format!("https://smp.example.org{participant}/services/{encoded}"),
        format!("https://smp.example.org/{participant}services/{encoded}"),
        format!("https://smp.example.org/{participant}/services{encoded}"),
        format!("https://smp.example.org/{participant}/services/{BILLING}"),
        encoded,
    ] {
        let found = crate::smp::address::document_type_of(&href).map(|id| id.to_string());
        assert_eq!(found.as_deref(), Some(BILLING), "{href}");
    }
    for href in ["", "https://smp.example.org/services/", "https://smp.example.org/x"] {
        assert_eq!(crate::smp::address::document_type_of(href), None, "{href}");
    }
}

fn utf8(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// A redirect leads to another SMP, and that is told by addresses and not by how they are written.
#[test]
fn an_address_leads_to_an_smp_or_to_another_one_below_it() {
    let policy = UriPolicy { tolerate_http: false, any_port: true };
    let base = SmpBase::new("https://smp.example.test/smp", policy).unwrap();
    let id: ParticipantId = "0088:1".parse().unwrap();
    let path = service_metadata_path(&id, &BILLING.parse().unwrap());
    for (root, is_ours) in [
        ("https://smp.example.test/smp", true),
        ("HTTPS://SMP.example.test:443/smp/", true),
        ("https://smp.example.test/other/../smp", true),
        ("https://smp.example.test/smp/bdxr-smp-1", true),
        ("https://smp.example.test/smp/other", false),
        ("https://smp.example.test/smp2", false),
        ("https://smp.example.test:444/smp", false),
        ("https://smp.example.test", false),
    ] {
        assert_eq!(leads_to(&format!("{root}{path}"), &base, policy), is_ours, "{root}");
    }
}
