//! The statistics reports of the provider, for the provider: how far they are, what they say, and
//! sending one anew.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use quoin_delivery::reporting::{Month, ReportKind};
use quoin_model::text::quoted;
use quoin_store::{ReportKey, ReportRecord, ReportStep};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

#[cfg(test)]
use crate::http::problem::ProblemBody;
use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, OfProvider, Queried, Reported};
use crate::http::{Caller, Problem, codes};
use quoin_access_point::provider::Provider;
use quoin_access_point::reports::{self, ReportError};

use super::Api;
#[cfg(test)]
use super::bodies::ReportXml;
use super::service_levels::month;

/// Which months to tell of.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct MonthsQuery {
    /// The first month, `2026-01`; the one before this unless told otherwise.
    #[cfg_attr(test, param(example = "2026-10", pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    from: Option<String>,
    /// The last month; this month unless told otherwise, or `from` where that is after it.
    #[cfg_attr(test, param(example = "2026-11", pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    to: Option<String>,
}

/// A report in a path.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
pub(crate) struct ReportPath {
    /// The month in UTC.
    #[cfg_attr(test, param(example = "2026-10", pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    month: String,
    /// `TSR` or `EUSR`.
    #[cfg_attr(test, param(example = "TSR", pattern = "^(TSR|EUSR)$"))]
    kind: String,
}

/// How far a report is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(example = json!({
    "month": "2026-10", "kind": "TSR", "status": "Delivered", "made": 1,
    "documentId": "0f8fad5b-d9cb-469f-a165-70867728950e", "dueBefore": "2026-11-16T00:00:00Z",
    "isTaken": true, "isMissed": false
})))]
pub(super) struct ReportView {
    /// The month in UTC that it covers.
    #[cfg_attr(test, schema(example = "2026-10"))]
    pub month: String,
    /// `TSR`, transactions, or `EUSR`, end users.
    #[cfg_attr(test, schema(example = "TSR"))]
    pub kind: &'static str,
    /// `Planned`, or the status of the document that was made last.
    #[cfg_attr(test, schema(example = "Delivered"))]
    pub status: &'static str,
    /// How often it was made.
    #[cfg_attr(test, schema(example = 1))]
    pub made: u32,
    /// The document that was made last, one of the provider's party.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0f8fad5b-d9cb-469f-a165-70867728950e"))]
    pub document_id: Option<String>,
    /// When it is too late.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub due_before: Timestamp,
    /// Whether one was taken with a receipt.
    pub is_taken: bool,
    /// Whether the time is over without one.
    pub is_missed: bool,
}

impl From<ReportRecord> for ReportView {
    fn from(record: ReportRecord) -> ReportView {
        let ReportRecord { key, document, made, progress } = record;
        let last = document.map(|document| document.transaction);
        ReportView {
            month: key.month.to_string(),
            kind: key.kind.as_str(),
            status: last.as_ref().map_or("Planned", |last| last.status.as_str()),
            made,
            document_id: last.map(|last| last.document_id.to_string()),
            due_before: key.month.deadline(),
            is_taken: progress.is_taken,
            is_missed: progress.is_missed,
        }
    }
}

/// The provider, where the caller is one of its managers. Reports tell of all customers together.
fn provider<'a>(api: &'a Api, caller: &Caller) -> Result<&'a Arc<Provider>, Problem> {
    caller.manager()?;
    let own = |provider: &&Arc<Provider>| provider.organisation.as_str() == caller.organisation;
    api.settings.provider.as_ref().filter(own).ok_or_else(|| {
        let detail = format!("{} is not of the organisation of the provider", caller.client);
        Problem::new(&codes::NOT_THE_PROVIDER, detail)
    })
}

fn key(path: &ReportPath) -> Result<ReportKey, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_QUERY, detail);
    let month = path.month.parse().map_err(|error| bad(format!("month: {error}")))?;
    let kind = ReportKind::named(&path.kind)
        .ok_or_else(|| bad(format!("expected TSR or EUSR, found {}", quoted(&path.kind, 20))))?;
    Ok(ReportKey { month, kind })
}

/// Lists the statistics reports of the provider, the newest month first.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/reports", tag = "provider",
    params(MonthsQuery),
    responses(
        (status = 200, description = "The reports.", body = [ReportView]),
        Called,
        OfProvider,
        Queried,
    ),
    security(("token" = []))
))]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<MonthsQuery>,
) -> Result<Json<Vec<ReportView>>, Problem> {
    provider(&api, &caller)?;
    let to = month(&api, "to", query.to.as_deref())?;
    let (from, to) = match query.from.as_deref() {
        None => (to.previous(), to),
        Some(text) => {
            let from = month(&api, "from", Some(text))?;
            // Who names no end asks for what there is from then on.
            (from, if query.to.is_some() { to } else { to.max(from) })
        }
    };
    super::paging::period(&from, &to)?;
    let found = api.store.reports((from, to)).await?;
    Ok(Json(found.into_iter().map(ReportView::from).collect()))
}

/// Makes a report from what is on record now, and shows it. Nothing is sent; the documents that
/// were sent are those of the provider's party.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/reports/{month}/{kind}", tag = "provider",
    params(ReportPath),
    responses(
        (status = 200, description = "The report.",
         content((ReportXml = "application/xml"))),
        Called,
        OfProvider,
        Queried,
    ),
    security(("token" = []))
))]
pub(crate) async fn show(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<ReportPath>,
) -> Result<Response, Problem> {
    let provider = provider(&api, &caller)?;
    let text = reports::write(&api.store, provider, key(&path)?).await?;
    Ok(([(CONTENT_TYPE, "application/xml")], text).into_response())
}

/// Makes a report anew and sends it: a correction, which counts instead of what was sent before.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/reports/{month}/{kind}/send", tag = "provider",
    params(ReportPath),
    responses(
        (status = 200, description = "It is made and will be sent.", body = ReportView),
        (
            status = 409,
            description = "The month is not over, its deadline is, or reports are switched off.",
            body = ProblemBody,
            content_type = "application/problem+json"
        ),
        Called,
        OfProvider,
        Queried,
        Reported,
    ),
    security(("token" = []))
))]
pub(crate) async fn send(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<ReportPath>,
) -> Result<Json<ReportView>, Problem> {
    let provider = provider(&api, &caller)?;
    let key = key(&path)?;
    let now = api.clock.now();
    in_time(key.month, now)?;
    let made = match reports::document(&api.store, provider, key, now).await {
        Ok(made) => made,
        Err(error @ ReportError::Off) => {
            return Err(Problem::new(&codes::REPORT, error.to_string()));
        }
        Err(ReportError::Store(error)) => return Err(error.into()),
        Err(ReportError::Id(error)) => return Err(Problem::fault(error)),
    };
    let step = ReportStep {
        claim: None,
        key,
        made: Some(made),
        warned: false,
        missed: false,
        notices: Vec::new(),
        next: Some(now),
        now,
    };
    api.store.commit_report(step).await?;
    let found = api.store.report(key).await?;
    found.map(|found| Json(found.into())).ok_or_else(|| Problem::fault("the report is not there"))
}

/// Only a month that is over can be reported, and only until its deadline.
fn in_time(month: Month, now: Timestamp) -> Result<(), Problem> {
    if now < month.end() {
        let detail = format!("{month} is not over; it ends at {} UTC", month.end());
        return Err(Problem::new(&codes::REPORT, detail));
    }
    if now >= month.deadline() {
        let detail = format!(
            "the report about {month} was due before {}, and a late one is not processed",
            month.deadline()
        );
        return Err(Problem::new(&codes::REPORT, detail));
    }
    Ok(())
}
