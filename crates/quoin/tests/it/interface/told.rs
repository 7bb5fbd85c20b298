//! What a newcomer mistypes is told in our words, and never passed over.

use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Stage, until};
use crate::world::{As, World, answer, world};

const PARTY: &str = "0106:12345678";

async fn boss(world: &World) -> As {
    world.client("acme-boss", "boss-secret").await
}

/// What a refusal says.
async fn refused(caller: &As, path: &str, code: &str) -> String {
    let (status, problem) = caller.get(path).await;
    assert_eq!((status, &problem["code"]), (400, &json!(code)), "{path}: {problem}");
    problem["detail"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_parameter_that_is_wrong_is_told_with_what_was_expected() {
    let world = world().await;
    let boss = boss(&world).await;
    let said = refused(&boss, "/api/v1/events?after=abc", "API400.Query").await;
    assert_eq!(said, "after: expected a whole number, found \"abc\"");
    let path = "/api/v1/generic/validate?on=2026-13-01";
    let request = boss.request(Method::POST, path).header("content-type", "application/xml");
    let (status, problem) = answer(request.body("<a/>")).await;
    let said = problem["detail"].as_str().unwrap();
    assert_eq!((status, &problem["code"]), (400, &json!("API400.Query")), "{problem}");
    assert!(said.contains("expected a day as in 2026-11-22, found \"2026-13-01\""), "{said}");
}

#[tokio::test]
async fn a_list_that_has_no_parameters_takes_none() {
    let world = world().await;
    let boss = boss(&world).await;
    let of_party = format!("/api/v1/{PARTY}/hook");
    for path in ["/api/v1/client", "/api/v1/user", "/api/v1/hook", &of_party] {
        assert_eq!(boss.get(path).await.0, 200, "{path}");
        let said = refused(&boss, &format!("{path}?limit=1"), "API400.Query").await;
        assert!(said.contains("limit"), "{path}: {said}");
    }
    refused(&boss, "/api/v1/jobs?limt=1", "API400.Query").await;
}

#[tokio::test]
async fn jobs_are_read_page_by_page() {
    let world = world().await;
    let boss = boss(&world).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        let job = json!({ "kind": "migrateOut", "parties": [PARTY] });
        let (status, job) = boss.json(Method::POST, "/api/v1/jobs", job).await;
        assert_eq!(status, 202, "{job}");
        made.push(job["id"].clone());
    }
    let (mut found, mut path) = (Vec::new(), "/api/v1/jobs?limit=1".to_owned());
    for _ in 0..3 {
        let (status, page) = boss.get(&path).await;
        let items = page["items"].as_array().unwrap().clone();
        assert_eq!((status, items.len()), (200, 1), "{page}");
        // They are told of a single job, and are no zero here.
        assert_eq!((&items[0]["counts"], &items[0]["reasons"]), (&Value::Null, &Value::Null));
        found.push(items[0]["id"].clone());
        let token = page["continuationToken"].as_str().unwrap_or_default();
        path = format!("/api/v1/jobs?limit=1&continuationToken={token}");
    }
    assert!(path.ends_with('='), "the last page has no token: {path}");
    let mut all = found.clone();
    all.sort_by_key(Value::to_string);
    made.sort_by_key(Value::to_string);
    assert_eq!(all, made);
    assert_eq!(boss.get("/api/v1/jobs").await.1["items"].as_array().unwrap().len(), 3);
    refused(&boss, "/api/v1/jobs?limit=501", "API400.Query").await;
    refused(&boss, "/api/v1/jobs?continuationToken=Tm9ib2R5", "API400.Continuation").await;
}

#[tokio::test]
async fn the_hook_of_the_network_is_read_as_it_is_listed() {
    let world = world().await;
    let boss = boss(&world).await;
    let (_, all) = boss.get("/api/v1/hook").await;
    let listed = all.as_array().unwrap().iter().find(|hook| hook["id"] == "peppol").unwrap();
    assert_eq!(boss.get("/api/v1/hook/peppol").await, (200, listed.clone()));
    assert_eq!(boss.get("/api/v1/hook/other").await.0, 404);
}

#[tokio::test]
async fn a_topic_that_is_none_is_told_with_what_was_meant() {
    let world = world().await;
    let boss = boss(&world).await;
    let hook = json!({ "action": "https://erp.example.org/#s", "topics": ["InvoiceSend"] });
    let (status, problem) = boss.json(Method::POST, "/api/v1/hook", hook).await;
    let said = problem["detail"].as_str().unwrap();
    assert_eq!((status, &problem["code"]), (400, &json!("API400.Hook")), "{problem}");
    for word in ["did you mean InvoiceSent?", "docs/reference/events.md"] {
        assert!(said.contains(word), "{said}");
    }
    let hook = json!({ "action": "https://erp.example.org/#whsec_", "topics": ["InvoiceSent"] });
    let (status, problem) = boss.json(Method::POST, "/api/v1/hook", hook).await;
    assert_eq!((status, &problem["code"]), (400, &json!("API400.Hook")), "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains("base64"), "{problem}");
}

#[tokio::test]
async fn what_takes_no_parameters_refuses_those_that_are_given() {
    let world = world().await;
    let boss = boss(&world).await;
    let response = format!("/api/v1/{PARTY}/purchaseInvoice/{}/response", uuid::Uuid::new_v4());
    for given in ["foo=bar", "channel=net"] {
        let body = json!({ "status": "AP" });
        let (status, problem) = boss.json(Method::POST, &format!("{response}?{given}"), body).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Query")), "{problem}");
    }
    for path in ["/api/v1/me?a=1", "/meta?x", "/api/v1/channels?family=Order", "/smp/0106:1?x=1"] {
        refused(&boss, path, "API400.Query").await;
    }
    refused(&boss, &format!("{response}?a=1"), "API400.Query").await;
    for path in ["/api/v1/me?", "/api/v1/me"] {
        assert_eq!(boss.get(path).await.0, 200, "{path}");
    }
    // Who calls is asked first.
    let (status, _) = answer(world.http.get(format!("{}/api/v1/me?a=1", world.base))).await;
    assert_eq!(status, 401);
}

#[tokio::test]
async fn json_that_is_not_taken_is_told_with_its_place() {
    let world = world().await;
    let boss = boss(&world).await;
    let client = json!({ "id": "shop", "role": "Boss" });
    let (status, problem) = boss.json(Method::POST, "/api/v1/client", client).await;
    let said = problem["detail"].as_str().unwrap();
    assert_eq!(status, 400, "{problem}");
    assert!(said.starts_with("the body, line 1, column "), "{said}");
    assert!(said.ends_with("expected \"ApUser\" or \"ApManager\", found \"Boss\""), "{said}");
}

#[tokio::test]
async fn an_enrolment_passes_over_nothing() {
    let world = world().await;
    let boss = boss(&world).await;
    let path = format!("/api/v1/peppol/config/party/{PARTY}");
    for (body, word) in [
        (json!({ "verification": { "notes": "C", "verifiedOm": "2026-01-01" } }), "verifiedOm"),
        (json!({ "businessCrd": {} }), "did you mean businessCard?"),
        (json!({ "capabilities": { "invoises": "on" } }), "did you mean invoices?"),
        (json!({ "capabilities": { "x": "on" } }), "expected one of"),
    ] {
        let (status, problem) = boss.json(Method::PUT, &path, body).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Config")), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(word), "{word}: {problem}");
    }
    // What was read can be written back.
    let verified = json!({ "verification": { "notes": "Contract" } });
    let (status, shown) = boss.json(Method::PUT, &path, verified).await;
    assert_eq!(status, 200, "{shown}");
    assert!(shown["verification"]["recordedOn"].is_string(), "{shown}");
    let again = json!({ "verification": shown["verification"] });
    assert_eq!(boss.json(Method::PUT, &path, again).await.0, 200);
}

#[tokio::test]
async fn both_names_of_a_format_are_taken() {
    let world = world().await;
    let boss = boss(&world).await;
    let invoice = quoin_formats::samples::invoice(PARTY, "0106:87654321", "BOTH-1");
    for name in ["ublInvoice", "ubl-invoice"] {
        let path = format!("/api/v1/generic/validate?sourceFormat={name}");
        let request = boss.request(Method::POST, &path).header("content-type", "application/xml");
        let (status, judged) = answer(request.body(invoice.clone())).await;
        assert_eq!((status, &judged["isValid"]), (200, &json!(true)), "{name}: {judged}");
    }
    refused_format(&boss).await;
}

async fn refused_format(boss: &As) {
    let path = "/api/v1/generic/validate?sourceFormat=ubl-invoce";
    let request = boss.request(Method::POST, path).header("content-type", "application/xml");
    let (status, problem) = answer(request.body("<a/>")).await;
    assert_eq!((status, &problem["code"]), (400, &json!("API400.Query")), "{problem}");
}

#[tokio::test]
async fn a_wrong_secret_of_a_client_is_not_called_a_password_alone() {
    let world = world().await;
    let request = world.http.get(format!("{}/smp/list", world.base));
    let (status, problem) = answer(request.basic_auth("acme-boss", Some("wrong"))).await;
    assert_eq!(status, 401, "{problem}");
    let said = problem["detail"].as_str().unwrap();
    assert!(said.contains("no active client or user has this name"), "{said}");
}

#[tokio::test]
async fn the_size_of_a_body_is_told_as_one_of_the_body() {
    let world = world().await;
    let boss = boss(&world).await;
    let long = "x".repeat(1 << 20);
    let hook = json!({ "action": "https://erp.example.org/", "topics": ["*"], "name": long });
    let (status, problem) = boss.json(Method::POST, "/api/v1/hook", hook).await;
    assert_eq!(status, 500, "{problem}");
    assert_eq!(problem["detail"], "the body may have 1048576 bytes");
}

/// A database that was put in the place of the one that is open: nothing of it is to be believed.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn requests_that_only_read_are_refused_when_the_store_was_replaced() {
    let play = Stage::set().await.play().await;
    let caller = play.sender().await;
    assert_eq!(caller.get("/api/v1/me").await.status, 200);
    let database = play.one.parts.config.data_dir.join("quoin.db");
    let copy = database.with_extension("copy");
    std::fs::copy(&database, &copy).unwrap();
    std::fs::rename(&copy, &database).unwrap();
    // Whoever watches over the service asks so, and whoever writes finds it, too.
    until("it is seen", async || {
        Some(caller.get("/health/ready").await).filter(|answered| answered.status == 503)
    })
    .await;
    let answered = caller.get("/api/v1/me").await;
    answered.is_problem(503, "API503", "the store of the service cannot be reached");
    assert_eq!(caller.get("/health/live").await.status, 200);
    assert_eq!(caller.get("/openapi.json").await.status, 200);
}
