//! What a party does with the documents that arrived for it: it downloads them, and deletes them.

use jiff::Timestamp;
use quoin_delivery::{Direction, DocumentId, OrganisationId, TimelineEntry};

use crate::blobs;
use crate::error::{Error, Refusal};
use crate::evidence;
use crate::open::Store;
use crate::statuses;
use crate::timeline;
use crate::transactions::find_document;

/// A step that has the document in hand goes on with it: it reads from the row when that was.
const DOWNLOADED: &str = "UPDATE transactions
    SET downloaded_on = coalesce(downloaded_on, ?4),
    keep_until = CASE WHEN blob IS NOT NULL AND status IN ('Delivered', 'Rejected', 'Failed')
        THEN coalesce(downloaded_on, ?4) + ?5 END
    WHERE organisation = ?1 AND direction = ?2 AND document_id = ?3 AND deleted_on IS NULL
    RETURNING id";
const DELETED: &str = "UPDATE transactions
    SET deleted_on = ?2, changed_on = ?2, blob = NULL, keep_until = NULL, version = version + 1 WHERE id = ?1";

const REPORTED: &str = "SELECT 1 FROM tax_reports WHERE transaction_id = ?1 LIMIT 1";
/// What the timeline says of a deletion.
const DELETED_ALL: &str = "The party deleted the document.";
const DELETED_REPORTED: &str = "The party deleted the document. What tax authorities were told of \
    it is kept, and shown without the document itself.";

impl Store {
    /// Notes that the party has downloaded an arrived document; the first time counts.
    ///
    /// Errors: [`Refusal::NotFound`] where there is none, or it was deleted.
    pub async fn mark_downloaded(
        &self,
        organisation: &OrganisationId,
        document: &DocumentId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (organisation, document) = (organisation.clone(), document.clone());
        self.write(move |tx| {
            let row = [
                organisation.as_str().into(),
                Direction::Incoming.as_str().into(),
                document.as_str().into(),
                now.into(),
                tx.keep.downloaded.into(),
            ];
            let mut found = tx.first(DOWNLOADED, &row)?.ok_or_else(|| gone(&document))?;
            let id = found.text("transactions.id")?;
            Ok(statuses::nudge(tx, &id, now)?)
        })
        .await
    }

    /// Deletes an arrived document for good: its bytes go, the record of its passage stays.
    ///
    /// Errors: [`Refusal::NotFound`] where there is none, or it was deleted before.
    pub async fn delete_incoming(
        &self,
        organisation: &OrganisationId,
        document: &DocumentId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (organisation, document) = (organisation.clone(), document.clone());
        let files = self
            .write(move |tx| {
                let db = tx.connection();
                let found = find_document(db, &organisation, Direction::Incoming, &document)?;
                let record = found.filter(|r| r.deleted_on.is_none());
                let record = record.ok_or_else(|| gone(&document))?;
                let id = &record.transaction.id;
                tx.execute(DELETED, &[id.as_str().into(), now.into()])?;
                let is_reported = tx.first(REPORTED, &[id.as_str().into()])?.is_some();
                let line = TimelineEntry {
                    name: "Deleted".to_owned(),
                    description: if is_reported { DELETED_REPORTED } else { DELETED_ALL }
                        .to_owned(),
                    code: None,
                    created_on: now,
                };
                timeline::add(tx, id, &[line])?;
                statuses::nudge(tx, id.as_str(), now)?;
                let mut files = evidence::drop_payload(tx, &organisation, id)?;
                if let Some(blob) = record.blob {
                    files.extend(blobs::release(tx, &organisation, blob)?);
                }
                Ok(files)
            })
            .await?;
        for file in files {
            self.blobs.discard(Some(file)).await;
        }
        Ok(())
    }
}

fn gone(document: &DocumentId) -> Error {
    Refusal::NotFound { what: "received document", key: document.to_string() }.into()
}
