//! Lists of documents by status, period and party, in pages. A page's continuation token names the
//! place after its last item, so that what arrives meanwhile is neither lost nor repeated.
//!
//! What is asked decides which index leads to the answer: [`ListSource`] has one statement for
//! each, which begins where the page begins and ends with it. Whatever else is asked is looked at
//! on the way. Lists over several parties, families or statuses are merged from those of each of
//! them.

use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use quoin_delivery::topics::FAMILIES;
use quoin_delivery::{Direction, Family, OrganisationId, Status};

use crate::engine::Connection;
use crate::error::{Error, Fault, Refusal, cut};
use crate::open::Store;
use crate::transactions::{TransactionRecord, columns, read};

/// Items in one page, at most.
pub const PAGE_LIMIT: usize = 500;

/// Which documents to list, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFilter {
    /// The tenant.
    pub organisation: OrganisationId,
    /// Which way they go.
    pub direction: Direction,
    /// Of this party only, `scheme:identifier`.
    pub party: Option<String>,
    /// In one of these statuses only; empty for any.
    pub statuses: Vec<Status>,
    /// Recorded at or after this time.
    pub from: Option<Timestamp>,
    /// Recorded before this time.
    pub until: Option<Timestamp>,
    /// Of this family only.
    pub family: Option<Family>,
    /// Without document types whose names hold this.
    pub without: Option<&'static str>,
    /// With this party at the other end, `scheme:identifier`.
    pub counterparty: Option<String>,
    /// With this number of its own.
    pub number: Option<String>,
    /// Only what was not downloaded yet and can be.
    pub not_downloaded: bool,
    /// Items in a page: 1 to 500.
    pub limit: usize,
    /// Continue after the page that gave this token.
    pub continuation: Option<String>,
}

impl ListFilter {
    /// Everything of an organisation in one direction, a hundred a page.
    pub fn new(organisation: OrganisationId, direction: Direction) -> ListFilter {
        ListFilter {
            organisation,
            direction,
            party: None,
            statuses: Vec::new(),
            from: None,
            until: None,
            family: None,
            without: None,
            counterparty: None,
            number: None,
            not_downloaded: false,
            limit: 100,
            continuation: None,
        }
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionPage {
    /// The items, oldest first. Deleted documents are not listed.
    pub items: Vec<TransactionRecord>,
    /// Where to go on; none at the end.
    pub continuation: Option<String>,
}

/// Where a list is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListSource {
    /// All documents of a party, direction and family.
    All,
    /// Those of a number.
    Number,
    /// Those with a party at the other end.
    Counterparty,
    /// Those that failed or were rejected.
    Failed,
    /// Those under way.
    UnderWay,
    /// Those that arrived and were not downloaded.
    Fresh,
}

/// A statement that finds the places of a page: `$index` by `$leads`, then what else is asked.
macro_rules! places {
    ($index:literal, $leads:literal) => {
        concat!(
            "SELECT created_on, rowid FROM transactions INDEXED BY ",
            $index,
            " WHERE organisation = ?1 AND party = ?2 AND direction = ?3 AND ",
            $leads,
            " AND (created_on, rowid) > (?4, ?5) AND created_on < ?6 AND deleted_on IS NULL
             AND (?9 IS NULL OR status = ?9)
             AND (?10 = 0 OR (downloaded_on IS NULL AND expired_on IS NULL))
             AND (?11 IS NULL OR number = ?11)
             AND (?12 IS NULL OR lower(CASE direction WHEN 'incoming' THEN sender ELSE receiver END)
                = lower(?12))
             AND (?13 IS NULL OR source_document_type IS NULL
                OR instr(source_document_type, ?13) = 0)
             ORDER BY created_on, rowid LIMIT ?7"
        )
    };
}

const ALL: &str = places!("transactions_listing", "family = ?8");
const NUMBER: &str = places!("transactions_number", "number = ?11 AND (?8 IS NULL OR family = ?8)");
const COUNTERPARTY: &str = places!(
    "transactions_counterparty",
    "lower(CASE direction WHEN 'incoming' THEN sender ELSE receiver END) = lower(?12)
     AND family = ?8"
);
const FAILED: &str = places!(
    "transactions_failed",
    "family = ?8 AND status = ?9 AND status IN ('Rejected', 'Failed')"
);
const UNDER_WAY: &str = places!(
    "transactions_under_way",
    "family = ?8 AND status = ?9 AND status NOT IN ('Delivered', 'Rejected', 'Failed')"
);
const FRESH: &str = places!(
    "transactions_fresh",
    "family = ?8 AND direction = 'incoming' AND downloaded_on IS NULL AND expired_on IS NULL"
);
const AT: &str = columns!("WHERE rowid = ?1");
const PLACE_OF: &str = "SELECT rowid FROM transactions WHERE id = ?1 AND organisation = ?2";
const NEXT_PARTY: &str = "SELECT party FROM transactions
    WHERE organisation = ?1 AND party > ?2 AND deleted_on IS NULL ORDER BY party LIMIT 1";

impl ListSource {
    /// The source that leads to the fewest documents that are not asked for.
    fn of(filter: &ListFilter, status: Option<Status>) -> ListSource {
        match status {
            _ if filter.number.is_some() => ListSource::Number,
            Some(Status::Rejected | Status::Failed) => ListSource::Failed,
            Some(status) if !status.is_final() => ListSource::UnderWay,
            _ if filter.not_downloaded && filter.direction == Direction::Incoming => {
                ListSource::Fresh
            }
            _ if filter.counterparty.is_some() => ListSource::Counterparty,
            _ => ListSource::All,
        }
    }

