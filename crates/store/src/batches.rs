//! Batches: events that a hook collects, and the archive that is made of them. A batch is open
//! until its period is over or it is full; it is sealed before it is read, so that what comes later
//! goes into the next one.

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::{DocumentId, EventId, HookId, Notice, OrganisationId, TaskKind, Topic};

use crate::blobs::{self, BlobId};
use crate::engine::{Param, SqlRow};
use crate::error::{Error, Fault};
use crate::events::{self, EventRecord, EventSubject};
use crate::fanout;
use crate::open::Store;
use crate::tasks::{self, Claim};

/// A batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchRecord {
    /// Its id, under which its archive is fetched.
    pub id: DocumentId,
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the hook that collects.
    pub hook: HookId,
    /// Its id.
    pub hook_id: HookId,
    /// The key of the party.
    pub party: String,
    /// The topic of its events.
    pub topic: Topic,
    /// Whether its archive is made: it is closed, or was.
    pub closed: bool,
    /// Its archive, as long as it is kept.
    pub blob: Option<BlobId>,
}

const GET: &str = "SELECT id, organisation, hook, coalesce((SELECT shown FROM hooks h
    WHERE h.organisation = b.organisation AND h.id = b.hook), hook), party, topic, state, blob
    FROM batches b WHERE id = ?1";
const EVENTS: &str = "SELECT event FROM hook_calls WHERE batch = ?1 AND state = 'pending'
    ORDER BY event";
const CLOSE: &str = "UPDATE batches SET state = 'closed', closed_on = ?2, blob = ?3, size = ?4
    WHERE id = ?1";
const CLOSE_CALLS: &str = "UPDATE hook_calls SET state = 'delivered', tries = 1, changed_on = ?2
    WHERE batch = ?1 AND state = 'pending'";
const EXPIRE: &str = "UPDATE batches SET state = 'expired', blob = NULL WHERE id = ?1";

fn read(mut row: SqlRow) -> Result<BatchRecord, Fault> {
    Ok(BatchRecord {
        id: row.parsed("batches.id")?,
        organisation: row.parsed("batches.organisation")?,
        hook: row.parsed("batches.hook")?,
        hook_id: row.parsed("hooks.shown")?,
        party: row.text("batches.party")?,
        topic: row.word("batches.topic", Topic::named)?,
        closed: matches!(row.text("batches.state")?.as_str(), "closed" | "expired"),
        blob: row.digest_or_none("batches.blob")?.map(BlobId),
    })
}

/// An archive that was made.
#[derive(Debug, Clone)]
pub struct Archive {
    /// The batch.
    pub batch: BatchRecord,
    /// Its bytes.
    pub bytes: Bytes,
    /// The event that tells of it.
    pub notice: Notice,
    /// Until when it is kept.
    pub keep_until: Timestamp,
}

fn event_of(mut row: SqlRow) -> Result<EventId, Fault> {
    Ok(EventId(row.integer("hook_calls.event")?))
}

impl Store {
    /// Seals a batch and answers it with its events. Can be asked again after a crash.
    pub async fn seal_batch(
        &self,
        id: &str,
    ) -> Result<Option<(BatchRecord, Vec<EventRecord>)>, Error> {
        let id = id.to_owned();
        let sealed = self.write(move |tx| {
            tx.execute(fanout::SEAL_BATCH, &[(&id).into()])?;
            let Some(row) = tx.first(GET, &[(&id).into()])? else { return Ok(None) };
            let batch = read(row)?;
            let mut found = Vec::new();
            for row in tx.query(EVENTS, &[(&id).into()])? {
                found.extend(events::find(tx.connection(), event_of(row)?)?);
            }
            Ok(Some((batch, found)))
        });
        let mut sealed: Option<(BatchRecord, Vec<EventRecord>)> = sealed.await?;
        if let Some((_, events)) = &mut sealed {
            self.named(events.iter_mut().collect()).await?;
        }
        Ok(sealed)
    }

    /// Records the archive of a batch, tells of it, and plans its end.
    ///
    /// Errors: [`crate::Refusal::StaleClaim`].
    pub async fn close_batch(
        &self,
        claim: Claim,
        archive: Archive,
        now: Timestamp,
    ) -> Result<(), Error> {
        let Archive { batch, bytes, notice, keep_until } = archive;
        let ready = self.blobs.ready(&batch.organisation, bytes).await?;
        let file = ready.file().into_iter().collect();
        let surplus = self
            .write_files(file, move |tx| {
                tasks::finish(tx, &claim)?;
                let surplus = blobs::record(tx, &batch.organisation, &ready)?;
                let size = i64::try_from(ready.size).unwrap_or(i64::MAX);
                let id = batch.id.as_str();
                let blob = Param::Blob(&ready.id.0);
                tx.execute(CLOSE, &[id.into(), now.into(), blob, size.into()])?;
                tx.execute(CLOSE_CALLS, &[id.into(), now.into()])?;
                let subject = EventSubject {
                    organisation: batch.organisation.clone(),
                    party: batch.party.clone(),
                    transaction: None,
                    document_id: batch.id.clone(),
                    origin: Some(batch.hook.clone()),
                    depth: 1,
                };
                fanout::add(tx, &subject, &notice, now)?;
                tasks::add(tx, TaskKind::Batch, id, keep_until, None)?;
                Ok(surplus)
            })
            .await?;
        self.blobs.discard(surplus).await;
        Ok(())
    }

    /// Forgets the archive of a batch, or a batch that has none.
    ///
    /// Errors: [`crate::Refusal::StaleClaim`].
    pub async fn expire_batch(&self, claim: Claim, batch: BatchRecord) -> Result<(), Error> {
        let file = self
            .write(move |tx| {
                tasks::finish(tx, &claim)?;
                tx.execute(EXPIRE, &[batch.id.as_str().into()])?;
                Ok(match batch.blob {
                    Some(blob) => blobs::release(tx, &batch.organisation, blob)?,
                    None => None,
                })
            })
            .await?;
        self.blobs.discard(file).await;
        Ok(())
    }

    /// The batch of this id of a party.
    pub async fn batch(
        &self,
        organisation: &OrganisationId,
        party: &str,
        id: &DocumentId,
    ) -> Result<Option<BatchRecord>, Error> {
        let (owner, party, id) = (organisation.clone(), party.to_owned(), id.clone());
        self.read(move |db| {
            let found = db.first(GET, &[id.as_str().into()])?.map(read).transpose()?;
            Ok(found.filter(|batch| batch.organisation == owner && batch.party == party))
        })
        .await
    }
}
