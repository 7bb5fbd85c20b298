//! Where a document goes, and in whose name: a party's own documents, and what the provider says
//! itself.

use bytes::Bytes;
use quoin_delivery::{mls, reporting};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::SubmitOptions;

use super::identifiers;
use crate::channels::OutboundRun;
use crate::plan::{Plan, PlanInput, Planned, judged};
use crate::step::StepFault;

impl OutboundRun<'_> {
    /// Checks the document and finds out where it goes.
    pub(super) async fn plan(&self, document: &Bytes) -> Result<Planned, StepFault> {
        let (own, country) = self.speakers();
        let (family, on) = (self.record.transaction.family, self.record.created_on);
        let looked = |wishes: SubmitOptions| {
            let (document, own, country) = (document.clone(), own.clone(), country.clone());
            self.context.apart(&self.record, move |rules| {
                let (document, own, country) = (&document[..], &own[..], country.as_deref());
                let wishes = &wishes;
                judged(&PlanInput { document, own, country, wishes, family, on }, rules)
            })
        };
        let mut planned = looked(self.record.wishes.clone()).await?;
        let Ok(plan) = &planned.plan else { return Ok(planned) };
        if self.carried.is_some() && !self.is_reachable(plan).await {
            // Another identifier of the provider was asked for; its main one is there for all.
            let main = plan.receiver.value().split('-').next().unwrap_or_default().to_owned();
            let receiver = Some(format!("{}:{main}", plan.receiver.icd()));
            planned = looked(SubmitOptions { receiver, ..SubmitOptions::default() }).await?;
        }
        if let Ok(plan) = &mut planned.plan {
            self.ask_statuses(plan);
        }
        Ok(planned)
    }

    /// In whose name documents are sent, and from which country.
    pub(super) fn speakers(&self) -> (Vec<ParticipantId>, Option<String>) {
        let provider = &self.context.provider;
        let is_ours = self.record.transaction.organisation == provider.organisation;
        let mut own: Vec<ParticipantId> = self.party.iter().flat_map(identifiers).collect();
        let mut country = self.party.as_ref().map(|party| party.country.clone());
        // A status of the service's own is sent by the provider, whoever the document was for.
        if is_ours || self.carried.is_some() {
            own.extend(provider.identifiers.iter().cloned());
            country = Some(provider.country.as_str().to_owned());
        }
        (own, country)
    }

    /// Asks for the statuses that the provider wants, where an envelope of ours has a place for it.
    pub(super) fn ask_statuses(&self, plan: &mut Plan) {
        let provider = &self.context.provider;
        let kind = &plan.document_type;
        let is_ours = plan.payload.header().is_none();
        if is_ours && mls::is_answered(kind) && reporting::is_counted(kind) {
            plan.statuses = (provider.asks, provider.status_to.clone());
        }
    }

    /// Whether the identifier that a status is wanted at is registered, or may be.
    async fn is_reachable(&self, plan: &Plan) -> bool {
        if !plan.receiver.value().contains('-') {
            return true;
        }
        let found =
            self.context.lookup.find(&plan.receiver, &plan.document_type, &plan.process).await;
        match found {
            Ok(_) => true,
            Err(failure) => failure.error.is_temporary(),
        }
    }
}
