//! What a channel works with. The worker lends it.

use std::sync::Arc;

use quoin_delivery::ids::jitter;
use quoin_delivery::{Packages, RetryPolicy};
use quoin_identity::ConversionPolicy;
use quoin_store::{Store, TransactionRecord};

use super::queue::DestinationQueue;
use crate::budget::{Budgets, Purpose};
use crate::clock::Clock;
use crate::https::HttpsClient;
use crate::lookup::Lookup;
use crate::mail::Mailer;
use crate::metrics::Metrics;
use crate::provider::Provider;
use crate::rules::RuleLibrary;
use crate::sending::{Breakers, Sender};
use crate::sftp::SftpClient;
use crate::step::StepFault;

/// What a channel works with.
#[derive(Clone, Copy)]
pub struct ChannelContext<'h> {
    /// The memory.
    pub(crate) store: &'h Store,
    /// Where receivers are found.
    pub(crate) lookup: &'h Lookup,
    /// Where documents are judged.
    pub(crate) rules: &'h Arc<RuleLibrary>,
    /// How documents leave; none in a process without an access point.
    pub(crate) sender: Option<&'h Sender>,
    /// Sends mail, where a server is set.
    pub(crate) mailer: Option<&'h Mailer>,
    /// Writes files on SFTP servers.
    pub(crate) sftp: &'h SftpClient,
    /// Calls webhooks and other networks, and posts documents.
    pub(crate) https: &'h HttpsClient,
    /// Which access points are left alone.
    pub(crate) breakers: &'h Breakers,
    /// Who we are to other providers.
    pub(crate) provider: &'h Provider,
    /// What is counted.
    pub(crate) metrics: &'h Metrics,
    /// What destinations and documents may cost.
    pub(crate) budgets: &'h Budgets,
    /// Who waits for a place at a destination.
    pub(crate) queue: &'h DestinationQueue,
    /// When to try again.
    pub(crate) policy: &'h RetryPolicy,
    /// What conversions may lose; none where documents are not converted.
    pub(crate) conversion: Option<&'h ConversionPolicy>,
    /// What packages hold.
    pub(crate) packages: &'h Packages,
    /// What time it is.
    pub(crate) clock: &'h Clock,
}

impl ChannelContext<'_> {
    /// Looks at a document on a thread of its own, in turn with other organisations, by weight.
    pub(crate) async fn apart<T: Send + 'static>(
        self,
        record: &TransactionRecord,
        work: impl FnOnce(&RuleLibrary) -> T + Send + 'static,
    ) -> Result<T, StepFault> {
        let rules = self.rules.clone();
        let organisation = &record.transaction.organisation;
        let id = record.transaction.id.as_str();
        let who = turn_of(organisation.as_str(), self.store.weight_of(organisation), id);
        let done = self.budgets.pool.run(Purpose::Validate, &who, move || work(&rules));
        Ok(done.await?)
    }
}

/// Under which name a document takes its turn: an organisation has as many as it weighs, among
/// which its documents are spread, and each name has one turn after the other.
pub(super) fn turn_of(organisation: &str, weight: u32, document: &str) -> String {
    // The weight is at most 100, and a jitter is less than 1.
    match (jitter(document, 0) * f64::from(weight)) as u32 {
        0 => organisation.to_owned(),
        turn => format!("{organisation} {turn}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_organisation_has_as_many_turns_as_it_weighs() {
        for weight in [1_u32, 2, 7, 100] {
            let names: BTreeSet<String> =
                (0..5_000).map(|n| turn_of("acme", weight, &format!("document {n}"))).collect();
            assert_eq!(names.len(), weight as usize);
            assert!(names.contains("acme"));
        }
    }
}
