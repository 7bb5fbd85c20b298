//! An outgoing document: checked, looked up, sent — in one go where nothing stands in the way.
//!
//! The decisions of the single steps are joined and committed together with the attempt. A crash
//! before that commit does everything again with the same identifiers, which the receiver
//! recognises.

mod behind;
mod chosen;
mod cleared;
mod planned;
mod recorded;
mod reported;
mod sent_form;
mod target;
mod unreached;
mod watched;
mod written_by_sender;

use bytes::Bytes;
use quoin_delivery::choice::UnknownChannel;
use quoin_delivery::ids::PEPPOL;
use quoin_delivery::{ChannelOption, Event, Family, Status, Transaction, channel};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Claim, PartyRecord, StatusRecord, TransactionFacts, TransactionRecord};

use super::Worker;
use crate::channels::{self, OutboundDelivery, OutboundRun};
use crate::enrolment::spoken;
use crate::lookup::{LookupFailure, ResolvedReceiver};
use crate::plan::{DocumentSummary, Plan, is_another_sender};
use crate::step::StepFault;

use cleared::ClearanceGate;
use reported::ConvertibleDocument;
use sent_form::SentForm;
use target::{NoTarget, Outbound};
use unreached::with_reason;

/// What the look-up of a receiver came to.
type FoundReceiver = Result<ResolvedReceiver, LookupFailure>;

/// What the timeline says of a document that can be read, and is no document of the network.
const READ: &str = "The document can be read and converted.";

impl Worker {
    /// Takes an outgoing document as far as it goes.
    pub(super) async fn outgoing(
        &self,
        mut claim: Claim,
        record: TransactionRecord,
    ) -> Result<(), StepFault> {
        if self.is_behind(&claim, &record).await? {
            return Ok(());
        }
        if self.is_still_crowded(&mut claim, &record).await? {
            return Ok(());
        }
        let Some((document, room)) = self.counted(&claim, &record).await? else { return Ok(()) };
        let party = self.party(&record.transaction).await?;
        let carried = self.carried(&record.transaction).await?;
        let report = self.carried_report(&record.transaction).await?;
        let mut go = OutboundRun::begun(self.context(), claim, record, (party, carried), &document);
        go.room = Some(room);
        let (known, plan, convertible) = go.way_of(report.as_ref(), &document).await?;
        match plan {
            Err(rejected) => match convertible {
                // What goes nowhere is not registered beforehand.
                Some(ConvertibleDocument { elsewhere: Some(Err(refusal)), .. })
                    if go.record.channel.as_deref().is_some_and(|id| id != PEPPOL) =>
                {
                    go.apply_fact(known.recorded());
                    go.not_carried(&refusal);
                }
                Some(ConvertibleDocument { family, elsewhere }) => {
                    if go.note_subject((family, &known), &document).await? {
                        return Ok(());
                    }
                    let facts = known.recorded();
                    match self.clearance_gate(&mut go, (family, &document), (&known, READ)).await? {
                        ClearanceGate::Open => {
                            let why = (&*rejected, elsewhere);
                            go.unlisted(family, (known, document), why).await?;
                        }
                        ClearanceGate::Decided => go.facts = facts,
                        ClearanceGate::Waits => {
                            return Ok(self.store.drop_task(go.claim).await?);
                        }
                    }
                }
                None => {
                    go.apply_fact(known.recorded());
                    go.not_carried(&rejected);
                }
            },
            Ok(mut plan) => {
                let document = plan.rewritten.take().map_or(document, Bytes::from);
                let source = plan.known();
                if go.note_subject((plan.family, &source), &document).await? {
                    return Ok(());
                }
                let upload = (plan.family, &document);
                match self.clearance_gate(&mut go, upload, (&source, &plan.summary)).await? {
                    ClearanceGate::Open => {
                        go.deliver_over(Outbound { plan, source, document, conversion: None })
                            .await?;
                    }
                    ClearanceGate::Decided => go.facts = source.recorded(),
                    ClearanceGate::Waits => return Ok(self.store.drop_task(go.claim).await?),
                }
            }
        }
        self.ended(go).await
    }

    /// Records what came of it; where there was no place for it, it waits.
    async fn ended(&self, go: OutboundRun<'_>) -> Result<(), StepFault> {
        match &go.crowded {
            Some(host) => return self.queue_up(go.claim, &go.record, host).await,
            None if go.aside => return self.step_aside(go.claim, &go.record).await,
            None => {}
        }
        go.commit(self).await
    }

    /// The status that a document of the service's own carries.
    async fn carried(&self, of: &Transaction) -> Result<Option<StatusRecord>, StepFault> {
        if of.family != Family::MessageLevelStatus {
            return Ok(None);
        }
        Ok(self.store.status_carried_by(&of.id).await?)
    }

    /// The party of a document, with the identifiers under which it may send: which it has, and who
    /// holds them, may have changed since the document was taken.
    async fn party(&self, of: &Transaction) -> Result<Option<PartyRecord>, StepFault> {
        let found = self.store.party(&of.organisation, &of.party).await?;
        let Some(party) = found else { return Ok(None) };
        let spoken = spoken(&self.store, &party).await?;
        let identifiers = spoken.iter().map(ToString::to_string).collect();
        Ok(Some(PartyRecord { identifiers, ..party }))
    }
}

fn identifiers(party: &PartyRecord) -> impl Iterator<Item = ParticipantId> {
    party.identifiers.iter().filter_map(|text| text.parse().ok())
}

