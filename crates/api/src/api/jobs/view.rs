//! Jobs as they are shown.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::jobs::{ItemState, JobKind, JobState};
use quoin_store::{Job, JobCount, JobItem, Registration};
use serde::Serialize;
#[cfg(test)]
use serde_json::{Value, json};
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::Problem;

use super::super::Api;

/// Reasons that are listed.
const REASONS: usize = 50;

/// A bulk job.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = Job))]
pub struct JobView {
    /// Its id.
    #[cfg_attr(test, schema(example = "0197f3a0-5b1e-7c4a-9a53-0a6c1b2d3e4f"))]
    pub id: String,
    /// What it does.
    #[cfg_attr(test, schema(example = "enrol"))]
    pub kind: &'static str,
    /// `planning`, `planned` (the preview is ready, nothing was done), `running`, `paused`,
    /// `finished` or `cancelled`.
    #[cfg_attr(test, schema(example = "planned"))]
    pub state: &'static str,
    /// Parties found so far; all of them once it is planned.
    #[cfg_attr(test, schema(example = 2))]
    pub total: u32,
    /// How many parties are in which state: `planned` (would succeed), `refused` (would not, and is
    /// left out), `waiting` (recorded; the SML has to follow), `done`, `unchanged`, `failed`.
    /// Absent in the list of jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(
        value_type = Option<std::collections::BTreeMap<String, u32>>,
        example = json!({ "planned": 1, "refused": 1 })
    ))]
    pub counts: Option<BTreeMap<&'static str, u32>>,
    /// How much of it is through, in percent: those that neither are planned nor wait. Absent in
    /// the list of jobs as the counts are, unless the job is finished or has no party.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 42))]
    pub percent: Option<u32>,
    /// Why parties would not or did not succeed, the most frequent reason first. Absent in the list
    /// of jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<JobReason>>,
    /// The account that asked for it.
    #[cfg_attr(test, schema(example = "acme-boss"))]
    pub created_by: String,
    /// When.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
    /// When it last moved.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub changed_on: Timestamp,
    /// When it began to be carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub started_on: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub finished_on: Option<Timestamp>,
}

/// A reason that several parties share.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct JobReason {
    /// The state of these parties.
    #[cfg_attr(test, schema(example = "refused"))]
    pub state: &'static str,
    /// A code as in `docs/errors`; `sml` for what the SML says, `unchanged` where nothing would
    /// change.
    #[cfg_attr(test, schema(example = "API409.Participant"))]
    pub code: String,
    /// How many parties.
    #[cfg_attr(test, schema(example = 1))]
    pub items: u32,
    /// What is said of one of them.
    #[cfg_attr(test, schema(example = "participant \"0106:87654321\" is taken"))]
    pub example: String,
}

/// A page of jobs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobList {
    /// Give this as `continuationToken` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "MDE5N2YzYTAtNWIxZS03YzRhLTlhNTMtMGE2YzFiMmQzZTRm"))]
    pub continuation_token: Option<String>,
    /// The newest first.
    pub items: Vec<JobView>,
}

/// A page of the parties of a job.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobItems {
    /// Give this as `continuationToken` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "MQ"))]
    pub continuation_token: Option<String>,
    /// The parties, in their order.
    pub items: Vec<JobItemView>,
}

/// A party of a job.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = JobItem))]
pub struct JobItemView {
    /// The party, as the job names it.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// How far it is.
    #[cfg_attr(test, schema(example = "done"))]
    pub state: &'static str,
    /// Why it would not or did not succeed; absent where all is well.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, schema(example = "API409.Participant"))]
    pub code: String,
    /// The same for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, schema(example = "participant \"0106:87654321\" is taken"))]
    pub message: String,
    /// For the kind `migrateOut`: the key that the next provider needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "aB3$xY7#mQ9!"))]
    pub migration_key: Option<String>,
    /// When it last changed.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub changed_on: Timestamp,
}

impl JobView {
    /// A job of a list: its parties are not counted for that.
    pub(super) fn listed(job: Job) -> JobView {
        JobView { counts: None, reasons: None, ..JobView::of(job, &[]) }
    }

