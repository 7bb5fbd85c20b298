//! What is asked about reports to tax authorities, and whether is reported for a party at all.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use quoin_delivery::tax::{TaxAct, why_not};
use quoin_store::TaxChange;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

#[cfg(test)]
use crate::http::refusals::{Called, JsonBody, OfDocument, OfParty, OfRole, TaxChanged};
use crate::http::{Caller, Problem, codes};

#[cfg(test)]
use super::TaxReportPath;
use super::view::TaxReportView;
use super::{reader, unknown};
use crate::api::Api;
use crate::api::json;
#[cfg(test)]
use crate::api::paths::PartyPath;
use crate::api::rights::{Right, linked, managed, party};

/// Has a report made once more that was rejected, that did not get to its authority, or whose
/// authority answered none of its messages in its time. It has a new identifier and names the
/// invoice as before. One of a file that was given up (France) stays what it is and goes again with
/// all of its file; the other files of its period that were given up follow.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/taxReport/{reportId}/resubmit", tag = "taxReport",
    params(TaxReportPath),
    responses(
        (status = 202, description = "The report that takes its place, or the same with all of its file.", body = TaxReportView),
        Called,
        OfParty,
        OfDocument,
        TaxChanged,
    ),
    security(("token" = []))
))]
pub(crate) async fn resubmit(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<(StatusCode, Json<TaxReportView>), Problem> {
    change(&api, &caller, path, TaxAct::Resubmit).await
}

/// Tells the authority that what was reported does not count: the invoice did not take effect.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/taxReport/{reportId}/disregard", tag = "taxReport",
    params(TaxReportPath),
    responses(
        (status = 202, description = "The report that takes it back.", body = TaxReportView),
        Called,
        OfParty,
        OfDocument,
        TaxChanged,
    ),
    security(("token" = []))
))]
pub(crate) async fn disregard(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<(StatusCode, Json<TaxReportView>), Problem> {
    change(&api, &caller, path, TaxAct::Disregard).await
}

async fn change(
    api: &Api,
    caller: &Caller,
    (party_id, report): (String, String),
    wish: TaxAct,
) -> Result<(StatusCode, Json<TaxReportView>), Problem> {
    // A report is sent, and is about an invoice that whoever asks may see.
    let party = party(api, caller, &party_id, Right::Send).await?;
    let report = reader(api, caller, &party_id).await?.found(api, &report).await?;
    let now = api.clock.now();
    let owner = &party.organisation;
    let word = if wish == TaxAct::Disregard { "taken back" } else { "made once more" };
    let unfitting = |detail: String| Err(Problem::new(&codes::TAX_REPORT, detail));
    match api.store.change_tax_report(owner, &report.id, wish, now).await? {
        TaxChange::Made(made) => {
            let view = TaxReportView::of(*made, caller.language);
            Ok((StatusCode::ACCEPTED, Json(view)))
        }
        TaxChange::Unfitting(state) => unfitting(format!(
            "the tax report {} ({}) is {} and cannot be {word}: {}",
            report.id,
            report.act.as_str(),
            state.as_str(),
            why_not(wish, report.act)
        )),
        TaxChange::Replaced(by) => {
            unfitting(format!("the tax report {by} took the place of {}", report.id))
        }
        TaxChange::Gone => unfitting(format!(
            "the invoice {} is not kept any more, so that its tax report {} cannot be {word}: tell \
             the authority by the means that it has for that",
            report.invoice, report.id
        )),
        TaxChange::Unknown => Err(unknown(&party, &report.id)),
    }
}

/// Whether is reported for a party.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({ "enabled": true })))]
pub(crate) struct TaxSwitch {
    /// `true`, `false`, or `null` where the profiles of the service decide.
    enabled: Option<bool>,
}

/// Whether invoices of a party are reported to tax authorities.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/taxReporting", tag = "taxReport", params(PartyPath),
    responses(
        (status = 200, description = "What was said for the party.", body = TaxSwitch),
        Called,
        OfParty,
    ),
    security(("token" = []))
))]
pub(crate) async fn switched(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
) -> Result<Json<TaxSwitch>, Problem> {
    let party = linked(&api, &caller, &party_id).await?;
    let enabled = api.store.tax_switch(&party.organisation, &party.id).await?;
    Ok(Json(TaxSwitch { enabled }))
}

/// Switches reporting to tax authorities on or off for a party, or leaves it to the profiles of the
/// service. What was reported already can still be repeated and taken back.
#[cfg_attr(test, utoipa::path(
    put, path = "/api/v1/{partyId}/taxReporting", tag = "taxReport", params(PartyPath),
    request_body = TaxSwitch,
    responses(
        (status = 200, description = "What is said for the party now.", body = TaxSwitch),
        Called,
        OfRole,
        OfParty,
        JsonBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn switch(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    request: Request,
) -> Result<Json<TaxSwitch>, Problem> {
    managed(&caller)?;
    let party = linked(&api, &caller, &party_id).await?;
    let wanted: TaxSwitch = json::read(&api, request).await?;
    let now = api.clock.now();
    api.store.put_tax_switch(&party.organisation, &party.id, wanted.enabled, now).await?;
    Ok(Json(wanted))
}
