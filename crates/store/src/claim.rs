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
    /// the job, for [`TaskKind::Tax`] the report, for [`TaskKind::Stop`] and
    /// [`TaskKind::TakeOver`] organisation and hook, for [`TaskKind::Tell`] organisation, for
    /// [`TaskKind::Publish`] organisation, version of its configuration and last party, for
    /// [`TaskKind::Regather`] the report that was asked for and how far its period is.
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

/// What tasks wait for that are in a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaneKind {
    /// The one before: they are done one after the other.
    Ordered,
    /// A place among those of their organisation, so that the backlog of one is no other's.
    Organisation,
    /// A place at the machine that they go to.
    Destination,
}

impl LaneKind {
    /// How the names of lanes of organisations begin: of documents on their way out, and in.
    pub(crate) const OUT: &str = "of ";
    pub(crate) const IN: &str = "for ";
    /// The same of destinations.
    pub(crate) const TO: &str = "to ";

    /// The kind of a lane.
    pub(crate) fn of(name: &str) -> LaneKind {
        if name.starts_with(LaneKind::OUT) || name.starts_with(LaneKind::IN) {
            LaneKind::Organisation
        } else if name.starts_with(LaneKind::TO) {
            LaneKind::Destination
        } else {
            LaneKind::Ordered
        }
    }
}

impl Claim {
    /// Whether it is a step of a document on its way out.
    pub(crate) fn is_of_a_document(&self) -> bool {
        matches!(self.kind, TaskKind::Prepare | TaskKind::Route | TaskKind::Deliver)
    }

    /// The place where there was no room for it, where it is the first of those that wait there: as
    /// it was named to [`Store::queue_up`](crate::Store::queue_up).
    pub fn destination(&self) -> Option<&str> {
        self.lane.as_deref()?.strip_prefix(LaneKind::TO)
    }

    /// How those that wait behind it are let go.
    pub(crate) fn lane_kind(&self) -> LaneKind {
        LaneKind::of(self.lane.as_deref().unwrap_or_default())
    }
}
