//! What the configuration says again at a start changes nothing that was set over the interface;
//! what it says anew is taken over, and what somebody else has keeps nobody from starting.

use jiff::SignedDuration;
use quoin_access_point::config::{Config, ConfigSecret, HookSeed, UndeclaredParties};
use quoin_lab::lab::network::{Customer, RECEIVER, SENDER};
use quoin_server::start::Running;
use quoin_store::{Hook, HookScope, PartyRecord};
use reqwest::Method;
use serde_json::json;

use super::duplicates::alarms;
use crate::stage::Stage;
use crate::stage::caller::Caller;

/// An identifier of the sender beside the one that it is known by.
const SECOND: &str = "0106:20000888";
const THIRD: &str = "0106:20000999";

fn with_hook(stage: &Stage) -> Config {
    let mut config = stage.config_one();
    config.organisation[0].hooks.push(HookSeed {
        id: "cfg".to_owned(),
        action: ConfigSecret::new("https://hooks.example.org/cfg#first-secret"),
        topics: vec!["InvoiceSent".to_owned()],
        name: String::new(),
        init: Default::default(),
    });
    config
}

async fn hook(service: &Running) -> Option<Hook> {
    let owner = service.parts.config.organisation[0].id.parse().unwrap();
    let id = "cfg".parse().unwrap();
    service.parts.store.hook(&owner, &HookScope::Environment, &id).await.unwrap()
}

async fn sender(service: &Running, identifier: &str) -> Option<PartyRecord> {
    let owner = service.parts.config.organisation[0].id.parse().unwrap();
    service.parts.store.party_of_identifier(&owner, identifier).await.unwrap()
}

async fn is_published(service: &Running, participant: &str) -> bool {
    service.parts.store.publication(participant).await.unwrap().is_some()
}

