//! What is written in another way than it is meant is told, and never taken for something else.

use std::collections::BTreeMap;

use quoin_store::{Hook, HookScope};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, World, answer, world};

const PARTY: &str = "0106:12345678";

async fn boss(world: &World) -> As {
    world.client("acme-boss", "boss-secret").await
}

/// A body as it is written.
async fn raw(caller: &As, method: &str, path: &str, body: &str) -> (u16, Value) {
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let request = caller.request(method, path).header("content-type", "application/json");
    answer(request.body(body.to_owned())).await
}

#[tokio::test]
async fn a_list_is_no_object_and_no_member_is_given_twice() {
    let world = world().await;
    let boss = boss(&world).await;
    world.user("alice").await;
    let (_, made) = boss.json(Method::POST, "/api/v1/client", json!({})).await;
    let client = made["clientId"].as_str().unwrap();
    let party_hook =
        json!({ "id": "mine", "action": "https://erp.example.org/p", "topics": ["Invoice*"] });
    let place = format!("/api/v1/{PARTY}/hook");
    assert_eq!(boss.json(Method::POST, &place, party_hook).await.0, 200);
    let (_, described) = answer(world.http.get(format!("{}/openapi.json", world.base))).await;
    let mut tried = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let content = operation["requestBody"]["content"].as_object();
            let is_json = content
                .is_some_and(|kinds| kinds.len() == 1 && kinds.contains_key("application/json"));
            // Documents that are answered are not there, and recipients are a list.
            let other = path.contains("{documentId}") || path.ends_with("queryRecipientParty");
            if !is_json || other {
                continue;
            }
            let hook = if path.contains("{partyId}") { "mine" } else { "events" };
            let path = path.replace("{partyId}", PARTY).replace("{hookId}", hook);
            let path = path.replace("{clientId}", client).replace("{name}", "alice");
            for body in ["[]", "[true]", "[\"a\", null, [], {}]"] {
                let (status, problem) = raw(&boss, method, &path, body).await;
                let found = (status, &problem["code"]);
                assert_eq!(found, (400, &json!("API400.Json")), "{method} {path} {problem}");
            }
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried} operations");
    let enrol = format!("/api/v1-beta/{PARTY}/enroll");
    for (path, body, code) in [
        (
            "/api/v1/peppol/config",
            r#"{"capabilities": {"invoices": "on", "invoices": "off"}}"#,
            "API400.Json",
        ),
        ("/api/v1/peppol/config", r#"{"selfBilling": "on", "selfBilling": "off"}"#, "API400.Json"),
        ("/api/v1/user", r#"{"name": "a", "name": "b"}"#, "API400.Json"),
        ("/api/v1/hook", r#"{"action": "a", "action": "b"}"#, "API400.Hook"),
        (enrol.as_str(), r#"{"hooks": [], "hooks": []}"#, "API400.Config"),
        (
            enrol.as_str(),
            r#"{"services": {"peppol": {"invoices": "on", "invoices": "off"}}}"#,
            "API400.Config",
        ),
    ] {
        let (status, problem) = raw(&boss, "put", path, body).await;
        assert_eq!((status, &problem["code"]), (400, &json!(code)), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains("given twice"), "{problem}");
    }
    let twice = r#"{"partyIds": ["0106:44444444"], "partyIds": ["0106:11111111"]}"#;
    let path = format!("/api/v1/{PARTY}/salesInvoice/queryRecipientParty");
    assert_eq!(raw(&boss, "post", &path, twice).await.1["code"], "API400.Json");
    let lines = r#"{"kind": "withdraw", "parties": [{"id": "0106:1", "id": "0106:2"}]}"#;
    assert_eq!(raw(&boss, "post", "/api/v1/jobs", lines).await.1["code"], "API400.Json");
}

#[tokio::test]
async fn users_and_clients_are_written_back_as_they_were_read() {
    let world = world().await;
    let boss = boss(&world).await;
    world.user("alice").await;
    let (_, users) = boss.get("/api/v1/user").await;
    let alice = users.as_array().unwrap().iter().find(|user| user["name"] == "alice").unwrap();
    let (status, again) = boss.json(Method::PUT, "/api/v1/user", alice.clone()).await;
    assert_eq!((status, &again), (200, alice));
    let (_, made) = boss.json(Method::POST, "/api/v1/client", json!({ "name": "ERP" })).await;
    let path = format!("/api/v1/client/{}", made["clientId"].as_str().unwrap());
    let (_, read) = boss.get(&path).await;
    assert_eq!(read["createdOn"], made["createdOn"], "a time is the same wherever it is told");
    let (status, again) = boss.json(Method::PUT, &path, read.clone()).await;
    assert_eq!((status, again), (200, read));
}

#[tokio::test]
async fn names_can_be_seen_and_are_no_steps_in_a_path() {
    let world = world().await;
    let boss = boss(&world).await;
    for name in [".", "..", "al\u{200b}ice", "\u{202e}ecila", "a\u{2066}b", "a\tb"] {
        let (status, problem) =
            boss.json(Method::PUT, "/api/v1/user", json!({ "name": name })).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.User")), "{name:?}");
        if name.starts_with('.') {
            let hook = json!({ "id": name, "action": "https://erp.example.org/", "topics": ["*"] });
            let (status, problem) = boss.json(Method::POST, "/api/v1/hook", hook).await;
            assert_eq!((status, &problem["code"]), (400, &json!("API400.Hook")), "{problem}");
            continue;
        }
        let body = json!({ "name": name });
        assert_eq!(boss.json(Method::POST, "/api/v1/client", body).await.0, 400, "{name:?}");
        let hook = json!({ "action": "https://erp.example.org/", "topics": ["*"], "name": name });
        assert_eq!(boss.json(Method::POST, "/api/v1/hook", hook).await.0, 400, "{name:?}");
    }
}

#[tokio::test]
async fn the_last_time_of_all_is_a_time() {
    let world = world().await;
    let boss = boss(&world).await;
    let end = "9999-12-31T23:59:59Z";
    for path in [
        format!("/api/v1/{PARTY}/salesInvoice?to={end}"),
        format!("/api/v1/{PARTY}/salesInvoice?from={end}"),
        format!("/api/v1/{PARTY}/taxReport?dueBefore={end}"),
    ] {
        let (status, body) = boss.get(&path).await;
        assert_eq!(status, 200, "{path} {body}");
        let (status, problem) = boss.get(&path.replace(end, "tomorrow")).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Query")), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains("RFC 3339"), "{problem}");
    }
    let period = json!({ "from": "2020-01-01T00:00:00Z", "to": end });
    let (status, made) = boss.json(Method::POST, "/api/v1/hook/events/replay", period).await;
    assert_eq!(status, 202, "{made}");
}

#[tokio::test]
async fn a_token_of_another_list_is_refused() {
    let world = world().await;
    let boss = boss(&world).await;
    let second = format!("/api/v1/peppol/config/party/{}", "0106:00000001");
    let (status, made) = boss.json(Method::PUT, &second, json!({ "name": "Second" })).await;
    assert_eq!(status, 200, "{made}");
    let (_, page) = boss.get("/api/v1/peppol/config/party?limit=1").await;
    let token = page["continuationToken"].as_str().unwrap();
    let next = format!("/api/v1/peppol/config/party?continuationToken={token}");
    assert_eq!(boss.get(&next).await.0, 200);
    let mine = boss.request(Method::GET, "/api/v1/me/party?limit=1").send().await.unwrap();
    let link = mine.headers()["link"].to_str().unwrap().to_owned();
    let own = link.split("continuationToken=").nth(1).unwrap().split('>').next().unwrap();
    assert_eq!(boss.get(&format!("/api/v1/me/party?continuationToken={own}")).await.0, 200);
    for path in [
        format!("/api/v1/peppol/config/party?continuationToken={own}"),
        format!("/api/v1/me/party?continuationToken={token}"),
        "/api/v1/peppol/config/party?continuationToken=MQ".to_owned(),
    ] {
        let (status, problem) = boss.get(&path).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Continuation")), "{path}");
    }
}

#[tokio::test]
async fn a_reader_that_comes_back_names_an_event() {
    let world = world().await;
    let acme = world.acme().await;
    for (last, wanted) in [("abc", 400), ("-1", 400), ("1.5", 400), ("0", 200), ("", 200)] {
        let request = acme.request(Method::GET, "/api/v1/events/stream");
        let response = request.header("last-event-id", last).send().await.unwrap();
        assert_eq!(response.status(), wanted, "{last:?}");
    }
}

#[tokio::test]
async fn a_job_is_found_under_its_id_in_any_case() {
    let world = world().await;
    let boss = boss(&world).await;
    let id = "0197F3A0-5B1E-7C4A-9A53-0A6C1B2D3E4F";
    let body = json!({ "id": id, "kind": "withdraw", "parties": ["0106:99999999"] });
    let (status, made) = boss.json(Method::POST, "/api/v1/jobs", body).await;
    assert_eq!((status, &made["id"]), (202, &json!(id.to_lowercase())), "{made}");
    for path in [format!("/api/v1/jobs/{id}"), format!("/api/v1/jobs/{id}/items")] {
        assert_eq!(boss.get(&path).await.0, 200, "{path}");
    }
    let cancel = format!("/api/v1/jobs/{id}/cancel");
    assert_eq!(boss.json(Method::POST, &cancel, Value::Null).await.0, 200);
    for (body, needs) in [
        (json!({ "kind": "capabilities" }), "needs capabilities"),
        (json!({ "kind": "endpoint" }), "needs endpoint"),
    ] {
        let (status, problem) = boss.json(Method::POST, "/api/v1/jobs", body).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Job")));
        assert!(problem["detail"].as_str().unwrap().contains(needs), "{problem}");
    }
}

#[tokio::test]
async fn an_organisation_and_a_party_have_a_thousand_hooks_at_most() {
    let world = world().await;
    let boss = boss(&world).await;
    let now = world.clock.now();
    let hook = |number: usize| Hook {
        organisation: "acme".parse().unwrap(),
        id: format!("hook-{number}").parse().unwrap(),
        key: format!("hook-{number}").parse().unwrap(),
        scope: HookScope::Party(PARTY.to_owned()),
        name: String::new(),
        action: "https://erp.example.org/".to_owned(),
        secrets: Vec::new(),
        topics: vec!["Invoice*".parse().unwrap()],
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: Value::Null,
        sealed: BTreeMap::new(),
        is_active: true,
        created_on: now,
        changed_on: now,
        rotated_on: None,
        failing_since: None,
    };
    let all = (0..1_000).map(|number| world.store.put_hook(hook(number)));
    futures::future::try_join_all(all).await.unwrap();
    let place = format!("/api/v1/{PARTY}/hook");
    let more = json!({ "id": "more", "action": "https://erp.example.org/", "topics": ["*"] });
    let (status, problem) = boss.json(Method::POST, &place, more.clone()).await;
    assert_eq!((status, &problem["code"]), (400, &json!("API400.Hook")), "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains("1000 hooks"), "{problem}");
    let known = json!({ "id": "hook-7", "action": "https://erp.example.org/", "topics": ["*"] });
    assert_eq!(boss.json(Method::POST, &place, known).await.0, 200, "one that is there");
    assert_eq!(boss.json(Method::POST, "/api/v1/hook", more).await.0, 200, "another place");
}
