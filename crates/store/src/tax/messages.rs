//! What other commits mean for a report: its message ended, an answer to it came, or its invoice
//! was refused.

use jiff::Timestamp;
use quoin_delivery::mls::MlsCode;
use quoin_delivery::tax::{
    TaxAct, TaxEvent, TaxIssue, TaxReason, TaxState, UNSENT, contradicted, contradicts, rejection,
};
use quoin_delivery::{Decision, Status, TaskKind, TransactionId};

use super::{TaxReportRecord, add, all_carried_by, carried_by, happened, last_of};
use crate::error::Error;
use crate::statuses::IssueRecord;
use crate::tasks;
use crate::timeline;
use crate::writer::Tx;

const LEFT: &str = "UPDATE tax_reports SET left_on = ?2 WHERE id = ?1";

/// A message of a report ended: it is with the access point of the authority, or did not get there.
pub(crate) fn message_ended(
    tx: &mut Tx<'_>,
    message: &TransactionId,
    decision: &Decision,
    now: Timestamp,
) -> Result<(), Error> {
    for report in all_carried_by(tx.connection(), message)? {
        ended(tx, &report, decision, now)?;
    }
    Ok(())
}

fn ended(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    decision: &Decision,
    now: Timestamp,
) -> Result<(), Error> {
    match decision.status {
        Status::Delivered => {
            // Its task waits for the answer already.
            tx.execute(LEFT, &[(&report.id).into(), now.into()])?;
            let is_there = happened(tx, report, TaxEvent::Left, &TaxReason::default(), now)?;
            match is_there && report.facts.channel.is_some() {
                true => taken(tx, report, now),
                false => Ok(()),
            }
        }
        Status::Rejected | Status::Failed => {
            if report.state == TaxState::Sent {
                // One that was sent once more: its next one comes in its time.
                tx.execute(LEFT, &[(&report.id).into(), now.into()])?;
            }
            let last = decision.timeline.last();
            let why = last.map(|line| line.description.clone()).unwrap_or_default();
            let reason =
                TaxReason { code: Some(UNSENT.to_owned()), message: why, findings: Vec::new() };
            happened(tx, report, TaxEvent::GivenUp, &reason, now)?;
            Ok(tasks::ensure_now(tx, TaskKind::Tax, &report.id, now)?)
        }
        _ => Ok(()),
    }
}

/// Nobody answers what a platform took by a channel: with that, it has it.
fn taken(tx: &mut Tx<'_>, report: &TaxReportRecord, now: Timestamp) -> Result<(), Error> {
    let sent = TaxReportRecord { state: TaxState::Sent, ..report.clone() };
    let message = "The platform has it.".to_owned();
    let reason = TaxReason { message, ..TaxReason::default() };
    happened(tx, &sent, TaxEvent::Answered(MlsCode::Accepted), &reason, now)?;
    match report.warned_on {
        Some(_) => tasks::ensure_now(tx, TaskKind::Tax, &report.id, now)?,
        None => tasks::drop_waiting(tx, TaskKind::Tax, &report.id)?,
    }
    Ok(())
}

/// A status settled that of a document that was sent: it answers a report, or refuses an invoice
/// that is reported.
pub(crate) fn told(
    tx: &mut Tx<'_>,
    subject: &TransactionId,
    code: MlsCode,
    words: (&str, &[IssueRecord]),
    now: Timestamp,
) -> Result<(), Error> {
    let is_answer = answered(tx, subject, code, words, now)?;
    match code {
        MlsCode::Rejected if !is_answer => invoice_refused(tx, subject, now),
        MlsCode::Rejected | MlsCode::Accepted | MlsCode::HandedOver => Ok(()),
    }
}

/// A status about the message of a report answers the report; the first one does. Answers whether
/// the document is such a message.
pub(crate) fn answered(
    tx: &mut Tx<'_>,
    subject: &TransactionId,
    code: MlsCode,
    (description, issues): (&str, &[IssueRecord]),
    now: Timestamp,
) -> Result<bool, Error> {
    let Some(mut report) = carried_by(tx.connection(), subject)? else { return Ok(false) };
    // An answer that overtook the receipt says that the message is there.
    if happened(tx, &report, TaxEvent::Left, &TaxReason::default(), now)? {
        report.state = TaxState::Sent;
    }
    let is_refusal = code == MlsCode::Rejected;
    let reason = match is_refusal {
        true => {
            let issues: Vec<TaxIssue<'_>> = issues.iter().map(issue).collect();
            rejection(report.facts.regime.as_deref(), description, &issues)
        }
        false => TaxReason { message: description.trim().to_owned(), ..TaxReason::default() },
    };
    if !happened(tx, &report, TaxEvent::Answered(code), &reason, now)? {
        otherwise(tx, &report, (code, description), now)?;
        return Ok(true);
    }
    match is_refusal || report.warned_on.is_some() {
        true => tasks::ensure_now(tx, TaskKind::Tax, &report.id, now)?,
        // Nothing is left to be done.
        false => tasks::drop_waiting(tx, TaskKind::Tax, &report.id)?,
    }
    Ok(true)
}

/// A status about the message of a report that was answered before changes nothing; where it says
/// something else, the timeline says so.
pub(crate) fn answered_otherwise(
    tx: &mut Tx<'_>,
    subject: &TransactionId,
    told: (MlsCode, &str),
    now: Timestamp,
) -> Result<(), Error> {
    match carried_by(tx.connection(), subject)? {
        Some(report) => otherwise(tx, &report, told, now),
        None => Ok(()),
    }
}

fn otherwise(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    told: (MlsCode, &str),
    now: Timestamp,
) -> Result<(), Error> {
    if !contradicts(report.state, told.0) {
        return Ok(());
    }
    let line = contradicted(&report.subject(), report.state, told, now);
    Ok(timeline::add(tx, &report.transaction, &[line])?)
}

/// An invoice did not get to its receiver after all: what was reported about it is taken back, and
/// what was not reported yet never is.
pub(crate) fn invoice_refused(
    tx: &mut Tx<'_>,
    invoice: &TransactionId,
    now: Timestamp,
) -> Result<(), Error> {
    let Some(last) = last_of(tx.connection(), invoice)? else { return Ok(()) };
    if last.act.is_without_invoice() || matches!(last.state, TaxState::NotOwed) {
        return Ok(());
    }
    if last.state == TaxState::Gathered {
        // It is in no file yet, and never will be.
        let message = "The invoice was refused.".to_owned();
        let reason = TaxReason { message, ..TaxReason::default() };
        happened(tx, &last, TaxEvent::Overtaken, &reason, now)?;
        return Ok(tasks::drop_waiting(tx, TaskKind::Tax, &last.id)?);
    }
    let whose = (&last.organisation, last.party.as_str());
    // Whether there is anything to take back is seen when it is written.
    Ok(add(tx, invoice, whose, (last.place + 1, last.role, TaxAct::Disregard), now)?)
}

fn issue(issue: &IssueRecord) -> TaxIssue<'_> {
    let IssueRecord { reason, place, text } = issue;
    TaxIssue { reason: reason.as_deref(), place: place.as_deref(), text: text.as_deref() }
}
