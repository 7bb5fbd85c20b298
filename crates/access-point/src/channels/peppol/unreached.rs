//! Why the network does not reach a receiver, as its sender is told, who can act on it.

use std::collections::BTreeSet;

use quoin_peppol::codelists;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::LookupError;

use crate::channels::OutboundRun;
use crate::lookup::LookupFailure;
use crate::plan::Plan;

/// Document types that are named of a receiver.
const NAMED: usize = 12;

/// Why the network does not reach a receiver.
pub(crate) fn unroutable(plan: &Plan, failure: &LookupFailure) -> String {
    let instead = failure.instead.as_deref().map(|text| format!(" {text}")).unwrap_or_default();
    format!(
        "The document cannot be delivered to {}: {failure}.{instead} Check the identifier with \
         queryRecipientParty, or ask the receiver.",
        plan.receiver
    )
}

impl OutboundRun<'_> {
    /// The same; of a receiver that is there and does not take the document, with what it takes.
    pub(super) async fn unreached_as(&self, plan: &Plan, failure: &LookupFailure) -> String {
        let takes = match failure.error {
            // What it takes instead is told already.
            _ if failure.instead.is_some() => None,
            LookupError::UnsupportedDocumentType => self.taken_by(&plan.receiver).await,
            _ => None,
        };
        match takes {
            None => unroutable(plan, failure),
            Some(takes) => format!(
                "The document cannot be delivered to {}: {failure} ({}). {takes}",
                plan.receiver,
                name(&plan.document_type)
            ),
        }
    }

    /// What a receiver takes; none where its SMP does not say.
    async fn taken_by(&self, receiver: &ParticipantId) -> Option<String> {
        let found = self.context.lookup.registrations(receiver).await.ok()?;
        let names: BTreeSet<String> = found.document_types.iter().map(name).collect();
        let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
        Some(match (shown.is_empty(), names.len().saturating_sub(shown.len())) {
            (true, _) => "It is registered for nothing.".to_owned(),
            (false, 0) => format!("It takes: {}.", shown.join("; ")),
            (false, more) => format!("It takes: {}; and {more} more.", shown.join("; ")),
        })
    }
}

/// A document type by its name in the code lists, where it has one.
fn name(id: &DocumentTypeId) -> String {
    codelists::document_type(id).map_or_else(|| id.to_string(), |row| row.name.to_owned())
}
