//! Hooks and channels (item 24).

use quoin_delivery::{HookId, OrganisationId};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::HookScope;
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Play;
use crate::world::world;

const PARTY: &str = "0106:12345678";

#[tokio::test]
async fn c_24_ids_of_hooks_are_unique_within_a_party_or_the_environment() {
    let world = world().await;
    let acme = world.client("acme-boss", "boss-secret").await;
    let mut places = vec!["/api/v1/hook".to_owned(), format!("/api/v1/{PARTY}/hook")];
    let second = json!({ "identifiers": ["0106:22222222"] });
    let path = "/api/v1/peppol/config/party/0106:22222222";
    let (status, made) = acme.json(Method::PUT, path, second).await;
    assert_eq!(status, 200, "{made}");
    places.push("/api/v1/0106:22222222/hook".to_owned());
    for (number, place) in places.iter().enumerate() {
        let action = format!("https://erp.example.org/{number}#secret-{number}");
        let hook = json!({ "id": "erp", "action": action, "topics": ["Invoice*"] });
        let (status, hook) = acme.json(Method::PUT, place, hook).await;
        assert_eq!((status, hook["id"].as_str()), (200, Some("erp")), "{place}: {hook}");
    }
    for (number, place) in places.iter().enumerate() {
        let (_, hook) = acme.get(&format!("{place}/erp")).await;
        assert_eq!(hook["action"], format!("https://erp.example.org/{number}"));
        let (_, all) = acme.get(place).await;
        let ids = all.as_array().unwrap().iter().filter(|hook| hook["id"] == "erp");
        assert_eq!(ids.count(), 1, "{all}");
        let log = acme.get(&format!("{place}/erp/deliveries")).await;
        assert_eq!((log.0, &log.1["items"]), (200, &json!([])), "{log:?}");
    }
    let gone = acme.request(Method::DELETE, &format!("{}/erp", places[1]));
    assert_eq!(acme.send(gone).await.0, 204);
    assert_eq!(acme.get(&format!("{}/erp", places[1])).await.0, 404);
    assert_eq!(acme.get(&format!("{}/erp", places[0])).await.0, 200, "the others stay");
}

