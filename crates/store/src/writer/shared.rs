//! What the writer and its callers have in common.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::absorbed::AbsorbedParties;
use crate::ahead::ReadAhead;
use crate::due::DueBoard;
use crate::generations::Generations;
use crate::handover::Offers;
use crate::in_hand::TasksInHand;
use crate::keeping::KeepInForce;
use crate::pace::Pace;
use crate::recent::RecentBlobs;
use crate::shares::TurnShares;
use crate::work_count::WorkCounter;
use crate::writer::WriteTrouble;
use crate::written::WriteCounts;

/// What the writer and its callers have in common. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct WriterShared {
    /// What is due, and who waits for it.
    pub(crate) board: DueBoard,
    /// Who takes tasks over as they are recorded.
    pub(crate) offers: Offers,
    /// How often what is published has changed.
    pub(crate) generations: Generations,
    /// How often tables of what is set up were written.
    pub(crate) written: WriteCounts,
    /// How long documents are kept.
    pub(crate) keep: KeepInForce,
    /// How fast steps of documents on their way out are taken.
    pub(crate) pace: Arc<Pace>,
    /// Documents that were recorded a moment ago.
    pub(crate) recent: RecentBlobs,
    /// How organisations share the places of first steps.
    pub(crate) shares: Arc<TurnShares>,
    /// Parties that became part of others.
    pub(crate) absorbed: Arc<AbsorbedParties>,
    /// What this process has in hand.
    pub(crate) in_hand: TasksInHand,
    /// What is read with a claim that is handed over.
    pub(crate) ahead: Arc<ReadAhead>,
    /// What is counted.
    pub(crate) work: Arc<WorkCounter>,
    /// Whether it is known that hooks were told of every event.
    pub(crate) all_told: Arc<AtomicBool>,
    /// What kept the last write from the disk.
    pub(crate) trouble: WriteTrouble,
}
