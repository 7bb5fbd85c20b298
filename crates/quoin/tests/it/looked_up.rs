//! What is remembered of an SMP says yes for a while; a no is heard from the SMP itself.

use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64;
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::config::{KeyPlace, NextKey};
use quoin_access_point::identity::Credentials;
use quoin_access_point::net::HttpCall;
use quoin_lab::lab::network::RECEIVER;
use quoin_lab::lab::pki::{LeafRole, LeafValidity};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId, TransportProfile};
use quoin_peppol::pki::Certificate;
use quoin_peppol::smp::{
    self, Endpoint, ProcessEndpoints, ServiceInformation, ServiceMetadata, service_metadata_path,
};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::stage::{Play, Stage};

const PINT: &str = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:peppol:pint:billing-1@jp-1*::2.1";
const WANTED: &str = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:peppol:pint:billing-1@jp-1::2.1";
const BILLING: &str = "cenbii-procid-ubl::urn:peppol:bis:billing";
const SELF_BILLING: &str = "cenbii-procid-ubl::urn:peppol:bis:selfbilling";

/// Publishes a registration of the receiver at its SMP, as the tools of the field do it.
async fn publish(play: &Play, until: Option<Timestamp>) {
    let config = &play.two.parts.config;
    let document_type: DocumentTypeId = PINT.parse().unwrap();
    let own = Credentials::load(&config.access_point.key_place()).unwrap();
    let endpoint = Endpoint {
        transport_profile: TransportProfile::AS4.to_owned(),
        address: config.access_point.public_url.clone().unwrap(),
        activation: None,
        expiration: until,
        certificate: own.certificate.base64(),
        description: "story".to_owned(),
        technical_contact: "mailto:story@quoin.test".to_owned(),
        technical_information: None,
    };
    let id: ProcessId = BILLING.parse().unwrap();
    let record = ServiceMetadata::Information(ServiceInformation {
        participant: RECEIVER.parse().unwrap(),
        document_type: document_type.clone(),
        processes: vec![ProcessEndpoints { id, endpoints: vec![endpoint] }],
    });
    let signer = Credentials::load(&config.smp.key_place()).unwrap();
    let unsigned = smp::service_metadata(&record).unwrap();
    let body = smp::sign(&unsigned, signer.key.as_ref(), &signer.certificate).unwrap();
    let who = &play.stage.receiver;
    let basic = BASE64.encode(format!("{}:{}", who.client, who.secret).as_bytes());
    let path = service_metadata_path(&RECEIVER.parse().unwrap(), &document_type);
    let url = format!("{}/smp{path}", play.two.api.as_ref().unwrap().url());
    let authorization = HeaderValue::from_str(&format!("Basic {basic}")).unwrap();
    let call = HttpCall {
        method: Method::PUT,
        headers: vec![(AUTHORIZATION, authorization)],
        body: Some(Bytes::from(body)),
        ..HttpCall::get(&url, Duration::from_secs(20), 1 << 20)
    };
    let answer = play.stage.around.client().unwrap().call(call).await.unwrap();
    assert_eq!(answer.status, 200, "{:?}", answer.body);
}

/// Looks the registration up: what came of it, and whether that was remembered.
async fn found(play: &Play, process: &str) -> (&'static str, bool) {
    let (receiver, document_type) = (RECEIVER.parse().unwrap(), WANTED.parse().unwrap());
    let lookup = &play.one.parts.lookup;
    match lookup.find(&receiver, &document_type, &process.parse().unwrap()).await {
        Ok(found) => ("found", found.report.cached),
        Err(failure) => (failure.error.code(), failure.report.cached),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_ended_is_asked_for_again() {
    let play = Play::begin().await;
    let end = play.stage.clock.now() + SignedDuration::from_mins(2);
    publish(&play, Some(end)).await;
    assert_eq!(found(&play, BILLING).await, ("found", false));
    assert_eq!(found(&play, BILLING).await, ("found", true));
    publish(&play, None).await;
    play.stage.clock.advance(SignedDuration::from_mins(3));
    assert_eq!(found(&play, BILLING).await, ("found", false), "it goes on");
    assert_eq!(found(&play, BILLING).await, ("found", true));
}

/// A no ends a document, so that each hears it from the SMP; those who wait hear it together.
#[tokio::test(flavor = "multi_thread")]
async fn a_no_is_asked_for_by_each_and_once_for_all_who_wait() {
    let play = Play::begin().await;
    publish(&play, None).await;
    assert_eq!(found(&play, BILLING).await, ("found", false));
    for _ in 0..2 {
        assert_eq!(found(&play, SELF_BILLING).await, ("no-usable-endpoint", false));
    }
    let waiting = (0..20).map(|_| found(&play, SELF_BILLING));
    let heard = futures::future::join_all(waiting).await;
    assert!(heard.iter().all(|(what, _)| *what == "no-usable-endpoint"), "{heard:?}");
    let asked = heard.iter().filter(|(_, cached)| !cached).count();
    assert!((1..=2).contains(&asked), "the SMP was asked {asked} times");
    assert_eq!(found(&play, BILLING).await, ("found", true));
}

/// One that published a change is found by the next document, however lately the SMP said no.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_published_just_after_a_no_is_found_at_once() {
    let play = Play::begin().await;
    let clock = play.stage.clock.clone();
    publish(&play, Some(clock.now() + SignedDuration::from_mins(2))).await;
    assert_eq!(found(&play, BILLING).await, ("found", false));
    clock.advance(SignedDuration::from_mins(3));
    assert_eq!(found(&play, BILLING).await, ("no-usable-endpoint", false));
    publish(&play, None).await;
    assert_eq!(found(&play, BILLING).await, ("found", false));
}

/// The access point was given another certificate because its old one is not to be believed any
/// more, and the sender has the old one from the SMP.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_was_revoked_is_asked_for_again() {
    let stage = Stage::set().await;
    let leaf = || {
        let role = LeafRole::AccessPoint;
        stage.around.pki.leaf(role, "POP000002", LeafValidity::Current).unwrap()
    };
    let (old, new) = (leaf(), leaf());
    let files = |name: &str| stage.folder.path().join(name);
    let (old_certificate, old_key) = old.write(&files("old"), "ap").unwrap();
    let (certificate, key) = new.write(&files("new"), "ap").unwrap();
    let from = stage.clock.now() + SignedDuration::from_hours(24);
    let next = NextKey { from: Some(from), key: KeyPlace::files(certificate, key) };
    let play = stage
        .play_with(|_, two| {
            two.access_point.certificate_file = Some(old_certificate);
            two.access_point.key_file = Some(old_key);
            two.access_point.next = Some(next);
        })
        .await;
    let used = async |number: &str| {
        let id = play.send(number).await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{number}: {}", ending.text("message"));
        let attempts = play.attempts(&id).await;
        attempts.last().unwrap().report["send"]["certificateSha256"].as_str().unwrap().to_owned()
    };
    let print = |der: &[u8]| {
        data_encoding::HEXLOWER.encode(Certificate::from_der(der).unwrap().fingerprint())
    };
    assert_eq!(used("BEFORE").await, print(&old.certificate_der));
    play.stage.around.pki.ap.revoke(&old, play.stage.clock.now());
    play.stage.clock.advance(SignedDuration::from_hours(49));
    assert_eq!(used("AFTER").await, print(&new.certificate_der));
}
