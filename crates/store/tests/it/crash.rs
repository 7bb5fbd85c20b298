//! Crash: a process that stores and works is killed without warning, again and again. Whatever it
//! had said yes to is there afterwards, once.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use quoin_delivery::{Direction, EventId, Status, TaskKind};
use quoin_store::{Organisation, Store, Submitted};

use crate::world::*;

const FOLDER: &str = "QUOIN_CRASH_FOLDER";
const ROUND: &str = "QUOIN_CRASH_ROUND";
const ROUNDS: u32 = 4;
const PER_ROUND: u32 = 1_000;

/// The process to be killed; it does nothing unless the test below starts it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn victim() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let round: u32 = std::env::var(ROUND).unwrap().parse().unwrap();
    let store = Store::open(options(&PathBuf::from(folder))).await.unwrap();
    let name = "Acme".to_owned();
    let acme = Organisation { id: acme(), name, created_on: at(0) };
    store.put_organisation(acme).await.unwrap();
    let (_, ()) = tokio::join!(submit(store.clone(), round), work(store));
}

/// Several callers at once; each prints a document's number only after the store said yes.
async fn submit(store: Store, round: u32) {
    let callers: Vec<_> = (0..8)
        .map(|caller| {
            let store = store.clone();
            tokio::spawn(async move {
                for number in (caller..PER_ROUND).step_by(8).map(|n| round * PER_ROUND + n) {
                    // Every tenth is large enough for a file of its own.
                    let body = "x".repeat(if number % 10 == 0 { 80_000 } else { 800 });
                    let content = format!("<Invoice n='{number}'>{body}</Invoice>");
                    let answer = store.submit(outgoing(number, &content)).await.unwrap();
                    assert!(matches!(answer, Submitted::Accepted { .. }));
                    println!("stored {number}");
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
}

async fn work(store: Store) {
    loop {
        let now = jiff::Timestamp::now();
        let lease = jiff::SignedDuration::from_millis(200);
        let claims = store.claim(&[TaskKind::Prepare], now, lease, 16).await.unwrap();
        for claim in claims {
            let quoin_store::Work::Transaction(record) = store.load(&claim).await.unwrap() else {
                panic!("a claim without its document");
            };
            let mut done = completion(&claim, &record, &straight(), 2);
            done.attempt = Some(attempt("<Receipt/>"));
            // Stale is possible: the lease is short on purpose.
            let _ = store.commit(done).await;
        }
    }
}

/// Has a process store and work in a folder, and kills it; answers what it had said yes to.
pub(crate) fn kill_midway(folder: &Path, round: u32) -> BTreeSet<u32> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::victim", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stored = BTreeSet::new();
    let out = BufReader::new(child.stdout.take().unwrap());
    for line in out.lines() {
        let line = line.unwrap();
        // The harness writes its own words in front of the first line.
        let Some((_, number)) = line.rsplit_once("stored ") else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        stored.insert(number);
        if stored.len() == 120 + 90 * round as usize {
            child.kill().unwrap();
        }
    }
    let status = child.wait().unwrap();
    assert!(!status.success(), "it was to be killed");
    stored
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_kill_once() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(uuid::Uuid::new_v4().to_string());
    let mut stored = BTreeSet::new();
    for round in 0..ROUNDS {
        stored.append(&mut kill_midway(&folder, round));
    }
    assert!(stored.len() > 900, "{}", stored.len());
    let store = Store::open(options(&folder)).await.unwrap();
    let before = store.events_since(&acme(), EventId(0), 500).await.unwrap();
    assert!(!before.is_empty(), "the victims worked while they stored");
    finish(&store).await;
    let mut events = Vec::new();
    loop {
        let after = events.last().map_or(EventId(0), |e: &quoin_store::EventRecord| e.seq);
        let more = store.events_since(&acme(), after, 500).await.unwrap();
        if more.is_empty() {
            break;
        }
        events.extend(more);
    }
    let told: BTreeSet<_> = events.iter().map(|event| event.document_id.clone()).collect();
    assert_eq!(told.len(), events.len(), "no event twice");
    for number in &stored {
        let id = document(*number);
        let record = store.transaction_of(&acme(), Direction::Outgoing, &id).await.unwrap();
        let record = record.unwrap_or_else(|| panic!("{number} was acknowledged and is lost"));
        assert_eq!(record.transaction.status, Status::Delivered, "{number}");
        assert_eq!(record.transaction.attempts, 1, "{number}");
        let bytes = store.document(&record).await.unwrap().unwrap();
        assert_eq!(bytes.len() as u64, record.size);
        assert!(bytes.starts_with(format!("<Invoice n='{number}'>").as_bytes()));
        assert_eq!(store.timeline_of(&record.transaction.id).await.unwrap().len(), 4, "{number}");
        assert!(told.contains(&id), "{number} is delivered without its event");
    }
    drop(store);
    let _ = std::fs::remove_dir_all(&folder);
}

/// Does what the killed workers left, after their leases.
async fn finish(store: &Store) {
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(1);
    loop {
        let claims = store.claim(&[TaskKind::Prepare], later, LEASE, 100).await.unwrap();
        if claims.is_empty() {
            return;
        }
        for claim in claims {
            let quoin_store::Work::Transaction(record) = store.load(&claim).await.unwrap() else {
                panic!("a claim without its document");
            };
            let mut done = completion(&claim, &record, &straight(), 2);
            done.attempt = Some(attempt("<Receipt/>"));
            store.commit(done).await.unwrap();
        }
    }
}
