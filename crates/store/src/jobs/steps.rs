//! The steps of a job. What a step did and how far the job is are one commit, which demands the
//! claim and that nobody gave the job a command meanwhile; so a step is taken once or not at all.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::jobs::{ItemState, JobState, Standing};

use super::change::{Became, Context, JobTry, carry_out, follows, party, rehearse};
use super::{Job, PART_SIZE, find, place, stand};
use crate::engine::{Connection, Param, Row};
use crate::error::{Error, Fault, Refusal, cut_to};
use crate::open::Store;
use crate::secrets::{Secret, SecretBox};
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// Parties that are changed in one commit: few, since other work waits for it.
pub const RUN_SIZE: u32 = 50;
/// Parties that are looked after in one commit.
const SETTLE_SIZE: u32 = 500;
/// Parties of a job that wait for a register at a time: more of them would only stand before those
/// of others.
const AHEAD: u32 = 2_000;
/// Lines that are forgotten in one commit after a job was cancelled.
const CLEAR_SIZE: u32 = 2_000;
/// How long to wait before it is looked again what the registers did.
const PAUSE: SignedDuration = SignedDuration::from_secs(1);
/// Characters of a message that are kept.
const MESSAGE: usize = 500;

/// Which code a refusal has for the caller.
pub type Judge = fn(&Refusal) -> &'static str;

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
    planned: (String, bool),
}

const PART: &str = "SELECT part, lines FROM job_inputs WHERE job = ?1 ORDER BY part LIMIT 2";
const DROP_PART: &str = "DELETE FROM job_inputs WHERE job = ?1 AND part = ?2";
const DROP_PARTS: &str = "DELETE FROM job_inputs WHERE job = ?1";
const CLEAR: &str = "UPDATE job_items SET input = NULL WHERE job = ?1 AND position IN (
    SELECT position FROM job_items WHERE job = ?1 AND input IS NOT NULL LIMIT ?2)";
const PUBLISHED: &str = "SELECT party FROM party_configs
    WHERE organisation = ?1 AND enrolled = 1 AND party > ?2 ORDER BY party LIMIT ?3";
const IN_STATE: &str = "SELECT position, participant, input FROM job_items
    WHERE job = ?1 AND state = ?2 AND position > ?3 ORDER BY position LIMIT ?4";
const COUNT: &str = "SELECT count(*) FROM (
    SELECT 1 FROM job_items WHERE job = ?1 AND state = ?2 LIMIT ?3)";
