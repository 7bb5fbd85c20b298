//! A Peppol network on loopback that a story is played on: two whole services of two customers,
//! what is around them, and the ways to look at what happened.

pub mod caller;
pub mod forger;
pub mod gate;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::metrics::Compared;
use quoin_delivery::{Direction, DocumentId, OrganisationId};
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, SENDER, Surroundings};
use quoin_lab::lab::sink::ReceivedCall;
use quoin_server::start::{Running, start};
use quoin_store::{Attempt, ListFilter, TransactionRecord};
use uuid::Uuid;

use caller::Caller;

/// The providers behind both services, as participants.
pub const PROVIDER_ONE: &str = "0242:000001";
pub const PROVIDER_TWO: &str = "0242:000002";
/// How long something may take that has to happen. Long, since a machine may be busy; nobody waits
/// for it unless something is wrong.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// With what the sender's part of a story ends.
const ENDINGS: [&str; 2] = ["InvoiceSent", "InvoiceSentError"];
/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// A folder of its own that goes with the story.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("quoin-story-{}-{number}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    /// A service that still runs may write a file while the folder is emptied.
    fn drop(&mut self) {
        for _ in 0..50 {
            match std::fs::remove_dir_all(&self.0) {
                Ok(()) => return,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
    }
}

/// The stage before the curtain rises: certificates and ports are there, no service runs.
pub struct Stage {
    pub around: Surroundings,
    pub clock: Clock,
    pub one: LabAccessPoint,
    pub two: LabAccessPoint,
    pub sender: Customer,
    pub receiver: Customer,
    pub folder: Folder,
}

impl Stage {
    pub async fn set() -> Stage {
        let folder = Folder::new();
        let clock = Clock::default();
        let around = Surroundings::start(folder.path(), clock.clone()).await.unwrap();
        let one = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
        let two = LabAccessPoint::new(&around, "two", "POP000002").unwrap();
        let sender = Customer::new("sender", &[SENDER]).unwrap();
        let receiver = Customer::new("receiver", &[RECEIVER]).unwrap();
        Stage { around, clock, one, two, sender, receiver, folder }
    }

    /// Corner 2, with eight attempts in less than two seconds.
    pub fn config_one(&self) -> Config {
        let mut config = self.one.config(&self.around, &self.sender);
        config.retry.delivery_seconds = vec![0.05, 0.05, 0.1, 0.1, 0.2, 0.2, 0.4];
        config.retry.reconnect_seconds = Vec::new();
        config.retry.hook_seconds = vec![0.1; 20];
        config
    }

    /// Corner 3.
    pub fn config_two(&self) -> Config {
        let mut config = self.two.config(&self.around, &self.receiver);
        config.retry.hook_seconds = vec![0.1; 20];
        config
    }

    /// Points the receiver's name in the SML to an SMP.
    pub fn register(&self, participant: &str, smp: &str) {
        self.around.register(participant, smp).unwrap();
    }

    pub async fn start(&self, config: Config) -> Running {
        start(config, self.clock.clone()).await.unwrap()
    }

    /// Starts both services.
    pub async fn play(self) -> Play {
        self.play_with(|_, _| ()).await
    }

    /// Starts both services with configurations that differ.
    pub async fn play_with(self, differ: impl FnOnce(&mut Config, &mut Config)) -> Play {
        let (mut one, mut two) = (self.config_one(), self.config_two());
        differ(&mut one, &mut two);
        self.register(SENDER, &self.one.smp_url);
        self.register(RECEIVER, &self.two.smp_url);
        self.register(PROVIDER_ONE, &self.one.smp_url);
        self.register(PROVIDER_TWO, &self.two.smp_url);
        let (one, two) = (self.start(one).await, self.start(two).await);
        Play { stage: self, one, two }
    }
}

/// Both services run.
pub struct Play {
    pub stage: Stage,
    pub one: Running,
    pub two: Running,
}

impl Play {
    pub async fn begin() -> Play {
        Stage::set().await.play().await
    }

    /// The sender's client of the sender's service.
    pub async fn sender(&self) -> Caller {
        Caller::of(&self.stage, &self.one, &self.stage.sender).await
    }

    /// The receiver's client of the receiver's service.
    pub async fn receiver(&self) -> Caller {
        Caller::of(&self.stage, &self.two, &self.stage.receiver).await
    }

    /// Uploads an invoice to the receiver; answers its document id.
    pub async fn send(&self, number: &str) -> String {
        let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, number);
        self.send_document(invoice).await
    }

    pub async fn send_document(&self, document: impl Into<bytes::Bytes>) -> String {
        let id = Uuid::new_v4().to_string();
        let answer = self.sender().await.send(SENDER, &id, document).await;
        assert_eq!(answer.status, 200, "{:?}", answer.json);
        id
    }

    /// The first call of a webhook about a document on one of these topics.
    pub async fn told(&self, document: &str, topics: &[&str]) -> ReceivedCall {
        self.told_within(PATIENCE, document, topics).await
    }

    async fn told_within(
        &self,
        patience: Duration,
        document: &str,
        topics: &[&str],
    ) -> ReceivedCall {
        let about = |told: &ReceivedCall| {
            told.text("documentId") == document && topics.contains(&told.text("topic"))
        };
        let told = self.stage.around.sink.wait_for(patience, about).await;
        told.unwrap_or_else(|| panic!("{topics:?} was not told of {document}: {:#?}", self.all()))
    }

    /// The event with which the sender's part of the story ends.
    pub async fn ending(&self, document: &str) -> ReceivedCall {
        self.told(document, &ENDINGS).await
    }

    /// The same of a document of many megabytes, each of which an unoptimised build reads, writes,
    /// packs and signs on a core that others share.
    pub async fn ending_of_large(&self, document: &str) -> ReceivedCall {
        self.told_within(PATIENCE * 3, document, &ENDINGS).await
    }

    /// Everything that was told so far: topic, document, message.
    fn all(&self) -> Vec<String> {
        let line = |told: ReceivedCall| {
            format!("{} {} {}", told.text("topic"), told.text("documentId"), told.text("message"))
        };
        self.stage.around.sink.told().into_iter().map(line).collect()
    }

    /// How often a topic was told of a document. A call that is repeated is the same one: a clock
    /// that moves on can end the lease of a call that has its answer, but is not recorded yet.
    pub fn times(&self, document: &str, topic: &str) -> usize {
        let told = self.stage.around.sink.told();
        let about = |told: &&ReceivedCall| {
            told.text("documentId") == document && told.text("topic") == topic
        };
        told.iter().filter(about).map(|told| &told.delivery).collect::<BTreeSet<_>>().len()
    }

    /// What the sender's service has on record about a document.
    pub async fn record(&self, document: &str) -> TransactionRecord {
        let owner: OrganisationId = self.stage.sender.organisation.parse().unwrap();
        let id: DocumentId = document.parse().unwrap();
        let store = &self.one.parts.store;
        store.transaction_of(&owner, Direction::Outgoing, &id).await.unwrap().unwrap()
    }

    /// The attempts to deliver a document.
    pub async fn attempts(&self, document: &str) -> Vec<Attempt> {
        let id = self.record(document).await.transaction.id;
        self.one.parts.store.attempts_of(&id).await.unwrap()
    }

    /// What arrived at corner 3, whether it was announced yet or not.
    pub async fn arrived(&self) -> Vec<TransactionRecord> {
        arrived(&self.two, &self.stage.receiver).await
    }
}

/// What arrived at a service for a customer.
pub async fn arrived(service: &Running, customer: &Customer) -> Vec<TransactionRecord> {
    let owner = customer.organisation.parse().unwrap();
    let mut filter = ListFilter::new(owner, Direction::Incoming);
    filter.limit = 500;
    service.parts.store.list(filter).await.unwrap().items
}

/// Takes everything away that a service publishes of a participant, after its first comparison of
/// that with what should be, which would publish it again.
pub async fn unpublish(service: &Running, owner: &OrganisationId, participant: &str) {
    let comparisons = &service.parts.metrics.comparisons;
    until("it compares", async || (comparisons.of(Compared::Done) > 0).then_some(())).await;
    service.parts.store.remove_services(owner, participant).await.unwrap();
}

/// Looks again and again until there is something to be seen.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(begun.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        tokio::time::sleep(PAUSE).await;
    }
}
