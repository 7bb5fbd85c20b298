//! Hooks: who is called for what, in which order, how tries are recorded, and how calls end.

use jiff::SignedDuration;
use quoin_delivery::calls::HookDecision;
use quoin_delivery::{HookId, TaskKind, Topic};
use quoin_store::{
    CallEnd, CallState, Claim, Hook, HookCall, HookScope, HookTry, OpenOptions, Output, Refusal,
    Secret, Store, StoreKey, Work,
};

use crate::world::*;

pub fn hook(id: &str, scope: HookScope, topics: &[&str]) -> Hook {
    Hook {
        organisation: acme(),
        id: id.parse().unwrap(),
        key: id.parse().unwrap(),
        scope,
        name: "test".to_owned(),
        action: "https://hooks.example.test/in".to_owned(),
        secrets: vec![Secret::new("whsec-new"), Secret::new("whsec-old")],
        topics: topics.iter().map(|topic| topic.parse().unwrap()).collect(),
        output: vec![Output { when: "200".to_owned(), topic: Topic::SEND_INVOICE }],
        publish_topics: vec!["InvoiceCleared".parse().unwrap()],
        filter: None,
        init: serde_json::json!({"a": 1}),
        sealed: Default::default(),
        is_active: true,
        created_on: at(0),
        changed_on: at(0),
        rotated_on: Some(at(0)),
        failing_since: None,
    }
}

pub fn id(text: &str) -> HookId {
    text.parse().unwrap()
}

pub fn tried(status: u16) -> HookTry {
    HookTry {
        started_on: at(100),
        duration: SignedDuration::from_millis(12),
        status: Some(status),
        response: "ok".repeat(2_000),
        error: None,
    }
}

pub async fn finish(
    world: &World,
    claim: &Claim,
    status: u16,
    decision: HookDecision,
    now: i64,
) -> Result<(), quoin_store::Error> {
    let end = CallEnd::plain(tried(status), decision);
    world.store.finish_call(claim.clone(), end, at(now)).await
}

/// Lets an arrived document through its only step; its event goes to the hooks.
pub async fn pass(world: &World, number: u32) {
    let record = world.arrive(number).await;
    let claim = world.claim_one(TaskKind::Prepare, 1_000).await;
    world.store.commit(completion(&claim, &record, &[valid()], 1_000)).await.unwrap();
}

pub async fn call(world: &World, claim: &Claim) -> HookCall {
    match world.store.load(claim).await.unwrap() {
        Work::Call(call) => *call,
        other => panic!("{other:?}"),
    }
}

pub async fn due(world: &World, now: i64) -> Vec<Claim> {
    world.claim(TaskKind::Notify, now, 100).await
}

