//! Bulk jobs: one change for many parties, recorded with what became of each of them. A job is
//! planned and carried out in steps, each one commit, so that it goes on where it was after
//! whatever ends the process.

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, own_id, organisation, kind, settings, digest, listed, state, paused, starts, cursor, items,
                version, created_by, created_on, changed_on, started_on, finished_on FROM jobs ",
            $rest
        )
    };
}

mod change;
mod ended;
mod next;
mod read;
mod steps;

use jiff::Timestamp;
use quoin_delivery::jobs::{ItemState, JobCommand, JobControl, JobKind, JobState};
use quoin_delivery::{OrganisationId, TaskKind};
use uuid::Uuid;

use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::secrets::Secret;
use crate::tasks;
use crate::writer::Tx;

pub use change::{JobChange, JobTry};
pub use next::{JobLine, JobStep, JobWork, RUN_SIZE};
pub(crate) use next::{rest, work};
pub use steps::RefusalCode;

/// Lines of the list of a job that are kept, and planned, together.
pub const PART_SIZE: usize = 200;
/// Jobs of one organisation that may be under way at a time.
pub const UNDER_WAY: usize = 20;

/// A job to be recorded.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Its id, of the tenant's choice; the same id again is the same job.
    pub id: String,
    /// The tenant.
    pub organisation: OrganisationId,
    /// What it does.
    pub kind: JobKind,
    /// What holds for all its parties, as JSON of the caller.
    pub settings: String,
    /// Its list: a participant and what the caller knows of it, in order; `None` for all parties
    /// that are published.
    pub lines: Option<Vec<(String, Secret)>>,
    /// Digest of all that it was asked with.
    pub digest: [u8; 32],
    /// Whether it is carried out without a further word once it is planned.
    pub starts: bool,
    /// Who asks.
    pub created_by: String,
    /// When.
    pub now: Timestamp,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id, of its organisation's choice.
    pub id: String,
    /// The tenant.
    pub organisation: OrganisationId,
    /// What it does.
    pub kind: JobKind,
    /// What holds for all its parties.
    pub settings: String,
    /// Where it stands.
    pub standing: JobControl,
    /// Parties found so far.
    pub items: u32,
    /// Counts the commands.
    pub version: u64,
    /// Who asked for it.
    pub created_by: String,
    /// When.
    pub created_on: Timestamp,
    /// When it last moved.
    pub changed_on: Timestamp,
    /// When it began to be carried out.
    pub started_on: Option<Timestamp>,
    /// When it ended.
    pub finished_on: Option<Timestamp>,
    key: String,
    digest: [u8; 32],
    listed: bool,
    cursor: String,
}

/// A party of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobItem {
    /// Its place in the job, from 0.
    pub position: u32,
    /// The participant it was named by.
    pub participant: String,
    /// How far it is.
    pub state: ItemState,
    /// Why it would not or did not succeed: a code of the caller; nothing where all is well.
    pub code: String,
    /// The same for people.
    pub message: String,
    /// When it last changed.
    pub changed_on: Timestamp,
}

/// How many parties of a job are in a state for a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobCount {
    /// The state.
    pub state: ItemState,
    /// The code; nothing where all is well.
    pub code: String,
    /// How many.
    pub items: u32,
    /// What is said of one of them.
    pub example: String,
}

const GET: &str = select!("WHERE id = ?1");
const OWN: &str = select!("WHERE organisation = ?1 AND own_id = ?2");
const ADD: &str = "INSERT INTO jobs (id, organisation, kind, settings, digest, listed, state,
    paused, starts, cursor, items, version, created_by, created_on, changed_on, own_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?9, 'planning', 0, ?6, '', 0, 1, ?7, ?8, ?8, ?10)";
const ADD_INPUT: &str = "INSERT INTO job_inputs (job, part, lines) VALUES (?1, ?2, ?3)";
const OPEN: &str = "SELECT count(*) FROM jobs WHERE organisation = ?1
    AND state IN ('planning', 'planned', 'running')";
