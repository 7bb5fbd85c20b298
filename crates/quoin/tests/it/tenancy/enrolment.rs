//! Enrolment: all of it or nothing, once however often, for the role ApManager, and only of
//! verified end users.

use reqwest::Method;
use serde_json::{Value, json};

use super::config::{boss, publishes};
use crate::world::{As, World, declaring_world, world};

const NEW: &str = "0106:00000001";
const ENROL: &str = "/api/v1-beta/0106:00000001/enroll";
const CONFIG: &str = "/api/v1/peppol/config/party/0106:00000001";

fn body() -> Value {
    json!({
        "services": { "peppol": {
            "capabilities": { "invoices": "on", "invoiceResponse": "on", "orders": "inherited" },
            "businessCard": { "names": "New BV", "geoInfo": "Utrecht, NL", "email": "it@new.example" },
            "verification": {
                "notes": "Contract C21345", "verifiedBy": "J. Jansen",
                "verifiedOn": "2026-02-28T16:02:52Z",
            },
        } },
        "partyAuthorizations": [{
            "userId": "alice",
            "permissions": { "canSendDocument": true, "canReceiveDocument": true },
        }],
        "hooks": [{ "action": "https://erp.example.org/new#secret", "topics": ["Invoice*"] }],
    })
}

/// The body without one of its parts.
fn without(path: &[&str]) -> Value {
    let mut body = body();
    let (last, parents) = path.split_last().unwrap();
    let parent = parents.iter().fold(&mut body, |value, name| &mut value[*name]);
    parent.as_object_mut().unwrap().remove(*last);
    body
}

async fn enrolled(world: &World) -> (As, As) {
    let (alice, boss) = (world.user("alice").await, boss(world).await);
    let (status, answer) = boss.json(Method::PUT, ENROL, body()).await;
    assert_eq!(status, 200, "{answer}");
    (alice, boss)
}