#[tokio::test]
async fn a_hook_comes_back_as_it_was_and_its_secret_is_not_on_the_disk() {
    let world = world().await;
    let mut mine = hook("h1", HookScope::Party(RECEIVER.to_owned()), &["Send*", "InvoiceReceived"]);
    mine.filter = Some(r#"sender == "0106:12345678""#.parse().unwrap());
    world.store.put_hook(mine.clone()).await.unwrap();
    let scope = mine.scope.clone();
    let found = world.store.hook(&acme(), &scope, &id("h1")).await.unwrap().unwrap();
    mine.key.clone_from(&found.key);
    assert_eq!(found, mine);
    assert_eq!(world.store.hooks_of(&acme()).await.unwrap(), [mine]);
    for file in ["quoin.db", "quoin.db-wal"] {
        let bytes = std::fs::read(world.folder.join(file)).unwrap();
        assert!(!bytes.windows(9).any(|w| w == b"whsec-new"), "{file}");
    }
    let World { store, folder } = world;
    drop(store);
    let wrong_key = OpenOptions::new(&*folder, StoreKey([9; 32]));
    let error = Store::open(wrong_key).await.unwrap_err();
    assert!(error.to_string().contains("store.key"), "{error}");
}

#[tokio::test]
async fn an_event_is_owed_to_each_hook_that_listens() {
    let world = world().await;
    let party = |p: &str| HookScope::Party(p.to_owned());
    let mut filtered = hook("filtered", HookScope::Environment, &["*"]);
    filtered.filter = Some(r#"recipient == "0106:00000000""#.parse().unwrap());
    let mut inactive = hook("inactive", HookScope::Environment, &["*"]);
    inactive.is_active = false;
    for hook in [
        hook("environment", HookScope::Environment, &["*Received"]),
        hook("mine", party(RECEIVER), &["InvoiceReceived"]),
        hook("other-party", party(SENDER), &["InvoiceReceived"]),
        hook("other-topic", HookScope::Environment, &["InvoiceSent*"]),
        filtered,
        inactive,
    ] {
        world.store.put_hook(hook).await.unwrap();
    }
    pass(&world, 1).await;
    let mut called = Vec::new();
    for claim in due(&world, 1_000).await {
        let call = call(&world, &claim).await;
        assert_eq!((call.tries, call.event.topic), (0, Topic::INVOICE_RECEIVED));
        assert_eq!(call.id, claim.subject);
        let payload = call.event.payload(&call.hook.id, at(1_001));
        let json = serde_json::to_value(&payload).unwrap();
        let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let expected = [
            "topic",
            "partyId",
            "hookId",
            "documentId",
            "message",
            "details",
            "createdOn",
            "sentOn",
        ];
        assert_eq!(keys, expected);
        assert_eq!(json["hookId"], call.hook.id.as_str());
        assert_eq!(json["details"]["recipient"], RECEIVER);
        called.push(call.hook.id.to_string());
    }
    called.sort();
    assert_eq!(called, ["environment", "mine"]);
}

#[tokio::test]
async fn calls_of_a_hook_and_party_go_one_after_the_other() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    for number in 1..=3 {
        pass(&world, number).await;
    }
    let mut order = Vec::new();
    for turn in 0..3 {
        let claims = due(&world, 1_000 + turn).await;
        assert_eq!(claims.len(), 1, "one at a time");
        order.push(call(&world, &claims[0]).await.event.document_id);
        // A failing call holds its lane until it is delivered or given up.
        let retry = HookDecision::Retry { at: at(1_000 + turn), aside: false };
        finish(&world, &claims[0], 500, retry, 1_000).await.unwrap();
        let again = due(&world, 1_000 + turn).await;
        assert_eq!(again[0].subject, claims[0].subject, "the same delivery id on each try");
        assert_eq!(call(&world, &again[0]).await.tries, 1);
        let done = HookDecision::Delivered;
        finish(&world, &again[0], 200, done, 1_000).await.unwrap();
    }
    assert_eq!(order, [1, 2, 3].map(document));
    assert!(due(&world, 99_999).await.is_empty());
    let log =
        world.store.hook_log(&acme(), &id("h"), &HookScope::Environment, 0, 10).await.unwrap();
    assert_eq!(log.len(), 3);
    for call in &log {
        assert_eq!((call.state, call.next_on, call.tries.len()), (CallState::Delivered, None, 2));
        assert_eq!(call.tries[0].tried.status, Some(500));
        assert_eq!(call.tries[1].attempt, 2);
        assert_eq!(call.tries[0].tried.response.len(), quoin_store::hook_calls::RESPONSE_LIMIT);
        assert_eq!(call.tries[0].tried.duration, SignedDuration::from_millis(12));
    }
    let rest = world
        .store
        .hook_log(&acme(), &id("h"), &HookScope::Environment, log[1].event.number, 10)
        .await
        .unwrap();
    assert_eq!(rest, log[2..]);
}

#[tokio::test]
async fn a_call_that_is_gone_switches_the_hook_off_and_stops_the_rest() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    pass(&world, 1).await;
    pass(&world, 2).await;
    let claim = due(&world, 1_000).await.remove(0);
    let stop = HookDecision::Stopped { reason: "410".to_owned(), disable_hook: true };
    finish(&world, &claim, 410, stop.clone(), 1_001).await.unwrap();
    assert!(
        !world
            .store
            .hook(&acme(), &HookScope::Environment, &id("h"))
            .await
            .unwrap()
            .unwrap()
            .is_active
    );
    pass(&world, 3).await;
    assert!(due(&world, 99_999).await.is_empty());
    let log =
        world.store.hook_log(&acme(), &id("h"), &HookScope::Environment, 0, 10).await.unwrap();
    let states: Vec<CallState> = log.iter().map(|call| call.state).collect();
    assert_eq!(states, [CallState::Stopped; 2]);
    let stale = finish(&world, &claim, 200, stop, 1_002).await;
    assert!(matches!(refusal(stale), Refusal::StaleClaim { .. }));
}

#[tokio::test]
async fn a_removed_hook_is_owed_nothing_and_its_log_stays() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    pass(&world, 1).await;
    let claim = due(&world, 1_000).await.remove(0);
    assert!(
        world
            .store
            .remove_hook(&acme(), &HookScope::Environment, &id("h"), at(1_001))
            .await
            .unwrap()
    );
    assert!(
        !world
            .store
            .remove_hook(&acme(), &HookScope::Environment, &id("h"), at(1_001))
            .await
            .unwrap()
    );
    assert!(matches!(world.store.load(&claim).await.unwrap(), Work::Gone));
    assert!(due(&world, 99_999).await.is_empty());
    let log =
        world.store.hook_log(&acme(), &id("h"), &HookScope::Environment, 0, 10).await.unwrap();
    assert_eq!((log.len(), log[0].state), (1, CallState::Stopped));
}

