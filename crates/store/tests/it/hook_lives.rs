//! Hooks over time: calls that step aside, hooks that are made anew, replays, what hooks publish,
//! and batches.

use quoin_delivery::calls::HookDecision;
use quoin_delivery::{EventId, TaskKind, Topic};
use quoin_store::{CallEnd, CallState, Hook, HookChange, HookScope, Refusal, Secret, Work};

use crate::hooks::{call, due, finish, hook, id, pass, tried};
use crate::world::*;

#[tokio::test]
async fn a_call_that_steps_aside_lets_the_others_go_and_comes_back_in_its_place() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    for number in 1..=4 {
        pass(&world, number).await;
    }
    let aside = |seconds| HookDecision::Retry { at: at(seconds), aside: true };
    let first = due(&world, 1_000).await.remove(0);
    finish(&world, &first, 500, aside(90_000), 1_000).await.unwrap();
    let second = due(&world, 1_001).await;
    assert_eq!(second.len(), 1, "still one at a time");
    assert_ne!(second[0].subject, first.subject);
    finish(&world, &second[0], 500, aside(90_000), 1_001).await.unwrap();
    assert_eq!(failing(&world).await, Some(at(1_000)));
    let third = due(&world, 1_002).await.remove(0);
    let mut end = CallEnd::plain(tried(200), HookDecision::Delivered);
    end.recovered = true;
    world.store.finish_call(third, end, at(1_003)).await.unwrap();
    assert_eq!(failing(&world).await, None);
    let mut order = Vec::new();
    for _ in 0..3 {
        let claims = due(&world, 1_004).await;
        assert_eq!(claims.len(), 1, "in their lane again");
        order.push(call(&world, &claims[0]).await.event.document_id);
        finish(&world, &claims[0], 200, HookDecision::Delivered, 1_004).await.unwrap();
    }
    assert_eq!(order, [1, 2, 4].map(document));
    assert!(due(&world, 99_999).await.is_empty());
}

async fn failing(world: &World) -> Option<jiff::Timestamp> {
    world
        .store
        .hook(&acme(), &HookScope::Environment, &id("h"))
        .await
        .unwrap()
        .unwrap()
        .failing_since
}

#[tokio::test]
async fn a_lane_whose_calls_all_stepped_aside_wakes_up_again() {
    let world = world().await;
    let two = || hook("h", HookScope::Environment, &["*"]);
    world.store.put_hook(two()).await.unwrap();
    pass(&world, 1).await;
    let first = due(&world, 1_000).await.remove(0);
    let aside = HookDecision::Retry { at: at(90_000), aside: true };
    finish(&world, &first, 500, aside, 1_000).await.unwrap();
    assert!(due(&world, 1_001).await.is_empty());
    // A change of the hook makes everything due that it is owed.
    world.store.put_hook(Hook { changed_on: at(1_002), ..two() }).await.unwrap();
    assert_eq!(due(&world, 1_002).await.remove(0).subject, first.subject);
}

