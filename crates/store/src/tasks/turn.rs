//! Tasks that wait for their turn at a destination that has no room: each destination has a lane, in
//! which they wait in the order of their recording. Whoever is its first is looked at again; whoever
//! got a place has left it, so that an answer that takes its time holds nobody up.

use jiff::Timestamp;

use super::{Claim, next_in_lane};
use crate::engine::Param;
use crate::error::{Error, Refusal};
use crate::open::Store;
use crate::writer::Tx;

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

impl Store {
    /// Gives a task back with which nothing was done, into a lane: the first of a lane is handed
    /// out at `at`, and at once when another one of the lane got a place or is done. It was not
    /// handed out this time.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn queue_up(&self, claim: Claim, lane: String, at: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            kept(tx, QUEUE_UP, &claim, at, &[(&lane).into()])?;
            if claim.lane.as_ref().is_some_and(|before| *before != lane) {
                // It goes elsewhere by now: those behind it do not.
                next_in_lane(tx, &claim)?;
            }
            tx.due(claim.kind, at);
            Ok(())
        })
        .await
    }

    /// Keeps a task for longer: for a step that takes its time. A document that waited in a lane
    /// has got its place, and leaves it.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn extend(&self, claim: &Claim, until: Timestamp) -> Result<(), Error> {
        let claim = claim.clone();
        self.write(move |tx| {
            if !claim.is_in_a_lane() {
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
    let mut params = vec![claim.task.into(), (&claim.token).into(), at.into()];
    params.extend_from_slice(more);
    match tx.execute(sql, &params)? {
        0 => Err(Refusal::StaleClaim { task: claim.task }.into()),
        _ => Ok(()),
    }
}
