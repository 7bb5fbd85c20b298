//! A step that failed on our own side: tried again, then held and told to whoever runs the service.

mod unrecorded;
mod unreturned;

use jiff::Timestamp;
use quoin_delivery::AlarmKind;
use quoin_delivery::faults::{After, Reach, after};
use quoin_store::{Claim, Error, Fault, Refusal};

use super::Worker;
use crate::step::StepFault;

pub use unrecorded::Unrecorded;
pub(super) use unrecorded::calls_out;
pub use unreturned::Unreturned;
pub(super) use unreturned::run;

/// How a task is given back.
#[derive(Debug, Clone)]
pub(super) enum GiveBack {
    /// It failed, and is tried again then.
    Failed(Claim, Timestamp, String),
    /// It is done again at once, with what is on record now.
    Anew(Claim),
    /// It failed too often, and is held.
    Hold(Claim, String),
}

impl GiveBack {
    /// The task that is given back.
    fn task(&self) -> i64 {
        let (GiveBack::Failed(claim, ..) | GiveBack::Anew(claim) | GiveBack::Hold(claim, _)) = self;
        claim.task
    }
}

impl StepFault {
    /// Whether others fail alike.
    fn reach(&self) -> Reach {
        match self {
            StepFault::Store(Error::Fault(fault)) => match fault {
                Fault::Record { .. } | Fault::Secret | Fault::Panicked { .. } => Reach::Step,
                // What a record that is there stands in the way of fails by itself.
                Fault::Files { .. } | Fault::Lost { .. } | Fault::Constraint { .. } => Reach::Step,
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
                // The document changed while the step was done.
                tracing::info!(task = claim.task, %moved, "the step is done again");
                return self.give_back(GiveBack::Anew(claim)).await;
            }
            _ => {}
        }
        let (kind, tries) = (claim.kind.as_str(), claim.faults + 1);
        tracing::error!(task = claim.task, kind, subject = claim.subject, tries, %fault, "a step failed");
        let now = self.clock.now();
        let words = fault.to_string();
        let back = match after(fault.reach(), claim.faults, &self.policy.faults, now) {
            // It would be done again.
            _ if matches!(fault, StepFault::Unrecorded(_)) => GiveBack::Hold(claim, words),
            After::Again(at) => GiveBack::Failed(claim, at, words),
            After::Hold => GiveBack::Hold(claim, words),
        };
        self.give_back(back).await;
    }

    /// Gives a task back, or keeps it in mind until the store can be written to.
    async fn give_back(&self, back: GiveBack) {
        if let Err(error) = self.record(back.clone()).await {
            self.not_recorded(back, &error);
        }
    }

    async fn record(&self, back: GiveBack) -> Result<(), Error> {
        match back {
            GiveBack::Failed(claim, at, words) => self.store.failed(claim, at, words).await,
            GiveBack::Anew(claim) => self.store.reschedule(claim, self.clock.now()).await,
            GiveBack::Hold(claim, words) => self.hold(claim, words).await,
        }
    }

    fn not_recorded(&self, back: GiveBack, error: &Error) {
        let task = back.task();
        match error {
            Error::Refusal(lost) => tracing::info!(task, %lost, "it is another worker's by now"),
            Error::Fault(_) => {
                tracing::error!(
                    task,
                    %error,
                    "a step could not be given back: it is, with the next write that succeeds"
                );
                self.unreturned.keep(back);
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What fails alike each time is held and told; what fails for everybody is waited for.
    #[test]
    fn a_record_in_the_way_is_a_matter_of_one_step() {
        let message = "UNIQUE constraint failed".to_owned();
        let doing = "UPDATE hooks";
        for (fault, reach) in [
            (Fault::Constraint { doing, message: message.clone() }, Reach::Step),
            (Fault::Engine { doing, message }, Reach::Service),
            (Fault::Busy { doing }, Reach::Service),
        ] {
            let found = StepFault::Store(Error::Fault(fault)).reach();
            assert_eq!(found, reach);
        }
    }
}
