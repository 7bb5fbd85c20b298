//! What we publish, we read; what others break, we refuse.

use jiff::Timestamp;
use quoin_xmldsig::keys::PrivateKey;

use crate::pki::tests::world::{Leaf, SOFT, STRICT, WORLD, days, now};
use crate::pki::{Certificate, CertificateRole, PkiRefusal, RevocationPolicy, Revocations, Trust};
use crate::sml::{SmpBase, UriPolicy};
use crate::smp::*;

const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const PROCESS: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

pub(super) fn participant() -> ParticipantId {
    "0088:123ABC".parse().unwrap()
}

pub(super) fn billing() -> DocumentTypeId {
    BILLING.parse().unwrap()
}

fn endpoint() -> Endpoint {
    Endpoint {
        transport_profile: "peppol-transport-as4-v2_0".to_owned(),
        address: "https://ap.example.test/as4".to_owned(),
        activation: Some(now() - days(10)),
        expiration: Some(now() + days(10)),
        certificate: WORLD.leaf(&WORLD.ap, &Leaf::ap()).base64(),
        description: "Access point of \"A & B\"".to_owned(),
        technical_contact: "mailto:as4@example.test".to_owned(),
        technical_information: None,
    }
}

pub(super) fn information() -> ServiceInformation {
    ServiceInformation {
        participant: participant(),
        document_type: billing(),
        processes: vec![ProcessEndpoints {
            id: PROCESS.parse().unwrap(),
            endpoints: vec![endpoint()],
        }],
    }
}

fn signed_by(metadata: &ServiceMetadata, certificate: &Certificate) -> String {
    let key = PrivateKey::from_pkcs8(WORLD.leaf_key.serialized_der()).unwrap();
    sign(&service_metadata(metadata).unwrap(), &key, certificate).unwrap()
}

fn signed(metadata: &ServiceMetadata) -> String {
    signed_by(metadata, &WORLD.leaf(&WORLD.smp, &Leaf::smp()))
}

struct Scene {
    trust: Trust,
    revocations: Revocations,
    policy: RevocationPolicy,
}

impl Scene {
    fn new() -> Self {
        let revocations = WORLD.revocations(&[66], &[66], &[]);
        Self { trust: WORLD.trust(), revocations, policy: STRICT }
    }

    fn verification(&self) -> VerificationContext<'_> {
        VerificationContext {
            trust: &self.trust,
            revocations: &self.revocations,
            policy: self.policy,
            uris: UriPolicy::default(),
            now: now(),
        }
    }

    fn read(&self, text: &str) -> Result<VerifiedMetadata, SmpRefusal> {
        read_service_metadata(text.as_bytes(), &participant(), &billing(), &self.verification())
    }

    fn usable(&self, endpoint: Endpoint) -> Result<UsableEndpoint, EndpointRefusal> {
        let mut information = information();
        information.processes[0].endpoints = vec![endpoint];
        self.usable_of(&information)
    }

    fn usable_of(&self, all: &ServiceInformation) -> Result<UsableEndpoint, EndpointRefusal> {
        usable(all, &PROCESS.parse().unwrap(), (UriPolicy::default(), now()), |der| {
            let certificate = Certificate::from_der(der)?;
            let role = CertificateRole::AccessPoint;
            self.trust.check(&certificate, role, now(), &self.revocations, self.policy)
        })
    }
}

#[test]
fn what_is_published_is_read() {
    let scene = Scene::new();
    let metadata = ServiceMetadata::Information(information());
    let text = signed(&metadata);
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    let answer = scene.read(&text).unwrap();
    assert_eq!(answer.metadata, metadata);
    assert_eq!(answer.signer.seat().as_str(), "POP000999");
    let usable = scene.usable_of(&information()).unwrap();
    assert_eq!(usable.address, "https://ap.example.test/as4");
    assert_eq!(usable.certificate.seat().as_str(), "POP000999");
}

