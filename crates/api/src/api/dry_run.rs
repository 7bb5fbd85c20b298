//! `sendDryRun`: what would happen to a sales invoice, without sending it: the verdict, the route
//! and why, what would be lost, and how the receiver's access point is.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::channel;
use quoin_delivery::ids::PEPPOL;
use quoin_delivery::{BreakerState, Event, Family, OrganisationId};
use quoin_peppol::lookup::LookupError;
use quoin_rules::Report;
use quoin_store::{EndpointHealth, PartyRecord, SubmitOptions};

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, Channelled, DocumentBody, Identified, OfSender, Recognized};
use crate::http::{Caller, Problem};
use quoin_access_point::lookup::{Offer, OfferFilter, ParticipantOffers};
use quoin_access_point::plan::{DocumentSummary, OutboundPayload, Plan, Planned, judged};

use super::Api;
#[cfg(test)]
use super::bodies::{Container, InvoiceJson, InvoiceXml};
use super::channels::{Which, channels};
use super::enveloped;
use super::network::LATELY;
#[cfg(test)]
use super::paths::PartyPath;
use super::rights::{Right, speaker};
#[cfg(test)]
use super::upload::UploadForm;
use super::upload::{
    SALES_INVOICE, SendQuery, allowed_losses, body, channel, instruction, media_type, opened,
    participant,
};
use quoin_access_point::enrolment::spoken;

mod answer;
mod beside;
mod conversion;
mod registration;
mod room;

pub use answer::{DryRun, DryRunConversion, DryRunEndpoint, DryRunFinding, DryRunRoute};
use conversion::{DryRunInput, DryRunTarget, slow};
use registration::PriorRegistration;

/// Tells what would happen to a sales invoice, without sending it.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/salesInvoice/sendDryRun", tag = "salesInvoice",
    params(PartyPath, SendQuery),
    request_body(content((InvoiceXml = "application/xml"), (InvoiceXml = "text/xml"),
        (InvoiceJson = "application/json"), (Container = "application/pdf"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "What would happen.", body = DryRun),
        Called,
        OfSender,
        Identified,
        Channelled,
        DocumentBody,
        Recognized,
    ),
    security(("token" = []))
))]
pub(crate) async fn send_dry_run(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<SendQuery>,
    request: Request,
) -> Result<Json<DryRun>, Problem> {
    let party = speaker(&api, &caller, &party_id, Right::Send).await?;
    let forced = query.channel.map(|id| channel(&id)).transpose()?;
    let told = query.send_instruction;
    told.as_deref().map(instruction).transpose()?;
    let receiver = query.receiver_id.map(|id| participant("receiverId", &id)).transpose()?;
    let allowed_losses = query.allow_losses.map(allowed_losses).transpose()?;
    let wishes = SubmitOptions { receiver, allowed_losses, ..SubmitOptions::default() };
    let kind = media_type(request.headers());
    let content = body(&api, request, SALES_INVOICE.media_types()).await?.content;
    let content = opened(&api, &caller, &kind, content).await?;
    let input = Arc::new(DryRunInput {
        content,
        wishes,
        instruction: told,
        own: spoken(&api.store, &party).await?,
        country: party.country.clone(),
        organisation: caller.organisation.clone(),
        on: api.clock.now(),
    });
    let (desk, asked) = (api.rules.clone(), input.clone());
    let judge = move || {
        let planned = judged(&asked.ask(), &desk);
        let plan = planned.plan.and_then(|plan| enveloped(plan, &asked.content, asked.on));
        Planned { plan, ..planned }
    };
    let judged = api.settings.judges.run(&caller.organisation, judge).await?;
    let mut run = DryRun { findings: findings(&judged.report), ..DryRun::default() };
    match run.registered(&api, (&party, &input), &judged).await? {
        PriorRegistration::Refused => return Ok(Json(run)),
        PriorRegistration::None => {
            run.way(&api, (&party, &input), judged, forced.as_deref()).await?
        }
        PriorRegistration::First(why) => {
            run.way(&api, (&party, &input), judged, forced.as_deref()).await?;
            run.route.iter_mut().for_each(|route| route.because.insert(0, why.clone()));
        }
    }
    run.taken_into(&api, &party.organisation).await?;
    Ok(Json(run))
}

/// A plan whose document can be enveloped, which a delivery does when it knows the receiver.
fn enveloped(plan: Plan, upload: &Bytes, on: Timestamp) -> Result<Plan, Box<Event>> {
    let rewritten = plan.rewritten.as_deref().map(Bytes::copy_from_slice);
    let document = rewritten.as_ref().unwrap_or(upload);
    match plan.payload.enclosed(&plan.sbdh(String::new(), on), document) {
        Ok(_) => Ok(plan),
        Err(refusal) => {
            let summary = format!("The document could not be enveloped: {refusal}.");
            Err(Box::new(Event::Rejected { summary, findings: Vec::new() }))
        }
    }
}

