//! Tasks that could not be given back, since the store could not be written to. They are kept in
//! mind and given back as soon as it can: else nobody would have them until their leases run out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::GiveBack;
use crate::tls::Shutdown;
use crate::worker::{Worker, rest};

/// How often it is tried.
const PAUSE: Duration = Duration::from_millis(500);

/// Tasks that wait to be given back, by their numbers: of a task that was handed out again
/// meanwhile the last claim counts. There are never more than there were steps in hand.
#[derive(Debug, Default)]
pub struct Unreturned(Mutex<BTreeMap<i64, GiveBack>>);

impl Unreturned {
    pub(super) fn keep(&self, back: GiveBack) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(back.task(), back);
    }

    fn take(&self) -> Vec<GiveBack> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *all).into_values().collect()
    }

    fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// Gives back what is kept in mind, until the service ends; the next start ends the leases of the
/// rest.
pub(in crate::worker) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    while !shutdown.asked() {
        rest(tokio::time::sleep(PAUSE), &shutdown).await;
        let is_idle = worker.unreturned.is_empty() && worker.store.write_fault().is_none();
        // Whether the store is well is asked first: one question instead of one a task. Everything
        // that waits for it goes on when it is.
        if is_idle || worker.store.check().await.is_err() || worker.unreturned.is_empty() {
            continue;
        }
        let all = worker.unreturned.take();
        tracing::warn!(tasks = all.len(), "the store can be written to: steps are given back");
        for back in all {
            worker.give_back(at_once(back, &worker)).await;
        }
    }
}

/// What the step failed at was most likely the store: it is tried again now.
fn at_once(back: GiveBack, worker: &Worker) -> GiveBack {
    match back {
        GiveBack::Failed(claim, at, words) => {
            GiveBack::Failed(claim, at.min(worker.clock.now()), words)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use quoin_delivery::TaskKind;
    use quoin_store::Claim;

    use super::*;

    fn claim(task: i64, token: &str) -> Claim {
        Claim {
            task,
            kind: TaskKind::Notify,
            subject: "call".to_owned(),
            lane: None,
            run_at: Timestamp::UNIX_EPOCH,
            lease_until: Timestamp::UNIX_EPOCH,
            claims: 1,
            faults: 0,
            token: token.to_owned(),
        }
    }

    #[test]
    fn of_a_task_the_last_claim_is_given_back() {
        let kept = Unreturned::default();
        assert!(kept.is_empty());
        for (task, token) in [(2, "a"), (1, "b"), (2, "c")] {
            kept.keep(GiveBack::Anew(claim(task, token)));
        }
        let tokens: Vec<String> = kept
            .take()
            .into_iter()
            .map(|back| match back {
                GiveBack::Anew(claim) => claim.token,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(tokens, ["b", "c"]);
        assert!(kept.is_empty());
    }
}
