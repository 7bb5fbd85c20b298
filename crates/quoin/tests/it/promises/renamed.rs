//! A party that lost the identifier with which it was recorded: it acts under those that it has,
//! is named by one of them wherever it is named, and nobody who has the old one is meant with it.

use std::collections::BTreeMap;

use quoin_delivery::capabilities::CapabilitySetting;
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::PartyChange;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::promises::verified;
use crate::stage::{Play, until};
use crate::world::{As, World, world};

const SECOND: &str = "0106:23456789";
const THIRD: &str = "0106:34567890";

#[tokio::test(flavor = "multi_thread")]
async fn a_party_sends_under_what_it_has_and_nobody_elses() {
    let play = Play::begin().await;
    let store = &play.one.parts.store;
    let owner = play.stage.sender.organisation.parse().unwrap();
    store.change_party(verified(&owner, SENDER, &[SENDER, SECOND])).await.unwrap();
    let party = store.party_of_identifier(&owner, SENDER).await.unwrap().unwrap();
    let by = ("boss", play.stage.clock.now());
    assert!(store.take_off(&party, SENDER, by).await.unwrap());
    // Another party of the organisation takes the identifier over.
    store.change_party(verified(&owner, THIRD, &[THIRD, SENDER])).await.unwrap();
    let caller = play.sender().await;
    let send = async |path: &str, endpoint: &str, number: &str| {
        let id = Uuid::new_v4().to_string();
        let invoice = quoin_formats::samples::invoice(endpoint, RECEIVER, number);
        let taken = caller.send(path, &id, invoice).await;
        assert_eq!(taken.status, 200, "{:?}", taken.json);
        let place = taken.headers["location"].to_str().unwrap().to_owned();
        (place, play.ending(&id).await)
    };
    let (place, told) = send(SECOND, SECOND, "R-1").await;
    assert_eq!((told.text("topic"), told.text("partyId")), ("InvoiceSent", SECOND), "{told:?}");
    assert!(place.contains(&format!("/{SECOND}/")), "{place}");
    for (endpoint, number) in [(SENDER, "R-2"), (THIRD, "R-3")] {
        let (_, told) = send(SECOND, endpoint, number).await;
        assert_eq!((told.text("topic"), told.text("partyId")), ("InvoiceSentError", SECOND));
        assert!(told.text("message").contains(SECOND), "{told:?}");
    }
    let (_, told) = send(SENDER, SENDER, "R-4").await;
    assert_eq!((told.text("topic"), told.text("partyId")), ("InvoiceSent", THIRD));
    assert_eq!(play.arrived().await.len(), 2);
    // What the dry run tells is what becomes of it.
    let invoice = quoin_formats::samples::invoice(SECOND, RECEIVER, "R-5");
    let path = format!("/api/v1/{SECOND}/salesInvoice/sendDryRun");
    let headers = [("content-type", "application/xml")];
    let told = caller.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap();
    assert_eq!(told.json["verdict"], "deliverable", "{}", told.json);
}

/// What came under an identifier that the party lost since is answered under one that it has.
#[tokio::test(flavor = "multi_thread")]
async fn a_party_answers_what_came_under_the_identifier_that_it_lost() {
    let play = Play::begin().await;
    let (sender, receiver) = (play.sender().await, play.receiver().await);
    let store = &play.two.parts.store;
    let owner = play.stage.receiver.organisation.parse().unwrap();
    let sent = play.send_document(samples::invoice(SENDER, RECEIVER, "R-6")).await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let path = format!("/api/v1/{SENDER}/purchaseOrder/send");
    let order = Uuid::new_v4().to_string();
    let headers = [("content-type", "application/xml"), ("x-service-documentid", order.as_str())];
    let body = Some(samples::order(SENDER, RECEIVER, "R-7"));
    assert_eq!(sender.call(Method::POST, &path, &headers, body).await.unwrap().status, 200);
    assert_eq!(
        play.told(&order, &["OrderSent", "OrderSentError"]).await.text("topic"),
        "OrderSent"
    );
    let mut change = verified(&owner, RECEIVER, &[RECEIVER, SECOND]);
    let on = |name: &str| (name.to_owned(), CapabilitySetting::On);
    change.capabilities.extend(["invoices", "invoiceResponse", "orders"].map(on));
    store.change_party(change).await.unwrap();
    for (kind, answer) in [
        ("purchaseInvoice", ["InvoiceResponseSent", "InvoiceResponseSentError"]),
        ("salesOrder", ["OrderSent", "OrderSentError"]),
    ] {
        let list = format!("/api/v1/{SECOND}/{kind}");
        let found =
            async || receiver.get(&list).await.json["items"][0]["id"].as_str().map(str::to_owned);
        let arrived = until("it arrives", found).await;
        if kind == "purchaseInvoice" {
            let party = store.party_of_identifier(&owner, RECEIVER).await.unwrap().unwrap();
            let by = ("boss", play.stage.clock.now());
            assert!(store.take_off(&party, RECEIVER, by).await.unwrap());
        }
        let path = format!("/api/v1/{SECOND}/{kind}/{arrived}/response");
        let headers = [("content-type", "application/json")];
        let body = Some(json!({ "status": "AP" }).to_string());
        let given = receiver.call(Method::POST, &path, &headers, body).await.unwrap();
        assert_eq!(given.status, 200, "{}", given.json);
        let told = play.told(given.json["id"].as_str().unwrap(), &answer).await;
        assert_eq!(told.text("topic"), answer[0], "{told:#?}");
        assert_eq!(told.payload["details"]["sender"], SECOND, "{told:#?}");
    }
}

