//! The feed: the events of an organisation by their numbers, as far as a reader may see them. What
//! is read follows from what may be seen: who sees one of many parties does not read past the
//! events of all others.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use quoin_delivery::{OrganisationId, TopicPattern};

use crate::engine::Connection;
use crate::error::{Error, Fault, Refusal};
use crate::events::{EventRecord, columns, read};
use crate::open::Store;

/// Events in one page, at most.
pub const FEED_LIMIT: usize = 500;
/// Events that one page looks at, where most of them are not asked for.
pub const LOOKED_AT: usize = 5_000;

/// Of which parties events are read, each `scheme:identifier`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedParties {
    /// Of these alone.
    Only(BTreeSet<String>),
    /// Of all but these.
    AllBut(BTreeSet<String>),
}

/// Which events are read.
#[derive(Debug, Clone)]
pub struct FeedFilter {
    /// The tenant.
    pub organisation: OrganisationId,
    /// Of which parties.
    pub parties: FeedParties,
    /// Of which topics; all of them where there is none.
    pub topic: Option<TopicPattern>,
}

/// A page of the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventPage {
    /// The events, oldest first.
    pub items: Vec<EventRecord>,
    /// The number up to which was read: what comes next is behind it.
    pub next: u64,
    /// Whether there is more right now.
    pub more: bool,
}

const NEWEST: &str = "SELECT coalesce(max(number), 0) FROM events WHERE organisation = ?1";
const OF_ALL: &str =
    columns!("WHERE organisation = ?1 AND number > ?2 AND number <= ?3 ORDER BY number LIMIT ?4");
const OF_PARTY: &str = columns!(
    "WHERE organisation = ?1 AND party = ?5 AND number > ?2 AND number <= ?3
     ORDER BY number LIMIT ?4"
);
const NEXT_OF: &str = "SELECT number FROM events
    WHERE organisation = ?1 AND party = ?2 AND number > ?3 ORDER BY number LIMIT 1";

/// A page while it is read.
struct FeedScan<'r> {
    db: &'r mut dyn Connection,
    filter: &'r FeedFilter,
    limit: usize,
    looked_at: usize,
    page: EventPage,
}

impl FeedScan<'_> {
    /// How many events can still be looked at; one more than fits tells whether there is more.
    fn room(&self) -> usize {
        let left = LOOKED_AT.saturating_sub(self.looked_at);
        left.min(self.limit + 1 - self.page.items.len())
    }

    /// Events behind a number and up to another, of all parties or of one.
    fn events(
        &mut self,
        (after, until): (u64, u64),
        party: Option<&str>,
    ) -> Result<Vec<EventRecord>, Fault> {
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let room = i64::try_from(self.room()).unwrap_or(i64::MAX);
        let owner = self.filter.organisation.as_str().into();
        let key = [owner, whole(after).into(), whole(until).into(), room.into()];
        let rows = match party {
            None => self.db.query(OF_ALL, &key)?,
            Some(party) => {
                let [owner, after, until, room] = key;
                self.db.query(OF_PARTY, &[owner, after, until, room, party.into()])?
            }
        };
        rows.into_iter().map(read).collect()
    }

    /// Puts an event on the page if it is asked for. Answers false where the page is full.
    fn take(&mut self, event: EventRecord) -> bool {
        if self.page.items.len() == self.limit || self.looked_at == LOOKED_AT {
            self.page.more = true;
            return false;
        }
        self.looked_at += 1;
        self.page.next = event.number;
        let seen = match &self.filter.parties {
            FeedParties::Only(own) => own.contains(&event.party),
            FeedParties::AllBut(others) => !others.contains(&event.party),
        };
        if seen && self.filter.topic.as_ref().is_none_or(|topic| topic.matches(event.topic)) {
            self.page.items.push(event);
        }
        true
    }

    /// The events of all parties in their order, without those that are not seen.
    fn all(&mut self, newest: u64) -> Result<(), Fault> {
        loop {
            let found = self.events((self.page.next, newest), None)?;
            if found.is_empty() {
                self.page.more |= self.room() == 0 && self.page.next < newest;
                return Ok(());
            }
            for event in found {
                if !self.take(event) {
                    return Ok(());
                }
            }
        }
    }

    /// The number of the first event of a party behind a number.
    fn first_of(&mut self, party: &str, after: u64) -> Result<Option<u64>, Fault> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let key = [self.filter.organisation.as_str().into(), party.into(), after.into()];
        let row = self.db.first(NEXT_OF, &key)?;
        row.map(|mut row| row.count("events.number")).transpose()
    }

    /// The events of some parties, merged: always the party whose next event is the oldest, up to
    /// the next event of another one.
    fn some(&mut self, newest: u64, parties: &BTreeSet<String>) -> Result<(), Fault> {
        let mut heads = BinaryHeap::new();
        for party in parties {
            if let Some(number) = self.first_of(party, self.page.next)? {
                heads.push(Reverse((number, party.as_str())));
            }
        }
        while let Some(Reverse((number, party))) = heads.pop().filter(|head| head.0.0 <= newest) {
            if self.room() == 0 {
                self.page.more = true;
                return Ok(());
            }
            let until = heads.peek().map_or(newest, |head| (head.0.0 - 1).min(newest));
            for event in self.events((number - 1, until), Some(party))? {
                if !self.take(event) {
                    return Ok(());
                }
            }
            if let Some(number) = self.first_of(party, self.page.next)? {
                heads.push(Reverse((number, party)));
            }
        }
        Ok(())
    }
}

fn page(
    db: &mut dyn Connection,
    filter: &FeedFilter,
    after: u64,
    limit: usize,
) -> Result<EventPage, Error> {
    let newest = db.first(NEWEST, &[filter.organisation.as_str().into()])?;
    // What is recorded while this reads may be seen in part only: it is left for the next page.
    let newest: u64 = newest.map_or(Ok(0), |mut row| row.count("events.number"))?;
    if after > newest {
        return Err(Refusal::CursorAhead { after, newest }.into());
    }
    let page = EventPage { next: after, ..EventPage::default() };
    let limit = limit.clamp(1, FEED_LIMIT);
    let mut reading = FeedScan { db, filter, limit, looked_at: 0, page };
    // Who follows the feed is near its end: what is new is less than the parties to be asked for.
    let new = usize::try_from(newest.saturating_sub(after)).unwrap_or(usize::MAX);
    match &filter.parties {
        FeedParties::Only(parties) if parties.len() < new => reading.some(newest, parties)?,
        _ => reading.all(newest)?,
    }
    Ok(reading.page)
}

impl Store {
    /// A page of the feed behind the number `after` (0: from the first), oldest first: up to
    /// `limit` events of at most [`LOOKED_AT`] that are looked at, all of them of parties that the
    /// filter names where it names them.
    ///
    /// Errors: [`Refusal::CursorAhead`] where there is no such number yet.
    pub async fn feed(
        &self,
        filter: FeedFilter,
        after: u64,
        limit: usize,
    ) -> Result<EventPage, Error> {
        let owner = filter.organisation.clone();
        self.browse_for(&owner, move |db| page(db, &filter, after, limit)).await
    }
}
