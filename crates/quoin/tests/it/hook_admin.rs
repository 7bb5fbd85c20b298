//! Hooks beyond their registration: secrets that rotate, pings, replays, and forced channels.

use jiff::SignedDuration;
use quoin_store::{HookScope, Secret};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{World, world};

const PARTY: &str = "0106:12345678";

async fn secrets(world: &World, id: &str) -> Vec<String> {
    let (owner, id) = ("acme".parse().unwrap(), id.parse().unwrap());
    let hook = world.store.hook(&owner, &HookScope::Environment, &id).await.unwrap().unwrap();
    hook.secrets.iter().map(|secret| secret.reveal().to_owned()).collect()
}

#[tokio::test]
async fn a_secret_rotates_with_a_day_of_overlap() {
    let world = world().await;
    let acme = world.acme().await;
    let rotate = "/api/v1/hook/events/rotate";
    let (status, first) = acme.json(Method::POST, rotate, json!({ "secret": "second" })).await;
    assert_eq!((status, &first["secret"]), (200, &json!("second")), "{first}");
    assert!(first["previousSecretUntil"].is_string());
    assert_eq!(secrets(&world, "events").await, ["second", "hook-secret"]);
    let (status, refused) = acme.json(Method::POST, rotate, json!({})).await;
    assert_eq!((status, &refused["code"]), (409, &json!("API409.Rotation")));
    // A mistyped secret can be corrected; receivers still know the one before.
    let put = json!({ "id": "events", "action": "https://erp.example.org/e#third",
        "topics": ["Invoice*"] });
    assert_eq!(acme.json(Method::PUT, "/api/v1/hook", put).await.0, 200);
    assert_eq!(secrets(&world, "events").await, ["third", "hook-secret"]);
    world.clock.advance(SignedDuration::from_hours(25));
    let acme = world.acme().await;
    let request = acme.request(Method::POST, rotate);
    let (status, made) = acme.send(request).await;
    assert_eq!(status, 200, "{made}");
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!(secrets(&world, "events").await[1], "third");
}

#[tokio::test]
async fn a_hook_that_was_read_can_be_put_back_as_it_is() {
    let world = world().await;
    let acme = world.acme().await;
    let (_, mut hook) = acme.get("/api/v1/hook/events").await;
    hook["name"] = json!("renamed");
    let (status, changed) = acme.json(Method::PUT, "/api/v1/hook", hook).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!((&changed["name"], &changed["hasSecret"]), (&json!("renamed"), &json!(true)));
    assert_eq!(secrets(&world, "events").await, ["hook-secret"], "the secret stays");
    let moved = json!({ "id": "events", "action": "https://other.example.org/",
        "topics": ["Invoice*"] });
    acme.json(Method::PUT, "/api/v1/hook", moved).await;
    assert!(secrets(&world, "events").await.is_empty(), "it belongs to the destination");
}

/// Who names a party means its hook, and not one that hears of everybody's documents.
#[tokio::test]
async fn a_hook_is_registered_for_the_party_that_it_names() {
    let world = world().await;
    let acme = world.acme().await;
    let hook = |party: Value| {
        json!({ "id": "own", "action": "https://erp.example.org/own", "topics": ["InvoiceSent"],
                "partyId": party })
    };
    let of_party = format!("/api/v1/{PARTY}/hook");
    for (place, party) in [
        ("/api/v1/hook", json!(PARTY)),
        ("/api/v1/hook", json!(5)),
        (of_party.as_str(), json!("0106:99999999")),
    ] {
        let (status, refused) = acme.json(Method::POST, place, hook(party)).await;
        assert_eq!((status, &refused["code"]), (400, &json!("API400.Hook")), "{place} {refused}");
        assert!(refused["detail"].as_str().unwrap().contains("partyId"), "{refused}");
    }
    for (place, party) in [("/api/v1/hook", Value::Null), (of_party.as_str(), json!(PARTY))] {
        let (status, made) = acme.json(Method::POST, place, hook(party.clone())).await;
        assert_eq!((status, &made["partyId"]), (200, &party), "{made}");
        assert_eq!(acme.json(Method::PUT, place, made).await.0, 200);
    }
}

