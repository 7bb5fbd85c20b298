//! The worker: take what is due, do one step, commit what follows from it.
//!
//! A claim is a lease, so that a crash is a lease that runs out. Every step can be done twice with
//! the same result: identifiers come from the record, and a commit demands its claim.

pub mod batch;
pub mod bounces;
mod clearing;
mod crowd;
pub mod faults;
mod folders;
pub mod gate;
pub mod incoming;
mod job;
mod mls_inbound;
pub mod mls_turns;
pub mod notify;
pub(crate) mod outgoing;
mod purchases;
mod reconciling;
mod registering;
mod report;
mod status;
mod sweep;
mod tax;
mod terms;
mod timing;

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use jiff::SignedDuration;
use quoin_delivery::{Direction, Packages, RetryPolicy, TaskKind};
use quoin_store::{Claim, Handover, Keep, Store, Work};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use crate::alarms::Alarms;
use crate::budget::Budgets;
use crate::channels::{ChannelContext, DestinationQueue};
use crate::clock::{Clock, ClockWatch};
use crate::ksef::KsefClient;
use crate::lookup::Lookup;
use crate::metrics::Metrics;
use crate::provider::Provider;
use crate::registers::Registers;
use crate::rules::RuleLibrary;
use crate::sending::{Breakers, Sender};
use crate::step::{LEASE, StepFault};
use crate::tax::TaxProfiles;
use crate::tls::Shutdown;

pub use job::Bulk;

/// Steps in hand at a time, of documents.
const DOCUMENTS: usize = 192;
/// The same of documents that arrived, so that no destination keeps them waiting.
const ARRIVALS: usize = 32;
/// Calls of hooks in hand at a time, those included that wait for their turn (see [`gate`]); a
/// slow destination must not hold up documents.
const CALLS: usize = 1_024;
/// Batches in hand at a time: each lies in memory.
const BATCHES: usize = 2;
/// Looks at statuses and reports in hand at a time.
const STATUSES: usize = 16;
/// Bulk jobs of which a step is in hand at a time.
const JOBS: usize = 2;
/// Batches at a national system of which a step is in hand at a time: each lies in memory.
const CLEARANCES: usize = 4;
/// Reports to tax authorities of which a step is in hand at a time.
const TAX_REPORTS: usize = 16;
/// Hooks that are off of which a piece of the calls is stopped at a time.
const STOPPED: usize = 1;
/// Organisations of which a piece of the parties is published anew at a time.
const PUBLISHED: usize = 1;
/// Claims taken in one commit at most.
const BATCH: usize = 32;
/// How long to sleep when nothing is due and nothing is heard.
const IDLE: Duration = Duration::from_secs(5);
/// How long to wait after the store failed.
const TROUBLE: Duration = Duration::from_secs(1);

/// What the worker works with.
pub struct Worker {
    /// The memory.
    pub store: Store,
    /// Where receivers are found.
    pub lookup: Arc<Lookup>,
    /// Where documents are judged.
    pub rules: Arc<RuleLibrary>,
    /// How documents leave; none in a process without an access point.
    pub sender: Option<Sender>,
    /// How hooks are called.
    pub hooks: notify::HookCaller,
    /// The registers outside.
    pub registers: Registers,
    /// Which access points are left alone.
    pub breakers: Arc<Breakers>,
    /// Who we are to other providers.
    pub provider: Arc<Provider>,
    /// The Polish national system, where one is configured.
    pub ksef: Option<KsefClient>,
    /// Which reports are owed to tax authorities.
    pub tax: Arc<TaxProfiles>,
    /// What bulk jobs need.
    pub bulk: Bulk,
    /// Who tells whoever runs the service.
    pub alarms: Alarms,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What destinations and documents may cost.
    pub budgets: Budgets,
    /// Who waits for a place at a destination.
    pub queue: DestinationQueue,
    /// Statuses that are looked at, in the order in which they came.
    pub turns: Arc<mls_turns::StatusTurns>,
    /// Steps whose outcome could not be recorded yet.
    pub unrecorded: faults::Unrecorded,
    /// Tasks that could not be given back.
    pub unreturned: faults::Unreturned,
    /// When to try again.
    pub policy: RetryPolicy,
    /// What conversions may lose; none where documents are not converted.
    pub conversion: Option<quoin_identity::ConversionPolicy>,
    /// What the packages of organisations hold.
    pub packages: Packages,
    /// How long documents are kept.
    pub keep: Keep,
    /// For how many months exchanges are kept; 0 for ever.
    pub keep_exchanges: u32,
    /// What time it is.
    pub clock: Clock,
    /// Whether that is to be believed.
    pub watch: ClockWatch,
}

impl Worker {
    /// What a channel works with.
    fn context(&self) -> ChannelContext<'_> {
        ChannelContext {
            store: &self.store,
            lookup: &self.lookup,
            rules: &self.rules,
            sender: self.sender.as_ref(),
            mailer: self.hooks.mailer.as_ref(),
            sftp: &self.hooks.sftp,
            https: &self.hooks.https,
            breakers: &self.breakers,
            provider: &self.provider,
            metrics: &self.metrics,
            budgets: &self.budgets,
            queue: &self.queue,
            policy: &self.policy,
            conversion: self.conversion.as_ref(),
            packages: &self.packages,
            clock: &self.clock,
        }
    }
}