fn findings(report: &Report) -> Vec<DryRunFinding> {
    let finding = |finding: &quoin_model::Finding| DryRunFinding {
        rule: finding.rule.clone().into_owned(),
        flag: match finding.flag {
            quoin_model::Flag::Fatal => "error",
            quoin_model::Flag::Warning => "warning",
            quoin_model::Flag::Information => "information",
        }
        .to_owned(),
        text: finding.message.clone(),
        path: finding.location.as_ref().map(|place| place.xpath.clone()),
    };
    report.findings.iter().map(finding).collect()
}

impl DryRun {
    /// Finds the way of a document that was judged.
    async fn way(
        &mut self,
        api: &Api,
        (party, input): (&PartyRecord, &DryRunInput),
        judged: Planned,
        forced: Option<&str>,
    ) -> Result<(), Problem> {
        let Planned { known, plan, convertible, elsewhere, .. } = judged;
        let receiver = known.receiver.as_deref().and_then(|id| id.parse().ok());
        self.tell(known);
        let elsewhere = elsewhere.filter(|_| convertible == Some(Family::Invoice));
        let over_network = elsewhere.as_ref().and_then(|beside| beside.as_ref().ok()).cloned();
        if let Some(beside) = elsewhere
            && self.beside(api, (party, input), beside, forced).await?
        {
            return Ok(());
        }
        let plan = match plan {
            Ok(plan) => enveloped::free(api, party, plan).await?,
            Err(rejected) => match receiver.filter(|_| convertible == Some(Family::Invoice)) {
                Some(receiver) => match input.converted(api, &receiver, None).await? {
                    DryRunTarget::Found(made) => made.map(|found| self.takes_converted(*found)),
                    target @ (DryRunTarget::None | DryRunTarget::OtherCourse(_)) => {
                        let is_converted = api.settings.conversion.is_some();
                        if let Some(plan) = over_network.filter(|_| is_converted) {
                            let why = (&*rejected, forced);
                            self.unreached(api, (party, input), &plan, why).await?;
                            self.instead(target);
                            return Ok(());
                        }
                        self.rejected(&rejected);
                        self.instead(target);
                        return Ok(());
                    }
                    DryRunTarget::Unanswered(error) => {
                        self.unanswered(&error);
                        return Ok(());
                    }
                },
                None => Err(rejected),
            },
        };
        match plan {
            Err(event) => self.rejected(&event),
            Ok(plan) => self.route(api, (party, input), &plan, forced).await?,
        }
        Ok(())
    }

    /// Tells what the document says about itself, which people need of a refused one as well.
    fn tell(&mut self, known: DocumentSummary) {
        self.sender = known.sender;
        self.recipient = known.receiver;
        self.number = known.number;
        self.document_type_id = known.document_type;
        self.process_id = known.process;
    }

    fn rejected(&mut self, event: &Event) {
        self.verdict = "rejected".to_owned();
        let Event::Rejected { summary, findings } = event else { return };
        self.reason.clone_from(summary);
        // What is wrong with the address is no finding of the report.
        for line in findings {
            let path = Some(line.path.clone()).filter(|path| !path.is_empty());
            let is_it = |known: &DryRunFinding| {
                known.rule == line.rule && (known.path == path || known.text == line.text)
            };
            if !self.findings.iter().any(is_it) {
                self.findings.push(DryRunFinding {
                    rule: line.rule.clone(),
                    flag: "error".to_owned(),
                    text: line.text.clone(),
                    path,
                });
            }
        }
    }

    /// Finds the channel as a delivery does: the first one, or what comes after Peppol where that
    /// does not reach the recipient.
    async fn route(
        &mut self,
        api: &Api,
        (party, input): (&PartyRecord, &DryRunInput),
        plan: &Plan,
        forced: Option<&str>,
    ) -> Result<(), Problem> {
        if self.conversion.is_none() {
            self.tell(plan.known());
        }
        let (facts, PartyRecord { organisation, id, .. }) = (plan.facts(Family::Invoice), party);
        let which = forced.map_or(Which::For(&facts), Which::Forced);
        let channels = channels(api, organisation, id, Family::Invoice, which).await?;
        let from = self.begin(&channels, forced);
        let Some(at) = self.along(api, (plan, input), &channels, from).await? else {
            return Ok(());
        };
        let mut reaches = self.over_peppol(api, organisation, plan, &at.because).await?;
        if !reaches && self.conversion.is_none() && plan.payload == OutboundPayload::Document {
            let own = Some(&plan.document_type);
            match input.converted(api, &plan.receiver, own).await? {
                target @ (DryRunTarget::None | DryRunTarget::OtherCourse(_)) => {
                    self.instead(target)
                }
                DryRunTarget::Unanswered(error) => {
                    self.unanswered(&error);
                    reaches = true;
                }
                DryRunTarget::Found(Err(event)) => {
                    self.rejected(&event);
                    return Ok(());
                }
                DryRunTarget::Found(Ok(found)) => {
                    let plan = self.takes_converted(*found);
                    reaches = self.over_peppol(api, organisation, &plan, &at.because).await?;
                }
            }
        }
        if !reaches {
            self.behind(api, (plan, input), &channels, at).await?;
        }
        Ok(())
    }

