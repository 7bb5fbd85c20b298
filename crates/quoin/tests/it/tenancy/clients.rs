//! Clients that an organisation makes for itself: the secret is shown once, replaced with an
//! overlap or at once, and a client that is switched off is out at that moment.

use jiff::SignedDuration;
use quoin_store::Permission;
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, World, world};

const CLIENTS: &str = "/api/v1/client";
const PARTY: &str = "0106:12345678";

async fn boss(world: &World) -> As {
    world.client("acme-boss", "boss-secret").await
}

async fn make(boss: &As, body: Value) -> (String, String) {
    let (status, made) = boss.json(Method::POST, CLIENTS, body).await;
    assert_eq!(status, 200, "{made}");
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    (text("clientId"), text("clientSecret"))
}

/// The status of a token request.
async fn token(world: &World, id: &str, secret: &str) -> u16 {
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    world.token(&form).await.0
}

#[tokio::test]
async fn a_client_is_made_and_its_secret_is_shown_once() {
    let world = world().await;
    let boss = boss(&world).await;
    let body = json!({ "name": "ERP of the warehouse" });
    let request = boss.request(Method::POST, CLIENTS).header("content-type", "application/json");
    let response = request.body(body.to_string()).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["cache-control"], "no-store");
    let place = response.headers()["location"].to_str().unwrap().to_owned();
    let made: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    let (id, secret) = (made["clientId"].as_str().unwrap(), made["clientSecret"].as_str().unwrap());
    assert!(place.ends_with(&format!("{CLIENTS}/{id}")), "{place}");
    assert_eq!((secret.len(), &made["role"]), (64, &json!("ApUser")));
    for path in [CLIENTS.to_owned(), format!("{CLIENTS}/{id}"), "/api/v1/user".to_owned()] {
        let (status, shown) = boss.get(&path).await;
        assert_eq!(status, 200);
        assert!(shown.to_string().contains(id) && !shown.to_string().contains(secret), "{shown}");
    }
    let client = world.client(id, secret).await;
    assert_eq!(client.get("/api/v1/me").await.1["parties"], json!([]), "it is linked to none");
    let list = format!("/api/v1/{PARTY}/salesInvoice");
    assert_eq!(client.get(&list).await.0, 403);
    let link = json!({ "id": PARTY, "permissions": { "canSendDocument": true } });
    let (status, _) = boss.json(Method::PUT, &format!("/api/v1/user/{id}/party"), link).await;
    assert_eq!(status, 200);
    assert_eq!(client.get(&list).await.0, 200);
    assert_eq!(client.get(&format!("/api/v1/{PARTY}/purchaseInvoice")).await.0, 403);
}

#[tokio::test]
async fn a_secret_is_replaced_with_a_day_of_overlap_or_at_once() {
    let world = world().await;
    let first_boss = boss(&world).await;
    let (id, first) = make(&first_boss, json!({ "allParties": true })).await;
    let rotate = format!("{CLIENTS}/{id}/rotate");
    let (status, made) = first_boss.json(Method::POST, &rotate, Value::Null).await;
    assert_eq!(status, 200, "{made}");
    let second = made["clientSecret"].as_str().unwrap().to_owned();
    assert!(made["previousSecretUntil"].is_string());
    assert_eq!((token(&world, &id, &first).await, token(&world, &id, &second).await), (200, 200));
    let (status, refused) = first_boss.json(Method::POST, &rotate, Value::Null).await;
    assert_eq!((status, &refused["code"]), (409, &json!("API409.Rotation")));
    world.clock.advance(SignedDuration::from_hours(24));
    assert_eq!((token(&world, &id, &first).await, token(&world, &id, &second).await), (401, 200));
    let boss = boss(&world).await;
    assert_eq!(boss.get(&format!("{CLIENTS}/{id}")).await.1["previousSecretUntil"], Value::Null);
    let running = world.client(&id, &second).await;
    let leaked = format!("{rotate}?immediately=True");
    let (status, made) = boss.json(Method::POST, &leaked, Value::Null).await;
    assert_eq!(running.get("/api/v1/me").await.0, 401, "what was fetched with it ends, too");
    assert_eq!((status, &made["previousSecretUntil"]), (200, &Value::Null), "{made}");
    let third = made["clientSecret"].as_str().unwrap();
    assert_eq!((token(&world, &id, &second).await, token(&world, &id, third).await), (401, 200));
}

