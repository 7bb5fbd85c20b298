//! Statistics reports: which are planned, which documents carried them, and how far those are.

use jiff::Timestamp;
use quoin_delivery::reporting::{Month, ReportKind, ReportProgress, Todo};
use quoin_delivery::{Notice, Status, TaskKind, TransactionId};

use crate::blobs::Ready;
use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::events::EventSubject;
use crate::fanout;
use crate::open::Store;
use crate::submit::{self, NewOutgoing};
use crate::tasks::{self, Claim};
use crate::transactions::{self, SubmitOptions, TransactionRecord};
use crate::writer::Tx;

/// Months before the present one that are planned after the fact, at most.
const MOST_BEHIND: usize = 12;

/// A report by month and kind, the subject of its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportKey {
    /// Which month it covers.
    pub month: Month,
    /// Which report.
    pub kind: ReportKind,
}

impl ReportKey {
    /// Kind and month as one word, as tasks and alarms name it.
    pub fn subject(self) -> String {
        format!("{} {}", self.kind.as_str(), self.month)
    }

    /// What a task or an alarm names.
    pub fn of_subject(subject: &str) -> Option<ReportKey> {
        let (kind, month) = subject.split_once(' ')?;
        Some(ReportKey { month: month.parse().ok()?, kind: ReportKind::named(kind)? })
    }
}

/// What is on record about a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRecord {
    /// Which one.
    pub key: ReportKey,
    /// The last document that was made.
    pub document: Option<TransactionRecord>,
    /// How often it was made.
    pub made: u32,
    /// How far it is.
    pub progress: ReportProgress,
}

/// A report as a document that is to be sent.
#[derive(Debug, Clone)]
pub struct ReportDocument {
    /// The document.
    pub document: NewOutgoing,
    /// Who sends and who receives it.
    pub wishes: SubmitOptions,
}

/// What a look at a report came to.
#[derive(Debug, Clone)]
pub struct ReportStep {
    /// The claim under which it was done; none where a person asked for it.
    pub claim: Option<Claim>,
    /// Which report.
    pub key: ReportKey,
    /// A document that was made.
    pub made: Option<ReportDocument>,
    /// Whether the alarm before the deadline was raised.
    pub warned: bool,
    /// Whether the missed deadline was told.
    pub missed: bool,
    /// What hooks of the provider are told.
    pub notices: Vec<(EventSubject, Notice)>,
    /// When to look again.
    pub next: Option<Timestamp>,
    /// When.
    pub now: Timestamp,
}

const PLAN: &str = "INSERT INTO reports (month, kind, created_on) VALUES (?1, ?2, ?3)
    ON CONFLICT (month, kind) DO NOTHING";
const LAST: &str = "SELECT max(month) FROM reports WHERE month <= ?1";
const GET: &str = "SELECT month, kind, warned_on IS NOT NULL, missed_on IS NOT NULL
    FROM reports WHERE month = ?1 AND kind = ?2";
const BETWEEN: &str = "SELECT month, kind, warned_on IS NOT NULL, missed_on IS NOT NULL
    FROM reports WHERE month >= ?1 AND month <= ?2 ORDER BY month DESC, kind DESC";
/// Those that nothing is due for.
const UNTENDED: &str = "SELECT month, kind, warned_on IS NOT NULL, missed_on IS NOT NULL
    FROM reports r WHERE month >= ?1 AND month <= ?2 AND NOT EXISTS
    (SELECT 1 FROM tasks t WHERE t.subject = r.kind || ' ' || r.month AND t.kind = 'report')";
const DOCUMENTS: &str = "SELECT transaction_id, made_on FROM report_documents
    WHERE month = ?1 AND kind = ?2 ORDER BY made_on DESC, transaction_id DESC";
const CARRIED: &str = "SELECT month, kind FROM report_documents WHERE transaction_id = ?1";
const MADE: &str = "INSERT INTO report_documents (transaction_id, month, kind, made_on)
    VALUES (?1, ?2, ?3, ?4)";
