//! A report is recorded with the end of its invoice: written already, where the one who ended the
//! invoice had it in hand, with the message that carries it; or as due, for a step of its own.

use jiff::Timestamp;
use quoin_delivery::tax::{TaxAct, TaxEvent, TaxReason, TaxRole, TaxState, news};
use quoin_delivery::{TaskKind, Transaction, ids};

use super::{TaxFacts, TaxOutcome, TaxReportRecord, add, files, steps};
use crate::blobs::Ready;
use crate::engine::json;
use crate::error::{Error, Fault};
use crate::fanout;
use crate::tasks;
use crate::timeline;
use crate::writer::Tx;

/// A report that may be owed about an invoice that comes to its end in this commit.
#[derive(Debug, Clone)]
pub struct TaxOwed {
    /// In which corner it is reported.
    pub role: TaxRole,
    /// What it is to the authority.
    pub act: TaxAct,
    /// What it came to; [`TaxOutcome::Nothing`] where a step of its own writes it.
    pub outcome: TaxOutcome,
    /// When to look at it again, once it is written.
    pub next: Option<Timestamp>,
}

impl TaxOwed {
    /// A report that a step of its own writes.
    pub fn later(role: TaxRole, act: TaxAct) -> TaxOwed {
        TaxOwed { role, act, outcome: TaxOutcome::Nothing, next: None }
    }

    /// The same of an invoice that turned out to be refused: nothing is told of it.
    pub(crate) fn of_refused(&self) -> TaxOwed {
        let why = "The provider of the receiver refused the invoice before.";
        let outcome = TaxOutcome::NothingOwed(why.to_owned());
        TaxOwed { role: self.role, act: self.act, outcome, next: None }
    }
}

/// The place of the first report about an invoice.
const FIRST: u32 = 1;

const RECORD: &str = "INSERT INTO tax_reports (id, transaction_id, place, organisation, party,
    role, act, state, country, regime, scope, authority, document_type, reporter, invoice_uuid,
    data_uuid, due_on, channel, code, reason, issues, messages, settled_on, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
    ?20, ?21, ?22, ?23, ?24, ?24) ON CONFLICT (transaction_id, place) DO NOTHING";

/// Records a report with the end of its invoice, unless one is on record. Answers the file to
/// discard after the commit, if any.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    invoice: &Transaction,
    owed: &TaxOwed,
    (message, now): (Option<Ready>, Timestamp),
) -> Result<Option<String>, Error> {
    let nothing = TaxReason::default();
    let because = |why: &String| TaxReason { message: why.clone(), ..TaxReason::default() };
    let none = TaxFacts::default();
    let (event, facts, reason) = match &owed.outcome {
        TaxOutcome::Unasked => return Ok(None),
        TaxOutcome::Nothing
        | TaxOutcome::Again(_)
        | TaxOutcome::Unanswered(_)
        | TaxOutcome::Filed(..)
        | TaxOutcome::Unfiled(..) => {
            let whose = (&invoice.organisation, invoice.party.as_str());
            add(tx, &invoice.id, whose, (FIRST, owed.role, owed.act), now)?;
            return Ok(message.and_then(Ready::into_file));
        }
        TaxOutcome::NothingOwed(why) => (TaxEvent::NothingOwed, &none, &because(why)),
        TaxOutcome::Unwritable(facts, reason) => (TaxEvent::Unwritable, facts, reason),
        TaxOutcome::Written(facts, _) => (TaxEvent::Written, facts, &nothing),
        TaxOutcome::Gathered(facts, _) => (TaxEvent::Gathered, facts, &nothing),
    };
    let report = TaxReportRecord {
        state: TaxState::Due.after(event).unwrap_or(TaxState::Due),
        facts: facts.clone(),
        reason: reason.clone(),
        messages: u32::from(event == TaxEvent::Written),
        ..fresh(invoice, owed, now)
    };
    if !put(tx, &report)? {
        return Ok(message.and_then(Ready::into_file));
    }
    if let TaxOutcome::Gathered(_, gathered) = &owed.outcome {
        files::keep(tx, &report.id, gathered)?;
    }
    let surplus = match (&owed.outcome, message) {
        (TaxOutcome::Written(_, new), Some(blob)) => {
            steps::put_message(tx, (new, blob), &[(&report.id, FIRST)], now)?
        }
        (_, message) => message.and_then(Ready::into_file),
    };
    let told = news(&report.subject(), report.state, reason, now);
    timeline::add(tx, &invoice.id, &[told.line])?;
    if let Some(notice) = &told.notice {
        fanout::add(tx, &report.event_subject(), notice, now)?;
    }
    if let Some(next) = owed.next {
        tasks::add(tx, TaskKind::Tax, &report.id, next, None)?;
    }
    Ok(surplus)
}

fn put(tx: &mut Tx<'_>, report: &TaxReportRecord) -> Result<bool, Fault> {
    let reason = &report.reason;
    let issues = json(&reason.findings)?;
    let settled = (report.state == TaxState::NotOwed).then_some(report.created_on);
    let whose = [
        (&report.id).into(),
        report.transaction.as_str().into(),
        report.place.into(),
        report.organisation.as_str().into(),
        (&report.party).into(),
        report.role.as_str().into(),
        report.act.as_str().into(),
        report.state.as_str().into(),
    ];
    let stands = [
        reason.code.as_ref().into(),
        (&reason.message).into(),
        (&issues).into(),
        report.messages.into(),
        settled.into(),
        report.created_on.into(),
    ];
    let row = [whose.as_slice(), &steps::of_facts(&report.facts), &stands].concat();
    Ok(tx.execute(RECORD, &row)? > 0)
}

fn fresh(invoice: &Transaction, owed: &TaxOwed, now: Timestamp) -> TaxReportRecord {
    TaxReportRecord {
        id: ids::tax_report_id(&invoice.id, FIRST).to_string(),
        transaction: invoice.id.clone(),
        invoice: invoice.document_id.clone(),
        number: invoice.number.clone(),
        direction: invoice.direction,
        place: FIRST,
        organisation: invoice.organisation.clone(),
        party: invoice.party.clone(),
        role: owed.role,
        act: owed.act,
        state: TaxState::Due,
        facts: TaxFacts::default(),
        reason: TaxReason::default(),
        gathered: None,
        messages: 0,
        warned_on: None,
        breached_on: None,
        left_on: None,
        settled_on: None,
        created_on: now,
        changed_on: now,
        row: 0,
    }
}
