//! Statuses that do not fit: about nothing of ours, of a provider that was not asked, and of a
//! customer in the name of the provider.

use quoin_delivery::{Direction, Family};
use quoin_lab::lab::network::{Customer, RECEIVER, SENDER};
use reqwest::Method;
use uuid::Uuid;

use super::{all_of, asking};
use crate::stage::{PROVIDER_TWO, Play, arrived, until};

/// A status about nothing that was sent here is kept with the provider, and visible there.
#[tokio::test(flavor = "multi_thread")]
async fn a_status_about_something_unknown_is_kept() {
    let scene = crate::receiving::Scene::set().await;
    let provider = Customer { organisation: "provider".to_owned(), ..scene.stage.sender.clone() };
    let before = arrived(&scene.two, &provider).await.len();
    let text = status_text("RE", &Uuid::new_v4().to_string());
    scene.deliver(&scene.forger.status(&text)).await;
    let kept = until("it is looked at", async || {
        let all = arrived(&scene.two, &provider).await;
        all.into_iter().find(|record| record.transaction.status.is_final())
    })
    .await;
    assert_eq!(before, 0);
    assert_eq!(kept.transaction.party, PROVIDER_TWO);
    let lines = scene.two.parts.store.timeline_of(&kept.transaction.id).await.unwrap();
    assert_eq!(lines.last().unwrap().name, "Delivered");
}

/// Only the provider that a document was sent to can settle its status.
#[tokio::test(flavor = "multi_thread")]
async fn a_status_of_another_provider_does_not_count() {
    let play = asking(|_, two| two.provider.give_statuses = false).await;
    let invoice = quoin_formats::samples::invoice(RECEIVER, SENDER, "MLS-FOREIGN");
    let id = Uuid::new_v4().to_string();
    let receiver = play.receiver().await;
    assert_eq!(receiver.send(RECEIVER, &id, invoice).await.status, 200);
    play.told(&id, &["InvoiceSent"]).await;
    let store = &play.two.parts.store;
    let owner = "receiver".parse().unwrap();
    let find = async || {
        let id = id.parse().unwrap();
        store.transaction_of(&owner, Direction::Outgoing, &id).await.unwrap().unwrap()
    };
    let sent = find().await;
    let envelope = sent.instance_id.clone().unwrap();
    let stranger = {
        use quoin_lab::lab::pki::{LeafRole, LeafValidity};
        let pki = &play.stage.around.pki;
        pki.leaf(LeafRole::AccessPoint, "POP000009", LeafValidity::Current).unwrap()
    };
    let stranger = crate::stage::forger::Forger::as_leaf(&play.stage, &stranger);
    let trust = &play.two.parts.trust;
    trust.prepare(stranger.receiver(), quoin_peppol::pki::CertificateRole::AccessPoint).await;
    let draft = stranger.status_of("0242:000009", &status_text_of("000009", "RE", &envelope));
    stranger.deliver(&draft, trust).await;
    let kept = until("it is looked at", async || {
        let family = Family::MessageLevelStatus;
        let all = all_of(&play.two, "receiver", Direction::Incoming, family).await;
        all.into_iter().find(|record| record.transaction.status.is_final())
    })
    .await;
    let events = store.events_since(&owner, quoin_delivery::EventId(0), 500).await.unwrap();
    let about =
        events.iter().find(|event| event.transaction.as_ref() == Some(&kept.transaction.id));
    assert!(about.unwrap().message.contains("another provider"), "{about:?}");
    assert!(store.status_messages(&sent.transaction.id).await.unwrap().is_empty());
    assert_eq!(store.status_of(&sent.transaction.id).await.unwrap().unwrap().code, None);
}

