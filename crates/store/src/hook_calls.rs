//! Hook calls: each event owed to each hook, its tries and what was answered. A call keeps its id
//! over all tries, so that the destination can recognise a repeat. Calls of one hook and party are
//! made one after the other, parties side by side (DESIGN D10).

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::filter::Filter;
use quoin_delivery::hook::HookDecision;
use quoin_delivery::{
    EventId, HookId, Notice, OrganisationId, TaskKind, TopicPattern, Transaction,
};
use uuid::Uuid;

use crate::engine::{Connection, Row};
use crate::error::{Error, Fault, Refusal, cut_to};
use crate::events::{self, EventRecord};
use crate::hooks::{self, Hook};
use crate::open::Store;
use crate::secrets::SecretBox;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// How much of an answer's body the log keeps, in characters.
pub const RESPONSE_LIMIT: usize = 1_000;
/// Calls in one answer of the log, at most.
pub const LOG_LIMIT: usize = 500;

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallState {
    /// It is to be made, for the first time or again.
    Pending,
    /// The destination took it.
    Delivered,
    /// It was given up.
    Stopped,
}

impl CallState {
    /// The word in the store and in listings.
    pub fn as_str(self) -> &'static str {
        match self {
            CallState::Pending => "pending",
            CallState::Delivered => "delivered",
            CallState::Stopped => "stopped",
        }
    }

    /// The state of this word, if there is one.
    pub fn named(word: &str) -> Option<CallState> {
        use CallState::{Delivered, Pending, Stopped};
        [Pending, Delivered, Stopped].into_iter().find(|state| state.as_str() == word)
    }
}

/// A call to be made: the hook with its secrets, and the event.
#[derive(Debug, Clone)]
pub struct HookCall {
    /// The stable delivery id, a UUID: the same on each try.
    pub id: String,
    /// Whom to call.
    pub hook: Hook,
    /// What to tell.
    pub event: EventRecord,
    /// Tries on record; the next one is one more.
    pub tries: u32,
}

/// A try, as the worker hands it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookTry {
    /// When it began.
    pub started_on: Timestamp,
    /// How long it took.
    pub duration: SignedDuration,
    /// The HTTP status, if an answer came.
    pub status: Option<u16>,
    /// The beginning of the answer's body.
    pub response: String,
    /// What went wrong, if anything did.
    pub error: Option<String>,
}

/// A try on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookTryRecord {
    /// Which try, from 1; a replay counts on.
    pub attempt: u32,
    /// The try.
    pub tried: HookTry,
}

/// A call in the delivery log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCallRecord {
    /// The stable delivery id.
    pub id: String,
    /// The hook.
    pub hook: HookId,
    /// The event.
    pub event: EventRecord,
    /// Where it stands.
    pub state: CallState,
    /// When it is tried next, while it is pending.
    pub next_on: Option<Timestamp>,
    /// The tries, oldest first.
    pub tries: Vec<HookTryRecord>,
}

const LISTENING: &str = "SELECT id, topics, filter FROM hooks
    WHERE organisation = ?1 AND is_active = 1 AND (party IS NULL OR party = ?2)";
const ADD: &str = "INSERT INTO hook_calls
    (id, organisation, hook, event, state, tries, next_on, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, 'pending', 0, ?5, ?5, ?5)";
const GET: &str = "SELECT organisation, hook, event, tries FROM hook_calls
    WHERE id = ?1 AND state = 'pending'";
const MOVE: &str = "UPDATE hook_calls SET state = ?2, tries = tries + 1, next_on = ?3,
    changed_on = ?4 WHERE id = ?1 RETURNING organisation, hook";
const ADD_TRY: &str = "INSERT INTO hook_tries
    (hook_call, attempt, started_on, duration, status, response, error)
    SELECT ?1, coalesce(max(attempt), 0) + 1, ?2, ?3, ?4, ?5, ?6
    FROM hook_tries WHERE hook_call = ?1";
const TRIES: &str = "SELECT attempt, started_on, duration, status, response, error
    FROM hook_tries WHERE hook_call = ?1 ORDER BY attempt";
const STOP_TASKS: &str = "DELETE FROM tasks WHERE subject IN
    (SELECT id FROM hook_calls WHERE organisation = ?1 AND hook = ?2 AND state = 'pending')";