    /// Whether Peppol reaches the recipient, as far as that can be told.
    async fn over_peppol(
        &mut self,
        api: &Api,
        owner: &OrganisationId,
        plan: &Plan,
        why: &[String],
    ) -> Result<bool, Problem> {
        let wanted =
            OfferFilter { types: vec![plan.document_type.clone()], ..OfferFilter::default() };
        let limit = api.settings.lookup_timeout;
        let asked = tokio::time::timeout(limit, api.lookup.offers(&plan.receiver, &wanted)).await;
        match asked.unwrap_or_else(|_| Err(slow(limit))) {
            Ok(ParticipantOffers { usable, refused: Some(error) }) if usable.is_empty() => {
                Ok(self.unanswered(&error))
            }
            Ok(ParticipantOffers { usable, .. }) => {
                self.choose(api, owner, plan, (usable, why)).await
            }
            Err(error) => Ok(self.unanswered(&error)),
        }
    }

    /// Tells why the recipient is not reached now, and whether it may be reached later.
    fn unanswered(&mut self, error: &LookupError) -> bool {
        let may_be = error.is_temporary();
        self.verdict = if may_be { "uncertain" } else { "unroutable" }.to_owned();
        self.reason = format!("{error}.");
        may_be
    }

    async fn choose(
        &mut self,
        api: &Api,
        owner: &OrganisationId,
        plan: &Plan,
        (offers, why): (Vec<Offer>, &[String]),
    ) -> Result<bool, Problem> {
        let others: Vec<String> = offers.iter().map(|offer| offer.process.to_string()).collect();
        let Some(offer) = offers.into_iter().find(|offer| offer.process == plan.process) else {
            self.verdict = "unroutable".to_owned();
            self.reason = match others.as_slice() {
                [] => format!("{} does not accept this type of document.", plan.receiver),
                others => format!(
                    "{} accepts this type of document in {} only, not in {}.",
                    plan.receiver,
                    others.join(" and "),
                    plan.process
                ),
            };
            return Ok(false);
        };
        self.verdict = "deliverable".to_owned();
        self.reason = format!("{} accepts the document over Peppol.", plan.receiver);
        self.route = Some(DryRunRoute {
            channel: PEPPOL.to_owned(),
            protocol: channel::NETWORK.protocol.to_owned(),
            destination: None,
            credentials: Vec::new(),
            problem: None,
            because: because(plan, &offer, (why, self.conversion.is_some())),
            lookup: Some(offer.report.clone()),
        });
        let now = api.clock.now();
        let since = now.saturating_sub(LATELY).unwrap_or(Timestamp::MIN);
        let health = api.store.endpoint_health(owner, &offer.url, since).await?;
        let limit = api.settings.lookup_timeout;
        let reached = tokio::time::timeout(limit, api.lookup.reach(&offer.url)).await;
        let reached = reached.unwrap_or_else(|_| Err(format!("no answer within {limit:?}")));
        let (state, _) = api.network.breakers.state(&offer.url, now);
        self.endpoint = Some(endpoint(offer, (health, state), &reached, now));
        Ok(true)
    }
}

fn because(plan: &Plan, offer: &Offer, (why, converted): (&[String], bool)) -> Vec<String> {
    let registration = offer.report.registration.as_deref();
    let registered = match registration {
        Some(id) if id != plan.document_type.to_string() => {
            format!("The recipient is registered for {id}, which stands for the document's type.")
        }
        _ => "The recipient is registered for the document's own type.".to_owned(),
    };
    let smp = offer.report.smp.as_deref().unwrap_or("its SMP");
    let found = [
        format!("{} names {smp} in DNS.", offer.report.dns_name),
        registered,
        match converted {
            true => format!("The document is converted to {}.", plan.document_type),
            false => "The document is sent as it is; nothing is converted.".to_owned(),
        },
    ];
    [why, &found].concat()
}

fn endpoint(
    offer: Offer,
    (health, state): (EndpointHealth, BreakerState),
    reached: &Result<u16, String>,
    now: Timestamp,
) -> DryRunEndpoint {
    DryRunEndpoint {
        certificate_days_left: offer.certificate_until.duration_since(now).as_hours() / 24,
        certificate_until: offer.certificate_until,
        url: offer.url,
        seat_id: offer.seat_id,
        is_reachable: reached.is_ok(),
        answer: match reached {
            Ok(status) => format!("it answers with status {status}"),
            Err(why) => why.clone(),
        },
        delivered_lately: health.delivered,
        failed_lately: health.failed,
        last_delivered_on: health.last_delivered,
        last_failed_on: health.last_failed,
        state: state.as_str().to_owned(),
        median_ms: health.median_ms,
        last_error: health.last_code,
    }
}
