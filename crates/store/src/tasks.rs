//! Tasks: what the worker is to do next. A claim is a lease: it writes until when the task is
//! nobody else's, and a crash is a lease that runs out (ARCHITECTURE, What must stay true, 6).
//! Tasks of one lane are handed out one after the other, in the order of their recording, but for
//! those that wait for their turn ([`turn`]).

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::TaskKind;
use uuid::Uuid;

use crate::claim::LaneKind;
use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::writer::Tx;

mod home;
mod queue;
mod recording;
mod taking;
mod turn;
mod waiting;

pub use crate::claim::Claim;
pub(crate) use home::return_home;
pub use queue::{Queued, TaskState};
pub(crate) use recording::{add, add_again, add_now};
pub(crate) use turn::lane_of;

/// Tasks in one claim, at most.
pub const CLAIM_LIMIT: usize = 500;

const FINISH: &str = "DELETE FROM tasks WHERE id = ?1 AND claim_token = ?2";
const NEXT_IN_LANE: &str = "UPDATE tasks SET available_on = run_at
    WHERE id = (SELECT min(id) FROM tasks WHERE lane = ?1 AND available_on IS NULL)
    AND NOT EXISTS (SELECT 1 FROM tasks AS older
        WHERE older.lane = ?1 AND older.available_on IS NOT NULL AND older.id < tasks.id)
    RETURNING kind, run_at, id, subject, claims, faults";
const CLAIM_ONE: &str = "UPDATE tasks SET available_on = ?2, claim_token = ?3, claims = claims + 1
    WHERE id = ?1";
const POSTPONE: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3, claim_token = NULL,
    faults = 0 WHERE id = ?1 AND claim_token = ?2";
const PUT_BACK: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3, claim_token = NULL,
    claims = max(claims - 1, 0) WHERE id = ?1 AND claim_token = ?2";
const PUT_BACK_ALONE: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3, lane = NULL,
    claim_token = NULL, claims = max(claims - 1, 0) WHERE id = ?1 AND claim_token = ?2";
const STEP_ASIDE: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3, claim_token = NULL,
    home = coalesce(lane, home), lane = NULL, faults = 0 WHERE id = ?1 AND claim_token = ?2";
const FORWARD: &str = "UPDATE tasks SET run_at = ?2, available_on = ?2
    WHERE subject = ?1 AND claim_token IS NULL AND available_on > ?2";
/// What is held is tried once more, since something happened.
const EARLIER: &str = "UPDATE tasks SET run_at = min(run_at, ?3), available_on =
    coalesce(min(available_on, ?3), CASE WHEN held_on IS NOT NULL THEN ?3 END), held_on = NULL
    WHERE subject = ?2 AND kind = ?1 AND claim_token IS NULL";
const IS_THERE: &str = "SELECT 1 FROM tasks WHERE subject = ?1 AND kind = ?2";
const DROP_WAITING: &str = "DELETE FROM tasks WHERE subject = ?2 AND kind = ?1
    AND claim_token IS NULL AND lane IS NULL";
const END_LEASES: &str = "UPDATE tasks SET available_on = run_at, claim_token = NULL
    WHERE claim_token IS NOT NULL";
const NEXT_DUE: &str =
    "SELECT min(available_on) FROM tasks WHERE kind = ?1 AND available_on IS NOT NULL";

/// Makes sure that a subject is looked at by then: the task that waits for it comes earlier, or
/// there is a new one. One that is in hand does not count, since it may have looked already.
pub(crate) fn ensure(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    at: Timestamp,
) -> Result<(), Fault> {
    let found = tx.execute(EARLIER, &[kind.as_str().into(), subject.into(), at.into()])?;
    if found == 0 {
        return add(tx, kind, subject, at, None);
    }
    tx.due(kind, at);
    Ok(())
}

/// As [`ensure`], of a subject that is not looked at yet, whoever has its task in hand: that one
/// looks when it begins, and takes what there is by then.
pub(crate) fn ensure_unseen(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    at: Timestamp,
) -> Result<(), Fault> {
    let key = [kind.as_str().into(), subject.into(), at.into()];
    if tx.execute(EARLIER, &key)? > 0 {
        tx.due(kind, at);
        return Ok(());
    }
    match tx.first(IS_THERE, &[subject.into(), kind.as_str().into()])? {
        Some(_) => Ok(()),
        None => add(tx, kind, subject, at, None),
    }
}