#[test]
fn answers_are_compared_with_the_request() {
    let scene = Scene::new();
    let text = signed(&ServiceMetadata::Information(information()));
    let ask = |participant: &str, document_type: &str| {
        let (participant, document_type) =
            (participant.parse().unwrap(), document_type.parse().unwrap());
        read_service_metadata(text.as_bytes(), &participant, &document_type, &scene.verification())
    };
    assert!(ask("0088:123abc", BILLING).is_ok(), "participants compare without case");
    let other = |found| matches!(found, Err(SmpRefusal::OtherSubject { .. }));
    assert!(other(ask("0088:123abd", BILLING)));
    assert!(other(ask("0088:123ABC", &BILLING.replace("::Invoice##", "::INVOICE##"))));
    assert!(other(ask(
        "0088:123ABC",
        &BILLING.replace("busdox-docid-qns", "peppol-doctype-wildcard")
    )));
}

#[test]
fn answers_with_broken_signatures_are_refused() {
    let scene = Scene::new();
    let text = signed(&ServiceMetadata::Information(information()));
    let tampered = text.replace("ap.example.test", "evil.example.test");
    assert!(matches!(scene.read(&tampered), Err(SmpRefusal::Signature(_))));
    let unsigned = service_metadata(&ServiceMetadata::Information(information())).unwrap();
    assert!(matches!(scene.read(&unsigned), Err(SmpRefusal::Signature(_))));
    let second = text.replace(
        "</smp:SignedServiceMetadata>",
        "<smp:ServiceMetadata/></smp:SignedServiceMetadata>",
    );
    assert!(matches!(scene.read(&second), Err(SmpRefusal::Signature(_))));
    assert!(matches!(scene.read("<html/>"), Err(SmpRefusal::Root { .. })));
    assert!(matches!(scene.read("Not found"), Err(SmpRefusal::Xml(_))));
    let dtd = text.replace("<smp:Signed", "<!DOCTYPE a [<!ENTITY b 'c'>]><smp:Signed");
    assert!(matches!(scene.read(&dtd), Err(SmpRefusal::Xml(_))));
    let huge = format!("<a>{}</a>", "x".repeat(ANSWER_LIMIT));
    assert!(matches!(scene.read(&huge), Err(SmpRefusal::Xml(_))));
}

/// What ends in the middle did not come whole, and is asked for again; what is no XML is wrong.
#[test]
fn an_answer_that_ends_in_the_middle_is_asked_for_again() {
    let scene = Scene::new();
    let whole = signed(&ServiceMetadata::Information(information()));
    for part in [1, 2, 3] {
        let refusal = scene.read(&whole[..whole.len() * part / 4]).unwrap_err();
        assert!(matches!(refusal, SmpRefusal::Xml(_)) && refusal.is_temporary(), "{refusal}");
    }
    let wrong = scene.read("<a></b>").unwrap_err();
    assert!(matches!(wrong, SmpRefusal::Xml(_)) && !wrong.is_temporary(), "{wrong}");
}

#[test]
fn signers_must_be_an_smp_of_our_stage() {
    let mut scene = Scene::new();
    let metadata = ServiceMetadata::Information(information());
    let ap = signed_by(&metadata, &WORLD.leaf(&WORLD.ap, &Leaf::ap()));
    let wrong = scene.read(&ap).unwrap_err();
    assert!(
        matches!(wrong, SmpRefusal::Signer(PkiRefusal::WrongRole { .. })) && !wrong.is_temporary()
    );
    let revoked = signed_by(&metadata, &WORLD.leaf(&WORLD.smp, &Leaf::smp().serial(66)));
    assert!(matches!(scene.read(&revoked), Err(SmpRefusal::Signer(PkiRefusal::Revoked { .. }))));
    scene.revocations = Revocations::new();
    assert!(scene.read(&signed(&metadata)).unwrap_err().is_temporary());
    scene.policy = SOFT;
    assert!(scene.read(&signed(&metadata)).is_ok());
}