    pub(super) fn of(job: Job, counted: &[JobCount]) -> JobView {
        let mut counts: BTreeMap<&'static str, u32> = BTreeMap::new();
        for count in counted {
            *counts.entry(count.state.as_str()).or_default() += count.items;
        }
        let of = |state: ItemState| counts.get(state.as_str()).copied().unwrap_or_default();
        let open = of(ItemState::Planned) + of(ItemState::Waiting);
        let percent = percent(job.standing.state, (job.items, open), !counts.is_empty());
        let reasons = counted.iter().filter(|count| !count.code.is_empty()).take(REASONS);
        let reasons = reasons.map(|count| JobReason {
            state: count.state.as_str(),
            code: count.code.clone(),
            items: count.items,
            example: count.example.clone(),
        });
        JobView {
            id: job.id,
            kind: job.kind.as_str(),
            state: job.standing.shown(),
            total: job.items,
            percent,
            reasons: Some(reasons.collect()),
            counts: Some(counts),
            created_by: job.created_by,
            created_on: job.created_on,
            changed_on: job.changed_on,
            started_on: job.started_on,
            finished_on: job.finished_on,
        }
    }

    /// What the description of the interface shows of a list.
    #[cfg(test)]
    pub(super) fn listed_example() -> Value {
        let mut example = JobView::example();
        for name in ["counts", "reasons", "percent"] {
            example.as_object_mut().map(|members| members.remove(name));
        }
        example
    }

    /// What the description of the interface shows.
    #[cfg(test)]
    pub(super) fn example() -> Value {
        json!({
            "id": "0197f3a0-5b1e-7c4a-9a53-0a6c1b2d3e4f", "kind": "enrol", "state": "planned",
            "total": 2, "counts": { "planned": 1, "refused": 1 }, "percent": 50,
            "reasons": [{
                "state": "refused", "code": "API409.Participant", "items": 1,
                "example": "participant \"0106:87654321\" is taken",
            }],
            "createdBy": "acme-boss", "createdOn": "2026-11-02T09:00:00Z",
            "changedOn": "2026-11-02T09:00:02Z",
        })
    }
}

/// How much of a job with so many parties, of which so many are open, is through.
fn percent(state: JobState, (items, open): (u32, u32), is_counted: bool) -> Option<u32> {
    let through = u64::from(items.saturating_sub(open)) * 100;
    match items {
        _ if state == JobState::Finished => Some(100),
        0 => Some(0),
        _ if !is_counted => None,
        items => u32::try_from(through / u64::from(items)).ok(),
    }
}

impl JobItemView {
    /// What the description of the interface shows.
    #[cfg(test)]
    pub(super) fn example() -> Value {
        json!({
            "id": "0106:87654321", "state": "refused", "code": "API409.Participant",
            "message": "participant \"0106:87654321\" is taken",
            "changedOn": "2026-11-02T09:00:02Z",
        })
    }
}

/// Parties of a job as they are shown; those that may leave with their keys.
pub(super) async fn items(
    api: &Api,
    job: &Job,
    items: Vec<JobItem>,
) -> Result<Vec<JobItemView>, Problem> {
    let mut shown = Vec::with_capacity(items.len());
    for item in items {
        let leaves = job.kind == JobKind::MigrateOut
            && matches!(item.state, ItemState::Done | ItemState::Waiting | ItemState::Unchanged);
        let migration_key = if leaves { key(api, job, &item.participant).await? } else { None };
        shown.push(JobItemView {
            id: item.participant,
            state: item.state.as_str(),
            code: item.code,
            message: item.message,
            migration_key,
            changed_on: item.changed_on,
        });
    }
    Ok(shown)
}

async fn key(api: &Api, job: &Job, participant: &str) -> Result<Option<String>, Problem> {
    let known = api.store.registrations_of(&job.organisation, participant).await?;
    let key = known.iter().find_map(Registration::key_to_leave);
    Ok(key.map(|key| key.reveal().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cancelled_is_through_as_far_as_it_came() {
        assert_eq!(percent(JobState::Cancelled, (10, 10), true), Some(0));
        assert_eq!(percent(JobState::Cancelled, (10, 4), true), Some(60));
        assert_eq!(percent(JobState::Cancelled, (10, 0), false), None, "a list counts nothing");
        assert_eq!(percent(JobState::Finished, (10, 0), false), Some(100));
        assert_eq!(percent(JobState::Finished, (0, 0), false), Some(100));
    }
}
