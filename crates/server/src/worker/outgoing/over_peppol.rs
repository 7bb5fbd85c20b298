//! One attempt over Peppol, or the reason why none is made now.

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::ids::spread;
use quoin_delivery::{Admission, Event, Later, Never, Outcome, Route};
use quoin_peppol::as4::Travelled;
use quoin_peppol::sbdh;
use quoin_store::{Evidence, EvidenceKind};

use super::{AttemptReport, Go, Plan, Proven, StepFault};
use crate::lookup::{Found, LookupFailure, LookupReport};
use crate::net;
use crate::rules::RuleDesk;
use crate::sending::{Attempted, Destination, PROTOCOL, Shipment};

/// The part of a rest over which the documents that wait for it come back.
const APART: f64 = 0.5;

impl Go<'_> {
    pub(super) async fn send(
        &mut self,
        plan: &Plan,
        document: Bytes,
        found: Found,
        started_on: Timestamp,
    ) -> Result<(), StepFault> {
        let sender = self.hands.sender.as_ref().ok_or(StepFault::NoAccessPoint)?;
        let endpoint = found.endpoint.address.clone();
        self.decide(&Event::Routed(Route {
            endpoint: endpoint.clone(),
            protocol: PROTOCOL.to_owned(),
            document_type: plan.document_type.to_string(),
            process: plan.process.to_string(),
        }));
        if let Some(until) = self.rests(&endpoint) {
            self.decide(&Event::Postponed { endpoint, until });
            return Ok(());
        }
        let host = net::host(&endpoint);
        let Ok(_place) = self.hands.budgets.calls.try_enter(&host) else {
            self.hands.is_crowded_at(&self.record, &host);
            self.aside = true;
            return Ok(());
        };
        let instance = self.record.instance_id.clone().unwrap_or_default();
        // The time of recording, so that every attempt sends the same bytes.
        let sbdh = plan.sbdh(instance, self.record.created_on);
        let header = sbdh.clone();
        let wrap = move |_: &RuleDesk| sbdh::wrap(&header, &document);
        let envelope = match self.hands.apart(&self.record, wrap).await? {
            Ok(envelope) => Bytes::from(envelope),
            Err(refusal) => {
                self.unenveloped(&refusal, &found.report, started_on);
                return Ok(());
            }
        };
        let destination = Destination {
            url: endpoint,
            certificate: found.endpoint.certificate.certificate().clone(),
        };
        let message_id = self.record.message_id.clone().unwrap_or_default();
        let payload_bytes = u64::try_from(envelope.len()).unwrap_or(u64::MAX);
        let shipment = Shipment { message_id: &message_id, sbdh: &sbdh, envelope };
        let attempted = sender.attempt(shipment, &destination).await;
        let Attempted { outcome, report, receipt, travelled } = attempted;
        if matches!(outcome, Outcome::Delivered(_)) {
            self.exchanged(plan, &report, payload_bytes);
        }
        self.hands.metrics.as4_sent.add(super::sent(&outcome));
        if !matches!(outcome, Outcome::Delivered(_)) {
            // The endpoint or its certificate may have moved: the next attempt asks anew.
            self.hands.lookup.forget(&plan.receiver);
        }
        let seen = AttemptReport {
            lookup: Some(&found.report),
            send: Some(&report),
            ..AttemptReport::default()
        };
        let evidence = match &receipt {
            Some(_) => evidence(travelled, &found.report),
            None => Vec::new(),
        };
        let proof = Proven { receipt, evidence };
        self.attempted(outcome, started_on, Some(report.endpoint.clone()), &seen, proof);
        Ok(())
    }

    fn unenveloped(
        &mut self,
        refusal: &sbdh::WrapRefusal,
        lookup: &LookupReport,
        started_on: Timestamp,
    ) {
        let message = format!("The document could not be enveloped: {refusal}.");
        let never = Never { code: "ENVELOPE".to_owned(), message, ..Never::default() };
        let seen = AttemptReport { lookup: Some(lookup), ..AttemptReport::default() };
        self.attempted(Outcome::Never(never), started_on, None, &seen, Proven::default());
    }

    /// A look-up without an answer is an attempt that failed for now.
    pub(super) fn unanswered(&mut self, failure: &LookupFailure, started_on: Timestamp) {
        let later = Later {
            code: failure.error.code().to_owned(),
            message: format!("{failure}."),
            ..Later::default()
        };
        let seen = AttemptReport { lookup: Some(&failure.report), ..AttemptReport::default() };
        self.attempted(Outcome::Later(later), started_on, None, &seen, Proven::default());
    }

    /// Until when the address of an access point is left alone, if it is. Those that wait come back
    /// one after the other.
    fn rests(&self, endpoint: &str) -> Option<Timestamp> {
        let now = self.hands.clock.now();
        let admission = self.hands.breakers.admit(endpoint, self.record.created_on, now);
        let Admission::Wait(until) = admission else { return None };
        let spread = spread(self.record.transaction.id.as_str(), self.now_at.attempts);
        let rest = until.duration_since(now).as_secs_f64();
        let apart = SignedDuration::try_from_secs_f64(rest * spread * APART).unwrap_or_default();
        Some(until.saturating_add(apart).unwrap_or(until))
    }
}

/// What is kept of a delivery besides the receipt.
fn evidence(travelled: Option<Travelled>, report: &LookupReport) -> Vec<Evidence> {
    let answers = [EvidenceKind::SmpAnswer, EvidenceKind::RedirectedAnswer];
    let answers = answers.into_iter().zip(report.answers.iter().cloned());
    let message = travelled.into_iter().flat_map(|travelled| {
        [
            (EvidenceKind::Message, Bytes::from(travelled.envelope)),
            (EvidenceKind::Payload, Bytes::from(travelled.payload)),
        ]
    });
    message.chain(answers).collect()
}