const STOP_CALLS: &str = "UPDATE hook_calls SET state = 'stopped', next_on = NULL, changed_on = ?3
    WHERE organisation = ?1 AND hook = ?2 AND state = 'pending'";
const LOG: &str = "SELECT id, hook, event, state, next_on FROM hook_calls
    WHERE organisation = ?1 AND hook = ?2 AND event > ?3 ORDER BY event, id LIMIT ?4";
const REPLAY: &str = "UPDATE hook_calls SET state = 'pending', tries = 0, next_on = ?3,
    changed_on = ?3 WHERE organisation = ?1 AND id = ?2 AND state <> 'pending'
    RETURNING hook, event";

fn lane(organisation: &OrganisationId, hook: &str, party: &str) -> String {
    format!("hook {organisation} {hook} {party}")
}

/// Records a call for each active hook that listens.
pub(crate) fn owe(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    notice: &Notice,
    event: EventId,
    now: Timestamp,
) -> Result<(), Fault> {
    let (owner, party) = (&transaction.organisation, &transaction.party);
    for mut row in tx.query(LISTENING, &[owner.as_str().into(), party.into()])? {
        let hook = row.text("hooks.id")?;
        let topics: Vec<TopicPattern> = row.json("hooks.topics")?;
        if !topics.iter().any(|pattern| pattern.matches(notice.topic)) {
            continue;
        }
        let filter: Option<Filter> = match row.text_or_none("hooks.filter")? {
            Some(text) => Some(text.parse().map_err(|_| Fault::record("hooks.filter", text))?),
            None => None,
        };
        if filter.is_some_and(|filter| !filter.wants(&notice.details)) {
            continue;
        }
        let id = Uuid::now_v7().to_string();
        let call =
            [(&id).into(), owner.as_str().into(), (&hook).into(), event.0.into(), now.into()];
        tx.execute(ADD, &call)?;
        tasks::add(tx, TaskKind::Notify, &id, now, Some(&lane(owner, &hook, party)))?;
    }
    Ok(())
}

/// The pending call of this id with its hook and event.
pub(crate) fn find(
    db: &mut dyn Connection,
    id: &str,
    secrets: &SecretBox,
) -> Result<Option<HookCall>, Fault> {
    let Some(mut row) = db.first(GET, &[id.into()])? else { return Ok(None) };
    let owner: OrganisationId = row.parsed("hook_calls.organisation")?;
    let hook: HookId = row.parsed("hook_calls.hook")?;
    let event = EventId(row.integer("hook_calls.event")?);
    let tries = row.count("hook_calls.tries")?;
    let hook = hooks::find(db, &owner, &hook, secrets)?;
    let (Some(hook), Some(event)) = (hook, events::find(db, event)?) else { return Ok(None) };
    Ok(Some(HookCall { id: id.to_owned(), hook, event, tries }))
}

/// Stops every pending call of a hook.
pub(crate) fn stop_all(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    hook: &HookId,
    now: Timestamp,
) -> Result<(), Fault> {
    let key = [organisation.as_str().into(), hook.as_str().into()];
    tx.execute(STOP_TASKS, &key)?;
    let [organisation, hook] = key;
    tx.execute(STOP_CALLS, &[organisation, hook, now.into()])?;
    Ok(())
}

fn finish(
    tx: &mut Tx<'_>,
    claim: &Claim,
    tried: &HookTry,
    decision: &HookDecision,
    now: Timestamp,
) -> Result<(), Error> {
    let (state, next) = match decision {
        HookDecision::Delivered => (CallState::Delivered, None),
        HookDecision::Retry { at } => (CallState::Pending, Some(*at)),
        HookDecision::Stopped { .. } => (CallState::Stopped, None),
    };
    match next {
        Some(at) => tasks::postpone(tx, claim, at)?,
        None => tasks::finish(tx, claim)?,
    }
    let call = [(&claim.subject).into(), state.as_str().into(), next.into(), now.into()];
    let missing = || Refusal::NotFound { what: "hook call", key: claim.subject.clone() };
    let mut row = tx.first(MOVE, &call)?.ok_or_else(missing)?;
    let owner: OrganisationId = row.parsed("hook_calls.organisation")?;
    let hook: HookId = row.parsed("hook_calls.hook")?;
    let response = cut_to(&tried.response, RESPONSE_LIMIT);
    let row = [
        (&claim.subject).into(),
        tried.started_on.into(),
        i64::try_from(tried.duration.as_micros()).unwrap_or(i64::MAX).into(),
        tried.status.map(i64::from).into(),
        (&response).into(),
        tried.error.as_ref().into(),
    ];
    tx.execute(ADD_TRY, &row)?;
    if let HookDecision::Stopped { disable_hook: true, .. } = decision {
        let key = [owner.as_str().into(), hook.as_str().into(), now.into()];
        tx.execute(hooks::DISABLE, &key)?;
        stop_all(tx, &owner, &hook, now)?;
    }
    Ok(())
}

