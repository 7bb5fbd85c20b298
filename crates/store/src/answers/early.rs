//! Changes and cancellations that came before the order which they name: the network keeps no order
//! of messages. They are linked once the order is there, so that nobody accepts what its buyer has
//! taken back. What was issued on a day before the order is about an earlier one of that number.

use jiff::Timestamp;
use quoin_delivery::responses::orders::OrderNews;
use quoin_delivery::{DocumentId, Status, Transaction, TransactionId};

use super::{NewAnswer, SubjectSearch, add, found};
use crate::error::{Error, Fault};
use crate::writer::Tx;

/// A change or a cancellation whose order was not on record when it was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlyMessage {
    /// How the order is found.
    pub order: SubjectSearch,
    /// It takes the order back.
    pub cancels: bool,
}

const KEEP: &str = "INSERT INTO early_answers (answer, organisation, number, cancels)
    VALUES (?1, ?2, ?3, ?4) ON CONFLICT (answer) DO NOTHING";
const OF: &str = "SELECT e.answer, e.cancels, t.document_id, t.number, t.status
    FROM early_answers e JOIN transactions t ON t.id = e.answer
    WHERE e.organisation = ?1 AND e.number = ?2 AND t.party = ?3 AND lower(t.sender) = lower(?4)
    AND NOT EXISTS (SELECT 1 FROM transactions o WHERE o.id = ?5 AND o.issued_on > t.issued_on)
    ORDER BY t.created_on, e.answer";
const DROP: &str = "DELETE FROM early_answers WHERE answer = ?1";

/// What is linked to an order.
struct Linked<'l> {
    answer: &'l TransactionId,
    document: &'l DocumentId,
    number: Option<&'l str>,
    cancels: bool,
    is_rejected: bool,
}

/// Keeps a change or a cancellation until its order is there. Where that came since it was looked
/// for, they are linked at once.
pub(crate) fn keep(
    tx: &mut Tx<'_>,
    (own, number, status): (&Transaction, Option<&str>, Status),
    early: &EarlyMessage,
    now: Timestamp,
) -> Result<(), Error> {
    // Its party may have become part of another one since.
    let question = SubjectSearch { party: own.party.clone(), ..early.order.clone() };
    if let Some(order) = found(tx.connection(), &question)? {
        let linked = Linked {
            answer: &own.id,
            document: &own.document_id,
            number,
            cancels: early.cancels,
            is_rejected: status == Status::Rejected,
        };
        return link(tx, &order.transaction.id, &linked, now);
    }
    let Some(wanted) = question.numbers.first() else { return Ok(()) };
    let owner = own.organisation.as_str().into();
    tx.execute(KEEP, &[own.id.as_str().into(), owner, wanted.into(), early.cancels.into()])?;
    Ok(())
}

/// Links what came before an order that is there now.
pub(crate) fn settle(
    tx: &mut Tx<'_>,
    order: &Transaction,
    (number, sender): (&str, &str),
    now: Timestamp,
) -> Result<(), Error> {
    let owner = order.organisation.as_str().into();
    let key =
        [owner, number.into(), (&order.party).into(), sender.into(), order.id.as_str().into()];
    for mut row in tx.query(OF, &key)? {
        let answer: TransactionId = row.parsed("early_answers.answer")?;
        let cancels = row.yes("early_answers.cancels")?;
        let document: DocumentId = row.parsed("transactions.document_id")?;
        let number = row.text_or_none("transactions.number")?;
        let status = row.word("transactions.status", Status::named)?;
        let linked = Linked {
            answer: &answer,
            document: &document,
            number: number.as_deref(),
            cancels,
            is_rejected: status == Status::Rejected,
        };
        link(tx, &order.id, &linked, now)?;
        forget(tx, &answer)?;
    }
    Ok(())
}

fn forget(tx: &mut Tx<'_>, answer: &TransactionId) -> Result<(), Fault> {
    tx.execute(DROP, &[answer.as_str().into()])?;
    Ok(())
}

fn link(
    tx: &mut Tx<'_>,
    order: &TransactionId,
    linked: &Linked<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    let news = if linked.cancels { OrderNews::Cancelled } else { OrderNews::Changed };
    let line = news.line((linked.document, linked.number), linked.is_rejected, now);
    let lines = vec![(order.clone(), line)];
    let answer = NewAnswer { cancels: linked.cancels, lines, ..NewAnswer::to(order.clone()) };
    add(tx, linked.answer, &answer, now)
}
