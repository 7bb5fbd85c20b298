//! What whoever runs the service sees of a document on its way out: a line in the log and a count
//! for each end and each attempt that failed for now.

use quoin_delivery::{Decision, Status};
use quoin_store::{Attempt, TransactionRecord};

use crate::metrics::{Metrics, Outgoing};

/// Tells of a step that was committed.
pub(super) struct CommittedStep {
    outcome: Outgoing,
    transaction: String,
    message_id: String,
    document: String,
    party: String,
    code: String,
    endpoint: String,
    what: String,
}

impl CommittedStep {
    /// What is to be told of a decision, if anything is, of a party that is known by an identifier.
    pub(super) fn of(
        (record, party): (&TransactionRecord, String),
        decision: &Decision,
        attempt: Option<&Attempt>,
    ) -> Option<CommittedStep> {
        let own = &record.transaction;
        let last = decision.timeline.last();
        let outcome = match decision.status {
            Status::Delivered => Outgoing::Delivered,
            Status::Rejected => Outgoing::Rejected,
            Status::Failed => Outgoing::Failed,
            _ if last.is_some_and(|line| line.name == "Retry") => Outgoing::Retried,
            _ => return None,
        };
        Some(CommittedStep {
            outcome,
            transaction: own.id.to_string(),
            message_id: record.message_id.clone().unwrap_or_default(),
            document: own.document_id.to_string(),
            party,
            code: last.and_then(|line| line.code.clone()).unwrap_or_default(),
            endpoint: attempt.and_then(|attempt| attempt.endpoint.clone()).unwrap_or_default(),
            what: last.map(|line| line.description.clone()).unwrap_or_default(),
        })
    }

    pub(super) fn tell(self, metrics: &Metrics) {
        metrics.outgoing.add(self.outcome);
        let CommittedStep {
            outcome,
            transaction,
            message_id,
            document,
            party,
            code,
            endpoint,
            what,
        } = self;
        match outcome {
            Outgoing::Delivered => {
                tracing::info!(transaction, document, party, message_id, endpoint, "delivered");
            }
            Outgoing::Rejected => {
                tracing::info!(transaction, document, party, code, "rejected: {what}");
            }
            Outgoing::Retried => {
                tracing::warn!(
                    transaction,
                    document,
                    party,
                    code,
                    endpoint,
                    "tried again later: {what}"
                );
            }
            Outgoing::Failed => {
                tracing::warn!(
                    transaction,
                    document,
                    party,
                    message_id,
                    code,
                    endpoint,
                    "failed: {what}"
                );
            }
        }
    }
}
