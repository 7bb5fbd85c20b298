//! Reports of files that were given up, going again: the file of the one that was asked for at
//! once, and the other files of its period a piece a commit, so that a period with many of them
//! keeps nobody waiting.

use jiff::Timestamp;
use quoin_delivery::TaskKind;
use quoin_delivery::tax::{TaxEvent, TaxReason};

use super::{TaxGathered, TaxReportRecord, find, happened, last_of, read, reports};
use crate::engine::Param;
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// Reports that go again in one commit: as many as a file tells.
const PIECE: usize = 500;

/// Those that were told in the same file as a report, last.
const OF_FILE: &str = reports!(
    "JOIN tax_messages m ON m.report = r.id WHERE m.message = (SELECT message FROM tax_messages
     WHERE report = ?1 ORDER BY turn DESC LIMIT 1) AND r.state = 'failed'
     ORDER BY r.created_on, r.rowid LIMIT ?2"
);
const OF_PERIOD: &str = reports!(
    "WHERE r.organisation = ?1 AND r.party = ?2 AND r.state = 'failed' AND r.declarant = ?3
     AND r.gathered_until = ?4 AND (r.created_on, r.rowid) > (?5, ?6)
     ORDER BY r.created_on, r.rowid LIMIT ?7"
);

/// A place in the order of the reports of a period: when the last one that was looked at was
/// recorded, in microseconds, and its row.
type Reached = (i64, i64);

/// Before all of them.
const BEGIN: Reached = (i64::MIN, i64::MIN);

/// What goes on with the rest of a period.
fn subject(report: &TaxReportRecord, (created_on, row): Reached) -> String {
    format!("{} {created_on} {row}", report.id)
}

fn of_subject(subject: &str) -> Option<(&str, Reached)> {
    let mut parts = subject.splitn(3, ' ');
    let report = parts.next()?;
    Some((report, (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?)))
}

/// Those of the period of a report that were given up, after a place, so many at most.
fn of_period(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    (after, most): (Reached, usize),
) -> Result<Vec<TaxReportRecord>, Fault> {
    let Some(TaxGathered { declarant, until, .. }) = &report.gathered else {
        return Ok(Vec::new());
    };
    let key: [Param<'_>; 7] = [
        report.organisation.as_str().into(),
        (&report.party).into(),
        declarant.into(),
        (*until).into(),
        after.0.into(),
        after.1.into(),
        i64::try_from(most).unwrap_or(i64::MAX).into(),
    ];
    tx.query(OF_PERIOD, &key)?.into_iter().map(read).collect()
}

/// Has one go again.
fn go(tx: &mut Tx<'_>, report: &TaxReportRecord, now: Timestamp) -> Result<(), Error> {
    let message = "All that was given up with its file goes again.".to_owned();
    let reason = TaxReason { message, ..TaxReason::default() };
    // What was refused meanwhile stays where it is: nothing is told of it.
    let last = last_of(tx.connection(), &report.transaction)?;
    if last.is_some_and(|last| last.id == report.id) {
        happened(tx, report, TaxEvent::Gathered, &reason, now)?;
        tasks::ensure_now(tx, TaskKind::Tax, &report.id, now)?;
    }
    Ok(())
}

/// Has so many go again of the period of a report, from a place on: each once, also where one is
/// given up anew meanwhile. A task goes on where there may be more.
fn piece(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    (after, most): (Reached, usize),
    now: Timestamp,
) -> Result<(), Error> {
    let members = of_period(tx, report, (after, most))?;
    for member in &members {
        go(tx, member, now)?;
    }
    match members.get(most.saturating_sub(1)) {
        Some(last) => later(tx, report, (last.created_on.as_microsecond(), last.row), now),
        None => Ok(()),
    }
}

fn later(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    after: Reached,
    now: Timestamp,
) -> Result<(), Error> {
    Ok(tasks::ensure_now(tx, TaskKind::Regather, &subject(report, after), now)?)
}

/// Has everything go again that was given up for the same period as a report: what was told
/// together is told together, by the same identifiers. Its own file goes at once, the others a
/// piece a commit. Answers whether the report is one of a file.
pub(super) fn again(
    tx: &mut Tx<'_>,
    report: &TaxReportRecord,
    now: Timestamp,
) -> Result<bool, Error> {
    if report.gathered.is_none() {
        return Ok(false);
    }
    let most = i64::try_from(PIECE).unwrap_or(i64::MAX);
    let file = tx.query(OF_FILE, &[(&report.id).into(), most.into()])?;
    let file = file.into_iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
    go(tx, report, now)?;
    if file.is_empty() {
        // It was never written: nobody knows it by an identifier.
        piece(tx, report, (BEGIN, PIECE - 1), now)?;
        return Ok(true);
    }
    for member in file.iter().filter(|member| member.id != report.id) {
        go(tx, member, now)?;
    }
    if !of_period(tx, report, (BEGIN, 1))?.is_empty() {
        later(tx, report, BEGIN, now)?;
    }
    Ok(true)
}

impl Store {
    /// Has the next reports of a period go again that were given up.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn regather(&self, claim: Claim, now: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            if let Some((id, after)) = of_subject(&claim.subject)
                && let Some(report) = find(tx.connection(), id)?
            {
                piece(tx, &report, (after, PIECE), now)?;
            }
            tasks::finish(tx, &claim)
        })
        .await
    }
}