/// Works until it is asked to end; steps in hand are finished.
pub async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    worker.unrecorded.until(&shutdown);
    let documents = [TaskKind::Prepare, TaskKind::Route, TaskKind::Deliver];
    let arrivals = [TaskKind::Arrive];
    let provider = [TaskKind::Status, TaskKind::Report];
    let pieces = [TaskKind::Stop, TaskKind::TakeOver, TaskKind::Tell, TaskKind::Regather];
    worker.store.read_ahead();
    tokio::join!(
        lane(worker.clone(), &documents, DOCUMENTS, shutdown.clone()),
        lane(worker.clone(), &arrivals, ARRIVALS, shutdown.clone()),
        lane(worker.clone(), &provider, STATUSES, shutdown.clone()),
        lane(worker.clone(), &[TaskKind::Notify], CALLS, shutdown.clone()),
        registering::run(worker.clone(), shutdown.clone()),
        lane(worker.clone(), &[TaskKind::Batch], BATCHES, shutdown.clone()),
        lane(worker.clone(), &[TaskKind::Job], JOBS, shutdown.clone()),
        lane(worker.clone(), &[TaskKind::Clear], CLEARANCES, shutdown.clone()),
        lane(worker.clone(), &[TaskKind::Tax], TAX_REPORTS, shutdown.clone()),
        lane(worker.clone(), &pieces, STOPPED, shutdown.clone()),
        lane(worker.clone(), &[TaskKind::Publish], PUBLISHED, shutdown.clone()),
        folders::run(worker.clone(), shutdown.clone()),
        bounces::run(worker.clone(), shutdown.clone()),
        reconciling::run(worker.clone(), shutdown.clone()),
        timing::run(worker.clone(), shutdown.clone()),
        purchases::run(worker.clone(), shutdown.clone()),
        terms::run(worker.clone(), shutdown.clone()),
        faults::run(worker.clone(), shutdown.clone()),
        sweep::run(worker, shutdown),
    );
}

/// One kind of work, so many steps of it at a time.
async fn lane(worker: Arc<Worker>, kinds: &[TaskKind], width: usize, shutdown: Shutdown) {
    let mut lane = Lane {
        handover: worker.store.take_over(kinds, LEASE),
        worker,
        free: Arc::new(Semaphore::new(width)),
        offered: Vec::new(),
        steps: JoinSet::new(),
    };
    let calls_out = kinds.iter().any(|kind| faults::calls_out(*kind));
    while !shutdown.asked() {
        if calls_out && !lane.worker.may_call() {
            lane.hold(&shutdown).await;
            continue;
        }
        let wake = lane.worker.store.work_available(kinds);
        if !lane.offer(&shutdown).await {
            continue;
        }
        match lane.claim(kinds).await {
            Ok(0) => {}
            Ok(_) => continue,
            Err(error) => {
                match lane.worker.store.write_fault() {
                    None => tracing::error!(%error, "no tasks could be claimed"),
                    // The store has told of it, for all lanes at once.
                    Some(_) => tracing::debug!(%error, "no tasks could be claimed"),
                }
                rest(tokio::time::sleep(TROUBLE), &shutdown).await;
                continue;
            }
        }
        let due = next_due(&lane.worker, kinds);
        tokio::select! {
            claim = lane.handover.next() => claim.into_iter().for_each(|claim| lane.start(claim)),
            _ = tokio::time::timeout(due, wake) => {}
            () = shutdown.wait() => {}
        }
    }
    lane.end().await;
}

/// A lane at work. It takes what is handed over to it, and claims what became due otherwise.
struct Lane {
    worker: Arc<Worker>,
    handover: Handover,
    free: Arc<Semaphore>,
    /// Places that are offered, those included for which a claim is on its way.
    offered: Vec<OwnedSemaphorePermit>,
    steps: JoinSet<()>,
}

impl Lane {
    /// Offers every free place; where there is none, waits for one. Answers whether there is one.
    async fn offer(&mut self, shutdown: &Shutdown) -> bool {
        while let Some(claim) = self.handover.take() {
            self.start(claim);
        }
        while self.steps.try_join_next().is_some() {}
        let before = self.offered.len();
        while let Ok(place) = self.free.clone().try_acquire_owned() {
            self.offered.push(place);
        }
        if self.offered.is_empty() {
            tokio::select! {
                place = self.free.clone().acquire_owned() => self.offered.extend(place),
                () = shutdown.wait() => return false,
            }
        }
        self.handover.offer(self.offered.len() - before, self.worker.clock.now());
        true
    }

    /// Takes nothing for a moment, since what came of it could not be recorded.
    async fn hold(&mut self, shutdown: &Shutdown) {
        let room = self.handover.withdraw(usize::MAX);
        // It is in hand; its step waits.
        while let Some(claim) = self.handover.take() {
            self.start(claim);
        }
        rest(tokio::time::sleep(TROUBLE), shutdown).await;
        self.handover.offer(room, self.worker.clock.now());
    }