#[test]
fn one_redirect_is_followed_to_the_announced_signer() {
    let scene = Scene::new();
    let uid = WORLD.leaf(&WORLD.smp, &Leaf::smp()).subject().to_string();
    let redirect =
        |href: &str, uid: &str| Redirect { href: href.to_owned(), certificate_uid: uid.to_owned() };
    let there = redirect("https://other.example.test/x%40y", &uid);
    let first = scene.read(&signed(&ServiceMetadata::Redirect(there.clone()))).unwrap();
    assert_eq!(first.metadata, ServiceMetadata::Redirect(there.clone()));
    let follow = |text: &str, redirect: &Redirect| {
        let verification = scene.verification();
        read_redirected(text.as_bytes(), &participant(), &billing(), redirect, &verification)
    };
    let second = signed(&ServiceMetadata::Information(information()));
    assert_eq!(follow(&second, &there).unwrap().0, information());
    let reordered = "C=NL, O=Example\\, Ltd, OU=PEPPOL TEST SMP, CN=POP000999";
    assert!(follow(&second, &redirect("https://x", reordered)).is_ok());
    for other in [uid.replace("POP000999", "POP000998"), "PID:9208-2001-3-279815395".to_owned()] {
        let refused = follow(&second, &redirect("https://x", &other)).unwrap_err();
        assert!(matches!(refused, SmpRefusal::OtherSigner { .. }), "{refused}");
    }
    let again = signed(&ServiceMetadata::Redirect(there.clone()));
    assert_eq!(follow(&again, &there), Err(SmpRefusal::SecondRedirect));
    let http = signed(&ServiceMetadata::Redirect(redirect("http://other.example.test/", &uid)));
    assert!(matches!(scene.read(&http), Err(SmpRefusal::RedirectAddress(_))));
}

#[test]
fn endpoints_are_usable_in_their_time_and_transport() {
    let scene = Scene::new();
    let code = |endpoint| scene.usable(endpoint).map(|_| "ok").unwrap_or_else(|e| e.code());
    assert_eq!(code(endpoint()), "ok");
    assert_eq!(code(Endpoint { activation: None, expiration: None, ..endpoint() }), "ok");
    let late = Endpoint { activation: Some(now() + days(1)), ..endpoint() };
    assert_eq!(code(late), "endpoint-not-yet-active");
    assert_eq!(code(Endpoint { expiration: Some(now()), ..endpoint() }), "endpoint-expired");
    let as2 =
        Endpoint { transport_profile: "busdox-transport-as2-ver2p0".to_owned(), ..endpoint() };
    assert_eq!(code(as2), "no-as4-endpoint");
    for address in ["http://ap.example.test/as4", "https://ap.example.test:8443/as4", "x"] {
        let odd = Endpoint { address: address.to_owned(), ..endpoint() };
        assert_eq!(code(odd), "endpoint-address-invalid", "{address}");
    }
    let refused = "endpoint-certificate-refused";
    let with =
        |certificate: Certificate| Endpoint { certificate: certificate.base64(), ..endpoint() };
    assert_eq!(code(with(WORLD.leaf(&WORLD.smp, &Leaf::smp()))), refused);
    assert_eq!(code(with(WORLD.leaf(&WORLD.ap, &Leaf::ap().serial(66)))), refused);
    assert_eq!(code(Endpoint { certificate: String::new(), ..endpoint() }), refused);
    let mut other = information();
    other.processes[0].id = "urn:other".parse().unwrap();
    let found = select(&other, &PROCESS.parse().unwrap(), now());
    assert_eq!(found.unwrap_err().code(), "process-not-registered");
    other.processes[0].endpoints.clear();
    assert_eq!(
        select(&other, &"urn:other".parse().unwrap(), now()),
        Err(EndpointRefusal::NoEndpoint)
    );
}

#[test]
fn an_active_endpoint_is_found_among_inactive_ones() {
    let mut all = information();
    let expired = Endpoint { expiration: Some(now() - days(1)), ..endpoint() };
    all.processes[0].endpoints = vec![expired, endpoint()];
    assert!(select(&all, &PROCESS.parse().unwrap(), now()).is_ok());
}

