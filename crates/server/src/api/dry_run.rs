//! `sendDryRun`: what would happen to a sales invoice, without sending it: the verdict, the route
//! and why, what would be lost, and how the receiver's access point is.

use axum::Json;
use axum::extract::{Path, Request, State};
use jiff::Timestamp;
use quoin_delivery::channel::PEPPOL;
use quoin_delivery::hook::Kind;
use quoin_delivery::{BreakerState, Channel, Event, Family, OrganisationId};
use quoin_document::Report;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::lookup::LookupError;
use quoin_store::{EndpointHealth, Party, Wishes};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::query::Query;
use crate::http::refusals::{Called, Channelled, DocumentBody, Identified, OfSender};
use crate::http::{Caller, Problem};
use crate::lookup::{LookupReport, Offer, Wanted};
use crate::worker::plan::{Ask, Known, Plan, Planned, judged};

use super::Api;
use super::bodies::InvoiceXml;
use super::channels::{Which, channels};
use super::network::LATELY;
use super::party::{Right, speaker, spoken};
use super::paths::PartyPath;
use super::upload::{SendQuery, UploadForm, body, channel, participant};

/// What would happen to a document.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DryRun {
    /// `deliverable`, `rejected` (the document is wrong), `unroutable` (nobody takes it), or
    /// `uncertain` (the look-up had no answer).
    #[schema(example = "deliverable")]
    pub verdict: String,
    /// Why, one sentence.
    #[schema(example = "it keeps the rules and its recipient takes it")]
    pub reason: String,
    /// What is wrong with the document, warnings included.
    pub findings: Vec<DryRunFinding>,
    /// Who would send.
    #[schema(example = "0106:12345678")]
    pub sender: Option<String>,
    /// Who would receive.
    #[schema(example = "0106:87654321")]
    pub recipient: Option<String>,
    /// The document's own number.
    #[schema(example = "INV-2026-17")]
    pub number: Option<String>,
    /// The document type that would be sent, `scheme::value`.
    #[schema(example = json!(crate::api::paths::BILLING))]
    pub document_type_id: Option<String>,
    /// The process, `scheme::value`.
    #[schema(example = json!(crate::api::paths::BILLING_PROCESS))]
    pub process_id: Option<String>,
    /// The way it would take.
    pub route: Option<DryRunRoute>,
    /// What the conversion to the recipient's format would lose. Always empty for now: nothing is
    /// converted yet, and every document is sent as it is.
    #[schema(example = json!([]))]
    pub losses: Vec<String>,
    /// How the access point of the recipient is.
    pub endpoint: Option<DryRunEndpoint>,
}

/// A finding.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DryRunFinding {
    /// The rule.
    #[schema(example = "BR-CO-15")]
    pub rule: String,
    /// `error`, `warning` or `information`.
    #[schema(example = "error")]
    pub flag: String,
    /// What is wrong.
    #[schema(example = "The invoice total with VAT (BT-112) is 120.00, expected 121.00.")]
    pub text: String,
    /// Where, an XPath.
    #[schema(example = "/Invoice/cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount")]
    pub path: Option<String>,
}

/// A way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DryRunRoute {
    /// The channel.
    #[schema(example = "peppol")]
    pub channel: String,
    /// Why this way, sentences in the order of the decisions.
    #[schema(example = json!(["The recipient is registered for the document's own type."]))]
    pub because: Vec<String>,
    /// What was seen on the way to the recipient, where it goes over Peppol.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>,
        example = json!({})
    )]
    pub lookup: Option<LookupReport>,
}

