//! Reports to tax authorities about invoices: what is owed, what was written, in which messages it
//! travelled, and what the authority said.
//!
//! A report is recorded in the commit in which its invoice is delivered or arrives: written, with
//! its message, or as due, which a step of its own writes then. The message goes out as any
//! document. What becomes of it, and what is answered to it, moves the report in the same commit.

mod again;
mod changes;
mod files;
mod listing;
mod messages;
mod owed;
mod steps;
mod switches;

use jiff::Timestamp;
use quoin_delivery::tax::{
    AskedReport, TaxAct, TaxEvent, TaxReason, TaxRole, TaxState, TaxSubject, news,
};
use quoin_delivery::{Direction, DocumentId, OrganisationId, TaskKind, TransactionId, ids};

use crate::engine::{Connection, SqlRow, json};
use crate::error::{Error, Fault};
use crate::events::EventSubject;
use crate::fanout;
use crate::open::Store;
use crate::tasks;
use crate::timeline;
use crate::writer::Tx;

pub use changes::TaxChange;
pub use listing::{TaxFilter, TaxPage, UnreportedCount};
pub(crate) use messages::{answered, answered_otherwise, invoice_refused, message_ended, told};
pub use owed::TaxOwed;
pub(crate) use owed::record;
pub use steps::{TaxOutcome, TaxStep};

/// What was chosen for a report, and what it says beside the invoice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaxFacts {
    /// The country that gave the VAT number under which it is reported (ISO 3166-1).
    pub country: Option<String>,
    /// By which text.
    pub regime: Option<String>,
    /// How far the transaction reaches, in the words of the regime.
    pub scope: Option<String>,
    /// The participant identifier of the authority's provider, `scheme:identifier`.
    pub authority: Option<String>,
    /// The document type of the report, `scheme::value`.
    pub document_type: Option<String>,
    /// The participant that reports, `scheme:identifier`: corner 1 or corner 4.
    pub reporter: Option<String>,
    /// The UUID of the invoice (TDT-017): the same in each report about it.
    pub invoice_uuid: Option<String>,
    /// The UUID of the report (TDT-003).
    pub data_uuid: Option<String>,
    /// Until when the authority has to have it.
    pub due_on: Option<Timestamp>,
    /// The id of the hook by which it goes to a platform; none where it goes over the network.
    pub channel: Option<String>,
}

/// What waits for the file of a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxGathered {
    /// Who declares: those of one declarant are in one file.
    pub declarant: String,
    /// When the file is written.
    pub until: Timestamp,
    /// What is told of the invoice, as JSON.
    pub told: String,
}

/// What is on record about a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxReportRecord {
    /// Its id, a UUID.
    pub id: String,
    /// The invoice.
    pub transaction: TransactionId,
    /// The id by which the tenant knows the invoice.
    pub invoice: DocumentId,
    /// The number of the invoice, where known.
    pub number: Option<String>,
    /// Which way the invoice went.
    pub direction: Direction,
    /// Its place among the reports about the invoice, from 1.
    pub place: u32,
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party.
    pub party: String,
    /// In which corner it is reported.
    pub role: TaxRole,
    /// What it is to the authority.
    pub act: TaxAct,
    /// Where it is.
    pub state: TaxState,
    /// What was chosen for it.
    pub facts: TaxFacts,
    /// Why it is where it is.
    pub reason: TaxReason,
    /// What of it waits, or waited, for the file of its period.
    pub gathered: Option<TaxGathered>,
    /// Messages that carried it so far.
    pub messages: u32,
    /// When it was warned that its term is near.
    pub warned_on: Option<Timestamp>,
    /// When it was told that its term is over.
    pub breached_on: Option<Timestamp>,
    /// When the access point of the authority took its last message.
    pub left_on: Option<Timestamp>,
    /// When nothing was to be done about it any more.
    pub settled_on: Option<Timestamp>,
    /// When it was recorded.
    pub created_on: Timestamp,
    /// When it changed last.
    pub changed_on: Timestamp,
    /// Which of those of the same instant was recorded first.
    pub row: i64,
}

/// The columns of a report, with those of its invoice.
macro_rules! reports {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.transaction_id, t.document_id, t.number, t.direction, r.place, ",
            "r.organisation, r.party, r.role, r.act, r.state, r.country, r.regime, r.scope, ",
            "r.authority, r.document_type, r.reporter, r.invoice_uuid, r.data_uuid, r.due_on, ",
            "r.code, r.reason, r.issues, r.gathered, r.declarant, r.gathered_until, r.channel, ",
            "r.messages, r.warned_on, r.breached_on, r.left_on, ",
            "r.settled_on, r.created_on, r.changed_on, r.rowid ",
            "FROM tax_reports r JOIN transactions t ON t.id = r.transaction_id ",
            $rest
        )
    };
}
pub(crate) use reports;

