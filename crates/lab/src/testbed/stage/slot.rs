//! One participant that the testbed plays, for one case: how it behaves, and what was seen of the
//! access point under test.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};

use super::fault::{AnswerFault, SimulatedFault};

/// How long a fault lasts that goes away.
const HEALS_AFTER: Duration = Duration::from_millis(1500);

/// A participant of the testbed.
#[derive(Debug)]
pub struct SimulatedParticipant {
    /// The id of the case, in small letters: a part of addresses.
    pub key: String,
    /// The participant.
    pub participant: ParticipantId,
    /// The document type that it is registered for, which may be a pattern.
    pub document_type: DocumentTypeId,
    /// The document type that header and envelope must name.
    pub full_type: DocumentTypeId,
    /// The process of that.
    pub process: ProcessId,
    /// What is not as it should be.
    pub fault: SimulatedFault,
    /// Why its fault cannot be made, where it cannot.
    pub unable: Option<String>,
    pub(super) seen: Mutex<Observations>,
}

/// What was seen of the access point under test.
#[derive(Debug, Clone, Default)]
pub struct Observations {
    /// Questions to DNS and SMP.
    pub asked: Vec<String>,
    /// Messages that were opened.
    pub taken: Vec<Taken>,
    /// Messages that could not be opened, and why.
    pub refused: Vec<String>,
    /// When the first of all this came.
    pub first: Option<Instant>,
    /// When the last of all this came.
    pub last: Option<Instant>,
}

/// A message that came and was opened.
#[derive(Debug, Clone)]
pub struct Taken {
    /// The AS4 message id.
    pub message_id: String,
    /// The id of the envelope.
    pub instance: String,
    /// Bytes of the envelope.
    pub bytes: usize,
    /// The envelope, where it is not large.
    pub envelope: String,
    /// What is not as the profile wants it.
    pub problems: Vec<String>,
    /// Whether it was answered with a receipt that holds.
    pub answered_well: bool,
}

impl SimulatedParticipant {
    fn lock(&self) -> MutexGuard<'_, Observations> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        seen.first.get_or_insert(now);
        seen.last = Some(now);
        seen
    }

    /// Everything that was seen so far.
    pub fn seen(&self) -> Observations {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes a question; whether a fault that goes away is still there.
    pub(super) fn asked(&self, what: String) -> bool {
        let mut seen = self.lock();
        seen.asked.push(what);
        seen.first.is_some_and(|first| first.elapsed() < HEALS_AFTER)
    }

    /// Notes a message that was opened; how many came before it.
    pub(super) fn took(&self, taken: Taken) -> usize {
        let mut seen = self.lock();
        seen.taken.push(taken);
        seen.taken.len() - 1
    }

    /// Whether its access point has another key by now: from the first message on, where that is
    /// its fault.
    pub(super) fn has_renewed(&self) -> bool {
        self.fault == SimulatedFault::Answer(AnswerFault::Renewed) && !self.seen().taken.is_empty()
    }

    /// Notes that the message after so many others was answered well.
    pub(super) fn answered_well(&self, at: usize) {
        if let Some(taken) = self.lock().taken.get_mut(at) {
            taken.answered_well = true;
        }
    }

    /// Notes a message that could not be opened.
    pub(super) fn refused(&self, why: String) {
        self.lock().refused.push(why);
    }
}
