//! The record of a document, whichever way it comes in.

use quoin_delivery::Transaction;

use super::known::known_document;
use super::{New, RecordOutcome};
use crate::engine::Param;
use crate::error::Fault;
use crate::parties;
use crate::writer::Tx;

/// How often in a row a party that was looked up may have become part of another one.
const MOST: usize = 8;
/// Nothing where the organisation has a document of this id already.
const ADD: &str = "INSERT INTO transactions
    (id, organisation, party, document_id, direction, family, status, attempts, version,
     sender, receiver, number, source_document_type, process, country_c1, country_c4, channel,
     message_id, instance_id, access_point, envelope_sender, blob, sha256, size,
     created_on, changed_on, issued_on, type_code)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 1, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
     ?19, ?20, ?20, ?21, ?22, ?22, ?23, ?24)
    ON CONFLICT (organisation, direction, document_id) DO NOTHING";

/// Where the party of a transaction became part of another one since it was looked up, it is that
/// one's.
fn by_now(tx: &mut Tx<'_>, t: &mut Transaction) -> Result<(), Fault> {
    for _ in 0..MOST {
        let Some(kept) = tx.absorbed().kept(&t.organisation, &t.party) else { break };
        // It is there again, or never went.
        if parties::find(tx.connection(), &t.organisation, &t.party)?.is_some() {
            break;
        }
        t.party = kept;
    }
    Ok(())
}

/// Records a transaction, of the party that its own is by now. Answers whether it is new: false
/// where its organisation has a document of the same id and direction, and nothing was recorded.
pub(super) fn add(tx: &mut Tx<'_>, new: &mut New) -> Result<bool, Fault> {
    by_now(tx, &mut new.transaction)?;
    let t = &new.transaction;
    let [from, to, number, kind, process, c1, c4, issued_on, type_code] = new.facts.params();
    let row = [
        t.id.as_str().into(),
        t.organisation.as_str().into(),
        (&t.party).into(),
        t.document_id.as_str().into(),
        t.direction.as_str().into(),
        t.family.row().name.into(),
        t.status.as_str().into(),
        from,
        to,
        number,
        kind,
        process,
        c1,
        c4,
        new.channel.as_ref().into(),
        (&new.message_id).into(),
        (&new.instance_id).into(),
        new.access_point.as_ref().into(),
        new.envelope_sender.as_ref().into(),
        Param::Blob(&new.blob.id.0),
        i64::try_from(new.blob.size).unwrap_or(i64::MAX).into(),
        new.now.into(),
        issued_on,
        type_code,
    ];
    Ok(tx.execute(ADD, &row)? > 0)
}

/// Records what came. Where its id is that of another document, that one is answered and nothing
/// was recorded: of one that came, or, where the id was chosen by a caller, of any.
pub(super) fn add_incoming(
    tx: &mut Tx<'_>,
    new: &mut New,
    is_named: bool,
) -> Result<Option<RecordOutcome>, Fault> {
    if is_named && let Some(known) = known_document(tx.connection(), new)? {
        return Ok(Some(known));
    }
    if add(tx, new)? {
        return Ok(None);
    }
    let known = known_document(tx.connection(), new)?;
    let missing = || Fault::record("transactions.document_id", &new.transaction.document_id);
    Ok(Some(known.ok_or_else(missing)?))
}
