//! Documents that found no place: a destination has only a few calls under way at a time, and an
//! organisation only so many bytes. Whoever finds none steps aside for a moment, at no cost of an
//! attempt, and is not even looked at again as long as its destination is still full.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::ids::jitter;
use quoin_store::{Claim, TransactionRecord};

use super::Worker;
use crate::step::StepFault;

/// How long a document steps aside, at least and at most.
const ASIDE: (f64, f64) = (1.0, 4.0);
/// Documents whose destination is remembered.
const KNOWN: usize = 20_000;
/// What a document costs while it is looked at and sealed, as a multiple of its size: itself, what
/// is read of it, its envelope, and what is sealed of that.
const COST: u64 = 3;

/// Where documents wanted to go that found no place there, by transaction.
#[derive(Debug, Default)]
pub struct Crowd(Mutex<HashMap<String, String>>);

impl Crowd {
    fn put(&self, transaction: &str, host: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KNOWN {
            known.clear();
        }
        known.insert(transaction.to_owned(), host.to_owned());
    }

    fn take(&self, transaction: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(transaction)
    }
}

impl Worker {
    /// Reads a document, counted for as long as anybody has its bytes; `None` where it steps aside.
    pub(super) async fn counted(
        &self,
        claim: &Claim,
        record: &TransactionRecord,
    ) -> Result<Option<Bytes>, StepFault> {
        let transaction = &record.transaction;
        let mut holding = self.budgets.bytes.enter(transaction.organisation.as_str());
        let cost = usize::try_from(record.size.saturating_mul(COST)).unwrap_or(usize::MAX);
        if holding.grow(cost).is_err() {
            self.step_aside(claim.clone(), record).await?;
            return Ok(None);
        }
        let found = self.store.document(record).await?;
        let found = found.ok_or_else(|| StepFault::Missing(transaction.id.to_string()))?;
        Ok(Some(holding.keep(found)))
    }

    /// Whether a document that found no place at its destination would find none now either; then
    /// it steps aside again.
    pub(super) async fn is_still_crowded(
        &self,
        claim: &Claim,
        record: &TransactionRecord,
    ) -> Result<bool, StepFault> {
        let id = record.transaction.id.as_str();
        let Some(host) = self.crowd.take(id) else { return Ok(false) };
        if self.budgets.calls.has_room(&host) {
            return Ok(false);
        }
        self.crowd.put(id, &host);
        self.step_aside(claim.clone(), record).await?;
        Ok(true)
    }

    /// Remembers where a document found no place.
    pub(super) fn is_crowded_at(&self, record: &TransactionRecord, host: &str) {
        self.crowd.put(record.transaction.id.as_str(), host);
    }

    /// Puts a document back for a moment.
    pub(super) async fn step_aside(
        &self,
        claim: Claim,
        record: &TransactionRecord,
    ) -> Result<(), StepFault> {
        let (least, most) = ASIDE;
        let turn = u32::try_from(self.clock.now().as_second().rem_euclid(3_600)).unwrap_or(0);
        let part = jitter(record.transaction.id.as_str(), turn);
        let wait = SignedDuration::try_from_secs_f64(least + (most - least) * part);
        let later = self.clock.now().saturating_add(wait.unwrap_or_default());
        Ok(self.store.put_back(claim, later.unwrap_or(Timestamp::MAX)).await?)
    }
}
