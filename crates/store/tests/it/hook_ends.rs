//! What hooks are owed that are made anew switched off, or whose organisation is closed.

use quoin_delivery::calls::HookDecision;
use quoin_store::{Declared, Hook, HookScope, Organisation};

use crate::hooks::{call, due, finish, hook, id, pass};
use crate::world::*;

#[tokio::test]
async fn a_hook_made_anew_is_owed_nothing_that_it_does_not_listen_to() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    pass(&world, 1).await;
    world.store.remove_hook(&acme(), &HookScope::Environment, &id("h"), at(2_000)).await.unwrap();
    pass(&world, 2).await;
    let mut narrow = hook("h", HookScope::Environment, &["OrderReceived"]);
    narrow.changed_on = at(3_000);
    world.store.put_hook(narrow).await.unwrap();
    assert!(due(&world, 99_999).await.is_empty());
    // Nothing of it waits in front of what the new one does listen to.
    let mut wide = hook("h", HookScope::Environment, &["*"]);
    wide.changed_on = at(3_001);
    world.store.put_hook(wide).await.unwrap();
    pass(&world, 3).await;
    let claim = due(&world, 99_999).await.remove(0);
    assert_eq!(call(&world, &claim).await.event.document_id, document(3));
}

#[tokio::test]
async fn a_hook_made_anew_switched_off_is_owed_the_same_when_it_is_switched_on() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    pass(&world, 1).await;
    world.store.remove_hook(&acme(), &HookScope::Environment, &id("h"), at(2_000)).await.unwrap();
    pass(&world, 2).await;
    let again = |is_active, on| Hook {
        is_active,
        created_on: at(2_500),
        changed_on: at(on),
        ..hook("h", HookScope::Environment, &["*"])
    };
    world.store.put_hook(again(false, 2_500)).await.unwrap();
    pass(&world, 3).await;
    assert!(due(&world, 99_999).await.is_empty(), "it is off");
    world.store.put_hook(again(true, 3_000)).await.unwrap();
    let mut order = Vec::new();
    for _ in 0..3 {
        let claim = due(&world, 3_000).await.remove(0);
        order.push(call(&world, &claim).await.event.document_id);
        finish(&world, &claim, 200, HookDecision::Delivered, 3_000).await.unwrap();
    }
    assert_eq!(order, [1, 2, 3].map(document));
    // What it was owed is given once.
    world.store.put_hook(again(false, 3_001)).await.unwrap();
    world.store.put_hook(again(true, 3_002)).await.unwrap();
    assert!(due(&world, 99_999).await.is_empty());
}

#[tokio::test]
async fn a_hook_that_was_there_takes_nothing_over_when_it_is_switched_on() {
    let world = world().await;
    let action = "https://one.example.test/".to_owned();
    let on = |name: &str, is_active, on| Hook {
        action: action.clone(),
        is_active,
        created_on: at(1_000),
        changed_on: at(on),
        ..hook(name, HookScope::Environment, &["*"])
    };
    world.store.put_hook(on("a", true, 1_000)).await.unwrap();
    world.store.put_hook(on("b", false, 1_000)).await.unwrap();
    pass(&world, 1).await;
    world.store.remove_hook(&acme(), &HookScope::Environment, &id("a"), at(2_000)).await.unwrap();
    world.store.put_hook(on("b", true, 3_000)).await.unwrap();
    assert!(due(&world, 99_999).await.is_empty(), "it is older than the removal of the other");
}

/// What was stopped by hand is not owed to a hook that is made anew much later.
#[tokio::test]
async fn calls_of_a_hook_that_was_switched_off_are_not_held_for_an_old_removal() {
    const DAYS: i64 = 2 * 24 * 3_600;
    let world = world().await;
    let remove = async |on| {
        let (scope, hook) = (HookScope::Environment, id("h"));
        world.store.remove_hook(&acme(), &scope, &hook, at(on)).await.unwrap();
    };
    let put = async |is_active, on| {
        let hook = hook("h", HookScope::Environment, &["*"]);
        let hook = Hook { is_active, created_on: at(on), changed_on: at(on), ..hook };
        world.store.put_hook(hook).await.unwrap();
    };
    put(true, 1_000).await;
    remove(2_000).await;
    put(true, DAYS).await;
    pass(&world, 1).await;
    put(false, DAYS + 1).await;
    remove(DAYS + 2).await;
    put(true, DAYS + 3).await;
    assert!(due(&world, 9_999_999).await.is_empty());
}

/// What it was owed before is not told after that, and no place of it is looked at.
#[tokio::test]
async fn the_hooks_of_a_closed_organisation_hear_nothing() {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    let polled = Hook {
        action: "mailfrom://bills@mail.example.test/INBOX".to_owned(),
        ..hook("m", HookScope::Party("0106:12345678".to_owned()), &["SendInvoice"])
    };
    world.store.put_hook(polled).await.unwrap();
    pass(&world, 1).await;
    assert_eq!(world.store.polled_hooks().await.unwrap().len(), 1);
    world.store.close_undeclared(Declared::default(), at(2_000)).await.unwrap();
    assert!(due(&world, 99_999).await.is_empty());
    assert!(world.store.polled_hooks().await.unwrap().is_empty());
    let open = Declared { organisations: [acme()].into(), ..Declared::default() };
    let again = Organisation { id: acme(), name: "Acme".to_owned(), created_on: at(3_000) };
    world.store.put_organisation(again).await.unwrap();
    world.store.close_undeclared(open, at(3_000)).await.unwrap();
    assert_eq!(world.store.polled_hooks().await.unwrap().len(), 1, "open again");
    assert!(due(&world, 99_999).await.is_empty(), "what was stopped is made again by hand");
}
