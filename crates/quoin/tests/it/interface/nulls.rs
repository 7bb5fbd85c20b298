//! `null` in a body is what is not given, wherever something may be left out.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::world;

const NEW: &str = "0106:00000001";
const ENROL: &str = "/api/v1-beta/0106:00000001/enroll";

/// The body of an enrolment in which everything that may be is `null`.
fn body() -> Value {
    json!({
        "services": { "peppol": {
            "capabilities": { "invoices": "on", "orders": null, "selfbilling": { "state": null } },
            "verification": {
                "notes": "Contract", "verifiedBy": null, "verifiedOn": null, "identifiers": null,
            },
            "identifiers": null, "migration": null,
        } },
        "partyAuthorizations": [{
            "userId": "alice",
            "permissions": { "canSendDocument": true, "canReceiveDocument": null,
                "canRemoveDocument": null, "canManageHook": null, "canChangeDocumentStatus": null },
        }],
        "hooks": null,
    })
}

#[tokio::test]
async fn an_enrolment_takes_null_for_what_may_be_left_out() {
    let world = world().await;
    world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let (status, answer) = boss.json(Method::PUT, ENROL, body()).await;
    assert_eq!(status, 200, "{answer}");
    let permissions = &answer["partyAuthorizations"][0]["permissions"];
    assert_eq!(permissions["canSendDocument"], true, "{permissions}");
    assert_eq!(permissions["canRemoveDocument"], false, "{permissions}");
    assert_eq!(answer["services"]["peppol"]["capabilities"]["orders"]["state"], "inherited => off");
    // The rest of it, once it is there.
    let nothing = json!({ "services": null, "partyAuthorizations": null, "hooks": null });
    for again in [nothing, json!({ "services": { "peppol": null } })] {
        let (status, answer) = boss.json(Method::PUT, ENROL, again).await;
        assert_eq!(status, 200, "{answer}");
    }
    let link = json!({ "userId": "alice", "permissions": null });
    let again = json!({ "partyAuthorizations": [link] });
    assert_eq!(boss.json(Method::PUT, ENROL, again).await.0, 200);
    let link = json!({ "id": NEW, "name": null, "permissions": null });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user/alice/party", link).await.0, 200);
}

#[tokio::test]
async fn a_hook_and_a_job_take_null_for_what_may_be_left_out() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let hook = json!({ "id": "nulls", "action": "https://erp.example.org/n", "topics": ["Invoice*"],
        "name": null, "output": null, "publishTopics": null, "filter": null, "init": null,
        "isActive": null });
    let (status, answer) = boss.json(Method::POST, "/api/v1/hook", hook).await;
    assert_eq!((status, &answer["isActive"]), (200, &json!(true)), "{answer}");
    let again = json!({ "from": "2026-01-01T00:00:00Z", "to": null, "undelivered": null });
    let (status, answer) = boss.json(Method::POST, "/api/v1/hook/nulls/replay", again).await;
    assert!(status < 300, "{answer}");
    let job = json!({ "id": null, "kind": "capabilities", "askNetwork": null, "start": null,
        "parties": ["0106:12345678"], "common": null, "endpoint": null,
        "capabilities": { "orders": "on", "invoices": null } });
    let (status, answer) = boss.json(Method::POST, "/api/v1/jobs", job).await;
    assert!(status < 300, "{answer}");
}

#[tokio::test]
async fn a_look_up_takes_null_and_tells_what_is_wrong() {
    let world = world().await;
    let acme = world.acme().await;
    let path = "/api/v1/0106:12345678/salesInvoice/queryRecipientParty";
    let ask = async |body: Value| acme.json(Method::POST, path, body).await;
    let (status, found) =
        ask(json!({ "partyIds": ["0106:44444444"], "metaAttributes": null })).await;
    assert_eq!((status, &found["isRegistered"]), (200, &json!(true)), "{found}");
    for (body, word) in [
        (json!({ "partyIds": ["0106:44444444"], "metaAttribute": {} }), "metaAttribute"),
        (
            json!({ "partyIds": ["0106:44444444"], "metaAttributes": 5 }),
            "expected an object, found 5",
        ),
        (json!({ "metaAttributes": {} }), "partyIds"),
        (json!([5]), "expected a text, found 5"),
        (json!("0106:44444444"), "expected an array of 1 to 50 identifiers"),
    ] {
        let (status, problem) = ask(body).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Json")));
        assert!(problem["message"].as_str().unwrap().contains(word), "{problem}");
    }
}
