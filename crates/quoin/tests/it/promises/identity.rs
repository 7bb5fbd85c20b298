//! In whose name something may be sent (TE-1), and what an enrolment needs (items 20 and 21).

use quoin_access_point::config::{Config, EndUserVerification};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Play;
use crate::world::world;

const SECOND: &str = "0106:23456789";

#[tokio::test(flavor = "multi_thread")]
async fn te_1_a_second_identifier_that_nobody_verified_is_not_sent_under() {
    let play = Play::begin().await;
    let store = &play.one.parts.store;
    let owner = play.stage.sender.organisation.parse().unwrap();
    let mut party = store.party_of_identifier(&owner, SENDER).await.unwrap().unwrap();
    party.identifiers.push(SECOND.to_owned());
    store.put_party(party.clone()).await.unwrap();
    let send = async |number: &str| {
        play.send_document(quoin_formats::samples::invoice(SECOND, RECEIVER, number)).await
    };
    let id = send("TE-1-A").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError");
    assert!(ending.text("message").contains(SECOND), "{ending:?}");
    assert!(play.arrived().await.is_empty());
    // Nor while another organisation holds it, whenever it took it.
    let other = quoin_store::Organisation {
        id: "other".parse().unwrap(),
        name: "Other".to_owned(),
        created_on: play.stage.clock.now(),
    };
    store.put_organisation(other.clone()).await.unwrap();
    let mut change = crate::promises::verified(&owner, SENDER, &[SENDER, SECOND]);
    store.change_party(change.clone()).await.unwrap();
    let id = send("TE-1-B").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    store.take_off(&party, SECOND, ("boss", play.stage.clock.now())).await.unwrap();
    change = crate::promises::verified(&other.id, SECOND, &[SECOND]);
    store.change_party(change).await.unwrap();
    let id = send("TE-1-C").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSentError");
    assert_eq!(play.arrived().await.len(), 1);
}

#[test]
fn item_20_an_enrolment_declares_unless_the_operator_says_otherwise() {
    assert_eq!(Config::default().api.end_user_verification, EndUserVerification::Declared);
}

/// The body of the specification, section 2.7, word for word: without a verification.
#[tokio::test]
async fn item_20_the_enrolment_body_of_the_specification_works() {
    let world = crate::world::declaring_world().await;
    world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let body = json!({
        "services": { "peppol": { "capabilities": { "invoices": "on" } } },
        "partyAuthorizations": [{ "userId": "alice", "permissions": {
            "canSendDocument": true, "canReceiveDocument": true,
            "canRemoveDocument": true, "canManageHook": true } }],
        "hooks": [{ "action": "https://erp.example.org/e#secret", "topics": ["Invoice*"] }],
    });
    let path = "/api/v1-beta/0106:00000001/enroll";
    let (status, made) = boss.json(Method::PUT, path, body.clone()).await;
    assert_eq!(status, 200, "{made}");
    let peppol = &made["services"]["peppol"];
    assert_eq!(peppol["verification"]["identifiers"], json!(["0106:00000001"]), "{peppol}");
    // Item 21: the four permissions of the specification are enough to answer an invoice.
    let permissions = &made["partyAuthorizations"][0]["permissions"];
    assert_eq!(permissions["canChangeDocumentStatus"], true, "{permissions}");
    let (_, again) = boss.json(Method::PUT, path, body).await;
    assert_eq!(again["services"], made["services"], "doing it twice changes nothing");
}

#[tokio::test]
async fn item_20_where_records_are_asked_for_the_error_names_the_path() {
    let world = world().await;
    world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let body = json!({
        "services": { "peppol": { "capabilities": { "invoices": "on" } } },
        "partyAuthorizations": [{ "userId": "alice" }],
    });
    let path = "/api/v1-beta/0106:00000001/enroll";
    let (status, refused) = boss.json(Method::PUT, path, body).await;
    assert_eq!((status, &refused["code"]), (400, &json!("API400.Verification")));
    assert!(refused["detail"].as_str().unwrap().contains("services.peppol.verification"));
    let page = world.http.get(format!("{}/docs/errors/API400.Verification", world.base));
    let page = page.send().await.unwrap().text().await.unwrap();
    assert!(page.contains("services.peppol.verification"), "{page}");
}

#[tokio::test]
async fn item_21_who_receives_may_answer_unless_it_is_said_otherwise() {
    let world = world().await;
    let alice = world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let path = "/api/v1/user/alice/party";
    for (permissions, answers) in [
        (json!({ "canReceiveDocument": true }), true),
        (json!({ "canReceiveDocument": true, "canChangeDocumentStatus": false }), false),
        (json!({ "canSendDocument": true }), false),
        (json!({ "canChangeDocumentStatus": true }), true),
    ] {
        let body = json!({ "id": SENDER, "permissions": permissions });
        let (status, link) = boss.json(Method::PUT, path, body).await;
        assert_eq!(status, 200, "{link}");
        assert_eq!(link["permissions"]["canChangeDocumentStatus"], answers, "{permissions}");
    }
    // The title of a missing permission does not say that the party is somebody else's.
    let (status, problem): (u16, Value) = alice.send(alice.xml(SENDER, "<x/>")).await;
    assert_eq!((status, &problem["code"]), (403, &json!("API403.Permission")));
    assert_eq!(problem["title"], "A permission is missing");
}