const UNFINISHED: &str = "SELECT id FROM jobs WHERE organisation = ?1
    AND state IN ('planning', 'planned', 'running') ORDER BY created_on, id";
const STAND: &str = "UPDATE jobs SET state = ?2, paused = ?3, starts = ?4, version = version + 1,
    changed_on = ?5, started_on = CASE WHEN ?2 = 'running' THEN coalesce(started_on, ?5)
        ELSE started_on END,
    finished_on = CASE WHEN ?2 IN ('finished', 'cancelled') THEN coalesce(finished_on, ?5) END
    WHERE id = ?1";
const HAS_TASK: &str = "SELECT 1 FROM tasks WHERE kind = 'job' AND subject = ?1
    AND claim_token IS NULL LIMIT 1";
const EXPIRE_ITEMS: &str = "DELETE FROM job_items WHERE (job, position) IN (
    SELECT i.job, i.position FROM jobs j CROSS JOIN job_items i ON i.job = j.id
    WHERE j.state IN ('finished', 'cancelled') AND j.finished_on <= ?1 LIMIT 2000)";
const EXPIRE: &str =
    "DELETE FROM jobs WHERE state IN ('finished', 'cancelled') AND finished_on <= ?1";

fn read(mut row: SqlRow) -> Result<Job, Fault> {
    let mut job = Job {
        key: row.text("jobs.id")?,
        id: row.text("jobs.own_id")?,
        organisation: row.parsed("jobs.organisation")?,
        kind: row.word("jobs.kind", JobKind::named)?,
        settings: row.text("jobs.settings")?,
        digest: row.digest_or_none("jobs.digest")?.unwrap_or_default(),
        listed: row.yes("jobs.listed")?,
        standing: JobControl {
            state: row.word("jobs.state", JobState::named)?,
            paused: row.yes("jobs.paused")?,
            starts: row.yes("jobs.starts")?,
        },
        cursor: row.text("jobs.cursor")?,
        items: row.count("jobs.items")?,
        version: row.count("jobs.version")?,
        created_by: row.text("jobs.created_by")?,
        created_on: row.time("jobs.created_on")?,
        changed_on: row.time("jobs.changed_on")?,
        started_on: None,
        finished_on: None,
    };
    job.started_on = row.time_or_none("jobs.started_on")?;
    job.finished_on = row.time_or_none("jobs.finished_on")?;
    Ok(job)
}

fn find(db: &mut dyn Connection, key: &str) -> Result<Option<Job>, Fault> {
    db.first(GET, &[key.into()])?.map(read).transpose()
}

fn known(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    id: &str,
) -> Result<Option<Job>, Fault> {
    db.first(OWN, &[organisation.as_str().into(), id.into()])?.map(read).transpose()
}

fn own(db: &mut dyn Connection, organisation: &OrganisationId, id: &str) -> Result<Job, Error> {
    let found = known(db, organisation, id)?;
    found.ok_or_else(|| Refusal::NotFound { what: "job", key: id.to_owned() }.into())
}

/// The place that a sealed part of the list belongs to.
fn place(job: &str, kind: &str, at: u32) -> String {
    format!("job {job} {kind} {at}")
}

fn lane(job: &str) -> String {
    format!("job {job}")
}

/// Whether a party of a job waits for a register.
fn waits(tx: &mut Tx<'_>, job: &Job) -> Result<bool, Fault> {
    Ok(next::count(tx.connection(), &job.key, ItemState::Waiting, 1)? > 0)
}

/// Records where a job stands from now on.
fn stand(tx: &mut Tx<'_>, job: &Job, standing: JobControl, now: Timestamp) -> Result<(), Fault> {
    let row = [
        (&job.key).into(),
        standing.state.as_str().into(),
        standing.paused.into(),
        standing.starts.into(),
        now.into(),
    ];
    tx.execute(STAND, &row)?;
    Ok(())
}

/// Makes sure that somebody takes the next step.
fn wake(tx: &mut Tx<'_>, job: &str, now: Timestamp) -> Result<(), Fault> {
    if tx.first(HAS_TASK, &[job.into()])?.is_none() {
        tasks::add(tx, TaskKind::Job, job, now, Some(&lane(job)))?;
    }
    Ok(())
}

