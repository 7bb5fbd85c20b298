//! Giving a Message Level Status and being told one: the message, the line of the document and its
//! timeline are one commit.

pub(crate) mod early;

use jiff::Timestamp;
use quoin_delivery::mls::MlsCode;
use quoin_delivery::service_level::Level;
use quoin_delivery::{Notice, TaskKind, TimelineEntry, TransactionId};

use crate::blobs::Ready;
use crate::engine::json;
use crate::error::{Error, Fault};
use crate::events::EventSubject;
use crate::fanout;
use crate::open::Store;
use crate::statuses::{self, IssueRecord, levels};
use crate::submit::{self, NewOutgoing};
use crate::tasks::{self, Claim};
use crate::tax;
use crate::timeline;
use crate::transactions::TransactionRecord;
use crate::writer::Tx;

/// The line of a timeline that tells of a status.
const LINE: &str = "MessageLevelStatus";

/// A status of ours about a document that arrived.
#[derive(Debug, Clone)]
pub struct StatusGiven {
    /// What became of the document.
    pub code: MlsCode,
    /// The same in words.
    pub description: String,
    /// What is wrong with it.
    pub issues: Vec<IssueRecord>,
    /// The message that says so.
    pub message: NewOutgoing,
}

/// A status that another provider gave about a document that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusTold {
    /// The document.
    pub subject: TransactionId,
    /// The provider that says so: its seat id.
    pub provider: String,
    /// The code as it was written.
    pub code: Option<String>,
    /// What became of the document, in words.
    pub description: String,
    /// What is wrong with it.
    pub issues: Vec<IssueRecord>,
    /// Whether it comes from where the document was sent, so that it settles its status.
    pub counts: bool,
    /// When the message arrived.
    pub told_on: Timestamp,
}

/// What was raised about a status that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelNotice {
    /// That the limit is near.
    Warning,
    /// That the limit is over.
    Breach,
}

/// What a look at the status of a document came to.
#[derive(Debug, Clone)]
pub struct StatusStep {
    /// The claim under which it was done.
    pub claim: Claim,
    /// The document.
    pub document: TransactionRecord,
    /// A status that is given now.
    pub given: Option<StatusGiven>,
    /// Whether nothing is owed any more, without a status.
    pub closes: bool,
    /// What was raised.
    pub raised: Option<LevelNotice>,
    /// What hooks are told.
    pub notices: Vec<Notice>,
    /// When to look again.
    pub next: Option<Timestamp>,
    /// When.
    pub now: Timestamp,
}

const GIVE: &str = "UPDATE statuses SET code = ?2, message = ?3
    WHERE transaction_id = ?1 AND direction = 'incoming' AND code IS NULL AND closed_on IS NULL";
const SETTLE: &str = "UPDATE statuses SET code = ?2, message = ?3, settled_on = ?4
    WHERE transaction_id = ?1 AND direction = 'outgoing' AND code IS NULL AND provider = ?5";
const CLOSE: &str = "UPDATE statuses SET closed_on = ?2
    WHERE transaction_id = ?1 AND code IS NULL AND closed_on IS NULL";
const WARNED: &str = "UPDATE statuses SET warned_on = ?2
    WHERE transaction_id = ?1 AND warned_on IS NULL AND settled_on IS NULL";
const TELL: &str = "INSERT INTO status_messages
    (message, subject, provider, code, description, issues, counts, created_on, early)
    SELECT ?1, ?2, coalesce(?3, (SELECT provider FROM statuses WHERE transaction_id = ?2)),
    ?4, ?5, ?6, ?7, ?8, ?9 WHERE true ON CONFLICT (message) DO NOTHING";
const PROVIDER: &str = "SELECT provider FROM statuses WHERE transaction_id = ?1";

/// Gives a status about a document, unless one was given: its message goes out as a document of the
/// party whose the document is. The limit for it runs from M1, whatever becomes of the message:
/// whoever gives it has it watched. Answers the file to discard after the commit, if any.
pub(crate) fn record_given(
    tx: &mut Tx<'_>,
    (document, party): (&TransactionId, &str),
    given: &StatusGiven,
    blob: Ready,
    now: Timestamp,
) -> Result<Option<String>, Error> {
    let message = submit::outgoing(&given.message, blob).of_party(party);
    let id = message.id().clone();
    let row = [document.as_str().into(), given.code.as_str().into(), id.as_str().into()];
    if tx.execute(GIVE, &row)? == 0 {
        return Ok(message.discarded());
    }
    let provider = tx.first(PROVIDER, &[document.as_str().into()])?;
    let provider = provider.map(|mut row| row.text("statuses.provider")).transpose()?;
    let surplus = submit::add_outgoing(tx, message)?;
    let told = StatusRow {
        message: &id,
        subject: document,
        provider: None,
        code: Some(given.code.as_str()),
        description: &given.description,
        issues: &given.issues,
        counts: true,
        early: false,
    };
    tell(tx, &told, now)?;
    let description = format!(
        "{} was given to {}: {}",
        given.code.as_str(),
        provider.unwrap_or_default(),
        given.description
    );
    line(tx, document, description, given.code == MlsCode::Rejected, now)?;
    if given.code == MlsCode::Rejected {
        tax::invoice_refused(tx, document, now)?;
    }
    Ok(surplus)
}

