//! The steps of a job. What a step did and how far the job is are one commit, which demands the
//! claim and that nobody gave the job a command meanwhile; so a step is taken once or not at all.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::jobs::{Foreseen, ItemState, JobControl, JobState};

use super::change::{Awaited, Became, Context, JobTry, carry_out, follows, party, rehearse};
use super::next::{JobWork, count, in_state, work};
use super::{Job, ended, find, place, stand};
use crate::engine::Param;
use crate::error::{Error, Fault, Refusal, cut_to};
use crate::open::Store;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// Parties that are looked after in one commit.
const SETTLE_SIZE: u32 = 500;
/// Lines that are forgotten in one commit after a job was cancelled.
const CLEAR_SIZE: u32 = 2_000;
/// How long to wait before it is looked again what the registers did.
const PAUSE: SignedDuration = SignedDuration::from_secs(1);
/// Characters of a message that are kept.
const MESSAGE: usize = 500;

/// Which code a refusal has for the caller.
pub type RefusalCode = fn(&Refusal) -> &'static str;

const DROP_PART: &str = "DELETE FROM job_inputs WHERE job = ?1 AND part = ?2";
const DROP_PARTS: &str = "DELETE FROM job_inputs WHERE job = ?1";
const CLEAR: &str = "UPDATE job_items SET input = NULL WHERE job = ?1 AND position IN (
    SELECT position FROM job_items WHERE job = ?1 AND input IS NOT NULL LIMIT ?2)";