const OPEN: &str = "INSERT INTO tax_reports (id, transaction_id, place, organisation, party, role,
    act, state, reason, issues, messages, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'due', '', '[]', 0, ?8, ?8)
    ON CONFLICT (transaction_id, place) DO NOTHING";
const GET: &str = reports!("WHERE r.id = ?1");
const OF: &str = reports!("WHERE r.transaction_id = ?1 ORDER BY r.place");
const LAST: &str = reports!("WHERE r.transaction_id = ?1 ORDER BY r.place DESC LIMIT 1");
const CARRIED: &str =
    reports!("JOIN tax_messages m ON m.report = r.id WHERE m.message = ?1 ORDER BY r.rowid");
const MOVE: &str = "UPDATE tax_reports SET state = ?2, code = ?3, reason = ?4, issues = ?5,
    changed_on = ?6, settled_on = ?7 WHERE id = ?1";

pub(crate) fn read(mut row: SqlRow) -> Result<TaxReportRecord, Fault> {
    let id = row.text("tax_reports.id")?;
    let transaction = row.parsed("tax_reports.transaction_id")?;
    let invoice = row.parsed("transactions.document_id")?;
    let number = row.text_or_none("transactions.number")?;
    let direction = row.word("transactions.direction", Direction::named)?;
    let place = row.count("tax_reports.place")?;
    let organisation = row.parsed("tax_reports.organisation")?;
    let party = row.text("tax_reports.party")?;
    let role = row.word("tax_reports.role", TaxRole::named)?;
    let act = row.word("tax_reports.act", TaxAct::named)?;
    let state = row.word("tax_reports.state", TaxState::named)?;
    let [country, regime, scope, authority] = row.texts([
        "tax_reports.country",
        "tax_reports.regime",
        "tax_reports.scope",
        "tax_reports.authority",
    ])?;
    let [document_type, reporter, invoice_uuid, data_uuid] = row.texts([
        "tax_reports.document_type",
        "tax_reports.reporter",
        "tax_reports.invoice_uuid",
        "tax_reports.data_uuid",
    ])?;
    let due_on = row.time_or_none("tax_reports.due_on")?;
    let reason = TaxReason {
        code: row.text_or_none("tax_reports.code")?,
        message: row.text("tax_reports.reason")?,
        findings: row.json("tax_reports.issues")?,
    };
    let gathered = waiting(&mut row)?;
    Ok(TaxReportRecord {
        id,
        transaction,
        invoice,
        number,
        direction,
        place,
        organisation,
        party,
        role,
        act,
        state,
        facts: TaxFacts {
            country,
            regime,
            scope,
            authority,
            document_type,
            reporter,
            invoice_uuid,
            data_uuid,
            due_on,
            channel: row.text_or_none("tax_reports.channel")?,
        },
        reason,
        gathered,
        messages: row.count("tax_reports.messages")?,
        warned_on: row.time_or_none("tax_reports.warned_on")?,
        breached_on: row.time_or_none("tax_reports.breached_on")?,
        left_on: row.time_or_none("tax_reports.left_on")?,
        settled_on: row.time_or_none("tax_reports.settled_on")?,
        created_on: row.time("tax_reports.created_on")?,
        changed_on: row.time("tax_reports.changed_on")?,
        row: row.integer("tax_reports.rowid")?,
    })
}

fn waiting(row: &mut SqlRow) -> Result<Option<TaxGathered>, Fault> {
    let told = row.text_or_none("tax_reports.gathered")?;
    let declarant = row.text_or_none("tax_reports.declarant")?;
    let until = row.time_or_none("tax_reports.gathered_until")?;
    let all = told.zip(declarant).zip(until);
    Ok(all.map(|((told, declarant), until)| TaxGathered { declarant, until, told }))
}

impl TaxReportRecord {
    /// As events and timelines tell of it.
    pub fn subject(&self) -> TaxSubject {
        let facts = &self.facts;
        TaxSubject {
            id: self.id.clone(),
            invoice: self.invoice.clone(),
            role: self.role,
            act: self.act,
            country: facts.country.clone(),
            regime: facts.regime.clone(),
            authority: facts.authority.clone(),
            data_uuid: facts.data_uuid.clone(),
            due_on: facts.due_on,
            channel: facts.channel.clone(),
        }
    }

