//! Hooks that collect: an event goes into the open batch of the hook, which is sealed once it is
//! full.

use jiff::Timestamp;
use quoin_delivery::hook::{BATCH_BYTES, BatchPlan};
use quoin_delivery::{EventId, HookId, OrganisationId, TaskKind, Topic, TransactionId};
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
/// A call that is in the batch already, and one that comes into it.
const STAYS: &str = "UPDATE hook_calls SET state = 'pending', held = 0, changed_on = ?3
    WHERE id = ?1 AND batch = ?2";
const COMES: &str = "UPDATE hook_calls SET hook = ?4, batch = ?2, state = 'pending', tries = 0,
    next_on = NULL, held = 0, changed_on = ?3 WHERE id = ?1";
const TAKEN_UP: &str = "UPDATE hook_calls SET state = 'pending', changed_on = ?3
    WHERE batch IN (SELECT id FROM batches WHERE organisation = ?1 AND hook = ?2
        AND state = 'open') AND state = 'stopped'";
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
    let plan = plan_of(listener)?;
    let batch = open_batch(tx, (listener, &plan), (subject, topic), now)?;
    let (owner, hook) = (subject.organisation.as_str(), &listener.hook);
    let call =
        [call.into(), owner.into(), hook.into(), event.0.into(), (&batch).into(), now.into()];
    tx.execute(ADD_CALL, &call)?;
    grown(tx, &plan, (&batch, subject), now)
}

/// The same of a call that is on record and finished: it is collected once more.
pub(crate) fn collect_again(
    tx: &mut Tx<'_>,
    listener: &ListeningHook,
    (subject, topic): (&EventSubject, Topic),
    call: &str,
    now: Timestamp,
) -> Result<(), Fault> {
    let plan = plan_of(listener)?;
    let batch = open_batch(tx, (listener, &plan), (subject, topic), now)?;
    let row = [call.into(), (&batch).into(), now.into(), (&listener.hook).into()];
    if tx.execute(STAYS, &row[..3])? > 0 {
        return Ok(());
    }
    tx.execute(COMES, &row)?;
    grown(tx, &plan, (&batch, subject), now)
}

/// Takes up again what was stopped in the open batches of a hook.
pub(crate) fn take_up(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    hook: &HookId,
    now: Timestamp,
) -> Result<(), Fault> {
    tx.execute(TAKEN_UP, &[owner.as_str().into(), hook.as_str().into(), now.into()])?;
    Ok(())
}

fn plan_of(listener: &ListeningHook) -> Result<BatchPlan, Fault> {
    BatchPlan::parse(&listener.action).map_err(|e| Fault::record("hooks.action", e))
}

/// The open batch of a hook; a new one, with its task, where there is none.
fn open_batch(
    tx: &mut Tx<'_>,
    (listener, plan): (&ListeningHook, &BatchPlan),
    (subject, topic): (&EventSubject, Topic),
    now: Timestamp,
) -> Result<String, Fault> {
    let (owner, hook) = (subject.organisation.as_str(), &listener.hook);
    let key = [owner.into(), hook.into(), (&subject.party).into(), topic.as_str().into()];
    if let Some(mut row) = tx.first(OPEN, &key)? {
        return row.text("batches.id");
    }
    let id = Uuid::now_v7().to_string();
    let [owner, hook, party, topic] = key;
    tx.execute(ADD, &[(&id).into(), owner, hook, party, topic, now.into()])?;
    let due = now.saturating_add(plan.period).unwrap_or(Timestamp::MAX);
    tasks::add(tx, TaskKind::Batch, &id, due, None)?;
    Ok(id)
}

/// One more event is in a batch. A full one is sealed.
fn grown(
    tx: &mut Tx<'_>,
    plan: &BatchPlan,
    (batch, subject): (&str, &EventSubject),
    now: Timestamp,
) -> Result<(), Fault> {
    let transaction = subject.transaction.as_ref().map(TransactionId::as_str);
    let grown = tx.first(GROW, &[batch.into(), transaction.into()])?;
    let mut grown = grown.ok_or_else(|| Fault::record("batches", "nothing"))?;
    let events: u32 = grown.count("batches.events")?;
    let bytes = grown.integer("batches.bytes")?;
    if events >= plan.most || bytes >= BATCH_BYTES {
        tx.execute(SEAL_BATCH, &[batch.into()])?;
        tasks::bring_forward(tx, batch, now)?;
    }
    Ok(())
}