impl OutboundRun<'_> {
    /// An invoice or order that the network does not take as it is: another channel may.
    async fn unlisted(
        &mut self,
        family: Family,
        (known, document): (DocumentSummary, Bytes),
        (rejected, elsewhere): (&Event, Option<Result<Plan, Box<Event>>>),
    ) -> Result<(), StepFault> {
        self.apply_fact(known.recorded());
        let mut over_network = None;
        if let Some(Ok(plan)) = elsewhere {
            let channel = self.choose(&plan).await?;
            if channel.as_ref().is_ok_and(|channel| !channel::is_network(channel.kind)) {
                let outbound = Outbound { plan, source: known, document, conversion: None };
                return self.deliver_by(outbound, (channel, None)).await;
            }
            over_network = channel.is_ok().then_some(plan);
        }
        let receiver = known.receiver.as_deref().and_then(|id| id.parse().ok());
        let Some(receiver) = receiver else {
            self.not_carried(rejected);
            return Ok(());
        };
        let made = match self.sent_form().await? {
            Some(SentForm::Converted(form)) => {
                self.sent_again(*form, (&receiver, family), known).await?
            }
            _ => self.target(&receiver, (family, None), (known, document)).await?,
        };
        match made {
            Ok(outbound) => self.deliver_over(outbound).await,
            Err(stop @ (NoTarget::AsItIs(_) | NoTarget::OtherCourse(_))) => {
                let plan = over_network.filter(|_| self.context.conversion.is_some());
                let instead = stop.other_course();
                match plan {
                    Some(plan) => self.unreached(&plan, (rejected, instead)).await,
                    None => self.not_carried(&with_reason(rejected, instead)),
                }
                Ok(())
            }
            Err(stop) => {
                self.stopped(stop);
                Ok(())
            }
        }
    }

    /// Notes why a document does not travel in another form.
    fn stopped(&mut self, stop: NoTarget) {
        match stop {
            NoTarget::AsItIs(_) | NoTarget::OtherCourse(_) => {}
            NoTarget::Refused(event) => self.not_carried(&event),
            NoTarget::Unanswered(failure) => {
                self.unanswered(&failure, self.context.clock.now());
            }
            NoTarget::Crowded => self.aside = true,
        }
    }

    /// From a checked document to a receipt, or to the reason why there is none.
    async fn deliver_over(&mut self, mut outbound: Outbound) -> Result<(), StepFault> {
        self.apply_fact(outbound.source.recorded());
        let channel = self.choose(&outbound.plan).await?;
        let mut found = None;
        if channel.as_ref().is_ok_and(|channel| channel::is_network(channel.kind))
            && outbound.conversion.is_none()
        {
            match self.for_receiver(&outbound).await? {
                Ok(converted) => outbound = converted,
                Err(NoTarget::AsItIs(looked_up)) => found = looked_up,
                Err(stop) => {
                    self.stopped(stop);
                    return Ok(());
                }
            }
        }
        self.deliver_by(outbound, (channel, found)).await
    }

    /// The same over the channel that was chosen.
    async fn deliver_by(
        &mut self,
        mut outbound: Outbound,
        (channel, found): (Result<ChannelOption, UnknownChannel>, Option<FoundReceiver>),
    ) -> Result<(), StepFault> {
        let upload = outbound.document.clone();
        let by = channel.as_ref().ok().and_then(|channel| channels::of(channel.kind));
        if let Some(form) = by.and_then(|by| by.carries()) {
            let summary = outbound.plan.summary.clone();
            match self.for_channel(outbound, form).await? {
                Ok(carried) => {
                    self.form = carried.conversion.is_some().then(|| carried.document.clone());
                    outbound = carried;
                }
                Err(refusal) => {
                    self.without_form(&summary, refusal);
                    return Ok(());
                }
            }
        } else if let Some(refusal) = self.shows_a_secret(&outbound).await? {
            self.not_carried(&refusal);
            return Ok(());
        }
        let Outbound { plan, document, conversion, .. } = outbound;
        let plan = &plan;
        if self.now_at.status == Status::Pending {
            let summary = match &conversion {
                Some(conversion) => format!("{} {}", conversion.summary, plan.summary),
                None => plan.summary.clone(),
            };
            self.decide(&Event::Validated { summary });
        }
        self.conversion = conversion.map(|conversion| conversion.list);
        match channel {
            Err(unknown) => {
                let (code, cause) = ("channel".to_owned(), String::new());
                let message = format!("The channel cannot be used: {unknown}.");
                self.decide(&Event::Unroutable { code, message, cause });
                Ok(())
            }
            Ok(channel) => {
                let Some(by) = channels::of(channel.kind) else { return Ok(()) };
                let delivery =
                    OutboundDelivery { plan, channel: &channel, document, upload, found };
                by.deliver(self, delivery).await
            }
        }
    }

    /// Notes why a document does not leave as it is, or does not take the form in which it would.
    /// One that was on its way before is past being rejected: it does not reach the receiver so.
    fn not_carried(&mut self, refusal: &Event) {
        match refusal {
            Event::Rejected { summary, findings } if self.now_at.status != Status::Pending => {
                // The party lost its identifier meanwhile: no other form helps.
                let is_conversion = !is_another_sender(findings);
                let code = if is_conversion { "not-convertible" } else { "invalid-document" };
                let (code, cause) = (code.to_owned(), String::new());
                self.decide(&Event::Unroutable { code, message: summary.clone(), cause });
            }
            refusal => self.decide(refusal),
        }
    }

    /// Notes what a document says about itself. Events of this very go tell it as well.
    fn apply_fact(&mut self, facts: TransactionFacts) {
        let transaction = &mut self.now_at;
        if let Some(family) = facts.family {
            transaction.family = family;
        }
        transaction.sender.clone_from(&facts.sender);
        transaction.receiver.clone_from(&facts.receiver);
        transaction.number.clone_from(&facts.number);
        transaction.source_document_type.clone_from(&facts.source_document_type);
        self.facts = facts;
    }
}
