//! `sendDryRun`: what would happen to a sales invoice, without sending it: the verdict, the route
//! and why, what would be lost, and how the receiver's access point is.

use axum::Json;
use axum::extract::{Path, Query, Request, State};
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{Event, Family};
use quoin_document::Report;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::lookup::LookupError;
use quoin_store::{EndpointHealth, Wishes};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem};
use crate::lookup::{LookupReport, Offer, Wanted};
use crate::worker::plan::{Ask, Plan, judged};

use super::Api;
use super::party::{Right, party};
use super::paths::PartyPath;
use super::upload::{SendQuery, UploadForm, body, channel, participant};

/// How far back attempts to an address are looked at.
const LATELY: SignedDuration = SignedDuration::from_hours(24 * 7);
/// The channel of the network.
const PEPPOL: &str = "peppol";

/// What would happen to a document.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DryRun {
    /// `deliverable`, `rejected` (the document is wrong), `unroutable` (nobody takes it), or
    /// `uncertain` (the look-up had no answer).
    #[schema(example = "deliverable")]
    pub verdict: String,
    /// Why, one sentence.
    pub reason: String,
    /// What is wrong with the document, warnings included.
    pub findings: Vec<DryRunFinding>,
    /// Who would send.
    pub sender: Option<String>,
    /// Who would receive.
    pub recipient: Option<String>,
    /// The document's own number.
    pub number: Option<String>,
    /// The document type that would be sent, `scheme::value`.
    pub document_type_id: Option<String>,
    /// The process, `scheme::value`.
    pub process_id: Option<String>,
    /// The way it would take.
    pub route: Option<DryRunRoute>,
    /// What the conversion to the recipient's format would lose; nothing where the document is sent
    /// as it is.
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
    pub text: String,
    /// Where, an XPath.
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
    pub because: Vec<String>,
    /// What was seen on the way to the recipient.
    #[schema(value_type = Object)]
    pub lookup: LookupReport,
}

/// How an access point is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DryRunEndpoint {
    /// Its address.
    pub url: String,
    /// The seat id of its certificate.
    #[schema(example = "POP000001")]
    pub seat_id: String,
    /// Until when its certificate is valid.
    #[schema(value_type = String, format = DateTime)]
    pub certificate_until: Timestamp,
    /// Whole days until then.
    pub certificate_days_left: i64,
    /// Whether its address answers just now.
    pub is_reachable: bool,
    /// What it answered to a plain request, or why there was no answer.
    pub answer: String,
    /// Attempts of the organisation to deliver there in the last week that were taken.
    pub delivered_lately: u64,
    /// Attempts of the organisation to deliver there in the last week that failed.
    pub failed_lately: u64,
    /// When one was last taken.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_delivered_on: Option<Timestamp>,
    /// When one last failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_failed_on: Option<Timestamp>,
}

/// Tells what would happen to a sales invoice, without sending it.
#[utoipa::path(
    post, path = "/api/v1/{partyId}/salesInvoice/sendDryRun", tag = "salesInvoice",
    params(PartyPath, SendQuery),
    request_body(content((String = "application/xml"), (String = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "What would happen.", body = DryRun),
        Refused,
        Failed,
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
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    let forced = query.channel.map(|id| channel(&id)).transpose()?;
    let receiver = query.receiver_id.map(|id| participant("receiverId", &id)).transpose()?;
    let wishes = Wishes { receiver, ..Wishes::default() };
    let content = body(&api, request, &[]).await?.content;
    let own: Vec<ParticipantId> =
        party.identifiers.iter().filter_map(|text| text.parse().ok()).collect();
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
        judged(&ask, &desk)
    };
    let (report, planned) = api.settings.judges.run(judge).await?;
    let mut run = DryRun { findings: findings(&report), ..DryRun::default() };
    match planned {
        Err(event) => run.rejected(&event),
        Ok(plan) => run.route(&api, &caller, &plan, forced.as_deref()).await?,
    }
    Ok(Json(run))
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

    async fn route(
        &mut self,
        api: &Api,
        caller: &Caller,
        plan: &Plan,
        forced: Option<&str>,
    ) -> Result<(), Problem> {
        self.sender = Some(plan.sender.to_string());
        self.recipient = Some(plan.receiver.to_string());
        self.number.clone_from(&plan.number);
        self.document_type_id = Some(plan.document_type.to_string());
        self.process_id = Some(plan.process.to_string());
        let wanted = Wanted { types: vec![plan.document_type.clone()], ..Wanted::default() };
        let limit = api.settings.lookup_timeout;
        let asked = tokio::time::timeout(limit, api.lookup.offers(&plan.receiver, &wanted)).await;
        let slow = || LookupError::SmpTrouble { what: format!("no answer within {limit:?}") };
        match asked.unwrap_or_else(|_| Err(slow())) {
            Err(error) => {
                let word = if error.is_temporary() { "uncertain" } else { "unroutable" };
                self.verdict = word.to_owned();
                self.reason = format!("{error}.");
            }
            Ok(offers) => self.choose(api, caller, plan, (offers, forced)).await?,
        }
        Ok(())
    }

    async fn choose(
        &mut self,
        api: &Api,
        caller: &Caller,
        plan: &Plan,
        (offers, forced): (Vec<Offer>, Option<&str>),
    ) -> Result<(), Problem> {
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
            return Ok(());
        };
        self.verdict = "deliverable".to_owned();
        self.reason = format!("{} accepts the document over Peppol.", plan.receiver);
        self.route = Some(DryRunRoute {
            channel: forced.unwrap_or(PEPPOL).to_owned(),
            because: because(plan, &offer, forced),
            lookup: offer.report.clone(),
        });
        let owner = super::party::organisation(caller)?;
        let now = api.clock.now();
        let since = now.saturating_sub(LATELY).unwrap_or(Timestamp::MIN);
        let health = api.store.endpoint_health(&owner, &offer.url, since).await?;
        let limit = api.settings.lookup_timeout;
        let reached = tokio::time::timeout(limit, api.lookup.reach(&offer.url)).await;
        let reached = reached.unwrap_or_else(|_| Err(format!("no answer within {limit:?}")));
        self.endpoint = Some(endpoint(offer, health, &reached, now));
        Ok(())
    }
}

fn because(plan: &Plan, offer: &Offer, forced: Option<&str>) -> Vec<String> {
    let channel = match forced {
        Some(channel) => format!("The query forces the channel {channel}."),
        None => "No other channel is asked for, and Peppol is the default.".to_owned(),
    };
    let registration = offer.report.registration.as_deref();
    let registered = match registration {
        Some(id) if id != plan.document_type.to_string() => {
            format!("The recipient is registered for {id}, which stands for the document's type.")
        }
        _ => "The recipient is registered for the document's own type.".to_owned(),
    };
    let smp = offer.report.smp.as_deref().unwrap_or("its SMP");
    vec![
        channel,
        format!("{} names {smp} in DNS.", offer.report.dns_name),
        registered,
        "The document is sent as it is; nothing is converted.".to_owned(),
    ]
}

fn endpoint(
    offer: Offer,
    health: EndpointHealth,
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
    }
}
