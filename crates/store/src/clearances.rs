//! Documents that an authority registers before they leave: which batch they go there in, what each
//! step of it came to, and the numbers that they got.
//!
//! A batch is open until its time has come or it is full. Then it takes its steps, each in one
//! commit with what follows for its documents; between them its memory is sealed.

mod batches;
mod steps;

use bytes::Bytes;
use jiff::Timestamp;
use jiff::civil::Date;
use quoin_delivery::{HookId, OrganisationId, TaskKind, TransactionId};

use crate::blobs::{BlobId, Ready};
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::evidence::{self, EvidenceKind};
use crate::open::Store;
use crate::writer::Tx;

pub use batches::ClearanceBatch;
pub(crate) use batches::find as find_batch;
pub use steps::{ClearanceAgain, ClearanceResult, ClearanceStep};

/// Documents in a batch at most.
pub const BATCH_DOCUMENTS: u32 = 10_000;

/// Where a document is with its authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClearanceState {
    /// It waits, or is on its way there.
    Waiting,
    /// It was issued without the authority and left; it is still to be registered.
    Offline,
    /// It is registered.
    Registered,
    /// It cannot be registered as it is.
    Failed,
}

impl ClearanceState {
    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            ClearanceState::Waiting => "waiting",
            ClearanceState::Offline => "offline",
            ClearanceState::Registered => "registered",
            ClearanceState::Failed => "failed",
        }
    }

    fn named(word: &str) -> Option<ClearanceState> {
        let all = [
            ClearanceState::Waiting,
            ClearanceState::Offline,
            ClearanceState::Registered,
            ClearanceState::Failed,
        ];
        all.into_iter().find(|state| state.as_str() == word)
    }
}

/// A document that is to be registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClearance {
    /// The key of the hook that is the authority.
    pub hook: HookId,
    /// The document as the authority has it.
    pub form: Bytes,
    /// The number that the seller gave it.
    pub number: String,
    /// The seller as the authority knows it.
    pub seller: String,
    /// The day of issue.
    pub issued: Date,
    /// When the batch that it goes in sets off at the latest.
    pub sets_off: Timestamp,
}

/// A document at its authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClearanceRecord {
    /// The document.
    pub transaction: TransactionId,
    /// The tenant.
    pub organisation: OrganisationId,
    /// The batch that it is in.
    pub batch: String,
    /// Where it is.
    pub state: ClearanceState,
    /// Its bytes there.
    pub form: BlobId,
    /// The number that the seller gave it.
    pub number: String,
    /// The seller as the authority knows it.
    pub seller: String,
    /// The day of issue.
    pub issued: Date,
    /// Why it was issued without the authority, where it was.
    pub mode: Option<String>,
    /// Until when it has to be registered then.
    pub due_on: Option<Timestamp>,
    /// The number that the authority gave it.
    pub authority_number: Option<String>,
}

const GET: &str = "SELECT transaction_id, organisation, batch, state, form, number, seller, issued,
    mode, due_on, authority_number FROM clearances WHERE transaction_id = ?1";
const ADD: &str = "INSERT INTO clearances (transaction_id, organisation, party, batch, state, form,
    number, seller, issued, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, 'waiting', ?5, ?6, ?7, ?8, ?9, ?9)";

const WITHOUT_FORM: &str = "SELECT transaction_id FROM clearances c
    WHERE batch = ?1 AND state IN ('waiting', 'offline') AND NOT EXISTS
    (SELECT 1 FROM evidence e WHERE e.transaction_id = c.transaction_id AND e.kind = 'form')";

fn read(mut row: SqlRow) -> Result<ClearanceRecord, Fault> {
    Ok(ClearanceRecord {
        transaction: row.parsed("clearances.transaction_id")?,
        organisation: row.parsed("clearances.organisation")?,
        batch: row.text("clearances.batch")?,
        state: row.word("clearances.state", ClearanceState::named)?,
        form: BlobId(row.digest("clearances.form")?),
        number: row.text("clearances.number")?,
        seller: row.text("clearances.seller")?,
        issued: row.parsed("clearances.issued")?,
        mode: row.text_or_none("clearances.mode")?,
        due_on: row.time_or_none("clearances.due_on")?,
        authority_number: row.text_or_none("clearances.authority_number")?,
    })
}

