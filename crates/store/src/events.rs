//! Events: what was to be told, in one order, numbered within each organisation without gaps, kept
//! for good. How one is recorded, with the calls that are owed for it, is in `fanout`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::decision::RESPONSE;
use quoin_delivery::{
    DocumentId, EventId, HookId, HookPayload, OrganisationId, Topic, Transaction, TransactionId,
};

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;

/// Events in one answer, at most.
pub const EVENTS_LIMIT: usize = 1_000;

/// An event on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRecord {
    /// Its place in the order of all events of this store.
    pub seq: EventId,
    /// Its place in the order of its organisation, from 1, without gaps.
    pub number: u64,
    /// Its stable id, a UUID.
    pub id: String,
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party it concerns; nothing where it concerns none.
    pub party: String,
    /// The identifier by which that party is known to others by now; nothing where there is none.
    pub party_id: String,
    /// Its topic.
    pub topic: Topic,
    /// The transaction it tells of, if it is about one.
    pub transaction: Option<TransactionId>,
    /// The document it tells of; where it is about none, an id of its own.
    pub document_id: DocumentId,
    /// The hook that published it, which is not told of it.
    pub origin: Option<HookId>,
    /// How many events led to it.
    pub depth: u32,
    /// One sentence for people.
    pub message: String,
    /// Facts by name.
    pub details: BTreeMap<String, String>,
    /// When it happened.
    pub created_on: Timestamp,
}

impl EventRecord {
    /// The party it concerns, if it concerns one.
    pub fn about_party(&self) -> Option<&str> {
        Some(self.party_id.as_str()).filter(|party| !party.is_empty())
    }

    /// The document it tells of, if it tells of one.
    pub fn about_document(&self) -> Option<&DocumentId> {
        self.topic.names_a_document().then_some(&self.document_id)
    }

    /// The body of a call of a hook, made anew for each try.
    pub fn payload(&self, hook: &HookId, sent_on: Timestamp) -> HookPayload {
        HookPayload {
            topic: self.topic,
            party_id: self.about_party().map(str::to_owned),
            hook_id: hook.clone(),
            document_id: self.about_document().cloned(),
            response_document_id: self.details.get(RESPONSE).and_then(|id| id.parse().ok()),
            message: self.message.clone(),
            details: self.details.clone(),
            created_on: self.created_on,
            sent_on,
        }
    }
}

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSubject {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party.
    pub party: String,
    /// The transaction, if it is about one.
    pub transaction: Option<TransactionId>,
    /// The document, or an id of its own.
    pub document_id: DocumentId,
    /// The hook that publishes it.
    pub origin: Option<HookId>,
    /// How many events led to it.
    pub depth: u32,
}

impl EventSubject {
    /// A document on its way.
    pub fn of(transaction: &Transaction) -> EventSubject {
        EventSubject {
            organisation: transaction.organisation.clone(),
            party: transaction.party.clone(),
            transaction: Some(transaction.id.clone()),
            document_id: transaction.document_id.clone(),
            origin: None,
            depth: 0,
        }
    }

    /// What an event on record is about.
    pub(crate) fn told(event: &EventRecord) -> EventSubject {
        EventSubject {
            organisation: event.organisation.clone(),
            party: event.party.clone(),
            transaction: event.transaction.clone(),
            document_id: event.document_id.clone(),
            origin: event.origin.clone(),
            depth: event.depth,
        }
    }

    /// What a hook has to say about an event that it was told.
    pub(crate) fn after(event: &EventRecord, origin: HookId) -> EventSubject {
        EventSubject { origin: Some(origin), depth: event.depth + 1, ..EventSubject::told(event) }
    }
}

macro_rules! columns {
    ($rest:literal) => {
        concat!(
            "SELECT seq, number, id, organisation, party, topic, transaction_id, document_id, ",
            "origin, depth, message, details, created_on FROM events ",
            $rest
        )
    };
}
pub(crate) use columns;

