//! A step that failed on our own side: tried again, then held and told to whoever runs the service.

use quoin_delivery::AlarmKind;
use quoin_delivery::faults::{After, Reach, after};
use quoin_store::{Claim, Error, Fault, Refusal};

use super::Worker;
use crate::step::StepFault;

impl StepFault {
    /// Whether others fail alike.
    fn reach(&self) -> Reach {
        match self {
            StepFault::Store(Error::Fault(fault)) => match fault {
                Fault::Record { .. } | Fault::Secret | Fault::Panicked { .. } => Reach::Step,
                Fault::Files { .. } => Reach::Step,
                _ => Reach::Service,
            },
            StepFault::Busy(_) | StepFault::NoAccessPoint => Reach::Service,
            _ => Reach::Step,
        }
    }
}

impl Worker {
    /// Gives a task back whose step failed, or holds it.
    pub(super) async fn put_back(&self, claim: Claim, fault: StepFault) {
        match &fault {
            StepFault::Store(Error::Refusal(lost @ Refusal::StaleClaim { .. })) => {
                tracing::info!(task = claim.task, %lost, "another worker was faster");
                return;
            }
            StepFault::Store(Error::Refusal(moved @ Refusal::VersionMoved { .. })) => {
                return self.do_anew(claim, moved).await;
            }
            _ => {}
        }
        let (kind, tries) = (claim.kind.as_str(), claim.faults + 1);
        tracing::error!(task = claim.task, kind, subject = claim.subject, tries, %fault, "a step failed");
        let now = self.clock.now();
        let words = fault.to_string();
        let recorded = match after(fault.reach(), claim.faults, &self.policy.faults, now) {
            After::Again(at) => self.store.failed(claim, at, words).await,
            After::Hold => self.hold(claim, words).await,
        };
        if let Err(error) = recorded {
            tracing::error!(%error, "a failed step could not be put back; its lease will run out");
        }
    }

    /// The document changed while the step was done: it is done again with what is on record now.
    async fn do_anew(&self, claim: Claim, moved: &Refusal) {
        tracing::info!(task = claim.task, %moved, "the step is done again");
        if let Err(error) = self.store.reschedule(claim, self.clock.now()).await {
            tracing::warn!(%error, "a step could not be put back; its lease will run out");
        }
    }

    async fn hold(&self, claim: Claim, fault: String) -> Result<(), Error> {
        let (kind, subject) = (claim.kind.as_str(), claim.subject.clone());
        let tries = claim.faults + 1;
        let message = format!(
            "The step {kind} of {subject} failed {tries} times on our own side and is held: \
             {fault}. Fix the cause and start the service again; it is then taken up once more."
        );
        let facts = [("step", kind), ("about", subject.as_str()), ("fault", fault.as_str())];
        let about = format!("{kind} {subject}");
        let (alarm, hears) = self.alarms.announced(AlarmKind::STEP_HELD, &about, message, &facts);
        self.store.hold(claim, fault.clone(), (alarm, hears), self.clock.now()).await
    }
}
