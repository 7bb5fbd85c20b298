//! What a caller may ask as often as it likes, and nothing comes of it (RFC 9110 section 9.2.1).

use reqwest::Method;
use serde_json::{Value, json};

use super::arrive;
use crate::world::{As, world};

const PARTY: &str = "0106:12345678";

/// The status and the length of the body of an answer to `HEAD`.
async fn head(caller: &As, path: &str) -> (u16, usize) {
    let response = caller.request(Method::HEAD, path).send().await.unwrap();
    (response.status().as_u16(), response.bytes().await.unwrap().len())
}

#[tokio::test]
async fn head_of_a_download_is_no_download() {
    let world = world().await;
    let acme = world.acme().await;
    let id = arrive(&world, PARTY, "<Invoice/>").await;
    let left = async || {
        let list = format!("/api/v1/{PARTY}/purchaseInvoice?notDownloaded=true");
        acme.get(&list).await.1["items"].as_array().unwrap().len()
    };
    for resource in ["purchaseInvoice", "generic"] {
        let path = format!("/api/v1/{PARTY}/{resource}/{id}/download");
        assert_eq!(head(&acme, &path).await, (200, 0));
        assert_eq!(left().await, 1, "{resource}");
    }
    let path = format!("/api/v1/{PARTY}/purchaseInvoice/{id}/download");
    // It counts once it is read to its end.
    let response = acme.request(Method::GET, &path).send().await.unwrap();
    assert!(!response.bytes().await.unwrap().is_empty());
    assert_eq!(left().await, 0);
}

#[tokio::test]
async fn head_of_a_ping_pings_nobody() {
    let world = world().await;
    let acme = world.acme().await;
    assert_eq!(head(&acme, &format!("/api/v1/{PARTY}/hook/ping")).await, (200, 0));
    let (_, log) = acme.get("/api/v1/hook/events/deliveries").await;
    assert_eq!(log["items"], json!([]));
    assert_eq!(head(&acme, "/api/v1/0208:0123456749/hook/ping").await.0, 403);
}

#[tokio::test]
async fn head_of_a_migration_prepares_none() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    world.user("alice").await;
    let body = json!({
        "services": { "peppol": {
            "businessCard": { "names": "New BV", "geoInfo": "Utrecht, NL" },
            "verification": { "notes": "Contract", "verifiedBy": "J. Jansen" },
        } },
        "partyAuthorizations": [{ "userId": "alice", "permissions": {} }],
    });
    let enrol = "/api/v1-beta/0106:00000001/enroll";
    let (status, answer) = boss.json(Method::PUT, enrol, body).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(head(&boss, "/api/v1/peppol/0106:00000001/prepareToMigrate").await, (200, 0));
    let (_, config) = boss.get("/api/v1/peppol/config/party/0106:00000001").await;
    assert_eq!(config.get("migration").unwrap_or(&Value::Null), &Value::Null);
}