/// How an access point is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DryRunEndpoint {
    /// Its address.
    #[schema(example = "https://ap.example.org/as4")]
    pub url: String,
    /// The seat id of its certificate.
    #[schema(example = "POP000001")]
    pub seat_id: String,
    /// Until when its certificate is valid.
    #[schema(value_type = String, format = DateTime)]
    pub certificate_until: Timestamp,
    /// Whole days until then.
    #[schema(example = 412)]
    pub certificate_days_left: i64,
    /// Whether its address answers just now.
    pub is_reachable: bool,
    /// What it answered to a plain request, or why there was no answer.
    #[schema(example = "it answers with status 405")]
    pub answer: String,
    /// Attempts of the organisation to deliver there in the last week that were taken.
    #[schema(example = 17)]
    pub delivered_lately: u64,
    /// Attempts of the organisation to deliver there in the last week that failed.
    #[schema(example = 0)]
    pub failed_lately: u64,
    /// When one was last taken.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_delivered_on: Option<Timestamp>,
    /// When one last failed.
    #[schema(value_type = Option<String>, format = DateTime, example = json!(null))]
    pub last_failed_on: Option<Timestamp>,
    /// `closed`, `open` (it failed for several documents in a row and is left alone) or
    /// `half-open`.
    #[schema(example = "closed")]
    pub state: String,
    /// In how many milliseconds half of those that were taken had their receipt.
    #[schema(example = 210)]
    pub median_ms: Option<u32>,
    /// Why the last one failed, one stable word.
    #[schema(example = json!(null))]
    pub last_error: Option<String>,
}

/// Tells what would happen to a sales invoice, without sending it.
#[utoipa::path(
    post, path = "/api/v1/{partyId}/salesInvoice/sendDryRun", tag = "salesInvoice",
    params(PartyPath, SendQuery),
    request_body(content((InvoiceXml = "application/xml"), (InvoiceXml = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "What would happen.", body = DryRun),
        Called,
        OfSender,
        Identified,
        Channelled,
        DocumentBody,
    ),
    security(("token" = []))
)]
pub(crate) async fn send_dry_run(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<SendQuery>,
    request: Request,
) -> Result<Json<DryRun>, Problem> {
    let party = speaker(&api, &caller, &party_id, Right::Send).await?;
    let forced = query.channel.map(|id| channel(&id)).transpose()?;
    let receiver = query.receiver_id.map(|id| participant("receiverId", &id)).transpose()?;
    let wishes = Wishes { receiver, ..Wishes::default() };
    let content = body(&api, request, &[]).await?.content;
    let own: Vec<ParticipantId> = spoken(&api.store, &party).await?;
    let (desk, on, country) = (api.rules.clone(), api.clock.now(), party.country.clone());
    let judge = move || {
        let ask = Ask {
            document: &content,
            own: &own,
            country: Some(&country),
            wishes: &wishes,
            family: Family::Invoice,
            on,
        };
        let planned = judged(&ask, &desk);
        Planned { plan: planned.plan.and_then(|plan| enveloped(plan, &ask)), ..planned }
    };
    let judged = api.settings.judges.run(&caller.organisation, judge).await?;
    let Planned { report, known, plan } = judged;
    let mut run = DryRun { findings: findings(&report), ..DryRun::default() };
    run.tell(known);
    match plan {
        Err(event) => run.rejected(&event),
        Ok(plan) => run.route(&api, &party, &plan, forced.as_deref()).await?,
    }
    Ok(Json(run))
}

/// A plan whose document can be enveloped, which a delivery does when it knows the receiver.
fn enveloped(plan: Plan, ask: &Ask<'_>) -> Result<Plan, Box<Event>> {
    let document = plan.rewritten.as_deref().unwrap_or(ask.document);
    match plan.envelope(document, String::new(), ask.on) {
        Ok(_) => Ok(plan),
        Err(refusal) => {
            let summary = format!("The document could not be enveloped: {refusal}.");
            Err(Box::new(Event::Rejected { summary, findings: Vec::new() }))
        }
    }
}

fn findings(report: &Report) -> Vec<DryRunFinding> {
    let finding = |finding: &quoin_document::Finding| DryRunFinding {
        rule: finding.rule.clone().into_owned(),
        flag: match finding.flag {
            quoin_document::Flag::Fatal => "error",
            quoin_document::Flag::Warning => "warning",
            quoin_document::Flag::Information => "information",
        }
        .to_owned(),
        text: finding.message.clone(),
        path: finding.location.as_ref().map(|place| place.xpath.clone()),
    };
    report.findings.iter().map(finding).collect()
}

