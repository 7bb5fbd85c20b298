//! Look-ups of recipients (item 26).

use std::time::{Duration, Instant};

use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Play;
use crate::world::{world, world_where};

const PARTY: &str = "0106:12345678";
/// XRechnung 3.0, which the receiver does not take.
const XRECHNUNG: &str = "busdox-docid-qns%3A%3Aurn%3Aoasis%3Anames%3Aspecification%3Aubl%3Aschema\
    %3Axsd%3AInvoice-2%3A%3AInvoice%23%23urn%3Acen.eu%3Aen16931%3A2017%23compliant%23urn%3Axeinkauf.de\
    %3Akosit%3Axrechnung_3.0%3A%3A2.1";

#[tokio::test(flavor = "multi_thread")]
async fn c_26_a_preferred_type_that_is_not_taken_makes_nobody_unreachable() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/queryRecipientParty");
    let query = format!("?preferredDocumentTypeId={XRECHNUNG}");
    let headers = [("content-type", "application/json")];
    let body = json!([RECEIVER]).to_string();
    let posted = sender.call(Method::POST, &format!("{path}{query}"), &headers, Some(body)).await;
    let posted = posted.unwrap().json;
    let got =
        sender.get(&format!("/api/v1/queryRecipientParty{query}&identifier={RECEIVER}")).await;
    for found in [posted, got.json] {
        assert_eq!(found["channel"], "peppol", "{found}");
        assert!(!found["documentTypeIds"].as_array().unwrap().is_empty());
        assert!(found["accessPoint"]["url"].is_string(), "{found}");
        let said = found["description"].as_str().unwrap();
        assert!(said.ends_with("not for the preferred one"), "{said}");
    }
}

#[tokio::test]
async fn c_26_who_does_not_answer_delays_nobody_and_is_named() {
    let world = world_where(|settings| settings.lookup_timeout = Duration::from_secs(30)).await;
    let acme = world.acme().await;
    let path = format!("/api/v1/{PARTY}/salesInvoice/queryRecipientParty");
    let begun = Instant::now();
    let asked = json!(["0106:33333333", "0106:22222222", "0106:44444444"]);
    let (status, found) = acme.json(Method::POST, &path, asked).await;
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert_eq!((status, &found["id"]), (200, &json!("0106:44444444")), "{found}");
    let named = |place: usize, name: &str| found["candidates"][place][name].clone();
    assert_eq!((named(0, "id"), named(1, "id")), (json!("0106:33333333"), json!("0106:22222222")));
    for place in [0, 1] {
        assert_eq!(named(place, "channel"), Value::Null);
        let said = named(place, "description").as_str().unwrap().to_owned();
        assert!(said.starts_with("not known at the moment"), "{said}");
    }
    assert_eq!(named(1, "reason"), "dns-trouble");
}

#[tokio::test]
async fn c_26_nobody_who_answers_is_told_as_the_look_up_that_it_is() {
    let world = world().await;
    let acme = world.acme().await;
    let path = format!("/api/v1/{PARTY}/salesInvoice/queryRecipientParty");
    let (status, body) = acme.json(Method::POST, &path, json!(["0106:33333333"])).await;
    assert_eq!((status, &body["code"]), (503, &json!("API503.Lookup")), "{body}");
    assert!(body["detail"].as_str().unwrap().contains("0106:33333333"), "{body}");
    for wrong in [json!("0106:87654321"), json!({ "ids": [] }), json!([1])] {
        let (status, body) = acme.json(Method::POST, &path, wrong).await;
        assert_eq!(status, 400, "{body}");
        let detail = body["detail"].as_str().unwrap();
        assert!(detail.contains("expected an array of 1 to 50 identifiers"), "{detail}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c_26_get_applies_the_hooks_that_post_applies() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let hook = json!({ "id": "1", "action": "mailto:a@example.org", "topics": ["Send*"] });
    let headers = [("content-type", "application/json")];
    let place = format!("/api/v1/{SENDER}/hook");
    let put = sender.call(Method::PUT, &place, &headers, Some(hook.to_string())).await.unwrap();
    assert_eq!(put.status, 200, "{}", put.json);
    let path = format!("/api/v1/{SENDER}/salesInvoice/queryRecipientParty");
    let other = "0106:40440404";
    let body = json!([RECEIVER, other]).to_string();
    let posted = sender.call(Method::POST, &path, &headers, Some(body)).await.unwrap().json;
    // What is said of one among others is what is said of it alone.
    for (id, among) in [(RECEIVER, &posted), (other, &posted["candidates"][0])] {
        for from in [String::new(), format!("&senderId={SENDER}")] {
            let path = format!("/api/v1/queryRecipientParty?identifier={id}{from}");
            let got = sender.get(&path).await.json;
            let told = |found: &Value| (found["channel"].clone(), found["alternatives"].clone());
            assert_eq!(told(&got), told(among), "{id}{from}: {got} {posted}");
            assert_eq!(got["channel"], "1");
        }
    }
}