async fn call(caller: &Caller, method: Method, path: &str, body: serde_json::Value) {
    let body = body.to_string();
    let json = [("content-type", "application/json")];
    let answer = caller.call(method, path, &json, Some(body)).await.unwrap();
    assert!((200..300).contains(&answer.status), "{path}: {:?}", answer.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_interface_set_is_there_after_a_start() {
    let stage = Stage::set().await;
    let config = with_hook(&stage);
    let one = stage.start(config.clone()).await;
    let caller = Caller::of(&stage, &one, &stage.sender).await;
    let place = format!("/api/v1/peppol/config/party/{SENDER}");
    let more = json!({ "identifiers": [SECOND], "capabilities": { "invoices": "off" } });
    call(&caller, Method::PUT, &place, more).await;
    call(&caller, Method::POST, "/api/v1/hook/cfg/rotate", json!({})).await;
    let rotated = hook(&one).await.unwrap().secrets;
    assert_ne!(rotated[0].reveal(), "first-secret");
    one.stop().await;

    let one = stage.start(config.clone()).await;
    assert_eq!(hook(&one).await.unwrap().secrets, rotated, "the rotation is kept");
    let party = sender(&one, SECOND).await.expect("the second identifier is the party's");
    let profile = one.parts.store.party_profile(party).await.unwrap();
    assert!(!profile.has("invoices"), "the capability stays off");
    let caller = Caller::of(&stage, &one, &stage.sender).await;
    let off = json!({ "id": "cfg", "action": "https://hooks.example.org/cfg",
        "topics": ["InvoiceSent"], "isActive": false });
    call(&caller, Method::PUT, "/api/v1/hook", off).await;
    let withdrawn = format!("/api/v1-beta/{SENDER}/enroll");
    call(&caller, Method::DELETE, &withdrawn, json!({})).await;
    one.stop().await;

    let one = stage.start(config.clone()).await;
    assert!(!hook(&one).await.unwrap().is_active, "the hook stays off");
    assert!(!is_published(&one, SENDER).await, "the party stays withdrawn");
    let caller = Caller::of(&stage, &one, &stage.sender).await;
    call(&caller, Method::DELETE, "/api/v1/hook/cfg", json!({})).await;
    one.stop().await;

    let one = stage.start(config.clone()).await;
    assert!(hook(&one).await.is_none(), "the hook stays removed");
    one.stop().await;

    // What is said anew counts.
    let mut other = config;
    other.organisation[0].hooks.last_mut().unwrap().name = "Again".to_owned();
    other.organisation[0].parties[0].name = "Another name".to_owned();
    let one = stage.start(other).await;
    assert!(hook(&one).await.unwrap().is_active && is_published(&one, SENDER).await);
    one.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_of_the_configuration_counts_when_it_is_another_one() {
    let stage = Stage::set().await;
    let mut config = with_hook(&stage);
    let one = stage.start(config.clone()).await;
    let caller = Caller::of(&stage, &one, &stage.sender).await;
    call(&caller, Method::POST, "/api/v1/hook/cfg/rotate", json!({})).await;
    let rotated = hook(&one).await.unwrap().secrets[0].clone();
    one.stop().await;
    // Something else of the hook is changed.
    config.organisation[0].hooks.last_mut().unwrap().topics = vec!["*".to_owned()];
    let one = stage.start(config.clone()).await;
    assert_eq!(hook(&one).await.unwrap().secrets[0], rotated);
    one.stop().await;
    stage.clock.advance(SignedDuration::from_hours(25));
    let action = ConfigSecret::new("https://hooks.example.org/cfg#second-secret");
    config.organisation[0].hooks.last_mut().unwrap().action = action;
    let one = stage.start(config).await;
    let secrets = hook(&one).await.unwrap().secrets;
    assert_eq!(secrets[0].reveal(), "second-secret");
    assert_eq!(secrets[1], rotated, "the one before signs along");
    one.stop().await;
}

/// An identifier that falls off a declared party is told, and lies with the party until then.
#[tokio::test(flavor = "multi_thread")]
async fn an_identifier_that_is_declared_no_more_is_told_or_taken_off() {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.organisation[0].parties[0].identifiers = vec![SENDER.to_owned(), SECOND.to_owned()];
    stage.start(config.clone()).await.stop().await;
    // Their order is no matter.
    config.organisation[0].parties[0].identifiers.reverse();
    let one = stage.start(config.clone()).await;
    assert_eq!(sender(&one, SECOND).await, sender(&one, SENDER).await);
    one.stop().await;
    config.organisation[0].parties[0].identifiers = vec![SENDER.to_owned()];
    for _ in 0..2 {
        let one = stage.start(config.clone()).await;
        assert!(is_published(&one, SECOND).await && sender(&one, SECOND).await.is_some());
        let open = one.parts.store.open_alarms(10).await.unwrap();
        assert_eq!(open.len(), 1, "{open:?}");
        assert!(open[0].subject.ends_with(SECOND), "{open:?}");
        one.stop().await;
    }
    config.undeclared_parties = UndeclaredParties::Withdraw;
    let one = stage.start(config.clone()).await;
    assert!(!is_published(&one, SECOND).await && sender(&one, SECOND).await.is_none());
    assert!(is_published(&one, SENDER).await);
    // That it is gone is nothing new that is said of the party.
    let caller = Caller::of(&stage, &one, &stage.sender).await;
    call(&caller, Method::DELETE, &format!("/api/v1-beta/{SENDER}/enroll"), json!({})).await;
    one.stop().await;
    let one = stage.start(config.clone()).await;
    assert!(!is_published(&one, SENDER).await);
    one.stop().await;
    // It can go to another party of the file.
    config.organisation[0].parties[0].identifiers.push(THIRD.to_owned());
    stage.start(config.clone()).await.stop().await;
    config.organisation[0].parties[0].identifiers.pop();
    let mut other = config.organisation[0].parties[0].clone();
    other.identifiers = vec![SECOND.to_owned(), THIRD.to_owned()];
    other.hooks.clear();
    config.organisation[0].parties.push(other);
    let one = stage.start(config).await;
    let party = sender(&one, THIRD).await.unwrap();
    assert_eq!(party.id, SECOND);
    assert_eq!(sender(&one, SENDER).await.unwrap().identifiers, [SENDER]);
    assert!(is_published(&one, THIRD).await && is_published(&one, SENDER).await);
    assert!(one.parts.store.open_alarms(10).await.unwrap().is_empty());
    one.stop().await;
}

/// The first identifier of a party falls off: the party is the same one, known by what it has, and
/// who is declared with the old one is another.
#[tokio::test(flavor = "multi_thread")]
async fn a_party_that_is_declared_without_its_first_identifier_is_the_same_party() {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.undeclared_parties = UndeclaredParties::Withdraw;
    config.organisation[0].parties[0].identifiers = vec![SENDER.to_owned(), SECOND.to_owned()];
    let one = stage.start(config.clone()).await;
    let before = sender(&one, SENDER).await.unwrap();
    one.stop().await;
    config.organisation[0].parties[0].identifiers = vec![SECOND.to_owned()];
    for _ in 0..2 {
        let one = stage.start(config.clone()).await;
        let party = sender(&one, SECOND).await.unwrap();
        assert_eq!((&party.id, party.main()), (&before.id, SECOND.to_owned()));
        assert_eq!(sender(&one, SENDER).await, None);
        one.stop().await;
    }
    let mut other = config.organisation[0].parties[0].clone();
    other.identifiers = vec![SENDER.to_owned()];
    config.organisation[0].parties.push(other);
    let mut keys = Vec::new();
    for _ in 0..2 {
        let one = stage.start(config.clone()).await;
        let party = sender(&one, SENDER).await.unwrap();
        assert_eq!((party.main(), &party.identifiers[..]), (SENDER.into(), &[SENDER.into()][..]));
        assert_eq!(sender(&one, SECOND).await.unwrap().id, before.id);
        let hooks = one.parts.store.hooks_of(&party.organisation).await.unwrap();
        let own = |hook: &&Hook| hook.scope == HookScope::Party(party.id.clone());
        let declared = config.organisation[0].parties[1].hooks.len();
        assert_eq!(hooks.iter().filter(own).count(), declared, "{hooks:?}");
        keys.push(party.id);
        one.stop().await;
    }
    assert_ne!(keys[0], before.id);
    assert_eq!(keys[0], keys[1], "what is said again is the same party");
}

/// The enterprise number of a Belgian party stays for as long as its VAT number is published, and
/// the service starts.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_declared_party_cannot_be_without_is_told() {
    const ENTERPRISE: &str = "0208:0848934496";
    const VAT: &str = "9925:be0848934496";
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.undeclared_parties = UndeclaredParties::Withdraw;
    let all = [SENDER, ENTERPRISE, VAT].map(str::to_owned);
    config.organisation[0].parties[0].identifiers = all.to_vec();
    stage.start(config.clone()).await.stop().await;
    config.organisation[0].parties[0].identifiers.remove(1);
    let one = stage.start(config.clone()).await;
    assert!(is_published(&one, ENTERPRISE).await);
    let open = one.parts.store.open_alarms(10).await.unwrap();
    assert_eq!((open.len(), open[0].code.as_str()), (1, "undeclared-published"), "{open:?}");
    assert!(open[0].message.contains("VAT number 9925:be"), "{open:?}");
    one.stop().await;
    // Both together are taken off.
    config.organisation[0].parties[0].identifiers.truncate(1);
    let one = stage.start(config).await;
    assert!(!is_published(&one, ENTERPRISE).await && !is_published(&one, VAT).await);
    assert_eq!(sender(&one, SENDER).await.unwrap().identifiers, [SENDER]);
    assert!(one.parts.store.open_alarms(10).await.unwrap().is_empty());
    one.stop().await;
}

/// What somebody else has is told; the others are served.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_declared_and_taken_keeps_nobody_from_starting() {
    let stage = Stage::set().await;
    let config = stage.config_one();
    let mut first = config.clone();
    first.organisation[0].parties[0].identifiers.push(SECOND.to_owned());
    stage.start(first.clone()).await.stop().await;
    let other = Customer::new("other", &[RECEIVER]).unwrap();
    let mut seed = config.organisation[0].clone();
    seed.id.clone_from(&other.organisation);
    seed.hooks.clear();
    seed.clients.truncate(1);
    seed.clients[0].id.clone_from(&other.client);
    seed.clients[0].secret = Some(ConfigSecret::new(&other.secret));
    seed.parties.truncate(1);
    seed.parties[0].hooks.clear();
    seed.parties[0].identifiers = vec![SECOND.to_owned()];
    let mut both = config.clone();
    both.organisation.push(seed);
    let one = stage.start(both.clone()).await;
    assert!(is_published(&one, SENDER).await);
    Caller::of(&stage, &one, &other).await;
    let told = alarms(&one, "declared-refused").await;
    assert_eq!(told.len(), 1, "{told:?}");
    let open = one.parts.store.open_alarms(10).await.unwrap();
    assert!(open.iter().any(|alarm| alarm.code == "declared-refused"), "{open:?}");
    one.stop().await;
    // Once it is free it is taken over.
    both.undeclared_parties = UndeclaredParties::Withdraw;
    stage.start(both.clone()).await.stop().await;
    let one = stage.start(both).await;
    let owner = other.organisation.parse().unwrap();
    let party = one.parts.store.party_of_identifier(&owner, SECOND).await.unwrap();
    assert_eq!(party.unwrap().id, SECOND);
    assert!(is_published(&one, SECOND).await);
    assert!(one.parts.store.open_alarms(10).await.unwrap().is_empty());
    one.stop().await;
}
