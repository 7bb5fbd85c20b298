//! Replays: calls that are made again, one by its id or all of a period. What a hook was never owed
//! (it was switched off, or did not exist yet) is owed to it by the replay of its period.

use jiff::Timestamp;
use quoin_delivery::hook::SubscriptionMatch;
use quoin_delivery::{EventId, HookId, OrganisationId, TaskKind};
use uuid::Uuid;

use crate::engine::Param;
use crate::error::{Error, Fault, Refusal};
use crate::events::{self, EventRecord, EventSubject};
use crate::fanout::{self, ListeningHook, lane};
use crate::hook_calls::CallState;
use crate::hooks::HookScope;
use crate::open::Store;
use crate::tasks;
use crate::writer::Tx;

/// Events that are looked at in one commit.
const STEP: usize = 500;

/// Which calls of a hook are made again.
#[derive(Debug, Clone)]
pub struct ReplayPeriod {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the hook.
    pub hook: HookId,
    /// Its scope.
    pub scope: HookScope,
    /// Events from this time on.
    pub from: Timestamp,
    /// Events before this time.
    pub until: Timestamp,
    /// Leave out what was delivered.
    pub undelivered: bool,
}

const REPLAY: &str = "UPDATE hook_calls SET state = 'pending', tries = 0, next_on = ?3, held = 0,
    batch = NULL, changed_on = ?3 WHERE organisation = ?1 AND id = ?2 AND state <> 'pending'
    AND (batch IS NULL OR ?4 = 1) RETURNING hook, event";
const CALL_OF: &str = "SELECT id, state FROM hook_calls
    WHERE organisation = ?1 AND hook = ?2 AND event = ?3 LIMIT 1";

/// Has a finished call made again; one of a batch only where that is said.
fn again(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    (id, of_batch): (&str, bool),
    now: Timestamp,
) -> Result<(), Error> {
    let key = [owner.as_str().into(), id.into(), now.into(), of_batch.into()];
    let missing = || Refusal::NotFound { what: "finished hook call", key: id.to_owned() };
    let mut row = tx.first(REPLAY, &key)?.ok_or_else(missing)?;
    let hook: HookId = row.parsed("hook_calls.hook")?;
    let event = EventId(row.integer("hook_calls.event")?);
    // No call is made of a hook that is off.
    if fanout::listener(tx, owner.as_str(), &hook)?.is_none() {
        return Err(Refusal::NotFound { what: "active hook", key: hook.to_string() }.into());
    }
    let event =
        events::find(tx.connection(), event)?.ok_or_else(|| Fault::record("events", "nothing"))?;
    tasks::add(tx, TaskKind::Notify, id, now, Some(&lane(owner, hook.as_str(), &event.party)))?;
    Ok(())
}

/// Answers whether a call of the event will be made, or whether it is collected.
fn one(
    tx: &mut Tx<'_>,
    period: &ReplayPeriod,
    listener: &ListeningHook,
    event: EventRecord,
    now: Timestamp,
) -> Result<bool, Error> {
    let here = match &period.scope {
        HookScope::Environment => true,
        HookScope::Party(party) => *party == event.party,
    };
    let (topic, seq) = (event.topic, event.seq);
    let own = event.origin.as_ref() == Some(&period.hook);
    let subject = EventSubject::told(&event);
    let hooks = std::slice::from_ref(listener);
    let facts = fanout::facts(tx, hooks, (&subject, topic), &event.details)?;
    let hearing = listener.hears(topic, &facts);
    if !here || hearing == SubscriptionMatch::Nothing || own {
        return Ok(false);
    }
    let owner = &period.organisation;
    let key: [Param<'_>; 3] = [owner.as_str().into(), period.hook.as_str().into(), seq.0.into()];
    if let Some(mut row) = tx.first(CALL_OF, &key)? {
        let id = row.text("hook_calls.id")?;
        let state = row.word("hook_calls.state", CallState::named)?;
        let wanted = match state {
            CallState::Pending => false,
            CallState::Delivered => !period.undelivered,
            CallState::Stopped => true,
        };
        match hearing {
            _ if !wanted => {}
            SubscriptionMatch::Collect => {
                fanout::collect_again(tx, listener, (&subject, topic), &id, now)?;
            }
            _ => again(tx, owner, (&id, true), now)?,
        }
        return Ok(wanted);
    }
    let call = Uuid::now_v7().to_string();
    fanout::owe(tx, (listener, hearing), (&subject, topic, seq), &call, now)?;
    Ok(true)
}

impl Store {
    /// Makes a finished call again, under the same delivery id and with a fresh schedule. What was
    /// collected is collected again with its period.
    ///
    /// Errors: [`Refusal::NotFound`] where there is no such call, it is pending anyway, or its hook
    /// is not active.
    pub async fn replay_call(
        &self,
        organisation: &OrganisationId,
        call: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (owner, id) = (organisation.clone(), call.to_owned());
        self.write(move |tx| again(tx, &owner, (&id, false), now)).await
    }

    /// Makes the calls of a period again, in the order of their events; answers how many. Those
    /// that are pending anyway are not counted.
    ///
    /// Errors: [`Refusal::NotFound`] where the hook is not there or not active.
    pub async fn replay_period(
        &self,
        period: ReplayPeriod,
        now: Timestamp,
    ) -> Result<usize, Error> {
        // The first event of that very time counts.
        let (mut after, mut count) = ((period.from, EventId(0)), 0);
        loop {
            let period = period.clone();
            let (last, made) = self
                .write(move |tx| {
                    let hook = fanout::listener(tx, period.organisation.as_str(), &period.hook)?;
                    let missing =
                        || Refusal::NotFound { what: "active hook", key: period.hook.to_string() };
                    let hook = hook.ok_or_else(missing)?;
                    let (owner, until) = (&period.organisation, period.until);
                    let found = events::between(tx.connection(), owner, after, until, STEP as i64)?;
                    let last = found.last().filter(|_| found.len() == STEP);
                    let last = last.map(|event| (event.created_on, event.seq));
                    let mut made = 0;
                    for event in found {
                        made += usize::from(one(tx, &period, &hook, event, now)?);
                    }
                    Ok((last, made))
                })
                .await?;
            count += made;
            match last {
                Some(last) => after = last,
                None => return Ok(count),
            }
        }
    }
}
