//! Message Level Statuses: what is owed about a document that arrived, and what is awaited about
//! one that was sent. A document has one line, and the status that settles it is recorded once, in
//! the commit that also makes the message (see [`crate::status_messages`]).

pub(crate) mod levels;

use jiff::Timestamp;
use quoin_delivery::ids::sbdh_instance_id;
use quoin_delivery::mls::MlsCode;
use quoin_delivery::reporting::Month;
use quoin_delivery::service_level::Level;
use quoin_delivery::{Direction, OrganisationId, Status, TaskKind, TransactionId};
use serde::{Deserialize, Serialize};

use crate::attempts;
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::tasks;
use crate::transactions::{self, TransactionRecord, columns};
use crate::writer::Tx;

pub use levels::LevelCount;

/// A status that may become due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStatus {
    /// The provider at the other end: its seat id.
    pub provider: String,
    /// The instance identifier of the document's envelope.
    pub envelope: String,
    /// M1.
    pub sent_on: Timestamp,
    /// Bytes of the envelope.
    pub payload_bytes: u64,
    /// Whether positive statuses are wanted as well.
    pub wants_positive: bool,
    /// Where a status of ours goes, `scheme:identifier`; only on the way in.
    pub reply_to: Option<String>,
}

/// What is on record about the status of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusRecord {
    /// The document.
    pub transaction: TransactionId,
    /// Its tenant.
    pub organisation: OrganisationId,
    /// Which way the document went.
    pub direction: Direction,
    /// What was recorded with it.
    pub new: NewStatus,
    /// What became of the document, once that is said.
    pub code: Option<MlsCode>,
    /// The message that says so.
    pub message: Option<TransactionId>,
    /// When that message left with a receipt, or arrived.
    pub settled_on: Option<Timestamp>,
    /// When it was warned that the limit is near.
    pub warned_on: Option<Timestamp>,
    /// When it was told that the limit is over.
    pub breached_on: Option<Timestamp>,
    /// When nothing was owed any more, without a status.
    pub closed_on: Option<Timestamp>,
}

impl StatusRecord {
    /// Whether a status of ours may still be given.
    pub fn is_open(&self) -> bool {
        self.code.is_none() && self.closed_on.is_none()
    }
}

/// What a status says about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusMessage {
    /// The message.
    pub transaction: TransactionRecord,
    /// The provider that says so: its seat id.
    pub provider: String,
    /// `AP`, `AB`, `RE`, as it was written.
    pub code: Option<String>,
    /// The same in words.
    pub description: String,
    /// What is wrong.
    pub issues: Vec<IssueRecord>,
    /// Whether it is the one that settles the document's status; a repeat or a message of a
    /// provider that was not asked is kept beside it.
    pub counts: bool,
}

/// An issue in a status.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct IssueRecord {
    /// Where: an XPath, or what the status has in its place.
    pub place: Option<String>,
    /// `SV`, `BV`, `BW`, `FD`.
    pub reason: Option<String>,
    /// What is wrong.
    pub text: Option<String>,
}

/// How far an arrived document is on its way to its party, as hooks and downloads tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Handed {
    /// It was downloaded, or deleted by its party.
    pub is_downloaded: bool,
    /// Its bytes went, since nobody fetched it in time.
    pub is_expired: bool,
    /// Webhooks that took the event of its arrival.
    pub taken: u32,
    /// Mails that left with it.
    pub mailed: u32,
    /// Hooks that are still to be told.
    pub pending: u32,
    /// Hooks that were to bring it to its party (the receive command) and were given up.
    pub stopped: u32,
}

/// Of a document from before a restore it is not known whether its status came already.
const OPEN: &str = "INSERT INTO statuses (transaction_id, organisation, direction, month, provider,
    envelope, sent_on, payload_bytes, wants_positive, reply_to, closed_on)
    SELECT id, organisation, direction, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
        CASE WHEN generation > 1 AND created_on < since AND direction = 'outgoing' THEN since END
    FROM transactions, continuity WHERE id = ?1
    ON CONFLICT (transaction_id) DO NOTHING";
const GET: &str = "SELECT transaction_id, organisation, direction, provider, envelope, sent_on,
    payload_bytes, wants_positive, reply_to, code, message, settled_on, warned_on, breached_on,
    closed_on FROM statuses WHERE transaction_id = ?1";
const BY_MESSAGE: &str = "SELECT transaction_id, organisation, direction, provider, envelope,
    sent_on, payload_bytes, wants_positive, reply_to, code, message, settled_on, warned_on,
    breached_on, closed_on FROM statuses WHERE message = ?1";
const IS_OPEN: &str = "SELECT 1 FROM statuses WHERE transaction_id = ?1 AND direction = 'incoming'
    AND code IS NULL AND closed_on IS NULL";
const LEFT: &str = "UPDATE statuses SET settled_on = ?2
    WHERE message = ?1 AND direction = 'incoming' AND settled_on IS NULL
    RETURNING transaction_id";
