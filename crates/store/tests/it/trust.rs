//! What is remembered for trust: breakers, revocation sources, warnings, and the evidence of a
//! passage, which goes in part with the document.

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::SignedDuration;
use quoin_delivery::{Breaker, EventId, Notice, TaskKind, Topic, TransactionId};
use quoin_store::{
    Arrival, Attempt, AttemptOutcome, Error, EvidenceKind, Keep, NotedBreaker, RecordOutcome,
    Refusal, RevocationSource, Store, TransactionRecord,
};

use crate::world::{
    World, acme, at, attempt, completion, document, keep_for, options, straight, world,
};

/// Sends a document in one go, with an attempt that differs.
async fn sent(world: &World, number: u32, differ: impl FnOnce(&mut Attempt)) -> TransactionRecord {
    let record = world.upload(number).await;
    let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
    let mut done = completion(&claim, &record, &straight(), i64::from(number));
    let mut made = attempt("<receipt/>");
    differ(&mut made);
    done.attempt = Some(made);
    world.store.commit(done).await.unwrap();
    world.store.transaction(&record.transaction.id).await.unwrap().unwrap()
}

fn evidence() -> Vec<(EvidenceKind, Bytes)> {
    vec![
        (EvidenceKind::Message, Bytes::from_static(b"<message/>")),
        (EvidenceKind::Payload, Bytes::from(vec![7; 200_000])),
        (EvidenceKind::SmpAnswer, Bytes::from_static(b"<answer/>")),
    ]
}

async fn kinds(store: &Store, record: &TransactionRecord) -> Vec<EvidenceKind> {
    let found = store.evidence_of(&record.transaction.id).await.unwrap();
    found.into_iter().map(|piece| piece.kind).collect()
}

#[tokio::test]
async fn evidence_is_kept_with_the_attempt_and_its_payload_goes_with_the_document() {
    let world = world().await;
    let record = sent(&world, 1, |attempt| attempt.evidence = evidence()).await;
    let found = world.store.evidence_of(&record.transaction.id).await.unwrap();
    assert_eq!(found.len(), 3);
    for piece in &found {
        let bytes = world.store.blob(&acme(), piece.blob).await.unwrap().unwrap();
        let expected = evidence().into_iter().find(|(kind, _)| *kind == piece.kind).unwrap().1;
        assert_eq!((piece.attempt, bytes), (1, expected));
    }
    let keep = Keep { sent: Some(SignedDuration::from_secs(10)), ..Keep::default() };
    keep_for(&world.store, keep).await;
    assert_eq!(world.store.expire(at(1_000)).await.unwrap(), 1);
    let left = kinds(&world.store, &record).await;
    assert_eq!(left, [EvidenceKind::Message, EvidenceKind::SmpAnswer], "no document is in these");
    let payload = found.iter().find(|piece| piece.kind == EvidenceKind::Payload).unwrap();
    assert_eq!(world.store.blob(&acme(), payload.blob).await.unwrap(), None, "its bytes are gone");
}

#[tokio::test]
async fn the_payload_of_an_arrival_goes_when_its_party_deletes_it() {
    let world = world().await;
    let new = crate::world::incoming(1, "<Invoice/>");
    world.store.receive_with(new, Arrival::default(), evidence()).await.unwrap();
    // A repeat leaves nothing behind.
    let again = crate::world::incoming(1, "<Invoice/>");
    world.store.receive_with(again, Arrival::default(), evidence()).await.unwrap();
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let record = world.load(&claim).await;
    assert_eq!(kinds(&world.store, &record).await.len(), 3);
    world.store.delete_incoming(&acme(), &document(1), at(2)).await.unwrap();
    let left = kinds(&world.store, &record).await;
    assert_eq!(left, [EvidenceKind::Message, EvidenceKind::SmpAnswer]);
}

/// The receipt of an arrival is signed after the commit of the message, and kept by a write of its
/// own.
#[tokio::test]
async fn the_first_receipt_of_an_arrival_is_kept_afterwards() {
    let world = world().await;
    let new = crate::world::incoming(1, "<Invoice/>");
    let received = world.store.receive_with(new, Arrival::default(), evidence()).await.unwrap();
    let RecordOutcome::Accepted(id) = received else { panic!("{received:?}") };
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let record = world.load(&claim).await;
    assert!(!kinds(&world.store, &record).await.contains(&EvidenceKind::Receipt));
    let first = Bytes::from_static(b"<receipt/>");
    world.store.keep_receipt(&id, first.clone()).await.unwrap();
    world.store.keep_receipt(&id, Bytes::from_static(b"<again/>")).await.unwrap();
    let found = world.store.evidence_of(&id).await.unwrap();
    let receipts: Vec<_> =
        found.iter().filter(|piece| piece.kind == EvidenceKind::Receipt).collect();
    assert_eq!(receipts.len(), 1, "a repeat adds none");
    assert_eq!(receipts[0].attempt, 0);
    assert_eq!(world.store.blob(&acme(), receipts[0].blob).await.unwrap(), Some(first));
    let nobody = TransactionId::from_uuid(uuid::Uuid::nil());
    let refused = world.store.keep_receipt(&nobody, Bytes::new()).await.unwrap_err();
    assert!(matches!(refused, Error::Refusal(Refusal::NotFound { .. })), "{refused:?}");
}

