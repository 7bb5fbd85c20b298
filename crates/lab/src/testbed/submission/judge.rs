//! What comes of a document that was asked to be sent: seen at the testbed's door, and told by the
//! access point under test, until both are clear or the time is up.

use std::time::{Duration, Instant};

use super::{ExpectedOutcome, ReportedEnding, Scenario, SubmissionRequest, TestDocument, Trigger};
use crate::testbed::stage::slot::{Observations, SimulatedParticipant, Taken};
use crate::testbed::verdict::{CaseFailure, CaseVerdict, wrong};

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// How long nothing must come after the last thing that was asked of the testbed, where the access
/// point under test cannot say how it ended.
const QUIET: Duration = Duration::from_secs(5);

/// Watches a document to its end.
pub(super) async fn watch(
    slot: &SimulatedParticipant,
    trigger: &dyn Trigger,
    order: &SubmissionRequest,
    scenario: &Scenario,
    patience: Duration,
) -> CaseVerdict {
    let begun = Instant::now();
    loop {
        let ending = trigger.ending(order).await;
        let seen = slot.seen();
        let look = SubmissionSnapshot { slot, order, seen: &seen, ending: &ending };
        if let Some(verdict) = look.at(scenario.outcome) {
            return verdict.into();
        }
        if begun.elapsed() > patience {
            return match look.was_begun() {
                true => look.out_of_time(scenario.outcome, patience).into(),
                false => CaseVerdict::skip(format!(
                    "nothing was asked of the testbed within {} s: the document was not sent",
                    patience.as_secs()
                )),
            };
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// How long nothing must come where the access point under test goes on trying.
const NOTHING: Duration = Duration::from_secs(12);

/// What is known at one moment.
struct SubmissionSnapshot<'a> {
    slot: &'a SimulatedParticipant,
    order: &'a SubmissionRequest,
    seen: &'a Observations,
    ending: &'a ReportedEnding,
}

type SubmissionResult = Result<String, CaseFailure>;

impl SubmissionSnapshot<'_> {
    /// The verdict, where it is clear already.
    fn at(&self, outcome: ExpectedOutcome) -> Option<SubmissionResult> {
        let arrived = self.seen.taken.len();
        match (outcome, self.ending) {
            (
                ExpectedOutcome::Delivered | ExpectedOutcome::Repeated,
                ReportedEnding::Failed(why),
            ) => Some(self.fail("a delivery", format!("it gave up: {why}"))),
            (ExpectedOutcome::Delivered, ReportedEnding::Delivered | ReportedEnding::Unknown)
                if arrived > 0 =>
            {
                Some(self.delivered())
            }
            (ExpectedOutcome::Repeated, ReportedEnding::Delivered | ReportedEnding::Unknown)
                if self.answered_well() =>
            {
                Some(self.repeated())
            }
            (ExpectedOutcome::Repeated, ReportedEnding::Delivered) => {
                let found = "it says that it delivered, after an answer that proves nothing";
                Some(self.fail("the same message again", found.to_owned()))
            }
            (ExpectedOutcome::Settled, ReportedEnding::Delivered | ReportedEnding::Unknown)
                if arrived > 0 =>
            {
                Some(self.delivered())
            }
            (ExpectedOutcome::Settled, ReportedEnding::Failed(why)) if arrived == 0 => {
                Some(Ok(format!("nothing came; it says: {why}")))
            }
            (ExpectedOutcome::Settled, ReportedEnding::Failed(why)) => {
                Some(self.fail("one ending", format!("a message came, and it says: {why}")))
            }
            (ExpectedOutcome::Settled, ReportedEnding::Unknown)
                if arrived == 0 && self.is_quiet() =>
            {
                Some(Ok("nothing came".to_owned()))
            }
            // One that is tried again later comes to its end after the schedule of its sender; one
            // that is still at it may be slow.
            (ExpectedOutcome::Settled, _) if arrived == 0 && self.was_tried() => {
                Some(Ok("nothing came".to_owned()))
            }
            (ExpectedOutcome::Withheld | ExpectedOutcome::Nothing, _) if arrived > 0 => {
                Some(self.fail("no message", "a message came".to_owned()))
            }
            (
                ExpectedOutcome::Withheld | ExpectedOutcome::Nothing | ExpectedOutcome::GivenUp,
                ReportedEnding::Delivered,
            ) => Some(self.fail("no delivery", "it says that it delivered".to_owned())),
            (ExpectedOutcome::Withheld | ExpectedOutcome::Nothing, ReportedEnding::Failed(why)) => {
                Some(Ok(format!("nothing came; it says: {why}")))
            }
            (ExpectedOutcome::Withheld, ReportedEnding::Unknown) if self.is_quiet() => {
                Some(Ok("nothing came".to_owned()))
            }
            (ExpectedOutcome::Nothing, _) if self.is_quiet() || self.was_tried() => {
                Some(Ok("nothing came".to_owned()))
            }
            (ExpectedOutcome::GivenUp, ReportedEnding::Failed(why)) if arrived > 0 => {
                Some(Ok(format!("refused, and it says: {why}")))
            }
            (ExpectedOutcome::GivenUp, ReportedEnding::Unknown)
                if arrived > 0 && self.is_quiet() =>
            {
                Some(Ok(format!("refused, and it came {arrived} times")))
            }
            _ => None,
        }
    }

    fn out_of_time(&self, outcome: ExpectedOutcome, patience: Duration) -> SubmissionResult {
        let expected = match outcome {
            ExpectedOutcome::Delivered => "a message, told as delivered",
            ExpectedOutcome::Repeated => "the same message again, until the answer is good",
            ExpectedOutcome::Withheld => "no message, told as failed",
            ExpectedOutcome::Nothing => "no message, after an attempt",
            ExpectedOutcome::GivenUp => "a message that is refused, told as failed",
            ExpectedOutcome::Settled => "a message, or a word that it failed",
        };
        let (asked, arrived) = (self.seen.asked.len(), self.seen.taken.len());
        let told = match self.ending {
            ReportedEnding::Delivered => "it says that it delivered".to_owned(),
            ReportedEnding::Failed(why) => format!("it says that it failed: {why}"),
            ReportedEnding::Pending(what) => format!("it is still at it: {what}"),
            ReportedEnding::Unknown => "it cannot be asked".to_owned(),
        };
        let problems = self.seen.refused.join("; ");
        let found = format!(
            "after {} s: {asked} questions to DNS and SMP, {arrived} messages; {told} {problems}",
            patience.as_secs()
        );
        self.fail(expected, found)
    }

    /// Nothing was asked of the testbed for a while, after something was.
    fn is_quiet(&self) -> bool {
        self.seen.last.is_some_and(|last| last.elapsed() > QUIET)
    }

    /// Something was asked of the testbed, or the access point under test says what it does.
    fn was_begun(&self) -> bool {
        self.seen.first.is_some() || *self.ending != ReportedEnding::Unknown
    }

    /// The first attempt was long ago.
    fn was_tried(&self) -> bool {
        self.seen.first.is_some_and(|first| first.elapsed() > NOTHING)
    }

    fn answered_well(&self) -> bool {
        self.seen.taken.last().is_some_and(|taken| taken.answered_well)
    }

    fn delivered(&self) -> SubmissionResult {
        self.conforms()?;
        let Some(taken) = self.seen.taken.first() else { return Ok(String::new()) };
        Ok(format!("message {} with {} bytes", taken.message_id, taken.bytes))
    }

    fn repeated(&self) -> SubmissionResult {
        let taken = &self.seen.taken;
        let mut pairs = taken.windows(2).filter_map(|pair| pair.first().zip(pair.last()));
        if taken.len() < 2 {
            return self
                .fail("the message again", "it came once, and is told as delivered".to_owned());
        }
        let other =
            pairs.find(|(a, b)| (&a.message_id, &a.instance) != (&b.message_id, &b.instance));
        if let Some((one, other)) = other {
            let found = format!(
                "{} with envelope {}, then {} with envelope {}",
                one.message_id, one.instance, other.message_id, other.instance
            );
            return self.fail("the same message id and envelope id each time", found);
        }
        self.conforms()?;
        Ok(format!("it came {} times with the same identifiers", taken.len()))
    }

    /// What came is as the profile wants it.
    fn conforms(&self) -> Result<(), CaseFailure> {
        match self.seen.taken.iter().flat_map(|taken| &taken.problems).next() {
            Some(problem) => {
                let expected = "a message as the profile wants it";
                self.fail(expected, problem.clone()).map(|_| ())
            }
            None => self.as_handed_over(),
        }
    }

    /// An envelope that was handed over came unchanged.
    fn as_handed_over(&self) -> Result<(), CaseFailure> {
        let is_own = self.order.document == TestDocument::Enveloped;
        let content = self.order.content.as_ref();
        let other = |taken: &&Taken| is_own && taken.envelope.as_bytes() != content;
        match self.seen.taken.iter().find(other) {
            Some(taken) => {
                let found = format!("another one, with the identifier {}", taken.instance);
                self.fail("the envelope that was handed over", found).map(|_| ())
            }
            None => Ok(()),
        }
    }

    fn fail(&self, expected: &str, found: String) -> SubmissionResult {
        let place = format!("receiver {}, order {}", self.slot.participant, self.order.id);
        Err(wrong(expected, found, place))
    }
}
