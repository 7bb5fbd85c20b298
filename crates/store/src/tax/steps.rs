//! A step of a report, in one commit: what it came to, the message that carries it, and when it is
//! looked at again.

use jiff::Timestamp;
use quoin_delivery::tax::{TaxAct, TaxEvent, TaxReason, TaxState, unanswered};
use quoin_delivery::{Notice, TaskKind, TransactionId};

use super::{TaxFacts, TaxGathered, TaxReportRecord, files, find, happened, read, reports};
use crate::blobs::Ready;
use crate::engine::{Connection, Param};
use crate::error::{Error, Fault, Refusal};
use crate::fanout;
use crate::open::Store;
use crate::submit::{self, NewOutgoing};
use crate::tasks::{self, Claim};
use crate::timeline;
use crate::transactions::{self, TransactionRecord};
use crate::writer::Tx;

/// What a look at a report came to.
#[derive(Debug, Clone)]
pub enum TaxOutcome {
    /// Nothing changed.
    Nothing,
    /// No profile asks for it: it is forgotten.
    Unasked,
    /// There is nothing to report, with the reason for people.
    NothingOwed(String),
    /// It cannot be written, with what was chosen for it.
    Unwritable(TaxFacts, TaxReason),
    /// It is written, with the message that carries it.
    Written(TaxFacts, Box<NewOutgoing>),
    /// Nobody answered: the same goes out in another message.
    Again(Box<NewOutgoing>),
    /// It was sent as often as it is sent by itself, and nobody answered: why it is not sent again.
    Unanswered(String),
    /// It waits for the file of its period, with what was chosen for it.
    Gathered(TaxFacts, TaxGathered),
    /// The file of its period is written, with the message that carries these.
    Filed(Vec<TaxReportRecord>, Box<NewOutgoing>),
    /// The file of its period cannot be written, with these in it.
    Unfiled(Vec<TaxReportRecord>, TaxReason),
}

/// A step of a report.
#[derive(Debug, Clone)]
pub struct TaxStep {
    /// The claim under which it was done.
    pub claim: Claim,
    /// The report as it was when this was decided.
    pub report: TaxReportRecord,
    /// What it came to.
    pub outcome: TaxOutcome,
    /// What hooks are told beside that.
    pub notices: Vec<Notice>,
    /// Whether it was warned that its term is near, or that something stands in its way.
    pub warned: bool,
    /// Whether it was told that its term is over.
    pub breached: bool,
    /// When to look again.
    pub next: Option<Timestamp>,
    /// When.
    pub now: Timestamp,
}

const FORGET: &str = "DELETE FROM tax_reports WHERE id = ?1 AND state = 'due' AND messages = 0";
const CHOSEN: &str = "UPDATE tax_reports SET country = ?2, regime = ?3, scope = ?4, authority = ?5,
    document_type = ?6, reporter = ?7, invoice_uuid = ?8, data_uuid = ?9, due_on = ?10,
    channel = ?11 WHERE id = ?1";
const CARRIES: &str = "INSERT INTO tax_messages (message, report, turn, created_on)
    VALUES (?1, ?2, ?3, ?4)";
const SENT: &str = "UPDATE tax_reports SET messages = ?2, left_on = NULL WHERE id = ?1";
const UNANSWERED: &str = "UPDATE tax_reports SET reason = ?2, changed_on = ?3 WHERE id = ?1";
const WARNED: &str = "UPDATE tax_reports SET warned_on = ?2 WHERE id = ?1";
const BREACHED: &str = "UPDATE tax_reports SET breached_on = ?2 WHERE id = ?1";
const LAST_MESSAGE: &str = "SELECT message FROM tax_messages WHERE report = ?1
    ORDER BY turn DESC LIMIT 1";
/// The last message about an invoice of the reports before a place.
const MESSAGE_BEFORE: &str = "SELECT m.message FROM tax_reports r INDEXED BY tax_reports_place
    CROSS JOIN tax_messages m ON m.report = r.id WHERE r.transaction_id = ?1 AND r.place < ?2
    ORDER BY r.place DESC, m.turn DESC LIMIT 1";
const BEFORE: &str =
    reports!("WHERE r.transaction_id = ?1 AND r.place < ?2 ORDER BY r.place DESC LIMIT 1");

