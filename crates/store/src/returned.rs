//! Mail that came back: the document that it brought, and what was said of it, once for each
//! recipient. The status of the document stays; its timeline and its events tell of it.

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::{Decision, Transaction, TransactionId};
use uuid::Uuid;

use crate::blobs::{self, BlobId};
use crate::consequences;
use crate::engine::Param;
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::transactions::{TransactionRecord, columns, read};

/// What was said of a mail that came back.
#[derive(Debug, Clone)]
pub struct MailReturned {
    /// The document that it brought.
    pub transaction: Transaction,
    /// The recipient of whom it was said.
    pub recipient: String,
    /// What was said, in one word.
    pub word: &'static str,
    /// The report in which it was said.
    pub report: Bytes,
    /// What follows.
    pub decision: Decision,
    /// When.
    pub now: Timestamp,
}

/// Documents of one message id: of several organisations it is another one.
const BY_MESSAGE: &str =
    columns!("WHERE direction = 'outgoing' AND message_id >= ?1 AND message_id < ?2 LIMIT 1");
const ADD: &str = "INSERT INTO returned_mails (transaction_id, recipient, word, report, told_on)
    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (transaction_id, recipient, word) DO NOTHING";
const REPORTS: &str = "SELECT report FROM returned_mails WHERE transaction_id = ?1
    GROUP BY report ORDER BY min(told_on), report";

impl Store {
    /// The document that was sent under this id: the left side of its message id.
    pub async fn sent_as(&self, id: Uuid) -> Result<Option<TransactionRecord>, Error> {
        // What stands behind it is @ and a domain; the letter after @ is A.
        let (from, until) = (format!("{id}@"), format!("{id}A"));
        self.read(move |db| {
            let key = [from.as_str().into(), until.as_str().into()];
            Ok(db.first(BY_MESSAGE, &key)?.map(read).transpose()?)
        })
        .await
    }

    /// Records what was said of a mail that came back, with what follows from it, unless the same
    /// was said of the same recipient before. Answers whether it is new.
    ///
    /// Errors: what the engine says.
    pub async fn mail_returned(&self, returned: MailReturned) -> Result<bool, Error> {
        let owner = returned.transaction.organisation.clone();
        let blob = self.blobs.ready(&owner, returned.report.clone()).await?;
        let (is_new, surplus) = self
            .write(move |tx| {
                let MailReturned { transaction, recipient, word, decision, now, .. } = &returned;
                let row = [
                    transaction.id.as_str().into(),
                    recipient.as_str().into(),
                    (*word).into(),
                    Param::Blob(&blob.id.0),
                    (*now).into(),
                ];
                if tx.execute(ADD, &row)? == 0 {
                    return Ok((false, blob.into_file()));
                }
                let surplus = blobs::record(tx, &transaction.organisation, &blob)?;
                consequences::record(tx, transaction, decision, *now)?;
                Ok((true, surplus))
            })
            .await?;
        self.blobs.discard(surplus).await;
        Ok(is_new)
    }

    /// The reports in which something was said of the mail that brought a document, the oldest
    /// first, each once.
    pub async fn mail_reports_of(&self, id: &TransactionId) -> Result<Vec<BlobId>, Error> {
        let id = id.clone();
        self.read(move |db| {
            let rows = db.query(REPORTS, &[id.as_str().into()])?;
            let blob = |mut row: crate::engine::SqlRow| {
                Ok::<_, Fault>(BlobId(row.digest("returned_mails.report")?))
            };
            Ok(rows.into_iter().map(blob).collect::<Result<_, _>>()?)
        })
        .await
    }
}