    /// Claims what is due, and begins with it. Answers how much it was.
    async fn claim(&mut self, kinds: &[TaskKind]) -> Result<usize, quoin_store::Error> {
        let (store, now) = (&self.worker.store, self.worker.clock.now());
        if store.sleeps_until(kinds).is_none_or(|due| due > now) {
            return Ok(0);
        }
        let room = self.handover.withdraw(BATCH);
        if room == 0 {
            return Ok(0);
        }
        let claims = store.claim(kinds, now, LEASE, room).await;
        let found = claims.as_ref().map_or(0, Vec::len);
        self.handover.offer(room.saturating_sub(found), now);
        claims?.into_iter().for_each(|claim| self.start(claim));
        Ok(found)
    }

    fn start(&mut self, claim: Claim) {
        let (worker, place) = (self.worker.clone(), self.offered.pop());
        let in_hand = worker.store.in_hand(&claim);
        self.steps.spawn(async move {
            worker.step(claim).await;
            drop((place, in_hand));
        });
    }

    /// Gives back what was handed over and not begun, and waits for what is in hand.
    async fn end(mut self) {
        self.handover.withdraw(usize::MAX);
        while let Some(claim) = self.handover.take() {
            self.worker.not_begun(claim).await;
        }
        while self.steps.join_next().await.is_some() {}
    }
}

async fn rest<T>(pause: impl Future<Output = T>, shutdown: &Shutdown) {
    tokio::select! {
        _ = pause => {}
        () = shutdown.wait() => {}
    }
}

/// How long a lane sleeps that found nothing and hears nothing.
fn next_due(worker: &Worker, kinds: &[TaskKind]) -> Duration {
    let Some(due) = worker.store.sleeps_until(kinds) else { return IDLE };
    let wait = due.duration_since(worker.clock.now()).max(SignedDuration::from_millis(1));
    Duration::try_from(wait).unwrap_or(IDLE).min(IDLE)
}

impl Worker {
    /// The identifier by which a party is known to others, for what is told of it; nothing where
    /// that cannot be read.
    async fn name_of(&self, owner: &quoin_delivery::OrganisationId, party: &str) -> String {
        match self.store.party_name(owner, party).await {
            Ok(name) => name,
            Err(error) => {
                tracing::error!(%error, "by which identifier a party is known could not be read");
                String::new()
            }
        }
    }

    /// Does one step. A fault gives the task back for later; a lost claim is somebody else's now.
    async fn step(&self, claim: Claim) {
        if faults::calls_out(claim.kind) && !self.until_recordable().await {
            return self.not_begun(claim).await;
        }
        let work = AssertUnwindSafe(self.work(claim.clone())).catch_unwind().await;
        // The panic hook has said where.
        let done = work.unwrap_or(Err(StepFault::Panicked));
        if let Err(fault) = done {
            self.put_back(claim, fault).await;
        }
    }

    /// Gives a task back with which nothing was done, since the process ends.
    async fn not_begun(&self, claim: Claim) {
        if let Err(error) = self.store.put_back(claim, self.clock.now()).await {
            tracing::warn!(%error, "a task could not be put back; its lease will run out");
        }
    }

    async fn work(&self, claim: Claim) -> Result<(), StepFault> {
        match self.store.load(&claim).await? {
            // Its party deleted it before it was looked at: there is nothing left to do.
            Work::Transaction(record) if record.deleted_on.is_some() => {
                Ok(self.store.drop_task(claim).await?)
            }
            Work::Transaction(record) => match record.transaction.direction {
                Direction::Outgoing => self.outgoing(claim, *record).await,
                Direction::Incoming => self.incoming(claim, *record).await,
            },
            Work::Call(call) => self.notify(claim, *call).await,
            Work::Batch(id) => self.batch(claim, id).await,
            Work::Status(document, status) => self.status(claim, *document, *status).await,
            Work::Report(report) => self.report(claim, *report).await,
            Work::Job(step) => self.job(claim, step.map(|step| *step)).await,
            Work::Clearance(batch) => self.clearance(claim, *batch).await,
            Work::Tax(report, invoice) => self.tax(claim, *report, *invoice).await,
            // These have a lane of their own, which loads them in bundles.
            Work::Registration(_) => Ok(self.store.reschedule(claim, self.clock.now()).await?),
            Work::Stop => Ok(self.store.stop_calls(claim, self.clock.now()).await?),
            Work::TakeOver => Ok(self.store.take_over_calls(claim, self.clock.now()).await?),
            Work::Tell => Ok(self.store.tell_on(claim, self.clock.now()).await?),
            Work::Publish => Ok(self.store.publish_parties(claim, self.clock.now()).await?),
            Work::Regather => Ok(self.store.regather(claim, self.clock.now()).await?),
            Work::Gone if claim.kind == TaskKind::Notify => {
                Ok(self.store.stop_call(claim, self.clock.now()).await?)
            }
            Work::Gone => Ok(self.store.drop_task(claim).await?),
        }
    }
}