#[test]
fn of_two_active_endpoints_nobody_knows_which_is_meant() {
    let mut twice = information();
    let process: ProcessId = PROCESS.parse().unwrap();
    let mut other = Endpoint { address: "https://b.example.test/as4".to_owned(), ..endpoint() };
    twice.processes[0].endpoints.push(other.clone());
    let refusal = select(&twice, &process, now()).unwrap_err();
    assert_eq!((refusal.code(), refusal.is_temporary()), ("several-endpoints", false));
    assert!(refusal.to_string().starts_with("2 endpoints speak peppol-transport-as4-v2_0"));
    // c_28: the same one twice leaves no doubt either, however its certificate is wrapped.
    let wrapped = endpoint().certificate.chars().flat_map(|c| [c, '\n']).collect();
    twice.processes[0].endpoints[1] = Endpoint { certificate: wrapped, ..endpoint() };
    assert_eq!(select(&twice, &process, now()).unwrap().address, endpoint().address);
    // One whose time is over, or of another transport, leaves no doubt.
    other.expiration = Some(now() - days(1));
    twice.processes[0].endpoints[1] = other.clone();
    assert_eq!(select(&twice, &process, now()).unwrap().address, endpoint().address);
    other = Endpoint { transport_profile: "busdox-transport-as2-ver1p0".to_owned(), ..endpoint() };
    twice.processes[0].endpoints[1] = other;
    assert_eq!(select(&twice, &process, now()).unwrap().address, endpoint().address);
}

#[test]
fn answers_are_in_utf_8() {
    let scene = Scene::new();
    let good = signed(&ServiceMetadata::Information(information()));
    assert!(scene.read(&good).is_ok());
    assert!(scene.read(&format!("\u{FEFF}{good}")).is_ok(), "a byte order mark of UTF-8 is one");
    let bare = good.split_once("?>").unwrap().1.trim_start();
    assert!(scene.read(bare).is_ok(), "without a declaration it is UTF-8");
    for name in ["ISO-8859-1", "windows-1252"] {
        let refusal = scene.read(&good.replacen("UTF-8", name, 1)).unwrap_err();
        assert_eq!(refusal, SmpRefusal::Encoding { found: name.to_owned() });
        assert!(!refusal.is_temporary());
    }
    for swapped in [u16::to_be_bytes, u16::to_le_bytes] {
        let text = good.replacen("UTF-8", "UTF-16", 1);
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        let bytes: Vec<u8> = units.flat_map(swapped).collect();
        let verification = scene.verification();
        let refusal = read_service_metadata(&bytes, &participant(), &billing(), &verification);
        assert_eq!(refusal, Err(SmpRefusal::Encoding { found: "UTF-16".to_owned() }));
        let group = read_service_group(&bytes, &participant());
        assert_eq!(group, Err(SmpRefusal::Encoding { found: "UTF-16".to_owned() }));
    }
}

#[test]
fn c_28_a_page_is_known_by_what_it_is() {
    for page in ["<!DOCTYPE html><p>", "\n<HTML><body/></HTML>", "<?xml version='1.0'?><html/>"] {
        assert!(is_page(None, page.as_bytes()), "{page}");
    }
    let late = format!("<SignedServiceMetadata>{}<html>", " ".repeat(600));
    for other in ["<SignedServiceMetadata/>", "", "html", &late] {
        assert!(!is_page(Some(b"text/xml"), other.as_bytes()), "{other:.40}");
    }
    assert!(is_page(Some(b"text/html; charset=utf-8"), b"<p>We are back in an hour."));
    assert!(!is_page(Some(b"text/html"), late.as_bytes()), "what it is counts");
}

