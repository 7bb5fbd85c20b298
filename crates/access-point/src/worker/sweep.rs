//! What the calendar asks for, again and again: documents, bulk jobs and the log of exchanges go
//! when their time is over, and the reports about a new month are planned.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_delivery::reporting::Month;
use quoin_store::Orphans;

use super::{Worker, rest};
use crate::tls::Shutdown;

/// How long there is between two looks; a document may stay for so much longer.
const PAUSE: SignedDuration = SignedDuration::from_mins(10);
/// How long after the start documents and files are first looked at: what waited is due then, and
/// comes first.
const SETTLING: SignedDuration = SignedDuration::from_mins(2);
/// How long there is between two steps of a look at most; else three times as long as the step
/// took, so that it has at most a quarter of what there is.
const BREATH: Duration = Duration::from_secs(2);
const BREATHS: u32 = 3;
/// Dropping documents writes to places all over the database, which others wait for: it has a
/// sixteenth, and a quarter once it goes on for so long, so that more can fall due in a day than
/// a sixteenth drops.
const DROPPING_BREATHS: u32 = 15;
const UNHURRIED: Duration = Duration::from_secs(3_600);
/// How long a bulk job that ended is kept, with what became of its parties.
const JOB_LIFE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How often files are looked for that no record names.
const FILES: SignedDuration = SignedDuration::from_hours(24);
/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_millis(500);

/// Sweeps until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let settled = worker.clock.now().saturating_add(SETTLING).unwrap_or(Timestamp::MAX);
    let (mut next, mut documents, mut files) = (Timestamp::MIN, settled, settled);
    while !shutdown.asked() {
        let due = |due: Timestamp, pause: SignedDuration| {
            // Nothing is over by a clock that is not believed.
            worker.watch.believed().filter(|now| is_due(due, *now, pause))
        };
        let after = |now: Timestamp, pause| now.saturating_add(pause).unwrap_or(Timestamp::MAX);
        if let Some(now) = due(next, PAUSE) {
            if let Err(error) = sweep(&worker, &shutdown, now).await {
                tracing::error!(%error, "what the calendar asks for could not be done");
            }
            next = after(now, PAUSE);
        }
        if let Some(now) = due(documents, PAUSE) {
            if let Err(error) = sweep_documents(&worker, &shutdown).await {
                tracing::error!(%error, "documents whose time is over could not be dropped");
            }
            documents = after(now, PAUSE);
        }
        if let Some(now) = due(files, FILES) {
            sweep_files(&worker).await;
            files = after(now, FILES);
        }
        rest(tokio::time::sleep(TICK), &shutdown).await;
    }
}

/// What is little.
async fn sweep(
    worker: &Worker,
    shutdown: &Shutdown,
    now: Timestamp,
) -> Result<(), quoin_store::Error> {
    let over = now.saturating_sub(JOB_LIFE).unwrap_or(Timestamp::MIN);
    while !shutdown.asked() && worker.store.forget_jobs(over).await? {}
    worker.store.forget_alarms(now).await?;
    if worker.provider.reports.is_some() {
        worker.store.plan_reports(now).await?;
        worker.end_late_reports().await?;
    }
    Ok(())
}

/// What may be much: it goes in small steps, with a breath after each.
async fn sweep_documents(worker: &Worker, shutdown: &Shutdown) -> Result<(), quoin_store::Error> {
    let store = &worker.store;
    let mut planning = store.keep(worker.keep).await?;
    while let Some(at) = planning.filter(|_| !shutdown.asked()) {
        planning = breathing(store.plan_retention(at), BREATHS, shutdown).await?;
        if planning.is_none() {
            tracing::info!(changed = at.changed, "documents are planned by how long they are kept");
        }
    }
    let (begun, mut dropped) = (Instant::now(), 0);
    while let Some(now) = worker.watch.believed().filter(|_| !shutdown.asked()) {
        let breaths = if begun.elapsed() < UNHURRIED { DROPPING_BREATHS } else { BREATHS };
        match breathing(store.expire(now), breaths, shutdown).await? {
            0 => break,
            more => dropped += more,
        }
    }
    if dropped > 0 {
        tracing::info!(dropped, "documents whose time is over are dropped");
    }
    let Some(now) = worker.watch.believed() else { return Ok(()) };
    while !shutdown.asked()
        && breathing(store.forget_endpoint_hours(now), BREATHS, shutdown).await? > 0
    {}
    let forgotten = exchanges(worker, shutdown, now).await?;
    if forgotten > 0 {
        tracing::info!(forgotten, "exchanges whose time is over are forgotten");
    }
    Ok(())
}

/// Takes a step, and a breath of so many times what it took.
async fn breathing<T>(
    step: impl Future<Output = Result<T, quoin_store::Error>>,
    breaths: u32,
    shutdown: &Shutdown,
) -> Result<T, quoin_store::Error> {
    let start = Instant::now();
    let done = step.await?;
    rest(tokio::time::sleep((start.elapsed() * breaths).min(BREATH)), shutdown).await;
    Ok(done)
}

async fn sweep_files(worker: &Worker) {
    match worker.store.sweep_files().await {
        Ok(Orphans { removed: 0, unknown: 0 }) => {}
        Ok(Orphans { removed, unknown }) => {
            tracing::warn!(removed, unknown, "files that no record names");
        }
        Err(error) => tracing::error!(%error, "the files of documents could not be looked through"),
    }
}

/// Forgets exchanges of months that ended so long ago.
async fn exchanges(
    worker: &Worker,
    shutdown: &Shutdown,
    now: Timestamp,
) -> Result<usize, quoin_store::Error> {
    let mut until = Month::of(now);
    if worker.keep_exchanges == 0 {
        return Ok(0);
    }
    for _ in 0..worker.keep_exchanges {
        until = until.previous();
    }
    let mut forgotten = 0;
    while !shutdown.asked() {
        match breathing(worker.store.forget_exchanges(until), BREATHS, shutdown).await? {
            0 => break,
            more => forgotten += more,
        }
    }
    Ok(forgotten)
}
