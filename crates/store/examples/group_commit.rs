//! What the store costs per document: upload, claim, load, and the commit of a step that delivers,
//! with an event owed to one hook. Run it with `cargo run --release -p quoin-store --example
//! group_commit -- FOLDER [DOCUMENTS] [CALLERS] [BYTES]`; the folder must be empty or absent.

use std::time::Instant;

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{DocumentId, Event, Family, RetryPolicy, TaskKind, decide};
use quoin_store::{
    Completion, Hook, HookScope, NewIncoming, OpenOptions, Organisation, Store, StoreKey,
    TransactionFacts, Work,
};
use uuid::Uuid;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("the first argument is the folder")?;
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (documents, callers, size) = (number(10_000)?, number(64)?, number(20_000)?);
    let store = Store::open(OpenOptions::new(folder, StoreKey([1; 32]))).await?;
    let id = "bench".parse()?;
    let now = Timestamp::now();
    store.put_organisation(Organisation { id, name: "Bench".to_owned(), created_on: now }).await?;
    store.put_hook(hook(now)?).await?;

    let start = Instant::now();
    let each = documents / callers;
    side_by_side(callers, |_| arrivals(store.clone(), each, size)).await?;
    told("receive", each * callers, start);
    let start = Instant::now();
    side_by_side(4, |_| steps(store.clone())).await?;
    told("claim, load, commit", each * callers, start);
    Ok(())
}

async fn side_by_side<F>(count: usize, of: impl Fn(usize) -> F) -> Result<(), Failure>
where
    F: Future<Output = Result<(), Failure>> + Send + 'static,
{
    let running: Vec<_> = (0..count).map(|n| tokio::spawn(of(n))).collect();
    for one in running {
        one.await??;
    }
    Ok(())
}

fn told(what: &str, documents: usize, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    let each = seconds * 1e6 / documents as f64;
    println!("{what}: {:.0} documents/s, {each:.0} us each", documents as f64 / seconds);
}

fn hook(now: Timestamp) -> Result<Hook, Failure> {
    Ok(Hook {
        organisation: "bench".parse()?,
        id: "1".parse()?,
        key: "1".parse()?,
        scope: HookScope::Environment,
        name: "bench".to_owned(),
        action: "https://hooks.example.test/".to_owned(),
        secrets: Vec::new(),
        topics: vec!["*".parse()?],
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: serde_json::Value::Null,
        sealed: Default::default(),
        is_active: true,
        created_on: now,
        changed_on: now,
        rotated_on: None,
        failing_since: None,
    })
}

async fn arrivals(store: Store, count: usize, size: usize) -> Result<(), Failure> {
    for _ in 0..count {
        let id = Uuid::new_v4();
        // The head differs, so that no two documents share their bytes.
        let mut content = id.to_string().into_bytes();
        content.resize(size.max(content.len()), b'x');
        let new = NewIncoming {
            organisation: "bench".parse()?,
            party: "0106:87654321".to_owned(),
            document_id: DocumentId::from_uuid(id),
            family: Family::Invoice,
            facts: TransactionFacts::default(),
            envelope_sender: "0106:12345678".to_owned(),
            message_id: format!("{id}@ap.example.test"),
            instance_id: id.to_string(),
            access_point: "POP000001".to_owned(),
            content: Bytes::from(content),
            now: Timestamp::now(),
        };
        store.receive(new).await?;
    }
    Ok(())
}

async fn steps(store: Store) -> Result<(), Failure> {
    loop {
        let now = Timestamp::now();
        let lease = SignedDuration::from_secs(60);
        let claims = store.claim(&[TaskKind::Prepare], now, lease, 32).await?;
        if claims.is_empty() {
            return Ok(());
        }
        let done = claims.into_iter().map(|claim| step(store.clone(), claim));
        let running: Vec<_> = done.map(tokio::spawn).collect();
        for one in running {
            one.await??;
        }
    }
}

async fn step(store: Store, claim: quoin_store::Claim) -> Result<(), Failure> {
    let Work::Transaction(record) = store.load(&claim).await? else { return Ok(()) };
    store.document(&record).await?;
    let now = Timestamp::now();
    let event = Event::Validated { summary: "It keeps the rules.".to_owned() };
    let decision = decide(&record.transaction, &event, &RetryPolicy::default(), now);
    let completion = Completion {
        claim,
        transaction: record.transaction,
        decision,
        facts: TransactionFacts::default(),
        attempt: None,
        report: None,
        now,
    };
    store.commit(completion).await?;
    Ok(())
}
