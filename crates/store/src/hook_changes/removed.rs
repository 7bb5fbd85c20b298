//! Hooks that were removed. One that is made anew within a day, under the same id or for the same
//! destination, takes over the calls that were owed and the events that came in between, so that
//! deleting and recreating a hook loses nothing. It does so a piece a commit: first what was owed,
//! then what came meanwhile. Until then nothing else is owed to it, so that its calls keep their
//! order.

use jiff::Timestamp;
use quoin_delivery::hook::SubscriptionMatch;
use quoin_delivery::{EventId, TaskKind};
use uuid::Uuid;

use crate::engine::{Param, SqlRow};
use crate::error::{Error, Fault};
use crate::events::{self, EventRecord, EventSubject};
use crate::fanout::{self, ListeningHook, lane};
use crate::hook_calls::{self, of_subject, subject};
use crate::hooks::{self, Hook, HookScope};
use crate::open::Store;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// Calls and events that are taken over in one commit.
const PIECE: usize = 500;

/// One that was taking over itself leaves what it had not come to.
const REMEMBER: &str = "INSERT INTO removed_hooks
    (organisation, id, party, action, last_event, removed_on, shown, taken_by, told)
    SELECT organisation, id, party, action, coalesce(
        (SELECT min(event) - 1 FROM untold_events WHERE organisation = ?1),
        (SELECT max(seq) FROM events), 0), ?3, shown,
    NULL, (SELECT min(told) FROM removed_hooks r WHERE r.organisation = ?1 AND r.taken_by = ?2)
    FROM hooks WHERE organisation = ?1 AND id = ?2
    ON CONFLICT (organisation, id) DO UPDATE SET party = excluded.party,
    action = excluded.action, last_event = excluded.last_event, removed_on = excluded.removed_on,
    shown = excluded.shown, taken_by = NULL, told = excluded.told";
const FIND: &str = "SELECT id FROM removed_hooks
    WHERE organisation = ?1 AND party IS ?2 AND (coalesce(shown, id) = ?3 OR action = ?4)
    AND taken_by IS NULL AND removed_on > ?5 AND (?6 IS NULL OR removed_on <=
        (SELECT h.created_on FROM hooks h WHERE h.organisation = ?1 AND h.id = ?6))
    ORDER BY coalesce(shown, id) = ?3 DESC, removed_on DESC LIMIT 1";
/// With the newest event of the organisation that a removed one was owed.
const TAKE: &str = "UPDATE removed_hooks SET taken_by = ?3, told = coalesce(told, (
        SELECT e.number FROM events e WHERE e.organisation = ?1
        AND e.seq <= removed_hooks.last_event ORDER BY e.number DESC LIMIT 1), 0)
    WHERE organisation = ?1 AND (id = ?2 OR taken_by = ?2)";
const TAKEN: &str = "SELECT id, told FROM removed_hooks
    WHERE organisation = ?1 AND taken_by = ?2 ORDER BY removed_on";
const TOLD: &str = "UPDATE removed_hooks SET told = ?3 WHERE organisation = ?1 AND taken_by = ?2";
const FORGET: &str = "DELETE FROM removed_hooks WHERE organisation = ?1 AND taken_by = ?2";
const OWED: &str = "SELECT c.id, c.event FROM hook_calls c JOIN events e ON e.seq = c.event
    WHERE c.organisation = ?1 AND c.hook = ?2 AND c.held = 1 AND (?3 IS NULL OR e.party = ?3)
    ORDER BY c.event LIMIT ?4";
/// Those that are not stopped yet.
const PENDING: &str = "SELECT c.id, c.event FROM hook_calls c JOIN events e ON e.seq = c.event
    WHERE c.organisation = ?1 AND c.hook = ?2 AND c.state = 'pending'
    AND (?3 IS NULL OR e.party = ?3) ORDER BY c.event LIMIT ?4";
