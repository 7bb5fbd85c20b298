//! Whether the service is well. *Live*: the process answers at all. *Ready*: it can do its work
//! now, which each [`HealthCheck`] says for one thing; and which budget has nothing left.
//!
//! A further check is a type that implements [`HealthCheck`] and a line in [`Health::of`].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use jiff::SignedDuration;
use quoin_delivery::TaskKind;
use quoin_store::{Fault, Store};
use serde::Serialize;
#[cfg(feature = "describe")]
use utoipa::ToSchema;

use crate::budget::Budgets;
use crate::clock::Clock;

/// One thing that the service needs to do its work.
pub trait HealthCheck: Send + Sync {
    /// Its name in answers and in the manual.
    fn name(&self) -> &'static str;

    /// Looks now. What is wrong is told in words that give away nothing of a customer.
    fn look(&self) -> BoxFuture<'_, Result<(), String>>;
}

/// What is looked at.
#[derive(Clone, Default)]
pub struct Health {
    checks: Vec<Arc<dyn HealthCheck>>,
    budgets: Option<Budgets>,
    store: Option<Store>,
    heard: Option<Arc<UnrecordedAlarms>>,
    clock: Clock,
}

/// The kinds of alarms that go on though no record says so.
type UnrecordedAlarms = dyn Fn() -> Vec<&'static str> + Send + Sync;

/// How long a task may be due before the service is behind with its work.
const BEHIND: SignedDuration = SignedDuration::from_mins(10);
/// How long the store may take to answer.
const ANSWER: Duration = Duration::from_secs(3);
/// Alarms that are looked at.
const ALARMS: usize = 200;

/// How the service is.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// `ok`, or `degraded` (a budget has nothing left for some, or a task has been due for long).
    /// One that has failed is told by a problem of status 503.
    #[cfg_attr(feature = "describe", schema(example = "ok"))]
    pub status: &'static str,
    /// Whether it can do its work now.
    #[cfg_attr(feature = "describe", schema(example = true))]
    pub ready: bool,
    /// What it needs, and whether that is well.
    #[cfg_attr(feature = "describe", schema(example = json!([{ "name": "store", "ok": true }])))]
    pub checks: Vec<Looked>,
    /// The budgets that had nothing left for somebody within the last seconds.
    #[cfg_attr(feature = "describe", schema(example = json!(["bytes"])))]
    pub exhausted: Vec<&'static str>,
    /// For how many seconds the oldest task that is due has been due.
    #[cfg_attr(feature = "describe", schema(example = 0))]
    pub oldest_due_seconds: i64,
    /// The kinds of alarms that go on: what whoever runs the service has to look at.
    #[cfg_attr(feature = "describe", schema(example = json!([])))]
    pub alarms: Vec<String>,
    /// The version of the program.
    #[cfg_attr(feature = "describe", schema(example = "0.1.0"))]
    pub version: &'static str,
}

/// What a check said.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
pub struct Looked {
    /// What was looked at.
    #[cfg_attr(feature = "describe", schema(example = "store"))]
    pub name: &'static str,
    /// Whether it is well.
    #[cfg_attr(feature = "describe", schema(example = true))]
    pub ok: bool,
    /// What is wrong with it.
    #[cfg_attr(feature = "describe", schema(example = "the store does not answer"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Health {
    /// The checks of a service.
    pub fn of(store: &Store, budgets: &Budgets) -> Health {
        let checks: Vec<Arc<dyn HealthCheck>> = vec![Arc::new(StoreAnswers(store.clone()))];
        Health {
            checks,
            budgets: Some(budgets.clone()),
            store: Some(store.clone()),
            heard: None,
            clock: Clock::default(),
        }
    }

    /// The same with the kinds of alarms that go on and are not on record yet.
    #[must_use]
    pub fn hearing(
        mut self,
        unrecorded: impl Fn() -> Vec<&'static str> + Send + Sync + 'static,
    ) -> Health {
        self.heard = Some(Arc::new(unrecorded));
        self
    }

    /// The same by another clock.
    #[must_use]
    pub fn timed(mut self, clock: Clock) -> Health {
        self.clock = clock;
        self
    }

    /// The same with a further check.
    #[must_use]
    pub fn and(mut self, check: Arc<dyn HealthCheck>) -> Health {
        self.checks.push(check);
        self
    }

    /// Looks at everything.
    pub async fn look(&self) -> Standing {
        let mut checks = Vec::new();
        for check in &self.checks {
            let problem = check.look().await.err();
            checks.push(Looked { name: check.name(), ok: problem.is_none(), problem });
        }
        let meters = self.budgets.iter().flat_map(Budgets::all);
        let exhausted: Vec<_> =
            meters.map(|meter| meter.read()).filter(|it| it.exhausted).map(|it| it.name).collect();
        let alarms = self.alarms().await;
        let oldest_due_seconds = self.oldest_due().await;
        let behind = oldest_due_seconds > BEHIND.as_secs();
        let well = checks.iter().all(|looked| looked.ok);
        let ready = well && exhausted.is_empty();
        let status = match (well, ready && !behind) {
            (false, _) => "failed",
            (true, false) => "degraded",
            (true, true) => "ok",
        };
        let version = env!("CARGO_PKG_VERSION");
        Standing { status, ready, checks, exhausted, oldest_due_seconds, alarms, version }
    }

    async fn oldest_due(&self) -> i64 {
        let Some(store) = &self.store else { return 0 };
        let oldest = store.next_due(TaskKind::ALL).await.ok().flatten();
        oldest.map_or(0, |due| self.clock.now().duration_since(due).as_secs().max(0))
    }

    /// The kinds of alarms that go on, each once.
    async fn alarms(&self) -> Vec<String> {
        let Some(store) = &self.store else { return Vec::new() };
        let open = store.open_alarms(ALARMS).await.unwrap_or_default();
        let heard = self.heard.as_ref().map(|heard| heard()).unwrap_or_default();
        let open = open.into_iter().map(|alarm| alarm.code);
        let kinds: BTreeSet<String> = open.chain(heard.into_iter().map(str::to_owned)).collect();
        kinds.into_iter().collect()
    }
}

/// What is told of a write that did not get to the disk.
fn unwritten(fault: &Fault) -> String {
    match fault {
        Fault::Full { .. } => "the store cannot be written to: there is no room on the disk",
        Fault::Busy { .. } => "the store cannot be written to: another process holds it",
        Fault::NoMemory { .. } => "the store cannot be written to: there is no memory for it",
        Fault::Replaced { .. } => {
            "the store cannot be written to: its database, its log or its lock was replaced or \
             removed while the service runs; end it in order (SIGTERM), put the files right and \
             start it again"
        }
        _ => "the store cannot be written to; the log says why",
    }
    .to_owned()
}

/// The store answers, and can be written to.
struct StoreAnswers(Store);

impl HealthCheck for StoreAnswers {
    fn name(&self) -> &'static str {
        "store"
    }

    fn look(&self) -> BoxFuture<'_, Result<(), String>> {
        async {
            let silent = || "the store does not answer".to_owned();
            match tokio::time::timeout(ANSWER, self.0.check()).await {
                Ok(answer) => answer.map_err(|error| {
                    tracing::error!(%error, "the store is not well");
                    self.0.write_fault().as_ref().map_or_else(silent, unwritten)
                }),
                Err(_) => Err(self.0.write_fault().as_ref().map_or_else(silent, unwritten)),
            }
        }
        .boxed()
    }
}
