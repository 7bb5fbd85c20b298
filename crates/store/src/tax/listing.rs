//! Lists of reports, in pages, and how many are unreported.

use jiff::Timestamp;
use quoin_delivery::tax::{TaxRole, TaxState};
use quoin_delivery::{Direction, OrganisationId};

use super::{TaxReportRecord, read, reports};
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault, Refusal, cut};
use crate::listing::PAGE_LIMIT;
use crate::open::Store;

/// Which reports to list, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxFilter {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party.
    pub party: String,
    /// About invoices that went one of these ways only; empty for any.
    pub directions: Vec<Direction>,
    /// In one of these states only; empty for any.
    pub states: Vec<TaxState>,
    /// Due before this time only.
    pub due_before: Option<Timestamp>,
    /// Items in a page: 1 to 500.
    pub limit: usize,
    /// Continue after the page that gave this token.
    pub continuation: Option<String>,
}

/// A page of reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxPage {
    /// The reports, oldest first.
    pub items: Vec<TaxReportRecord>,
    /// Where to go on; none at the end.
    pub continuation: Option<String>,
}

/// Reports in a state that no authority has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreportedCount {
    /// The state.
    pub state: TaxState,
    /// How many there are.
    pub reports: u64,
    /// The earliest term of them, where they have one.
    pub due_on: Option<Timestamp>,
}

const ALL: &str = reports!(
    "WHERE r.organisation = ?1 AND r.party = ?2 AND (r.created_on, r.rowid) > (?3, ?4)
     AND (?5 IS NULL OR r.due_on < ?5) AND (?7 IS NULL OR r.role = ?7)
     ORDER BY r.created_on, r.rowid LIMIT ?6"
);
const IN_STATE: &str = reports!(
    "WHERE r.organisation = ?1 AND r.party = ?2 AND r.state = ?8
     AND (r.created_on, r.rowid) > (?3, ?4) AND (?5 IS NULL OR r.due_on < ?5)
     AND (?7 IS NULL OR r.role = ?7)
     ORDER BY r.created_on, r.rowid LIMIT ?6"
);
const PLACE: &str = "SELECT created_on, rowid FROM tax_reports WHERE id = ?1 AND organisation = ?2";
/// By the index of what is open, whose states these are.
const UNREPORTED: &str = "SELECT count(*), min(due_on) FROM tax_reports WHERE state = ?1
    AND state IN ('due', 'gathered', 'sending', 'sent', 'rejected', 'failed')";

/// Where a report stands. Tokens name the report, since rows of all organisations are counted
/// together.
fn place(
    db: &mut dyn Connection,
    id: &str,
    organisation: &OrganisationId,
) -> Result<Option<(i64, i64)>, Fault> {
    let found = db.first(PLACE, &[id.into(), organisation.as_str().into()])?;
    let read = |mut row: SqlRow| {
        Ok((row.integer("tax_reports.created_on")?, row.integer("tax_reports.rowid")?))
    };
    found.map(read).transpose()
}

fn list(db: &mut dyn Connection, filter: &TaxFilter) -> Result<TaxPage, Error> {
    let limit = filter.limit.clamp(1, PAGE_LIMIT);
    let owner = &filter.organisation;
    let (on, row) = match &filter.continuation {
        None => (i64::MIN, 0),
        Some(token) => {
            place(db, token, owner)?.ok_or_else(|| Refusal::Continuation { found: cut(token) })?
        }
    };
    let most = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    // Each role is of one direction.
    let role = match filter.directions[..] {
        [Direction::Outgoing] => Some(TaxRole::Sender.as_str()),
        [Direction::Incoming] => Some(TaxRole::Receiver.as_str()),
        _ => None,
    };
    let key = |state: Option<TaxState>| {
        let mut key: Vec<Param<'_>> = vec![
            filter.organisation.as_str().into(),
            (&filter.party).into(),
            on.into(),
            row.into(),
            filter.due_before.into(),
            most.into(),
            role.into(),
        ];
        key.extend(state.map(|state| Param::from(state.as_str())));
        key
    };
    let mut found = Vec::new();
    if filter.states.is_empty() {
        found.extend(db.query(ALL, &key(None))?);
    }
    for state in &filter.states {
        found.extend(db.query(IN_STATE, &key(Some(*state)))?);
    }
    let mut items = found.into_iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
    items.sort_by_key(|item| (item.created_on, item.row));
    items.dedup_by_key(|item| item.row);
    let more = items.len() > limit;
    items.truncate(limit);
    let continuation = items.last().filter(|_| more).map(|item| item.id.clone());
    Ok(TaxPage { items, continuation })
}

impl Store {
    /// A page of reports.
    ///
    /// Errors: [`Refusal::Continuation`] for a token that no page gave.
    pub async fn tax_reports(&self, filter: TaxFilter) -> Result<TaxPage, Error> {
        self.browse(move |db| list(db, &filter)).await
    }

    /// How many reports no authority has taken, of all organisations, by state.
    pub async fn unreported(&self) -> Result<Vec<UnreportedCount>, Error> {
        self.browse(move |db| {
            let mut all = Vec::new();
            for state in TaxState::ALL.into_iter().filter(|state| state.is_unreported()) {
                let Some(mut row) = db.first(UNREPORTED, &[state.as_str().into()])? else {
                    continue;
                };
                let reports = row.count("tax_reports.count")?;
                let due_on = row.time_or_none("tax_reports.due_on")?;
                all.push(UnreportedCount { state, reports, due_on });
            }
            Ok(all)
        })
        .await
    }
}
