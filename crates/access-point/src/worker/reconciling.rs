//! What should be published against what is, at the start and again and again: what an earlier
//! version, a lost step or a register that was not set up left out is made up for.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_delivery::registration::Register;

use super::{Worker, rest};
use crate::metrics::Compared;
use crate::tls::Shutdown;

/// How long there is between two looks.
const PAUSE: SignedDuration = SignedDuration::from_hours(6);
/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_secs(1);

/// Reconciles until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let mut next = Timestamp::MIN;
    while !shutdown.asked() {
        let now = worker.clock.now();
        if is_due(next, now, PAUSE) {
            let compared = match reconcile(&worker).await {
                Ok(()) => Compared::Done,
                Err(error) => {
                    tracing::error!(%error, "what is published could not be compared");
                    Compared::Failed
                }
            };
            worker.metrics.comparisons.add(compared);
            next = now.saturating_add(PAUSE).unwrap_or(Timestamp::MAX);
        }
        rest(tokio::time::sleep(TICK), &shutdown).await;
    }
}

async fn reconcile(worker: &Worker) -> Result<(), quoin_store::Error> {
    let now = worker.clock.now();
    let found = worker.store.reconcile(now).await?;
    if found > 0 {
        tracing::warn!(
            identifiers = found,
            "something was not published that should be; it is now"
        );
    }
    for register in Register::ALL {
        if !worker.registers.desk(register).is_set_up() {
            continue;
        }
        let revived = worker.store.revive_registrations(register, now).await?;
        if revived > 0 {
            let register = register.as_str();
            tracing::info!(register, revived, "registrations follow, now that there is a register");
        }
    }
    Ok(())
}
