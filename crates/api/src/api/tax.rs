//! Reports to tax authorities about invoices: what became of each, which are unreported, and what
//! is asked about one (another one in its place, or that it is taken back).

pub(crate) mod changes;
mod view;

use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use quoin_access_point::dossier::shown_report;
use quoin_access_point::reading::time;
use quoin_delivery::Direction;
use quoin_delivery::tax::TaxState;
use quoin_model::text::quoted;
use quoin_store::{PartyRecord, TaxFilter, TaxPage, TaxReportRecord};
use serde::Deserialize;
#[cfg(test)]
use utoipa::IntoParams;
use uuid::Uuid;

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, Kept, OfDocument, OfParty, Paged};
use crate::http::{Caller, Problem, codes};

use super::Api;
#[cfg(test)]
use super::bodies::ReportXml;
use super::paging;
#[cfg(test)]
use super::paths::{DocumentIdText, PartyId, PartyPath};
use super::rights::{Right, party};
use view::{TaxReportPage, TaxReportView};

use changes::{disregard, resubmit, switch, switched};

/// The routes.
pub(super) fn routes() -> Router<Api> {
    let one = "/api/v1/{partyId}/taxReport/{reportId}";
    Router::new()
        .route("/api/v1/{partyId}/taxReport", get(list))
        .route(one, get(read))
        .route(&format!("{one}/document"), get(document))
        .route(&format!("{one}/resubmit"), post(resubmit))
        .route(&format!("{one}/disregard"), post(disregard))
        .route("/api/v1/{partyId}/taxReporting", get(switched).put(switch))
}

/// A report in a path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path")]
pub(crate) struct TaxReportPath {
    /// The party, `scheme:identifier`.
    #[param(value_type = PartyId, rename = "partyId")]
    party_id: String,
    /// The id of the report.
    #[param(value_type = DocumentIdText, rename = "reportId")]
    report_id: String,
}

/// Which reports to list.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct TaxReportQuery {
    /// Only those in one of these states, between commas: `due`, `gathered`, `sending`, `sent`,
    /// `accepted`, `rejected`, `failed`, `notOwed`, `replaced`.
    #[cfg_attr(
        test,
        param(
            example = "rejected,failed",
            pattern = "^(due|gathered|sending|sent|accepted|rejected|failed|notOwed|replaced)(,(due|gathered|sending|sent|accepted|rejected|failed|notOwed|replaced))*$"
        )
    )]
    state: Option<String>,
    /// Only those that no authority has taken.
    #[serde(default, deserialize_with = "super::bool_param::given")]
    unreported: bool,
    /// Only those whose term is over before this time (RFC 3339).
    #[serde(default, deserialize_with = "time::optional")]
    #[cfg_attr(test, param(value_type = Option<String>, format = DateTime, example = "2026-12-01T00:00:00Z"))]
    due_before: Option<Timestamp>,
    /// Reports in a page, 1 to 500; 100 unless told otherwise.
    #[cfg_attr(test, param(minimum = 1, maximum = 500, example = 100))]
    limit: Option<usize>,
    /// The token of the page before.
    #[cfg_attr(test, param(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    continuation_token: Option<String>,
}

impl TaxReportQuery {
    fn states(&self) -> Result<Vec<TaxState>, Problem> {
        let mut states = Vec::new();
        for word in self.state.iter().flat_map(|list| list.split(',')) {
            let known = || TaxState::ALL.map(TaxState::as_str).join(", ");
            let state = TaxState::named(word.trim()).ok_or_else(|| {
                let detail = format!(
                    "state is {word}, expected one of {}",
                    known(),
                    word = quoted(word, 40)
                );
                Problem::new(&codes::BAD_QUERY, detail)
            })?;
            states.push(state);
        }
        if self.unreported {
            if states.is_empty() {
                states.extend(TaxState::ALL);
            }
            states.retain(|state| state.is_unreported());
            if states.is_empty() {
                let detail = "unreported=true and no state of state= go together";
                return Err(Problem::new(&codes::BAD_QUERY, detail));
            }
        }
        states.sort_unstable();
        states.dedup();
        Ok(states)
    }
}

