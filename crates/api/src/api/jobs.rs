//! Bulk jobs: one change for many parties, with a preview before and a list of what became of each
//! party after. For the role ApManager.

mod request;
mod view;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use data_encoding::BASE64URL_NOPAD;
use quoin_delivery::jobs::{ItemState, JobCommand};
use quoin_model::text::quoted;
use quoin_store::{Error, Refusal};
use serde::Deserialize;
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::body::FullList;
use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, JobBody, JsonBody, OfJob, OfRole, Paged};
use crate::http::{Caller, Problem, codes};

use super::rights::managed;
use super::{Api, paging};

use request::JobRequest;
pub use view::{JobItemView, JobItems, JobList, JobReason, JobView};

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/api/v1/jobs", get(list).post(create))
        .route("/api/v1/jobs/{jobId}", get(job))
        .route("/api/v1/jobs/{jobId}/items", get(items))
        .route("/api/v1/jobs/{jobId}/{command}", post(command))
}

/// The path of a job.
#[cfg(test)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct JobPath {
    /// The job.
    #[cfg_attr(test, param(rename = "jobId", example = "0197f3a0-5b1e-7c4a-9a53-0a6c1b2d3e4f"))]
    job_id: String,
}

/// The path of a command to a job.
#[cfg(test)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct CommandPath {
    /// The job.
    #[cfg_attr(test, param(rename = "jobId", example = "0197f3a0-5b1e-7c4a-9a53-0a6c1b2d3e4f"))]
    job_id: String,
    /// `start`, `pause`, `resume` or `cancel`.
    #[cfg_attr(test, param(value_type = JobCommandName, example = "start"))]
    command: String,
}

/// A command, for the description of the interface.
#[cfg(test)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(rename_all = "lowercase"))]
#[expect(dead_code, reason = "describes a text")]
pub(crate) enum JobCommandName {
    Start,
    Pause,
    Resume,
    Cancel,
}

/// The state of a party in a job, for the description of the interface.
#[cfg(test)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(rename_all = "lowercase"))]
#[expect(dead_code, reason = "describes a text")]
pub(crate) enum JobItemStateName {
    Planned,
    Refused,
    Waiting,
    Done,
    Unchanged,
    Failed,
}

/// Which parties of a job.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct ItemsQuery {
    /// Only those in this state: `planned`, `refused`, `waiting`, `done`, `unchanged` or `failed`.
    #[cfg_attr(test, param(value_type = Option<JobItemStateName>, example = "failed"))]
    state: Option<String>,
    /// The token of the page before.
    #[cfg_attr(test, param(example = "MQ"))]
    continuation_token: Option<String>,
    /// Parties in a page, 1 to 500; 100 unless told otherwise.
    #[cfg_attr(test, param(minimum = 1, maximum = 500, example = 100))]
    limit: Option<usize>,
}

/// Which page of the jobs.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct JobsQuery {
    /// The token of the page before.
    #[cfg_attr(test, param(example = "MDE5N2YzYTAtNWIxZS03YzRhLTlhNTMtMGE2YzFiMmQzZTRm"))]
    continuation_token: Option<String>,
    /// Jobs in a page, 1 to 500; 100 unless told otherwise.
    #[cfg_attr(test, param(minimum = 1, maximum = 500, example = 100))]
    limit: Option<usize>,
}

/// Records a bulk job. It is planned first: for each party it is tried what would happen, without
/// doing it. Then it waits for the command `start`, unless `start` is true. The same `id` with the
/// same contents again is the same job.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/jobs", tag = "jobs",
    request_body(
        content = JobRequest,
        example = json!({
            "kind": "enrol",
            "common": {
                "capabilities": { "invoices": "on" },
                "verification": { "notes": "Contract C21345" },
                "partyAuthorizations": [{
                    "userId": "alice@example.org", "permissions": { "canSendDocument": true },
                }],
            },
            "parties": [
                { "id": "0106:12345678" },
                { "id": "0106:87654321", "migration": { "key": "aB3$xY7#mQ9!" } },
            ],
        })
    ),
    responses(
        (
            status = 202,
            description = "The job is recorded.",
            body = JobView,
            example = json!(JobView::example())
        ),
        Called,
        OfRole,
        JsonBody,
        JobBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn create(
    State(api): State<Api>,
    caller: Caller,
    FullList(body): FullList,
) -> Result<(StatusCode, Json<JobView>), Problem> {
    let owner = managed(&caller)?;
    let (of, client, now) = (owner.clone(), caller.client.clone(), api.clock.now());
    let read = move || super::json::parsed::<JobRequest>(&body)?.read(&of, &client, now);
    let new = api.settings.judges.run(&caller.organisation, read).await??;
    let job = api.store.new_job(new).await?;
    let (job, counts) = api.store.job(&owner, &job.id).await?;
    Ok((StatusCode::ACCEPTED, Json(JobView::of(job, &counts))))
}

/// Lists the jobs of the organisation, the newest first, page by page, without their counts and
/// reasons.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/jobs", tag = "jobs", params(JobsQuery),
    responses(
        (
            status = 200,
            description = "A page.",
            body = JobList,
            example = json!({ "items": [JobView::listed_example()] })
        ),
        Called,
        OfRole,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<JobsQuery>,
) -> Result<Json<JobList>, Problem> {
    let owner = managed(&caller)?;
    let limit = paging::size(query.limit)?;
    let before = query.continuation_token.as_deref().map(decoded).transpose()?;
    let found = api.store.jobs_of(&owner, (before, limit as u32 + 1)).await;
    let mut found = found.map_err(|error| match error {
        // The job at which the page before ended was forgotten meanwhile.
        Error::Refusal(Refusal::NotFound { .. }) => not_ours(),
        other => other.into(),
    })?;
    let more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| more);
    let continuation_token = last.map(|job| BASE64URL_NOPAD.encode(job.id.as_bytes()));
    Ok(Json(JobList {
        continuation_token,
        items: found.into_iter().map(JobView::listed).collect(),
    }))
}