fn read_try(mut row: Row) -> Result<HookTryRecord, Fault> {
    let attempt = row.count("hook_tries.attempt")?;
    let started_on = row.time("hook_tries.started_on")?;
    let duration = SignedDuration::from_micros(row.integer("hook_tries.duration")?);
    let status = row.integer_or_none("hook_tries.status")?.and_then(|s| u16::try_from(s).ok());
    let response = row.text("hook_tries.response")?;
    let error = row.text_or_none("hook_tries.error")?;
    let tried = HookTry { started_on, duration, status, response, error };
    Ok(HookTryRecord { attempt, tried })
}

fn read_call(db: &mut dyn Connection, mut row: Row) -> Result<HookCallRecord, Fault> {
    let id = row.text("hook_calls.id")?;
    let hook = row.parsed("hook_calls.hook")?;
    let event = EventId(row.integer("hook_calls.event")?);
    let state = row.word("hook_calls.state", CallState::named)?;
    let next_on = row.time_or_none("hook_calls.next_on")?;
    let tries = db.query(TRIES, &[(&id).into()])?.into_iter().map(read_try);
    let tries = tries.collect::<Result<_, _>>()?;
    let event = events::find(db, event)?.ok_or_else(|| Fault::record("events", "nothing"))?;
    Ok(HookCallRecord { id, hook, event, state, next_on, tries })
}

impl Store {
    /// Records a try of a call and what was decided: done, again later, or given up. A hook whose
    /// destination is gone is switched off and its other calls are stopped.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn finish_call(
        &self,
        claim: Claim,
        tried: HookTry,
        decision: HookDecision,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.write(move |tx| finish(tx, &claim, &tried, &decision, now)).await
    }

    /// The delivery log of a hook: calls of events after `after` (0: from the first), oldest first,
    /// up to `limit`.
    pub async fn hook_log(
        &self,
        organisation: &OrganisationId,
        hook: &HookId,
        after: EventId,
        limit: usize,
    ) -> Result<Vec<HookCallRecord>, Error> {
        let (owner, hook) = (organisation.clone(), hook.clone());
        let limit = i64::try_from(limit.min(LOG_LIMIT)).unwrap_or(i64::MAX);
        self.read(move |db| {
            let key = [owner.as_str().into(), hook.as_str().into(), after.0.into(), limit.into()];
            let rows = db.query(LOG, &key)?;
            Ok(rows.into_iter().map(|row| read_call(db, row)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Makes a finished call again, under the same delivery id and with a fresh schedule.
    ///
    /// Errors: [`Refusal::NotFound`] where there is no such call, or it is pending anyway.
    pub async fn replay_call(
        &self,
        organisation: &OrganisationId,
        call: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (owner, id) = (organisation.clone(), call.to_owned());
        self.write(move |tx| {
            let key = [owner.as_str().into(), (&id).into(), now.into()];
            let missing = || Refusal::NotFound { what: "finished hook call", key: id.clone() };
            let mut row = tx.first(REPLAY, &key)?.ok_or_else(missing)?;
            let hook = row.text("hook_calls.hook")?;
            let event = EventId(row.integer("hook_calls.event")?);
            let event = events::find(tx.connection(), event)?
                .ok_or_else(|| Fault::record("events", "nothing"))?;
            let lane = lane(&owner, &hook, &event.party);
            tasks::add(tx, TaskKind::Notify, &id, now, Some(&lane))?;
            Ok(())
        })
        .await
    }
}