const MESSAGES: &str = "SELECT message, provider, code, description, issues, counts
    FROM status_messages WHERE subject = ?1 ORDER BY created_on, message";
const SENT_BY: &str = columns!(
    "WHERE instance_id = ?1 AND direction = 'outgoing' AND +organisation = ?2
    ORDER BY created_on DESC LIMIT 16"
);
/// What was rejected never left.
const SENT_AS: &str = columns!(
    "WHERE instance_id = ?1 AND direction = 'outgoing' AND status <> ?2
    ORDER BY created_on LIMIT 64"
);
/// The topics are those with which an arrival is told. A mail and a file in a folder leave without
/// a word of whoever takes them.
const HANDED: &str = "SELECT t.downloaded_on IS NOT NULL OR t.deleted_on IS NOT NULL,
    t.expired_on IS NOT NULL,
    coalesce(sum(c.state = 'delivered' AND h.action NOT LIKE 'mailto:%'
        AND h.action NOT LIKE 'sftp://%'), 0),
    coalesce(sum(c.state = 'delivered' AND (h.action IS NULL OR h.action LIKE 'mailto:%'
        OR h.action LIKE 'sftp://%')), 0),
    coalesce(sum(c.state = 'pending'), 0), coalesce(sum(c.state = 'stopped' AND e.topic = ?3), 0)
    FROM transactions t
    LEFT JOIN events e ON e.transaction_id = t.id AND e.origin IS NULL
        AND (e.topic = ?2 OR e.topic = ?3)
    LEFT JOIN hook_calls c ON c.event = e.seq
    LEFT JOIN hooks h ON h.organisation = c.organisation AND h.id = c.hook
    WHERE t.id = ?1";

/// Records that a status may become due about a document.
pub(crate) fn open(
    tx: &mut Tx<'_>,
    transaction: &TransactionId,
    new: &NewStatus,
) -> Result<(), Fault> {
    let month = Month::of(new.sent_on).to_string();
    let row = [
        transaction.as_str().into(),
        (&month).into(),
        (&new.provider).into(),
        (&new.envelope).into(),
        new.sent_on.into(),
        i64::try_from(new.payload_bytes).unwrap_or(i64::MAX).into(),
        new.wants_positive.into(),
        new.reply_to.as_ref().into(),
    ];
    tx.execute(OPEN, &row)?;
    Ok(())
}

/// Has the status of a document looked at, where one may still be owed: something happened to it.
pub(crate) fn nudge(tx: &mut Tx<'_>, document: &str, now: Timestamp) -> Result<(), Fault> {
    if tx.first(IS_OPEN, &[document.into()])?.is_some() {
        tasks::ensure_now(tx, TaskKind::Status, document, now)?;
    }
    Ok(())
}

/// A message of ours left: the status that it carries was given at that time.
pub(crate) fn left(tx: &mut Tx<'_>, message: &TransactionId, on: Timestamp) -> Result<(), Fault> {
    match tx.first(LEFT, &[message.as_str().into(), on.into()])? {
        Some(mut row) => decided(tx, Level::Sent, &row.text("statuses.transaction_id")?),
        None => Ok(()),
    }
}

/// The status of a document is settled: it counts, and nobody looks at its limit any more.
pub(crate) fn decided(tx: &mut Tx<'_>, level: Level, document: &str) -> Result<(), Fault> {
    levels::decided(tx, level, document)?;
    tasks::drop_waiting(tx, TaskKind::Status, document)
}

fn read(mut row: SqlRow) -> Result<StatusRecord, Fault> {
    let optional = |text: Option<String>| match text {
        Some(text) => text.parse().map(Some).map_err(|_| Fault::record("statuses.message", text)),
        None => Ok(None),
    };
    Ok(StatusRecord {
        transaction: row.parsed("statuses.transaction_id")?,
        organisation: row.parsed("statuses.organisation")?,
        direction: row.word("statuses.direction", Direction::named)?,
        new: NewStatus {
            provider: row.text("statuses.provider")?,
            envelope: row.text("statuses.envelope")?,
            sent_on: row.time("statuses.sent_on")?,
            payload_bytes: row.count("statuses.payload_bytes")?,
            wants_positive: row.yes("statuses.wants_positive")?,
            reply_to: row.text_or_none("statuses.reply_to")?,
        },
        code: row.text_or_none("statuses.code")?.as_deref().and_then(MlsCode::named),
        message: optional(row.text_or_none("statuses.message")?)?,
        settled_on: row.time_or_none("statuses.settled_on")?,
        warned_on: row.time_or_none("statuses.warned_on")?,
        breached_on: row.time_or_none("statuses.breached_on")?,
        closed_on: row.time_or_none("statuses.closed_on")?,
    })
}

pub(crate) fn find(
    db: &mut dyn Connection,
    transaction: &str,
) -> Result<Option<StatusRecord>, Fault> {
    db.first(GET, &[transaction.into()])?.map(read).transpose()
}

