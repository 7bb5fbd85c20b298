//! A store in a folder of its own, with one organisation, and short ways to fill it.

use std::path::PathBuf;

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::registration::{RegistrationOutcome, RegistrationProgress};
use quoin_delivery::{
    DeliveryOutcome, DocumentId, Event, Family, OrganisationId, Proof, RetryPolicy, Route,
    TaskKind, decide,
};
use quoin_store::{
    Attempt, AttemptOutcome, Claim, Completion, Error, Keep, NewIncoming, NewOutgoing, OpenOptions,
    Organisation, RecordOutcome, Store, StoreKey, Submitted, TransactionFacts, TransactionRecord,
    Work,
};
use uuid::Uuid;

pub const SENDER: &str = "0106:12345678";
pub const RECEIVER: &str = "0106:87654321";
pub const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// The tests' clock: seconds after a fixed day.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + seconds).unwrap()
}

pub fn acme() -> OrganisationId {
    "acme".parse().unwrap()
}

pub fn document(number: u32) -> DocumentId {
    DocumentId::from_uuid(Uuid::from_u128(u128::from(number)))
}

/// Has documents kept for these periods, those that are there as well. Answers how many were
/// planned anew.
pub async fn keep_for(store: &Store, keep: Keep) -> usize {
    let mut next = store.keep(keep).await.unwrap();
    let mut changed = 0;
    while let Some(at) = next {
        changed = at.changed;
        next = store.plan_retention(at).await.unwrap();
    }
    changed
}

/// A store in a folder that goes with it.
pub struct World {
    pub store: Store,
    pub folder: Folder,
}

/// A folder that goes with its value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn of(folder: PathBuf) -> Folder {
        Folder(folder)
    }
}

impl std::ops::Deref for Folder {
    type Target = std::path::Path;
    fn deref(&self) -> &std::path::Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind is swept with the target folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn options(folder: &std::path::Path) -> OpenOptions {
    OpenOptions::new(folder, StoreKey([42; 32]))
}

pub async fn world() -> World {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(Uuid::new_v4().to_string());
    let store = Store::open(options(&folder)).await.unwrap();
    let name = "Acme".to_owned();
    let acme = Organisation { id: acme(), name, created_on: at(0) };
    store.put_organisation(acme).await.unwrap();
    World { store, folder: Folder(folder) }
}

pub fn outgoing(number: u32, content: &str) -> NewOutgoing {
    NewOutgoing {
        organisation: acme(),
        party: SENDER.to_owned(),
        document_id: document(number),
        family: Family::Invoice,
        facts: TransactionFacts { sender: Some(SENDER.to_owned()), ..TransactionFacts::default() },
        channel: None,
        message_id: format!("{number}@ap.example.test"),
        is_own_envelope: false,
        instance_id: format!("instance-{number}"),
        content: Bytes::from(content.to_owned()),
        now: at(0),
    }
}

pub fn incoming(number: u32, content: &str) -> NewIncoming {
    NewIncoming {
        organisation: acme(),
        party: RECEIVER.to_owned(),
        document_id: document(number),
        family: Family::Invoice,
        facts: TransactionFacts {
            receiver: Some(RECEIVER.to_owned()),
            ..TransactionFacts::default()
        },
        envelope_sender: SENDER.to_owned(),
        message_id: format!("{number}@ap.example.test"),
        instance_id: format!("instance-{number}"),
        access_point: "POP000001".to_owned(),
        content: Bytes::from(content.to_owned()),
        now: at(i64::from(number)),
    }
}

impl World {
    pub async fn upload(&self, number: u32) -> TransactionRecord {
        let content = format!("<Invoice n='{number}'/>");
        let submitted = self.store.submit(outgoing(number, &content)).await.unwrap();
        let Submitted::Accepted { transaction: id, .. } = submitted else {
            panic!("{submitted:?}")
        };
        self.store.transaction(&id).await.unwrap().unwrap()
    }

