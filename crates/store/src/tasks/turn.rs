//! Tasks that wait for their turn: among those of their organisation, so that the backlog of one
//! delays nobody else, and at a destination that has no room. Either has a lane, in which they wait
//! in the order of their recording without being looked at.
//!
//! Of an organisation a number of steps may be taken or are in hand at a time, by its weight beside
//! others that have a backlog ([`crate::shares`]); each that is done, or that goes its own way from
//! here, lets the next one go, behind everything that is due by then.
//! Of a destination the first one is looked at again. Whoever got a place there has left the lane,
//! so that an answer that takes its time holds nobody up.

use jiff::Timestamp;
use quoin_delivery::{OrganisationId, TaskKind};

use super::{Claim, let_go, next_in_lane};
use crate::claim::LaneKind;
use crate::engine::Param;
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::writer::Tx;

/// How many follow one that is done, at most: an organisation that gets more places fills them.
const TWO: usize = 2;

/// Where others wait it waits as well, if there is somebody who lets them go.
const ADD: &str = "INSERT INTO tasks (kind, subject, run_at, lane, available_on, claims)
    SELECT ?1, ?2, ?3, ?4, CASE
        WHEN EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NULL)
        AND EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NOT NULL) THEN NULL
        WHEN (SELECT count(*) FROM (SELECT 1 FROM tasks WHERE lane = ?4
            AND available_on IS NOT NULL LIMIT ?5)) >= ?5 THEN NULL
        ELSE ?3 END, 0 RETURNING available_on IS NULL";
/// As [`ADD`], claimed at once unless it waits.
pub(super) const ADD_CLAIMED: &str = "INSERT INTO tasks
    (kind, subject, run_at, lane, available_on, claim_token, claims)
    SELECT ?1, ?2, ?3, ?4, CASE WHEN waits THEN NULL ELSE ?5 END,
        CASE WHEN waits THEN NULL ELSE ?6 END, CASE WHEN waits THEN 0 ELSE 1 END
    FROM (SELECT EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NULL)
        AND EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NOT NULL)
        OR (SELECT count(*) FROM (SELECT 1 FROM tasks WHERE lane = ?4
            AND available_on IS NOT NULL LIMIT ?7)) >= ?7 AS waits)
    RETURNING id, claim_token IS NULL";
/// Of an organisation, the next one goes behind what is due already, and only where fewer are under
/// way than may be: however often somebody says that it is done, or has left, no more go at a time.
const NEXT_OF_ORGANISATION: &str = "UPDATE tasks SET available_on = max(run_at, ?2)
    WHERE id = (SELECT min(id) FROM tasks WHERE lane = ?1 AND available_on IS NULL)
    AND (SELECT count(*) FROM (SELECT 1 FROM tasks WHERE lane = ?1
        AND available_on IS NOT NULL LIMIT ?3)) < ?3
    RETURNING kind, available_on, id, subject, claims, faults";
const WAITS: &str = "SELECT 1 FROM tasks WHERE lane = ?1 AND available_on IS NULL LIMIT 1";
/// At a destination, who is looked at again later is looked at now.
pub(super) const NEXT_AT_DESTINATION: &str = "UPDATE tasks SET available_on = run_at
    WHERE id = (SELECT min(id) FROM (
        SELECT min(id) AS id FROM tasks
            WHERE lane = ?1 AND available_on IS NULL AND claim_token IS NULL
        UNION ALL SELECT min(id) FROM tasks
            WHERE lane = ?1 AND available_on IS NOT NULL AND claim_token IS NULL))
    RETURNING kind, run_at, id, subject, claims, faults";
/// One of a lane may be taken or is in hand, the others wait: the first that comes, and whoever was
/// it stays it. When it was due first stays as it is: who is let go is due at once.
const QUEUE_UP: &str = "UPDATE tasks SET claim_token = NULL, lane = ?4,
    claims = max(claims - 1, 0), available_on = CASE WHEN EXISTS
        (SELECT 1 FROM tasks WHERE lane = ?4 AND id <> ?1 AND available_on IS NOT NULL)
        THEN NULL ELSE ?3 END
    WHERE id = ?1 AND claim_token = ?2";
