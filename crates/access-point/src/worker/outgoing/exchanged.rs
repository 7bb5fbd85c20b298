//! What follows from a receipt beside the delivery itself: the exchange for the statistics reports,
//! the status that may come back, and what the events of a status are about.

use quoin_delivery::decision::STATUS_CODE;
use quoin_delivery::{Decision, mls, reporting};
use quoin_peppol::identifiers::TransportProfile;
use quoin_peppol::sbdh::MlsType;
use quoin_store::{Exchange, NewStatus, Party};

use super::super::StepFault;
use super::Go;
use crate::plan::Plan;
use crate::sending::SendReport;

impl Go<'_> {
    /// What a delivery brings: the exchange for the statistics, which count receipts, and the
    /// status that may come back.
    pub(super) fn exchanged(
        &mut self,
        plan: &Plan,
        report: &SendReport,
        payload_bytes: u64,
        has_receipt: bool,
    ) {
        let (owner, party) = (&self.record.transaction.organisation, self.party.as_ref());
        let sent_on = report.sent_on.unwrap_or(self.record.created_on);
        let provider = report.access_point.clone().unwrap_or_default();
        let known = |party: &Party| Some(party.country.clone()).filter(|code| !code.is_empty());
        let country = match &self.carried {
            Some(_) => None,
            None => party.and_then(known),
        };
        let country = country.unwrap_or_else(|| plan.country.as_str().to_owned());
        let key = party.map_or_else(|| plan.sender.folded(), |party| party.id.clone());
        if has_receipt && reporting::is_counted(&plan.document_type) {
            self.beside.exchange = Some(Exchange {
                exchanged_on: sent_on,
                own: self.hands.provider.seat.to_string(),
                provider: provider.clone(),
                document_type: plan.document_type.to_string(),
                process: plan.process.to_string(),
                transport: TransportProfile::AS4.to_owned(),
                country_c1: Some(country.clone()),
                country_c4: None,
                end_user: format!("{owner} {key}"),
                end_user_country: Some(country),
                payload_bytes,
            });
        }
        let answered = mls::is_answered(&plan.document_type);
        if answered && reporting::is_counted(&plan.document_type) {
            let wants_positive = plan.statuses.0 == Some(MlsType::AlwaysSend);
            self.beside.look = wants_positive.then(|| self.hands.clock.now());
            self.beside.awaited = Some(NewStatus {
                provider,
                envelope: self.record.instance_id.clone().unwrap_or_default(),
                sent_on,
                payload_bytes,
                wants_positive,
                reply_to: None,
            });
        }
    }

    /// The decision about a status of the service's own: its events name the document that it is
    /// about, and what it says.
    pub(super) async fn naming_what_it_is_about(
        &self,
        mut decision: Decision,
    ) -> Result<Decision, StepFault> {
        let Some(carried) = &self.carried else { return Ok(decision) };
        let own = &self.record.transaction;
        if let Some(about) = self.hands.store.transaction(&carried.transaction).await? {
            let about = &about.transaction.document_id;
            decision = decision.answering_sent(about, &own.document_id);
        }
        for notice in &mut decision.notices {
            let code = carried.code.map(|code| (STATUS_CODE.to_owned(), code.as_str().to_owned()));
            notice.details.extend(code);
        }
        Ok(decision)
    }
}
