//! A step of the work: how long it may take, what came of it, and why it could not be finished.

use jiff::SignedDuration;
use quoin_delivery::calls::HookAnswer;
use quoin_store::{Error, Fault, HookTry};

use crate::budget::Busy;
use crate::zip::ZipError;

/// How long a step may take before someone else may do it: longer than its look-up, its call and
/// what is fetched to judge certificates can take together.
pub(crate) const LEASE: SignedDuration = SignedDuration::from_secs(300);

/// What came of a call of a hook: for the decision, and for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallOutcome {
    /// What the room `delivery` decides from.
    pub answer: HookAnswer,
    /// What the delivery log keeps.
    pub tried: HookTry,
    /// Who has it, where it is for several and not all of them have.
    pub reached: Vec<String>,
}

impl CallOutcome {
    /// That of a call which is for one.
    pub fn of(answer: HookAnswer, tried: HookTry) -> CallOutcome {
        CallOutcome { answer, tried, reached: Vec::new() }
    }
}

/// Why a step could not be finished. It is done again later.
#[derive(Debug, thiserror::Error)]
pub enum StepFault {
    /// The store failed, or the claim was lost.
    #[error(transparent)]
    Store(#[from] Error),
    /// The step was done, and what came of it cannot be recorded.
    #[error("it was done, and what came of it cannot be recorded: {0}")]
    Unrecorded(Fault),
    /// The bytes of a document are not where the record says.
    #[error("the document of transaction {0} is missing")]
    Missing(String),
    /// The archive of a batch could not be written.
    #[error("an archive: {0}")]
    Archive(ZipError),
    /// A message of the service's own has no id.
    #[error(transparent)]
    Id(#[from] quoin_delivery::IdError),
    /// What a job asks for could not be worked out.
    #[error("a step of a job: {0}")]
    Job(String),
    /// Nothing followed from the step, and the document has not arrived: it would stand still.
    #[error("a step decided nothing: {0}")]
    Undecided(String),
    /// The step panicked.
    #[error("the step panicked; the log says where")]
    Panicked,
    /// No thread was free to look at a document.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// This process cannot send.
    #[error("this process has no access point certificate and cannot send")]
    NoAccessPoint,
}