const DROP_TASK: &str = "DELETE FROM tasks WHERE subject = ?1 AND kind = 'notify'";
const RESUME: &str = "UPDATE hook_calls SET hook = ?2, state = 'pending', held = 0, next_on = ?3,
    batch = NULL, changed_on = ?3 WHERE id = ?1";
const LET_GO: &str =
    "UPDATE hook_calls SET held = 0, state = 'stopped', next_on = NULL WHERE id = ?1";

/// Remembers a hook that is about to be removed. The calls that it was owed are held when they are
/// stopped.
pub(crate) fn remember(tx: &mut Tx<'_>, key: [Param<'_>; 2], now: Timestamp) -> Result<(), Fault> {
    let [organisation, id] = key;
    tx.execute(REMEMBER, &[organisation, id, now.into()])?;
    Ok(())
}

/// Gives a hook that is made now, or is switched on, what one that was removed before it was made
/// is owed: a first piece of it, and the others with a task.
pub(crate) fn take_over(
    tx: &mut Tx<'_>,
    (hook, is_new): (&Hook, bool),
    now: Timestamp,
) -> Result<(), Fault> {
    let owner = &hook.organisation;
    let since = hook_calls::held_since(now);
    let key = [
        owner.as_str().into(),
        hook.scope.party().into(),
        hook.id.as_str().into(),
        (&hook.action).into(),
        since.into(),
        Some(hook.key.as_str()).filter(|_| !is_new).into(),
    ];
    if let Some(mut row) = tx.first(FIND, &key)? {
        let removed = row.text("removed_hooks.id")?;
        tx.execute(TAKE, &[owner.as_str().into(), (&removed).into(), hook.key.as_str().into()])?;
    }
    if piece(tx, hook, now)? {
        tasks::ensure_now(tx, TaskKind::TakeOver, &subject(owner, &hook.key), now)?;
    }
    Ok(())
}

/// Takes a piece over. Answers whether there may be more.
fn piece(tx: &mut Tx<'_>, hook: &Hook, now: Timestamp) -> Result<bool, Fault> {
    let owner = &hook.organisation;
    let key = [owner.as_str().into(), hook.key.as_str().into()];
    let taken = tx.query(TAKEN, &key)?;
    let listener = fanout::listener(tx, owner.as_str(), &hook.key)?;
    // One that is off takes it over when it is switched on.
    let Some(listener) = listener.filter(|_| !taken.is_empty()) else { return Ok(false) };
    let (mut left, mut told, mut before) = (PIECE, None, Vec::new());
    for mut row in taken {
        let (removed, up_to) = (row.text("removed_hooks.id")?, row.integer("removed_hooks.told")?);
        told = Some(told.map_or(up_to, |told: i64| told.min(up_to)));
        for call in owed(tx, (hook, &removed), left)? {
            resume(tx, (hook, &listener), call, now)?;
            left -= 1;
        }
        before.push(removed);
    }
    if left == 0 {
        return Ok(true);
    }
    let after = told.unwrap_or_default();
    let missed = events::beyond(tx.connection(), owner, after, left as i64)?;
    let is_all = missed.len() < left;
    let last = missed.last().map(|event| i64::try_from(event.number).unwrap_or(i64::MAX));
    for event in missed {
        if !was_told(tx, (hook, &before), &event)? {
            tell(tx, (hook, &listener), &event, now)?;
        }
    }
    match (is_all, last) {
        (false, Some(last)) => tx.execute(TOLD, &[key[0], key[1], last.into()])?,
        _ => tx.execute(FORGET, &key)?,
    };
    Ok(!is_all)
}