/// The party of the world without the identifier that it was declared with, which another party has
/// by now, and a user that is linked to the first alone.
async fn parted(world: &World) -> (As, As) {
    let boss = world.client("acme-boss", "boss-secret").await;
    let alice = world.user("alice").await;
    let link = json!({ "id": LEFT, "permissions": { "canSendDocument": true,
        "canReceiveDocument": true, "canManageHook": true } });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user/alice/party", link).await.0, 200);
    let hook = json!({ "id": "own", "topics": ["*"], "action": "https://x.example.org/" });
    assert_eq!(boss.json(Method::PUT, &format!("/api/v1/{LEFT}/hook"), hook).await.0, 200);
    let off = format!("{PARTY}/{LEFT}/identifier/{GONE}");
    assert_eq!(boss.send(boss.request(Method::DELETE, &off)).await.0, 204);
    let body = json!({ "identifiers": [THIRD, GONE], "verification": { "notes": "Contract" } });
    let (status, made) = boss.json(Method::PUT, &format!("{PARTY}/{THIRD}"), body).await;
    assert_eq!((status, &made["id"]), (200, &json!(THIRD)), "{made}");
    (boss, alice)
}

const PARTY: &str = "/api/v1/peppol/config/party";
const GONE: &str = "0106:12345678";
const LEFT: &str = "9944:NL123456782B01";

