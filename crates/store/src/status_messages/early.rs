//! Statuses that came before the line of their document was there: its access point had it, and the
//! receipt was lost or is still on its way. The first of them settles the line once it is there.

use jiff::Timestamp;
use quoin_delivery::TransactionId;
use quoin_delivery::mls::MlsCode;

use super::{line, settle};
use crate::error::{Error, Fault};
use crate::statuses::IssueRecord;
use crate::tax;
use crate::writer::Tx;

const LINE: &str = "SELECT 1 FROM statuses WHERE transaction_id = ?1";
/// Only of the provider that the document went to in the end.
const FIRST: &str = "SELECT m.message, m.provider, m.code, m.description, m.issues, t.created_on
    FROM status_messages m JOIN statuses s ON s.transaction_id = m.subject
    AND s.provider = m.provider JOIN transactions t ON t.id = m.message
    WHERE m.subject = ?1 AND m.early = 1
    ORDER BY t.created_on, m.created_on, m.message LIMIT 1";
const COUNTS: &str = "UPDATE status_messages SET counts = 1 WHERE message = ?1";

/// Whether a document has a line, which its first status settles.
pub(super) fn has_line(tx: &mut Tx<'_>, subject: &TransactionId) -> Result<bool, Fault> {
    Ok(tx.first(LINE, &[subject.as_str().into()])?.is_some())
}

/// Settles the line of a document, which is there now, by the first status that came before.
/// Answers what that says.
pub(crate) fn settled(
    tx: &mut Tx<'_>,
    subject: &TransactionId,
    now: Timestamp,
) -> Result<Option<MlsCode>, Error> {
    let Some(mut row) = tx.first(FIRST, &[subject.as_str().into()])? else { return Ok(None) };
    let message: TransactionId = row.parsed("status_messages.message")?;
    let provider = row.text("status_messages.provider")?;
    let code = row.word("status_messages.code", MlsCode::named)?;
    let description = row.text("status_messages.description")?;
    let issues: Vec<IssueRecord> = row.json("status_messages.issues")?;
    let told_on = row.time("transactions.created_on")?;
    if !settle(tx, subject, (&message, code), &provider, told_on)? {
        return Ok(None);
    }
    tx.execute(COUNTS, &[message.as_str().into()])?;
    tax::told(tx, subject, code, (&description, &issues), now)?;
    let description =
        format!("{} of {provider}, which came before its receipt, counts.", code.as_str());
    line(tx, subject, description, code == MlsCode::Rejected, now)?;
    Ok(Some(code))
}
