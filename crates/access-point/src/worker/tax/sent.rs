//! What the receiver of an invoice has, where that is not the document that was uploaded.

use bytes::Bytes;
use quoin_delivery::Direction;
use quoin_store::{Attempt, EvidenceKind, TransactionRecord};

use crate::sending::PROTOCOL;
use crate::step::StepFault;
use crate::worker::Worker;

/// The compressed envelope of an attempt over the network that sent a converted document. Other
/// networks have forms of their own, out of which no authority reads an invoice.
pub(super) fn travelled(attempt: &Attempt) -> Option<Bytes> {
    let kept = |kind| attempt.evidence.iter().find(|(of, _)| *of == kind);
    let is_converted = kept(EvidenceKind::Losses).is_some();
    let is_over_network = attempt.protocol.as_deref() == Some(PROTOCOL);
    let (_, payload) = kept(EvidenceKind::Payload).filter(|_| is_converted && is_over_network)?;
    Some(payload.clone())
}

impl Worker {
    /// The same of a document whose attempts are on record.
    pub(super) async fn travelled(
        &self,
        record: &TransactionRecord,
    ) -> Result<Option<Bytes>, StepFault> {
        let own = &record.transaction;
        if own.direction != Direction::Outgoing {
            return Ok(None);
        }
        let kept = self.store.evidence_of(&own.id).await?;
        let of = |kind| kept.iter().filter(move |piece| piece.kind == kind);
        let is_converted =
            |attempt| of(EvidenceKind::Losses).any(|losses| losses.attempt == attempt);
        // Only what goes over the network is kept in its envelope.
        let payload = of(EvidenceKind::Payload).find(|payload| is_converted(payload.attempt));
        match payload {
            Some(payload) => Ok(self.store.blob(&own.organisation, payload.blob).await?),
            None => Ok(None),
        }
    }
}
