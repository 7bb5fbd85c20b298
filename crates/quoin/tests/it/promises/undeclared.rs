//! What the configuration declares no more is switched off at the start (item 3).

use quoin_access_point::config::{Config, ConfigSecret, HookSeed, UndeclaredParties};
use quoin_lab::lab::network::{Customer, RECEIVER, SENDER};
use quoin_server::start::Running;
use quoin_store::HookScope;
use reqwest::Method;

use super::duplicates::alarms;
use crate::stage::caller::Caller;
use crate::stage::{Stage, until};

/// The sender's configuration with a second client, a hook of the organisation and a second
/// organisation with a party of its own.
fn whole(stage: &Stage, other: &Customer) -> (Config, Customer) {
    let mut config = stage.config_one();
    let second = Customer { client: "second".to_owned(), ..stage.sender.clone() };
    let mut client = config.organisation[0].clients[0].clone();
    client.id.clone_from(&second.client);
    config.organisation[0].clients.push(client);
    let action = ConfigSecret::new("https://hooks.example.org/extra#secret");
    let topics = vec!["*".to_owned()];
    let hook = HookSeed {
        id: "extra".to_owned(),
        action,
        topics,
        name: String::new(),
        init: Default::default(),
    };
    config.organisation[0].hooks.push(hook);
    let mut seed = config.organisation[0].clone();
    seed.id.clone_from(&other.organisation);
    seed.hooks.clear();
    seed.clients.truncate(1);
    seed.clients[0].id.clone_from(&other.client);
    seed.clients[0].secret = Some(ConfigSecret::new(&other.secret));
    seed.parties.truncate(1);
    seed.parties[0].identifiers = vec![RECEIVER.to_owned()];
    seed.parties[0].hooks.clear();
    config.organisation.push(seed);
    (config, second)
}

async fn is_published(service: &Running, participant: &str) -> bool {
    service.parts.store.publication(participant).await.unwrap().is_some()
}

async fn is_on(service: &Running, hook: &str) -> bool {
    let owner = service.parts.config.organisation[0].id.parse().unwrap();
    service
        .parts
        .store
        .hook(&owner, &HookScope::Environment, &hook.parse().unwrap())
        .await
        .unwrap()
        .unwrap()
        .is_active
}

#[tokio::test(flavor = "multi_thread")]
async fn a_3_what_is_declared_no_more_is_switched_off() {
    let stage = Stage::set().await;
    let other = Customer::new("other", &[RECEIVER]).unwrap();
    let (config, second) = whole(&stage, &other);
    let one = stage.start(config.clone()).await;
    let before = Caller::of(&stage, &one, &second).await;
    let theirs = Caller::of(&stage, &one, &other).await;
    assert!(is_published(&one, RECEIVER).await && is_on(&one, "extra").await);
    one.stop().await;

    // Less is declared: a client, a hook and an organisation are gone.
    let mut less = config.clone();
    less.organisation.truncate(1);
    less.organisation[0].clients.truncate(1);
    less.organisation[0].hooks.retain(|hook| hook.id != "extra");
    let one = stage.start(less.clone()).await;
    for (customer, caller) in [(&second, before), (&other, theirs)] {
        let base = one.api.as_ref().unwrap().url();
        let refused = Caller::at(&base, stage.around.client().unwrap(), customer).await;
        assert!(refused.is_err(), "{} gets a token", customer.client);
        // A token from before ends as well: the doors are others now, the keys the same.
        let answer = Caller::of(&stage, &one, &stage.sender).await;
        let answer = answer.with_token(caller.token()).get("/api/v1/me").await;
        assert_eq!(answer.status, 401, "{:?}", answer.json);
    }
    assert!(!is_on(&one, "extra").await);
    // Somebody who manages the organisation can remove what is left of the client.
    let sender = Caller::of(&stage, &one, &stage.sender).await;
    let gone = sender.call(Method::DELETE, "/api/v1/client/second", &[], Some("")).await.unwrap();
    assert_eq!(gone.status, 204, "{:?}", gone.json);
    // The party stays published, which is told until it is over.
    assert!(is_published(&one, RECEIVER).await && is_published(&one, SENDER).await);
    let told = until("the alarm", async || {
        let told = alarms(&one, "undeclared-published").await;
        (!told.is_empty()).then_some(told)
    })
    .await;
    assert_eq!(told[0].details["partyId"], RECEIVER);
    one.stop().await;

    // Or it is withdrawn, where that was chosen.
    less.undeclared_parties = UndeclaredParties::Withdraw;
    let one = stage.start(less).await;
    assert!(!is_published(&one, RECEIVER).await && is_published(&one, SENDER).await);
    one.stop().await;

    // All of it is declared again.
    let one = stage.start(config).await;
    Caller::of(&stage, &one, &second).await;
    Caller::of(&stage, &one, &other).await;
    assert!(is_published(&one, RECEIVER).await && is_on(&one, "extra").await);
    let open = one.parts.store.open_alarms(10).await.unwrap();
    assert!(open.is_empty(), "{open:?}");
    one.stop().await;
}

