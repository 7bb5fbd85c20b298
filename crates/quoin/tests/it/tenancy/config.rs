//! Configurations of an organisation and its parties: states and what holds, both forms of bodies,
//! versions, pages, identifiers and business cards.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, World, world};

pub const PARTY: &str = "0106:12345678";
const CONFIG: &str = "/api/v1/peppol/config";
const RESPONSE: &str = "invoice_response:3";

pub async fn boss(world: &World) -> As {
    world.client("acme-boss", "boss-secret").await
}

fn path(party: &str) -> String {
    format!("{CONFIG}/party/{party}")
}

async fn put(caller: &As, path: &str, body: Value) -> Value {
    let (status, answer) = caller.json(Method::PUT, path, body).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

/// Status, entity tag and body.
async fn tagged(
    caller: &As,
    method: Method,
    path: &str,
    more: &[(&str, &str)],
    body: Value,
) -> (u16, String, Value) {
    let mut request = caller.request(method, path).header("content-type", "application/json");
    for (name, value) in more {
        request = request.header(*name, *value);
    }
    let response = request.body(body.to_string()).send().await.unwrap();
    let status = response.status().as_u16();
    let tag = response.headers().get("etag").map_or("", |tag| tag.to_str().unwrap()).to_owned();
    (status, tag, serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default())
}

/// Whether our SMP publishes a document type of this part for a participant.
pub async fn publishes(world: &World, participant: &str, part: &str) -> bool {
    let services = world.store.services_of(participant).await.unwrap();
    services.iter().any(|service| service.document_type.contains(part))
}

#[tokio::test]
async fn what_an_organisation_sets_holds_for_parties_that_inherit() {
    let world = world().await;
    let boss = boss(&world).await;
    let (_, before) = boss.get(CONFIG).await;
    assert_eq!(before["id"], "acme");
    assert_eq!(before["capabilities"]["invoices"]["state"], "inherited => on");
    assert_eq!(before["invoiceResponse"]["state"], "inherited => off");
    assert_eq!(before["capabilities"].as_object().unwrap().len(), 13);
    let (_, party) = boss.get(&path(PARTY)).await;
    assert_eq!(party["capabilities"]["invoices"]["state"], "on");
    assert_eq!(party["capabilities"]["invoiceResponse"]["state"], "off");
    put(&boss, &path(PARTY), json!({ "capabilities": { "invoiceResponse": "inherited" } })).await;
    assert!(!publishes(&world, PARTY, RESPONSE).await);
    let body = json!({ "selfBilling": { "state": "on" }, "invoiceResponse": { "state": "on" } });
    let after = put(&boss, CONFIG, body).await;
    assert_eq!(
        (&after["selfBilling"]["state"], &after["invoiceResponse"]["state"]),
        (&json!("on"), &json!("on"))
    );
    let (_, party) = boss.get(&path(PARTY)).await;
    assert_eq!(party["capabilities"]["invoiceResponse"]["state"], "inherited => on");
    assert!(publishes(&world, PARTY, RESPONSE).await, "published in the same commit");
    put(&boss, CONFIG, json!({ "invoiceResponse": "off" })).await;
    assert!(!publishes(&world, PARTY, RESPONSE).await);
    // No document is of the abstract type: what is published is the pattern.
    put(&boss, &path(PARTY), json!({ "capabilities": { "pint": "on" } })).await;
    assert!(publishes(&world, PARTY, "##urn:peppol:pint:billing-1*::2.1").await);
    put(&boss, &path(PARTY), json!({ "capabilities": { "pint": "off" } })).await;
    assert!(!publishes(&world, PARTY, "urn:peppol:pint").await);
}

#[tokio::test]
async fn any_state_can_be_set_from_any_state() {
    let world = world().await;
    let boss = boss(&world).await;
    let states = ["on", "off", "inherited"];
    for from in states {
        for to in states {
            for state in [from, to] {
                let body = json!({ "capabilities": { "orders": state } });
                let shown = put(&boss, &path(PARTY), body).await;
                let shown = shown["capabilities"]["orders"]["state"].as_str().unwrap().to_owned();
                let expected = if state == "inherited" { "inherited => off" } else { state };
                assert_eq!(shown, expected, "{from} {to}");
                let on = publishes(&world, PARTY, "trns:order:3").await;
                assert_eq!(on, state == "on", "{from} {to}");
            }
        }
    }
}

#[tokio::test]
async fn a_configuration_that_was_read_can_be_written_back() {
    let world = world().await;
    let boss = boss(&world).await;
    let body = json!({
        "capabilities": { "selfbilling": { "state": "on" } },
        "businessCard": { "names": "Acme BV", "geoInfo": "Amsterdam, NL" },
        "verification": { "notes": "Contract C21345" },
    });
    put(&boss, &path(PARTY), body.clone()).await;
    let (_, first, read) = tagged(&boss, Method::GET, &path(PARTY), &[], json!({})).await;
    for again in [read.clone(), body] {
        let (status, tag, answer) = tagged(&boss, Method::PUT, &path(PARTY), &[], again).await;
        assert_eq!((status, &tag), (200, &first), "{answer}");
        assert_eq!(answer, read);
    }
    let (_, organisation) = boss.get(CONFIG).await;
    assert_eq!(
        put(&boss, CONFIG, organisation.clone()).await["capabilities"],
        organisation["capabilities"]
    );
}

#[tokio::test]
async fn what_is_shown_twice_can_be_changed_in_either_place() {
    let world = world().await;
    let boss = boss(&world).await;
    let state = async || {
        let (_, shown) = boss.get(CONFIG).await;
        let of = |value: &Value| value["state"].as_str().unwrap().to_owned();
        let inner = of(&shown["capabilities"]["invoiceResponse"]);
        assert_eq!(inner, of(&shown["invoiceResponse"]), "{shown}");
        inner
    };
    for known in ["on", "off", "inherited"] {
        for wanted in ["off", "on"] {
            for inside in [true, false] {
                put(&boss, CONFIG, json!({ "invoiceResponse": { "state": known } })).await;
                let (_, mut read) = boss.get(CONFIG).await;
                let place = match inside {
                    true => &mut read["capabilities"]["invoiceResponse"],
                    false => &mut read["invoiceResponse"],
                };
                place["state"] = json!(wanted);
                put(&boss, CONFIG, read).await;
                assert_eq!(state().await, wanted, "{known} {inside}");
            }
        }
    }
    put(&boss, CONFIG, json!({ "selfBilling": { "state": "inherited" } })).await;
    for (place, status) in [(CONFIG.to_owned(), 400), (path(PARTY), 400)] {
        let both =
            json!({ "selfBilling": { "state": "on" }, "capabilities": { "selfbilling": "off" } });
        let (found, problem) = boss.json(Method::PUT, &place, both).await;
        assert_eq!((found, &problem["code"]), (status, &json!("API400.Config")), "{problem}");
    }
}

#[tokio::test]
async fn a_change_that_is_sent_again_does_not_undo_itself() {
    let world = world().await;
    let boss = boss(&world).await;
    let state = async || boss.get(CONFIG).await.1["orders"]["state"].clone();
    put(&boss, CONFIG, json!({ "orders": "off" })).await;
    let (_, mut read) = boss.get(CONFIG).await;
    read["orders"]["state"] = json!("on");
    world.clock.advance(jiff::SignedDuration::from_secs(1));
    put(&boss, CONFIG, read.clone()).await;
    for _ in 0..3 {
        let (status, problem) = boss.json(Method::PUT, CONFIG, read.clone()).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Config")), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains("read the configuration again"));
        assert_eq!(state().await, "on");
    }
    // What was read before somebody else's change is told apart from that.
    let (_, mut stale) = boss.get(CONFIG).await;
    put(&boss, CONFIG, json!({ "orders": "off" })).await;
    stale["capabilities"]["orders"]["state"] = json!("off");
    assert_eq!(boss.json(Method::PUT, CONFIG, stale).await.0, 400);
    // Without what was read, two states are two, the first time and every time.
    let both = json!({ "orders": { "state": "on" }, "capabilities": { "orders": "inherited" } });
    for place in [CONFIG.to_owned(), path(PARTY)] {
        for _ in 0..2 {
            assert_eq!(boss.json(Method::PUT, &place, both.clone()).await.0, 400);
        }
    }
    assert_eq!(state().await, "off");
}

#[tokio::test]
async fn a_configuration_of_another_one_is_refused() {
    let world = world().await;
    let boss = boss(&world).await;
    let body = |id: &str| json!({ "id": id, "capabilities": { "orders": "on" } });
    for (place, own, other) in
        [(CONFIG.to_owned(), "acme", "other"), (path(PARTY), PARTY, "0106:55555555")]
    {
        put(&boss, &place, body(own)).await;
        let (status, problem) = boss.json(Method::PUT, &place, body(other)).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Config")), "{problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(own) && detail.contains(other), "{detail}");
    }
}

#[tokio::test]
async fn a_change_can_demand_the_version_that_was_read() {
    let world = world().await;
    let boss = boss(&world).await;
    for place in [CONFIG.to_owned(), path(PARTY)] {
        let body = |state: &str| json!({ "capabilities": { "orders": state } });
        put(&boss, &place, body("on")).await;
        let (_, tag, _) = tagged(&boss, Method::GET, &place, &[], json!({})).await;
        let change = async |headers: &[(&str, &str)], state: &str| {
            let (status, tag, answer) =
                tagged(&boss, Method::PUT, &place, headers, body(state)).await;
            (status, tag, answer["code"].as_str().unwrap_or_default().to_owned())
        };
        let (status, newer, _) = change(&[("if-match", &tag)], "off").await;
        assert_eq!(status, 200);
        assert_ne!(tag, newer);
        for stale in [
            &[("if-match", tag.as_str())][..],
            &[("if-none-match", "*")],
            &[("if-match", "W/\"x\"")],
        ] {
            let (status, _, code) = change(stale, "on").await;
            assert_eq!((status, code.as_str()), (412, "API412"), "{stale:?}");
        }
        assert_eq!(change(&[("if-match", "*")], "on").await.0, 200);
        assert_eq!(change(&[("if-none-match", "\"v1\"")], "on").await.0, 400);
    }
}

#[tokio::test]
async fn each_bad_configuration_has_its_own_answer() {
    let world = world().await;
    let boss = boss(&world).await;
    for (party, body, code) in [
        (PARTY, json!({ "capabilities": { "everything": "on" } }), "API400.Config"),
        (PARTY, json!({ "capabilities": { "orders": "maybe" } }), "API400.Config"),
        (PARTY, json!({ "capabilities": { "orders": {} } }), "API400.Config"),
        (PARTY, json!({ "selfBiling": { "state": "on" } }), "API400.Config"),
        (PARTY, json!({ "verification": { "notes": " " } }), "API400.Config"),
        (
            PARTY,
            json!({ "verification": { "notes": "x", "verifiedOn": "2126-01-01T00:00:00Z" } }),
            "API400.Config",
        ),
        (PARTY, json!({ "migration": { "key": "short" } }), "API400.Config"),
        (
            PARTY,
            json!({ "verification": { "notes": "n", "identifiers": ["0106:55555555"] } }),
            "API400.Config",
        ),
        (PARTY, json!({ "businesscard": null }), "API400.Config"),
        (PARTY, json!([]), "API400.Json"),
        (PARTY, json!({ "identifiers": ["0106:1"] }), "API400.PartyId"),
        ("0106:1", json!({}), "API400.PartyId"),
        ("nonsense", json!({}), "API400.PartyId"),
        (PARTY, json!({ "businessCard": { "names": "Acme" } }), "API400.BusinessCard"),
    ] {
        let (status, answer) = boss.json(Method::PUT, &path(party), body.clone()).await;
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{body} {answer}");
    }
}

#[tokio::test]
async fn a_business_card_without_names_or_country_is_refused_word_for_word() {
    let world = world().await;
    let boss = boss(&world).await;
    let words = "Both name(s) and country code are required when adding a business card";
    let full = |names: &str, address: &str| {
        json!({ "businessCard": { "names": { "value": names, "state": "on" },
            "address": { "value": address, "state": "on" }, "state": "on" } })
    };
    for body in [full("", "Gent, BE"), full("Acme", "Gent"), json!({ "businessCard": {} })] {
        let (status, answer) = boss.json(Method::PUT, &path(PARTY), body).await;
        assert_eq!((status, &answer["message"]), (400, &json!(words)));
    }
    let shown = put(&boss, &path(PARTY), full("Acme", "Main Street 1, Gent, BE")).await;
    assert_eq!(shown["businessCard"]["address"]["value"], "Main Street 1, Gent, BE");
    let mail = json!({ "businessCard": { "emailAddress": { "value": "help@acme.example" } } });
    put(&boss, CONFIG, mail).await;
    let (_, shown) = boss.get(&path(PARTY)).await;
    assert_eq!(shown["businessCard"]["emailAddress"]["state"], "inherited => on");
    let none = put(&boss, &path(PARTY), json!({ "businessCard": null })).await;
    assert!(none.get("businessCard").is_none());
}

#[tokio::test]
async fn letter_aliases_and_all_identifiers_name_the_same_party() {
    let world = world().await;
    let boss = boss(&world).await;
    let made = put(&boss, &path("BE:VAT:BE0202239951"), json!({})).await;
    assert_eq!(made["id"], "0208:0202239951");
    assert_eq!(made["identifiers"], json!(["0208:0202239951", "9925:BE0202239951"]));
    let body = json!({ "identifiers": ["GLN:7300010000001"] });
    let more = put(&boss, &path("BE:EN:0202239951"), body).await;
    assert_eq!(more["identifiers"].as_array().unwrap().len(), 3);
    for name in ["0208:0202239951", "9925:BE0202239951", "be:en:0202239951", "0088:7300010000001"] {
        let (status, found) = boss.get(&path(name)).await;
        assert_eq!((status, &found["id"]), (200, &json!("0208:0202239951")), "{name}");
    }
    let taken = json!({ "identifiers": ["0106:12345678"] });
    let (status, answer) = boss.json(Method::PUT, &path("0208:0202239951"), taken).await;
    assert_eq!((status, &answer["code"]), (409, &json!("API409.Participant")));
}

#[tokio::test]
async fn parties_come_page_by_page() {
    let world = world().await;
    let boss = boss(&world).await;
    for number in 1..=4 {
        put(&boss, &path(&format!("0106:0000000{number}")), json!({})).await;
    }
    let mut seen = Vec::new();
    let mut next = String::new();
    loop {
        let (status, page) = boss.get(&format!("{CONFIG}/party?limit=2{next}")).await;
        assert_eq!(status, 200, "{page}");
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 2);
        seen.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        let Some(token) = page["continuationToken"].as_str() else { break };
        next = format!("&continuationToken={token}");
    }
    let expected: Vec<_> =
        (1..=4).map(|n| format!("0106:0000000{n}")).chain([PARTY.to_owned()]).collect();
    assert_eq!(seen, expected);
    for (query, code) in [
        ("limit=0", "API400.Query"),
        ("limit=501", "API400.Query"),
        ("continuationToken=%21", "API400.Continuation"),
    ] {
        let (status, answer) = boss.get(&format!("{CONFIG}/party?{query}")).await;
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{query}");
    }
}

