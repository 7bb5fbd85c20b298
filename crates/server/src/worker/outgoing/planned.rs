//! Where a document goes, and in whose name: a party's own documents, and what the provider says
//! itself.

use bytes::Bytes;
use quoin_delivery::{Event, mls, reporting};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::Wishes;

use super::super::plan::{Ask, Plan, plan};
use super::{Go, StepFault, identifiers};

impl Go<'_> {
    /// Checks the document and finds out where it goes.
    pub(super) async fn plan(
        &self,
        document: &Bytes,
    ) -> Result<Result<Plan, Box<Event>>, StepFault> {
        let provider = &self.hands.provider;
        let is_ours = self.record.transaction.organisation == provider.organisation;
        let mut own: Vec<ParticipantId> = self.party.iter().flat_map(identifiers).collect();
        let mut country = self.party.as_ref().map(|party| party.country.clone());
        // A status of the service's own is sent by the provider, whoever the document was for.
        if is_ours || self.carried.is_some() {
            own.extend(provider.identifiers.iter().cloned());
            country = Some(provider.country.as_str().to_owned());
        }
        let (family, on) = (self.record.transaction.family, self.record.created_on);
        let planned = |wishes: Wishes| {
            let (document, own, country) = (document.clone(), own.clone(), country.clone());
            self.hands.apart(&self.record, move |rules| {
                let (document, own, country) = (&document[..], &own[..], country.as_deref());
                let wishes = &wishes;
                plan(&Ask { document, own, country, wishes, family, on }, rules)
            })
        };
        let mut planned_as = match planned(self.record.wishes.clone()).await? {
            Ok(planned) => planned,
            Err(rejected) => return Ok(Err(rejected)),
        };
        if self.carried.is_some() && !self.is_reachable(&planned_as).await {
            // Another identifier of the provider was asked for; its main one is there for all.
            let value = planned_as.receiver.value();
            let main = value.split('-').next().unwrap_or_default().to_owned();
            let receiver = Some(format!("{}:{main}", planned_as.receiver.icd()));
            planned_as = match planned(Wishes { receiver, ..Wishes::default() }).await? {
                Ok(planned) => planned,
                Err(rejected) => return Ok(Err(rejected)),
            };
        }
        let mut planned = planned_as;
        if mls::is_answered(&planned.document_type) && reporting::is_counted(&planned.document_type)
        {
            planned.statuses = (provider.asks, provider.status_to.clone());
        }
        Ok(Ok(planned))
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