const SINCE: &str = columns!(
    "WHERE organisation = ?1 AND number > coalesce(
        (SELECT number FROM events WHERE seq = ?2 AND organisation = ?1), 0)
     ORDER BY number LIMIT ?3"
);
const BEYOND: &str = columns!("WHERE organisation = ?1 AND number > ?2 ORDER BY number LIMIT ?3");
const BY_SEQ: &str = columns!("WHERE seq = ?1");
/// In the order of their times, those of one time in the order of recording.
const BETWEEN: &str = columns!(
    "WHERE organisation = ?1 AND (created_on, seq) > (?2, ?3) AND created_on < ?4
     ORDER BY created_on, seq LIMIT ?5"
);

pub(crate) fn find(db: &mut dyn Connection, event: EventId) -> Result<Option<EventRecord>, Fault> {
    db.first(BY_SEQ, &[event.0.into()])?.map(read).transpose()
}

/// Events of an organisation that happened after `after`, a time and a place in the order, and
/// before `until`, oldest first.
pub(crate) fn between(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    (after, place): (Timestamp, EventId),
    until: Timestamp,
    limit: i64,
) -> Result<Vec<EventRecord>, Fault> {
    let key =
        [organisation.as_str().into(), after.into(), place.0.into(), until.into(), limit.into()];
    db.query(BETWEEN, &key)?.into_iter().map(read).collect()
}

/// Events of an organisation after the one of a number, in the order of recording.
pub(crate) fn beyond(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    number: i64,
    limit: i64,
) -> Result<Vec<EventRecord>, Fault> {
    let key = [organisation.as_str().into(), number.into(), limit.into()];
    db.query(BEYOND, &key)?.into_iter().map(read).collect()
}

pub(crate) fn read(mut row: SqlRow) -> Result<EventRecord, Fault> {
    let parsed = |text: Option<String>, what| match text {
        Some(text) => text.parse().map(Some).map_err(|_| Fault::record(what, text)),
        None => Ok(None),
    };
    Ok(EventRecord {
        seq: EventId(row.integer("events.seq")?),
        number: row.count("events.number")?,
        id: row.text("events.id")?,
        organisation: row.parsed("events.organisation")?,
        party: row.text("events.party")?,
        // What leaves the store is named by `Store::named`.
        party_id: String::new(),
        topic: row.word("events.topic", Topic::named)?,
        transaction: parsed(row.text_or_none("events.transaction_id")?, "events.transaction_id")?,
        document_id: row.parsed("events.document_id")?,
        origin: match row.text_or_none("events.origin")? {
            Some(text) => Some(text.parse().map_err(|_| Fault::record("events.origin", text))?),
            None => None,
        },
        depth: row.count("events.depth")?,
        message: row.text("events.message")?,
        details: row.json("events.details")?,
        created_on: row.time("events.created_on")?,
    })
}

impl Store {
    /// Names the parties of events as they are known by now.
    pub(crate) async fn named(&self, events: Vec<&mut EventRecord>) -> Result<(), Error> {
        for event in events {
            event.party_id = self.party_name(&event.organisation, &event.party).await?;
        }
        Ok(())
    }

    /// The events of an organisation after `after` (0: from the first), oldest first, up to
    /// `limit`.
    pub async fn events_since(
        &self,
        organisation: &OrganisationId,
        after: EventId,
        limit: usize,
    ) -> Result<Vec<EventRecord>, Error> {
        let owner = organisation.clone();
        let limit = i64::try_from(limit.min(EVENTS_LIMIT)).unwrap_or(i64::MAX);
        let found = self.read(move |db| {
            let key = [owner.as_str().into(), after.0.into(), limit.into()];
            Ok(db.query(SINCE, &key)?.into_iter().map(read).collect::<Result<_, _>>()?)
        });
        let mut found: Vec<EventRecord> = found.await?;
        self.named(found.iter_mut().collect()).await?;
        Ok(found)
    }
}