/// Records a document that waits, in the open batch of its party. Answers the file to discard after
/// the commit, if any.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    transaction: &quoin_delivery::Transaction,
    new: &NewClearance,
    form: &Ready,
    sealed: impl FnOnce(&str) -> Result<Vec<u8>, Fault>,
    now: Timestamp,
) -> Result<Option<String>, Error> {
    // The evidence keeps the bytes, for as long as the document.
    let whose = (&transaction.organisation, &transaction.id);
    let surplus = evidence::add(tx, whose, 0, (EvidenceKind::Form, form))?;
    let place = (&transaction.organisation, transaction.party.as_str(), &new.hook);
    let batch = batches::open_batch(tx, place, false, new.sets_off, sealed, now)?;
    let issued = new.issued.to_string();
    let row = [
        transaction.id.as_str().into(),
        transaction.organisation.as_str().into(),
        (&transaction.party).into(),
        (&batch).into(),
        Param::Blob(&form.id.0),
        (&new.number).into(),
        (&new.seller).into(),
        (&issued).into(),
        now.into(),
    ];
    tx.execute(ADD, &row)?;
    batches::grown(tx, &batch, now)?;
    Ok(surplus)
}

/// Documents of a party that were issued without their authority and have to be there soon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueClearances {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party.
    pub party: String,
    /// How many there are.
    pub documents: u64,
    /// Until when the first one has to be there.
    pub first_due: Timestamp,
}

/// Documents of a party that wait for their authority for longer than they should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingClearances {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party.
    pub party: String,
    /// How many there are.
    pub documents: u64,
    /// Since when the first batch of them is there.
    pub since: Timestamp,
}

const WAITING: &str = "SELECT b.organisation, b.party, sum((SELECT count(*) FROM clearances c
        WHERE c.batch = b.id)), min(b.opened_on)
    FROM tasks t JOIN clearance_batches b ON b.id = t.subject
    WHERE t.kind = ?1 AND t.available_on IS NOT NULL AND b.state <> 'done'
        AND (b.offline = 0 AND (b.failed >= ?2 OR b.polls >= ?4)
            OR b.offline = 1 AND b.opened_on <= ?3)
    GROUP BY b.organisation, b.party";
const DUE: &str = "SELECT organisation, party, count(*), min(due_on) FROM clearances
    WHERE state = 'offline' AND due_on <= ?1 GROUP BY organisation, party";

fn of_transaction(db: &mut dyn Connection, id: &str) -> Result<Option<ClearanceRecord>, Fault> {
    db.first(GET, &[id.into()])?.map(read).transpose()
}

impl Store {
    /// Where a document is with its authority; `None` where it has none.
    pub async fn clearance_of(&self, id: &TransactionId) -> Result<Option<ClearanceRecord>, Error> {
        let id = id.clone();
        self.read(move |db| Ok(of_transaction(db, id.as_str())?)).await
    }

    /// Documents of a batch whose bytes are not kept any more, though their authority is to have
    /// them.
    pub async fn clearances_without_form(&self, batch: &str) -> Result<Vec<TransactionId>, Error> {
        let batch = batch.to_owned();
        self.read(move |db| {
            let rows = db.query(WITHOUT_FORM, &[(&batch).into()])?.into_iter();
            let ids = rows.map(|mut row| row.parsed("clearances.transaction_id"));
            Ok(ids.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Documents that were issued without their authority, are not registered yet, and have to be
    /// by a time; by party.
    pub async fn clearances_due(&self, until: Timestamp) -> Result<Vec<DueClearances>, Error> {
        let read = |mut row: SqlRow| -> Result<DueClearances, Fault> {
            Ok(DueClearances {
                organisation: row.parsed("clearances.organisation")?,
                party: row.text("clearances.party")?,
                documents: row.count("clearances")?,
                first_due: row.time("clearances.due_on")?,
            })
        };
        self.read(move |db| {
            let rows = db.query(DUE, &[until.into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Documents that are tried in vain, at least so often in a row, or asked about so often in one
    /// step, or that were issued without their authority before a time; by party.
    pub async fn clearances_waiting(
        &self,
        (failed, polls): (u32, u32),
        issued_by: Timestamp,
    ) -> Result<Vec<WaitingClearances>, Error> {
        let read = |mut row: SqlRow| -> Result<WaitingClearances, Fault> {
            Ok(WaitingClearances {
                organisation: row.parsed("clearance_batches.organisation")?,
                party: row.text("clearance_batches.party")?,
                documents: row.count("clearances")?,
                since: row.time("clearance_batches.opened_on")?,
            })
        };
        self.read(move |db| {
            let key =
                [TaskKind::Clear.as_str().into(), failed.into(), issued_by.into(), polls.into()];
            let rows = db.query(WAITING, &key)?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