/// Records a status that arrived about a document. Only the first one that counts settles it, and
/// only what settles it has consequences. One that came before the line of its document is kept
/// until that is there ([`early`]).
pub(crate) fn record_told(
    tx: &mut Tx<'_>,
    message: &TransactionId,
    told: &StatusTold,
    now: Timestamp,
) -> Result<(), Error> {
    let code = told.code.as_deref().and_then(MlsCode::named).filter(|_| told.counts);
    let settles = match code {
        Some(code) => settle(tx, &told.subject, (message, code), &told.provider, told.told_on)?,
        None => false,
    };
    let early = code.is_some() && !settles && !early::has_line(tx, &told.subject)?;
    let row = StatusRow {
        message,
        subject: &told.subject,
        provider: Some(&told.provider),
        code: told.code.as_deref(),
        description: &told.description,
        issues: &told.issues,
        counts: settles,
        early,
    };
    tell(tx, &row, now)?;
    if let Some(code) = code {
        let words = (told.description.as_str(), told.issues.as_slice());
        if settles {
            tax::told(tx, &told.subject, code, words, now)?;
        } else if early {
            // An authority has the report that it answers, whatever became of the receipt.
            tax::answered(tx, &told.subject, code, words, now)?;
        } else {
            tax::answered_otherwise(tx, &told.subject, (code, words.0), now)?;
        }
    }
    let written = told.code.as_deref().unwrap_or("A status without a code");
    let description = match told.description.trim() {
        "" => format!("{written} came from {}.", told.provider),
        words => format!("{written} came from {}: {words}", told.provider),
    };
    line(tx, &told.subject, description, settles && code == Some(MlsCode::Rejected), now)
}

/// Settles the status of a document that was sent to this provider, unless it is settled. Answers
/// whether it did.
fn settle(
    tx: &mut Tx<'_>,
    subject: &TransactionId,
    (message, code): (&TransactionId, MlsCode),
    provider: &str,
    told_on: Timestamp,
) -> Result<bool, Fault> {
    let row = [
        subject.as_str().into(),
        code.as_str().into(),
        message.as_str().into(),
        told_on.into(),
        provider.into(),
    ];
    let settles = tx.execute(SETTLE, &row)? > 0;
    if settles {
        statuses::decided(tx, Level::Received, subject.as_str())?;
    }
    Ok(settles)
}

struct StatusRow<'t> {
    message: &'t TransactionId,
    subject: &'t TransactionId,
    provider: Option<&'t str>,
    code: Option<&'t str>,
    description: &'t str,
    issues: &'t [IssueRecord],
    counts: bool,
    early: bool,
}

fn tell(tx: &mut Tx<'_>, told: &StatusRow<'_>, now: Timestamp) -> Result<(), Fault> {
    let issues = json(&told.issues)?;
    let row = [
        told.message.as_str().into(),
        told.subject.as_str().into(),
        told.provider.into(),
        told.code.into(),
        told.description.into(),
        (&issues).into(),
        told.counts.into(),
        now.into(),
        told.early.into(),
    ];
    tx.execute(TELL, &row)?;
    Ok(())
}

fn line(
    tx: &mut Tx<'_>,
    document: &TransactionId,
    description: String,
    rejected: bool,
    now: Timestamp,
) -> Result<(), Error> {
    let entry = TimelineEntry {
        name: LINE.to_owned(),
        description,
        code: rejected.then(|| "rejected-by-provider".to_owned()),
        created_on: now,
    };
    Ok(timeline::add(tx, document, &[entry])?)
}

fn finish(
    tx: &mut Tx<'_>,
    step: &StatusStep,
    blob: Option<Ready>,
) -> Result<Option<String>, Error> {
    let StatusStep { claim, document, now, .. } = step;
    let id = &document.transaction.id;
    tasks::finish(tx, claim)?;
    let surplus = match (&step.given, blob) {
        (Some(given), Some(blob)) => {
            record_given(tx, (id, &document.transaction.party), given, blob, *now)?
        }
        _ => None,
    };
    if step.closes {
        tx.execute(CLOSE, &[id.as_str().into(), (*now).into()])?;
    }
    if raised(tx, step)? {
        let subject = EventSubject::of(&document.transaction);
        for notice in &step.notices {
            fanout::add(tx, &subject, notice, *now)?;
        }
    }
    if let Some(next) = step.next {
        tasks::ensure(tx, TaskKind::Status, id.as_str(), next)?;
    }
    Ok(surplus)
}

/// Notes what was raised. Answers whether it holds: a status may have settled since the look.
fn raised(tx: &mut Tx<'_>, step: &StatusStep) -> Result<bool, Fault> {
    let document = &step.document.transaction;
    let id = document.id.as_str();
    match step.raised {
        Some(LevelNotice::Warning) => Ok(tx.execute(WARNED, &[id.into(), step.now.into()])? > 0),
        Some(LevelNotice::Breach) => levels::breached(tx, id, step.now),
        None => Ok(true),
    }
}

impl Store {
    /// Records what a look at the status of a document came to.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn finish_status(&self, step: StatusStep) -> Result<(), Error> {
        let owner = &step.document.transaction.organisation;
        let blob = match &step.given {
            Some(given) => Some(self.blobs.ready(owner, given.message.content.clone()).await?),
            None => None,
        };
        let file = blob.as_ref().and_then(Ready::file).into_iter().collect();
        let surplus = self.write_files(file, move |tx| finish(tx, &step, blob)).await?;
        self.blobs.discard(surplus).await;
        Ok(())
    }
}