const WARNED: &str = "UPDATE reports SET warned_on = ?3 WHERE month = ?1 AND kind = ?2";
const MISSED: &str = "UPDATE reports SET missed_on = ?3 WHERE month = ?1 AND kind = ?2";

/// Plans the reports about the month that runs, and about those since the last that is planned: a
/// month in which the service did not run is reported too, and said to be missed where it is.
fn plan_until(tx: &mut Tx<'_>, now: Timestamp) -> Result<(), Fault> {
    let present = Month::of(now);
    let last = tx.first(LAST, &[(&present.to_string()).into()])?;
    let last = last.map_or(Ok(None), |mut row| row.text_or_none("reports.month"))?;
    let last = last.and_then(|text| text.parse::<Month>().ok()).unwrap_or(present);
    let mut month = present;
    for _ in 0..=MOST_BEHIND {
        plan(tx, month, now)?;
        month = month.previous();
        if month <= last {
            break;
        }
    }
    Ok(())
}

/// Takes up the reports that are not settled and that nobody looks at: they fell due while reports
/// were switched off.
fn take_up(tx: &mut Tx<'_>, now: Timestamp) -> Result<(), Fault> {
    let present = Month::of(now);
    let first = (0..MOST_BEHIND).fold(present, |month, _| month.previous());
    let between = [first.to_string(), present.to_string()];
    for row in tx.query(UNTENDED, &[(&between[0]).into(), (&between[1]).into()])? {
        let report = read(tx.connection(), row)?;
        if report.progress.todo(now) != Todo::Close {
            tasks::add(tx, TaskKind::Report, &report.key.subject(), now, None)?;
        }
    }
    Ok(())
}

fn plan(tx: &mut Tx<'_>, month: Month, now: Timestamp) -> Result<(), Fault> {
    for kind in ReportKind::ALL {
        let text = month.to_string();
        if tx.execute(PLAN, &[(&text).into(), kind.as_str().into(), now.into()])? > 0 {
            let subject = ReportKey { month, kind }.subject();
            tasks::ensure(tx, TaskKind::Report, &subject, now)?;
        }
    }
    Ok(())
}

fn read(db: &mut dyn Connection, mut row: SqlRow) -> Result<ReportRecord, Fault> {
    let month: Month = row.parsed("reports.month")?;
    let kind = row.word("reports.kind", ReportKind::named)?;
    let is_warned = row.yes("reports.warned_on")?;
    let is_missed = row.yes("reports.missed_on")?;
    let key = ReportKey { month, kind };
    let text = month.to_string();
    let mut documents: Vec<(TransactionRecord, Timestamp)> = Vec::new();
    for mut row in db.query(DOCUMENTS, &[(&text).into(), kind.as_str().into()])? {
        let id = row.text("report_documents.transaction_id")?;
        let made_on = row.time("report_documents.made_on")?;
        documents.extend(transactions::find(db, &id)?.map(|record| (record, made_on)));
    }
    let taken = |(record, _): &(TransactionRecord, Timestamp)| {
        record.transaction.status == Status::Delivered
    };
    let is_taken = documents.iter().any(taken);
    let made = u32::try_from(documents.len()).unwrap_or(u32::MAX);
    let last = documents.into_iter().next();
    let progress = ReportProgress {
        month,
        made: last.as_ref().map(|(record, made_on)| (record.transaction.status, *made_on)),
        is_taken,
        is_warned,
        is_missed,
    };
    Ok(ReportRecord { key, document: last.map(|(record, _)| record), made, progress })
}

fn find(db: &mut dyn Connection, key: ReportKey) -> Result<Option<ReportRecord>, Fault> {
    let month = key.month.to_string();
    let row = db.first(GET, &[(&month).into(), key.kind.as_str().into()])?;
    row.map(|row| read(db, row)).transpose()
}

