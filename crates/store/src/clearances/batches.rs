//! The batches in which documents go to an authority.

use jiff::Timestamp;
use quoin_delivery::{HookId, OrganisationId, TaskKind};
use uuid::Uuid;

use super::{BATCH_DOCUMENTS, ClearanceRecord, read};
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::secrets::{SecretBox, clearance_place};
use crate::tasks;
use crate::writer::Tx;

/// A batch with its documents.
#[derive(Debug, Clone)]
pub struct ClearanceBatch {
    /// Its id.
    pub id: String,
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party.
    pub party: String,
    /// The key of the hook that is the authority.
    pub hook: HookId,
    /// Whether its documents were issued without the authority.
    pub offline: bool,
    /// Whether it takes no more documents.
    pub is_closed: bool,
    /// The step that comes next, as the room of the authority calls it.
    pub step: String,
    /// What it remembers between its steps; empty at the start. Sealed at rest.
    pub memory: Vec<u8>,
    /// How often in a row the step failed.
    pub failed: u32,
    /// How often the authority was asked whether it is done.
    pub polls: u32,
    /// Its documents, by transaction.
    pub documents: Vec<ClearanceRecord>,
}

const GET: &str =
    "SELECT id, organisation, party, hook, offline, state, step, memory, failed, polls
    FROM clearance_batches WHERE id = ?1";
const DOCUMENTS: &str = "SELECT transaction_id, organisation, batch, state, form, number, seller,
    issued, mode, due_on, authority_number FROM clearances WHERE batch = ?1 ORDER BY transaction_id";
const OPEN: &str = "SELECT id FROM clearance_batches WHERE organisation = ?1 AND hook = ?2
    AND party = ?3 AND offline = ?4 AND state = 'open'";
const ADD: &str = "INSERT INTO clearance_batches (id, organisation, hook, party, offline, state,
    step, memory, documents, failed, polls, opened_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?8, 'upload', ?6, ?9, 0, 0, ?7, ?7)";
const GROW: &str = "UPDATE clearance_batches SET documents = documents + 1 WHERE id = ?1
    RETURNING documents";
/// A batch that takes no more documents.
pub(super) const CLOSE: &str =
    "UPDATE clearance_batches SET state = 'closed' WHERE id = ?1 AND state = 'open'";

/// The open batch of a party; a new one, with its task, where there is none.
pub(super) fn open_batch(
    tx: &mut Tx<'_>,
    (owner, party, hook): (&OrganisationId, &str, &HookId),
    offline: bool,
    sets_off: Timestamp,
    sealed: impl FnOnce(&str) -> Result<Vec<u8>, Fault>,
    now: Timestamp,
) -> Result<String, Error> {
    let key = [owner.as_str().into(), hook.as_str().into(), party.into(), offline.into()];
    if let Some(mut row) = tx.first(OPEN, &key)? {
        let id = row.text("clearance_batches.id")?;
        // One that is due sooner takes the others along. Whoever has the task of an open batch in
        // hand has not closed it yet, and takes its documents only from what is in it then.
        tasks::ensure_unseen(tx, TaskKind::Clear, &id, sets_off)?;
        return Ok(id);
    }
    let id = Uuid::now_v7().to_string();
    let memory = sealed(&clearance_place(&id))?;
    let [owner, hook, party, offline] = key;
    let (memory, state) = (Param::Blob(&memory), "open".into());
    let row = [(&id).into(), owner, hook, party, offline, memory, now.into(), state, 0_u32.into()];
    tx.execute(ADD, &row)?;
    tasks::add(tx, TaskKind::Clear, &id, sets_off, None)?;
    Ok(id)
}

/// A batch that takes so many documents and no others, and remembers something from its start.
pub(super) fn closed_batch(
    tx: &mut Tx<'_>,
    (owner, party, hook): (&OrganisationId, &str, &HookId),
    (offline, documents): (bool, u32),
    sets_off: Timestamp,
    sealed: impl FnOnce(&str) -> Result<Vec<u8>, Fault>,
    now: Timestamp,
) -> Result<String, Error> {
    let id = Uuid::now_v7().to_string();
    let memory = sealed(&clearance_place(&id))?;
    let row = [
        (&id).into(),
        owner.as_str().into(),
        hook.as_str().into(),
        party.into(),
        offline.into(),
        Param::Blob(&memory),
        now.into(),
        "closed".into(),
        documents.into(),
    ];
    tx.execute(ADD, &row)?;
    tasks::add(tx, TaskKind::Clear, &id, sets_off, None)?;
    Ok(id)
}

/// One more document is in a batch. A full one sets off.
pub(super) fn grown(tx: &mut Tx<'_>, id: &str, now: Timestamp) -> Result<(), Error> {
    let mut row = tx
        .first(GROW, &[id.into()])?
        .ok_or_else(|| Fault::record("clearance_batches", "nothing"))?;
    let count: u32 = row.count("clearance_batches.documents")?;
    if count >= BATCH_DOCUMENTS {
        tx.execute(CLOSE, &[id.into()])?;
        tasks::bring_forward(tx, id, now)?;
    }
    Ok(())
}

/// A batch with its documents.
pub(crate) fn find(
    db: &mut dyn Connection,
    id: &str,
    secrets: &SecretBox,
) -> Result<Option<ClearanceBatch>, Fault> {
    let Some(row) = db.first(GET, &[id.into()])? else { return Ok(None) };
    let mut batch = read_batch(row, secrets)?;
    let rows = db.query(DOCUMENTS, &[id.into()])?;
    batch.documents = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(Some(batch))
}

fn read_batch(mut row: SqlRow, secrets: &SecretBox) -> Result<ClearanceBatch, Fault> {
    let id = row.text("clearance_batches.id")?;
    Ok(ClearanceBatch {
        organisation: row.parsed("clearance_batches.organisation")?,
        party: row.text("clearance_batches.party")?,
        hook: row.parsed("clearance_batches.hook")?,
        offline: row.yes("clearance_batches.offline")?,
        is_closed: row.text("clearance_batches.state")? != "open",
        step: row.text("clearance_batches.step")?,
        memory: secrets.open(&clearance_place(&id), &row.blob("clearance_batches.memory")?)?,
        failed: row.count("clearance_batches.failed")?,
        polls: row.count("clearance_batches.polls")?,
        documents: Vec::new(),
        id,
    })
}