/// The generation before: a Message Level Response comes to the party itself, and may name the
/// number of the document. It is linked, and does not count.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_level_response_is_understood() {
    let play = Play::begin().await;
    let store = &play.two.parts.store;
    let owner: quoin_delivery::OrganisationId = "receiver".parse().unwrap();
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2";
    let mlr = "urn:fdc:peppol.eu:poacc:trns:mlr:3";
    let service = quoin_store::PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: format!("busdox-docid-qns::{ubl}::ApplicationResponse##{mlr}::2.1"),
        process: "cenbii-procid-ubl::urn:fdc:peppol.eu:poacc:bis:mlr:3".to_owned(),
        organisation: owner.clone(),
        explicit: true,
        endpoints: None,
        created_on: play.stage.clock.now(),
    };
    store.put_services(vec![service]).await.unwrap();
    let invoice = quoin_formats::samples::invoice(RECEIVER, SENDER, "MLR-1");
    let id = Uuid::new_v4().to_string();
    assert_eq!(play.receiver().await.send(RECEIVER, &id, invoice).await.status, 200);
    play.told(&id, &["InvoiceSent"]).await;

    let forger = crate::stage::forger::Forger::new(&play.stage);
    let trust = &play.two.parts.trust;
    trust.prepare(forger.receiver(), quoin_peppol::pki::CertificateRole::AccessPoint).await;
    let text = status_text("RE", "MLR-1")
        .replace("urn:peppol:edec:mls:1.0", mlr)
        .replace("urn:peppol:edec:mls", "urn:fdc:peppol.eu:poacc:bis:mlr:3")
        .replace(">000001<", ">12345678<")
        .replace(">000002<", ">87654321<")
        .replace("schemeID=\"0242\"", "schemeID=\"0106\"");
    let instance = Uuid::new_v4().to_string();
    let draft = forger.draft_from(SENDER, Family::MessageLevelStatus, &text, &instance);
    forger.deliver(&draft, trust).await;
    let told = play.told(&id, &["MessageLevelStatusReceived"]).await;
    assert_eq!(told.payload["details"]["statusCode"], "RE");
    let found = store.transaction_of(&owner, Direction::Outgoing, &id.parse().unwrap()).await;
    let sent = found.unwrap().unwrap().transaction.id;
    let messages = store.status_messages(&sent).await.unwrap();
    let [message] = &messages[..] else { panic!("{messages:?}") };
    assert_eq!((message.code.as_deref(), message.counts), (Some("RE"), false));
    assert_eq!(store.status_of(&sent).await.unwrap().unwrap().code, None);
}

/// The provider's name is the provider's: a customer cannot send a status under it.
#[tokio::test(flavor = "multi_thread")]
async fn a_customer_cannot_speak_for_the_provider() {
    let play = Play::begin().await;
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/generic/send");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let text = status_text("RE", &Uuid::new_v4().to_string());
    let sender = play.sender().await;
    let answer = sender.call(Method::POST, &path, &headers, Some(text)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let lines = until("it is judged", async || {
        let path = format!("/api/v1/{SENDER}/generic/{id}/status");
        let answer = sender.get(&path).await;
        (answer.headers["x-service-status"] != "Pending").then_some(answer.json.to_string())
    })
    .await;
    assert!(lines.contains("Rejected") && lines.contains("0242:000001"), "{lines}");
}

pub(super) fn status_text(code: &'static str, envelope: &str) -> String {
    status_text_of("000001", code, envelope)
}

/// A status of a provider to the receiver's.
fn status_text_of(provider: &str, code: &'static str, envelope: &str) -> String {
    use quoin_formats::ubl::write::{MessageLevelStatus, StatusIssue, message_level_status};
    let end = |value: &str| quoin_model::ElectronicAddress {
        scheme: "0242".to_owned(),
        value: value.to_owned(),
    };
    let wrong = StatusIssue {
        place: "NA".to_owned(),
        text: "[BR-01] it is wrong".to_owned(),
        reason: "BV",
    };
    message_level_status(&MessageLevelStatus {
        id: Uuid::new_v4().to_string(),
        issued: jiff::civil::datetime(2026, 11, 21, 12, 0, 0, 0),
        sender: end(provider),
        receiver: end("000002"),
        code,
        description: "It is wrong.".to_owned(),
        envelope: envelope.to_owned(),
        // What is taken has no errors (SCH-MLS-25).
        issues: (code == "RE").then_some(wrong).into_iter().collect(),
    })
}
