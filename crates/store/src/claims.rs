//! A task in hand.

use jiff::Timestamp;
use quoin_delivery::TaskKind;

/// A task that was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The task.
    pub task: i64,
    /// Which step it asks for.
    pub kind: TaskKind,
    /// The transaction's id; for [`TaskKind::Notify`] the hook call's, for [`TaskKind::Register`]
    /// register and participant, for [`TaskKind::Report`] kind and month, for [`TaskKind::Job`]
    /// the job, for [`TaskKind::Tax`] the report.
    pub subject: String,
    /// The lane it runs in, if any.
    pub lane: Option<String>,
    /// When it was due.
    pub run_at: Timestamp,
    /// Until when nobody else gets it.
    pub lease_until: Timestamp,
    /// How often it was handed out, this time included: more than once means a crash or a
    /// postponement.
    pub claims: u32,
    /// How often in a row it failed on our own side before.
    pub faults: u32,
    /// Proves the claim; a later claim of the same task has another one.
    pub token: String,
}

impl Claim {
    /// Whether it is a step of a document on its way out.
    pub(crate) fn is_of_a_document(&self) -> bool {
        matches!(self.kind, TaskKind::Prepare | TaskKind::Route | TaskKind::Deliver)
    }

    /// Whether it is one that waited, or waits again, for a place at its destination.
    pub(crate) fn is_in_a_lane(&self) -> bool {
        self.is_of_a_document() && self.lane.is_some()
    }
}
