//! Events: what was to be told, in one order, numbered within each organisation without gaps, kept
//! for good. Recording one also records the calls that are owed to the hooks that listen at that
//! moment.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::decision::{RESPONSE, SUBJECT};
use quoin_delivery::details;
use quoin_delivery::hook::DEPTH;
use quoin_delivery::{
    DocumentId, EventId, HookId, HookPayload, Notice, OrganisationId, Topic, Transaction,
    TransactionId, ids,
};
use uuid::Uuid;

use crate::engine::{Connection, Row};
use crate::error::{Error, Fault};
use crate::fanout;
use crate::open::Store;
use crate::writer::Tx;

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
    /// The party it concerns, `scheme:identifier`.
    pub party: String,
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
    /// The body of a call of a hook, made anew for each try.
    pub fn payload(&self, hook: &HookId, sent_on: Timestamp) -> HookPayload {
        HookPayload {
            topic: self.topic,
            party_id: self.party.clone(),
            hook_id: hook.clone(),
            document_id: self.document_id.clone(),
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
pub struct Subject {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The party, `scheme:identifier`.
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

impl Subject {
    /// A document on its way.
    pub fn of(transaction: &Transaction) -> Subject {
        Subject {
            organisation: transaction.organisation.clone(),
            party: transaction.party.clone(),
            transaction: Some(transaction.id.clone()),
            document_id: transaction.document_id.clone(),
            origin: None,
            depth: 0,
        }
    }

    /// What a hook has to say about an event that it was told.
    pub(crate) fn after(event: &EventRecord, origin: HookId) -> Subject {
        Subject {
            organisation: event.organisation.clone(),
            party: event.party.clone(),
            transaction: event.transaction.clone(),
            document_id: event.document_id.clone(),
            origin: Some(origin),
            depth: event.depth + 1,
        }
    }
}

const ADD: &str = "INSERT INTO events (id, organisation, number, party, topic, transaction_id,
    document_id, origin, depth, message, details, created_on)
    SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
    FROM events WHERE organisation = ?2 RETURNING seq";

const EARLIER: &str = "SELECT count(*) FROM events WHERE transaction_id = ?1 AND topic = ?2";

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

const SINCE: &str = columns!("WHERE organisation = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3");
const BY_SEQ: &str = columns!("WHERE seq = ?1");
const BETWEEN: &str = columns!(
    "WHERE organisation = ?1 AND seq > ?2 AND created_on >= ?3 AND created_on < ?4
     ORDER BY seq LIMIT ?5"
);

/// Records an event and the calls owed for it. A command that no hook listens to is not recorded,
/// and neither is what hooks keep telling each other in a circle.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    subject: &Subject,
    notice: &Notice,
    now: Timestamp,
) -> Result<Option<EventId>, Error> {
    if subject.depth > DEPTH {
        tracing::warn!(topic = %notice.topic, document = %subject.document_id,
            "hooks publish in a circle; the event is dropped");
        return Ok(None);
    }
    debug_assert!(
        notice.details.keys().all(|name| details::named(name).is_some()),
        "{:?} has a detail that quoin_delivery::details does not know",
        notice.details
    );
    let listeners = fanout::listeners(tx, subject, notice)?;
    if notice.topic.is_command() && listeners.is_empty() {
        return Ok(None);
    }
    let details = json(&notice.details)?;
    let id = id_of(tx, subject, notice.topic)?;
    let own = subject.document_id.as_str();
    let about = notice.details.get(SUBJECT).map_or(own, String::as_str);
    let row = [
        (&id).into(),
        subject.organisation.as_str().into(),
        (&subject.party).into(),
        notice.topic.as_str().into(),
        subject.transaction.as_ref().map(TransactionId::as_str).into(),
        about.into(),
        subject.origin.as_ref().map(HookId::as_str).into(),
        subject.depth.into(),
        (&notice.message).into(),
        (&details).into(),
        now.into(),
    ];
    let mut row = tx.first(ADD, &row)?.ok_or_else(|| Fault::record("events", "nothing"))?;
    let event = EventId(row.integer("events.seq")?);
    for (listener, hearing) in &listeners {
        let call = ids::call_id(&id, &listener.hook).to_string();
        fanout::owe(tx, (listener, *hearing), (subject, notice.topic, event), &call, now)?;
    }
    // Readers of the feed wait for the same bell as workers.
    tx.wake = true;
    Ok(Some(event))
}

/// The id of a new event: what is told of a document again has the id that it had before.
fn id_of(tx: &mut Tx<'_>, subject: &Subject, topic: Topic) -> Result<String, Fault> {
    let Some(transaction) = &subject.transaction else { return Ok(Uuid::now_v7().to_string()) };
    let earlier = tx.first(EARLIER, &[transaction.as_str().into(), topic.as_str().into()])?;
    let earlier = earlier.map_or(Ok(0), |mut row| row.count("events.count"))?;
    Ok(ids::event_id(transaction, topic, earlier).to_string())
}

pub(crate) fn find(db: &mut dyn Connection, event: EventId) -> Result<Option<EventRecord>, Fault> {
    db.first(BY_SEQ, &[event.0.into()])?.map(read).transpose()
}

/// Events of an organisation after `after` that happened in a period, oldest first.
pub(crate) fn between(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    after: EventId,
    (from, until): (Timestamp, Timestamp),
    limit: i64,
) -> Result<Vec<EventRecord>, Fault> {
    let key =
        [organisation.as_str().into(), after.0.into(), from.into(), until.into(), limit.into()];
    db.query(BETWEEN, &key)?.into_iter().map(read).collect()
}

pub(crate) fn read(mut row: Row) -> Result<EventRecord, Fault> {
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

/// A value as JSON text.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|e| Fault::record("a JSON column", e))
}

impl Store {
    /// Records an event that no step of a document leads to, with the calls that are owed for it.
    /// Answers its place, or `None` where it is a command that nobody listens to.
    pub async fn announce(
        &self,
        subject: Subject,
        notice: Notice,
        now: Timestamp,
    ) -> Result<Option<EventId>, Error> {
        self.write(move |tx| add(tx, &subject, &notice, now)).await
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
        self.read(move |db| {
            let key = [owner.as_str().into(), after.0.into(), limit.into()];
            Ok(db.query(SINCE, &key)?.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