/// Tells how far a job is: how many parties are in which state, and why.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/jobs/{jobId}", tag = "jobs", params(JobPath),
    responses(
        (
            status = 200,
            description = "The job.",
            body = JobView,
            example = json!(JobView::example())
        ),
        Called,
        OfRole,
        OfJob,
    ),
    security(("token" = []))
))]
pub(crate) async fn job(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<JobView>, Problem> {
    let (job, counts) = api.store.job(&managed(&caller)?, &folded(&id)).await?;
    Ok(Json(JobView::of(job, &counts)))
}

/// Lists the parties of a job, page by page: before the start what would become of each, afterwards
/// what became of it.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/jobs/{jobId}/items", tag = "jobs", params(JobPath, ItemsQuery),
    responses(
        (
            status = 200,
            description = "A page.",
            body = JobItems,
            example = json!({
                "continuationToken": "MQ",
                "items": [JobItemView::example()],
            })
        ),
        Called,
        OfRole,
        OfJob,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn items(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<ItemsQuery>,
) -> Result<Json<JobItems>, Problem> {
    let (owner, id) = (managed(&caller)?, folded(&id));
    let bad = |detail: String| Problem::new(&codes::BAD_QUERY, detail);
    let limit = paging::size(query.limit)?;
    let state = query.state.as_deref().map(|word| {
        ItemState::named(word).ok_or_else(|| {
            let known = ItemState::ALL.map(ItemState::as_str).join(", ");
            bad(format!("state is {word}, expected one of {known}", word = quoted(word, 64)))
        })
    });
    let after = query.continuation_token.as_deref().map(after).transpose()?;
    let page = (after, limit as u32 + 1);
    let (job, mut found) = api.store.job_items(&owner, &id, state.transpose()?, page).await?;
    let more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| more);
    let token = last.map(|item| BASE64URL_NOPAD.encode(item.position.to_string().as_bytes()));
    Ok(Json(JobItems { continuation_token: token, items: view::items(&api, &job, found).await? }))
}

/// The id of a job as it is recorded: a UUID, in any case.
fn folded(id: &str) -> String {
    id.to_ascii_lowercase()
}

/// The position after which a page begins.
fn after(token: &str) -> Result<u32, Problem> {
    decoded(token)?.parse().map_err(|_| not_ours())
}

fn decoded(token: &str) -> Result<String, Problem> {
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).ok();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(not_ours)
}

fn not_ours() -> Problem {
    let detail = "the continuation token is not one of ours; start again without one";
    Problem::new(&codes::BAD_TOKEN, detail)
}

/// Gives a job a command: `start` carries it out, `pause` takes no further step for now, `resume`
/// goes on, `cancel` ends it; what was done stays done. The same command twice has the same result.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/jobs/{jobId}/{command}", tag = "jobs",
    params(CommandPath),
    responses(
        (
            status = 200,
            description = "The job.",
            body = JobView,
            example = json!(JobView::example())
        ),
        Called,
        OfRole,
        OfJob,
        JobBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn command(
    State(api): State<Api>,
    caller: Caller,
    Path((id, command)): Path<(String, String)>,
) -> Result<Json<JobView>, Problem> {
    let (owner, id) = (managed(&caller)?, folded(&id));
    let command = JobCommand::named(&command).ok_or_else(|| {
        let known = JobCommand::ALL.map(JobCommand::as_str).join(", ");
        Problem::new(
            &codes::BAD_JOB,
            format!("the command is {command}, expected {known}", command = quoted(&command, 64)),
        )
    })?;
    api.store.command_job(&owner, &id, command, api.clock.now()).await?;
    let (job, counts) = api.store.job(&owner, &id).await?;
    Ok(Json(JobView::of(job, &counts)))
}
