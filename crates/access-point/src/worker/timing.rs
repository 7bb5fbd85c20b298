//! The clock, looked at again and again: a jump is told, the time that is believed is noted, and
//! what a clock that was ahead has planned is planned anew.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::{DOUBT, News, is_due, longest_wait};
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
pub(super) async fn run(hands: Arc<Worker>, shutdown: Shutdown) {
    let mut next = Timestamp::MIN;
    while !shutdown.asked() {
        let news = hands.watch.take_news();
        for one in &news {
            tell(&hands, *one).await;
        }
        let now = hands.clock.now();
        if !news.is_empty() || is_due(next, now, PAUSE) {
            if let Err(error) = put_right(&hands, now).await {
                tracing::error!(%error, "what is planned could not be looked through");
            }
            next = now.saturating_add(PAUSE).unwrap_or(Timestamp::MAX);
        }
        rest(tokio::time::sleep(TICK), &shutdown).await;
    }
}

async fn tell(hands: &Worker, news: News) {
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
            hands.alarms.raise(AlarmKind::CLOCK_JUMPED, SUBJECT, message, &facts).await;
        }
        News::Settled { at } => {
            tracing::info!(%at, "the clock is believed again");
            hands.alarms.end(AlarmKind::CLOCK_JUMPED, SUBJECT).await;
        }
    }
}

async fn put_right(hands: &Worker, now: Timestamp) -> Result<(), quoin_store::Error> {
    let (policy, patience) = (&hands.policy, hands.provider.patience);
    let limits = TaskKind::ALL.iter().map(|kind| (*kind, longest_wait(*kind, policy, patience)));
    let planned = hands.store.plan_anew(limits.collect(), LEASE, now).await?;
    if planned > 0 {
        tracing::warn!(tasks = planned, "what a clock that was ahead had planned is due now");
    }
    if let Some(now) = hands.watch.believed() {
        hands.store.note_time(now).await?;
    }
    Ok(())
}