#[tokio::test]
async fn breakers_are_remembered_with_the_attempt_and_forgotten_when_well() {
    let world = world().await;
    let url = "https://ap.example.test/as4";
    let open = Breaker {
        failing: vec!["a".to_owned(), "b".to_owned()],
        openings: 2,
        rests_until: Some(at(500)),
        probing_until: Some(at(400)),
    };
    let noted = |breaker| Some(NotedBreaker { place: url.to_owned(), breaker });
    let breaker = noted(open.clone());
    sent(&world, 1, |attempt| attempt.breaker = breaker).await;
    let found = world.store.breakers().await.unwrap();
    let expected = Breaker { probing_until: None, ..open };
    assert_eq!(found, [(url.to_owned(), expected)], "a probe of an earlier process is over");
    sent(&world, 2, |attempt| attempt.breaker = noted(Breaker::default())).await;
    assert!(world.store.breakers().await.unwrap().is_empty());
}

#[tokio::test]
async fn the_health_of_an_address_is_that_of_a_partys_own_documents() {
    let world = world().await;
    for (number, elapsed_ms) in [(1, 300), (2, 100), (3, 200)] {
        sent(&world, number, |attempt| attempt.elapsed_ms = Some(elapsed_ms)).await;
    }
    let failed = sent(&world, 4, |attempt| {
        attempt.outcome = AttemptOutcome::Later;
        attempt.code = Some("AP-TIMEOUT".to_owned());
        attempt.elapsed_ms = None;
    });
    let party = failed.await.transaction.party;
    let seen = world.store.endpoints_of(&acme(), &party, at(0)).await.unwrap();
    assert_eq!(seen.len(), 1);
    let health = &seen[0].health;
    assert_eq!((health.delivered, health.failed, health.median_ms), (3, 1, Some(200)));
    assert_eq!(health.last_code.as_deref(), Some("AP-TIMEOUT"));
    assert!(world.store.endpoints_of(&acme(), "0106:99999999", at(0)).await.unwrap().is_empty());
    let other = "other".parse().unwrap();
    assert!(world.store.endpoints_of(&other, &party, at(0)).await.unwrap().is_empty());
    assert!(world.store.endpoints_of(&acme(), &party, at(10_000)).await.unwrap().is_empty());
    let health = world.store.endpoint_health(&acme(), &seen[0].url, at(0)).await.unwrap();
    assert_eq!((health.delivered, health.median_ms), (3, Some(200)));
}

#[tokio::test]
async fn a_warning_is_given_once_to_each_organisation() {
    let world = world().await;
    let warn = async |days: u32| {
        let details = BTreeMap::from([("use".to_owned(), "smp".to_owned())]);
        let message = "The certificate ends.".to_owned();
        let notice = Notice::new(Topic::CERTIFICATE_EXPIRING, message, details);
        world.store.warn_of_expiry([7; 32], days, notice, vec![acme()], at(5)).await.unwrap()
    };
    assert_eq!((warn(30).await, warn(30).await, warn(14).await), (true, false, true));
    let events = world.store.events_since(&acme(), EventId(0), 10).await.unwrap();
    assert_eq!(events.len(), 2);
    assert!(events.iter().all(|event| event.transaction.is_none()));
}

#[tokio::test]
async fn revocation_sources_survive_a_restart() {
    let world = world().await;
    let list = RevocationSource {
        url: "http://crl.example.test/ap.crl".to_owned(),
        subject: None,
        certificate: vec![1, 2, 3],
        body: Some(vec![9; 5_000]),
        fetched_on: Some(at(1)),
        next_update: Some(at(100)),
        failures: 0,
        problem: None,
        next_on: at(50),
        used_on: at(1),
    };
    let answer = RevocationSource {
        url: "http://ocsp.example.test".to_owned(),
        subject: Some([5; 32]),
        body: None,
        failures: 3,
        problem: Some("no answer".to_owned()),
        ..list.clone()
    };
    for source in [&list, &answer, &list] {
        world.store.put_revocation_source(source.clone()).await.unwrap();
    }
    let World { store, folder } = world;
    drop(store);
    let store = Store::open(options(&folder)).await.unwrap();
    assert_eq!(store.revocation_sources().await.unwrap(), [list.clone(), answer]);
    store.remove_revocation_source(list).await.unwrap();
    assert_eq!(store.revocation_sources().await.unwrap().len(), 1);
}
