//! What a sender may expect of a document that waits for its next step: how many steps of others
//! come before it, and when its turn is likely to be.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::whole;
use quoin_delivery::{TaskKind, TransactionId};

use crate::claim::LaneKind;
use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;

/// Steps that are counted at most.
pub const AHEAD_LIMIT: u64 = 10_000;

/// What a document waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlook {
    /// Steps of other documents that come before it, up to [`AHEAD_LIMIT`].
    pub ahead: u64,
    /// When its own is expected: by the pace of the last seconds, or by the schedule of attempts.
    /// `None` where nothing was taken lately.
    pub expected_on: Option<Timestamp>,
}

const STEP: &str = "SELECT available_on, lane, id FROM tasks WHERE subject = ?1
    AND kind IN ('prepare', 'route', 'deliver') AND claim_token IS NULL LIMIT 1";
const BEFORE: &str = "SELECT count(*) FROM (SELECT 1 FROM tasks
    WHERE kind = ?1 AND available_on < ?2 LIMIT ?3)";
const IN_LANE: &str = "SELECT (SELECT count(*) FROM (SELECT 1 FROM tasks
        WHERE lane = ?1 AND available_on IS NOT NULL AND id < ?2 LIMIT ?3))
    + (SELECT count(*) FROM (SELECT 1 FROM tasks
        WHERE lane = ?1 AND available_on IS NULL AND id < ?2 LIMIT ?3))";

fn ahead(db: &mut dyn Connection, at: Timestamp) -> Result<u64, Fault> {
    let most = i64::try_from(AHEAD_LIMIT).unwrap_or(i64::MAX);
    let mut all = 0;
    for kind in [TaskKind::Prepare, TaskKind::Route, TaskKind::Deliver] {
        let found = db.first(BEFORE, &[kind.as_str().into(), at.into(), most.into()])?;
        all += found.map_or(Ok(0), |mut row| row.count::<u64>("count"))?;
    }
    Ok(all.min(AHEAD_LIMIT))
}

fn before(db: &mut dyn Connection, lane: &str, task: i64) -> Result<u64, Fault> {
    let most = i64::try_from(AHEAD_LIMIT).unwrap_or(i64::MAX);
    let found = db.first(IN_LANE, &[lane.into(), task.into(), most.into()])?;
    let counted = found.map_or(Ok(0), |mut row| row.count::<u64>("count"))?;
    Ok(counted.min(AHEAD_LIMIT))
}

impl Store {
    /// What a document on its way out waits for; `None` where somebody has it in hand, or it has
    /// reached its end.
    pub async fn outlook(
        &self,
        document: &TransactionId,
        now: Timestamp,
    ) -> Result<Option<Outlook>, Error> {
        let id = document.clone();
        let (pace, known) = (self.pace().per_second(), self.pace().clone());
        self.read(move |db| {
            let Some(row) = db.first(STEP, &[id.as_str().into()])? else { return Ok(None) };
            let (available_on, lane, task) = read(row)?;
            Ok(Some(match (available_on, lane) {
                (Some(on), _) if on > now => Outlook { ahead: 0, expected_on: Some(on) },
                (Some(on), _) => expected(ahead(db, on)?, pace, now),
                (None, Some(lane)) => {
                    let kind = LaneKind::of(&lane);
                    let ahead = match known.known_ahead(&lane, task) {
                        Some(ahead) => ahead,
                        None => {
                            let ahead = before(db, &lane, task)?;
                            known.counted_ahead(lane, task, ahead);
                            ahead
                        }
                    };
                    match kind {
                        LaneKind::Organisation => expected(ahead, pace, now),
                        // Its destination has no room: nobody knows how long that takes.
                        _ => Outlook { ahead, expected_on: None },
                    }
                }
                (None, None) => Outlook { ahead: 0, expected_on: None },
            }))
        })
        .await
    }
}

fn read(mut row: SqlRow) -> Result<(Option<Timestamp>, Option<String>, i64), Fault> {
    let available_on = row.time_or_none("tasks.available_on")?;
    Ok((available_on, row.text_or_none("tasks.lane")?, row.integer("tasks.id")?))
}

fn expected(ahead: u64, pace: Option<f64>, now: Timestamp) -> Outlook {
    let ahead_f = f64::from(u32::try_from(ahead).unwrap_or(u32::MAX));
    let wait = pace.map(|pace| SignedDuration::try_from_secs_f64(ahead_f / pace));
    let wait = wait.and_then(Result::ok);
    let expected_on = wait.map(|wait| whole(now.saturating_add(wait).unwrap_or(Timestamp::MAX)));
    Outlook { ahead, expected_on }
}
