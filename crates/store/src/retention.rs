//! How long documents are kept: when their time is over their bytes go, and the record of their
//! passage stays (interface specification 3.3, 3.5 and 8).
//!
//! Each document knows until when it is kept from the moment it reaches its end, so that what is
//! over is found by an index, on a reader, however much there is. Where the periods change, every
//! document is planned anew, a few at a time.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use quoin_delivery::{OrganisationId, TimelineEntry, TransactionId};

use crate::blobs::{self, BlobId};
use crate::engine::{Param, SqlRow};
use crate::error::{Error, Fault};
use crate::evidence;
use crate::keeping::{Keep, KeepPeriods, in_force};
use crate::open::Store;
use crate::statuses;
use crate::timeline;
use crate::writer::Tx;

/// Documents whose bytes go in one commit, at most, and how long dropping them takes: little, so
/// that uploads come between.
pub const BATCH: usize = 32;
const DROPPING: Duration = Duration::from_millis(2);
/// Documents that are looked at in one step of planning, at most.
const LOOKED_AT: i64 = 2_000;
const WRITE: &str =
    "UPDATE retention SET received = ?1, downloaded = ?2, failed = ?3, sent = ?4, is_planned = 0";
const PLANNED: &str = "UPDATE retention SET is_planned = 1";
/// How far a step of planning goes.
const STEP: &str = "SELECT max(rowid) FROM
    (SELECT rowid FROM transactions WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)";
/// Until when a document is kept by the periods, as it stands.
macro_rules! due {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            "CASE WHEN blob IS NULL OR status NOT IN ('Delivered', 'Rejected', 'Failed') THEN NULL
             WHEN direction = 'incoming' THEN
                CASE WHEN downloaded_on IS NULL THEN created_on + ?1 ELSE downloaded_on + ?2 END
             WHEN status = 'Delivered' THEN changed_on + ?4 ELSE changed_on + ?3 END",
            $after
        )
    };
}

/// Documents whose time is another one than the periods say.
const UNPLANNED: &str =
    due!("SELECT id FROM transactions WHERE keep_until IS NOT ", " AND rowid > ?5 AND rowid <= ?6");
const PLAN: &str = due!("UPDATE transactions SET keep_until = ", " WHERE id = ?5");
/// What an authority is still owed is kept whatever its period says: it is told of the same bytes,
/// and a tax report that it did not take is made once more of them.
macro_rules! settled {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " AND NOT EXISTS (SELECT 1 FROM clearances c WHERE c.transaction_id = transactions.id
                AND c.state IN ('waiting', 'offline'))
              AND NOT EXISTS (SELECT 1 FROM tax_reports r INDEXED BY tax_reports_place
                WHERE r.transaction_id = transactions.id AND r.state IN
                ('due', 'gathered', 'sending', 'sent', 'rejected', 'failed'))",
            $after
        )
    };
}
const OVER: &str = settled!(
    "SELECT id, organisation, blob, downloaded_on IS NOT NULL, direction
     FROM transactions WHERE keep_until <= ?1",
    " ORDER BY keep_until LIMIT ?2"
);
/// It may have been downloaded or deleted since it was found.
const EXPIRE: &str = settled!(
    "UPDATE transactions SET expired_on = ?2, blob = NULL, keep_until = NULL, version = version + 1
     WHERE id = ?1 AND keep_until <= ?2 AND blob = ?3",
    ""
);

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

/// How far planning is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planning {
    place: i64,
    /// Documents whose time was another one so far.
    pub changed: usize,
}

impl Store {
    /// Has documents kept for these periods from now on. Answers where to begin with those that are
    /// there; `None` where all of them are planned by the same periods already.
    pub async fn keep(&self, keep: Keep) -> Result<Option<Planning>, Error> {
        let periods = KeepPeriods::from(keep);
        let planned = self
            .write(move |tx| {
                let (found, is_planned) = in_force(tx.connection())?;
                if found != periods {
                    tx.execute(WRITE, &periods.params())?;
                }
                Ok(found == periods && is_planned)
            })
            .await?;
        *self.keep.lock().unwrap_or_else(PoisonError::into_inner) = periods;
        Ok((!planned).then_some(Planning { place: 0, changed: 0 }))
    }

    /// Plans some of the documents that are there. Answers how to go on; `None` at the end.
    pub async fn plan_retention(&self, at: Planning) -> Result<Option<Planning>, Error> {
        let periods = *self.keep.lock().unwrap_or_else(PoisonError::into_inner);
        let Planning { place, changed } = at;
        let (until, mut found) = self
            .browse(move |db| {
                let until = db.first(STEP, &[place.into(), LOOKED_AT.into()])?;
                let until = until.map_or(Ok(None), |mut row| row.integer_or_none("rowid"))?;
                let Some(until) = until else { return Ok((None, Vec::new())) };
                let [received, downloaded, failed, sent] = periods.params();
                let key = [received, downloaded, failed, sent, place.into(), until.into()];
                let read = |mut row: SqlRow| row.text("transactions.id");
                let rows = db.query(UNPLANNED, &key)?.into_iter().map(read);
                Ok((Some(until), rows.collect::<Result<Vec<_>, Fault>>()?))
            })
            .await?;
        let Some(until) = until else {
            self.write(|tx| Ok(tx.execute(PLANNED, &[]).map(|_| ())?)).await?;
            return Ok(None);
        };
        let next = Planning { place: until, changed: changed + found.len() };
        while !found.is_empty() {
            let rest = found.split_off(found.len().min(BATCH));
            let some = std::mem::replace(&mut found, rest);
            self.write(move |tx| plan(tx, &periods, &some)).await?;
        }
        Ok(Some(next))
    }

    /// Drops the bytes of some documents whose time is over, [`BATCH`] at most; answers how many
    /// were looked at. Call it again until there are none.
    pub async fn expire(&self, now: Timestamp) -> Result<usize, Error> {
        let most = i64::try_from(BATCH).unwrap_or(i64::MAX);
        let over = self
            .browse(move |db| {
                let rows = db.query(OVER, &[now.into(), most.into()])?;
                Ok(rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()?)
            })
            .await?;
        if over.is_empty() {
            return Ok(0);
        }
        let (dropped, files) = self.write(move |tx| expire(tx, &over, now)).await?;
        for file in files {
            self.blobs.discard(Some(file)).await;
        }
        Ok(dropped)
    }
}

fn plan(tx: &mut Tx<'_>, periods: &KeepPeriods, some: &[String]) -> Result<(), Error> {
    let [received, downloaded, failed, sent] = periods.params();
    for id in some {
        tx.execute(PLAN, &[received, downloaded, failed, sent, id.into()])?;
    }
    Ok(())
}

/// Answers how many were looked at, one at least, and the files to discard.
fn expire(
    tx: &mut Tx<'_>,
    over: &[ExpiredDocument],
    now: Timestamp,
) -> Result<(usize, Vec<String>), Error> {
    let (begun, mut files) = (Instant::now(), Vec::new());
    for (before, document) in over.iter().enumerate() {
        if before > 0 && begun.elapsed() > DROPPING {
            return Ok((before, files));
        }
        let id = document.id.as_str().into();
        if tx.execute(EXPIRE, &[id, now.into(), Param::Blob(&document.blob.0)])? == 0 {
            continue;
        }
        let line = TimelineEntry {
            name: "Expired".to_owned(),
            description: why(document).to_owned(),
            code: None,
            created_on: now,
        };
        timeline::add(tx, &document.id, &[line])?;
        statuses::nudge(tx, document.id.as_str(), now)?;
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