#[tokio::test]
async fn a_party_is_named_by_what_it_has_wherever_it_is_named() {
    let world = world().await;
    let (boss, alice) = parted(&world).await;
    let ids = |list: &Value| {
        let all = list.as_array().unwrap().iter();
        all.map(|one| one["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut all = ids(&boss.get(PARTY).await.1["items"]);
    all.sort();
    assert_eq!(all, [THIRD, LEFT]);
    for (caller, path) in
        [(&alice, "/api/v1/me/party".to_owned()), (&boss, "/api/v1/user/alice/party".to_owned())]
    {
        assert_eq!(ids(&caller.get(&path).await.1), [LEFT], "{path}");
    }
    let me = alice.get("/api/v1/me").await.1;
    assert_eq!(me["parties"][0]["id"], LEFT);
    assert_eq!(me["parties"][0]["identifiers"], json!([LEFT]));
    let shown = boss.get(&format!("{PARTY}/{LEFT}")).await.1;
    assert_eq!((&shown["id"], &shown["identifiers"]), (&json!(LEFT), &json!([LEFT])));
    let of_party = format!("/api/v1/{LEFT}/hook");
    let hooks = alice.get(&of_party).await.1;
    assert_eq!(hooks[0]["partyId"], LEFT, "{hooks}");
    // A hook that was read is written back; one that names who has the old identifier is not meant.
    assert_eq!(alice.json(Method::PUT, &of_party, hooks[0].clone()).await.0, 200);
    let mut other = hooks[0].clone();
    other["partyId"] = json!(GONE);
    let (status, refused) = alice.json(Method::PUT, &of_party, other).await;
    assert_eq!((status, &refused["code"]), (400, &json!("API400.Hook")));
    assert!(refused["detail"].as_str().unwrap().contains(LEFT), "{refused}");
    assert_eq!(alice.get(&format!("{of_party}/ping")).await.0, 200);
    let events = alice.get("/api/v1/events").await.1;
    let parties: Vec<&Value> =
        events["items"].as_array().unwrap().iter().map(|event| &event["partyId"]).collect();
    assert_eq!(parties, [LEFT]);
    let log = alice.get(&format!("{of_party}/own/deliveries")).await.1;
    let call = &log["items"][0];
    assert_eq!((&call["partyId"], &call["body"]["partyId"]), (&json!(LEFT), &json!(LEFT)));
    for refused in [
        alice.get(&format!("/api/v1/{LEFT}/salesInvoice/{}", Uuid::new_v4())).await,
        boss.send(boss.request(Method::DELETE, &format!("{PARTY}/{LEFT}/identifier/{GONE}"))).await,
    ] {
        let detail = refused.1["detail"].as_str().unwrap();
        assert!(detail.to_uppercase().contains(LEFT), "{detail}");
    }
}

/// Every path that leads to a party by what is listed of it leads to that one.
#[tokio::test]
async fn what_is_listed_leads_to_the_same_party() {
    let world = world().await;
    let (boss, alice) = parted(&world).await;
    let sent = alice.send(alice.xml(GONE, "<Invoice/>")).await;
    assert_eq!((sent.0, &sent.1["code"]), (403, &json!("API403")), "it is another party's");
    let listed = boss.get("/api/v1/user/alice/party").await.1[0]["id"].clone();
    let link = format!("/api/v1/user/alice/party/{}", listed.as_str().unwrap());
    // Its last user stays for as long as it is registered, which tells that it is found.
    let (status, kept) = boss.send(boss.request(Method::DELETE, &link)).await;
    assert_eq!(status, 204, "{kept}");
    assert_eq!(boss.get("/api/v1/user/alice/party").await.1, json!([]));
    let by_name = async || {
        let mut found = BTreeMap::new();
        for id in [LEFT, THIRD] {
            let shown = boss.get(&format!("{PARTY}/{id}")).await.1;
            found.insert(id, shown.get("createdOn").is_some());
        }
        found
    };
    assert_eq!(by_name().await, [(LEFT, true), (THIRD, true)].into());
    let path = format!("{PARTY}/{LEFT}");
    assert_eq!(boss.send(boss.request(Method::DELETE, &path)).await.0, 204);
    assert_eq!(by_name().await, [(LEFT, false), (THIRD, true)].into());
}

/// The identifier that was taken off is enrolled anew: it is a party of its own, with hooks of its
/// own, and what was said of the first is not said of it.
#[tokio::test]
async fn what_was_taken_off_is_enrolled_as_another_party() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    world.user("alice").await;
    let hook = json!({ "id": "erp", "topics": ["*"], "action": "https://x.example.org/#secret" });
    assert_eq!(boss.json(Method::PUT, &format!("/api/v1/{GONE}/hook"), hook).await.0, 200);
    let off = format!("{PARTY}/{LEFT}/identifier/{GONE}");
    assert_eq!(boss.send(boss.request(Method::DELETE, &off)).await.0, 204);
    let body = json!({
        "services": { "peppol": { "capabilities": { "invoices": "on" },
            "verification": { "notes": "Contract" } } },
        "partyAuthorizations": [{ "userId": "alice" }],
        "hooks": [
            { "id": "erp", "action": "https://y.example.org/", "topics": ["*"] },
            { "action": "https://z.example.org/", "topics": ["*"] },
        ],
    });
    let enrol = format!("/api/v1-beta/{GONE}/enroll");
    let (status, made) = boss.json(Method::PUT, &enrol, body.clone()).await;
    assert_eq!(status, 200, "{made}");
    assert_eq!((&made["id"], &made["services"]["peppol"]["id"]), (&json!(GONE), &json!(GONE)));
    assert_eq!(made["services"]["peppol"]["identifiers"], json!([GONE]));
    let hooks = made["hooks"].as_array().unwrap();
    assert!(hooks.iter().all(|hook| hook["partyId"] == GONE), "{hooks:?}");
    assert_eq!(hooks.iter().filter(|hook| hook["hasSecret"] == true).count(), 0, "{hooks:?}");
    let (_, again) = boss.json(Method::PUT, &enrol, body).await;
    assert_eq!(again["hooks"], made["hooks"], "twice is once");
    let first = boss.get(&format!("/api/v1/{LEFT}/hook")).await.1;
    assert_eq!((first.as_array().unwrap().len(), &first[0]["hasSecret"]), (1, &json!(true)));
    let shown = boss.get(&format!("{PARTY}/{LEFT}")).await.1;
    assert_eq!(shown["identifiers"], json!([LEFT]));
}

/// The name of a party can be set, and a change that names another one tells so.
#[tokio::test]
async fn a_party_is_called_as_it_was_said_last() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let path = format!("{PARTY}/{GONE}");
    let (status, named) = boss.json(Method::PUT, &path, json!({ "name": "Acme Holding" })).await;
    assert_eq!((status, &named["name"]), (200, &json!("Acme Holding")), "{named}");
    let (_, again) = boss.json(Method::PUT, &path, named.clone()).await;
    assert_eq!(again, named, "what was read can be written back");
    for (place, name) in [(path.as_str(), json!(7)), (path.as_str(), json!("a\nb"))] {
        let (status, refused) = boss.json(Method::PUT, place, json!({ "name": name })).await;
        assert_eq!((status, &refused["code"]), (400, &json!("API400.Config")), "{refused}");
    }
    let whole = "/api/v1/peppol/config";
    let (status, refused) = boss.json(Method::PUT, whole, json!({ "name": "Acme" })).await;
    assert_eq!((status, &refused["code"]), (400, &json!("API400.Config")), "{refused}");
}

/// Who enrolled, changed and withdrew a participant stands in its log.
#[tokio::test]
async fn the_log_of_the_smp_tells_of_enrolments() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    world.user("alice").await;
    let body = json!({
        "services": { "peppol": { "capabilities": { "invoices": "on" },
            "verification": { "notes": "Contract" } } },
        "partyAuthorizations": [{ "userId": "alice" }],
    });
    let (enrol, path) = (format!("/api/v1-beta/{THIRD}/enroll"), format!("{PARTY}/{THIRD}"));
    assert_eq!(boss.json(Method::PUT, &enrol, body).await.0, 200);
    let body = json!({ "capabilities": { "orders": "on" } });
    assert_eq!(boss.json(Method::PUT, &path, body).await.0, 200);
    assert_eq!(boss.send(boss.request(Method::DELETE, &enrol)).await.0, 204);
    let (_, log) = boss.get(&format!("/smp/{THIRD}/changes")).await;
    let told: Vec<(&str, &str, &str)> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            let text = |name: &str| line[name].as_str().unwrap();
            (text("action"), text("subject"), text("account"))
        })
        .collect();
    let by = "acme-boss";
    assert_eq!(
        told,
        [("withdraw", "", by), ("change configuration", "capabilities", by), ("enrol", "", by),]
    );
}

