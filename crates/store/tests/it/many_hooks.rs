//! Events that more hooks hear than one commit tells: no commit is longer for them, and each hook
//! hears of them in their order.

use quoin_delivery::calls::HookDecision;
use quoin_delivery::{Notice, TaskKind, Topic};
use quoin_store::{CallEnd, Hook, HookScope, Work};

use crate::hooks::{due, hook, id, pass, tried};
use crate::world::*;

/// Hooks of the environment that hear of everything that comes.
const HOOKS: usize = 1_200;

async fn with_many_hooks() -> World {
    let world = world().await;
    for number in 0..HOOKS {
        let name = format!("h{number:04}");
        world.store.put_hook(hook(&name, HookScope::Environment, &["*Received"])).await.unwrap();
    }
    world
}

/// Takes a step of telling; false where there is none.
async fn tell(world: &World, now: i64) -> bool {
    let Some(claim) = world.claim(TaskKind::Tell, now, 1).await.pop() else { return false };
    assert!(matches!(world.store.load(&claim).await.unwrap(), Work::Tell));
    world.store.tell_on(claim, at(now)).await.unwrap();
    true
}

/// The numbers of the events that a hook is owed, in their order.
async fn heard(world: &World, hook: &str) -> Vec<u64> {
    let scope = HookScope::Environment;
    let log = world.store.hook_log(&acme(), &id(hook), &scope, 0, 500).await.unwrap();
    log.iter().map(|call| call.event.number).collect()
}

#[tokio::test]
async fn an_event_that_many_hooks_hear_is_told_in_pieces() {
    let world = with_many_hooks().await;
    pass(&world, 1).await;
    assert!(heard(&world, "h0000").await.is_empty(), "it comes later");
    assert!(tell(&world, 1_000).await);
    assert_eq!(heard(&world, "h0499").await, [1]);
    assert!(heard(&world, "h0500").await.is_empty());
    // What comes meanwhile waits for its turn, for those too that were told already.
    pass(&world, 2).await;
    assert_eq!(heard(&world, "h0000").await, [1]);
    // One that is made meanwhile was not there when it happened.
    let late = Hook { created_on: at(1_001), ..hook("late", HookScope::Environment, &["*"]) };
    world.store.put_hook(late).await.unwrap();
    let mut pieces = 1;
    while tell(&world, 1_002).await {
        pieces += 1;
    }
    assert_eq!(pieces, (2 * HOOKS).div_ceil(500));
    for number in [0, 499, 500, 999, 1_000, HOOKS - 1] {
        assert_eq!(heard(&world, &format!("h{number:04}")).await, [1, 2], "{number}");
    }
    assert!(heard(&world, "late").await.is_empty());
    assert_eq!(due(&world, 99_999).await.len(), 100, "as many as are asked for");
}

/// A hook that is removed while some are told, and made anew, hears of each event once.
#[tokio::test]
async fn who_is_removed_meanwhile_hears_of_everything_once() {
    let world = with_many_hooks().await;
    pass(&world, 1).await;
    assert!(tell(&world, 1_000).await);
    let scope = || HookScope::Environment;
    for (number, name) in [(0, "h0000"), (1, "h1199")] {
        world.store.remove_hook(&acme(), &scope(), &id(name), at(1_001)).await.unwrap();
        let again = Hook {
            created_on: at(1_002),
            changed_on: at(1_002),
            action: format!("https://hooks.example.test/in{number}"),
            ..hook(name, scope(), &["*Received"])
        };
        world.store.put_hook(again).await.unwrap();
    }
    while let Some(claim) = world.claim(TaskKind::TakeOver, 1_003, 1).await.pop() {
        world.store.take_over_calls(claim, at(1_003)).await.unwrap();
    }
    while tell(&world, 1_003).await {}
    for name in ["h0000", "h1199", "h0600"] {
        assert_eq!(heard(&world, name).await, [1], "{name}");
    }
}

/// However many topics hooks publish under, of one document there is an end to it.
#[tokio::test]
async fn what_hooks_publish_of_a_document_has_an_end() {
    let world = world().await;
    for number in 0..6 {
        let hook = hook(&format!("h{number}"), HookScope::Environment, &["*"]);
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
            let published = [Topic::INVOICE_CLEARED, Topic::PING, Topic::INVOICE_RECEIVED];
            let notice = |topic| Notice::new(topic, String::new(), Default::default()).output();
            end.notices = published.map(notice).to_vec();
            world.store.finish_call(claim, end, at(1_000)).await.unwrap();
            calls += 1;
        }
    }
    assert_eq!(calls, 6 + 100 * 5, "each of a hundred is told to all others");
}

/// Who was there is said by the order of recording: the clock may be set back between.
#[tokio::test]
async fn a_hook_that_was_made_before_the_clock_was_set_back_hears_of_what_comes() {
    let world = world().await;
    for number in 0..HOOKS {
        let made = Hook {
            created_on: at(90_000),
            changed_on: at(90_000),
            ..hook(&format!("h{number:04}"), HookScope::Environment, &["*Received"])
        };
        world.store.put_hook(made).await.unwrap();
    }
    pass(&world, 1).await;
    // It was made when the event was there already, by a clock that was behind.
    let late = Hook { created_on: at(1), ..hook("late", HookScope::Environment, &["*Received"]) };
    world.store.put_hook(late).await.unwrap();
    while tell(&world, 1_000).await {}
    assert_eq!(heard(&world, "h0000").await, [1]);
    assert_eq!(heard(&world, &format!("h{:04}", HOOKS - 1)).await, [1]);
    assert!(heard(&world, "late").await.is_empty());
}
