//! Answers to one document leave in the order in which they were given: what a buyer said last is
//! what counts, so that "approved" must not arrive behind "paid".

use jiff::{SignedDuration, Timestamp};
use quoin_store::{Claim, TransactionRecord};

use crate::step::StepFault;
use crate::worker::Worker;

/// After how long an answer that waits for the one before it is looked at again at the latest. It
/// is let go when that one has ended.
const LOOK: SignedDuration = SignedDuration::from_mins(10);

/// When an answer that waits is looked at again.
pub(super) fn looked_at_again(now: Timestamp) -> Timestamp {
    now.saturating_add(LOOK).unwrap_or(Timestamp::MAX)
}

impl Worker {
    /// Whether a document is an answer that waits for the one before it, to the same document,
    /// which has neither arrived nor been given up: its step is given back then.
    pub(super) async fn is_behind(
        &self,
        claim: &Claim,
        record: &TransactionRecord,
    ) -> Result<bool, StepFault> {
        if !record.transaction.family.may_answer() {
            return Ok(false);
        }
        let again = looked_at_again(self.clock.now());
        Ok(self.store.waits_for_earlier(claim, again).await?)
    }
}
