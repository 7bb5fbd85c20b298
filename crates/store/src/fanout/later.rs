//! Events that more hooks hear than one commit tells: they are told a piece a commit, one event
//! after the other, and so are those that come meanwhile, so that each hook hears of them in their
//! order.

use jiff::Timestamp;
use quoin_delivery::{EventId, OrganisationId, TaskKind, ids};

use super::{listeners, owe};
use crate::error::{Error, Fault};
use crate::events::{self, EventRecord, EventSubject};
use crate::open::Store;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// Calls that are owed in one operation.
pub(super) const PIECE: usize = 500;

const LEAVE: &str = "INSERT INTO untold_events (organisation, event, hook) VALUES (?1, ?2, '')";
const IS_ANY: &str = "SELECT 1 FROM untold_events LIMIT 1";
const IS_BEHIND: &str = "SELECT 1 FROM untold_events WHERE organisation = ?1 LIMIT 1";
const OLDEST: &str = "SELECT event, hook FROM untold_events
    WHERE organisation = ?1 ORDER BY event LIMIT 1";
const UP_TO: &str = "UPDATE untold_events SET hook = ?3 WHERE organisation = ?1 AND event = ?2";
const TOLD: &str = "DELETE FROM untold_events WHERE organisation = ?1 AND event = ?2";
const IS_OWED: &str = "SELECT 1 FROM hook_calls
    WHERE organisation = ?1 AND hook = ?2 AND event = ?3 LIMIT 1";

/// Whether an event that so many hooks hear is told later: there are more than one operation tells,
/// or some of the organisation are still to be told of an earlier one.
pub(super) fn is_to_wait(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    listeners: usize,
) -> Result<bool, Fault> {
    if listeners == 0 {
        return Ok(false);
    }
    if tx.may_be_behind() {
        if tx.first(IS_BEHIND, &[owner.as_str().into()])?.is_some() {
            return Ok(true);
        }
        let is_any = tx.first(IS_ANY, &[])?.is_some();
        tx.note_behind(is_any);
    }
    Ok(!tx.may_owe(listeners, PIECE))
}

/// Leaves an event to be told later, by a task.
pub(super) fn leave(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    event: EventId,
    now: Timestamp,
) -> Result<(), Fault> {
    tx.execute(LEAVE, &[owner.as_str().into(), event.0.into()])?;
    tx.note_behind(true);
    tasks::ensure_unseen(tx, TaskKind::Tell, owner.as_str(), now)
}

/// Whether a hook was told of an event, or is to be.
pub(crate) fn is_owed(
    tx: &mut Tx<'_>,
    (owner, hook): (&OrganisationId, &str),
    event: EventId,
) -> Result<bool, Fault> {
    let key = [owner.as_str().into(), hook.into(), event.0.into()];
    Ok(tx.first(IS_OWED, &key)?.is_some())
}

/// Tells a piece. Answers whether there may be more.
fn piece(tx: &mut Tx<'_>, owner: &OrganisationId, now: Timestamp) -> Result<bool, Fault> {
    let mut left = PIECE;
    while left > 0 {
        let Some(mut row) = tx.first(OLDEST, &[owner.as_str().into()])? else { return Ok(false) };
        let event = EventId(row.integer("untold_events.event")?);
        let after = row.text("untold_events.hook")?;
        let (told, last) = match events::find(tx.connection(), event)? {
            Some(event) => tell(tx, &event, (&after, left), now)?,
            None => (0, None),
        };
        let key = [owner.as_str().into(), event.0.into()];
        match &last {
            Some(last) => tx.execute(UP_TO, &[key[0], key[1], last.into()])?,
            None => tx.execute(TOLD, &key)?,
        };
        left -= told;
    }
    Ok(true)
}

/// Owes an event to the next ones of the hooks that hear it and were there when it happened, which
/// the order of recording says, whatever the clock did.
/// Answers how many they are, and the last of them where there are others after it.
fn tell(
    tx: &mut Tx<'_>,
    event: &EventRecord,
    (after, most): (&str, usize),
    now: Timestamp,
) -> Result<(usize, Option<String>), Fault> {
    let subject = EventSubject::told(event);
    let mut hooks = listeners(tx, &subject, (event.topic, &event.details))?;
    hooks.retain(|(one, _)| one.hook.as_str() > after && one.after < event.seq);
    hooks.sort_by(|(one, _), (other, _)| one.hook.cmp(&other.hook));
    let told = hooks.len().min(most);
    for (listener, hearing) in hooks.iter().take(most) {
        // One that took over what another one was owed came to the event by itself.
        if !is_owed(tx, (&event.organisation, &listener.hook), event.seq)? {
            let call = ids::call_id(&event.id, &listener.hook).to_string();
            owe(tx, (listener, *hearing), (&subject, event.topic, event.seq), &call, now)?;
        }
    }
    let last = hooks.get(told.saturating_sub(1)).filter(|_| told < hooks.len());
    Ok((told, last.map(|(one, _)| one.hook.clone())))
}

impl Store {
    /// Tells hooks of an organisation the next piece of the events that many of them hear.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn tell_on(&self, claim: Claim, now: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            let owner: Option<OrganisationId> = claim.subject.parse().ok();
            match owner.map_or(Ok(false), |owner| piece(tx, &owner, now))? {
                true => tasks::postpone(tx, &claim, now),
                false => tasks::finish(tx, &claim),
            }
        })
        .await
    }
}