/// A party that is declared no more, of an organisation that is.
#[tokio::test(flavor = "multi_thread")]
async fn a_3_a_party_that_is_declared_no_more_is_told_or_withdrawn() {
    let stage = Stage::set().await;
    let config = stage.config_one();
    stage.start(config.clone()).await.stop().await;
    let mut less = config;
    less.organisation[0].parties.clear();
    let one = stage.start(less.clone()).await;
    assert!(is_published(&one, SENDER).await);
    assert_eq!(one.parts.store.open_alarms(10).await.unwrap().len(), 1);
    one.stop().await;
    less.undeclared_parties = UndeclaredParties::Withdraw;
    let one = stage.start(less).await;
    assert!(!is_published(&one, SENDER).await);
    // The provider itself stays.
    let provider = one.parts.provider.clone().unwrap();
    assert!(is_published(&one, &provider.id.folded()).await);
    one.stop().await;
}

/// An organisation with many parties that is declared no more costs a start one alarm, and what was
/// told of each before is over.
#[tokio::test(flavor = "multi_thread")]
async fn many_parties_that_are_declared_no_more_are_told_together() {
    let stage = Stage::set().await;
    let config = stage.config_one();
    let (before, many) = (config.organisation[0].parties.len(), 25);
    let mut more = config.clone();
    for number in 0..many {
        let mut party = config.organisation[0].parties[0].clone();
        party.identifiers = vec![format!("0106:{:08}", 70_000_000 + number)];
        party.hooks.clear();
        more.organisation[0].parties.push(party);
    }
    stage.start(more.clone()).await.stop().await;
    let kind = quoin_delivery::AlarmKind::UNDECLARED_PUBLISHED;
    let open = async |service: &Running| service.parts.store.open_alarms_of(kind).await.unwrap();
    // A few are told each by itself.
    let mut some = more.clone();
    some.organisation[0].parties.truncate(before + many - 3);
    let one = stage.start(some).await;
    assert_eq!(open(&one).await.len(), 3);
    one.stop().await;
    let mut none = more;
    none.organisation[0].parties.clear();
    let one = stage.start(none.clone()).await;
    let [alarm] = &open(&one).await[..] else { panic!("one alarm") };
    assert_eq!(alarm.subject, none.organisation[0].id);
    let parties = format!("{} parties", before + many);
    assert!(alarm.message.starts_with(&parties), "{}", alarm.message);
    assert!(is_published(&one, "0106:70000000").await);
    one.stop().await;
    none.undeclared_parties = UndeclaredParties::Withdraw;
    let one = stage.start(none).await;
    assert!(open(&one).await.is_empty());
    assert!(!is_published(&one, "0106:70000000").await && !is_published(&one, SENDER).await);
    assert!(!is_published(&one, &format!("0106:{:08}", 70_000_000 + many - 1)).await);
    one.stop().await;
}
