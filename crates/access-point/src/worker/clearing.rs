//! A batch of documents at the Polish national system: its seven steps, each one claim of its task
//! and one commit.
//!
//! ```text
//! upload ─► status ─► retrieve-invoices ─► retrieve-upo ─► print ─► dispatch ─► finalize
//!    └────► offline: the system is not there; what was issued so goes in a batch of its own later
//! ```
//! A step that was done and whose commit is lost is done again: `quoin_ksef::steps` says why that
//! registers nothing twice.

mod accounts;
mod due;
mod explaining;
mod offline;
mod online;
mod results;
mod telling;
mod upload;

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::event::ClearanceNews;
use quoin_ksef::api::KsefProblem;
use quoin_ksef::outcome::KsefOutcome;
use quoin_ksef::steps::{
    AfterTrouble, POLLS_IN_VAIN, Step, Trouble, after_trouble, again_later, poll_wait,
};
use quoin_store::{
    Claim, ClearanceBatch, ClearanceRecord, ClearanceResult, ClearanceState, ClearanceStep, Hook,
};

use super::Worker;
use crate::ksef::{KsefAccount, KsefClient, KsefSessionCalls, SessionMemory};
use crate::step::{LEASE, StepFault};

use crate::ksef::explained_own;
pub(super) use explaining::{EXPORT_REASON, explained_trouble};
use explaining::{SESSION_REASON, explained, explained_upload, refusal_code};

/// The step of documents that are issued without the system; it is none of the seven.
const OFFLINE: &str = "offline";
/// Documents of which a page is made, or a receipt read, in one claim: each claim reads the batch
/// and writes what it remembers, which is much for 10,000 of them.
const CHUNK: usize = 1_000;
/// Documents that are told in one commit.
const DISPATCH: usize = 500;
/// When a batch without a usable hook is looked at again.
const WITHOUT_HOOK: SignedDuration = SignedDuration::from_mins(10);

/// What a step works with.
struct ClearingRun<'a> {
    worker: &'a Worker,
    client: &'a KsefClient,
    account: KsefAccount,
    hook: Hook,
    batch: ClearanceBatch,
    /// Where each of its documents is among them.
    places: HashMap<String, usize>,
    memory: SessionMemory,
}

/// What a step came to.
enum Walked {
    /// This, at this time.
    Next(Step, Timestamp),
    /// Nothing was asked of the system yet: the same step, and what failed before still counts.
    Prepared,
    /// The step of documents without the system.
    Offline,
    /// The system says that it is not there: what was issued without it waits for that.
    Away,
    /// There is a reason why not.
    Trouble(Trouble),
    /// The system looked at what was handed over, and takes none of it.
    Refused(Trouble),
    /// The batch is done.
    Done,
}

impl Worker {
    /// Takes the next step of a batch.
    pub(super) async fn clearance(
        &self,
        claim: Claim,
        batch: ClearanceBatch,
    ) -> Result<(), StepFault> {
        let now = self.clock.now();
        let later = now.saturating_add(WITHOUT_HOOK).unwrap_or(now);
        let Some(client) = self.ksef.clone() else {
            return Ok(self.store.reschedule(claim, later).await?);
        };
        let mut batch = match batch.is_closed {
            true => batch,
            false => match self.store.close_clearance(&batch.id).await? {
                Some(batch) => batch,
                None => return Ok(self.store.drop_task(claim).await?),
            },
        };
        // What was set apart as lost is none of its documents any more.
        batch.documents.retain(|record| record.state != ClearanceState::Failed);
        if batch.documents.is_empty() {
            let step = ClearanceStep::default();
            return Ok(self.store.advance_clearance(claim, &batch, step, now).await?);
        }
        // A hook that was removed or has other certificates: the documents wait for the next one.
        let (hook, account) = match self.account_of(&batch).await? {
            Ok(found) => found,
            Err(why) => return self.without_hook(claim, batch, why).await,
        };
        let mut memory = SessionMemory::read(&batch.memory);
        if std::mem::take(&mut memory.hookless) {
            // It has one again: what failed for want of it is over.
            (batch.failed, memory.is_told) = (0, false);
        }
        let places = batch.documents.iter().enumerate();
        let places =
            places.map(|(at, record)| (record.transaction.as_str().to_owned(), at)).collect();
        let run =
            ClearingRun { worker: self, client: &client, account, hook, batch, places, memory };
        run.walk(claim).await
    }
}