    pub async fn arrive(&self, number: u32) -> TransactionRecord {
        let content = format!("<Invoice n='{number}'/>");
        let received = self.store.receive(incoming(number, &content)).await.unwrap();
        let RecordOutcome::Accepted(id) = received else { panic!("{received:?}") };
        self.store.transaction(&id).await.unwrap().unwrap()
    }

    /// The first step of a document is claimed whichever way it goes.
    pub async fn claim(&self, kind: TaskKind, now: i64, max: usize) -> Vec<Claim> {
        // What arrived is looked at first under a kind of its own.
        let arrives = (kind == TaskKind::Prepare).then_some(TaskKind::Arrive);
        let kinds: Vec<TaskKind> = [kind].into_iter().chain(arrives).collect();
        self.store.claim(&kinds, at(now), LEASE, max).await.unwrap()
    }

    pub async fn claim_one(&self, kind: TaskKind, now: i64) -> Claim {
        self.claim(kind, now, 1).await.pop().expect("a task that is due")
    }

    /// Every register answers what it is asked by then.
    pub async fn registered(&self, progress: RegistrationProgress, now: i64) {
        for claim in self.claim(TaskKind::Register, now, 100).await {
            let Work::Registration(found) = self.store.load(&claim).await.unwrap() else {
                panic!("{claim:?}")
            };
            let message = "so it is".to_owned();
            let done = RegistrationOutcome { progress, message, next_on: None, left: false };
            self.store.finish_registration(claim, *found, done, at(now)).await.unwrap();
        }
    }

    pub async fn load(&self, claim: &Claim) -> TransactionRecord {
        match self.store.load(claim).await.unwrap() {
            Work::Transaction(record) => *record,
            other => panic!("{other:?}"),
        }
    }
}

/// A step with these events, as a worker that goes straight on would hand it in.
pub fn completion(
    claim: &Claim,
    record: &TransactionRecord,
    events: &[Event],
    now: i64,
) -> Completion {
    let mut transaction = record.transaction.clone();
    let mut whole = None;
    for event in events {
        let decision = decide(&transaction, event, &RetryPolicy::default(), at(now));
        transaction = transaction.after(&decision);
        whole = Some(match whole {
            None => decision,
            Some(earlier) => quoin_delivery::Decision::followed_by(earlier, decision),
        });
    }
    Completion {
        claim: claim.clone(),
        transaction: record.transaction.clone(),
        decision: whole.unwrap(),
        facts: TransactionFacts::default(),
        attempt: None,
        report: None,
        now: at(now),
    }
}

pub fn valid() -> Event {
    Event::Validated { summary: "It keeps the rules.".to_owned() }
}

/// The events of a document that goes straight through, from its first task on.
pub fn straight() -> Vec<Event> {
    let endpoint = "https://ap.example.test/as4".to_owned();
    let text = str::to_owned;
    vec![
        valid(),
        Event::Routed(Route {
            endpoint: endpoint.clone(),
            protocol: text("As4"),
            document_type: text("busdox-docid-qns::x"),
            process: text("cenbii-procid-ubl::y"),
        }),
        Event::Attempted {
            attempt: 1,
            outcome: DeliveryOutcome::Delivered(Proof {
                endpoint,
                protocol: text("As4"),
                message_id: text("m@a"),
                returned_message_id: text("r@b"),
                remark: None,
            }),
        },
    ]
}

pub fn attempt(receipt: &str) -> Attempt {
    Attempt {
        attempt: 1,
        started_on: at(1),
        ended_on: at(2),
        outcome: AttemptOutcome::Delivered,
        endpoint: Some("https://ap.example.test/as4".to_owned()),
        protocol: Some("As4".to_owned()),
        report: serde_json::json!({"http": {"status": 200}}),
        receipt: Some(Bytes::from(receipt.to_owned())),
        receipt_blob: None,
        code: None,
        elapsed_ms: Some(120),
        breaker: None,
        evidence: Vec::new(),
    }
}

/// The refusal of an answer, for comparison.
pub fn refusal<T: std::fmt::Debug>(answer: Result<T, Error>) -> quoin_store::Refusal {
    match answer {
        Err(Error::Refusal(refusal)) => refusal,
        other => panic!("expected a refusal, found {other:?}"),
    }
}