    /// What people may ask of it depends on this.
    pub fn asked(&self) -> AskedReport {
        AskedReport {
            act: self.act,
            state: self.state,
            messages: self.messages,
            // Of one that is sent, nothing else is recorded as its reason.
            told_unanswered: !self.reason.message.is_empty(),
        }
    }

    fn event_subject(&self) -> EventSubject {
        EventSubject {
            organisation: self.organisation.clone(),
            party: self.party.clone(),
            transaction: Some(self.transaction.clone()),
            document_id: self.invoice.clone(),
            origin: None,
            depth: 0,
        }
    }
}

/// Records a report that is to be written. One at the same place stays as it is.
fn add(
    tx: &mut Tx<'_>,
    invoice: &TransactionId,
    (organisation, party): (&OrganisationId, &str),
    (place, role, act): (u32, TaxRole, TaxAct),
    now: Timestamp,
) -> Result<(), Fault> {
    let id = ids::tax_report_id(invoice, place).to_string();
    let row = [
        (&id).into(),
        invoice.as_str().into(),
        place.into(),
        organisation.as_str().into(),
        party.into(),
        role.as_str().into(),
        act.as_str().into(),
        now.into(),
    ];
    if tx.execute(OPEN, &row)? > 0 {
        tasks::ensure_now(tx, TaskKind::Tax, &id, now)?;
    }
    Ok(())
}

pub(crate) fn find(db: &mut dyn Connection, id: &str) -> Result<Option<TaxReportRecord>, Fault> {
    db.first(GET, &[id.into()])?.map(read).transpose()
}

fn last_of(
    db: &mut dyn Connection,
    invoice: &TransactionId,
) -> Result<Option<TaxReportRecord>, Fault> {
    db.first(LAST, &[invoice.as_str().into()])?.map(read).transpose()
}

/// Every report that a message carries: those of a file.
fn all_carried_by(
    db: &mut dyn Connection,
    message: &TransactionId,
) -> Result<Vec<TaxReportRecord>, Fault> {
    db.query(CARRIED, &[message.as_str().into()])?.into_iter().map(read).collect()
}

fn carried_by(
    db: &mut dyn Connection,
    message: &TransactionId,
) -> Result<Option<TaxReportRecord>, Fault> {
    db.first(CARRIED, &[message.as_str().into()])?.map(read).transpose()
}

/// Moves a report by what happened to it, and tells of it. Answers whether anything changed.
fn happened(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    event: TaxEvent,
    reason: &TaxReason,
    now: Timestamp,
) -> Result<bool, Error> {
    let Some(state) = report.state.after(event) else { return Ok(false) };
    let issues = json(&reason.findings)?;
    let settled = match state {
        TaxState::Accepted | TaxState::NotOwed | TaxState::Replaced => Some(now),
        _ => None,
    };
    let row = [
        (&report.id).into(),
        state.as_str().into(),
        reason.code.as_ref().into(),
        (&reason.message).into(),
        (&issues).into(),
        now.into(),
        settled.into(),
    ];
    tx.execute(MOVE, &row)?;
    let told = news(&report.subject(), state, reason, now);
    timeline::add(tx, &report.transaction, &[told.line])?;
    if let Some(notice) = &told.notice {
        fanout::add(tx, &report.event_subject(), notice, now)?;
    }
    Ok(true)
}

impl Store {
    /// The reports about an invoice, in their order.
    pub async fn tax_reports_of(
        &self,
        invoice: &TransactionId,
    ) -> Result<Vec<TaxReportRecord>, Error> {
        let id = invoice.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[id.as_str().into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// A report of an organisation by its id.
    pub async fn tax_report(
        &self,
        organisation: &OrganisationId,
        id: &str,
    ) -> Result<Option<TaxReportRecord>, Error> {
        let (organisation, id) = (organisation.clone(), id.to_owned());
        self.read(move |db| Ok(find(db, &id)?.filter(|found| found.organisation == organisation)))
            .await
    }

    /// The report that a message carries, if it carries one.
    pub async fn tax_report_carried_by(
        &self,
        message: &TransactionId,
    ) -> Result<Option<TaxReportRecord>, Error> {
        let id = message.clone();
        self.read(move |db| Ok(carried_by(db, &id)?)).await
    }
}
