//! Recording a task: where it waits, and who gets it at once.

use jiff::Timestamp;
use quoin_delivery::TaskKind;
use uuid::Uuid;

use super::turn;
use crate::claim::{Claim, LaneKind};
use crate::engine::Param;
use crate::error::Fault;
use crate::writer::Tx;

const ADD: &str = "INSERT INTO tasks (kind, subject, run_at, lane, available_on, claims)
    SELECT ?1, ?2, ?3, ?4, CASE
        WHEN EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NOT NULL)
        OR EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NULL) THEN NULL
        ELSE ?3 END, ?5";
/// As [`ADD`], of one that is in no lane.
const ADD_ALONE: &str = "INSERT INTO tasks (kind, subject, run_at, available_on, claims)
    VALUES (?1, ?2, ?3, ?3, ?4)";
/// The same, claimed at once.
const ADD_ALONE_CLAIMED: &str = "INSERT INTO tasks
    (kind, subject, run_at, available_on, claim_token, claims)
    VALUES (?1, ?2, ?3, ?4, ?5, 1) RETURNING id, 0";
/// The task that waits for a subject, in no lane, claimed at once.
const CLAIM_WAITING: &str = "UPDATE tasks SET run_at = min(run_at, ?3), available_on = ?4,
    claim_token = ?5, claims = claims + 1, held_on = NULL
    WHERE id = (SELECT id FROM tasks WHERE subject = ?2 AND kind = ?1 AND claim_token IS NULL
        AND lane IS NULL LIMIT 1)
    RETURNING id, run_at, claims, faults";
/// As [`ADD`], claimed at once unless its lane has an older one.
const ADD_CLAIMED: &str = "INSERT INTO tasks
    (kind, subject, run_at, lane, available_on, claim_token, claims)
    SELECT ?1, ?2, ?3, ?4, CASE WHEN waits THEN NULL ELSE ?5 END,
        CASE WHEN waits THEN NULL ELSE ?6 END, CASE WHEN waits THEN 0 ELSE 1 END
    FROM (SELECT EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NOT NULL)
        OR EXISTS (SELECT 1 FROM tasks WHERE lane = ?4 AND available_on IS NULL) AS waits)
    RETURNING id, claim_token IS NULL";

/// Records a task. It waits where its lane has an older one; in the lane of an organisation, where
/// as many are under way as may be.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    run_at: Timestamp,
    lane: Option<&str>,
) -> Result<(), Fault> {
    let row = [kind.as_str().into(), subject.into(), run_at.into(), lane.into()];
    match lane.filter(|lane| is_in_turn(lane)) {
        Some(lane) => turn::add(tx, lane, &row)?,
        None => record(tx, row, 0)?,
    }
    tx.due(kind, run_at);
    Ok(())
}

/// Records the task that follows a step that an earlier one was lost of: the process ended, or its
/// commit failed, when a document may have left already. As one that was handed out once, so that
/// the step after it knows that as well, until somebody says what became of the document. First
/// steps, which have lanes of their organisation, follow none.
pub(crate) fn add_again(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    run_at: Timestamp,
    lane: Option<&str>,
) -> Result<(), Fault> {
    record(tx, [kind.as_str().into(), subject.into(), run_at.into(), lane.into()], 1)?;
    tx.due(kind, run_at);
    Ok(())
}

/// Records a task that was handed out so many times; `row` is its kind, subject, time and lane.
fn record(tx: &mut Tx<'_>, row: [Param<'_>; 4], claims: i64) -> Result<(), Fault> {
    let [kind, subject, run_at, lane] = row;
    let recorded = match lane {
        Param::Null => tx.execute(ADD_ALONE, &[kind, subject, run_at, claims.into()]),
        lane => tx.execute(ADD, &[kind, subject, run_at, lane, claims.into()]),
    };
    recorded.map(|_| ())
}

fn is_in_turn(lane: &str) -> bool {
    LaneKind::of(lane) == LaneKind::Organisation
}

/// Records a task that is due at once: it is handed over where somebody has room for it.
pub(crate) fn add_now(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    now: Timestamp,
    lane: Option<&str>,
) -> Result<(), Fault> {
    let Some(mut place) = tx.place(kind, now) else { return add(tx, kind, subject, now, lane) };
    let lease_until = place.lease_until(now);
    let token = Uuid::new_v4().simple().to_string();
    let own = [kind.as_str().into(), subject.into(), now.into()];
    let claimed = [lease_until.into(), (&token).into()];
    let turn = lane.filter(|lane| is_in_turn(lane));
    let recorded = match lane {
        Some(lane) if turn.is_some() => {
            let places = [tx.shares().places(lane).into()];
            let row = [own.as_slice(), &[lane.into()], &claimed, &places].concat();
            tx.first(turn::ADD_CLAIMED, &row)?
        }
        Some(lane) => {
            tx.first(ADD_CLAIMED, &[own.as_slice(), &[lane.into()], &claimed].concat())?
        }
        None => tx.first(ADD_ALONE_CLAIMED, &[own.as_slice(), &claimed].concat())?,
    };
    let mut row = recorded.ok_or_else(|| Fault::record("tasks", "nothing"))?;
    let task = row.integer("tasks.id")?;
    if row.yes("tasks.claim_token")? {
        // It waits for an older one of its lane, which lets it go.
        if let Some(lane) = turn {
            tx.shares().waits(lane);
        }
        return Ok(());
    }
    place.fill(Claim {
        task,
        kind,
        subject: subject.to_owned(),
        lane: lane.map(str::to_owned),
        run_at: now,
        lease_until,
        claims: 1,
        faults: 0,
        token,
    });
    tx.lease(kind, lease_until);
    tx.hand_over(place);
    Ok(())
}

/// The task that waits for a subject, in no lane, comes now: it is handed over where somebody has
/// room for it. Answers whether it was.
pub(super) fn take_now(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    now: Timestamp,
) -> Result<bool, Fault> {
    let Some(mut place) = tx.place(kind, now) else { return Ok(false) };
    let lease_until = place.lease_until(now);
    let token = Uuid::new_v4().simple().to_string();
    let own = [kind.as_str().into(), subject.into(), now.into()];
    let claimed = [lease_until.into(), (&token).into()];
    let found = tx.first(CLAIM_WAITING, &[own.as_slice(), &claimed].concat())?;
    let Some(mut row) = found else { return Ok(false) };
    place.fill(Claim {
        task: row.integer("tasks.id")?,
        kind,
        subject: subject.to_owned(),
        lane: None,
        run_at: row.time("tasks.run_at")?,
        lease_until,
        claims: row.count("tasks.claims")?,
        faults: row.count("tasks.faults")?,
        token,
    });
    tx.lease(kind, lease_until);
    tx.hand_over(place);
    Ok(true)
}
