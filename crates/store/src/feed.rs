//! The feed: the events of an organisation by their numbers, as far as a reader may see them. What
//! is read follows from what may be seen: who sees one of many parties does not read past the
//! events of all others.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use quoin_delivery::topics::TOPICS;
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
/// The same of some topics, whose names are a JSON array; how much is looked at for that is bounded
/// before.
const ON_TOPICS: &str = columns!(
    "WHERE organisation = ?1 AND number > ?2 AND number <= ?3
     AND topic IN (SELECT value FROM json_each(?5)) ORDER BY number LIMIT ?4"
);
const OF_PARTY_ON_TOPICS: &str = columns!(
    "WHERE organisation = ?1 AND party = ?6 AND number > ?2 AND number <= ?3
     AND topic IN (SELECT value FROM json_each(?5)) ORDER BY number LIMIT ?4"
);
const HOW_FAR: &str = "SELECT count(*), max(number) FROM (SELECT number FROM events
    WHERE organisation = ?1 AND number > ?2 AND number <= ?3 ORDER BY number LIMIT ?4)";
const HOW_FAR_OF: &str = "SELECT count(*), max(number) FROM (SELECT number FROM events
    WHERE organisation = ?1 AND party = ?5 AND number > ?2 AND number <= ?3
    ORDER BY number LIMIT ?4)";
const NEXT_OF: &str = "SELECT number FROM events
    WHERE organisation = ?1 AND party = ?2 AND number > ?3 ORDER BY number LIMIT 1";

/// A page while it is read.
struct FeedScan<'r> {
    db: &'r mut dyn Connection,
    filter: &'r FeedFilter,
    /// Names of the topics that are asked for, as a JSON array.
    topics: Option<String>,
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

    /// Reads on behind a number and up to another, of all parties or of one. Answers whether there
    /// is room for more; nothing where nothing was found.
    fn piece(&mut self, range: (u64, u64), party: Option<&str>) -> Result<Option<bool>, Fault> {
        if let Some(topics) = self.topics.clone() {
            return self.on_topics(range, party, &topics);
        }
        let found = self.events(range, party)?;
        let is_something = !found.is_empty();
        for event in found {
            if !self.take(event) {
                return Ok(Some(false));
            }
        }
        Ok(is_something.then_some(true))
    }

    /// The same of some topics: events of others are passed over by their numbers.
    fn on_topics(
        &mut self,
        (after, until): (u64, u64),
        party: Option<&str>,
        topics: &str,
    ) -> Result<Option<bool>, Fault> {
        let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let numbers = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let left = LOOKED_AT.saturating_sub(self.looked_at);
        let [owner, after] = [self.filter.organisation.as_str().into(), numbers(after).into()];
        let window = [owner, after, numbers(until).into(), whole(left).into()];
        let row = match party {
            None => self.db.first(HOW_FAR, &window)?,
            Some(party) => self.db.first(HOW_FAR_OF, &[&window[..], &[party.into()]].concat())?,
        };
        let Some(mut row) = row else { return Ok(None) };
        let count: usize = row.count("events.count")?;
        if count == 0 {
            return Ok(None);
        }
        let last: u64 = row.count("events.number")?;
        let room = self.limit + 1 - self.page.items.len();
        let [owner, after, ..] = window;
        let key = [owner, after, numbers(last).into(), whole(room).into(), topics.into()];
        let rows = match party {
            None => self.db.query(ON_TOPICS, &key)?,
            Some(party) => {
                self.db.query(OF_PARTY_ON_TOPICS, &[&key[..], &[party.into()]].concat())?
            }
        };
        let found: Vec<EventRecord> = rows.into_iter().map(read).collect::<Result<_, _>>()?;
        let is_all = found.len() < room;
        for event in found {
            if !self.take(event) {
                return Ok(Some(false));
            }
        }
        self.looked_at = self.looked_at.saturating_add(count).min(LOOKED_AT);
        if is_all {
            self.page.next = last;
        }
        Ok(Some(true))
    }

    /// Puts an event on the page if its reader may see it. Answers false where the page is full.
    fn take(&mut self, event: EventRecord) -> bool {
        if self.page.items.len() == self.limit || self.looked_at == LOOKED_AT {
            self.page.more = true;
            return false;
        }
        if self.topics.is_none() {
            self.looked_at += 1;
        }
        self.page.next = event.number;
        let seen = match &self.filter.parties {
            FeedParties::Only(own) => own.contains(&event.party),
            FeedParties::AllBut(others) => !others.contains(&event.party),
        };
        if seen {
            self.page.items.push(event);
        }
        true
    }

    /// The events of all parties in their order, without those that are not seen.
    fn all(&mut self, newest: u64) -> Result<(), Fault> {
        loop {
            match self.piece((self.page.next, newest), None)? {
                Some(true) => {}
                Some(false) => return Ok(()),
                None => {
                    self.page.more |= self.room() == 0 && self.page.next < newest;
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
            if self.piece((number - 1, until), Some(party))? == Some(false) {
                return Ok(());
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
    let topics = filter.topic.as_ref().map(|pattern| {
        let asked = TOPICS.iter().map(|row| row.topic).filter(|topic| pattern.matches(*topic));
        let names: Vec<String> = asked.map(|topic| format!("\"{}\"", topic.as_str())).collect();
        format!("[{}]", names.join(","))
    });
    let mut reading = FeedScan { db, filter, topics, limit, looked_at: 0, page };
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
        let mut page = self.browse_for(&owner, move |db| page(db, &filter, after, limit)).await?;
        self.named(page.items.iter_mut().collect()).await?;
        Ok(page)
    }
}