#[tokio::test]
async fn a_finished_call_can_be_made_again_under_its_id() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    pass(&world, 1).await;
    let claim = due(&world, 1_000).await.remove(0);
    let pending = world.store.replay_call(&acme(), &claim.subject, at(1_001)).await;
    assert!(matches!(refusal(pending), Refusal::NotFound { .. }));
    let done = HookDecision::Delivered;
    finish(&world, &claim, 200, done.clone(), 1_002).await.unwrap();
    let stranger = "other".parse().unwrap();
    let refused = world.store.replay_call(&stranger, &claim.subject, at(1_003)).await;
    assert!(matches!(refusal(refused), Refusal::NotFound { .. }));
    world.store.replay_call(&acme(), &claim.subject, at(1_003)).await.unwrap();
    let again = due(&world, 1_003).await.remove(0);
    assert_eq!(again.subject, claim.subject);
    assert_eq!(call(&world, &again).await.tries, 0);
    finish(&world, &again, 200, done, 1_004).await.unwrap();
    let log =
        world.store.hook_log(&acme(), &id("h"), &HookScope::Environment, 0, 10).await.unwrap();
    let attempts: Vec<u32> = log[0].tries.iter().map(|t| t.attempt).collect();
    assert_eq!(attempts, [1, 2]);
}

#[tokio::test]
async fn a_hook_that_is_switched_off_is_not_called_any_more() {
    let world = world().await;
    let mut mine = hook("h", HookScope::Environment, &["*"]);
    world.store.put_hook(mine.clone()).await.unwrap();
    pass(&world, 1).await;
    mine.is_active = false;
    world.store.put_hook(mine).await.unwrap();
    assert!(due(&world, 99_999).await.is_empty());
    let log =
        world.store.hook_log(&acme(), &id("h"), &HookScope::Environment, 0, 10).await.unwrap();
    assert_eq!(log[0].state, CallState::Stopped);
}

#[tokio::test]
async fn c_24_ids_of_hooks_are_unique_within_their_scope_only() {
    let world = world().await;
    let scopes = [
        HookScope::Environment,
        HookScope::Party("a".to_owned()),
        HookScope::Party("b".to_owned()),
    ];
    for (place, scope) in scopes.iter().enumerate() {
        let mut mine = hook("1", scope.clone(), &["*"]);
        mine.action = format!("https://hooks.example.test/{place}");
        world.store.put_hook(mine.clone()).await.unwrap();
        // Put again it is the same one.
        world.store.put_hook(mine).await.unwrap();
    }
    let all = world.store.hooks_of(&acme()).await.unwrap();
    assert_eq!(all.len(), 3, "{all:#?}");
    assert!(all.iter().all(|hook| hook.id == id("1")));
    let keys: std::collections::BTreeSet<_> = all.iter().map(|hook| hook.key.clone()).collect();
    assert_eq!(keys.len(), 3);
    for (place, scope) in scopes.iter().enumerate() {
        let found = world.store.hook(&acme(), scope, &id("1")).await.unwrap().unwrap();
        assert_eq!((&found.scope, found.secrets.len()), (scope, 2));
        assert_eq!(found.action, format!("https://hooks.example.test/{place}"));
    }
    // One goes, and the others stay.
    assert!(world.store.remove_hook(&acme(), &scopes[1], &id("1"), at(1_001)).await.unwrap());
    assert_eq!(world.store.hooks_of(&acme()).await.unwrap().len(), 2);
    assert_eq!(world.store.hook(&acme(), &scopes[1], &id("1")).await.unwrap(), None);
}

#[tokio::test]
async fn hooks_of_an_id_are_found_without_reading_the_others() {
    let world = world().await;
    for scope in [HookScope::Environment, HookScope::Party("a".to_owned())] {
        world.store.put_hook(hook("door", scope, &[])).await.unwrap();
    }
    let asked = async || {
        let before = world.store.work_done();
        let found = world.store.hooks_named(&acme(), &id("door")).await.unwrap();
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(found.iter().all(|hook| hook.id == id("door") && hook.secrets.len() == 2));
        world.store.work_done().since(&before).steps
    };
    asked().await;
    let alone = asked().await;
    for other in 0..200 {
        world
            .store
            .put_hook(hook(&format!("h{other}"), HookScope::Environment, &[]))
            .await
            .unwrap();
    }
    // Each of the others would be a step at least.
    let beside = asked().await;
    assert!(beside < alone + 20, "{beside} steps, {alone} alone");
    assert!(world.store.hooks_named(&acme(), &id("none")).await.unwrap().is_empty());
}
