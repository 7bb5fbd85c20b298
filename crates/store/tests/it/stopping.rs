//! Hooks that are owed much and are switched off or removed: each commit stops a piece of it, and
//! no call is made meanwhile.

use quoin_delivery::calls::HookDecision;
use quoin_delivery::{EventId, Notice, TaskKind, Topic};
use quoin_store::{CallState, EventSubject, Hook, HookScope, OpenOptions, Store, StoreWork, Work};

use crate::hooks::{due, finish, hook, id};
use crate::world::*;

/// Events that a hook is owed, by SQL; the first one of its lane is due, and stopped last.
const FILL: &str = "
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :all) SELECT i FROM n;
    INSERT INTO events (id, organisation, number, party, topic, document_id, depth, message,
        details, created_on)
    SELECT 'e' || i, 'acme', i, ':party', 'InvoiceReceived',
        printf('00000000-0000-4000-9000-%012x', i), 0, '', '{}', :now + i FROM n;
    INSERT INTO hook_calls (id, organisation, hook, event, state, tries, held, created_on,
        changed_on)
    SELECT CASE i WHEN 1 THEN 'd' ELSE printf('c%07d', i * 7919 % 1000003) END, 'acme', 'h',
        e.seq, 'pending', 0, 0, :now, :now FROM n JOIN events e ON e.id = 'e' || i;
    INSERT INTO tasks (kind, subject, run_at, lane, available_on, claims)
    SELECT 'notify', c.id, :now, 'hook acme h :party',
        CASE WHEN e.number = 1 THEN :now END, 0
        FROM hook_calls c JOIN events e ON e.seq = c.event ORDER BY e.number;
    DROP TABLE n;";

async fn owing(all: usize) -> World {
    let world = world().await;
    world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
    world.store.close().await;
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    let sql = FILL
        .replace(":all", &all.to_string())
        .replace(":party", RECEIVER)
        .replace(":now", &at(0).as_microsecond().to_string());
    db.execute_batch(&format!("BEGIN; {sql} COMMIT;")).unwrap();
    drop(db);
    let store = Store::open(OpenOptions { new_store: false, ..options(&world.folder) });
    World { store: store.await.unwrap(), ..world }
}

fn off() -> Hook {
    Hook { is_active: false, ..hook("h", HookScope::Environment, &["*"]) }
}

/// Stops what is left, a piece a claim; answers how many pieces that took.
async fn stopped(world: &World, now: i64) -> usize {
    let mut pieces = 0;
    while let Some(claim) = world.claim(TaskKind::Stop, now, 1).await.pop() {
        assert!(matches!(world.store.load(&claim).await.unwrap(), Work::Stop));
        world.store.stop_calls(claim, at(now)).await.unwrap();
        pieces += 1;
    }
    pieces
}

/// Takes over what is left, a piece a claim; answers how many pieces that took.
async fn taken_over(world: &World, now: i64) -> usize {
    let mut pieces = 0;
    while let Some(claim) = world.claim(TaskKind::TakeOver, now, 1).await.pop() {
        assert!(matches!(world.store.load(&claim).await.unwrap(), Work::TakeOver));
        world.store.take_over_calls(claim, at(now)).await.unwrap();
        pieces += 1;
    }
    pieces
}

/// An event, which is to get this number.
async fn happens(world: &World, number: u64) -> bool {
    let subject = EventSubject {
        organisation: acme(),
        party: RECEIVER.to_owned(),
        transaction: None,
        document_id: document(7),
        origin: None,
        depth: 0,
    };
    let notice = Notice::new(Topic::PING, number.to_string(), Default::default());
    world.store.announce(subject, notice, at(12)).await.unwrap().is_some()
}

/// What it costs at once that a hook is made anew, and the pieces that follow it.
async fn cost_of_another(all: usize) -> (StoreWork, usize) {
    let world = owing(all).await;
    let scope = HookScope::Environment;
    world.store.remove_hook(&acme(), &scope, &id("h"), at(10)).await.unwrap();
    let before = world.store.work_done();
    let new = Hook { changed_on: at(11), ..hook("new", scope, &["*"]) };
    world.store.put_hook(new).await.unwrap();
    let work = world.store.work_done().since(&before);
    let pieces = taken_over(&world, 20).await;
    stopped(&world, 20).await;
    let log = async |hook: &str| {
        let scope = HookScope::Environment;
        world.store.hook_log(&acme(), &id(hook), &scope, 0, 500).await.unwrap().len()
    };
    assert!(log("h").await == 0 && log("new").await == 500.min(all), "all of them moved");
    (work, pieces)
}

/// However much the one before it is owed, a hook that is made anew keeps nobody waiting.
#[tokio::test]
async fn a_hook_that_takes_over_stops_nobody() {
    let (few, pieces) = cost_of_another(1_200).await;
    assert_eq!(pieces, 2);
    let (many, pieces) = cost_of_another(5_000).await;
    assert_eq!(pieces, 10, "the last one finds nothing more");
    assert_eq!(few.statements, many.statements);
    assert!(many.steps < few.steps + few.steps / 10, "{few:?} {many:?}");
}

