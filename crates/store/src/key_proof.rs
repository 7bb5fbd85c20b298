//! Whether the key of a store is the one that its secrets were sealed with. A known text lies
//! sealed in the database and is opened at each start, so that a wrong key is told then, and not
//! by the first secret that is asked for; nor are there ever secrets under two keys.

use quoin_delivery::{HookId, OrganisationId};

use crate::engine::Connection;
use crate::error::Fault;
use crate::secrets::{SecretBox, clearance_place, hook_place};

/// It belongs to no version of the schema: an earlier program passes it over.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS key_proof (
    one INTEGER PRIMARY KEY CHECK (one = 1), sealed BLOB NOT NULL) STRICT";
const IS_THERE: &str = "SELECT 1 FROM sqlite_master WHERE name = 'key_proof'";
const GET: &str = "SELECT sealed FROM key_proof";
const PUT: &str = "INSERT INTO key_proof (one, sealed) VALUES (1, ?1)";
const HAS_BATCHES: &str = "SELECT 1 FROM sqlite_master WHERE name = 'clearance_batches'";
const HAS_HOOKS: &str = "SELECT 1 FROM sqlite_master WHERE name = 'hooks'";
const A_HOOK: &str = "SELECT organisation, id, secrets FROM hooks LIMIT 1";
const A_BATCH: &str = "SELECT id, memory FROM clearance_batches ORDER BY id LIMIT 1";

/// What is sealed, and the place that it is sealed for.
const TEXT: &[u8] = b"the key of this store";
const PLACE: &str = "key proof";

/// Whether the key opens what was sealed at the first start. Answers whether there is such a text.
/// Nothing is changed.
///
/// Errors: [`Fault::WrongKey`].
pub(crate) fn compare(db: &mut dyn Connection, secrets: &SecretBox) -> Result<bool, Fault> {
    if db.first(IS_THERE, &[])?.is_none() {
        return Ok(false);
    }
    let Some(mut row) = db.first(GET, &[])? else { return Ok(false) };
    opens(secrets, PLACE, &row.blob("key_proof.sealed")?)?;
    Ok(true)
}

/// Asks one of the secrets of a store that has no such text yet, of whatever schema it is. Nothing
/// is changed.
///
/// Errors: [`Fault::WrongKey`].
pub(crate) fn ask(db: &mut dyn Connection, secrets: &SecretBox) -> Result<(), Fault> {
    let mut first = |is_there, secret| match db.first(is_there, &[])? {
        Some(_) => db.first(secret, &[]),
        None => Ok(None),
    };
    if let Some(mut row) = first(HAS_HOOKS, A_HOOK)? {
        let owner: OrganisationId = row.parsed("hooks.organisation")?;
        let key: HookId = row.parsed("hooks.id")?;
        opens(secrets, &hook_place(&owner, &key), &row.blob("hooks.secrets")?)?;
    }
    if let Some(mut row) = first(HAS_BATCHES, A_BATCH)? {
        let place = clearance_place(&row.text("clearance_batches.id")?);
        opens(secrets, &place, &row.blob("clearance_batches.memory")?)?;
    }
    Ok(())
}

/// Seals the text in a store that has none yet. One that has secrets already is asked for one of
/// them first.
///
/// Errors: [`Fault::WrongKey`].
pub(crate) fn begin(db: &mut dyn Connection, secrets: &SecretBox) -> Result<(), Fault> {
    ask(db, secrets)?;
    db.batch(TABLE)?;
    db.execute(PUT, &[secrets.seal(PLACE, TEXT)?.as_slice().into()])?;
    Ok(())
}

fn opens(secrets: &SecretBox, place: &str, sealed: &[u8]) -> Result<(), Fault> {
    secrets.open(place, sealed).map(|_| ()).map_err(|_| Fault::WrongKey)
}

/// Makes the table, for tests of its statements.
#[cfg(test)]
pub(crate) fn make(db: &mut dyn Connection) -> Result<(), Fault> {
    db.batch(TABLE)
}
