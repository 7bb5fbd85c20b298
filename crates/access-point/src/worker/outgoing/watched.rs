//! What whoever runs the service sees of a document on its way out: a line in the log and a count
//! for each end and each attempt that failed for now.

use quoin_delivery::{Decision, Status, Transaction};
use quoin_store::Attempt;

use crate::metrics::{Metrics, Outgoing};

/// Tells of a step that was committed.
pub(super) struct CommittedStep {
    outcome: Outgoing,
    document: String,
    party: String,
    code: String,
    endpoint: String,
    what: String,
}

impl CommittedStep {
    /// What is to be told of a decision, if anything is.
    pub(super) fn of(
        own: &Transaction,
        decision: &Decision,
        attempt: Option<&Attempt>,
    ) -> Option<CommittedStep> {
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
            document: own.document_id.to_string(),
            party: own.party.clone(),
            code: last.and_then(|line| line.code.clone()).unwrap_or_default(),
            endpoint: attempt.and_then(|attempt| attempt.endpoint.clone()).unwrap_or_default(),
            what: last.map(|line| line.description.clone()).unwrap_or_default(),
        })
    }

    pub(super) fn tell(self, metrics: &Metrics) {
        metrics.outgoing.add(self.outcome);
        let CommittedStep { document, party, code, endpoint, what, .. } = self;
        match self.outcome {
            Outgoing::Delivered => tracing::info!(document, party, endpoint, "delivered"),
            Outgoing::Rejected => tracing::info!(document, party, code, "rejected: {what}"),
            Outgoing::Retried => {
                tracing::warn!(document, party, code, endpoint, "tried again later: {what}");
            }
            Outgoing::Failed => tracing::warn!(document, party, code, endpoint, "failed: {what}"),
        }
    }
}