/// One that is removed while it takes over leaves both what it took and what it had not come to.
#[tokio::test]
async fn who_is_removed_while_it_takes_over_loses_nothing() {
    let world = owing(1_200).await;
    let scope = || HookScope::Environment;
    let another = |name: &str, now: i64| Hook {
        created_on: at(now),
        changed_on: at(now),
        ..hook(name, scope(), &["*"])
    };
    world.store.remove_hook(&acme(), &scope(), &id("h"), at(10)).await.unwrap();
    assert!(happens(&world, 1_201).await);
    world.store.put_hook(another("second", 11)).await.unwrap();
    assert!(happens(&world, 1_202).await);
    world.store.remove_hook(&acme(), &scope(), &id("second"), at(13)).await.unwrap();
    assert!(happens(&world, 1_203).await);
    world.store.put_hook(another("third", 14)).await.unwrap();
    taken_over(&world, 20).await;
    stopped(&world, 20).await;
    let mut numbers = Vec::new();
    loop {
        let after = numbers.last().copied().unwrap_or_default();
        let log = world.store.hook_log(&acme(), &id("third"), &scope(), after, 500).await.unwrap();
        if log.is_empty() {
            break;
        }
        assert!(log.iter().all(|call| call.state == CallState::Pending));
        numbers.extend(log.iter().map(|call| call.event.number));
    }
    assert_eq!(numbers, (1..=1_203).collect::<Vec<u64>>(), "each of them once");
}

async fn states(world: &World, state: CallState) -> usize {
    let (mut found, mut after) = (0, 0);
    loop {
        let scope = HookScope::Environment;
        let log = world.store.hook_log(&acme(), &id("h"), &scope, after, 500).await.unwrap();
        let Some(last) = log.last() else { return found };
        after = last.event.number;
        found += log.iter().filter(|call| call.state == state).count();
    }
}

/// What an operation costs at once, and the pieces that follow it.
async fn cost(all: usize, removed: bool) -> (StoreWork, usize) {
    let world = owing(all).await;
    let before = world.store.work_done();
    match removed {
        true => {
            let scope = HookScope::Environment;
            assert!(world.store.remove_hook(&acme(), &scope, &id("h"), at(10)).await.unwrap());
        }
        false => world.store.put_hook(off()).await.unwrap(),
    }
    let work = world.store.work_done().since(&before);
    let pieces = stopped(&world, 20).await;
    assert_eq!(states(&world, CallState::Stopped).await, all);
    assert!(due(&world, 99_999).await.is_empty());
    (work, pieces)
}

/// However much a hook is owed, it keeps others waiting for no longer.
#[tokio::test]
async fn a_hook_that_is_switched_off_or_removed_stops_nobody() {
    for removed in [false, true] {
        let (few, pieces) = cost(600, removed).await;
        assert_eq!(pieces, 1);
        let (many, pieces) = cost(5_000, removed).await;
        assert_eq!(pieces, 10, "the last one finds nothing");
        assert_eq!(few.statements, many.statements, "removed: {removed}");
        assert!(many.steps < few.steps + few.steps / 10, "removed: {removed}, {few:?} {many:?}");
    }
}

/// What is not stopped yet is not called; where the hook comes back it is owed all that is left.
#[tokio::test]
async fn between_two_pieces_no_call_is_made_and_one_that_comes_back_goes_on() {
    let world = owing(1_200).await;
    let claim = due(&world, 5).await.remove(0);
    world.store.put_hook(off()).await.unwrap();
    // The one in hand is done, and lets the next one of its lane go.
    finish(&world, &claim, 200, HookDecision::Delivered, 11).await.unwrap();
    let next = due(&world, 11).await.remove(0);
    assert!(matches!(world.store.load(&next).await.unwrap(), Work::Gone));
    world.store.stop_call(next, at(11)).await.unwrap();
    world.store.put_hook(Hook { is_active: true, ..off() }).await.unwrap();
    assert_eq!(stopped(&world, 12).await, 1, "it is on again");
    let (mut made, kept) = (0, states(&world, CallState::Pending).await);
    assert!(kept > 600, "{kept}");
    while let Some(claim) = due(&world, 20).await.pop() {
        let Work::Call(_) = world.store.load(&claim).await.unwrap() else { panic!("{claim:?}") };
        world.store.drop_task(claim).await.unwrap();
        made += 1;
    }
    assert_eq!(made, kept);
}

/// One that is removed with more than a piece, and made anew under another id before the rest was
/// stopped, is owed all of it, in its order.
#[tokio::test]
async fn a_hook_made_anew_between_two_pieces_is_owed_all() {
    let world = owing(700).await;
    let scope = HookScope::Environment;
    world.store.remove_hook(&acme(), &scope, &id("h"), at(10)).await.unwrap();
    let new = Hook { changed_on: at(11), ..hook("new", scope, &["*"]) };
    world.store.put_hook(new).await.unwrap();
    // What happens meanwhile comes behind what was owed.
    assert!(happens(&world, 701).await);
    assert_eq!(taken_over(&world, 12).await, 1);
    assert!(happens(&world, 702).await);
    assert_eq!(stopped(&world, 12).await, 1, "nothing is left");
    for number in 1..=702 {
        let claims = due(&world, 20).await;
        let [claim] = &claims[..] else { panic!("{number}: {claims:?}") };
        let Work::Call(call) = world.store.load(claim).await.unwrap() else { panic!("{claim:?}") };
        assert_eq!((call.event.number, call.event.seq), (number, EventId(number as i64)));
        assert_eq!(call.hook.id, id("new"));
        world.store.drop_task(claim.clone()).await.unwrap();
    }
}