#[tokio::test]
async fn ids_that_would_hide_something_are_reserved() {
    let world = world().await;
    let acme = world.acme().await;
    for (id, action) in [
        ("ping", "https://erp.example.org/"),
        ("peppol-fallback", "https://erp.example.org/"),
        ("peppol", "https://erp.example.org/"),
        ("mine", "peppol"),
    ] {
        let hook = json!({ "id": id, "action": action, "topics": ["Send*"] });
        let (status, refused) = acme.json(Method::POST, "/api/v1/hook", hook).await;
        assert_eq!((status, &refused["code"]), (400, &json!("API400.Hook")), "{id}");
    }
    let own = json!({ "id": "peppol", "action": "peppol", "topics": ["Send*"],
        "output": [{ "when": "404", "topic": "InvoiceClearedError" }] });
    let (status, hook) = acme.json(Method::POST, "/api/v1/hook", own).await;
    assert_eq!(status, 200, "{hook}");
    let (_, all) = acme.get("/api/v1/hook").await;
    let ids = all.as_array().unwrap().iter().filter(|hook| hook["id"] == "peppol");
    assert_eq!(ids.count(), 1, "it stands for the one that is there by itself");
}

#[tokio::test]
async fn a_ping_is_owed_to_every_hook_of_the_party() {
    let world = world().await;
    let acme = world.acme().await;
    let place = format!("/api/v1/{PARTY}/hook");
    let hook = json!({ "id": "mine", "action": "https://erp.example.org/p",
        "topics": ["OrderSent"], "filter": "sender == \"0106:99999999\"" });
    assert_eq!(acme.json(Method::POST, &place, hook).await.0, 200);
    let (status, ping) = acme.get(&format!("{place}/ping")).await;
    assert_eq!(status, 200, "{ping}");
    for log in ["/api/v1/hook/events/deliveries".to_owned(), format!("{place}/mine/deliveries")] {
        let (_, found) = acme.get(&log).await;
        let [call] = found["items"].as_array().unwrap().as_slice() else { panic!("{found}") };
        assert_eq!((&call["topic"], &call["state"]), (&json!("Ping"), &json!("pending")));
        assert_eq!(call["documentId"], ping["id"]);
        assert_eq!(call["body"]["topic"], "Ping");
        assert_eq!(call["body"]["partyId"], PARTY);
    }
    let other = world.client("other-erp", "other-secret").await;
    assert_eq!(other.get(&format!("{place}/ping")).await.0, 403);
}

#[tokio::test]
async fn a_period_is_replayed_also_for_a_hook_that_came_late() {
    let world = world().await;
    let acme = world.acme().await;
    let place = format!("/api/v1/{PARTY}/hook");
    acme.get(&format!("{place}/ping")).await;
    let late = json!({ "id": "late", "action": "https://erp.example.org/l", "topics": ["*"] });
    acme.json(Method::POST, &place, late).await;
    let all = json!({ "from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z" });
    let replay = format!("{place}/late/replay");
    let (status, made) = acme.json(Method::POST, &replay, all.clone()).await;
    assert_eq!((status, made), (202, json!({ "count": 1 })));
    let (_, made) = acme.json(Method::POST, &replay, all.clone()).await;
    assert_eq!(made, json!({ "count": 0 }), "it is pending now");
    let (_, log) = acme.get(&format!("{place}/late/deliveries")).await;
    let call = log["items"][0]["id"].as_str().unwrap().to_owned();
    let one = |hook: &str| format!("/api/v1/{hook}/deliveries/{call}/replay");
    for (path, status) in [
        (one(&format!("{PARTY}/hook/late")), 404),
        (one("hook/events"), 404),
        (format!("{place}/none/replay"), 404),
    ] {
        assert_eq!(acme.json(Method::POST, &path, all.clone()).await.0, status, "{path}");
    }
    let (status, bad) = acme.json(Method::POST, &replay, json!({ "from": "yesterday" })).await;
    assert_eq!((status, &bad["code"]), (400, &json!("API400.Json")));
    let topics = ["*Received", "InvoiceSent", "*Received"];
    let batch = json!({ "id": "zip", "action": "batch://zip", "topics": topics });
    let (status, made) = acme.json(Method::POST, &place, batch).await;
    assert_eq!((status, &made["topics"]), (200, &json!(["*Received", "InvoiceSent"])), "each once");
    let (status, bad) = acme.json(Method::POST, &format!("{place}/zip/replay"), all).await;
    assert_eq!((status, &bad["code"]), (400, &json!("API400.Hook")));
}

