//! Cancellations of orders: which one is in force, and what is held to it. One that was refused, or
//! that reached nobody, cancels nothing. The answer to a cancellation names its order alone, so
//! that of two it is asked which one is meant.

use jiff::Timestamp;
use quoin_delivery::responses::{AnswerRule, OutOfOrder};
use quoin_delivery::{Status, TransactionId};

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::transactions::{self, TransactionRecord};
use crate::writer::Tx;

/// Asks for the cancellation, of those that meet a condition, that was not refused. An answer that
/// was rejected or given up said nothing to anybody.
macro_rules! in_force {
    ($which:literal) => {
        concat!(
            "SELECT a.answer, t.document_id FROM answers a JOIN transactions t ON t.id = a.answer
             WHERE a.cancels = 1 AND ",
            $which,
            " AND NOT EXISTS (SELECT 1 FROM answers r JOIN transactions given ON given.id = r.answer
                WHERE r.subject = a.answer AND r.status = 'RE'
                AND given.status NOT IN ('Rejected', 'Failed'))
             ORDER BY a.created_on, a.answer LIMIT 1"
        )
    };
}

/// What cancels a document of ours; one that was rejected or given up cancels nothing.
const CANCELLED: &str = in_force!(
    "a.subject = ?1 AND t.direction = 'outgoing' AND t.status NOT IN ('Rejected', 'Failed')"
);
/// What cancelled an order that came, or the order that a change which came is about. One that
/// breaks its rules cancels nothing.
const CANCELLED_BY_BUYER: &str = in_force!(
    "a.subject IN (?1, (SELECT subject FROM answers WHERE answer = ?1))
     AND t.direction = 'incoming' AND t.status NOT IN ('Rejected', 'Failed')"
);
/// The cancellation of an order of ours that its receiver had at a time.
const HAD: &str = in_force!(
    "a.subject = ?1 AND t.direction = 'outgoing' AND t.status = 'Delivered'
     AND EXISTS (SELECT 1 FROM attempts made WHERE made.transaction_id = a.answer
        AND made.outcome = 'delivered' AND made.ended_on <= ?2)"
);

/// Demands of an order that came, and that is answered or whose change is, that its buyer has not
/// cancelled it.
///
/// Errors: [`Refusal::OutOfOrder`].
pub(super) fn demand_wanted(
    tx: &mut Tx<'_>,
    subject: &TransactionId,
    rule: AnswerRule,
) -> Result<(), Error> {
    let ends = matches!(rule, AnswerRule::Order(order) if order.ends_with_its_order());
    if !ends {
        return Ok(());
    }
    let Some(row) = tx.first(CANCELLED_BY_BUYER, &[subject.as_str().into()])? else {
        return Ok(());
    };
    let (_, by) = cancellation(row)?;
    Err(Refusal::OutOfOrder(OutOfOrder::CancelledByBuyer { by }).into())
}

/// Demands of a document that is about to be cancelled that it was not, and did not fail.
///
/// Errors: [`Refusal::OutOfOrder`].
pub(crate) fn demand_open(tx: &mut Tx<'_>, subject: &TransactionId) -> Result<(), Error> {
    let known = transactions::find(tx.connection(), subject.as_str())?;
    let status = known.map(|known| known.transaction.status);
    if let Some(status @ (Status::Rejected | Status::Failed)) = status {
        let status = status.as_str().to_owned();
        return Err(Refusal::OutOfOrder(OutOfOrder::Undelivered { status }).into());
    }
    if let Some(row) = tx.first(CANCELLED, &[subject.as_str().into()])? {
        let (_, by) = cancellation(row)?;
        return Err(Refusal::OutOfOrder(OutOfOrder::Cancelled { by }).into());
    }
    Ok(())
}

/// The cancellation of a row: its key, and its document id.
fn cancellation(mut row: SqlRow) -> Result<(String, String), Fault> {
    Ok((row.text("answers.answer")?, row.text("transactions.document_id")?))
}

/// The same as it is on record, where there is one.
fn read(db: &mut dyn Connection, row: Option<SqlRow>) -> Result<Option<TransactionRecord>, Fault> {
    let Some(row) = row else { return Ok(None) };
    transactions::find(db, &cancellation(row)?.0)
}

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
            let row = db.first(HAD, &[order.as_str().into(), at.into()])?;
            Ok(read(db, row)?)
        })
        .await
    }

    /// The cancellation by its buyer of an order that came: an answer of ours which names the order
    /// is about that, until we have refused it.
    pub async fn cancellation_of(
        &self,
        order: &TransactionId,
    ) -> Result<Option<TransactionRecord>, Error> {
        let order = order.clone();
        self.read(move |db| {
            let row = db.first(CANCELLED_BY_BUYER, &[order.as_str().into()])?;
            Ok(read(db, row)?)
        })
        .await
    }
}
