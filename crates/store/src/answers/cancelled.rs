//! Which of two an answer is about that names an order: the order, or its cancellation. The message
//! names the same number for both.

use jiff::Timestamp;
use quoin_delivery::TransactionId;

use crate::error::Error;
use crate::open::Store;
use crate::transactions::{self, TransactionRecord};

/// The cancellation of an order of ours that its receiver had at a time, and has not refused since.
const IN_FORCE: &str = "SELECT a.answer FROM answers a JOIN transactions t ON t.id = a.answer
    WHERE a.subject = ?1 AND a.cancels = 1 AND t.direction = 'outgoing' AND t.status = 'Delivered'
    AND EXISTS (SELECT 1 FROM attempts made WHERE made.transaction_id = a.answer
        AND made.outcome = 'delivered' AND made.ended_on <= ?2)
    AND NOT EXISTS (SELECT 1 FROM answers r JOIN transactions given ON given.id = r.answer
        WHERE r.subject = a.answer AND r.status = 'RE'
        AND given.status NOT IN ('Rejected', 'Failed'))
    ORDER BY a.created_on, a.answer LIMIT 1";

impl Store {
    /// The cancellation that an answer is about which names an order of ours, and came at this
    /// time: where the receiver had the cancellation by then, nothing else of the order is
    /// answered, until it has refused it.
    pub async fn cancellation_answered(
        &self,
        order: &TransactionId,
        at: Timestamp,
    ) -> Result<Option<TransactionRecord>, Error> {
        let order = order.clone();
        self.read(move |db| {
            let Some(mut row) = db.first(IN_FORCE, &[order.as_str().into(), at.into()])? else {
                return Ok(None);
            };
            let found = row.text("answers.answer")?;
            Ok(transactions::find(db, &found)?)
        })
        .await
    }
}
