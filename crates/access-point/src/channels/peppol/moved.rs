//! A receiver that is no longer where a kept answer of its SMP said: the second attempt of one go.

use bytes::Bytes;
use quoin_delivery::{DeliveryOutcome, Event, Pause};
use quoin_peppol::sbdh::Sbdh;

use crate::budget::bytes::SENT_WEIGHT;
use crate::budget::{Holding, LinePlace};
use crate::channels::OutboundRun;
use crate::channels::queue::CallPlace;
use crate::lookup::ResolvedReceiver;
use crate::net;
use crate::plan::Plan;
use crate::rules::RuleLibrary;
use crate::sending::Attempted;
use crate::step::StepFault;

impl OutboundRun<'_> {
    /// Where the receiver is by now, after a final no that follows a kept answer of its SMP or of
    /// the name server: it may have moved, or renewed its key (Peppol SMP 1.4.0, section 2.1).
    /// `None` where it is where it was.
    pub(super) async fn moved(
        &self,
        plan: &Plan,
        found: &ResolvedReceiver,
        attempted: &Attempted,
    ) -> Option<ResolvedReceiver> {
        let refused = matches!(attempted.outcome, DeliveryOutcome::Never(_));
        if !refused || !found.report.is_kept() {
            return None;
        }
        let lookup = self.context.lookup;
        lookup.forget(&plan.receiver);
        let now = lookup.find(&plan.receiver, &plan.document_type, &plan.process).await.ok()?;
        let same = now.endpoint.address == found.endpoint.address
            && now.endpoint.certificate.certificate() == found.endpoint.certificate.certificate();
        (!same).then_some(now)
    }

    /// A place where the receiver is by now, in exchange for that where it was. None where the
    /// address is left alone, or has no place at once: the document comes again, at no attempt.
    pub(super) fn goes_on(
        &mut self,
        place: CallPlace,
        before: &Attempted,
        now: &ResolvedReceiver,
    ) -> Option<CallPlace> {
        let (was, is) = (&before.report.endpoint, &now.endpoint.address);
        if was != is {
            self.breaker(was, &before.outcome);
            if let Some(until) = self.rests(is) {
                let (endpoint, why) = (is.clone(), Pause::Resting);
                self.decide(&Event::Postponed { endpoint, until, why });
                return None;
            }
        }
        let host = net::host(is);
        if host == net::host(was) {
            return Some(place);
        }
        drop(place);
        let organisation = self.record.transaction.organisation.as_str();
        let there = self.context.queue.enter_now(self.context.budgets, &host, organisation);
        if there.is_none() {
            self.aside = true;
            self.crowded = Some(host);
        }
        there
    }

    /// The envelope of a document that went as it was uploaded, once more; `None` where there is no
    /// memory for it now.
    pub(super) async fn enclosed_again(
        &self,
        plan: &Plan,
        header: &Sbdh,
        room: Option<&mut Holding>,
    ) -> Result<Option<Bytes>, StepFault> {
        if let Some(room) = room {
            let size = usize::try_from(self.record.size).unwrap_or(usize::MAX);
            let more = size.saturating_mul(SENT_WEIGHT).saturating_sub(room.bytes());
            if room.ask(more, LinePlace::MORE).await.is_err() {
                return Ok(None);
            }
        }
        let Some(document) = self.context.store.document(&self.record).await? else {
            return Ok(None);
        };
        let (payload, header) = (plan.payload.clone(), header.clone());
        let enclose = move |_: &RuleLibrary| payload.enclosed(&header, &document).ok();
        self.context.apart(&self.record, enclose).await
    }
}