const EXTEND: &str = "UPDATE tasks SET available_on = ?3 WHERE id = ?1 AND claim_token = ?2";
const LEAVE: &str = "UPDATE tasks SET available_on = ?3, lane = NULL
    WHERE id = ?1 AND claim_token = ?2";

/// The lane of the first step of a document, in which it waits for its turn among those of its
/// organisation.
pub(crate) fn lane_of(kind: TaskKind, organisation: &OrganisationId) -> Option<String> {
    match kind {
        TaskKind::Prepare => Some(format!("{}{organisation}", LaneKind::OUT)),
        TaskKind::Arrive => Some(format!("{}{organisation}", LaneKind::IN)),
        _ => None,
    }
}

/// Records a task in the lane of an organisation; `row` is its kind, subject, time and lane.
pub(super) fn add(tx: &mut Tx<'_>, lane: &str, row: &[Param<'_>]) -> Result<(), Fault> {
    let places = tx.shares().places(lane);
    let recorded = tx.first(ADD, &[row, &[places.into()]].concat())?;
    if recorded.map_or(Ok(false), |mut row| row.yes("tasks.available_on"))? {
        tx.shares().waits(lane);
    }
    Ok(())
}

/// Lets the next one of an organisation go, and one more where it has got more places since.
pub(super) fn next_of_organisation(
    tx: &mut Tx<'_>,
    claim: &Claim,
    lane: &str,
) -> Result<(), Fault> {
    let now = tx.time_of(claim.kind).unwrap_or(claim.run_at);
    let places = tx.shares().places(lane);
    let mut more = true;
    for _ in 0..TWO {
        if !more {
            return Ok(());
        }
        let params = [lane.into(), now.into(), places.into()];
        let Some(row) = tx.first(NEXT_OF_ORGANISATION, &params)? else {
            return stays(tx, lane, places);
        };
        tx.shares().waits(lane);
        let_go(tx, claim, row)?;
        more = tx.shares().has_grown(lane, places);
    }
    Ok(())
}

/// Nobody was let go: nobody waits, or all places are taken.
fn stays(tx: &mut Tx<'_>, lane: &str, places: i64) -> Result<(), Fault> {
    if tx.shares().is_waiting(lane) {
        match tx.first(WAITS, &[lane.into()])? {
            Some(_) => tx.shares().is_full(lane, places),
            None => tx.shares().waits_no_more(lane),
        }
    }
    Ok(())
}

impl Store {
    /// Gives a task back with which nothing was done, into the lane of a place: the first of a lane
    /// is handed out at `at`, and at once when another one of the lane got a place or is done. It
    /// was not handed out this time.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn queue_up(&self, claim: Claim, place: &str, at: Timestamp) -> Result<(), Error> {
        let lane = format!("{}{place}", LaneKind::TO);
        self.write(move |tx| {
            kept(tx, QUEUE_UP, &claim, at, &[(&lane).into()])?;
            if claim.lane.as_ref().is_some_and(|before| *before != lane) {
                // It waits elsewhere by now: those behind it do not.
                next_in_lane(tx, &claim)?;
            }
            tx.due(claim.kind, at);
            Ok(())
        })
        .await
    }

    /// Keeps a task for longer: for a step that takes its time. Where it waited for its turn, it
    /// leaves that lane.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn extend(&self, claim: &Claim, until: Timestamp) -> Result<(), Error> {
        let claim = claim.clone();
        self.write(move |tx| {
            if claim.lane_kind() == LaneKind::Ordered {
                return kept(tx, EXTEND, &claim, until, &[]);
            }
            kept(tx, LEAVE, &claim, until, &[])?;
            Ok(next_in_lane(tx, &claim)?)
        })
        .await
    }
}

fn kept(
    tx: &mut Tx<'_>,
    sql: &'static str,
    claim: &Claim,
    at: Timestamp,
    more: &[Param<'_>],
) -> Result<(), Error> {
    let own = [claim.task.into(), (&claim.token).into(), at.into()];
    match tx.execute(sql, &[own.as_slice(), more].concat())? {
        0 => Err(Refusal::StaleClaim { task: claim.task }.into()),
        _ => Ok(()),
    }
}
