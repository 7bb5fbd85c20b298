//! Steps that fail on our own side: tried again, then held.

use jiff::Timestamp;
use quoin_delivery::{AlarmKind, TaskKind, TimelineEntry, TransactionId};

use crate::alarms::{self, Alarm};
use crate::claim::LaneKind;
use crate::error::{Error, Refusal, cut_to};
use crate::events::EventSubject;
use crate::open::Store;
use crate::tasks::{self, Claim};
use crate::timeline;
use crate::writer::Tx;

/// Characters that are kept of a fault.
const FAULT_LIMIT: usize = 500;
/// What the timeline of a document says.
const LINE: &str = "The service itself failed at this step and holds the document. Whoever runs the \
                    service was told, and it goes on when that is fixed.";

/// A document that waited for its turn holds nobody else up.
const FAILED_IN_LANE: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3, claim_token = NULL,
    faults = faults + 1, fault = ?4, lane = NULL WHERE id = ?1 AND claim_token = ?2";
const FAILED: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3, claim_token = NULL,
    faults = faults + 1, fault = ?4 WHERE id = ?1 AND claim_token = ?2";
/// The next one of its lane goes first.
const HOLD: &str = "UPDATE tasks SET available_on = NULL, claim_token = NULL, faults = faults + 1,
    fault = ?4, held_on = ?3, home = coalesce(lane, home), lane = NULL
    WHERE id = ?1 AND claim_token = ?2";
const RELEASE: &str = "UPDATE tasks SET run_at = ?1, available_on = ?1, held_on = NULL, faults = 0
    WHERE held_on IS NOT NULL";
const ALARMS_OVER: &str = "UPDATE alarms SET ended_on = ?2 WHERE code = ?1 AND ended_on IS NULL";

fn note(
    tx: &mut Tx<'_>,
    sql: &'static str,
    claim: &Claim,
    at: Timestamp,
    fault: &str,
) -> Result<(), Error> {
    let fault = cut_to(fault, FAULT_LIMIT);
    let params = [claim.task.into(), (&claim.token).into(), at.into(), (&fault).into()];
    match tx.execute(sql, &params)? {
        0 => Err(Refusal::StaleClaim { task: claim.task }.into()),
        _ => Ok(()),
    }
}

impl Store {
    /// Gives a task back that failed on our own side, to be tried again.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn failed(&self, claim: Claim, again: Timestamp, fault: String) -> Result<(), Error> {
        self.write(move |tx| {
            if claim.lane_kind() != LaneKind::Ordered {
                note(tx, FAILED_IN_LANE, &claim, again, &fault)?;
                tasks::next_in_lane(tx, &claim)?;
            } else {
                note(tx, FAILED, &claim, again, &fault)?;
            }
            tx.due(claim.kind, again);
            Ok(())
        })
        .await
    }

    /// Holds a task that failed on our own side too often. The document that it is about, where it
    /// is about one, has a line about that on its timeline, and whoever runs the service is told
    /// in the same transaction.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn hold(
        &self,
        claim: Claim,
        fault: String,
        (alarm, hears): (Alarm, Option<EventSubject>),
        now: Timestamp,
    ) -> Result<(), Error> {
        self.write(move |tx| {
            note(tx, HOLD, &claim, now, &fault)?;
            tasks::next_in_lane(tx, &claim)?;
            let of_document =
                [TaskKind::Prepare, TaskKind::Arrive, TaskKind::Route, TaskKind::Deliver];
            if of_document.contains(&claim.kind)
                && let Ok(id) = claim.subject.parse::<TransactionId>()
            {
                let line = TimelineEntry {
                    name: "Held".to_owned(),
                    description: LINE.to_owned(),
                    code: None,
                    created_on: now,
                };
                timeline::add(tx, &id, &[line])?;
            }
            alarms::raise(tx, &alarm, hears.as_ref(), now).map(|_told| ())
        })
        .await
    }

    /// Takes up everything again that is held; answers how many there were. Their alarms are over
    /// until they fail again.
    pub async fn release_held(&self, now: Timestamp) -> Result<usize, Error> {
        self.write(move |tx| {
            let found = tx.execute(RELEASE, &[now.into()])?;
            tx.execute(ALARMS_OVER, &[AlarmKind::STEP_HELD.code.into(), now.into()])?;
            if found > 0 {
                tx.due_any();
            }
            Ok(found)
        })
        .await
    }
}
