//! Lists of documents by status, period and party, in pages. A page's continuation token names the
//! place after its last item, so that what arrives meanwhile is neither lost nor repeated.

use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use quoin_delivery::{Direction, Family, OrganisationId, Status};

use crate::engine::Param;
use crate::error::{Error, Refusal, cut};
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

const LIST: &str = columns!(
    "WHERE organisation = ?1 AND direction = ?2 AND (created_on, id) > (?3, ?4)
     AND created_on >= ?5 AND created_on < ?6 AND (?7 IS NULL OR party = ?7)
     AND (?8 = '' OR instr(?8, '|' || status || '|') > 0) AND deleted_on IS NULL
     AND (?9 = 0 OR (downloaded_on IS NULL AND expired_on IS NULL))
     AND (?11 IS NULL OR family = ?11) AND (?12 IS NULL OR number = ?12)
     AND (?13 IS NULL OR lower(CASE direction WHEN 'incoming' THEN sender ELSE receiver END)
        = lower(?13))
     AND (?14 IS NULL OR source_document_type IS NULL OR instr(source_document_type, ?14) = 0)
     ORDER BY created_on, id LIMIT ?10"
);

fn token(last: &TransactionRecord) -> String {
    let place = format!("{} {}", last.created_on.as_microsecond(), last.transaction.id);
    BASE64URL_NOPAD.encode(place.as_bytes())
}

fn place(token: &str) -> Result<(i64, String), Error> {
    let wrong = || Refusal::Continuation { found: cut(token) };
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).map_err(|_| wrong())?;
    let text = String::from_utf8(bytes).map_err(|_| wrong())?;
    let (time, id) = text.split_once(' ').ok_or_else(wrong)?;
    Ok((time.parse().map_err(|_| wrong())?, id.to_owned()))
}

impl Store {
    /// A page of documents.
    ///
    /// Errors: [`Refusal::Continuation`] for a token that is not ours.
    pub async fn list(&self, filter: ListFilter) -> Result<TransactionPage, Error> {
        let (after, id) = match &filter.continuation {
            Some(token) => place(token)?,
            None => (i64::MIN, String::new()),
        };
        let limit = filter.limit.clamp(1, PAGE_LIMIT);
        self.read(move |db| {
            let statuses = filter.statuses.iter().map(|status| format!("|{}|", status.as_str()));
            let statuses: String = statuses.collect();
            let row = [
                filter.organisation.as_str().into(),
                filter.direction.as_str().into(),
                after.into(),
                (&id).into(),
                filter.from.map_or(i64::MIN, |t| t.as_microsecond()).into(),
                filter.until.map_or(i64::MAX, |t| t.as_microsecond()).into(),
                filter.party.as_ref().into(),
                (&statuses).into(),
                filter.not_downloaded.into(),
                // One more than asked tells whether there is a next page.
                Param::Integer(i64::try_from(limit).unwrap_or(i64::MAX) + 1),
                filter.family.map(|family| family.row().name).into(),
                filter.number.as_ref().into(),
                filter.counterparty.as_ref().into(),
                filter.without.into(),
            ];
            let items = db.query(LIST, &row)?.into_iter().map(read);
            let mut items: Vec<TransactionRecord> = items.collect::<Result<_, _>>()?;
            let more = items.len() > limit;
            items.truncate(limit);
            let continuation = items.last().filter(|_| more).map(token);
            Ok(TransactionPage { items, continuation })
        })
        .await
    }
}