#[tokio::test]
async fn a_configuration_publishes_once_somebody_verified_and_a_user_is_linked() {
    let world = world().await;
    let boss = boss(&world).await;
    world.user("alice").await;
    let new = "0106:00000001";
    let made = put(&boss, &path(new), json!({ "capabilities": { "invoices": "on" } })).await;
    assert_eq!(made["isRegistered"], false);
    assert!(made["message"].as_str().unwrap().contains("end-user verification"), "{made}");
    let body = json!({ "verification": { "notes": "Passport", "verifiedBy": "J. Jansen" } });
    let verified = put(&boss, &path(new), body).await;
    assert_eq!(verified["verification"]["verifiedBy"], "J. Jansen");
    assert_eq!(verified["verification"]["recordedBy"], "acme-boss");
    assert_eq!(verified["verification"]["identifiers"], json!([new]));
    let link = json!({ "id": new, "permissions": { "canReceiveDocument": true } });
    put(&boss, "/api/v1/user/alice/party", link).await;
    assert!(!publishes(&world, new, "Invoice").await);
    let again = put(&boss, &path(new), json!({ "capabilities": { "invoices": "on" } })).await;
    assert_eq!(again["isRegistered"], true, "{again}");
    assert!(publishes(&world, new, "Invoice").await);
    let gone = boss.request(Method::DELETE, &path(new));
    assert_eq!(boss.send(gone).await.0, 204);
    assert!(!publishes(&world, new, "Invoice").await);
    assert_eq!(boss.get("/api/v1/user/alice/party").await.1.as_array().unwrap().len(), 1);
}
