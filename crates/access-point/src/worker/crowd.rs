//! Documents that found no place: a destination has only a few calls under way at a time, and an
//! organisation only so many bytes. Whoever finds none steps aside, at no cost of an attempt.
//! Those of a full destination wait in a lane there, one for each organisation, in turn: only the
//! first of them is looked at again, now and then and whenever a place may have become free, so
//! that thousands of them cost nobody else anything.

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::ids::jitter;
use quoin_store::{Claim, TransactionRecord};

use super::Worker;
use crate::budget::bytes::WEIGHT;
use crate::budget::{Holding, LinePlace, Purpose};
use crate::step::StepFault;

/// How long a document steps aside, at least and at most.
const ASIDE: (f64, f64) = (1.0, 4.0);

impl Worker {
    /// Reads a document, with the room that its step needs; `None` where it steps aside.
    pub(super) async fn counted(
        &self,
        claim: &Claim,
        record: &TransactionRecord,
    ) -> Result<Option<(Bytes, Holding)>, StepFault> {
        let transaction = &record.transaction;
        let mut holding = self.budgets.bytes.enter(transaction.organisation.as_str());
        let size = usize::try_from(record.size).unwrap_or(usize::MAX);
        if holding.ask(size.saturating_mul(WEIGHT), LinePlace::STEP).await.is_err() {
            self.step_aside(claim.clone(), record).await?;
            return Ok(None);
        }
        let found = self.store.document(record).await?;
        let found = found.ok_or_else(|| StepFault::Missing(transaction.id.to_string()))?;
        let threads = (&self.budgets.pool, Purpose::Validate);
        if holding.ask_inside(&found, threads, LinePlace::MORE).await?.is_err() {
            drop(holding);
            self.step_aside(claim.clone(), record).await?;
            return Ok(None);
        }
        Ok(Some((found, holding)))
    }

    /// Whether a document that found no place at its destination would find none now either; then
    /// it steps aside again. It waits for one for a moment, in turn with those that wait for
    /// theirs with their call in hand, and looks into nothing before there was one. Then it leaves
    /// its lane, so that the next one looks for a place while this one is prepared.
    pub(super) async fn is_still_crowded(
        &self,
        claim: &mut Claim,
        record: &TransactionRecord,
    ) -> Result<bool, StepFault> {
        let place = claim.destination().and_then(|place| place.rsplit_once(' '));
        let Some(host) = place.map(|(host, _)| host.to_owned()) else { return Ok(false) };
        let of = &record.transaction;
        let who = (of.organisation.as_str(), self.store.weight_of(&of.organisation));
        let place = self.queue.enter(&self.budgets, &host, who, of.id.as_str());
        if place.await.is_some() {
            self.store.extend(claim, claim.lease_until).await?;
            claim.lane = None;
            return Ok(false);
        }
        self.queue_up(claim.clone(), record, &host).await?;
        Ok(true)
    }

    /// Lets a document wait for its turn at a destination that has no place for it, among those
    /// of its organisation.
    pub(super) async fn queue_up(
        &self,
        claim: Claim,
        record: &TransactionRecord,
        host: &str,
    ) -> Result<(), StepFault> {
        let place = format!("{host} {}", record.transaction.organisation);
        Ok(self.store.queue_up(claim, &place, self.later(record)).await?)
    }

    /// Puts a document back for a moment.
    pub(super) async fn step_aside(
        &self,
        claim: Claim,
        record: &TransactionRecord,
    ) -> Result<(), StepFault> {
        Ok(self.store.put_back(claim, self.later(record)).await?)
    }

    /// In a moment, which is another one for each document.
    fn later(&self, record: &TransactionRecord) -> Timestamp {
        let (least, most) = ASIDE;
        let turn = u32::try_from(self.clock.now().as_second().rem_euclid(3_600)).unwrap_or(0);
        let part = jitter(record.transaction.id.as_str(), turn);
        let wait = SignedDuration::try_from_secs_f64(least + (most - least) * part);
        let later = self.clock.now().saturating_add(wait.unwrap_or_default());
        later.unwrap_or(Timestamp::MAX)
    }
}