#[tokio::test]
async fn a_client_that_is_switched_off_is_out_at_once() {
    let world = world().await;
    let boss = boss(&world).await;
    let (id, secret) = make(&boss, json!({ "allParties": true, "role": "ApManager" })).await;
    let path = format!("{CLIENTS}/{id}");
    let client = world.client(&id, &secret).await;
    assert_eq!(client.get(CLIENTS).await.0, 200);
    // What it had is of no use once it is on again: switched off, its tokens ended.
    for (change, managing, any, active) in [
        (json!({ "role": "ApUser", "name": "Renamed" }), 403, 200, 200),
        (json!({ "isActive": false }), 401, 401, 401),
        (json!({ "isActive": true, "role": "ApManager" }), 401, 401, 200),
    ] {
        let (status, shown) = boss.json(Method::PUT, &path, change.clone()).await;
        assert_eq!((status, &shown["name"]), (200, &json!("Renamed")), "{shown}");
        assert_eq!(client.get(CLIENTS).await.0, managing, "{change}");
        assert_eq!(client.get("/api/v1/me").await.0, any, "{change}");
        assert_eq!(token(&world, &id, &secret).await, active, "{change}");
    }
    let client = world.client(&id, &secret).await;
    assert_eq!(client.get(CLIENTS).await.0, 200);
    for (method, body) in [
        (Method::PUT, json!({ "isActive": false })),
        (Method::PUT, json!({ "role": "ApUser" })),
        (Method::DELETE, Value::Null),
    ] {
        let (status, own) = client.json(method, &path, body).await;
        assert_eq!((status, &own["code"]), (409, &json!("API409.Client")), "{own}");
    }
    assert_eq!(boss.json(Method::DELETE, &path, Value::Null).await.0, 204);
    assert_eq!((client.get("/api/v1/me").await.0, token(&world, &id, &secret).await), (401, 401));
    let (status, gone) = boss.get(&path).await;
    assert_eq!((status, &gone["code"]), (404, &json!("API404.Client")));
}

#[tokio::test]
async fn clients_of_the_configuration_and_of_others_are_out_of_reach() {
    let world = world().await;
    let boss = boss(&world).await;
    let (status, list) = boss.get(CLIENTS).await;
    let declared: Vec<_> = list.as_array().unwrap().iter().map(|c| &c["isDeclared"]).collect();
    assert_eq!((status, declared), (200, vec![&json!(true); 2]));
    for (method, path, body) in [
        (Method::PUT, "acme-erp", json!({ "isActive": false })),
        (Method::POST, "acme-erp/rotate", Value::Null),
        (Method::DELETE, "acme-erp", Value::Null),
    ] {
        let path = format!("{CLIENTS}/{path}");
        let (status, fixed) = boss.json(method, &path, body).await;
        assert_eq!((status, &fixed["code"]), (409, &json!("API409.Client")), "{path}");
    }
    for id in ["other-erp", "nobody"] {
        let path = format!("{CLIENTS}/{id}");
        let mut heard = Vec::new();
        for (method, end, body) in [
            (Method::GET, "", Value::Null),
            (Method::PUT, "", json!({})),
            (Method::POST, "/rotate", Value::Null),
            (Method::DELETE, "", Value::Null),
        ] {
            let (status, body) = boss.json(method, &format!("{path}{end}"), body).await;
            let detail = body["detail"].as_str().unwrap().replace(id, "ID");
            assert_eq!((status, &body["code"]), (404, &json!("API404.Client")), "{path}{end}");
            heard.push(detail);
        }
        heard.dedup();
        assert_eq!(heard, ["organisation acme has no client ID"], "the same, whoever has it");
    }
    for body in [json!({ "name": "x".repeat(129) }), json!({ "name": "a\nb" })] {
        let (status, bad) = boss.json(Method::POST, CLIENTS, body).await;
        assert_eq!((status, &bad["code"]), (400, &json!("API400.Client")));
    }
    for body in [json!({ "clientId": "mine" }), json!({ "role": "Root" }), json!([])] {
        let (status, bad) = boss.json(Method::POST, CLIENTS, body.clone()).await;
        assert_eq!((status, &bad["code"]), (400, &json!("API400.Json")), "{body}");
    }
}

#[tokio::test]
async fn the_last_linked_client_of_an_enrolled_party_stays() {
    let world = world().await;
    let boss = boss(&world).await;
    let (id, _) = make(&boss, json!({})).await;
    let enrol = "/api/v1-beta/0106:00000001/enroll";
    let body = json!({
        "services": { "peppol": { "capabilities": { "invoices": "on" },
            "verification": { "notes": "Contract" } } },
        "partyAuthorizations": [{ "userId": id, "permissions": { "canSendDocument": true } }],
    });
    let (status, answer) = boss.json(Method::PUT, enrol, body).await;
    assert_eq!(status, 200, "{answer}");
    let path = format!("{CLIENTS}/{id}");
    for (method, body) in [
        (Method::PUT, json!({ "isActive": false })),
        (Method::PUT, json!({ "role": "ApManager" })),
        (Method::DELETE, Value::Null),
    ] {
        let (status, refused) = boss.json(method, &path, body).await;
        assert_eq!((status, &refused["code"]), (409, &json!("API409.LinkedUser")), "{refused}");
    }
    let owner = "acme".parse().unwrap();
    let link = Permission::all("acme-erp", "0106:00000001");
    world.store.put_permission(&owner, link).await.unwrap();
    assert_eq!(boss.json(Method::DELETE, &path, Value::Null).await.0, 204);
}