fn message(db: &mut dyn Connection, mut row: SqlRow) -> Result<Option<StatusMessage>, Fault> {
    let id = row.text("status_messages.message")?;
    let provider = row.text("status_messages.provider")?;
    let code = row.text_or_none("status_messages.code")?;
    let description = row.text("status_messages.description")?;
    let issues = row.json("status_messages.issues")?;
    let counts = row.yes("status_messages.counts")?;
    let found = transactions::find(db, &id)?;
    Ok(found.map(|transaction| StatusMessage {
        transaction,
        provider,
        code,
        description,
        issues,
        counts,
    }))
}

fn records(rows: Vec<SqlRow>) -> Result<Vec<TransactionRecord>, Fault> {
    rows.into_iter().map(transactions::read).collect()
}

/// Whether the service wrote the envelope of a document: callers that make their own cannot take
/// its place.
fn is_ours(found: &TransactionRecord, instance: &str) -> bool {
    let of = &found.transaction;
    sbdh_instance_id(&of.organisation, &of.document_id) == instance
}

impl Store {
    /// The status of a document, if one may be owed or awaited.
    pub async fn status_of(&self, document: &TransactionId) -> Result<Option<StatusRecord>, Error> {
        let id = document.clone();
        self.read(move |db| Ok(find(db, id.as_str())?)).await
    }

    /// The status that a message of ours carries; `None` for a message that a party sends.
    pub async fn status_carried_by(
        &self,
        message: &TransactionId,
    ) -> Result<Option<StatusRecord>, Error> {
        let id = message.clone();
        self.read(move |db| {
            Ok(db.first(BY_MESSAGE, &[id.as_str().into()])?.map(read).transpose()?)
        })
        .await
    }

    /// Every status about a document, oldest first.
    pub async fn status_messages(
        &self,
        document: &TransactionId,
    ) -> Result<Vec<StatusMessage>, Error> {
        let id = document.clone();
        self.read(move |db| {
            let mut all = Vec::new();
            for row in db.query(MESSAGES, &[id.as_str().into()])? {
                all.extend(message(db, row)?);
            }
            Ok(all)
        })
        .await
    }

    /// The document that an organisation sent in the envelope of this instance identifier.
    pub async fn sent_in_envelope(
        &self,
        organisation: &OrganisationId,
        instance: &str,
    ) -> Result<Option<TransactionRecord>, Error> {
        let (owner, instance) = (organisation.clone(), instance.to_owned());
        self.read(move |db| {
            let rows = db.query(SENT_BY, &[(&instance).into(), owner.as_str().into()])?;
            let mut found = records(rows)?;
            let ours = found.iter().position(|found| is_ours(found, &instance)).unwrap_or(0);
            Ok((ours < found.len()).then(|| found.swap_remove(ours)))
        })
        .await
    }

    /// The same whoever sent it, where it was handed or at least offered to a provider: for the
    /// door, which has to find out whose a status of that provider is. Callers that make their own
    /// envelopes may choose an identifier of somebody else; they take the place of nobody who had
    /// it before, and of no envelope that the service wrote.
    pub async fn sent_to_provider(
        &self,
        instance: &str,
        provider: &str,
    ) -> Result<Option<TransactionRecord>, Error> {
        let (instance, provider) = (instance.to_owned(), provider.to_owned());
        self.read(move |db| {
            let rejected = Status::Rejected.as_str();
            let mut found = records(db.query(SENT_AS, &[(&instance).into(), rejected.into()])?)?;
            if found.len() > 1 {
                let mut went = Vec::new();
                for record in &found {
                    went.push(attempts::went_to(db, &record.transaction.id, &provider)?);
                }
                let ours = |at: &usize| is_ours(&found[*at], &instance);
                let all = || 0..went.len();
                let best = all().find(|at| went[*at] && ours(at));
                let best = best.or_else(|| all().find(|at| went[*at]));
                let best = best.or_else(|| all().find(ours)).unwrap_or(0);
                return Ok(Some(found.swap_remove(best)));
            }
            Ok(found.pop())
        })
        .await
    }

    /// How far an arrived document is on its way to its party.
    pub async fn handed(&self, document: &TransactionRecord) -> Result<Handed, Error> {
        let id = document.transaction.id.clone();
        let family = document.transaction.family;
        self.read(move |db| {
            let receive = family.commands().and_then(|commands| commands.receive);
            let received = family.row().received.as_str();
            let receive = receive.map_or(Param::Null, |topic| topic.as_str().into());
            let key = [id.as_str().into(), received.into(), receive];
            let Some(mut row) = db.first(HANDED, &key)? else { return Ok(Handed::default()) };
            Ok(Handed {
                is_downloaded: row.yes("transactions.downloaded_on")?,
                is_expired: row.yes("transactions.expired_on")?,
                taken: row.count("hook_calls.state")?,
                mailed: row.count("hook_calls.state")?,
                pending: row.count("hook_calls.state")?,
                stopped: row.count("hook_calls.state")?,
            })
        })
        .await
    }
}
