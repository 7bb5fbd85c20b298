//! What a receiver takes, and a document could become, begins later: it is waited for, and nobody
//! is told that the receiver is not there.

use jiff::{SignedDuration, Timestamp};
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::{PublishedService, ServiceEndpoint};
use reqwest::Method;

use super::{ANY, BILLING, CORE_CII, taking};
use crate::stage::Play;

const BIS: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
     Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

/// Publishes that a type is taken here from then on.
async fn begins(play: &Play, (id, process): (&str, &str), at: Timestamp) {
    let endpoint = ServiceEndpoint {
        transport_profile: "peppol-transport-as4-v2_0".to_owned(),
        address: None,
        certificate: None,
        activation: Some(at),
        expiration: None,
        description: "story".to_owned(),
        technical_contact: "mailto:story@quoin.test".to_owned(),
        technical_information: None,
    };
    let service = PublishedService {
        participant: RECEIVER.to_owned(),
        document_type: id.to_owned(),
        process: process.to_owned(),
        organisation: play.stage.receiver.organisation.parse().unwrap(),
        explicit: true,
        endpoints: Some(vec![endpoint]),
        created_on: play.stage.clock.now(),
    };
    play.two.parts.store.put_services(vec![service]).await.unwrap();
}

async fn dry_run(play: &Play) -> serde_json::Value {
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let invoice = samples::invoice(SENDER, RECEIVER, "LATER-DRY");
    let headers = [("content-type", "application/xml")];
    let sender = play.sender().await;
    sender.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap().json
}

async fn asked(play: &Play, path: &str) -> (u16, serde_json::Value) {
    let answer = play.sender().await.call(Method::GET, path, &[], None::<String>).await.unwrap();
    (answer.status, answer.json)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_waits_for_a_form_that_begins_later() {
    let play = taking(&[]).await;
    let at = play.stage.clock.now() + SignedDuration::from_mins(30);
    begins(&play, (CORE_CII, ANY), at).await;
    let run = dry_run(&play).await;
    assert_eq!(run["verdict"], "uncertain", "{run}");
    assert!(run["reason"].as_str().unwrap().contains("becomes active"), "{run}");
    let options = format!("/api/v1/peppol/deliveryOption?partyIds={RECEIVER}");
    assert_eq!(asked(&play, &options).await, (200, serde_json::json!([])));

    let id = play.send("LATER-1").await;
    let told = play.told(&id, &["InvoiceSentRetry", "InvoiceSentError"]).await;
    assert_eq!(told.text("topic"), "InvoiceSentRetry");
    play.stage.clock.advance(SignedDuration::from_mins(45));
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_now_counts_beside_what_begins_later() {
    let play = taking(&[(BIS, BILLING)]).await;
    let at = play.stage.clock.now() + SignedDuration::from_mins(30);
    begins(&play, (CORE_CII, ANY), at).await;
    let options = format!("/api/v1/peppol/deliveryOption?partyIds={RECEIVER}");
    let (status, json) = asked(&play, &options).await;
    assert_eq!((status, json.as_array().map(Vec::len)), (200, Some(1)), "{json}");
    let query = format!("/api/v1/queryRecipientParty?identifier={RECEIVER}");
    let (status, json) = asked(&play, &query).await;
    assert_eq!((status, &json["channel"]), (200, &serde_json::json!("peppol")), "{json}");
    assert_eq!(dry_run(&play).await["verdict"], "deliverable");
}