#[test]
fn dates_without_a_zone_are_utc() {
    let scene = Scene::new();
    let date = (now() - days(10)).to_string();
    let metadata = service_metadata(&ServiceMetadata::Information(information())).unwrap();
    let read = |text: &str| {
        let key = PrivateKey::from_pkcs8(WORLD.leaf_key.serialized_der()).unwrap();
        let text = metadata.replace(&date, text);
        let text = sign(&text, &key, &WORLD.leaf(&WORLD.smp, &Leaf::smp())).unwrap();
        match scene.read(&text)?.metadata {
            ServiceMetadata::Information(found) => Ok(found.processes[0].endpoints[0].activation),
            ServiceMetadata::Redirect(_) => panic!("no redirect"),
        }
    };
    let expected: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
    for text in ["2026-01-02T03:04:05", "2026-01-02T03:04:05.000Z", "2026-01-02T04:04:05+01:00"] {
        assert_eq!(read(text), Ok(Some(expected)), "{text}");
    }
    // The "never" of many programs is beyond what can be held.
    for never in ["9999-12-31T23:59:59Z", "10000-01-01T00:00:00"] {
        assert_eq!(read(never), Ok(Some(Timestamp::MAX)), "{never}");
    }
    let midnight: Timestamp = "2026-01-03T00:00:00Z".parse().unwrap();
    assert_eq!(read("2026-01-02T24:00:00"), Ok(Some(midnight)));
    assert!(matches!(read("soon"), Err(SmpRefusal::Value { .. })));
    assert_eq!(read(""), Ok(None));
}

/// A record may be old, and have an endpoint of a former transport that nobody looked at since.
#[test]
fn an_unreadable_endpoint_of_another_transport_spoils_nothing() {
    let scene = Scene::new();
    let mut all = information();
    let former = "busdox-transport-as2-ver1p0".to_owned();
    all.processes[0].endpoints.push(Endpoint { transport_profile: former, ..endpoint() });
    let text = service_metadata(&ServiceMetadata::Information(all)).unwrap();
    let date = (now() + days(10)).to_string();
    let read = |text: &str| {
        let key = PrivateKey::from_pkcs8(WORLD.leaf_key.serialized_der()).unwrap();
        let text = sign(text, &key, &WORLD.leaf(&WORLD.smp, &Leaf::smp())).unwrap();
        scene.read(&text).map(|answer| answer.metadata)
    };
    let (head, tail) = text.rsplit_once(&date).unwrap();
    let of_the_former = format!("{head}some day{tail}");
    assert_eq!(read(&of_the_former), Ok(ServiceMetadata::Information(information())));
    let of_as4 = text.replacen(&date, "some day", 1);
    assert!(matches!(read(&of_as4), Err(SmpRefusal::Value { .. })));
    // Who publishes one here is told.
    assert!(submitted_metadata(of_the_former.as_bytes()).is_err());
}

#[test]
fn what_may_not_be_published() {
    let refused = |information| service_metadata(&ServiceMetadata::Information(information));
    let mut twice = information();
    twice.processes[0].endpoints.push(endpoint());
    assert!(matches!(refused(twice), Err(PublishRefusal::TwoEndpoints { .. })));
    let mut empty = information();
    empty.processes[0].endpoints.clear();
    assert!(matches!(refused(empty), Err(PublishRefusal::Nothing)));
    let mut none = information();
    none.processes.clear();
    assert!(matches!(refused(none), Err(PublishRefusal::Nothing)));
}

#[test]
fn service_groups_are_written_and_read() {
    let base = SmpBase::new("https://smp.example.test", UriPolicy::default()).unwrap();
    let pint = "peppol-doctype-wildcard::n::r##urn:peppol:pint:billing-1*::2.1".parse().unwrap();
    let text = service_group(&base, &participant(), &[billing(), pint]);
    let group = read_service_group(text.as_bytes(), &"0088:123abc".parse().unwrap()).unwrap();
    let types: Vec<_> = group.references.iter().filter_map(|r| r.document_type.clone()).collect();
    assert_eq!(types.len(), 2);
    let wanted =
        "peppol-doctype-wildcard::n::r##urn:peppol:pint:billing-1@eu-1::2.1".parse().unwrap();
    assert_eq!(crate::identifiers::best_match(&wanted, &types), types.get(1));
    let other = read_service_group(text.as_bytes(), &"0088:1".parse().unwrap());
    assert!(matches!(other, Err(SmpRefusal::OtherSubject { .. })));
    let empty = service_group(&base, &participant(), &[]);
    assert_eq!(read_service_group(empty.as_bytes(), &participant()).unwrap().references, []);
}
