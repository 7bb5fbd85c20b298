//! Hooks that were removed. One that is made anew within a day, under the same id or for the same
//! destination, takes over the calls that were owed and the events that came in between, so that
//! deleting and recreating a hook loses nothing.

use jiff::Timestamp;
use quoin_delivery::hook::SubscriptionMatch;
use quoin_delivery::{EventId, TaskKind};
use uuid::Uuid;

use crate::engine::{Param, SqlRow};
use crate::error::Fault;
use crate::events::{self, EventSubject};
use crate::fanout::{self, ListeningHook, lane};
use crate::hook_calls;
use crate::hooks::{Hook, HookScope};
use crate::tasks;
use crate::writer::Tx;

/// Events that came in between, at most.
pub(super) const MISSED_LIMIT: i64 = 10_000;

const REMEMBER: &str = "INSERT INTO removed_hooks
    (organisation, id, party, action, last_event, removed_on, shown)
    SELECT organisation, id, party, action, (SELECT coalesce(max(seq), 0) FROM events), ?3, shown
    FROM hooks WHERE organisation = ?1 AND id = ?2
    ON CONFLICT (organisation, id) DO UPDATE SET party = excluded.party,
    action = excluded.action, last_event = excluded.last_event, removed_on = excluded.removed_on,
    shown = excluded.shown";
const FIND: &str = "SELECT id, last_event, removed_on FROM removed_hooks
    WHERE organisation = ?1 AND party IS ?2 AND (coalesce(shown, id) = ?3 OR action = ?4)
    AND removed_on > ?5 AND (?6 IS NULL OR removed_on <=
        (SELECT h.created_on FROM hooks h WHERE h.organisation = ?1 AND h.id = ?6))
    ORDER BY coalesce(shown, id) = ?3 DESC, removed_on DESC LIMIT 1";
const FORGET: &str = "DELETE FROM removed_hooks WHERE organisation = ?1 AND id = ?2";
const OWED: &str = "SELECT c.id, c.event FROM hook_calls c JOIN events e ON e.seq = c.event
    WHERE c.organisation = ?1 AND c.hook = ?2 AND c.held = 1 AND (?3 IS NULL OR e.party = ?3)
    ORDER BY c.event";
/// Those that are not stopped yet.
const PENDING: &str = "SELECT c.id, c.event FROM hook_calls c JOIN events e ON e.seq = c.event
    WHERE c.organisation = ?1 AND c.hook = ?2 AND c.state = 'pending'
    AND (?3 IS NULL OR e.party = ?3) ORDER BY c.event";
const DROP_TASK: &str = "DELETE FROM tasks WHERE subject = ?1 AND kind = 'notify'";
const RESUME: &str = "UPDATE hook_calls SET hook = ?2, state = 'pending', held = 0, next_on = ?3,
    batch = NULL, changed_on = ?3 WHERE id = ?1";
const LET_GO: &str = "UPDATE hook_calls SET held = 0 WHERE id = ?1";

/// Remembers a hook that is about to be removed. The calls that it was owed are held when they are
/// stopped.
pub(crate) fn remember(tx: &mut Tx<'_>, key: [Param<'_>; 2], now: Timestamp) -> Result<(), Fault> {
    let [organisation, id] = key;
    tx.execute(REMEMBER, &[organisation, id, now.into()])?;
    Ok(())
}

/// Gives a hook that is made now, or is switched on, what one that was removed before it was made
/// is owed.
pub(crate) fn take_over(
    tx: &mut Tx<'_>,
    (hook, is_new): (&Hook, bool),
    now: Timestamp,
) -> Result<(), Fault> {
    let owner = &hook.organisation;
    let party: Param<'_> = hook.scope.party().into();
    let since = hook_calls::held_since(now);
    let key = [
        owner.as_str().into(),
        party,
        hook.id.as_str().into(),
        (&hook.action).into(),
        since.into(),
        Some(hook.key.as_str()).filter(|_| !is_new).into(),
    ];
    let Some(mut row) = tx.first(FIND, &key)? else { return Ok(()) };
    let listener = fanout::listener(tx, owner.as_str(), &hook.key)?;
    let Some(listener) = listener else { return Ok(()) };
    let removed = row.text("removed_hooks.id")?;
    let last = EventId(row.integer("removed_hooks.last_event")?);
    let removed_on = row.time("removed_hooks.removed_on")?;
    let before = [owner.as_str().into(), (&removed).into()];
    let [organisation, id] = before;
    for call in owed(tx, [organisation, id, party], removed != hook.key.as_str())? {
        resume(tx, (hook, &listener), call, now)?;
    }
    missed(tx, (hook, &listener), (last, removed_on), now)?;
    tx.execute(FORGET, &before)?;
    Ok(())
}

/// The calls that a removed hook was owed, by their events. Those that are not stopped yet are
/// among them where the new one has another key; else they are its own already.
fn owed(
    tx: &mut Tx<'_>,
    key: [Param<'_>; 3],
    with_pending: bool,
) -> Result<Vec<(String, EventId)>, Fault> {
    let mut rows = tx.query(OWED, &key)?;
    if with_pending {
        rows.extend(tx.query(PENDING, &key)?);
    }
    let read = |mut row: SqlRow| {
        Ok((row.text("hook_calls.id")?, EventId(row.integer("hook_calls.event")?)))
    };
    let mut owed = rows.into_iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
    owed.sort_by_key(|(_, event)| *event);
    Ok(owed)
}

/// Has a call made again, or collected again where that is what the new hook does.
fn resume(
    tx: &mut Tx<'_>,
    (hook, listener): (&Hook, &ListeningHook),
    (call, event): (String, EventId),
    now: Timestamp,
) -> Result<(), Fault> {
    tx.execute(DROP_TASK, &[(&call).into()])?;
    let Some(event) = events::find(tx.connection(), event)? else { return Ok(()) };
    if listener.collects() {
        let (subject, topic) = (EventSubject::told(&event), event.topic);
        let hooks = std::slice::from_ref(listener);
        let facts = fanout::facts(tx, hooks, (&subject, topic), &event.details)?;
        return match listener.hears(topic, &facts) {
            SubscriptionMatch::Collect => {
                fanout::collect_again(tx, listener, (&subject, topic), &call, now)
            }
            // A batch of such events is told under no topic.
            _ => tx.execute(LET_GO, &[(&call).into()]).map(|_| ()),
        };
    }
    tx.execute(RESUME, &[(&call).into(), hook.key.as_str().into(), now.into()])?;
    let lane = lane(&hook.organisation, hook.key.as_str(), &event.party);
    tasks::add(tx, TaskKind::Notify, &call, now, Some(&lane))
}

fn missed(
    tx: &mut Tx<'_>,
    (hook, listener): (&Hook, &ListeningHook),
    since: (EventId, Timestamp),
    now: Timestamp,
) -> Result<(), Fault> {
    let owner = &hook.organisation;
    for event in events::after(tx.connection(), owner, since, MISSED_LIMIT)? {
        let here = match &hook.scope {
            HookScope::Environment => true,
            HookScope::Party(party) => *party == event.party,
        };
        if !here || event.origin.as_ref() == Some(&hook.key) {
            continue;
        }
        let (subject, topic) = (EventSubject::told(&event), event.topic);
        let hooks = std::slice::from_ref(listener);
        let facts = fanout::facts(tx, hooks, (&subject, topic), &event.details)?;
        let hearing = listener.hears(topic, &facts);
        let call = Uuid::now_v7().to_string();
        fanout::owe(tx, (listener, hearing), (&subject, topic, event.seq), &call, now)?;
    }
    Ok(())
}
