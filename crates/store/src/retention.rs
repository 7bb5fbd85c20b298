//! How long documents are kept: when their time is over their bytes go, and the record of their
//! passage stays (interface specification 3.3, 3.5 and 8).

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{OrganisationId, TimelineEntry, TransactionId};

use crate::blobs::{self, BlobId};
use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::evidence;
use crate::open::Store;
use crate::statuses;
use crate::timeline;
use crate::writer::Tx;

/// Documents whose bytes go in one commit, at most.
pub const BATCH: usize = 200;

/// How long what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// What arrived and was not downloaded, from its arrival.
    pub received: SignedDuration,
    /// What arrived and was downloaded, from its first download.
    pub downloaded: SignedDuration,
    /// What was sent and failed, from its failure.
    pub failed: SignedDuration,
    /// What was sent and delivered, from its delivery; `None` for ever.
    pub sent: Option<SignedDuration>,
}

impl Default for Keep {
    /// 90 days, 7 days after download, 90 days for what failed, and what was sent for ever.
    fn default() -> Keep {
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        Keep { received: days(90), downloaded: days(7), failed: days(90), sent: None }
    }
}

const OVER: &str = "SELECT id, organisation, blob, downloaded_on IS NOT NULL, direction
    FROM transactions
    WHERE blob IS NOT NULL AND created_on <= ?1 AND (
        (direction = 'incoming' AND status IN ('Delivered', 'Rejected', 'Failed')
            AND ((downloaded_on IS NULL AND created_on <= ?2) OR downloaded_on <= ?3))
        OR (direction = 'outgoing' AND status IN ('Rejected', 'Failed') AND changed_on <= ?4)
        OR (direction = 'outgoing' AND status = 'Delivered' AND changed_on <= ?5))
    ORDER BY created_on LIMIT ?6";
const EXPIRE: &str = "UPDATE transactions SET expired_on = ?2, blob = NULL, version = version + 1
    WHERE id = ?1 AND blob IS NOT NULL";

struct ExpiredDocument {
    id: TransactionId,
    organisation: OrganisationId,
    blob: BlobId,
    downloaded: bool,
    incoming: bool,
}

fn read(mut row: SqlRow) -> Result<ExpiredDocument, Fault> {
    Ok(ExpiredDocument {
        id: row.parsed("transactions.id")?,
        organisation: row.parsed("transactions.organisation")?,
        blob: BlobId(row.digest("transactions.blob")?),
        downloaded: row.yes("transactions.downloaded_on")?,
        incoming: row.text("transactions.direction")? == "incoming",
    })
}

impl Store {
    /// Drops the bytes of up to [`BATCH`] documents whose time is over; answers how many there
    /// were. Call it again until there are none.
    pub async fn expire(&self, keep: Keep, now: Timestamp) -> Result<usize, Error> {
        let (dropped, files) = self.write(move |tx| expire(tx, keep, now)).await?;
        for file in files {
            self.blobs.discard(Some(file)).await;
        }
        Ok(dropped)
    }
}

fn expire(tx: &mut Tx<'_>, keep: Keep, now: Timestamp) -> Result<(usize, Vec<String>), Error> {
    let before = |time: SignedDuration| now.saturating_sub(time).unwrap_or(Timestamp::MIN);
    let shortest = [Some(keep.received), Some(keep.downloaded), Some(keep.failed), keep.sent];
    let shortest = shortest.into_iter().flatten().min().unwrap_or_default();
    let params = [
        before(shortest).into(),
        before(keep.received).into(),
        before(keep.downloaded).into(),
        before(keep.failed).into(),
        keep.sent.map_or(Timestamp::MIN, before).into(),
        i64::try_from(BATCH).unwrap_or(i64::MAX).into(),
    ];
    let over: Result<Vec<ExpiredDocument>, Fault> =
        tx.query(OVER, &params)?.into_iter().map(read).collect();
    let over = over?;
    let mut files = Vec::new();
    for document in &over {
        tx.execute(EXPIRE, &[document.id.as_str().into(), now.into()])?;
        let line = TimelineEntry {
            name: "Expired".to_owned(),
            description: why(document).to_owned(),
            code: None,
            created_on: now,
        };
        timeline::add(tx, &document.id, &[line])?;
        statuses::nudge(tx, &document.id, now)?;
        files.extend(blobs::release(tx, &document.organisation, document.blob)?);
        files.extend(evidence::drop_payload(tx, &document.organisation, &document.id)?);
    }
    Ok((over.len(), files))
}

fn why(document: &ExpiredDocument) -> &'static str {
    match (document.incoming, document.downloaded) {
        (true, true) => "The document was downloaded long enough ago and is no longer kept.",
        (true, false) => "The document was not downloaded in time and is no longer kept.",
        (false, _) => "The time for which the document is kept is over.",
    }
}