fn finish(tx: &mut Tx<'_>, step: TaxStep, blob: Option<Ready>) -> Result<Option<String>, Error> {
    let TaxStep { claim, report, outcome, now, .. } = step;
    tasks::finish(tx, &claim)?;
    let discarded = |blob: Option<Ready>| blob.and_then(Ready::into_file);
    // What was decided about another state is decided anew.
    let found = find(tx.connection(), &report.id)?;
    let is_stale = found.as_ref().is_none_or(|found| found.state != report.state)
        || matches!(outcome, TaxOutcome::NothingOwed(_))
            && !nothing_to_take_back(tx, &report, now)?;
    if is_stale {
        if found.is_some() {
            tasks::ensure_now(tx, TaskKind::Tax, &report.id, now)?;
        }
        return Ok(discarded(blob));
    }
    let mut surplus = None;
    match outcome {
        TaxOutcome::Nothing => surplus = discarded(blob),
        TaxOutcome::Unasked => {
            tx.execute(FORGET, &[(&report.id).into()])?;
            return Ok(discarded(blob));
        }
        TaxOutcome::NothingOwed(why) => {
            let reason = TaxReason { message: why, ..TaxReason::default() };
            happened(tx, &report, TaxEvent::NothingOwed, &reason, now)?;
        }
        TaxOutcome::Unwritable(facts, reason) => {
            choose(tx, &report.id, &facts)?;
            let report = TaxReportRecord { facts, ..report.clone() };
            happened(tx, &report, TaxEvent::Unwritable, &reason, now)?;
        }
        TaxOutcome::Written(facts, message) => {
            choose(tx, &report.id, &facts)?;
            surplus = carry(tx, &report, &message, blob, now)?;
            let written = TaxReportRecord { facts, ..report.clone() };
            happened(tx, &written, TaxEvent::Written, &TaxReason::default(), now)?;
            if report.act == TaxAct::Disregard {
                overtake(tx, &report, now)?;
            }
        }
        TaxOutcome::Again(message) => surplus = carry(tx, &report, &message, blob, now)?,
        TaxOutcome::Unanswered(why) => told_unanswered(tx, &report, &why, now)?,
        TaxOutcome::Gathered(facts, gathered) => {
            choose(tx, &report.id, &facts)?;
            files::keep(tx, &report.id, &gathered)?;
            let waits = TaxReportRecord { facts, ..report.clone() };
            happened(tx, &waits, TaxEvent::Gathered, &TaxReason::default(), now)?;
        }
        TaxOutcome::Filed(members, message) => {
            let (done, file) = files::filed(tx, &members, (&message, blob), (step.next, now))?;
            if !done {
                tasks::ensure_now(tx, TaskKind::Tax, &report.id, now)?;
                return Ok(file);
            }
            surplus = file;
        }
        TaxOutcome::Unfiled(members, reason) => files::unfiled(tx, &members, &reason, now)?,
    }
    noted(tx, &report, (step.warned, step.breached), now)?;
    for notice in &step.notices {
        fanout::add(tx, &report.event_subject(), notice, now)?;
    }
    if let Some(next) = step.next {
        tasks::ensure(tx, TaskKind::Tax, &report.id, next)?;
    }
    Ok(surplus)
}

/// Notes what was told of the term of a report.
fn noted(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    (warned, breached): (bool, bool),
    now: Timestamp,
) -> Result<(), Fault> {
    for (sql, done) in [(WARNED, warned), (BREACHED, breached)] {
        if done {
            tx.execute(sql, &[(&report.id).into(), now.into()])?;
        }
    }
    Ok(())
}

/// Tells on the timeline that nobody answers a report, which stays where it is.
fn told_unanswered(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    why: &str,
    now: Timestamp,
) -> Result<(), Error> {
    tx.execute(UNANSWERED, &[(&report.id).into(), why.into(), now.into()])?;
    let line = unanswered(&report.subject(), why, now);
    Ok(timeline::add(tx, &report.transaction, &[line])?)
}

fn choose(tx: &mut Tx<'_>, id: &str, facts: &TaxFacts) -> Result<(), Error> {
    tx.execute(CHOSEN, &[&[id.into()], of_facts(facts).as_slice()].concat())?;
    Ok(())
}

/// What was chosen for a report, as it is recorded.
pub(super) fn of_facts(facts: &TaxFacts) -> [Param<'_>; 10] {
    [
        facts.country.as_ref().into(),
        facts.regime.as_ref().into(),
        facts.scope.as_ref().into(),
        facts.authority.as_ref().into(),
        facts.document_type.as_ref().into(),
        facts.reporter.as_ref().into(),
        facts.invoice_uuid.as_ref().into(),
        facts.data_uuid.as_ref().into(),
        facts.due_on.into(),
        facts.channel.as_ref().into(),
    ]
}

/// Records the message that carries a report. Answers the file to discard after the commit, if any.
fn carry(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    message: &NewOutgoing,
    blob: Option<Ready>,
    now: Timestamp,
) -> Result<Option<String>, Error> {
    let Some(blob) = blob else {
        return Err(Refusal::NotFound { what: "message", key: report.id.clone() }.into());
    };
    let turn = report.messages + 1;
    let surplus = put_message(tx, (message, blob), &[(&report.id, turn)], now)?;
    sent(tx, &report.id, turn)?;
    Ok(surplus)
}