    fn statement(self) -> &'static str {
        match self {
            ListSource::All => ALL,
            ListSource::Number => NUMBER,
            ListSource::Counterparty => COUNTERPARTY,
            ListSource::Failed => FAILED,
            ListSource::UnderWay => UNDER_WAY,
            ListSource::Fresh => FRESH,
        }
    }

    /// The families that are asked for one after the other.
    fn families(self, filter: &ListFilter) -> Vec<Option<Family>> {
        match (self, filter.family) {
            (ListSource::Number, family) => vec![family],
            (_, Some(family)) => vec![Some(family)],
            (_, None) => FAMILIES.iter().map(|row| Some(row.family)).collect(),
        }
    }
}

/// A document's place in a list: its time, and its row.
type Place = (i64, i64);

/// A page while it is read.
struct PageScan<'p> {
    filter: &'p ListFilter,
    after: Place,
    until: i64,
    /// Places to find at most.
    most: i64,
}

impl PageScan<'_> {
    fn find(
        &self,
        db: &mut dyn Connection,
        (party, status): (&str, Option<Status>),
        found: &mut Vec<Place>,
    ) -> Result<(), Fault> {
        let filter = self.filter;
        let source = ListSource::of(filter, status);
        for family in source.families(filter) {
            let row = [
                filter.organisation.as_str().into(),
                party.into(),
                filter.direction.as_str().into(),
                self.after.0.into(),
                self.after.1.into(),
                self.until.into(),
                self.most.into(),
                family.map(|family| family.row().name).into(),
                status.map(Status::as_str).into(),
                filter.not_downloaded.into(),
                filter.number.as_ref().into(),
                filter.counterparty.as_ref().into(),
                filter.without.into(),
            ];
            for mut row in db.query(source.statement(), &row)? {
                found.push((row.integer("transactions.created_on")?, row.integer("rowid")?));
            }
        }
        Ok(())
    }

    /// The places of the page, and one more where there is a next page.
    fn places(&self, db: &mut dyn Connection) -> Result<Vec<Place>, Fault> {
        let mut found = Vec::new();
        let mut statuses: Vec<Option<Status>> =
            self.filter.statuses.iter().copied().map(Some).collect();
        if statuses.is_empty() {
            statuses.push(None);
        }
        for party in parties(db, self.filter)? {
            for status in &statuses {
                self.find(db, (&party, *status), &mut found)?;
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(usize::try_from(self.most).unwrap_or(usize::MAX));
        Ok(found)
    }
}

/// The parties that are asked for: one, or all that have documents.
fn parties(db: &mut dyn Connection, filter: &ListFilter) -> Result<Vec<String>, Fault> {
    if let Some(party) = &filter.party {
        return Ok(vec![party.clone()]);
    }
    let mut all: Vec<String> = Vec::new();
    loop {
        let last = all.last().map(String::as_str).unwrap_or_default();
        let next = db.first(NEXT_PARTY, &[filter.organisation.as_str().into(), last.into()])?;
        match next {
            Some(mut row) => all.push(row.text("transactions.party")?),
            None => return Ok(all),
        }
    }
}

fn token(last: &TransactionRecord) -> String {
    let place = format!("{} {}", last.created_on.as_microsecond(), last.transaction.id);
    BASE64URL_NOPAD.encode(place.as_bytes())
}

/// The place that a token names.
fn place(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    token: &str,
) -> Result<Place, Error> {
    let wrong = || Refusal::Continuation { found: cut(token) };
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).map_err(|_| wrong())?;
    let text = String::from_utf8(bytes).map_err(|_| wrong())?;
    let (time, id) = text.split_once(' ').ok_or_else(wrong)?;
    let time = time.parse().map_err(|_| wrong())?;
    // Tokens name the document, since rows of all organisations are counted together.
    let row = db.first(PLACE_OF, &[id.into(), organisation.as_str().into()])?;
    // One that is not there is of another organisation, where its time says as much.
    let row = row.map_or(Ok(0), |mut row| row.integer("rowid"))?;
    Ok((time, row))
}

impl Store {
    /// A page of documents.
    ///
    /// Errors: [`Refusal::Continuation`] for a token that is not ours.
    pub async fn list(&self, filter: ListFilter) -> Result<TransactionPage, Error> {
        let owner = filter.organisation.clone();
        self.browse_for(&owner, move |db| page(db, &filter)).await
    }
}

fn page(db: &mut dyn Connection, filter: &ListFilter) -> Result<TransactionPage, Error> {
    let limit = filter.limit.clamp(1, PAGE_LIMIT);
    let mut after = (filter.from.map_or(i64::MIN, |from| from.as_microsecond()), 0);
    if let Some(token) = &filter.continuation {
        after = after.max(place(db, &filter.organisation, token)?);
    }
    let scan = PageScan {
        filter,
        after,
        until: filter.until.map_or(i64::MAX, |until| until.as_microsecond()),
        // One more than asked tells whether there is a next page.
        most: i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1),
    };
    let places = scan.places(db)?;
    let mut items = Vec::with_capacity(limit.min(places.len()));
    for (_, row) in places.iter().take(limit) {
        items.extend(db.first(AT, &[(*row).into()])?.map(read).transpose()?);
    }
    let continuation = items.last().filter(|_| places.len() > limit).map(token);
    Ok(TransactionPage { items, continuation })
}