/// As [`ensure`], by now: the task is handed over where somebody has room for it.
pub(crate) fn ensure_now(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    now: Timestamp,
) -> Result<(), Fault> {
    if recording::take_now(tx, kind, subject, now)? {
        return Ok(());
    }
    let found = tx.execute(EARLIER, &[kind.as_str().into(), subject.into(), now.into()])?;
    if found == 0 {
        return add_now(tx, kind, subject, now, None);
    }
    tx.due(kind, now);
    Ok(())
}

/// Removes the tasks of a kind about a subject that nobody has in hand and that stand in no lane.
pub(crate) fn drop_waiting(tx: &mut Tx<'_>, kind: TaskKind, subject: &str) -> Result<(), Fault> {
    tx.execute(DROP_WAITING, &[kind.as_str().into(), subject.into()])?;
    Ok(())
}

/// Removes a finished task and lets the next one of its lane go.
pub(crate) fn finish(tx: &mut Tx<'_>, claim: &Claim) -> Result<(), Error> {
    let removed = tx.execute(FINISH, &[claim.task.into(), (&claim.token).into()])?;
    if removed == 0 {
        return Err(Refusal::StaleClaim { task: claim.task }.into());
    }
    Ok(next_in_lane(tx, claim)?)
}

/// Lets the next one of the lane of a task go. At a destination it may be of another kind: some
/// were prepared before, others are prepared as they go.
pub(crate) fn next_in_lane(tx: &mut Tx<'_>, claim: &Claim) -> Result<(), Fault> {
    let Some(lane) = &claim.lane else { return Ok(()) };
    let found = match claim.lane_kind() {
        LaneKind::Ordered => tx.first(NEXT_IN_LANE, &[lane.into()])?,
        LaneKind::Destination => tx.first(turn::NEXT_AT_DESTINATION, &[lane.into()])?,
        LaneKind::Organisation => return turn::next_of_organisation(tx, claim, lane),
    };
    found.map_or(Ok(()), |row| let_go(tx, claim, row))
}

/// Lets one go that waited in the lane of a task: it is handed over where somebody has room.
fn let_go(tx: &mut Tx<'_>, claim: &Claim, mut row: SqlRow) -> Result<(), Fault> {
    let kind = row.word("tasks.kind", TaskKind::named)?;
    let run_at = row.time("tasks.run_at")?;
    let place = tx.place(kind, run_at).filter(|place| run_at <= place.now());
    let Some(mut place) = place else {
        tx.due(kind, run_at);
        return Ok(());
    };
    let lease_until = place.lease_until(place.now());
    let token = Uuid::new_v4().simple().to_string();
    let next = Claim {
        task: row.integer("tasks.id")?,
        kind,
        subject: row.text("tasks.subject")?,
        lane: claim.lane.clone(),
        run_at,
        lease_until,
        claims: row.count::<u32>("tasks.claims")?.saturating_add(1),
        faults: row.count("tasks.faults")?,
        token,
    };
    tx.execute(CLAIM_ONE, &[next.task.into(), lease_until.into(), (&next.token).into()])?;
    place.fill(next);
    tx.lease(kind, lease_until);
    tx.hand_over(place);
    Ok(())
}

/// Gives a task back, to be handed out at `at` or later.
pub(crate) fn postpone(tx: &mut Tx<'_>, claim: &Claim, at: Timestamp) -> Result<(), Error> {
    let kept = tx.execute(POSTPONE, &[claim.task.into(), (&claim.token).into(), at.into()])?;
    if kept == 0 {
        return Err(Refusal::StaleClaim { task: claim.task }.into());
    }
    tx.due(claim.kind, at);
    Ok(())
}

/// Gives a task back like [`postpone`], out of its lane: the next one of the lane goes first.
pub(crate) fn step_aside(tx: &mut Tx<'_>, claim: &Claim, at: Timestamp) -> Result<(), Error> {
    let kept = tx.execute(STEP_ASIDE, &[claim.task.into(), (&claim.token).into(), at.into()])?;
    if kept == 0 {
        return Err(Refusal::StaleClaim { task: claim.task }.into());
    }
    next_in_lane(tx, claim)?;
    tx.due(claim.kind, at);
    Ok(())
}