/// Has the jobs of an organisation that is open again go on.
pub(crate) fn wake_all(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    now: Timestamp,
) -> Result<(), Fault> {
    for mut row in tx.query(UNFINISHED, &[organisation.as_str().into()])? {
        wake(tx, &row.text("jobs.id")?, now)?;
    }
    Ok(())
}

impl Store {
    /// Records a job. The same job again is the one on record.
    ///
    /// Errors: [`Refusal::Taken`] where another job of the organisation has this id;
    /// [`Refusal::TooMany`] where too many of its jobs are under way.
    pub async fn new_job(&self, new: NewJob) -> Result<Job, Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            if let Some(known) = known(tx.connection(), &new.organisation, &new.id)? {
                let taken = Refusal::Taken { what: "job", key: new.id.clone() };
                return if known.digest == new.digest { Ok(known) } else { Err(taken.into()) };
            }
            let key = Uuid::now_v7().to_string();
            let open = tx.first(OPEN, &[new.organisation.as_str().into()])?;
            let open: usize = open.map_or(Ok(0), |mut row| row.count("jobs"))?;
            if open >= UNDER_WAY {
                return Err(Refusal::TooMany { what: "jobs", most: UNDER_WAY }.into());
            }
            let row = [
                (&key).into(),
                new.organisation.as_str().into(),
                new.kind.as_str().into(),
                (&new.settings).into(),
                Param::Blob(&new.digest),
                new.starts.into(),
                (&new.created_by).into(),
                new.now.into(),
                new.lines.is_some().into(),
                (&new.id).into(),
            ];
            tx.execute(ADD, &row)?;
            for (part, lines) in (0u32..).zip(new.lines.iter().flat_map(|l| l.chunks(PART_SIZE))) {
                let clear: Vec<(&str, &str)> =
                    lines.iter().map(|(id, line)| (id.as_str(), line.reveal())).collect();
                let clear = crate::engine::json(&clear)?;
                let sealed = secrets.seal(&place(&key, "part", part), clear.as_bytes())?;
                tx.execute(ADD_INPUT, &[(&key).into(), part.into(), Param::Blob(&sealed)])?;
            }
            wake(tx, &key, new.now)?;
            let made = find(tx.connection(), &key)?;
            made.ok_or_else(|| Fault::record("jobs", "nothing").into())
        })
        .await
    }

    /// Gives a job a command. That it is cancelled is told when none of its parties waits for a
    /// register.
    ///
    /// Errors: [`Refusal::NotFound`], and [`Refusal::NotNow`] where the job cannot follow it.
    pub async fn command_job(
        &self,
        organisation: &OrganisationId,
        id: &str,
        command: JobCommand,
        now: Timestamp,
    ) -> Result<Job, Error> {
        let (organisation, id) = (organisation.clone(), id.to_owned());
        self.write(move |tx| {
            let job = own(tx.connection(), &organisation, &id)?;
            let after = job.standing.after(command).map_err(Refusal::NotNow)?;
            if after != job.standing {
                stand(tx, &job, after, now)?;
                // Where parties wait for a register, it is told when they have their answer.
                if after.state == JobState::Cancelled && !waits(tx, &job)? {
                    ended::tell(tx, &job, JobState::Cancelled, now)?;
                }
                // The last step of a job that was cancelled forgets its list.
                if after.is_active() || after.state == JobState::Cancelled {
                    wake(tx, &job.key, now)?;
                }
            }
            own(tx.connection(), &organisation, &id)
        })
        .await
    }

    /// Forgets jobs that ended before `until`, some of their parties at a time; answers whether
    /// there is more to forget.
    pub async fn forget_jobs(&self, until: Timestamp) -> Result<bool, Error> {
        self.write(move |tx| {
            if tx.execute(EXPIRE_ITEMS, &[until.into()])? > 0 {
                return Ok(true);
            }
            tx.execute(EXPIRE, &[until.into()])?;
            Ok(false)
        })
        .await
    }
}
