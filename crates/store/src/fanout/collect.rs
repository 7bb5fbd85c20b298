//! Hooks that collect: an event goes into the open batch of the hook, which is sealed once it is
//! full.

use jiff::Timestamp;
use quoin_delivery::hook::{BATCH_BYTES, BatchPlan};
use quoin_delivery::{EventId, TaskKind, Topic};
use uuid::Uuid;

use super::ListeningHook;
use crate::error::Fault;
use crate::events::EventSubject;
use crate::tasks;
use crate::writer::Tx;

const OPEN: &str = "SELECT id, events, bytes FROM batches
    WHERE organisation = ?1 AND hook = ?2 AND party = ?3 AND topic = ?4 AND state = 'open'";
const ADD: &str = "INSERT INTO batches
    (id, organisation, hook, party, topic, state, events, bytes, opened_on)
    VALUES (?1, ?2, ?3, ?4, ?5, 'open', 0, 0, ?6)";
const ADD_CALL: &str = "INSERT INTO hook_calls (id, organisation, hook, event, state, tries,
    next_on, batch, held, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, 'pending', 0, NULL, ?5, 0, ?6, ?6)";
const GROW: &str = "UPDATE batches SET events = events + 1, bytes = bytes + coalesce(
    (SELECT size FROM transactions WHERE id = ?2), 0) WHERE id = ?1 RETURNING events, bytes";
/// Seals a batch that is open.
pub(crate) const SEAL_BATCH: &str =
    "UPDATE batches SET state = 'sealed' WHERE id = ?1 AND state = 'open'";

/// Puts an event into the open batch of a hook, and opens one where there is none.
pub(super) fn collect(
    tx: &mut Tx<'_>,
    listener: &ListeningHook,
    (subject, topic, event): (&EventSubject, Topic, EventId),
    call: &str,
    now: Timestamp,
) -> Result<(), Fault> {
    let action = &listener.action;
    let plan = BatchPlan::parse(action).map_err(|e| Fault::record("hooks.action", e))?;
    let (owner, hook) = (subject.organisation.as_str(), &listener.hook);
    let key = [owner.into(), hook.into(), (&subject.party).into(), topic.as_str().into()];
    let batch = match tx.first(OPEN, &key)? {
        Some(mut row) => row.text("batches.id")?,
        None => {
            let id = Uuid::now_v7().to_string();
            let [owner, hook, party, topic] = key;
            tx.execute(ADD, &[(&id).into(), owner, hook, party, topic, now.into()])?;
            let due = now.saturating_add(plan.period).unwrap_or(Timestamp::MAX);
            tasks::add(tx, TaskKind::Batch, &id, due, None)?;
            id
        }
    };
    let call =
        [call.into(), owner.into(), hook.into(), event.0.into(), (&batch).into(), now.into()];
    tx.execute(ADD_CALL, &call)?;
    let transaction = subject.transaction.as_ref().map(quoin_delivery::TransactionId::as_str);
    let grown = tx.first(GROW, &[(&batch).into(), transaction.into()])?;
    let mut grown = grown.ok_or_else(|| Fault::record("batches", "nothing"))?;
    let events: u32 = grown.count("batches.events")?;
    let bytes = grown.integer("batches.bytes")?;
    if events >= plan.most || bytes >= BATCH_BYTES {
        tx.execute(SEAL_BATCH, &[(&batch).into()])?;
        tasks::bring_forward(tx, &batch, now)?;
    }
    Ok(())
}
