//! What whoever runs the service has to look at: a line in the log, a count, and an event of the
//! provider's organisation, once when it begins and once a day as long as it goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use quoin_delivery::{AlarmKind, DocumentId};
use quoin_store::{Alarm, EventSubject, Store};
use uuid::Uuid;

use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::provider::Provider;

/// Raises alarms.
#[derive(Clone)]
pub struct Alarms {
    store: Store,
    provider: Option<Arc<Provider>>,
    metrics: Arc<Metrics>,
    clock: Clock,
    /// Kinds of which one goes on and could not be recorded yet.
    unrecorded: Arc<Mutex<BTreeSet<&'static str>>>,
}

impl Alarms {
    /// Alarms of a service; without a provider they are logged, counted and remembered only.
    pub fn new(
        store: Store,
        provider: Option<Arc<Provider>>,
        metrics: Arc<Metrics>,
        clock: Clock,
    ) -> Alarms {
        Alarms { store, provider, metrics, clock, unrecorded: Arc::default() }
    }

    /// The kinds of alarms that go on though no record says so, since none can be written.
    pub fn unrecorded(&self) -> Vec<&'static str> {
        let kinds = self.unrecorded.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.iter().copied().collect()
    }

    /// Notes whether an alarm of a kind goes on that could not be recorded yet.
    pub fn waits_for_record(&self, kind: AlarmKind, waits: bool) {
        let mut kinds = self.unrecorded.lock().unwrap_or_else(PoisonError::into_inner);
        match waits {
            true => kinds.insert(kind.code),
            false => kinds.remove(kind.code),
        };
    }

    /// Raises an alarm about a subject. It never fails its caller: what cannot be recorded is
    /// logged.
    pub async fn raise(
        &self,
        kind: AlarmKind,
        subject: &str,
        message: String,
        details: &[(&str, &str)],
    ) {
        let (alarm, hears) = self.announced(kind, subject, message, details);
        if let Err(error) = self.store.raise_alarm(alarm, hears, self.clock.now()).await {
            tracing::error!(%error, code = kind.code, "an alarm could not be recorded");
        }
    }

    /// An alarm, logged and counted, and whose event it becomes: for what is recorded in one
    /// transaction with its cause.
    pub fn announced(
        &self,
        kind: AlarmKind,
        subject: &str,
        message: String,
        details: &[(&str, &str)],
    ) -> (Alarm, Option<EventSubject>) {
        self.metrics.alarms.add(kind.code);
        tracing::error!(code = kind.code, subject, text = message, "alarm");
        let details: BTreeMap<String, String> =
            details.iter().map(|(name, fact)| ((*name).to_owned(), (*fact).to_owned())).collect();
        let own = DocumentId::from_uuid(Uuid::new_v4());
        let hears = self.provider.as_ref().map(|provider| provider.subject(own));
        (Alarm { kind, subject: subject.to_owned(), message, details }, hears)
    }

    /// Says that what an alarm was about is over.
    pub async fn end(&self, kind: AlarmKind, subject: &str) {
        match self.store.end_alarm(kind, subject, self.clock.now()).await {
            Ok(true) => tracing::info!(code = kind.code, subject, "the alarm is over"),
            Ok(false) => {}
            Err(error) => {
                tracing::error!(%error, code = kind.code, "the end of an alarm was not recorded");
            }
        }
    }
}
