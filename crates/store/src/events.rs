//! Events: what was to be told, in one order, kept for good. Recording one also records the calls
//! that are owed to the hooks that listen at that moment.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::decision::{RESPONSE, SUBJECT};
use quoin_delivery::{
    DocumentId, EventId, HookId, HookPayload, Notice, OrganisationId, Topic, Transaction,
    TransactionId,
};
use uuid::Uuid;

use crate::engine::Row;
use crate::error::{Error, Fault};
use crate::hook_calls;
use crate::open::Store;
use crate::writer::Tx;

/// Events in one answer, at most.
pub const EVENTS_LIMIT: usize = 1_000;

/// An event on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRecord {
    /// Its place in the order of all events of this store.
    pub seq: EventId,
    /// Its stable id, a UUID.
    pub id: String,
    /// The tenant.
    pub organisation: OrganisationId,
    /// The party it concerns, `scheme:identifier`.
    pub party: String,
    /// Its topic.
    pub topic: Topic,
    /// The transaction it tells of.
    pub transaction: TransactionId,
    /// The document it tells of.
    pub document_id: DocumentId,
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

const ADD: &str = "INSERT INTO events (id, organisation, party, topic, transaction_id, document_id,
    message, details, created_on) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING seq";
const SINCE: &str = "SELECT seq, id, organisation, party, topic, transaction_id, document_id,
    message, details, created_on FROM events WHERE organisation = ?1 AND seq > ?2
    ORDER BY seq LIMIT ?3";
const BY_SEQ: &str = "SELECT seq, id, organisation, party, topic, transaction_id, document_id,
    message, details, created_on FROM events WHERE seq = ?1";

/// Records an event and the calls owed for it.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    notice: &Notice,
    now: Timestamp,
) -> Result<EventId, Error> {
    let details = json(&notice.details)?;
    let id = Uuid::now_v7().to_string();
    let own = transaction.document_id.as_str();
    let subject = notice.details.get(SUBJECT).map_or(own, String::as_str);
    let row = [
        (&id).into(),
        transaction.organisation.as_str().into(),
        (&transaction.party).into(),
        notice.topic.as_str().into(),
        transaction.id.as_str().into(),
        subject.into(),
        (&notice.message).into(),
        (&details).into(),
        now.into(),
    ];
    let mut row = tx.first(ADD, &row)?.ok_or_else(|| Fault::record("events", "nothing"))?;
    let event = EventId(row.integer("events.seq")?);
    hook_calls::owe(tx, transaction, notice, event, now)?;
    Ok(event)
}

pub(crate) fn find(
    db: &mut dyn crate::engine::Connection,
    event: EventId,
) -> Result<Option<EventRecord>, Fault> {
    db.first(BY_SEQ, &[event.0.into()])?.map(read).transpose()
}

fn read(mut row: Row) -> Result<EventRecord, Fault> {
    Ok(EventRecord {
        seq: EventId(row.integer("events.seq")?),
        id: row.text("events.id")?,
        organisation: row.parsed("events.organisation")?,
        party: row.text("events.party")?,
        topic: row.word("events.topic", Topic::named)?,
        transaction: row.parsed("events.transaction_id")?,
        document_id: row.parsed("events.document_id")?,
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