/// Puts a message on record that carries these reports, each as the message of that number.
/// Answers the file to discard after the commit, if any.
pub(super) fn put_message(
    tx: &mut Tx<'_>,
    (message, blob): (&NewOutgoing, Ready),
    reports: &[(&str, u32)],
    now: Timestamp,
) -> Result<Option<String>, Error> {
    let prepared = submit::outgoing(message, blob);
    let id = prepared.id().clone();
    let surplus = submit::add_outgoing(tx, prepared)?;
    for (report, turn) in reports {
        tx.execute(CARRIES, &[id.as_str().into(), (*report).into(), (*turn).into(), now.into()])?;
    }
    Ok(surplus)
}

/// Counts the messages of a report.
pub(super) fn sent(tx: &mut Tx<'_>, report: &str, messages: u32) -> Result<(), Fault> {
    tx.execute(SENT, &[report.into(), messages.into()])?;
    Ok(())
}

/// The report before this one does not count any more.
fn overtake(tx: &mut Tx<'_>, report: &TaxReportRecord, now: Timestamp) -> Result<(), Error> {
    let key = [report.transaction.as_str().into(), report.place.into()];
    let before = tx.first(BEFORE, &key)?.map(read).transpose()?;
    if let Some(before) = before {
        happened(tx, &before, TaxEvent::Overtaken, &TaxReason::default(), now)?;
        tasks::ensure_now(tx, TaskKind::Tax, &before.id, now)?;
    }
    Ok(())
}

/// Whether a report that would take something back has nothing to take back. What only waits for
/// the file of its period is taken out of it: it never gets there.
fn nothing_to_take_back(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    now: Timestamp,
) -> Result<bool, Error> {
    if report.act != TaxAct::Disregard {
        return Ok(true);
    }
    let key = [report.transaction.as_str().into(), report.place.into()];
    let before = tx.first(BEFORE, &key)?.map(read).transpose()?;
    match before.as_ref().map(|before| before.state) {
        Some(TaxState::Due | TaxState::Sending) => return Ok(false),
        Some(TaxState::Gathered) => {}
        _ => return Ok(true),
    }
    if let Some(before) = before {
        let message = "The invoice was refused.".to_owned();
        let reason = TaxReason { message, ..TaxReason::default() };
        happened(tx, &before, TaxEvent::Overtaken, &reason, now)?;
        tasks::drop_waiting(tx, TaskKind::Tax, &before.id)?;
    }
    Ok(true)
}

fn message(
    db: &mut dyn Connection,
    sql: &'static str,
    key: &[Param<'_>],
) -> Result<Option<TransactionRecord>, Fault> {
    let Some(mut row) = db.first(sql, key)? else { return Ok(None) };
    let message: TransactionId = row.parsed("tax_messages.message")?;
    transactions::find(db, message.as_str())
}

/// The last message about an invoice of the reports before a place.
pub(super) fn message_before(
    db: &mut dyn Connection,
    (invoice, place): (&TransactionId, u32),
) -> Result<Option<TransactionRecord>, Fault> {
    message(db, MESSAGE_BEFORE, &[invoice.as_str().into(), place.into()])
}

impl Store {
    /// Records what a look at a report came to.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn finish_tax(&self, step: TaxStep) -> Result<(), Error> {
        let blob = match &step.outcome {
            TaxOutcome::Written(_, message)
            | TaxOutcome::Again(message)
            | TaxOutcome::Filed(_, message) => {
                Some(self.blobs.ready(&message.organisation, message.content.clone()).await?)
            }
            _ => None,
        };
        let file = blob.as_ref().and_then(Ready::file).into_iter().collect();
        let surplus = self.write_files(file, move |tx| finish(tx, step, blob)).await?;
        self.blobs.discard(surplus).await;
        Ok(())
    }

    /// The message that carried a report last.
    pub async fn tax_message_of(
        &self,
        report: &TaxReportRecord,
    ) -> Result<Option<TransactionRecord>, Error> {
        let id = report.id.clone();
        self.read(move |db| Ok(message(db, LAST_MESSAGE, &[(&id).into()])?)).await
    }

    /// The last message about the same invoice of the reports before this one.
    pub async fn tax_message_before(
        &self,
        report: &TaxReportRecord,
    ) -> Result<Option<TransactionRecord>, Error> {
        let (invoice, place) = (report.transaction.clone(), report.place);
        self.read(move |db| Ok(message_before(db, (&invoice, place))?)).await
    }

    /// The report whose place another one takes.
    pub async fn tax_report_before(
        &self,
        report: &TaxReportRecord,
    ) -> Result<Option<TaxReportRecord>, Error> {
        let (invoice, place) = (report.transaction.clone(), report.place);
        self.read(move |db| {
            let row = db.first(BEFORE, &[invoice.as_str().into(), place.into()])?;
            Ok(row.map(read).transpose()?)
        })
        .await
    }
}