impl DryRun {
    /// Tells what the document says about itself, which people need of a refused one as well.
    fn tell(&mut self, known: Known) {
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
            if !self.findings.iter().any(|known| known.rule == line.rule) {
                self.findings.push(DryRunFinding {
                    rule: line.rule.clone(),
                    flag: "error".to_owned(),
                    text: line.text.clone(),
                    path: Some(line.path.clone()).filter(|path| !path.is_empty()),
                });
            }
        }
    }

    /// Finds the channel as a delivery does: the first one, or what comes after Peppol where that
    /// does not reach the recipient.
    async fn route(
        &mut self,
        api: &Api,
        party: &Party,
        plan: &Plan,
        forced: Option<&str>,
    ) -> Result<(), Problem> {
        self.tell(plan.known());
        let (facts, Party { organisation, id, .. }) = (plan.facts(Family::Invoice), party);
        let which = forced.map_or(Which::For(&facts), Which::Forced);
        let channels = channels(api, organisation, id, Family::Invoice, which).await?;
        let first = channels.order.first().cloned().unwrap_or_else(Channel::peppol);
        let why = match forced {
            Some(channel) => format!("The query forces the channel {channel}."),
            None => format!("The channel {} comes first for this document.", first.name),
        };
        if first.kind != Kind::Peppol {
            self.takes(&first, vec![why]);
            return Ok(());
        }
        let reaches = self.over_peppol(api, organisation, plan, &why).await?;
        if let Some(next) = channels.after_unreachable(&first).filter(|_| !reaches) {
            let unreached = std::mem::take(&mut self.reason);
            self.takes(next, vec![why, unreached, format!("{} stands behind it.", next.name)]);
        }
        Ok(())
    }

    /// It takes a channel that asks nobody beforehand.
    fn takes(&mut self, channel: &Channel, because: Vec<String>) {
        self.verdict = "deliverable".to_owned();
        self.reason = format!("The document takes the channel {}.", channel.name);
        self.route = Some(DryRunRoute { channel: channel.name.clone(), because, lookup: None });
    }

    /// Whether Peppol reaches the recipient, as far as that can be told.
    async fn over_peppol(
        &mut self,
        api: &Api,
        owner: &OrganisationId,
        plan: &Plan,
        why: &str,
    ) -> Result<bool, Problem> {
        let wanted = Wanted { types: vec![plan.document_type.clone()], ..Wanted::default() };
        let limit = api.settings.lookup_timeout;
        let asked = tokio::time::timeout(limit, api.lookup.offers(&plan.receiver, &wanted)).await;
        let slow = || LookupError::SmpTrouble { what: format!("no answer within {limit:?}") };
        match asked.unwrap_or_else(|_| Err(slow())) {
            Err(error) => {
                let may_be = error.is_temporary();
                self.verdict = if may_be { "uncertain" } else { "unroutable" }.to_owned();
                self.reason = format!("{error}.");
                Ok(may_be)
            }
            Ok(offers) => self.choose(api, owner, plan, (offers, why)).await,
        }
    }

    async fn choose(
        &mut self,
        api: &Api,
        owner: &OrganisationId,
        plan: &Plan,
        (offers, why): (Vec<Offer>, &str),
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
            because: because(plan, &offer, why),
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

fn because(plan: &Plan, offer: &Offer, why: &str) -> Vec<String> {
    let registration = offer.report.registration.as_deref();
    let registered = match registration {
        Some(id) if id != plan.document_type.to_string() => {
            format!("The recipient is registered for {id}, which stands for the document's type.")
        }
        _ => "The recipient is registered for the document's own type.".to_owned(),
    };
    let smp = offer.report.smp.as_deref().unwrap_or("its SMP");
    vec![
        why.to_owned(),
        format!("{} names {smp} in DNS.", offer.report.dns_name),
        registered,
        "The document is sent as it is; nothing is converted.".to_owned(),
    ]
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