#[tokio::test]
async fn enrolling_publishes_links_and_registers_in_one_call() {
    let world = world().await;
    let (alice, boss) = enrolled(&world).await;
    let (_, answer) = boss.json(Method::PUT, ENROL, body()).await;
    assert_eq!(answer["id"], NEW);
    // What was read can be written back, to the party that it is about.
    let (status, again) = boss.json(Method::PUT, ENROL, answer.clone()).await;
    assert_eq!((status, &again["id"]), (200, &answer["id"]), "{again}");
    let mut other = answer.clone();
    other["id"] = json!("0106:55555555");
    let (status, refused) = boss.json(Method::PUT, ENROL, other).await;
    assert_eq!((status, &refused["code"]), (400, &json!("API400.Config")), "{refused}");
    let peppol = &answer["services"]["peppol"];
    assert_eq!(peppol["isRegistered"], true);
    assert_eq!(peppol["name"], "New BV");
    assert_eq!(peppol["capabilities"]["orders"]["state"], "inherited => off");
    assert_eq!(peppol["verification"]["verifiedOn"], "2026-02-28T16:02:52Z");
    let registers: Vec<_> = peppol["registrations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            (
                r["register"].as_str().unwrap(),
                r["wish"].as_str().unwrap(),
                r["state"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(registers, [("sml", "present", "pending"), ("directory", "present", "pending")]);
    assert!(publishes(&world, NEW, "Invoice").await, "the SMP has it at once");
    assert_eq!(alice.send(alice.xml(NEW, "<Invoice/>")).await.0, 200);
    let (_, mine) = alice.get("/api/v1/me/party").await;
    assert_eq!(
        (&mine[0]["id"], &mine[0]["permissions"]["canManageHook"]),
        (&json!(NEW), &json!(false))
    );
    let (_, hooks) = boss.get(&format!("/api/v1/{NEW}/hook")).await;
    assert_eq!(hooks, answer["hooks"]);
    assert_eq!(hooks.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn enrolling_twice_changes_nothing() {
    let world = world().await;
    let (_, boss) = enrolled(&world).await;
    let tag = async || {
        let request = boss.request(Method::PUT, ENROL).body(body().to_string());
        let response = request.send().await.unwrap();
        let tag = response.headers()["etag"].to_str().unwrap().to_owned();
        (tag, response.text().await.unwrap())
    };
    assert_eq!(tag().await, tag().await);
}

#[tokio::test]
async fn an_enrolment_is_whole_or_nothing() {
    let world = world().await;
    world.user("alice").await;
    let boss = boss(&world).await;
    let unknown = |mut body: Value| {
        body["partyAuthorizations"] = json!([{ "userId": "alice" }, { "userId": "nobody" }]);
        body
    };
    let hook = |mut body: Value| {
        body["hooks"] = json!([{ "action": "http://10.0.0.1/", "topics": ["Invoice*"] }]);
        body
    };
    let card = |mut body: Value| {
        body["services"]["peppol"]["businessCard"] = json!({ "names": "New BV" });
        body
    };
    for (body, status, code) in [
        (without(&["services", "peppol", "verification"]), 400, "API400.Verification"),
        (without(&["partyAuthorizations"]), 409, "API409.LinkedUser"),
        (unknown(body()), 404, "API404.User"),
        (hook(body()), 400, "API400.Hook"),
        (card(body()), 400, "API400.BusinessCard"),
    ] {
        let (found, answer) = boss.json(Method::PUT, ENROL, body).await;
        assert_eq!((found, &answer["code"]), (status, &json!(code)), "{answer}");
        assert_eq!(boss.get(CONFIG).await.0, 403, "nothing is left of it");
        assert!(!publishes(&world, NEW, "Invoice").await);
        assert_eq!(boss.get("/api/v1/user/alice/party").await.1, json!([]));
    }
}

#[tokio::test]
async fn a_verification_recorded_before_is_enough() {
    let world = world().await;
    world.user("alice").await;
    let boss = boss(&world).await;
    let verification =
        json!({ "verification": { "notes": "Contract", "verifiedOn": "2026-01-01T00:00:00Z" } });
    let (_, before) = boss.json(Method::PUT, CONFIG, verification).await;
    assert_eq!(before["isRegistered"], false, "a verification alone publishes nothing");
    let enrol = without(&["services", "peppol", "verification"]);
    let (status, answer) = boss.json(Method::PUT, ENROL, enrol).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["services"]["peppol"]["verification"], before["verification"]);
}

#[tokio::test]
async fn where_organisations_declare_an_enrolment_is_recorded_as_their_declaration() {
    let world = declaring_world().await;
    world.user("alice").await;
    let boss = boss(&world).await;
    let enrol = without(&["services", "peppol", "verification"]);
    let (status, first) = boss.json(Method::PUT, ENROL, enrol.clone()).await;
    assert_eq!(status, 200, "{first}");
    let verification = &first["services"]["peppol"]["verification"];
    assert_eq!(
        (&verification["verifiedBy"], &verification["recordedBy"]),
        (&json!("acme"), &json!("acme-boss"))
    );
    assert_eq!(boss.json(Method::PUT, ENROL, enrol).await.1, first, "it is recorded once");
}

#[tokio::test]
async fn only_the_role_ap_manager_enrols() {
    let world = world().await;
    let alice = world.user("alice").await;
    for (method, body) in [(Method::PUT, body()), (Method::DELETE, Value::Null)] {
        let (status, answer) = alice.json(method, ENROL, body).await;
        assert_eq!((status, &answer["code"]), (403, &json!("API403.Role")));
    }
}

#[tokio::test]
async fn withdrawing_takes_services_links_and_hooks_away_and_keeps_the_verification() {
    let world = world().await;
    let (alice, boss) = enrolled(&world).await;
    for _ in 0..2 {
        assert_eq!(boss.send(boss.request(Method::DELETE, ENROL)).await.0, 204);
        assert!(!publishes(&world, NEW, "Invoice").await);
        assert_eq!(alice.send(alice.xml(NEW, "<Invoice/>")).await.0, 403);
        assert_eq!(boss.get(&format!("/api/v1/{NEW}/hook")).await.1, json!([]));
        let (_, config) = boss.get(CONFIG).await;
        assert_eq!(config["isRegistered"], false);
        assert!(config.get("businessCard").is_none());
        assert_eq!(config["verification"]["notes"], "Contract C21345");
        for registration in config["registrations"].as_array().unwrap() {
            assert_eq!(registration["wish"], "absent");
        }
    }
    assert_eq!(boss.json(Method::PUT, ENROL, body()).await.0, 200, "and it can come again");
}

#[tokio::test]
async fn withdrawing_can_demand_the_version_that_was_read() {
    let world = world().await;
    let (_, boss) = enrolled(&world).await;
    let tag = async || {
        let response = boss.request(Method::GET, CONFIG).send().await.unwrap();
        response.headers()["etag"].to_str().unwrap().to_owned()
    };
    let first = tag().await;
    let change = json!({ "capabilities": { "invoices": "off" } });
    assert_eq!(boss.json(Method::PUT, CONFIG, change).await.0, 200);
    let withdraw = |tag: &str| boss.request(Method::DELETE, ENROL).header("if-match", tag);
    let (status, answer) = boss.send(withdraw(&first)).await;
    assert_eq!((status, &answer["code"]), (412, &json!("API412")));
    assert_eq!(boss.get(CONFIG).await.1["isRegistered"], true, "it stays as it is");
    let second = tag().await;
    assert_eq!(boss.send(withdraw(&second)).await.0, 204);
    // A tag of the enrolment before is not one of the next.
    assert_eq!(boss.json(Method::PUT, ENROL, body()).await.0, 200);
    assert!(![first, second].contains(&tag().await));
}

#[tokio::test]
async fn an_enrolled_party_keeps_at_least_one_linked_user() {
    let world = world().await;
    let (_, boss) = enrolled(&world).await;
    let link = format!("/api/v1/user/alice/party/{NEW}");
    let role = json!({ "name": "alice", "role": "ApManager" });
    let off = json!({ "name": "alice", "isActive": false });
    for (method, path, body) in [
        (Method::DELETE, link.as_str(), Value::Null),
        (Method::DELETE, "/api/v1/user/alice", Value::Null),
        (Method::PUT, "/api/v1/user", role),
        (Method::PUT, "/api/v1/user", off),
    ] {
        let (status, answer) = boss.json(method, path, body).await;
        assert_eq!((status, &answer["code"]), (409, &json!("API409.LinkedUser")), "{path}");
    }
    world.user("bob").await;
    let bob = json!({ "id": NEW, "permissions": {} });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user/bob/party", bob).await.0, 200);
    assert_eq!(boss.send(boss.request(Method::DELETE, &link)).await.0, 204);
}

#[tokio::test]
async fn a_participant_is_published_once_and_moves_with_its_key() {
    let world = world().await;
    let (_, boss) = enrolled(&world).await;
    let other = world.manager("other").await;
    let change = quoin_store::UserChange::default();
    let owner = "other".parse().unwrap();
    world.store.put_user(&owner, "alice", change, world.clock.now()).await.unwrap();
    let (status, answer) = other.json(Method::PUT, ENROL, body()).await;
    assert_eq!((status, &answer["code"]), (409, &json!("API409.Participant")));
    let prepare = format!("/api/v1/peppol/{NEW}/prepareToMigrate");
    assert_eq!(other.get(&prepare).await.0, 403);
    let (status, early) = boss.get(&prepare).await;
    assert_eq!((status, &early["code"]), (409, &json!("API409.Registration")), "{early}");
    world.registered().await;
    let (status, key) = boss.get(&prepare).await;
    assert_eq!(status, 200, "{key}");
    assert_eq!(boss.get(&prepare).await.1, key, "asking again gives the same key");
    assert_eq!(boss.get(CONFIG).await.1["migration"]["key"], key["migrationKey"]);
    let with = |key: &Value| {
        let mut body = body();
        body["services"]["peppol"]["migration"] = json!({ "key": key });
        body
    };
    assert_eq!(other.json(Method::PUT, ENROL, with(&json!("Wrong#Key12345"))).await.0, 409);
    let (status, answer) = other.json(Method::PUT, ENROL, with(&key["migrationKey"])).await;
    assert_eq!(status, 200, "{answer}");
    assert!(publishes(&world, NEW, "Invoice").await);
    assert_eq!(boss.get(CONFIG).await.1["isRegistered"], false, "it left");
    let (status, answer) = boss.json(Method::PUT, ENROL, body()).await;
    assert_eq!((status, &answer["code"]), (409, &json!("API409.Participant")));
}

#[tokio::test]
async fn a_migration_needs_a_registration_of_ours() {
    let world = world().await;
    let boss = boss(&world).await;
    let unpublished = "/api/v1/peppol/config/party/0106:23456789";
    assert_eq!(boss.json(Method::PUT, unpublished, json!({})).await.0, 200);
    let (status, answer) = boss.get("/api/v1/peppol/0106:23456789/prepareToMigrate").await;
    assert_eq!((status, &answer["code"]), (409, &json!("API409.Registration")));
}

/// Who acts for all parties and is held from one is held from it until a link says otherwise:
/// neither its end nor that of the link opens it.
#[tokio::test]
async fn a_client_that_is_held_from_a_party_stays_so() {
    let world = world().await;
    let (_, boss) = enrolled(&world).await;
    let erp = world.acme().await;
    let links = "/api/v1/user/acme-erp/party";
    let nothing = json!({ "id": NEW, "permissions": {} });
    assert_eq!(boss.json(Method::PUT, links, nothing).await.0, 200);
    let held = async |when: &str| {
        for path in ["purchaseInvoice", "salesInvoice", "hook"] {
            let (status, body) = erp.get(&format!("/api/v1/{NEW}/{path}")).await;
            assert_eq!((status, &body["code"]), (403, &json!("API403.Permission")), "{when}");
        }
        let (status, body) = erp.send(erp.xml(NEW, "<Invoice/>")).await;
        assert_eq!((status, &body["code"]), (403, &json!("API403.Permission")), "{when}");
        assert_eq!(erp.get("/api/v1/hook").await.0, 403, "{when}");
    };
    held("linked without permissions").await;
    assert_eq!(boss.send(boss.request(Method::DELETE, ENROL)).await.0, 204);
    held("withdrawn").await;
    assert_eq!(boss.json(Method::PUT, ENROL, body()).await.0, 200);
    held("enrolled again").await;
    let link = format!("{links}/{NEW}");
    assert_eq!(boss.send(boss.request(Method::DELETE, &link)).await.0, 204);
    held("unlinked").await;
    let again = json!({ "id": NEW, "permissions": { "canReceiveDocument": true } });
    assert_eq!(boss.json(Method::PUT, links, again).await.0, 200);
    assert_eq!(erp.get(&format!("/api/v1/{NEW}/purchaseInvoice")).await.0, 200);
}