/// Gives a task back with which nothing was done: see [`Store::put_back`].
pub(crate) fn put_back(tx: &mut Tx<'_>, claim: &Claim, at: Timestamp) -> Result<(), Error> {
    let alone = claim.lane_kind() == LaneKind::Organisation;
    let params = [claim.task.into(), (&claim.token).into(), at.into()];
    if tx.execute(if alone { PUT_BACK_ALONE } else { PUT_BACK }, &params)? == 0 {
        return Err(Refusal::StaleClaim { task: claim.task }.into());
    }
    if alone {
        next_in_lane(tx, claim)?;
    }
    tx.due(claim.kind, at);
    Ok(())
}

/// Makes the waiting tasks about a subject due.
pub(crate) fn bring_forward(tx: &mut Tx<'_>, subject: &str, now: Timestamp) -> Result<(), Fault> {
    if tx.execute(FORWARD, &[subject.into(), now.into()])? > 0 {
        tx.due_any();
    }
    Ok(())
}

fn next_due(db: &mut dyn Connection, kind: TaskKind) -> Result<Option<Timestamp>, Fault> {
    let found = db.first(NEXT_DUE, &[kind.as_str().into()])?;
    found.map_or(Ok(None), |mut row| row.time_or_none("tasks.available_on"))
}

impl Store {
    /// Hands out up to `max` tasks that are due at `now`, kinds in the order given, each for
    /// `lease`. A task is nobody else's until then, nor while it is [in hand](Store::in_hand).
    pub async fn claim(
        &self,
        kinds: &[TaskKind],
        now: Timestamp,
        lease: SignedDuration,
        max: usize,
    ) -> Result<Vec<Claim>, Error> {
        let board = self.board();
        let kinds: Vec<TaskKind> =
            kinds.iter().copied().filter(|kind| board.may_be_due(*kind, now)).collect();
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let until = now.saturating_add(lease).unwrap_or(Timestamp::MAX);
        let max = max.min(CLAIM_LIMIT);
        let ending = self.tasks_in_hand().ending(now, until);
        let claimed = self.write(move |tx| {
            taking::go_on(tx, &ending, until)?;
            let token = Uuid::new_v4().simple().to_string();
            let mut claims = Vec::new();
            for kind in kinds {
                if claims.len() >= max {
                    break;
                }
                claims.append(&mut taking::claim(
                    tx,
                    kind,
                    (now, until),
                    max - claims.len(),
                    &token,
                )?);
            }
            Ok(claims)
        });
        let claimed = claimed.await?;
        self.pace().took(claimed.iter().filter(|claim| claim.is_of_a_document()).count());
        Ok(claimed)
    }

    /// Gives a task back, to be handed out at `at` or later.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn reschedule(&self, claim: Claim, at: Timestamp) -> Result<(), Error> {
        self.write(move |tx| postpone(tx, &claim, at)).await
    }

    /// As [`Store::reschedule`], of a task with which nothing was done: this time it was not handed
    /// out. Those of its organisation that wait behind it do not wait for it any more.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn put_back(&self, claim: Claim, at: Timestamp) -> Result<(), Error> {
        self.write(move |tx| put_back(tx, &claim, at)).await
    }

    /// When the next task of these kinds becomes available, in the past if one is due now; `None`
    /// if there is none.
    pub async fn next_due(&self, kinds: &[TaskKind]) -> Result<Option<Timestamp>, Error> {
        let kinds = kinds.to_vec();
        self.read(move |db| {
            let mut next: Option<Timestamp> = None;
            for kind in kinds {
                next = [next, next_due(db, kind)?].into_iter().flatten().min();
            }
            Ok(next)
        })
        .await
    }

    /// Drops a task whose subject is gone.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn drop_task(&self, claim: Claim) -> Result<(), Error> {
        self.write(move |tx| finish(tx, &claim)).await
    }

    /// Ends every lease: what a process that is gone had in hand is due again. Only for a store
    /// that no other process uses, right after it was opened.
    pub async fn end_leases(&self) -> Result<usize, Error> {
        self.write(move |tx| {
            tx.due_any();
            Ok(tx.execute(END_LEASES, &[])?)
        })
        .await
    }
}