/// The last identifier, and the enterprise number of a Belgian party, are kept, and it is said why.
#[tokio::test]
async fn what_a_party_cannot_be_without_stays_and_it_is_said_why() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    world.user("alice").await;
    let off = async |party: &str, identifier: &str| {
        let path = format!("{PARTY}/{party}/identifier/{identifier}");
        let (status, answer) = boss.send(boss.request(Method::DELETE, &path)).await;
        (status, answer["code"].clone(), answer["detail"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(off(GONE, GONE).await.0, 204);
    let (status, code, why) = off(LEFT, LEFT).await;
    assert_eq!((status, &code), (409, &json!("API409.Smp")));
    assert!(why.contains("last identifier"), "{why}");
    let (vat, enterprise) = ("9925:BE0848934496", "0208:0848934496");
    let body = json!({
        "services": { "peppol": { "capabilities": { "invoices": "on" },
            "verification": { "notes": "Contract" } } },
        "partyAuthorizations": [{ "userId": "alice" }],
    });
    let enrol = format!("/api/v1-beta/{vat}/enroll");
    let (status, made) = boss.json(Method::PUT, &enrol, body).await;
    assert_eq!(status, 200, "{made}");
    let (status, code, why) = off(vat, enterprise).await;
    assert_eq!((status, &code), (409, &json!("API409.Smp")));
    assert!(why.contains("enterprise number") && why.contains("take 9925:be"), "{why}");
    assert_eq!(off(enterprise, vat).await.0, 204);
}

/// What a party had when it was looked up may be another one's when it is withdrawn.
#[tokio::test]
async fn a_withdrawal_ends_what_the_party_has_by_then() {
    let world = world().await;
    let owner = "acme".parse().unwrap();
    let before = world.store.party_of_identifier(&owner, GONE).await.unwrap().unwrap();
    let (boss, _) = parted(&world).await;
    let change = PartyChange {
        publish: quoin_store::Publish::Declared,
        ..verified(&owner, THIRD, &[THIRD, GONE])
    };
    world.store.change_party(change).await.unwrap();
    // Who looked the first party up before ends nothing of the second.
    let (all, by) = (quoin_store::Withdrawal::Everything, ("boss", world.clock.now()));
    let any = quoin_store::Expected::Any;
    assert!(world.store.withdraw_party(before, all, any, by).await.unwrap());
    let shown = boss.get(&format!("{PARTY}/{THIRD}")).await.1;
    let all: Vec<&Value> =
        shown["participants"].as_array().unwrap().iter().map(|one| &one["isVerified"]).collect();
    assert_eq!(all, [true, true], "{shown}");
    assert!(world.store.publication(GONE).await.unwrap().is_some());
}
