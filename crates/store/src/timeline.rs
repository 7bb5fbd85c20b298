//! The timeline of a transaction: its status log, for the status endpoint and for audit.

use jiff::Timestamp;
use quoin_delivery::{TimelineEntry, TransactionId};

use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::writer::Tx;

/// A line of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineLine {
    /// Its place, from 1.
    pub seq: u32,
    /// A status word, `Retry`, or `Deleted`.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// The code of what went wrong, where something did.
    pub code: Option<String>,
    /// When.
    pub created_on: Timestamp,
}

const ADD: &str = "INSERT INTO timeline
    (transaction_id, seq, name, description, created_on, code)
    SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 FROM timeline WHERE transaction_id = ?1";
const OF: &str = "SELECT seq, name, description, code, created_on
    FROM timeline WHERE transaction_id = ?1 ORDER BY seq";

pub(crate) fn add(
    tx: &mut Tx<'_>,
    transaction: &TransactionId,
    entries: &[TimelineEntry],
) -> Result<(), Fault> {
    for entry in entries {
        let TimelineEntry { name, description, code, created_on } = entry;
        let row = [
            transaction.as_str().into(),
            name.into(),
            description.into(),
            (*created_on).into(),
            code.as_ref().into(),
        ];
        tx.execute(ADD, &row)?;
    }
    Ok(())
}

fn read(mut row: SqlRow) -> Result<TimelineLine, Fault> {
    Ok(TimelineLine {
        seq: row.count("timeline.seq")?,
        name: row.text("timeline.name")?,
        description: row.text("timeline.description")?,
        code: row.text_or_none("timeline.code")?,
        created_on: row.time("timeline.created_on")?,
    })
}

impl Store {
    /// The timeline of a transaction, oldest first; empty for one that is not on record.
    pub async fn timeline_of(&self, id: &TransactionId) -> Result<Vec<TimelineLine>, Error> {
        let id = id.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[id.as_str().into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
