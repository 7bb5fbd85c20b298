//! What a claim is about: the record of its subject, whichever kind of task it is.

use std::sync::Arc;

use quoin_delivery::TaskKind;

use crate::clearances::{self, ClearanceBatch};
use crate::engine::Connection;
use crate::error::{Error, Fault};
use crate::hook_calls::{self, HookCall};
use crate::hooks;
use crate::jobs::{self, JobWork};
use crate::open::Store;
use crate::readers::Untyped;
use crate::registrations::{self, Registration};
use crate::remembered::KeptAnswers;
use crate::reports::{self, ReportRecord};
use crate::secrets::SecretBox;
use crate::statuses::{self, StatusRecord};
use crate::tasks::Claim;
use crate::tax::{self, TaxReportRecord};
use crate::transactions::{self, TransactionRecord};
use crate::written::WriteCounts;

/// What a claim is about, read from the store.
#[derive(Debug, Clone)]
pub enum Work {
    /// A step of a transaction.
    Transaction(Box<TransactionRecord>),
    /// A call of a hook.
    Call(Box<HookCall>),
    /// A batch, by its id: see [`Store::seal_batch`].
    Batch(String),
    /// What a register outside is to hold.
    Registration(Box<Registration>),
    /// The status that may be owed or overdue about a document.
    Status(Box<TransactionRecord>, Box<StatusRecord>),
    /// What is to be done about a statistics report.
    Report(Box<ReportRecord>),
    /// The next step of a bulk job; `None` where it takes none for now.
    Job(Option<Box<JobWork>>),
    /// The next step of a batch at an authority.
    Clearance(Box<ClearanceBatch>),
    /// What is to be done about a report to a tax authority, with its invoice.
    Tax(Box<TaxReportRecord>, Box<TransactionRecord>),
    /// The calls of a hook that is off or gone: see [`Store::stop_calls`].
    Stop,
    /// What a hook takes over: see [`Store::take_over_calls`].
    TakeOver,
    /// Events that many hooks hear: see [`Store::tell_on`].
    Tell,
    /// Parties of an organisation whose configuration changed: see [`Store::publish_parties`].
    Publish,
    /// Tax reports of a period that were given up: see [`Store::regather`].
    Regather,
    /// The subject is gone (its hook was removed, or is off): the claim is stale, drop it. A call
    /// is stopped ([`Store::stop_call`]).
    Gone,
}

fn status(db: &mut dyn Connection, document: &str) -> Result<Work, Fault> {
    let found = (transactions::find(db, document)?, statuses::find(db, document)?);
    Ok(match found {
        (Some(record), Some(status)) => Work::Status(Box::new(record), Box::new(status)),
        _ => Work::Gone,
    })
}

fn tax_report(db: &mut dyn Connection, id: &str) -> Result<Work, Fault> {
    let Some(report) = tax::find(db, id)? else { return Ok(Work::Gone) };
    Ok(match transactions::find(db, report.transaction.as_str())? {
        Some(invoice) => Work::Tax(Box::new(report), Box::new(invoice)),
        None => Work::Gone,
    })
}

/// Reads what tasks are about.
#[derive(Clone)]
struct WorkReader {
    secrets: SecretBox,
    kept: Arc<KeptAnswers>,
    written: WriteCounts,
}

impl WorkReader {
    /// What a task of this kind is about.
    fn read(&self, db: &mut dyn Connection, kind: TaskKind, subject: &str) -> Result<Work, Fault> {
        let secrets = &self.secrets;
        Ok(match kind {
            TaskKind::Notify => {
                let kept = (&*self.kept, self.written.of(hooks::HOOK.tables));
                hook_calls::find(db, subject, secrets, kept)?
                    .map_or(Work::Gone, |call| Work::Call(Box::new(call)))
            }
            TaskKind::Batch => Work::Batch(subject.to_owned()),
            TaskKind::Stop => Work::Stop,
            TaskKind::TakeOver => Work::TakeOver,
            TaskKind::Tell => Work::Tell,
            TaskKind::Publish => Work::Publish,
            TaskKind::Regather => Work::Regather,
            TaskKind::Register => registrations::of_subject(db, subject, secrets)?
                .map_or(Work::Gone, |found| Work::Registration(Box::new(found))),
            TaskKind::Status => status(db, subject)?,
            TaskKind::Report => reports::of_subject(db, subject)?
                .map_or(Work::Gone, |found| Work::Report(Box::new(found))),
            TaskKind::Clear => clearances::find_batch(db, subject, secrets)?
                .map_or(Work::Gone, |batch| Work::Clearance(Box::new(batch))),
            TaskKind::Tax => tax_report(db, subject)?,
            TaskKind::Job => Work::Job(jobs::work(db, subject, secrets)?.map(Box::new)),
            TaskKind::Prepare | TaskKind::Arrive | TaskKind::Route | TaskKind::Deliver => {
                transactions::find(db, subject)?
                    .map_or(Work::Gone, |record| Work::Transaction(Box::new(record)))
            }
        })
    }
}

/// Steps of documents and calls of hooks, of which there are many.
fn is_frequent(kind: TaskKind) -> bool {
    use TaskKind::{Arrive, Deliver, Notify, Prepare, Route};
    matches!(kind, Arrive | Deliver | Notify | Prepare | Route)
}

impl Store {
    fn work_reader(&self) -> WorkReader {
        let (secrets, kept) = (self.secrets.clone(), self.kept.clone());
        WorkReader { secrets, kept, written: self.counts().clone() }
    }

    /// Has what frequent claims are about read with them, where they are handed over: for whoever
    /// begins with each as it gets it.
    pub fn read_ahead(&self) {
        let reader = self.work_reader();
        self.ahead().by(Box::new(move |db, claim| {
            if !is_frequent(claim.kind) {
                return None;
            }
            // What is not there, or cannot be read, is looked for again when it is begun with.
            let work = reader.read(db, claim.kind, &claim.subject).ok()?;
            (!matches!(work, Work::Gone)).then(|| -> Untyped { Box::new(work) })
        }));
    }

    /// Reads what a claim is about.
    pub async fn load(&self, claim: &Claim) -> Result<Work, Error> {
        let mut work = match self.ahead().take::<Work>(claim) {
            Some(work) => work,
            None => {
                let (kind, subject) = (claim.kind, claim.subject.clone());
                let reader = self.work_reader();
                self.read(move |db| Ok(reader.read(db, kind, &subject)?)).await?
            }
        };
        if let Work::Call(call) = &mut work {
            self.named(vec![&mut call.event]).await?;
        }
        Ok(work)
    }
}
