//! Attempts to deliver, each with its report and, if it succeeded, the receipt.

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::{Transaction, TransactionId};

use crate::blobs::{self, BlobId, Ready};
use crate::breakers::{self, NotedBreaker};
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::evidence::Evidence;
use crate::open::Store;
use crate::writer::Tx;

/// How an attempt ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttemptOutcome {
    /// The receiver's access point took it.
    Delivered,
    /// It failed for now.
    Later,
    /// It failed for good.
    Never,
}

impl AttemptOutcome {
    /// The word in the store and in listings.
    pub fn as_str(self) -> &'static str {
        match self {
            AttemptOutcome::Delivered => "delivered",
            AttemptOutcome::Later => "later",
            AttemptOutcome::Never => "never",
        }
    }

    /// The outcome of this word, if there is one.
    pub fn named(word: &str) -> Option<AttemptOutcome> {
        use AttemptOutcome::{Delivered, Later, Never};
        [Delivered, Later, Never].into_iter().find(|outcome| outcome.as_str() == word)
    }
}

/// An attempt, as the worker hands it in. On the way out the receipt is left empty; its blob is
/// named by `receipt_blob`.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Which attempt, from 1.
    pub attempt: u32,
    /// When it began.
    pub started_on: Timestamp,
    /// When it ended.
    pub ended_on: Timestamp,
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// The address that was tried, once known.
    pub endpoint: Option<String>,
    /// The channel that it was made by, as its protocol names it; none of an older record.
    pub protocol: Option<String>,
    /// The sending report: look-up, route, request, answer, times.
    pub report: serde_json::Value,
    /// The bytes of the signed receipt or error, if an answer came.
    pub receipt: Option<Bytes>,
    /// Where those bytes lie; only set on the way out.
    pub receipt_blob: Option<BlobId>,
    /// Why it failed, one stable word.
    pub code: Option<String>,
    /// How long the other side took, in milliseconds.
    pub elapsed_ms: Option<u32>,
    /// What is known about the destination from now on, where that changed; only set on the way in.
    pub breaker: Option<NotedBreaker>,
    /// What proves it beside the receipt; only set on the way in.
    pub evidence: Vec<Evidence>,
}

const ADD: &str = "INSERT INTO attempts
    (transaction_id, attempt, started_on, ended_on, outcome, endpoint, report, receipt,
     code, elapsed, protocol)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
const OF: &str = "SELECT attempt, started_on, ended_on, outcome, endpoint, report, receipt,
    code, elapsed, protocol FROM attempts WHERE transaction_id = ?1 ORDER BY attempt";

pub(crate) fn add(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    attempt: &Attempt,
    receipt: Option<&Ready>,
) -> Result<(), Fault> {
    let report = attempt.report.to_string();
    let row = [
        transaction.id.as_str().into(),
        attempt.attempt.into(),
        attempt.started_on.into(),
        attempt.ended_on.into(),
        attempt.outcome.as_str().into(),
        attempt.endpoint.as_ref().into(),
        (&report).into(),
        receipt.map_or(Param::Null, |blob| Param::Blob(&blob.id.0)),
        attempt.code.as_ref().into(),
        attempt.elapsed_ms.into(),
        attempt.protocol.as_ref().into(),
    ];
    tx.execute(ADD, &row)?;
    if let Some(NotedBreaker { place, breaker }) = &attempt.breaker {
        breakers::put(tx, place, breaker, attempt.ended_on)?;
    }
    Ok(())
}

fn read(mut row: SqlRow) -> Result<Attempt, Fault> {
    Ok(Attempt {
        attempt: row.count("attempts.attempt")?,
        started_on: row.time("attempts.started_on")?,
        ended_on: row.time("attempts.ended_on")?,
        outcome: row.word("attempts.outcome", AttemptOutcome::named)?,
        endpoint: row.text_or_none("attempts.endpoint")?,
        report: row.parsed("attempts.report")?,
        receipt: None,
        receipt_blob: row.digest_or_none("attempts.receipt")?.map(blobs::BlobId),
        code: row.text_or_none("attempts.code")?,
        elapsed_ms: row
            .integer_or_none("attempts.elapsed")?
            .map(|elapsed| elapsed.try_into().unwrap_or(u32::MAX)),
        protocol: row.text_or_none("attempts.protocol")?,
        breaker: None,
        evidence: Vec::new(),
    })
}

/// Whether a document was handed, or at least offered, to a provider.
pub(crate) fn went_to(
    db: &mut dyn Connection,
    id: &TransactionId,
    provider: &str,
) -> Result<bool, Fault> {
    for row in db.query(OF, &[id.as_str().into()])? {
        if read(row)?.provider() == Some(provider) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Attempt {
    /// The provider that the message was handed or offered to: its seat id, as the report has it.
    pub fn provider(&self) -> Option<&str> {
        self.report.pointer("/send/accessPoint").and_then(serde_json::Value::as_str)
    }
}

impl Store {
    /// The attempts of a transaction, oldest first.
    pub async fn attempts_of(&self, id: &TransactionId) -> Result<Vec<Attempt>, Error> {
        let id = id.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[id.as_str().into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