/// Whether one of the removed ones was told of an event, which many hooks are told in pieces.
fn was_told(
    tx: &mut Tx<'_>,
    (hook, before): (&Hook, &[String]),
    event: &EventRecord,
) -> Result<bool, Fault> {
    for key in before.iter().map(String::as_str).chain([hook.key.as_str()]) {
        if fanout::is_owed(tx, (&hook.organisation, key), event.seq)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The first ones of the calls that a removed hook was owed, by their events. Those that are not
/// stopped yet are among them where the new one has another key; else they are its own already.
fn owed(
    tx: &mut Tx<'_>,
    (hook, removed): (&Hook, &str),
    most: usize,
) -> Result<Vec<(String, EventId)>, Fault> {
    let limit = i64::try_from(most).unwrap_or(i64::MAX);
    let owner = hook.organisation.as_str();
    let key = [owner.into(), removed.into(), hook.scope.party().into(), limit.into()];
    let mut rows = tx.query(OWED, &key)?;
    if removed != hook.key.as_str() {
        rows.extend(tx.query(PENDING, &key)?);
    }
    let read = |mut row: SqlRow| {
        Ok((row.text("hook_calls.id")?, EventId(row.integer("hook_calls.event")?)))
    };
    let mut owed = rows.into_iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
    owed.sort_by_key(|(_, event)| *event);
    owed.truncate(most);
    Ok(owed)
}

/// Has a call made again, or collected again where that is what the new hook does; what the new one
/// does not listen to stays what the removed one missed.
fn resume(
    tx: &mut Tx<'_>,
    (hook, listener): (&Hook, &ListeningHook),
    (call, event): (String, EventId),
    now: Timestamp,
) -> Result<(), Fault> {
    tx.execute(DROP_TASK, &[(&call).into()])?;
    let Some(event) = events::find(tx.connection(), event)? else {
        return tx.execute(LET_GO, &[(&call).into()]).map(|_| ());
    };
    let (subject, topic) = (EventSubject::told(&event), event.topic);
    let hooks = std::slice::from_ref(listener);
    let facts = fanout::facts(tx, hooks, (&subject, topic), &event.details)?;
    match listener.hears(topic, &facts) {
        SubscriptionMatch::Collect => {
            return fanout::collect_again(tx, listener, (&subject, topic), &call, now);
        }
        SubscriptionMatch::Call if !listener.collects() => {}
        // It does not ask for such events, or a batch of them is told under no topic.
        _ => return tx.execute(LET_GO, &[(&call).into()]).map(|_| ()),
    }
    tx.execute(RESUME, &[(&call).into(), hook.key.as_str().into(), now.into()])?;
    let lane = lane(&hook.organisation, hook.key.as_str(), &event.party);
    tasks::add(tx, TaskKind::Notify, &call, now, Some(&lane))
}

/// Owes the hook an event that came in between.
fn tell(
    tx: &mut Tx<'_>,
    (hook, listener): (&Hook, &ListeningHook),
    event: &EventRecord,
    now: Timestamp,
) -> Result<(), Fault> {
    let here = match &hook.scope {
        HookScope::Environment => true,
        HookScope::Party(party) => *party == event.party,
    };
    if !here || event.origin.as_ref() == Some(&hook.key) {
        return Ok(());
    }
    let (subject, topic) = (EventSubject::told(event), event.topic);
    let hooks = std::slice::from_ref(listener);
    let facts = fanout::facts(tx, hooks, (&subject, topic), &event.details)?;
    let hearing = listener.hears(topic, &facts);
    let call = Uuid::now_v7().to_string();
    fanout::owe(tx, (listener, hearing), (&subject, topic, event.seq), &call, now)
}

impl Store {
    /// Gives a hook the next piece of what one that was removed before it is owed.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn take_over_calls(&self, claim: Claim, now: Timestamp) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            let hook = match of_subject(&claim.subject) {
                Some((owner, key)) => hooks::find(tx.connection(), &owner, &key, &secrets)?,
                None => None,
            };
            match hook.map_or(Ok(false), |hook| piece(tx, &hook, now))? {
                true => tasks::postpone(tx, &claim, now),
                false => tasks::finish(tx, &claim),
            }
        })
        .await
    }
}