impl ClearingRun<'_> {
    fn calls(&self) -> KsefSessionCalls<'_> {
        KsefSessionCalls { client: self.client, account: &self.account }
    }

    fn now(&self) -> Timestamp {
        self.worker.clock.now()
    }

    /// The claim goes on: a part of the documents is done.
    async fn goes_on(&self, claim: &Claim) -> Result<(), StepFault> {
        let until = self.now().saturating_add(LEASE).unwrap_or_else(|_| self.now());
        self.worker.insist(claim, || self.worker.store.extend(claim, until)).await
    }

    async fn walk(mut self, claim: Claim) -> Result<(), StepFault> {
        let mut results = Vec::new();
        let mut again = Vec::new();
        let before = self.batch.step.clone();
        let named = Step::named(&before);
        let walked = match named {
            Some(Step::Upload) => self.upload(&claim, &mut results, &mut again).await?,
            Some(Step::Status) => self.status(&mut again).await,
            Some(Step::RetrieveInvoices) => self.retrieve_invoices().await,
            Some(Step::RetrieveUpo) => self.retrieve_upo(&claim, &mut results).await?,
            Some(Step::Print) => self.print(&claim, &mut results).await?,
            Some(Step::Dispatch) => self.dispatch(&mut results, &mut again).await?,
            Some(Step::Finalize) => self.finalize().await,
            None if before == OFFLINE => {
                self.issue_offline(&claim, &mut results, &mut again).await?
            }
            None => Walked::Done,
        };
        let (next, failed) = self.after(named, walked, &mut results).await?;
        let same = next.as_ref().is_some_and(|(word, _)| *word == before);
        let step = ClearanceStep {
            polls: if same { self.batch.polls.saturating_add(1) } else { 0 },
            memory: if next.is_some() { self.memory.bytes() } else { Vec::new() },
            next,
            failed,
            results,
            again,
        };
        let (store, now) = (&self.worker.store, self.now());
        let record = || store.advance_clearance(claim.clone(), &self.batch, step.clone(), now);
        self.worker.insist(&claim, record).await
    }

    /// The step that follows, and how often in a row it failed.
    async fn after(
        &mut self,
        step: Option<Step>,
        walked: Walked,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<(Option<(String, Timestamp)>, u32), StepFault> {
        let now = self.now();
        let at = |step: Step, at| Some((step.word().to_owned(), at));
        let (step, failed) = (step.unwrap_or(Step::Upload), self.batch.failed);
        let trouble = match walked {
            Walked::Next(next, when) if next == step && self.batch.polls >= POLLS_IN_VAIN => {
                self.tell_once("ksef-unavailable", &in_process(), results).await?;
                return Ok((at(next, when), 0));
            }
            Walked::Next(next, when) => {
                self.memory.went_on();
                return Ok((at(next, when), 0));
            }
            Walked::Prepared => return Ok((at(step, now), failed)),
            Walked::Offline => return Ok((Some((OFFLINE.to_owned(), now)), 0)),
            // It was told when they were issued.
            Walked::Away => return Ok((at(step, again_later(failed, now)), failed + 1)),
            Walked::Done => return Ok((None, 0)),
            Walked::Refused(trouble) => {
                self.tell_refused(&trouble, results).await?;
                return Ok((None, 0));
            }
            Walked::Trouble(trouble) => trouble,
        };
        tracing::info!(batch = self.batch.id, step = step.word(), ?trouble, failed, "KSeF trouble");
        if is_about_certificates(&trouble) {
            // Whoever manages the hook can fix it; the documents wait for that.
            self.tell_once("ksef-certificate", &trouble, results).await?;
            let later = now.saturating_add(WITHOUT_HOOK).unwrap_or(now);
            return Ok((at(step, later), failed + 1));
        }
        let after = after_trouble(step, &trouble, self.memory.tried(failed), now);
        self.memory.unanswered = match trouble {
            Trouble::NoAnswer | Trouble::Server(_) => self.memory.unanswered + 1,
            _ => 0,
        };
        Ok(match after {
            // What was issued without the system is only waited for.
            AfterTrouble::Again { outcome: KsefOutcome::Offline, .. } if !self.batch.offline => {
                self.memory.begin_anew();
                (Some((OFFLINE.to_owned(), now)), 0)
            }
            AfterTrouble::Again { at: when, .. } => {
                self.tell_once("ksef-unavailable", &trouble, results).await?;
                (at(step, when), failed + 1)
            }
            AfterTrouble::SignIn | AfterTrouble::NewKey => {
                if after == AfterTrouble::SignIn {
                    self.client.forget_tokens(&self.account);
                }
                self.memory.renewals += 1;
                (at(step, now), failed)
            }
            AfterTrouble::Anew(when) => {
                self.memory.begin_anew();
                (at(Step::Upload, when), failed + 1)
            }
            AfterTrouble::GoOn => (at(step.next().unwrap_or(Step::Finalize), now), 0),
            AfterTrouble::GiveUp => {
                self.tell_refused(&trouble, results).await?;
                (None, 0)
            }
        })
    }

    /// That all documents wait, once until something goes on.
    async fn tell_once(
        &mut self,
        code: &str,
        trouble: &Trouble,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<(), StepFault> {
        match std::mem::replace(&mut self.memory.is_told, true) {
            true => Ok(()),
            false => self.tell_all(KsefOutcome::Unavailable, code, trouble, results).await,
        }
    }

    /// That no document of the batch is taken.
    async fn tell_refused(
        &self,
        trouble: &Trouble,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<(), StepFault> {
        self.tell_all(KsefOutcome::Failed, refusal_code(trouble), trouble, results).await
    }

    /// The same of all documents of the batch.
    async fn tell_all(
        &self,
        outcome: KsefOutcome,
        code: &str,
        trouble: &Trouble,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<(), StepFault> {
        let state = match outcome {
            KsefOutcome::Failed => ClearanceState::Failed,
            _ if self.batch.offline => ClearanceState::Offline,
            _ => ClearanceState::Waiting,
        };
        let is_upload = Step::named(&self.batch.step) == Some(Step::Upload);
        // What was issued so before is not issued so again.
        let message = match is_upload && !self.batch.offline {
            true => explained_upload(trouble),
            false => explained_trouble(trouble),
        };
        for record in &self.batch.documents {
            let news = self.news(outcome, code, message.clone());
            results.extend(self.result(record, state, news).await?);
        }
        Ok(())
    }

    fn news(&self, outcome: KsefOutcome, code: &str, message: String) -> ClearanceNews {
        ClearanceNews {
            outcome,
            code: code.to_owned(),
            message,
            details: Default::default(),
            output: self.hook.output.clone(),
        }
    }

    /// What follows for a document; none where it is gone.
    async fn result(
        &self,
        record: &ClearanceRecord,
        state: ClearanceState,
        news: ClearanceNews,
    ) -> Result<Option<ClearanceResult>, StepFault> {
        self.worker.cleared(record, state, news).await
    }

    /// When a session is asked for again.
    fn next_poll(&self) -> Timestamp {
        let wait = poll_wait(self.batch.polls);
        self.now().saturating_add(wait).unwrap_or_else(|_| self.now())
    }
}

/// A session that is in process for long, as it is told.
fn in_process() -> Trouble {
    let reason = Some("own.in-process".to_owned());
    Trouble::Refused(0, KsefProblem { reason, ..KsefProblem::default() })
}

/// Whether the signing in is refused as it is: a certificate that ended, or one without rights.
fn is_about_certificates(trouble: &Trouble) -> bool {
    let Trouble::Refused(_, problem) = trouble else { return false };
    let reason = problem.reason.as_deref().unwrap_or_default();
    reason.starts_with("own.certificate") || reason.starts_with("auth.")
}

/// Whether a trouble is about the one invoice that was asked for: the others may be there. Where
/// the system cannot be reached, lets nobody in or has had enough, none is.
pub(in crate::worker) fn is_of_one(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::NoAnswer | Trouble::Limited(_) | Trouble::Unauthorized => false,
        Trouble::Server(status) => *status != 503,
        Trouble::Refused(status, _) | Trouble::Gateway(status) => !matches!(status, 401 | 403),
        Trouble::Unreadable => true,
    }
}
