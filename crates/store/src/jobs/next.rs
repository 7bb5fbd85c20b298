//! What a job needs next: the lines of its list that are not planned yet, the parties that are to
//! be changed, or a look at what the registers did.

use quoin_delivery::OrganisationId;
use quoin_delivery::jobs::{ItemState, JobControl, JobState};

use super::{Job, PART_SIZE, find, place};
use crate::engine::{Connection, SqlRow};
use crate::error::Fault;
use crate::parties;
use crate::secrets::{Secret, SecretBox};

/// Parties that are changed in one commit: few, since other work waits for it.
pub const RUN_SIZE: u32 = 50;
/// Parties of a job that wait for a register at a time: more of them would only stand before those
/// of others.
const AHEAD: u32 = 2_000;

/// A party that a step is about.
#[derive(Debug, Clone)]
pub struct JobLine {
    /// Its place in the job.
    pub position: u32,
    /// The participant it is named by.
    pub participant: String,
    /// Its line of the list.
    pub line: Option<Secret>,
}

/// What a job needs next.
#[derive(Debug, Clone)]
pub enum JobStep {
    /// Find out what would become of these: [`Store::plan_job`].
    Plan(Vec<JobLine>),
    /// Change these: [`Store::run_job`].
    Run(Vec<JobLine>),
    /// See what the registers did: [`Store::settle_job`].
    Settle,
}

/// A job with its next step.
#[derive(Debug, Clone)]
pub struct JobWork {
    /// The job as it is.
    pub job: Job,
    /// What it needs.
    pub step: JobStep,
    /// How far the plan is after this step, and whether it is complete then.
    pub(super) planned: (String, bool),
}

const PART: &str = "SELECT part, lines FROM job_inputs WHERE job = ?1 ORDER BY part LIMIT 2";
const PUBLISHED: &str = "SELECT party FROM party_configs
    WHERE organisation = ?1 AND enrolled = 1 AND party > ?2 ORDER BY party LIMIT ?3";
const IN_STATE: &str = "SELECT position, participant, input FROM job_items
    WHERE job = ?1 AND state = ?2 AND position > ?3 ORDER BY position LIMIT ?4";
const IS_CLOSED: &str = "SELECT 1 FROM organisations WHERE id = ?1 AND closed_on IS NOT NULL";
const COUNT: &str = "SELECT count(*) FROM (
    SELECT 1 FROM job_items WHERE job = ?1 AND state = ?2 LIMIT ?3)";

pub(super) fn count(
    db: &mut dyn Connection,
    job: &str,
    state: ItemState,
    most: u32,
) -> Result<u32, Fault> {
    let row = db.first(COUNT, &[job.into(), state.as_str().into(), most.into()])?;
    row.map_or(Ok(0), |mut row| row.count("job_items"))
}

pub(super) fn in_state(
    db: &mut dyn Connection,
    job: &str,
    state: ItemState,
    (after, limit): (i64, u32),
    secrets: &SecretBox,
) -> Result<Vec<JobLine>, Fault> {
    let key = [job.into(), state.as_str().into(), after.into(), limit.into()];
    let read = |mut row: SqlRow| {
        let position = row.count("job_items.position")?;
        let participant = row.text("job_items.participant")?;
        let sealed = row.blob_or_none("job_items.input")?;
        let clear = sealed.map(|sealed| secrets.open(&place(job, "item", position), &sealed));
        let clear = clear.transpose()?.map(String::from_utf8).transpose();
        let line = clear.map_err(|_| Fault::Secret)?.map(Secret::new);
        Ok(JobLine { position, participant, line })
    };
    db.query(IN_STATE, &key)?.into_iter().map(read).collect()
}

/// The next lines of the list, and the parts that follow.
fn listed(
    db: &mut dyn Connection,
    job: &Job,
    secrets: &SecretBox,
) -> Result<(Vec<JobLine>, (String, bool)), Fault> {
    let mut parts = db.query(PART, &[(&job.key).into()])?.into_iter();
    let Some(mut first) = parts.next() else { return Ok((Vec::new(), (String::new(), true))) };
    let part: u32 = first.count("job_inputs.part")?;
    let sealed = first.blob("job_inputs.lines")?;
    let clear = secrets.open(&place(&job.key, "part", part), &sealed)?;
    let lines: Vec<(String, String)> =
        serde_json::from_slice(&clear).map_err(|_| Fault::record("job_inputs.lines", "no list"))?;
    let line = |(position, (participant, line)): (u32, (String, String))| JobLine {
        position,
        participant,
        line: Some(Secret::new(line)),
    };
    let lines = (job.items..).zip(lines).map(line).collect();
    Ok((lines, (part.to_string(), parts.next().is_none())))
}

/// The next parties that are published.
fn published(db: &mut dyn Connection, job: &Job) -> Result<(Vec<JobLine>, (String, bool)), Fault> {
    let size = i64::try_from(PART_SIZE).unwrap_or(i64::MAX);
    let key = [job.organisation.as_str().into(), (&job.cursor).into(), size.into()];
    let rows = db.query(PUBLISHED, &key)?;
    let full = rows.len() == PART_SIZE;
    let (mut lines, mut cursor) = (Vec::new(), job.cursor.clone());
    for (position, mut row) in (job.items..).zip(rows) {
        cursor = row.text("party_configs.party")?;
        let participant = parties::main_of(db, &job.organisation, &cursor)?;
        lines.push(JobLine { position, participant, line: None });
    }
    Ok((lines, (cursor, !full)))
}

/// Whether the jobs of an organisation rest: it is closed, and they go on when it is open again.
pub(crate) fn rest(db: &mut dyn Connection, organisation: &OrganisationId) -> Result<bool, Fault> {
    Ok(db.first(IS_CLOSED, &[organisation.as_str().into()])?.is_some())
}

/// What a job needs next; `None` where it takes no step for now.
pub(crate) fn work(
    db: &mut dyn Connection,
    id: &str,
    secrets: &SecretBox,
) -> Result<Option<JobWork>, Fault> {
    let Some(job) = find(db, id)? else { return Ok(None) };
    let no_plan = (String::new(), false);
    let is_closed = rest(db, &job.organisation)?;
    let (step, planned) = match job.standing {
        JobControl { state: JobState::Cancelled, .. } => (JobStep::Settle, no_plan),
        standing if is_closed || !standing.is_active() => {
            // It takes no further party; what the registers did for those it took is seen.
            let is_at_rest = standing.paused || is_closed && standing.state == JobState::Running;
            let waits = is_at_rest && count(db, id, ItemState::Waiting, 1)? > 0;
            let settle = JobWork { job, step: JobStep::Settle, planned: no_plan };
            return Ok(waits.then_some(settle));
        }
        JobControl { state: JobState::Planning, .. } => {
            let (lines, planned) =
                if job.listed { listed(db, &job, secrets)? } else { published(db, &job)? };
            (JobStep::Plan(lines), planned)
        }
        _ => {
            let waiting = count(db, id, ItemState::Waiting, AHEAD)?;
            let next = match waiting < AHEAD {
                true => in_state(db, id, ItemState::Planned, (-1, RUN_SIZE), secrets)?,
                false => Vec::new(),
            };
            let step = if next.is_empty() { JobStep::Settle } else { JobStep::Run(next) };
            (step, no_plan)
        }
    };
    Ok(Some(JobWork { job, step, planned }))
}