#[tokio::test]
async fn a_hook_made_anew_is_owed_what_the_removed_one_was_and_what_came_between() {
    let world = world().await;
    for (number, old, new, action) in [
        (10, "h", "h", "https://other.example.test/"),
        (20, "k", "new-id", "https://hooks.example.test/k"),
    ] {
        let mut mine = hook(old, HookScope::Environment, &["*"]);
        mine.action = format!("https://hooks.example.test/{old}");
        world.store.put_hook(mine).await.unwrap();
        pass(&world, number).await;
        let running = due(&world, 2_000).await.remove(0);
        pass(&world, number + 1).await;
        world
            .store
            .remove_hook(&acme(), &HookScope::Environment, &id(old), at(2_000))
            .await
            .unwrap();
        pass(&world, number + 2).await;
        assert!(due(&world, 99_999).await.is_empty());
        let mut again = hook(new, HookScope::Environment, &["*"]);
        again.action = action.to_owned();
        again.changed_on = at(3_000);
        world.store.put_hook(again).await.unwrap();
        let mut order = Vec::new();
        for _ in 0..3 {
            let claims = due(&world, 3_000).await;
            assert_eq!(claims.len(), 1, "in their order");
            let call = call(&world, &claims[0]).await;
            assert_eq!(call.hook.id, id(new));
            order.push(call.event.document_id);
            finish(&world, &claims[0], 200, HookDecision::Delivered, 3_000).await.unwrap();
        }
        assert_eq!(order, [number, number + 1, number + 2].map(document));
        assert!(due(&world, 99_999).await.is_empty());
        let stale = finish(&world, &running, 200, HookDecision::Delivered, 3_001).await;
        assert!(matches!(refusal(stale), Refusal::StaleClaim { .. }));
        world
            .store
            .remove_hook(&acme(), &HookScope::Environment, &id(new), at(3_002))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_hook_made_anew_a_day_later_or_for_another_destination_starts_afresh() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    pass(&world, 1).await;
    world.store.remove_hook(&acme(), &HookScope::Environment, &id("h"), at(2_000)).await.unwrap();
    let mut other = hook("other", HookScope::Environment, &["*"]);
    other.action = "https://elsewhere.example.test/".to_owned();
    other.changed_on = at(2_001);
    world.store.put_hook(other).await.unwrap();
    let mut late = hook("h", HookScope::Environment, &["*"]);
    late.changed_on = at(2_000 + 25 * 3_600);
    world.store.put_hook(late).await.unwrap();
    assert!(due(&world, 999_999).await.is_empty());
}

#[tokio::test]
async fn a_period_can_be_replayed_also_where_nothing_was_owed() {
    let world = world().await;
    let mut mine = hook("h", HookScope::Environment, &["*"]);
    pass(&world, 1).await;
    world.store.put_hook(mine.clone()).await.unwrap();
    pass(&world, 2).await;
    let done = due(&world, 1_000).await.remove(0);
    finish(&world, &done, 200, HookDecision::Delivered, 1_000).await.unwrap();
    let period = |undelivered, from| quoin_store::ReplayPeriod {
        organisation: acme(),
        hook: id("h"),
        scope: HookScope::Environment,
        from: at(from),
        until: at(1_001),
        undelivered,
    };
    assert_eq!(world.store.replay_period(period(true, 1_001), at(2_000)).await.unwrap(), 0);
    assert_eq!(world.store.replay_period(period(true, 0), at(2_000)).await.unwrap(), 1);
    assert_eq!(world.store.replay_period(period(false, 0), at(2_000)).await.unwrap(), 1);
    assert_eq!(world.store.replay_period(period(false, 0), at(2_000)).await.unwrap(), 0);
    mine.is_active = false;
    world.store.put_hook(mine).await.unwrap();
    let off = world.store.replay_period(period(false, 0), at(2_001)).await;
    assert!(matches!(refusal(off), Refusal::NotFound { .. }));
}

#[tokio::test]
async fn what_a_hook_publishes_is_told_to_others_and_never_runs_in_a_circle() {
    let world = world().await;
    let notice = |topic| {
        quoin_delivery::Notice::new(topic, "m".to_owned(), std::collections::BTreeMap::new())
    };
    for name in ["a", "b"] {
        let hook = hook(name, HookScope::Environment, &["InvoiceReceived", "InvoiceCleared"]);
        world.store.put_hook(hook).await.unwrap();
    }
    pass(&world, 1).await;
    let mut calls = 0;
    loop {
        let claims = due(&world, 1_000).await;
        if claims.is_empty() {
            break;
        }
        for claim in claims {
            let told = call(&world, &claim).await;
            assert_ne!(told.event.origin, Some(told.hook.id.clone()), "not told of its own");
            let mut end = CallEnd::plain(tried(200), HookDecision::Delivered);
            end.notices = vec![notice(Topic::INVOICE_CLEARED)];
            world.store.finish_call(claim, end, at(1_000)).await.unwrap();
            calls += 1;
        }
    }
    assert_eq!(calls, 2 * 9, "the event itself and eight that follow, for each");
}

/// Six hooks that tell each other would make half a million calls of one document.
#[tokio::test]
async fn what_hooks_publish_does_not_multiply() {
    let world = world().await;
    for number in 0..6 {
        let topics = ["InvoiceReceived", "InvoiceCleared"];
        let hook = hook(&format!("h{number}"), HookScope::Environment, &topics);
        world.store.put_hook(hook).await.unwrap();
    }
    pass(&world, 1).await;
    let mut calls = 0;
    loop {
        let claims = due(&world, 1_000).await;
        if claims.is_empty() {
            break;
        }
        for claim in claims {
            let mut end = CallEnd::plain(tried(200), HookDecision::Delivered);
            let (topic, details) = (Topic::INVOICE_CLEARED, Default::default());
            end.notices = vec![quoin_delivery::Notice::new(topic, String::new(), details).output()];
            world.store.finish_call(claim, end, at(1_000)).await.unwrap();
            calls += 1;
        }
    }
    assert_eq!(calls, 6 + 100 * 5, "each of a hundred is told to all others");
}

#[tokio::test]
async fn commands_are_recorded_where_somebody_listens() {
    let world = world().await;
    pass(&world, 1).await;
    let topics = async || -> Vec<Topic> {
        let events = world.store.events_since(&acme(), EventId(0), 100).await.unwrap();
        events.iter().map(|event| event.topic).collect()
    };
    assert_eq!(topics().await, [Topic::INVOICE_RECEIVED]);
    world.store.put_hook(hook("h", HookScope::Environment, &["Receive*"])).await.unwrap();
    pass(&world, 2).await;
    let [first, second] = [Topic::INVOICE_RECEIVED, Topic::RECEIVE_INVOICE];
    assert_eq!(topics().await, [first, first, second]);
    assert_eq!(due(&world, 1_000).await.len(), 1);
    let events = world.store.events_since(&acme(), EventId(0), 100).await.unwrap();
    assert_eq!(events.iter().map(|event| event.number).collect::<Vec<_>>(), [1, 2, 3]);
}

#[tokio::test]
async fn a_batch_is_sealed_by_its_size_or_its_period() {
    let world = world().await;
    let mut zip = hook("zip", HookScope::Environment, &["*Received"]);
    zip.action = "batch://zip?period=00:00:30&maxBatchSize=2".to_owned();
    world.store.put_hook(zip).await.unwrap();
    for number in 1..=3 {
        pass(&world, number).await;
    }
    assert!(due(&world, 99_999).await.is_empty(), "nothing is called");
    let full = world.claim(TaskKind::Batch, 1_000, 10).await;
    assert_eq!(full.len(), 1, "the full one is due at once");
    let Work::Batch(id) = world.store.load(&full[0]).await.unwrap() else { panic!() };
    let (batch, events) = world.store.seal_batch(&id).await.unwrap().unwrap();
    let documents: Vec<_> = events.iter().map(|event| event.document_id.clone()).collect();
    assert_eq!(documents, [1, 2].map(document));
    let archive = quoin_store::Archive {
        batch: batch.clone(),
        bytes: "zip".into(),
        notice: quoin_delivery::Notice::new(
            Topic::INVOICE_RECEIVED_BATCHED,
            "m".to_owned(),
            std::collections::BTreeMap::new(),
        ),
        keep_until: at(5_000),
    };
    world.store.close_batch(full[0].clone(), archive.clone(), at(1_001)).await.unwrap();
    let again = world.store.close_batch(full[0].clone(), archive, at(1_001)).await;
    assert!(matches!(refusal(again), Refusal::StaleClaim { .. }));
    let found = world.store.batch(&acme(), RECEIVER, &batch.id).await.unwrap().unwrap();
    let bytes = world.store.blob(&acme(), found.blob.unwrap()).await.unwrap().unwrap();
    assert_eq!(&bytes[..], b"zip");
    assert_eq!(world.store.batch(&acme(), SENDER, &batch.id).await.unwrap(), None);
    assert_eq!(world.store.batch(&"x".parse().unwrap(), RECEIVER, &batch.id).await.unwrap(), None);
    let log = world
        .store
        .hook_log(&acme(), &self::id("zip"), &HookScope::Environment, 0, 10)
        .await
        .unwrap();
    let states: Vec<CallState> = log.iter().map(|call| call.state).collect();
    assert_eq!(states, [CallState::Delivered, CallState::Delivered, CallState::Pending]);
    assert_eq!(world.claim(TaskKind::Batch, 1_031, 10).await.len(), 1, "the next one's period");
    let end = world.claim_one(TaskKind::Batch, 5_000).await;
    world.store.expire_batch(end, found).await.unwrap();
    let gone = world.store.batch(&acme(), RECEIVER, &batch.id).await.unwrap().unwrap();
    assert_eq!(gone.blob, None);
}

/// A hook that collects documents of one topic.
fn zip(most: u32) -> Hook {
    let mut zip = hook("zip", HookScope::Environment, &["*Received"]);
    zip.action = format!("batch://zip?period=00:00:30&maxBatchSize={most}");
    zip
}

/// The documents of the batch that is due by then.
async fn collected(world: &World, now: i64) -> Vec<quoin_delivery::DocumentId> {
    let mut found = Vec::new();
    for claim in world.claim(TaskKind::Batch, now, 10).await {
        let Work::Batch(id) = world.store.load(&claim).await.unwrap() else { panic!() };
        let (_, events) = world.store.seal_batch(&id).await.unwrap().unwrap();
        found.extend(events.into_iter().map(|event| event.document_id));
    }
    found
}

/// What a hook collected is collected on, whether it was removed and made anew, in its place or
/// under another id, or switched off and on.
#[tokio::test]
async fn a_hook_that_collects_loses_nothing_when_it_is_made_anew_or_switched_off_and_on() {
    for name in ["zip", "other"] {
        let world = world().await;
        world.store.put_hook(zip(10)).await.unwrap();
        pass(&world, 1).await;
        pass(&world, 2).await;
        let scope = HookScope::Environment;
        world.store.remove_hook(&acme(), &scope, &id("zip"), at(1_001)).await.unwrap();
        pass(&world, 3).await;
        let again = Hook { id: id(name), key: id(name), changed_on: at(1_002), ..zip(10) };
        world.store.put_hook(again).await.unwrap();
        assert!(due(&world, 99_999).await.is_empty(), "{name}: nothing is called");
        assert_eq!(collected(&world, 1_100).await, [1, 2, 3].map(document), "{name}");
    }
    let world = world().await;
    world.store.put_hook(zip(10)).await.unwrap();
    pass(&world, 1).await;
    world.store.put_hook(Hook { is_active: false, ..zip(10) }).await.unwrap();
    world.store.put_hook(zip(10)).await.unwrap();
    pass(&world, 2).await;
    assert_eq!(collected(&world, 1_100).await, [1, 2].map(document));
}

/// What came while it was off is collected by the replay of its period, and what an archive has
/// already only where that is asked for.
#[tokio::test]
async fn a_replay_collects() {
    let world = world().await;
    pass(&world, 1).await;
    world.store.put_hook(zip(10)).await.unwrap();
    pass(&world, 2).await;
    world.store.put_hook(Hook { is_active: false, ..zip(10) }).await.unwrap();
    assert!(collected(&world, 1_100).await.is_empty(), "its time comes while it is off");
    world.store.put_hook(zip(10)).await.unwrap();
    let period = quoin_store::ReplayPeriod {
        organisation: acme(),
        hook: id("zip"),
        scope: HookScope::Environment,
        from: at(0),
        until: at(1_001),
        undelivered: true,
    };
    assert_eq!(world.store.replay_period(period.clone(), at(2_000)).await.unwrap(), 2);
    assert_eq!(world.store.replay_period(period, at(2_000)).await.unwrap(), 0);
    assert_eq!(collected(&world, 2_030).await, [1, 2].map(document));
}

/// A change counts for the hook as it was read: one that was changed, switched off, removed or made
/// anew meanwhile is left as it is.
#[tokio::test]
async fn a_hook_is_changed_as_it_was_read() {
    let world = world().await;
    let (scope, store) = (HookScope::Environment, &world.store);
    let read = async || store.hook(&acme(), &scope, &id("h")).await.unwrap();
    let named = |name: &str, hook: Hook| Hook { name: name.to_owned(), ..hook };
    let change =
        async |before: Option<Hook>, hook: Hook| store.change_hook(before, hook, 1).await.unwrap();
    let new = hook("h", HookScope::Environment, &["*"]);
    assert_eq!(change(None, new.clone()).await, HookChange::Done);
    assert_eq!(change(None, new.clone()).await, HookChange::Moved, "there is one");

    let second = hook("second", HookScope::Environment, &["*"]);
    assert_eq!(change(None, second).await, HookChange::Full, "one is all that may be there");

    let before = read().await;
    let mut rotated = before.clone().unwrap();
    rotated.secrets.insert(0, Secret::new("whsec-newest"));
    assert_eq!(change(before.clone(), rotated.clone()).await, HookChange::Done);
    let late = named("late", before.clone().unwrap());
    assert_eq!(change(before, late.clone()).await, HookChange::Moved, "its secret is another one");
    assert_eq!(read().await.as_ref(), Some(&rotated));

    // That calls fail is no change.
    pass(&world, 1).await;
    let before = read().await;
    let first = due(&world, 1_000).await.remove(0);
    let again = HookDecision::Retry { at: at(9_000), aside: false };
    finish(&world, &first, 500, again, 1_000).await.unwrap();
    assert!(failing(&world).await.is_some());
    let renamed = named("renamed", rotated);
    assert_eq!(change(before, renamed).await, HookChange::Done);

    let before = read().await;
    assert!(store.remove_hook(&acme(), &scope, &id("h"), at(1_001)).await.unwrap());
    assert_eq!(change(before.clone(), before.clone().unwrap()).await, HookChange::Moved);
    assert_eq!(read().await, None, "it stays removed");
    store.put_hook(named("anew", new)).await.unwrap();
    assert_eq!(change(before, late).await, HookChange::Moved);
    assert_eq!(read().await.unwrap().name, "anew");
}
