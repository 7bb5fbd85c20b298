//! Where a document goes, and in whose name: a party's own documents, and what the provider says
//! itself.

use quoin_delivery::{mls, reporting};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::Wishes;

use super::super::plan::{Ask, Plan, Planned, judged};
use super::{Go, identifiers};

impl Go<'_> {
    /// Checks the document and finds out where it goes.
    pub(super) async fn plan(&self, document: &[u8]) -> Planned {
        let provider = &self.hands.provider;
        let is_ours = self.record.transaction.organisation == provider.organisation;
        let mut own: Vec<ParticipantId> = self.party.iter().flat_map(identifiers).collect();
        let mut country = self.party.as_ref().map(|party| party.country.as_str());
        // A status of the service's own is sent by the provider, whoever the document was for.
        if is_ours || self.carried.is_some() {
            own.extend(provider.identifiers.iter().cloned());
            country = Some(provider.country.as_str());
        }
        let ask = Ask {
            document,
            own: &own,
            country,
            wishes: &self.record.wishes,
            family: self.record.transaction.family,
            on: self.record.created_on,
        };
        let mut planned = judged(&ask, &self.hands.rules);
        let Ok(plan) = &planned.plan else { return planned };
        if self.carried.is_some() && !self.is_reachable(plan).await {
            // Another identifier of the provider was asked for; its main one is there for all.
            let main = plan.receiver.value().split('-').next().unwrap_or_default().to_owned();
            let receiver = Some(format!("{}:{main}", plan.receiver.icd()));
            let wishes = Wishes { receiver, ..Wishes::default() };
            planned = judged(&Ask { wishes: &wishes, ..ask }, &self.hands.rules);
        }
        if let Ok(plan) = &mut planned.plan {
            let kind = &plan.document_type;
            if mls::is_answered(kind) && reporting::is_counted(kind) {
                plan.statuses = (provider.asks, provider.status_to.clone());
            }
        }
        planned
    }

    /// Whether the identifier that a status is wanted at is registered, or may be.
    async fn is_reachable(&self, plan: &Plan) -> bool {
        if !plan.receiver.value().contains('-') {
            return true;
        }
        let found =
            self.hands.lookup.find(&plan.receiver, &plan.document_type, &plan.process).await;
        match found {
            Ok(_) => true,
            Err(failure) => failure.error.is_temporary(),
        }
    }
}
