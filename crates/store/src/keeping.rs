//! For how long documents are kept: the periods, and those that are in force.

use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{Decision, Direction, Status};

use crate::engine::{Connection, Param};
use crate::error::Fault;

/// From this on a period is for ever: 8,000 years, which no calendar of ours reaches.
const FOR_EVER: i64 = 8_000 * 365 * 86_400_000_000;

/// How long what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// What arrived and was not downloaded, from its arrival.
    pub received: SignedDuration,
    /// What arrived and was downloaded, from its first download.
    pub downloaded: SignedDuration,
    /// What was sent and failed, from its failure.
    pub failed: SignedDuration,
    /// What was sent and delivered, from its delivery; `None` for ever.
    pub sent: Option<SignedDuration>,
}

impl Default for Keep {
    /// 90 days, 7 days after download, 90 days for what failed, and what was sent for ever.
    fn default() -> Keep {
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        Keep { received: days(90), downloaded: days(7), failed: days(90), sent: None }
    }
}

/// The periods in microseconds, none where it is for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KeepPeriods {
    received: Option<i64>,
    pub(crate) downloaded: Option<i64>,
    failed: Option<i64>,
    sent: Option<i64>,
}

impl From<Keep> for KeepPeriods {
    fn from(keep: Keep) -> KeepPeriods {
        let micros = |period: SignedDuration| {
            i64::try_from(period.as_micros()).ok().filter(|micros| *micros < FOR_EVER)
        };
        KeepPeriods {
            received: micros(keep.received),
            downloaded: micros(keep.downloaded),
            failed: micros(keep.failed),
            sent: keep.sent.and_then(micros),
        }
    }
}

impl KeepPeriods {
    /// What a step that moves a document has to know to set its time: when it is over, where that
    /// counts from now; else how long after its arrival, and how long after its download. Nothing
    /// where it is under way.
    pub(crate) fn of_step(
        &self,
        direction: Direction,
        decision: &Decision,
        now: Timestamp,
    ) -> [Param<'static>; 3] {
        let from_now = |period: Option<i64>| {
            [period.map(|period| now.as_microsecond().saturating_add(period)).into()]
        };
        let [over] = match (direction, decision.status) {
            (_, status) if !status.is_final() => [Param::Null],
            (Direction::Incoming, _) => {
                return [Param::Null, self.received.into(), self.downloaded.into()];
            }
            (Direction::Outgoing, Status::Delivered) => from_now(self.sent),
            (Direction::Outgoing, _) => from_now(self.failed),
        };
        [over, Param::Null, Param::Null]
    }

    /// The periods in the order of the table: received, downloaded, failed, sent.
    pub(crate) fn params(&self) -> [Param<'static>; 4] {
        [self.received.into(), self.downloaded.into(), self.failed.into(), self.sent.into()]
    }
}

/// The periods that are in force, shared with the writer.
pub(crate) type KeepInForce = Arc<Mutex<KeepPeriods>>;

const READ: &str = "SELECT received, downloaded, failed, sent, is_planned FROM retention";

/// The periods that documents are planned by, and whether all of them are.
pub(crate) fn in_force(db: &mut dyn Connection) -> Result<(KeepPeriods, bool), Fault> {
    let row = db.first(READ, &[])?;
    let mut row = row.ok_or_else(|| Fault::record("retention", "nothing"))?;
    let periods = KeepPeriods {
        received: row.integer_or_none("retention.received")?,
        downloaded: row.integer_or_none("retention.downloaded")?,
        failed: row.integer_or_none("retention.failed")?,
        sent: row.integer_or_none("retention.sent")?,
    };
    Ok((periods, row.yes("retention.is_planned")?))
}