const ADD: &str = "INSERT INTO job_items
    (job, position, participant, input, state, code, message, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const MOVE: &str = "UPDATE job_items SET state = ?3, code = ?4, message = ?5, changed_on = ?6,
    input = NULL WHERE job = ?1 AND position = ?2";
const PROGRESS: &str = "UPDATE jobs SET cursor = ?2, items = ?3, changed_on = ?4 WHERE id = ?1";

/// Whether the job still stands where the step was decided; if not, the step is dropped and the
/// task looks again.
fn stands(tx: &mut Tx<'_>, job: &Job) -> Result<bool, Fault> {
    let now = find(tx.connection(), &job.key)?;
    Ok(now.is_some_and(|now| now.version == job.version))
}

/// What is recorded of a party.
struct ItemOutcome {
    state: ItemState,
    code: String,
    message: String,
}

/// The verdict of a try. Only a fault of the store ends the step.
fn verdict(
    tried: Result<Became, Error>,
    refused: ItemState,
    judge: RefusalCode,
) -> Result<ItemOutcome, Error> {
    match tried {
        Ok(Became { state, code, message }) => {
            Ok(ItemOutcome { state, code: code.to_owned(), message })
        }
        Err(Error::Refusal(refusal)) => {
            let (code, message) = (judge(&refusal).to_owned(), refusal.to_string());
            Ok(ItemOutcome { state: refused, code, message })
        }
        Err(fault) => Err(fault),
    }
}

/// What is said of a party in the plan: it is planned, unless it is refused.
fn preview(verdict: ItemOutcome) -> ItemOutcome {
    match verdict.state {
        ItemState::Refused => verdict,
        ItemState::Unchanged => {
            let (code, message) = ("unchanged".to_owned(), "nothing would change".to_owned());
            ItemOutcome { state: ItemState::Planned, code, message }
        }
        _ => ItemOutcome { state: ItemState::Planned, code: String::new(), message: String::new() },
    }
}

/// What the network says is added to what the change itself says; it never takes a refusal back.
fn with_foreseen(said: ItemOutcome, foreseen: Option<&Foreseen>) -> ItemOutcome {
    match foreseen {
        Some(foreseen) if said.state == ItemState::Planned => ItemOutcome {
            state: if foreseen.is_refused { ItemState::Refused } else { ItemState::Planned },
            code: foreseen.code.to_owned(),
            message: foreseen.message.clone(),
        },
        _ => said,
    }
}

fn plan(
    tx: &mut Tx<'_>,
    work: &JobWork,
    tries: &[JobTry],
    judge: RefusalCode,
    context: &Context<'_>,
) -> Result<(), Error> {
    let job = &work.job;
    for one in tries {
        let verdict = match &one.change {
            Ok(change) => {
                let tried = rehearse(tx, context, &one.participant, change);
                let said = preview(verdict(tried, ItemState::Refused, judge)?);
                with_foreseen(said, one.foreseen.as_ref())
            }
            Err((code, message)) => {
                let (code, message) = (code.clone(), message.clone());
                ItemOutcome { state: ItemState::Refused, code, message }
            }
        };
        // What is refused is not tried, and its line is forgotten.
        let line = one.line.as_ref().filter(|_| verdict.state == ItemState::Planned);
        let at = place(&job.key, "item", one.position);
        let sealed = line.map(|line| context.secrets.seal(&at, line.reveal().as_bytes()));
        let sealed = sealed.transpose()?;
        let message = cut_to(&verdict.message, MESSAGE);
        let row = [
            (&job.key).into(),
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
    judge: RefusalCode,
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
                ItemOutcome { state: ItemState::Failed, code, message }
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
    verdict: &ItemOutcome,
    now: Timestamp,
) -> Result<(), Fault> {
    let message = cut_to(&verdict.message, MESSAGE);
    let row = [
        (&job.key).into(),
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
    let waiting = in_state(tx.connection(), &job.key, state, page, context.secrets)?;
    for line in &waiting {
        let became = match party(tx, context, &line.participant) {
            Ok(party) => follows(tx, context, &party, Awaited::by(job.kind), true)?,
            // The party was removed meanwhile.
            Err(Error::Refusal(refusal)) => {
                Became { state: ItemState::Failed, code: "sml", message: refusal.to_string() }
            }
            Err(fault) => return Err(fault),
        };
        let Became { state, code, message } = became;
        moved(
            tx,
            job,
            line.position,
            &ItemOutcome { state, code: code.to_owned(), message },
            context.now,
        )?;
    }
    let end = waiting.last().map_or(-1, |line| i64::from(line.position));
    Ok((waiting.len(), end))
}

/// Parties of a job that are still to be changed or looked after; of a cancelled one none is
/// changed any more.
fn left(tx: &mut Tx<'_>, job: &Job) -> Result<u32, Fault> {
    let mut left = count(tx.connection(), &job.key, ItemState::Waiting, 1)?;
    if job.standing.state != JobState::Cancelled {
        left += count(tx.connection(), &job.key, ItemState::Planned, 1)?;
    }
    Ok(left)
}

/// Nothing of a job waits any more. That a cancelled one ended was told by its command, where
/// nothing waited then.
fn ends(tx: &mut Tx<'_>, job: &Job, waited: bool, now: Timestamp) -> Result<(), Error> {
    match job.standing.state {
        JobState::Cancelled if waited => ended::tell(tx, job, JobState::Cancelled, now),
        JobState::Cancelled => Ok(()),
        _ => {
            let finished = JobControl { state: JobState::Finished, paused: false, ..job.standing };
            stand(tx, job, finished, now)?;
            ended::tell(tx, job, JobState::Finished, now)
        }
    }
}

fn progress(
    tx: &mut Tx<'_>,
    job: &Job,
    cursor: &str,
    items: u32,
    now: Timestamp,
) -> Result<(), Fault> {
    tx.execute(PROGRESS, &[(&job.key).into(), cursor.into(), items.into(), now.into()])?;
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
        judge: RefusalCode,
        now: Timestamp,
    ) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            let JobWork { job, planned: (cursor, complete), .. } = &work;
            if !stands(tx, job)? {
                return tasks::postpone(tx, &claim, now);
            }
            let context = Context::of(job, &secrets, now);
            plan(tx, &work, &tries, judge, &context)?;
            let found = u32::try_from(tries.len()).unwrap_or(u32::MAX);
            let items = job.items.saturating_add(found);
            if job.listed
                && let Ok(part) = cursor.parse::<u32>()
            {
                tx.execute(DROP_PART, &[(&job.key).into(), part.into()])?;
            }
            let cursor = if *complete { "" } else { cursor.as_str() };
            progress(tx, job, cursor, items, now)?;
            if !complete {
                return tasks::postpone(tx, &claim, now);
            }
            let starts = job.standing.starts;
            let state = if starts { JobState::Running } else { JobState::Planned };
            stand(tx, job, JobControl { state, ..job.standing }, now)?;
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
        judge: RefusalCode,
        now: Timestamp,
    ) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            if stands(tx, &job)? {
                let context = Context::of(&job, &secrets, now);
                run(tx, &job, &tries, judge, &context)?;
                progress(tx, &job, &job.cursor, job.items, now)?;
            }
            tasks::postpone(tx, &claim, now)
        })
        .await
    }

    /// Records what the registers did for parties that wait for them; the job ends when nothing
    /// waits any more. Of a cancelled job the list is forgotten first, and its end is told when
    /// nothing waits.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn settle_job(&self, claim: Claim, job: Job, now: Timestamp) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            if !stands(tx, &job)? {
                return tasks::postpone(tx, &claim, now);
            }
            if job.standing.state == JobState::Cancelled {
                tx.execute(DROP_PARTS, &[(&job.key).into()])?;
                let cleared = tx.execute(CLEAR, &[(&job.key).into(), CLEAR_SIZE.into()])?;
                if cleared > 0 {
                    return tasks::postpone(tx, &claim, now);
                }
            }
            let context = Context::of(&job, &secrets, now);
            let (seen, end) = settle(tx, &job, &context)?;
            let full = u32::try_from(seen).is_ok_and(|seen| seen == SETTLE_SIZE);
            let cursor = if full { end.to_string() } else { String::new() };
            progress(tx, &job, &cursor, job.items, now)?;
            if left(tx, &job)? == 0 {
                ends(tx, &job, seen > 0, now)?;
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
