//! Parties as they are shown: under the identifiers that they were given.

use reqwest::Method;
use serde_json::json;

use crate::world::world;

const ID: &str = "9944:NL004495445B01";

#[tokio::test]
async fn identifiers_are_shown_as_they_are_written() {
    let world = world().await;
    world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let body = json!({
        "services": { "peppol": {
            "identifiers": ["0106:00000001"],
            "capabilities": { "invoices": "on" },
            "verification": { "notes": "Contract", "identifiers": [ID, "0106:00000001"] },
        } },
        "partyAuthorizations": [{ "userId": "alice", "permissions": {} }],
    });
    let enrol = format!("/api/v1-beta/{ID}/enroll");
    let (status, enrolled) = boss.json(Method::PUT, &enrol, body).await;
    assert_eq!(status, 200, "{enrolled}");
    let (_, config) = boss.get(&format!("/api/v1/peppol/config/party/{ID}")).await;
    for shown in [&enrolled["services"]["peppol"], &config] {
        assert_eq!(shown["identifiers"], json!([ID, "0106:00000001"]));
        assert_eq!(shown["participants"][0]["id"], ID);
        assert_eq!(shown["verification"]["identifiers"], json!([ID, "0106:00000001"]));
        let registrations = shown["registrations"].as_array().unwrap().iter();
        let ids = registrations.map(|one| one["participant"].as_str().unwrap());
        assert!(ids.clone().all(|id| [ID, "0106:00000001"].contains(&id)), "{shown}");
        assert!(ids.clone().any(|id| id == ID), "{shown}");
    }
    let (_, me) = boss.get("/api/v1/me").await;
    let parties = me["parties"].as_array().unwrap();
    let shown = |id: &str| parties.iter().find(|party| party["id"] == id).unwrap().clone();
    assert_eq!(shown(ID)["identifiers"], json!([ID, "0106:00000001"]));
    // One that is not the first is shown as its register prints it.
    let second = json!(["0106:12345678", "9944:NL123456782B01"]);
    assert_eq!(shown("0106:12345678")["identifiers"], second);
    // Case says nothing where one is named.
    assert_eq!(
        boss.get(&format!("/api/v1/peppol/config/party/{}", ID.to_lowercase())).await.0,
        200
    );
}