/// Lists the reports to tax authorities about the invoices of a party, oldest first.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/taxReport", tag = "taxReport", params(PartyPath, TaxReportQuery),
    responses(
        (status = 200, description = "A page of reports.", body = TaxReportPage),
        Called,
        OfParty,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<TaxReportQuery>,
) -> Result<Json<TaxReportPage>, Problem> {
    let TaxReader { party, sees } = reader(&api, &caller, &party_id).await?;
    let filter = TaxFilter {
        organisation: party.organisation,
        party: party.id,
        directions: sees,
        states: query.states()?,
        due_before: query.due_before,
        limit: paging::size(query.limit)?,
        continuation: query.continuation_token,
    };
    let TaxPage { items, continuation } = api.store.tax_reports(filter).await?;
    let items = items.into_iter().map(|report| TaxReportView::of(report, caller.language));
    Ok(Json(TaxReportPage { items: items.collect(), continuation_token: continuation }))
}

/// Who may look at reports of a party, and of invoices that went which way.
struct TaxReader {
    party: PartyRecord,
    sees: Vec<Direction>,
}

/// Reports of what was sent are for who may send, those of what came for who may receive.
async fn reader(api: &Api, caller: &Caller, party_id: &str) -> Result<TaxReader, Problem> {
    let rights = [(Right::Send, Direction::Outgoing), (Right::Receive, Direction::Incoming)];
    let (mut found, mut refused, mut sees) = (None, None, Vec::new());
    for (right, direction) in rights {
        match party(api, caller, party_id, right).await {
            Ok(own) => {
                found = Some(own);
                sees.push(direction);
            }
            Err(problem) => refused = Some(problem),
        }
    }
    match (found, refused) {
        (Some(party), _) => Ok(TaxReader { party, sees }),
        (None, Some(problem)) => Err(problem),
        (None, None) => Err(Problem::fault("no right was asked for")),
    }
}

impl TaxReader {
    /// A report that may be looked at.
    async fn found(&self, api: &Api, report: &str) -> Result<TaxReportRecord, Problem> {
        let id = Uuid::try_parse(report).map(|id| id.hyphenated().to_string()).map_err(|_| {
            let detail = format!(
                "the id of a report is a UUID, found {report}",
                report = quoted(report, 64)
            );
            Problem::new(&codes::BAD_DOCUMENT_ID, detail)
        })?;
        let is_seen = |found: &TaxReportRecord| {
            found.party == self.party.id && self.sees.contains(&found.direction)
        };
        let found = api.store.tax_report(&self.party.organisation, &id).await?;
        found.filter(is_seen).ok_or_else(|| unknown(&self.party, &id))
    }
}

fn unknown(party: &PartyRecord, id: &str) -> Problem {
    Problem::new(&codes::NO_DOCUMENT, format!("{} has no tax report {id}", party.main()))
}

/// Where a report to a tax authority is, and why.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/taxReport/{reportId}", tag = "taxReport", params(TaxReportPath),
    responses(
        (status = 200, description = "The report.", body = TaxReportView),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn read(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, report)): Path<(String, String)>,
) -> Result<Json<TaxReportView>, Problem> {
    let report = reader(&api, &caller, &party_id).await?.found(&api, &report).await?;
    Ok(Json(TaxReportView::of(report, caller.language)))
}

/// Downloads a report as its authority has it; once the party has deleted the invoice, without the
/// invoice that stands in it.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/taxReport/{reportId}/document", tag = "taxReport",
    params(TaxReportPath),
    responses(
        (status = 200, description = "The tax data document.", body = ReportXml, content_type = "application/xml"),
        Called,
        OfParty,
        OfDocument,
        Kept,
    ),
    security(("token" = []))
))]
pub(crate) async fn document(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, report)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let report = reader(&api, &caller, &party_id).await?.found(&api, &report).await?;
    let message = api.store.tax_message_of(&report).await?.ok_or_else(|| {
        let detail = format!(
            "the tax report {} is {}: there is nothing to download",
            report.id,
            report.state.as_str()
        );
        Problem::new(&codes::NO_DOCUMENT, detail)
    })?;
    let bytes = api.store.document(&message).await?.ok_or_else(|| {
        let detail = format!("the time for which the tax report {} is kept is over", report.id);
        Problem::new(&codes::EXPIRED, detail)
    })?;
    let bytes = match api.store.transaction(&report.transaction).await? {
        Some(invoice) => shown_report(bytes, &invoice),
        None => bytes,
    };
    Ok(([(CONTENT_TYPE, HeaderValue::from_static("application/xml"))], bytes).into_response())
}
