//! What follows from a receipt beside the delivery itself: the exchange for the statistics reports
//! and the status that may come back.

use quoin_delivery::service_level::{Level, first_look};
use quoin_delivery::{mls, reporting};
use quoin_peppol::identifiers::TransportProfile;
use quoin_peppol::sbdh::MlsType;
use quoin_store::{Exchange, NewStatus, PartyRecord};

use crate::channels::OutboundRun;
use crate::plan::Plan;
use crate::sending::SendReport;

impl OutboundRun<'_> {
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
        let known =
            |party: &PartyRecord| Some(party.country.clone()).filter(|code| !code.is_empty());
        let country = match &self.carried {
            Some(_) => None,
            None => party.and_then(known),
        };
        let country = country.unwrap_or_else(|| plan.country.as_str().to_owned());
        let key = party.map_or_else(|| plan.sender.folded(), |party| party.id.clone());
        // What the provider sends for a party, as a report, is the party's and not the provider's.
        let own = |party: &PartyRecord| {
            let is_sender = |id: &&String| id.eq_ignore_ascii_case(plan.sender.as_str());
            let found = party.identifiers.iter().find(is_sender);
            found.or(party.identifiers.first()).map(|id| id.to_ascii_lowercase())
        };
        let participant = party.and_then(own).unwrap_or_else(|| plan.sender.folded());
        if has_receipt && reporting::is_counted(&plan.document_type) {
            self.beside.exchange = Some(Exchange {
                exchanged_on: sent_on,
                own: self.context.provider.seat.to_string(),
                provider: provider.clone(),
                document_type: plan.document_type.to_string(),
                process: plan.process.to_string(),
                transport: TransportProfile::AS4.to_owned(),
                country_c1: Some(country.clone()),
                country_c4: None,
                end_user: format!("{owner} {key}"),
                participant,
                end_user_country: Some(country),
                payload_bytes,
            });
        }
        let answered = mls::is_answered(&plan.document_type);
        if answered && reporting::is_counted(&plan.document_type) {
            let wants_positive = plan.statuses.0 == Some(MlsType::AlwaysSend);
            let now = self.context.clock.now();
            let watched = first_look(Level::Received, (sent_on, payload_bytes), now);
            self.beside.look = watched.filter(|_| wants_positive);
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
}