/// The report that a task is about.
pub(crate) fn of_subject(
    db: &mut dyn Connection,
    subject: &str,
) -> Result<Option<ReportRecord>, Fault> {
    ReportKey::of_subject(subject).map_or(Ok(None), |key| find(db, key))
}

fn commit(tx: &mut Tx<'_>, step: ReportStep, blob: Option<Ready>) -> Result<Option<String>, Error> {
    let ReportStep { key, now, .. } = step;
    if let Some(claim) = &step.claim {
        tasks::finish(tx, claim)?;
    }
    let month = key.month.to_string();
    let named = [(&month).into(), key.kind.as_str().into(), now.into()];
    tx.execute(PLAN, &named)?;
    let mut surplus = None;
    if let (Some(made), Some(blob)) = (&step.made, blob) {
        let document = submit::outgoing(&made.document, blob).with(made.wishes.clone());
        let id: TransactionId = document.id().clone();
        surplus = submit::add_outgoing(tx, document)?;
        let row = [id.as_str().into(), (&month).into(), key.kind.as_str().into(), now.into()];
        tx.execute(MADE, &row)?;
    }
    for (sql, done) in [(WARNED, step.warned), (MISSED, step.missed)] {
        if done {
            let named = [(&month).into(), key.kind.as_str().into(), now.into()];
            tx.execute(sql, &named)?;
        }
    }
    for (subject, notice) in &step.notices {
        fanout::add(tx, subject, notice, now)?;
    }
    if let Some(next) = step.next {
        tasks::ensure(tx, TaskKind::Report, &key.subject(), next)?;
    }
    // The month that runs now is planned by the step of the one before it.
    if key.month < Month::of(now) {
        plan_until(tx, now)?;
    }
    Ok(surplus)
}

impl Store {
    /// Plans the reports about the month that runs and about those before it that were left out,
    /// unless they are planned. What was planned and fell due while no reports were made is made
    /// now, or said to be missed.
    pub async fn plan_reports(&self, now: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            plan_until(tx, now)?;
            Ok(take_up(tx, now)?)
        })
        .await
    }

    /// A report, if it is planned or was made.
    pub async fn report(&self, key: ReportKey) -> Result<Option<ReportRecord>, Error> {
        self.read(move |db| Ok(find(db, key)?)).await
    }

    /// The report that a document carries, if it carries one.
    pub async fn report_carried_by(&self, id: &TransactionId) -> Result<Option<ReportKey>, Error> {
        let id = id.clone();
        self.read(move |db| {
            let row = db.first(CARRIED, &[id.as_str().into()])?;
            let read = |mut row: SqlRow| {
                let month: Month = row.parsed("report_documents.month")?;
                let kind = row.word("report_documents.kind", ReportKind::named)?;
                Ok(ReportKey { month, kind })
            };
            row.map(read).transpose()
        })
        .await
    }

    /// The reports about these months, both included, the newest month first.
    pub async fn reports(&self, (from, to): (Month, Month)) -> Result<Vec<ReportRecord>, Error> {
        self.read(move |db| {
            let (from, to) = (from.to_string(), to.to_string());
            let rows = db.query(BETWEEN, &[(&from).into(), (&to).into()])?;
            Ok(rows.into_iter().map(|row| read(db, row)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Records what a look at a report came to.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn commit_report(&self, step: ReportStep) -> Result<(), Error> {
        let blob = match &step.made {
            Some(made) => {
                let (owner, content) = (&made.document.organisation, &made.document.content);
                Some(self.blobs.ready(owner, content.clone()).await?)
            }
            None => None,
        };
        let file = blob.as_ref().and_then(Ready::file).into_iter().collect();
        let surplus = self.write_files(file, move |tx| commit(tx, step, blob)).await?;
        self.blobs.discard(surplus).await;
        Ok(())
    }
}
