//! Taking tasks that are due, and keeping those that are in hand.

use jiff::Timestamp;
use quoin_delivery::TaskKind;

use super::{Claim, next_due};
use crate::engine::{Param, SqlRow};
use crate::error::Fault;
use crate::in_hand::TaskInHand;
use crate::open::Store;
use crate::writer::Tx;

const CLAIM: &str = "UPDATE tasks
    SET available_on = ?4, claim_token = ?5, claims = claims + 1
    WHERE id IN (SELECT id FROM tasks WHERE kind = ?1 AND available_on <= ?2
        ORDER BY available_on, id LIMIT ?3)
    RETURNING id, subject, lane, run_at, claims, faults";
/// A later end of a lease that was made longer meanwhile stays.
const GO_ON: &str = "UPDATE tasks SET available_on = max(available_on, ?3)
    WHERE id = ?1 AND claim_token = ?2";

/// Writes down that leases go on.
pub(super) fn go_on(
    tx: &mut Tx<'_>,
    leases: &[(i64, String)],
    until: Timestamp,
) -> Result<(), Fault> {
    for (task, token) in leases {
        tx.execute(GO_ON, &[(*task).into(), token.into(), until.into()])?;
    }
    Ok(())
}

/// Hands out up to `max` tasks of a kind that are due, under one token.
pub(super) fn claim(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    (now, lease_until): (Timestamp, Timestamp),
    max: usize,
    token: &str,
) -> Result<Vec<Claim>, Fault> {
    let most = i64::try_from(max).unwrap_or(i64::MAX);
    let params =
        [kind.as_str().into(), now.into(), most.into(), lease_until.into(), Param::from(token)];
    let read = |mut row: SqlRow| {
        Ok(Claim {
            task: row.integer("tasks.id")?,
            kind,
            subject: row.text("tasks.subject")?,
            lane: row.text_or_none("tasks.lane")?,
            run_at: row.time("tasks.run_at")?,
            lease_until,
            claims: row.count("tasks.claims")?,
            faults: row.count("tasks.faults")?,
            token: token.to_owned(),
        })
    };
    let claims: Result<Vec<Claim>, Fault> =
        tx.query(CLAIM, &params)?.into_iter().map(read).collect();
    let mut claims = claims?;
    claims.sort_by_key(|claim| (claim.run_at, claim.task));
    if claims.len() < max {
        let next = next_due(tx.connection(), kind)?;
        tx.know(kind, next);
    }
    Ok(claims)
}

impl Store {
    /// Takes a task in hand: as long as the answer lives, nobody else of this process claims it,
    /// also where the clock says that its lease has ended.
    pub fn in_hand(&self, claim: &Claim) -> TaskInHand {
        self.tasks_in_hand().take(claim)
    }
}
