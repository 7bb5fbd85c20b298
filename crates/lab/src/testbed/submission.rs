//! The access point under test as corner 2: it is asked to send to participants that the testbed
//! plays. In each case one thing is not as it should be, in DNS, at the SMP, in its metadata or in
//! the answer to the message; what the access point does then is seen here, and told by it.

mod answers;
pub mod documents;
mod judge;
mod metadata;
mod names;

use std::time::Duration;

use futures::future::BoxFuture;
use quoin_peppol::identifiers::ParticipantId;

use super::bench::Bench;
use super::case::{CaseArea, CaseMethod, TestCase};
use super::stage::SimulatedNetwork;
use super::stage::fault::SimulatedFault;
use super::verdict::{CaseFixer, CaseVerdict, wrong};

pub use documents::TestDocument;

/// One thing that is not as it should be, and what must come of it.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// What is not as it should be.
    pub fault: SimulatedFault,
    /// What must come of it.
    pub outcome: ExpectedOutcome,
    /// What is sent.
    pub document: TestDocument,
}

/// What must come of a document that the access point under test is asked to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedOutcome {
    /// It arrives, once, and is told as delivered.
    Delivered,
    /// It does not arrive, and is told as failed.
    Withheld,
    /// It does not arrive, whatever is told meanwhile but a delivery.
    Nothing,
    /// It arrives again with the same identifiers, until the answer is good.
    Repeated,
    /// It arrives, is refused, and is told as failed.
    GivenUp,
    /// It arrives, or it is told as failed: the specification leaves both to a sender, but not to
    /// go on for ever.
    Settled,
}

/// What the access point under test is asked to send.
#[derive(Debug, Clone)]
pub struct SubmissionRequest {
    /// A UUID, by which it is told apart.
    pub id: String,
    /// The case.
    pub case: &'static str,
    /// What it is.
    pub document: TestDocument,
    /// Corner 1.
    pub sender: String,
    /// Corner 4, played by the testbed.
    pub receiver: ParticipantId,
    /// The document itself.
    pub content: bytes::Bytes,
}

/// How the access point under test says that it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedEnding {
    /// It says that it delivered.
    Delivered,
    /// It says that it failed for good, and why.
    Failed(String),
    /// It is still at it, and says this.
    Pending(String),
    /// It cannot be asked.
    Unknown,
}

/// How the access point under test is asked to send.
pub trait Trigger: Send + Sync {
    /// Asks for a document to be sent.
    fn send<'a>(&'a self, order: &'a SubmissionRequest) -> BoxFuture<'a, Result<(), String>>;

    /// Whether somebody must do it by hand, which takes its time.
    fn is_by_hand(&self) -> bool {
        false
    }

    /// How it ended.
    fn ending<'a>(&'a self, order: &'a SubmissionRequest) -> BoxFuture<'a, ReportedEnding>;
}

const fn case(
    id: &'static str,
    proves: &'static str,
    source: &'static str,
    fault: SimulatedFault,
    outcome: ExpectedOutcome,
) -> TestCase {
    let document = TestDocument::Invoice;
    let run = CaseMethod::Send(Scenario { fault, outcome, document });
    TestCase { id, part: CaseArea::Submission, proves, source, run }
}

/// The cases, those without a fault first.
pub static CASES: &[&[TestCase]] = &[answers::CASES, names::CASES, metadata::CASES];

/// Every case with its number, by which its participant is named.
pub fn numbered() -> impl Iterator<Item = (usize, &'static TestCase)> {
    CASES.iter().flat_map(|table| table.iter()).enumerate().map(|(at, case)| (at + 1, case))
}

/// Asks for a document to be sent, and looks at what comes of it.
pub async fn play(
    bench: &Bench,
    stage: &SimulatedNetwork,
    trigger: &dyn Trigger,
    case: &'static TestCase,
    scenario: &Scenario,
) -> CaseVerdict {
    let own = |error: String| {
        CaseVerdict::Fail(
            wrong("a participant of the testbed", error, case.id).by(CaseFixer::Testbed),
        )
    };
    let Some(slot) = stage.slot(case.id) else { return own("none for this case".to_owned()) };
    if let Some(reason) = &slot.unable {
        return CaseVerdict::skip(reason.clone());
    }
    let sender = &bench.setup.subject.sender;
    let limits = &bench.setup.limits;
    let content = match scenario.document.write(sender, &slot.participant, case.id, limits) {
        Ok(content) => content,
        Err(error) => return own(error.0),
    };
    let order = SubmissionRequest {
        id: uuid::Uuid::new_v4().to_string(),
        case: case.id,
        document: scenario.document,
        sender: sender.clone(),
        receiver: slot.participant.clone(),
        content,
    };
    if let Err(problem) = trigger.send(&order).await {
        let expected = "the access point under test takes the document";
        return CaseVerdict::Fail(wrong(expected, problem, format!("case {}", case.id)));
    }
    let patience = match scenario.outcome {
        ExpectedOutcome::Repeated => Duration::from_secs(limits.repeat_seconds),
        _ if scenario.fault.passes() || trigger.is_by_hand() => {
            Duration::from_secs(limits.repeat_seconds)
        }
        _ => bench.patience(),
    };
    judge::watch(&slot, trigger, &order, scenario, patience).await
}
