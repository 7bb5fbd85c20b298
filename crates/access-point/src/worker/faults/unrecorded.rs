//! What came of a step and could not be recorded yet. It is known here alone: done again, the step
//! would send again what has arrived. So the commit is tried again instead, for as long as the
//! process runs, and nothing new is begun whose outcome could not be recorded either.

use std::future::Future;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use quoin_delivery::TaskKind;
use quoin_store::{Claim, Error, Fault};

use crate::step::StepFault;
use crate::tls::Shutdown;
use crate::worker::{Worker, rest};

/// How long is waited before the first further try, and at most: twice as long each time.
const WAITS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(5)];
/// How often a fault is met that no other step meets, before the task is held.
const OWN_TRIES: u32 = 5;
/// How often it is asked whether the store is well.
const PAUSE: Duration = Duration::from_millis(250);

/// How many steps wait for their commit. There are never more than places in the lanes.
#[derive(Debug, Default)]
pub struct Unrecorded {
    waiting: AtomicUsize,
    end: OnceLock<Shutdown>,
}

/// One that waits.
struct WaitingStep<'a>(&'a AtomicUsize);

impl Drop for WaitingStep<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Unrecorded {
    /// Takes note of who says when the process ends.
    pub(in crate::worker) fn until(&self, shutdown: &Shutdown) {
        self.end.get_or_init(|| shutdown.clone());
    }

    fn enter(&self) -> WaitingStep<'_> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        WaitingStep(&self.waiting)
    }

    fn is_empty(&self) -> bool {
        self.waiting.load(Ordering::Acquire) == 0
    }

    fn is_over(&self) -> bool {
        self.end.get().is_some_and(Shutdown::asked)
    }

    async fn pause(&self, pause: Duration) {
        match self.end.get() {
            Some(end) => rest(tokio::time::sleep(pause), end).await,
            None => tokio::time::sleep(pause).await,
        }
    }
}

/// Whether steps of a kind tell something to somebody outside.
pub(in crate::worker) fn calls_out(kind: TaskKind) -> bool {
    matches!(
        kind,
        TaskKind::Prepare
            | TaskKind::Route
            | TaskKind::Deliver
            | TaskKind::Notify
            | TaskKind::Clear
            | TaskKind::Register
    )
}

/// Whether nothing is well before the cause is gone: all steps meet it, and this one meets it no
/// more then.
fn passes(fault: &Fault) -> bool {
    !matches!(fault, Fault::Record { .. } | Fault::Secret | Fault::Panicked { .. })
}

impl Worker {
    /// Whether what is begun now can be recorded.
    pub(in crate::worker) fn may_call(&self) -> bool {
        self.unrecorded.is_empty() && self.store.write_fault().is_none()
    }

    /// Waits until what is begun can be recorded; false where the process ends before.
    pub(in crate::worker) async fn until_recordable(&self) -> bool {
        while !self.may_call() {
            if self.unrecorded.is_over() {
                return false;
            }
            self.unrecorded.pause(PAUSE).await;
        }
        true
    }

    /// Records what came of a step that told something outside: where the store fails, again and
    /// again until it is recorded or refused, or the process ends. The step keeps its place.
    pub(in crate::worker) async fn insist<T, F, R>(
        &self,
        claim: &Claim,
        record: F,
    ) -> Result<T, StepFault>
    where
        F: Fn() -> R,
        R: Future<Output = Result<T, Error>>,
    {
        let [mut wait, longest] = WAITS;
        let (mut tries, mut waiting) = (0_u32, None);
        loop {
            let fault = match record().await {
                Err(Error::Fault(fault)) => fault,
                done => return Ok(done?),
            };
            tries += 1;
            if matches!(fault, Fault::Closed) || self.unrecorded.is_over() {
                return Err(Error::Fault(fault).into());
            }
            if !passes(&fault) && tries >= OWN_TRIES {
                return Err(StepFault::Unrecorded(fault));
            }
            let (task, kind) = (claim.task, claim.kind.as_str());
            tracing::error!(task, kind, tries, %fault, "what came of a step is not recorded yet");
            waiting.get_or_insert_with(|| self.unrecorded.enter());
            self.unrecorded.pause(wait).await;
            wait = (wait * 2).min(longest);
            // Who gives back what could not be given back tries whether it can be written to.
            while self.store.write_fault().is_some() && !self.unrecorded.is_over() {
                self.unrecorded.pause(PAUSE).await;
            }
        }
    }
}