#[tokio::test]
async fn a_channel_that_is_not_there_is_refused_and_names_those_that_are() {
    let world = world().await;
    let acme = world.acme().await;
    let invoice = quoin_formats::samples::invoice(PARTY, "0106:87654321", "1");
    let post = async |place: &str, channel: &str| -> (u16, Value) {
        let path = format!("/api/v1/{PARTY}/{place}?channel={channel}");
        let request = acme.request(Method::POST, &path).header("content-type", "application/xml");
        acme.send(request.body(invoice.clone())).await
    };
    for place in ["salesInvoice/send", "generic/send", "salesInvoice/sendDryRun"] {
        for channel in ["dico", "events", "peppol-fallback"] {
            let (status, refused) = post(place, channel).await;
            let told = (status, &refused["code"]);
            assert_eq!(told, (400, &json!("API400.Channel")), "{place} {channel}");
            assert!(refused["message"].as_str().unwrap().contains("peppol"), "{refused}");
        }
        assert_eq!(post(place, "peppol").await.0, 200, "{place}");
    }
}

#[tokio::test]
async fn secrets_are_stored_newest_first() {
    let world = world().await;
    let owner = "acme".parse().unwrap();
    let id = "events".parse().unwrap();
    let hook = world.store.hook(&owner, &HookScope::Environment, &id).await.unwrap().unwrap();
    assert_eq!(hook.secrets, [Secret::new("hook-secret")]);
    assert_eq!(hook.rotated_on, None);
}

#[tokio::test]
async fn putting_a_hook_twice_registers_it_once_and_posting_it_twice_does_so_twice() {
    let world = world().await;
    let acme = world.acme().await;
    let path = "/api/v1/0106:12345678/hook";
    let body = json!({ "action": "https://erp.example.org/twice#a-long-secret", "topics": ["*"] });
    let mut ids = Vec::new();
    for method in [Method::PUT, Method::PUT, Method::POST, Method::POST] {
        let (status, hook) = acme.json(method, path, body.clone()).await;
        assert_eq!(status, 200, "{hook}");
        ids.push(hook["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids[0], ids[1]);
    assert!(ids[1] != ids[2] && ids[2] != ids[3], "{ids:?}");
    let (_, listed) = acme.get(path).await;
    assert_eq!(listed.as_array().unwrap().len(), 3, "{listed}");
}

/// Of rotations that come at once one counts, and one beside a removal leaves no hook behind.
#[tokio::test(flavor = "multi_thread")]
async fn of_rotations_at_once_one_counts() {
    let world = world().await;
    let acme = world.acme().await;
    let rotate = || acme.json(Method::POST, "/api/v1/hook/events/rotate", json!({}));
    let answers = <[_; 4]>::from(tokio::join!(rotate(), rotate(), rotate(), rotate()));
    let mut statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409], "{answers:?}");
    let (_, made) = answers.iter().find(|(status, _)| *status == 200).unwrap();
    let made = made["secret"].as_str().unwrap();
    assert_eq!(secrets(&world, "events").await, [made, "hook-secret"]);

    let hook = json!({ "id": "short", "action": "https://erp.example.org/s#a-long-secret",
        "topics": ["Invoice*"] });
    for _ in 0..10 {
        assert_eq!(acme.json(Method::POST, "/api/v1/hook", hook.clone()).await.0, 200);
        let rotation = acme.json(Method::POST, "/api/v1/hook/short/rotate", json!({}));
        let removal = acme.json(Method::DELETE, "/api/v1/hook/short", Value::Null);
        let ((rotated, _), (removed, _)) = tokio::join!(rotation, removal);
        assert!(rotated == 200 || rotated == 404, "{rotated}");
        assert_eq!(removed, 204);
        assert_eq!(acme.get("/api/v1/hook/short").await.0, 404, "it stays removed");
    }
}
