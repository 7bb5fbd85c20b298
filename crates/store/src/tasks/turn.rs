//! Tasks that wait for their turn at a destination that has no room: each destination has a few
//! lanes, in which they wait in the order of their recording without being looked at.

use jiff::Timestamp;

use super::Claim;
use crate::error::{Error, Refusal};
use crate::open::Store;

/// One of a lane may be taken or is in hand, the others wait: the first that comes, and whoever was
/// it stays it.
const QUEUE_UP: &str = "UPDATE tasks SET run_at = ?3, claim_token = NULL, lane = ?4,
    claims = max(claims - 1, 0), available_on = CASE WHEN EXISTS
        (SELECT 1 FROM tasks WHERE lane = ?4 AND id <> ?1 AND available_on IS NOT NULL)
        THEN NULL ELSE ?3 END
    WHERE id = ?1 AND claim_token = ?2";

impl Store {
    /// Gives a task back with which nothing was done, into a lane: the first of a lane is handed
    /// out at `at` or later, and the next one when that is done. It was not handed out this time.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn queue_up(&self, claim: Claim, lane: String, at: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            let params = [claim.task.into(), (&claim.token).into(), at.into(), (&lane).into()];
            if tx.execute(QUEUE_UP, &params)? == 0 {
                return Err(Refusal::StaleClaim { task: claim.task }.into());
            }
            tx.due(claim.kind, at);
            Ok(())
        })
        .await
    }
}
