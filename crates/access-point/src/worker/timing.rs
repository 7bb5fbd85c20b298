//! The clock, looked at again and again: a jump is told, the time that is believed is noted, and
//! what a clock that was ahead has planned is planned anew.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::{DOUBT, FellBack, News, is_due, longest_wait};
use quoin_delivery::{AlarmKind, TaskKind};

use super::{Worker, rest};
use crate::step::LEASE;
use crate::tls::Shutdown;

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(500);
/// How often what is planned is looked through, and the time is noted.
const PAUSE: SignedDuration = SignedDuration::from_mins(10);
/// What the alarm is about.
const SUBJECT: &str = "clock";

/// Looks at the clock until the service ends.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let mut next = Timestamp::MIN;
    let mut falls = Vec::new();
    // An alarm of an earlier process may be over, and nothing that this one sees says so.
    let mut is_open = true;
    while !shutdown.asked() {
        let news = worker.watch.take_news();
        for one in &news {
            tell(&worker, *one).await;
        }
        if is_open && worker.watch.believed().is_some() {
            worker.alarms.end(AlarmKind::CLOCK_JUMPED, SUBJECT).await;
            is_open = false;
        }
        falls.extend(worker.watch.take_falls());
        falls = planned_back(&worker, falls).await;
        let now = worker.clock.now();
        if !news.is_empty() || is_due(next, now, PAUSE) {
            if let Err(error) = put_right(&worker, now).await {
                tracing::error!(%error, "what is planned could not be looked through");
            }
            next = now.saturating_add(PAUSE).unwrap_or(Timestamp::MAX);
        }
        rest(tokio::time::sleep(TICK), &shutdown).await;
    }
}

/// What a clock that was ahead has planned is planned for as much earlier as it was ahead. Answers
/// what could not be done yet.
async fn planned_back(worker: &Worker, falls: Vec<FellBack>) -> Vec<FellBack> {
    let mut left = Vec::new();
    for fall in falls {
        let FellBack { from, by } = fall;
        match worker.store.plan_back((from, by), LEASE, worker.clock.now()).await {
            Ok(tasks) => tracing::warn!(tasks, %by, "the clock went back, and plans with it"),
            Err(error) => {
                tracing::error!(%error, "what a clock that was ahead has planned stays");
                left.push(fall);
            }
        }
    }
    left
}

async fn tell(worker: &Worker, news: News) {
    match news {
        News::Jumped { expected, found } => {
            let hours = DOUBT.as_hours();
            let message = format!(
                "The clock shows {found} where {expected} is expected. Until it is back, or has \
                 gone on evenly for {hours} hours, nothing is deleted and nothing declared \
                 missed. See to the time service of this machine."
            );
            let (expected, found) = (expected.to_string(), found.to_string());
            let facts = [("expected", expected.as_str()), ("found", found.as_str())];
            worker.alarms.raise(AlarmKind::CLOCK_JUMPED, SUBJECT, message, &facts).await;
        }
        News::Settled { at } => {
            tracing::info!(%at, "the clock is believed again");
            worker.alarms.end(AlarmKind::CLOCK_JUMPED, SUBJECT).await;
        }
    }
}

async fn put_right(worker: &Worker, now: Timestamp) -> Result<(), quoin_store::Error> {
    let (policy, patience) = (&worker.policy, worker.provider.patience);
    let limits = TaskKind::ALL.iter().map(|kind| (*kind, longest_wait(*kind, policy, patience)));
    let planned = worker.store.plan_anew(limits.collect(), LEASE, now).await?;
    if planned > 0 {
        tracing::warn!(tasks = planned, "what a clock that was ahead had planned is due now");
    }
    if let Some(now) = worker.watch.believed() {
        worker.store.note_time(now).await?;
    }
    Ok(())
}