/// A hook of the sender's service, through its interface.
async fn register(play: &Play, place: &str, hook: Value) {
    let sender = play.sender().await;
    let headers = [("content-type", "application/json")];
    let answer = sender.call(Method::PUT, place, &headers, Some(hook.to_string())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn c_24_calls_of_hooks_with_one_id_are_told_apart() {
    let play = Play::begin().await;
    for (place, topic) in
        [("/api/v1/hook".to_owned(), "InvoiceSent"), (format!("/api/v1/{SENDER}/hook"), "Invoice*")]
    {
        let action = format!("{}#secret", play.stage.around.sink_url);
        register(&play, &place, json!({ "id": "1", "action": action, "topics": [topic] })).await;
    }
    let id = play.send("ONE-ID").await;
    play.ending(&id).await;
    let owner: OrganisationId = play.stage.sender.organisation.parse().unwrap();
    let one: HookId = "1".parse().unwrap();
    for scope in [HookScope::Environment, HookScope::Party(SENDER.to_owned())] {
        let store = &play.one.parts.store;
        let hook = store.hook(&owner, &scope, &one).await.unwrap().unwrap();
        let calls = crate::stage::until("it is called", async || {
            let calls = store.hook_log(&owner, &hook.key, &scope, 0, 10).await.unwrap();
            Some(calls).filter(|calls| !calls.is_empty())
        })
        .await;
        assert_eq!(calls.len(), 1, "{calls:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c_24_a_forced_peppol_has_no_fallback() {
    let play = Play::begin().await;
    let hook = json!({
        "id": "late", "action": "mailto:late@example.org", "topics": ["Send*Fallback"],
    });
    register(&play, &format!("/api/v1/{SENDER}/hook"), hook).await;
    let invoice = quoin_formats::samples::invoice(SENDER, "0106:40440404", "FORCED");
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=peppol");
    let headers = [("content-type", "application/xml")];
    let answer = sender.call(Method::POST, &path, &headers, Some(invoice.clone())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let id = answer.json["id"].as_str().unwrap().to_owned();
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError", "{told:#?}");
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun?channel=peppol");
    let answer = sender.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap();
    assert_eq!(answer.json["verdict"], "unroutable", "{}", answer.json);
    assert_ne!(SENDER, RECEIVER);
}

#[tokio::test(flavor = "multi_thread")]
async fn c_24_a_ping_runs_no_output() {
    let play = Play::begin().await;
    let action = format!("{}#secret", play.stage.around.sink_url);
    let hook = json!({
        "id": "ksef", "action": action, "topics": ["ClearInvoiceBatched"],
        "output": [{ "when": "*", "topic": "InvoiceCleared" }],
    });
    register(&play, &format!("/api/v1/{SENDER}/hook"), hook).await;
    let sender = play.sender().await;
    let ping = sender.get(&format!("/api/v1/{SENDER}/hook/ping")).await;
    let id = ping.json["id"].as_str().unwrap().to_owned();
    play.told(&id, &["Ping"]).await;
    // Everything that followed from the ping is on record once its call is.
    let scope = HookScope::Party(SENDER.to_owned());
    let owner: OrganisationId = play.stage.sender.organisation.parse().unwrap();
    let store = &play.one.parts.store;
    let hook = store.hook(&owner, &scope, &"ksef".parse().unwrap()).await.unwrap().unwrap();
    crate::stage::until("the ping is taken", async || {
        let calls = store.hook_log(&owner, &hook.key, &scope, 0, 10).await.unwrap();
        calls.into_iter().find(|call| call.state == quoin_store::CallState::Delivered)
    })
    .await;
    let feed = sender.get("/api/v1/events").await;
    let topics: Vec<_> =
        feed.json["items"].as_array().unwrap().iter().map(|e| &e["topic"]).collect();
    assert!(!topics.contains(&&json!("InvoiceCleared")), "{topics:?}");
}

#[tokio::test]
async fn bo_10_a_filter_that_can_never_do_what_it_says_is_refused() {
    let world = world().await;
    let acme = world.acme().await;
    let hook = |filter: &str| {
        json!({
            "id": "erp", "action": "https://erp.example.org/e", "topics": ["Invoice*"],
            "filter": filter,
        })
    };
    for (filter, meant) in [
        (r#"recepient != "0106:87654321""#, "did you mean recipient?"),
        (r#"sender == "Acme BV""#, "expected a participant identifier"),
        (r#"id == "1" && id == "2""#, "two things at once"),
    ] {
        let (status, body) = acme.json(Method::PUT, "/api/v1/hook", hook(filter)).await;
        assert_eq!((status, &body["code"]), (400, &json!("API400.Hook")), "{body}");
        assert!(body["detail"].as_str().unwrap().contains(meant), "{body}");
    }
    let filter = r#"Sender == "NL:KVK:12345678""#;
    let (status, body) = acme.json(Method::PUT, "/api/v1/hook", hook(filter)).await;
    assert_eq!((status, &body["filter"]), (200, &json!(filter)), "{body}");
}

#[test]
fn bo_10_the_guide_has_every_field_that_a_filter_can_compare() {
    let guide = include_str!("../../../../../docs/guides/hooks.md");
    for row in quoin_delivery::details::DETAILS {
        assert!(guide.contains(&format!("`{}`", row.name)), "{} is not in hooks.md", row.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bo_10_filters_hear_what_they_name_whatever_its_spelling() {
    let play = Play::begin().await;
    let filters = [
        r#"Sender == "NL:KVK:12345678""#,
        r#"sender == "0106:12345678" && topic == "InvoiceSent""#,
        r#"recipient != "NL:KVK:87654321""#,
    ];
    for (number, filter) in filters.iter().enumerate() {
        let hook = json!({
            "id": format!("f{number}"), "action": play.stage.around.sink_url,
            "topics": ["InvoiceSent"], "filter": filter,
        });
        register(&play, &format!("/api/v1/{SENDER}/hook"), hook).await;
    }
    let id = play.send("FILTERS").await;
    play.ending(&id).await;
    let owner: OrganisationId = play.stage.sender.organisation.parse().unwrap();
    let scope = HookScope::Party(SENDER.to_owned());
    let mut told = Vec::new();
    for number in 0..filters.len() {
        let (store, id) = (&play.one.parts.store, format!("f{number}").parse().unwrap());
        let hook = store.hook(&owner, &scope, &id).await.unwrap().unwrap();
        told.push(store.hook_log(&owner, &hook.key, &scope, 0, 10).await.unwrap().len());
    }
    assert_eq!(told, [1, 1, 0]);
}
