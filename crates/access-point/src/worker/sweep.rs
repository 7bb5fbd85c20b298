//! What the calendar asks for, again and again: documents, bulk jobs and the log of exchanges go
//! when their time is over, and the reports about a new month are planned.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_delivery::reporting::Month;
use quoin_store::{Keep, Orphans};

use super::{Worker, rest};
use crate::tls::Shutdown;

/// How long there is between two looks; a document may stay for so much longer.
const PAUSE: SignedDuration = SignedDuration::from_mins(10);
/// How long a bulk job that ended is kept, with what became of its parties.
const JOB_LIFE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How often files are looked for that no record names.
const FILES: SignedDuration = SignedDuration::from_hours(24);
/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_millis(500);

/// Sweeps until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let (mut next, mut files) = (Timestamp::MIN, Timestamp::MIN);
    while !shutdown.asked() {
        if worker.watch.believed().is_some_and(|now| is_due(files, now, FILES)) {
            sweep_files(&worker).await;
            files = worker.clock.now().saturating_add(FILES).unwrap_or(Timestamp::MAX);
        }
        // Nothing is over by a clock that is not believed.
        if let Some(now) = worker.watch.believed().filter(|now| is_due(next, *now, PAUSE)) {
            if let Err(error) = sweep(&worker, &shutdown).await {
                tracing::error!(%error, "documents whose time is over could not be dropped");
            }
            next = now.saturating_add(PAUSE).unwrap_or(Timestamp::MAX);
        }
        rest(tokio::time::sleep(TICK), &shutdown).await;
    }
}

async fn sweep(worker: &Worker, shutdown: &Shutdown) -> Result<(), quoin_store::Error> {
    let keep: Keep = worker.keep;
    let mut dropped = 0;
    while let Some(now) = worker.watch.believed().filter(|_| !shutdown.asked()) {
        match worker.store.expire(keep, now).await? {
            0 => break,
            more => dropped += more,
        }
    }
    let Some(now) = worker.watch.believed() else { return Ok(()) };
    let over = now.saturating_sub(JOB_LIFE).unwrap_or(Timestamp::MIN);
    while !shutdown.asked() && worker.store.forget_jobs(over).await? {}
    worker.store.forget_alarms(now).await?;
    if worker.provider.reports.is_some() {
        worker.store.plan_reports(now).await?;
    }
    let forgotten = exchanges(worker, shutdown, now).await?;
    if forgotten > 0 {
        tracing::info!(forgotten, "exchanges whose time is over are forgotten");
    }
    if dropped > 0 {
        tracing::info!(dropped, "documents whose time is over are dropped");
    }
    Ok(())
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
        match worker.store.forget_exchanges(until).await? {
            0 => break,
            more => forgotten += more,
        }
    }
    Ok(forgotten)
}