const ADD: &str = "INSERT INTO job_items
    (job, position, participant, input, state, code, message, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const MOVE: &str = "UPDATE job_items SET state = ?3, code = ?4, message = ?5, changed_on = ?6,
    input = NULL WHERE job = ?1 AND position = ?2";
const PROGRESS: &str = "UPDATE jobs SET cursor = ?2, items = ?3, changed_on = ?4 WHERE id = ?1";

fn count(db: &mut dyn Connection, job: &str, state: ItemState, most: u32) -> Result<u32, Fault> {
    let row = db.first(COUNT, &[job.into(), state.as_str().into(), most.into()])?;
    row.map_or(Ok(0), |mut row| row.count("job_items"))
}

fn in_state(
    db: &mut dyn Connection,
    job: &str,
    state: ItemState,
    (after, limit): (i64, u32),
    secrets: &SecretBox,
) -> Result<Vec<JobLine>, Fault> {
    let key = [job.into(), state.as_str().into(), after.into(), limit.into()];
    let read = |mut row: Row| {
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
    let mut parts = db.query(PART, &[(&job.id).into()])?.into_iter();
    let Some(mut first) = parts.next() else { return Ok((Vec::new(), (String::new(), true))) };
    let part: u32 = first.count("job_inputs.part")?;
    let sealed = first.blob("job_inputs.lines")?;
    let clear = secrets.open(&place(&job.id, "part", part), &sealed)?;
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
    let mut lines = Vec::new();
    for (position, mut row) in (job.items..).zip(rows) {
        lines.push(JobLine { position, participant: row.text("party_configs.party")?, line: None });
    }
    let cursor = lines.last().map_or(job.cursor.clone(), |line| line.participant.clone());
    Ok((lines, (cursor, !full)))
}

/// What a job needs next; `None` where it takes no step for now.
pub(crate) fn work(
    db: &mut dyn Connection,
    id: &str,
    secrets: &SecretBox,
) -> Result<Option<JobWork>, Fault> {
    let Some(job) = find(db, id)? else { return Ok(None) };
    let no_plan = (String::new(), false);
    let (step, planned) = match job.standing {
        Standing { state: JobState::Cancelled, .. } => (JobStep::Settle, no_plan),
        standing if !standing.is_active() => return Ok(None),
        Standing { state: JobState::Planning, .. } => {
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

/// Whether the job still stands where the step was decided; if not, the step is dropped and the task
/// looks again.
fn stands(tx: &mut Tx<'_>, job: &Job) -> Result<bool, Fault> {
    let now = find(tx.connection(), &job.id)?;
    Ok(now.is_some_and(|now| now.version == job.version))
}

/// What is recorded of a party.
struct Verdict {
    state: ItemState,
    code: String,
    message: String,
}

/// The verdict of a try. Only a fault of the store ends the step.
fn verdict(
    tried: Result<Became, Error>,
    refused: ItemState,
    judge: Judge,
) -> Result<Verdict, Error> {
    match tried {
        Ok(Became { state, message }) => Ok(Verdict { state, code: String::new(), message }),
        Err(Error::Refusal(refusal)) => {
            let (code, message) = (judge(&refusal).to_owned(), refusal.to_string());
            Ok(Verdict { state: refused, code, message })
        }
        Err(fault) => Err(fault),
    }
}

/// What is said of a party in the plan: it is planned, unless it is refused.
fn preview(verdict: Verdict) -> Verdict {
    match verdict.state {
        ItemState::Refused => verdict,
        ItemState::Unchanged => {
            let (code, message) = ("unchanged".to_owned(), "nothing would change".to_owned());
            Verdict { state: ItemState::Planned, code, message }
        }
        _ => Verdict { state: ItemState::Planned, code: String::new(), message: String::new() },
    }
}

fn plan(
    tx: &mut Tx<'_>,
    work: &JobWork,
    tries: &[JobTry],
    judge: Judge,
    context: &Context<'_>,
) -> Result<(), Error> {
    let job = &work.job;
    for one in tries {
        let verdict = match &one.change {
            Ok(change) => {
                let tried = rehearse(tx, context, &one.participant, change);
                preview(verdict(tried, ItemState::Refused, judge)?)
            }
            Err((code, message)) => {
                let (code, message) = (code.clone(), message.clone());
                Verdict { state: ItemState::Refused, code, message }
            }
        };
        // What is refused is not tried, and its line is forgotten.
        let line = one.line.as_ref().filter(|_| verdict.state == ItemState::Planned);
        let at = place(&job.id, "item", one.position);
        let sealed = line.map(|line| context.secrets.seal(&at, line.reveal().as_bytes()));
        let sealed = sealed.transpose()?;
        let message = cut_to(&verdict.message, MESSAGE);
        let row = [
            (&job.id).into(),
            one.position.into(),
            (&one.participant).into(),
            sealed.as_deref().map_or(Param::Null, Param::Blob),
            verdict.state.as_str().into(),
            (&verdict.code).into(),
            (&message).into(),
            context.now.into(),
        ];
        tx.execute(ADD, &row)?;
    }
    Ok(())
}

fn run(
    tx: &mut Tx<'_>,
    job: &Job,
    tries: &[JobTry],
    judge: Judge,
    context: &Context<'_>,
) -> Result<(), Error> {
    for one in tries {
        let verdict = match &one.change {
            Ok(change) => {
                let done = carry_out(tx, context, &one.participant, change);
                verdict(done, ItemState::Failed, judge)?
            }
            Err((code, message)) => {
                let (code, message) = (code.clone(), message.clone());
                Verdict { state: ItemState::Failed, code, message }
            }
        };
        moved(tx, job, one.position, &verdict, context.now)?;
    }
    Ok(())
}

fn moved(
    tx: &mut Tx<'_>,
    job: &Job,
    position: u32,
    verdict: &Verdict,
    now: Timestamp,
) -> Result<(), Fault> {
    let message = cut_to(&verdict.message, MESSAGE);
    let row = [
        (&job.id).into(),
        position.into(),
        verdict.state.as_str().into(),
        (&verdict.code).into(),
        (&message).into(),
        now.into(),
    ];
    tx.execute(MOVE, &row)?;
    Ok(())
}

/// Looks after some of those that wait; answers how many there were and where the look ended.
fn settle(tx: &mut Tx<'_>, job: &Job, context: &Context<'_>) -> Result<(usize, i64), Error> {
    let after = job.cursor.parse().unwrap_or(-1);
    let (state, page) = (ItemState::Waiting, (after, SETTLE_SIZE));
    let waiting = in_state(tx.connection(), &job.id, state, page, context.secrets)?;
    for line in &waiting {
        let became = match party(tx, context, &line.participant) {
            Ok(party) => follows(tx, context, &party, true)?,
            // The party was removed meanwhile.
            Err(Error::Refusal(refusal)) => {
                Became { state: ItemState::Failed, message: refusal.to_string() }
            }
            Err(fault) => return Err(fault),
        };
        let code = if became.state == ItemState::Failed { "sml" } else { "" };
        let Became { state, message } = became;
        moved(
            tx,
            job,
            line.position,
            &Verdict { state, code: code.to_owned(), message },
            context.now,
        )?;
    }
    let end = waiting.last().map_or(-1, |line| i64::from(line.position));
    Ok((waiting.len(), end))
}

fn progress(
    tx: &mut Tx<'_>,
    job: &Job,
    cursor: &str,
    items: u32,
    now: Timestamp,
) -> Result<(), Fault> {
    tx.execute(PROGRESS, &[(&job.id).into(), cursor.into(), items.into(), now.into()])?;
    Ok(())
}

impl Store {
    /// Records what would become of some parties; after the last of them the job is planned, or
    /// goes on at once.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn plan_job(
        &self,
        claim: Claim,
        work: JobWork,
        tries: Vec<JobTry>,
        judge: Judge,
        now: Timestamp,
    ) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            let JobWork { job, planned: (cursor, complete), .. } = &work;
            if !stands(tx, job)? {
                return tasks::postpone(tx, &claim, now);
            }
            let context = Context { organisation: &job.organisation, secrets: &secrets, now };
            plan(tx, &work, &tries, judge, &context)?;
            let found = u32::try_from(tries.len()).unwrap_or(u32::MAX);
            let items = job.items.saturating_add(found);
            if job.listed
                && let Ok(part) = cursor.parse::<u32>()
            {
                tx.execute(DROP_PART, &[(&job.id).into(), part.into()])?;
            }
            let cursor = if *complete { "" } else { cursor.as_str() };
            progress(tx, job, cursor, items, now)?;
            if !complete {
                return tasks::postpone(tx, &claim, now);
            }
            let starts = job.standing.starts;
            let state = if starts { JobState::Running } else { JobState::Planned };
            stand(tx, job, Standing { state, ..job.standing }, now)?;
            if starts { tasks::postpone(tx, &claim, now) } else { tasks::finish(tx, &claim) }
        })
        .await
    }

    /// Changes some parties, each whole or not at all, and records what became of them.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn run_job(
        &self,
        claim: Claim,
        job: Job,
        tries: Vec<JobTry>,
        judge: Judge,
        now: Timestamp,
    ) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            if stands(tx, &job)? {
                let context = Context { organisation: &job.organisation, secrets: &secrets, now };
                run(tx, &job, &tries, judge, &context)?;
                progress(tx, &job, &job.cursor, job.items, now)?;
            }
            tasks::postpone(tx, &claim, now)
        })
        .await
    }

    /// Records what the registers did for parties that wait for them; the job ends when nothing waits
    /// any more. Of a cancelled job the list is forgotten.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn settle_job(&self, claim: Claim, job: Job, now: Timestamp) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            if !stands(tx, &job)? {
                return tasks::postpone(tx, &claim, now);
            }
            if job.standing.state == JobState::Cancelled {
                tx.execute(DROP_PARTS, &[(&job.id).into()])?;
                let cleared = tx.execute(CLEAR, &[(&job.id).into(), CLEAR_SIZE.into()])?;
                let more = cleared > 0;
                return if more {
                    tasks::postpone(tx, &claim, now)
                } else {
                    tasks::finish(tx, &claim)
                };
            }
            let context = Context { organisation: &job.organisation, secrets: &secrets, now };
            let (seen, end) = settle(tx, &job, &context)?;
            let full = u32::try_from(seen).is_ok_and(|seen| seen == SETTLE_SIZE);
            let cursor = if full { end.to_string() } else { String::new() };
            progress(tx, &job, &cursor, job.items, now)?;
            let open = [ItemState::Planned, ItemState::Waiting];
            let mut left = 0;
            for state in open {
                left += count(tx.connection(), &job.id, state, 1)?;
            }
            if left == 0 {
                stand(tx, &job, Standing { state: JobState::Finished, ..job.standing }, now)?;
                return tasks::finish(tx, &claim);
            }
            let pause = if full { SignedDuration::ZERO } else { PAUSE };
            tasks::postpone(tx, &claim, now.saturating_add(pause).unwrap_or(Timestamp::MAX))
        })
        .await
    }

    /// Ends the task of a job that takes no step for now; its next command makes a new one.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn rest_job(&self, claim: Claim, now: Timestamp) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| match work(tx.connection(), &claim.subject, &secrets)? {
            Some(_) => tasks::postpone(tx, &claim, now),
            None => tasks::finish(tx, &claim),
        })
        .await
    }
}
