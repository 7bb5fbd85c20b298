//! A batch whose time has come: its documents are zipped, and the archive is told of; or an archive
//! that was kept long enough is forgotten.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::HEXLOWER;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::Notice;
use quoin_store::{Archive, BatchRecord, Claim, EventRecord};

use super::Worker;
use crate::budget::{Busy, Holding, LinePlace, in_place};
use crate::mail::extension;
use crate::step::StepFault;
use crate::zip::{Zip, ZipError};

/// How long the archive of a batch is kept.
pub const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// When an archive is looked at again while the clock is not believed.
const DOUBTED: SignedDuration = SignedDuration::from_mins(10);

impl Worker {
    /// Closes a batch, or forgets it.
    pub(super) async fn batch(&self, claim: Claim, id: String) -> Result<(), StepFault> {
        let Some((batch, events)) = self.store.seal_batch(&id).await? else {
            return Ok(self.store.drop_task(claim).await?);
        };
        let topic = batch.topic.batched().filter(|_| !batch.closed && !events.is_empty());
        if batch.blob.is_some() && self.watch.believed().is_none() {
            // No archive is forgotten by a clock that is not believed.
            let later = self.clock.now().saturating_add(DOUBTED).unwrap_or(Timestamp::MAX);
            return Ok(self.store.put_back(claim, later).await?);
        }
        let Some(topic) = topic else {
            return Ok(self.store.expire_batch(claim, batch).await?);
        };
        let now = self.clock.now();
        let mut room = self.budgets.bytes.enter(batch.organisation.as_str());
        let bytes = self.archive(&events, &mut room).await?;
        let mut details = BTreeMap::new();
        for (name, value) in [
            ("batchId", batch.id.to_string()),
            ("hook", batch.hook_id.to_string()),
            ("topic", batch.topic.to_string()),
            ("count", events.len().to_string()),
            ("size", bytes.len().to_string()),
            ("sha256", HEXLOWER.encode(digest(&SHA256, &bytes).as_ref())),
            ("url", self.address(&batch).await?),
        ] {
            details.insert(name.to_owned(), value);
        }
        let message = match events.len() {
            1 => "One event was put into an archive.".to_owned(),
            many => format!("{many} events were put into one archive."),
        };
        let notice = Notice::new(topic, message, details);
        let keep_until = now.saturating_add(KEPT).unwrap_or(Timestamp::MAX);
        let archive = Archive { batch, bytes: bytes.into(), notice, keep_until };
        self.store.close_batch(claim, archive, now).await?;
        Ok(())
    }

    /// Where the archive of a batch is fetched.
    async fn address(&self, batch: &BatchRecord) -> Result<String, StepFault> {
        let base = &self.hooks.public_url;
        let party = self.store.party_name(&batch.organisation, &batch.party).await?;
        Ok(format!("{base}/api/v1/{party}/batch/{}/download", batch.id))
    }

    /// Each event as JSON, and its document where it has one that still exists, once; with room for
    /// each before it is read. An event may be about another document than its own: an answer is
    /// told under the invoice that it answers, and it is the answer that is put in, under its id.
    async fn archive(
        &self,
        events: &[EventRecord],
        room: &mut Holding,
    ) -> Result<Vec<u8>, StepFault> {
        let mut zip = Zip::default();
        let mut put = std::collections::BTreeSet::new();
        for event in events {
            let name = format!("{:06}-{}-{}", event.number, event.topic, event.document_id);
            let mut about = serde_json::json!({
                "number": event.number,
                "topic": event.topic,
                "message": event.message,
                "details": event.details,
                "createdOn": event.created_on,
            });
            let party = event.about_party().map(|party| ("partyId", party));
            let document = event.about_document().map(|id| ("documentId", id.as_str()));
            for (name, value) in party.into_iter().chain(document) {
                about[name] = value.into();
            }
            let about = about.to_string();
            zip.add(&format!("{name}.json"), about.as_bytes(), event.created_on).map_err(fault)?;
            let Some(transaction) = &event.transaction else { continue };
            if !put.insert(transaction) {
                continue;
            }
            let Some(record) = self.store.transaction(transaction).await? else { continue };
            let size = usize::try_from(record.size).unwrap_or(usize::MAX);
            room.ask(size, LinePlace::STEP).await.map_err(Busy::Full)?;
            let Some(document) = self.store.document(&record).await? else { continue };
            let kind = in_place(|| extension(quoin_formats::detect(&document).syntax));
            let name = format!("{}{kind}", record.transaction.document_id);
            zip.add(&name, &document, event.created_on).map_err(fault)?;
        }
        zip.finish().map_err(fault)
    }
}

fn fault(error: ZipError) -> StepFault {
    StepFault::Archive(error)
}
