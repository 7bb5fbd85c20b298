//! Hook calls: each event owed to each hook, its tries and what was answered. A call keeps its id
//! over all tries, so that the destination can recognise a repeat. Calls of one hook and party are
//! made one after the other, parties side by side (ARCHITECTURE, A document goes out, 6).

mod stopped;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::calls::HookDecision;
use quoin_delivery::{EventId, HookId, Notice, OrganisationId};

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault, Refusal, cut_to};
use crate::events::{self, EventRecord, EventSubject};
use crate::fanout;
use crate::hooks::{self, Hook, HookScope};
use crate::open::Store;
use crate::remembered::KeptAnswers;
use crate::secrets::SecretBox;
use crate::statuses;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

pub(crate) use stopped::{held_since, of_subject, stop, subject};

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
    /// Who has it of those whom the call is to reach, where earlier tries did not reach all.
    pub reached: Vec<String>,
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

/// How a try ended: for the log, and for what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallEnd {
    /// The try.
    pub tried: HookTry,
    /// What was decided.
    pub decision: HookDecision,
    /// What is published in turn.
    pub notices: Vec<Notice>,
    /// Whether the destination is back, so that calls which stepped aside are due again.
    pub recovered: bool,
    /// Who has it by now, where not all have: the next try is not for them.
    pub reached: Vec<String>,
}

impl CallEnd {
    /// An end that nothing more follows from.
    pub fn plain(tried: HookTry, decision: HookDecision) -> CallEnd {
        let (notices, reached) = (Vec::new(), Vec::new());
        CallEnd { tried, decision, notices, recovered: false, reached }
    }
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
    /// The event.
    pub event: EventRecord,
    /// Where it stands.
    pub state: CallState,
    /// When it is tried next, while it is pending.
    pub next_on: Option<Timestamp>,
    /// The tries, oldest first.
    pub tries: Vec<HookTryRecord>,
}

const GET: &str = "SELECT organisation, hook, event, tries, reached FROM hook_calls
    WHERE id = ?1 AND state = 'pending'";
const MOVE: &str = "UPDATE hook_calls SET state = ?2, tries = tries + 1, next_on = ?3,
    changed_on = ?4, reached = ?5 WHERE id = ?1 RETURNING organisation, hook, event,
    (SELECT transaction_id FROM events WHERE seq = event)";
const FAILING: &str = "UPDATE hooks SET failing_since = ?3
    WHERE organisation = ?1 AND id = ?2 AND failing_since IS NULL";
const WELL: &str = "UPDATE hooks SET failing_since = NULL
    WHERE organisation = ?1 AND id = ?2 AND failing_since IS NOT NULL";
const DUE: &str = "UPDATE hook_calls SET next_on = ?3
    WHERE organisation = ?1 AND hook = ?2 AND state = 'pending' AND next_on > ?3";
const ADD_TRY: &str = "INSERT INTO hook_tries
    (hook_call, attempt, started_on, duration, status, response, error)
    SELECT ?1, coalesce(max(attempt), 0) + 1, ?2, ?3, ?4, ?5, ?6
    FROM hook_tries WHERE hook_call = ?1";
const TRIES: &str = "SELECT attempt, started_on, duration, status, response, error
    FROM hook_tries WHERE hook_call = ?1 ORDER BY attempt";
// An id may have been that of a hook of another party before: what that one was told is not shown.
const HAS: &str = "SELECT 1 FROM hook_calls c JOIN events e ON e.seq = c.event
    WHERE c.organisation = ?1 AND c.hook = ?2 AND c.id = ?4 AND (?3 IS NULL OR e.party = ?3)";
const LOG: &str = "SELECT c.id, c.event, c.state, c.next_on
    FROM hook_calls c JOIN events e ON e.seq = c.event
    WHERE c.organisation = ?1 AND c.hook = ?2 AND (?3 IS NULL OR e.party = ?3)
    AND c.event > coalesce((SELECT seq FROM events WHERE organisation = ?1 AND number <= ?4
        ORDER BY number DESC LIMIT 1), 0)
    ORDER BY c.event, c.id LIMIT ?5";

/// The pending call of this id with its hook, where that is on, and its event.
pub(crate) fn find(
    db: &mut dyn Connection,
    id: &str,
    secrets: &SecretBox,
    kept: (&KeptAnswers, u64),
) -> Result<Option<HookCall>, Fault> {
    let Some(mut row) = db.first(GET, &[id.into()])? else { return Ok(None) };
    let owner: OrganisationId = row.parsed("hook_calls.organisation")?;
    let hook: HookId = row.parsed("hook_calls.hook")?;
    let event = EventId(row.integer("hook_calls.event")?);
    let tries = row.count("hook_calls.tries")?;
    let reached = row.text_or_none("hook_calls.reached")?.unwrap_or_default();
    let reached = reached.lines().map(str::to_owned).collect();
    let hook = hooks::recall(db, (&owner, &hook), secrets, kept)?.filter(|hook| hook.is_active);
    let (Some(hook), Some(event)) = (hook, events::find(db, event)?) else { return Ok(None) };
    Ok(Some(HookCall { id: id.to_owned(), hook, event, tries, reached }))
}

fn finish(tx: &mut Tx<'_>, claim: &Claim, end: &CallEnd, now: Timestamp) -> Result<(), Error> {
    let CallEnd { tried, decision, .. } = end;
    let (state, next) = match decision {
        HookDecision::Delivered => (CallState::Delivered, None),
        HookDecision::Retry { at, .. } => (CallState::Pending, Some(*at)),
        HookDecision::Stopped { .. } => (CallState::Stopped, None),
    };
    // One that is made again after its end is for all.
    let reached = Some(end.reached.join("\n"))
        .filter(|reached| state == CallState::Pending && !reached.is_empty());
    let call = [
        (&claim.subject).into(),
        state.as_str().into(),
        next.into(),
        now.into(),
        reached.as_ref().into(),
    ];
    let missing = || Refusal::NotFound { what: "hook call", key: claim.subject.clone() };
    let mut row = tx.first(MOVE, &call)?.ok_or_else(missing)?;
    let owner: OrganisationId = row.parsed("hook_calls.organisation")?;
    let hook: HookId = row.parsed("hook_calls.hook")?;
    let event = EventId(row.integer("hook_calls.event")?);
    let document = row.text_or_none("events.transaction_id")?;
    add_try(tx, claim, tried)?;
    if end.recovered {
        // Before the lane goes on, so that what stepped aside is ahead of what came later.
        recover(tx, &owner, &hook, now)?;
    }
    match decision {
        HookDecision::Retry { at, aside: true } => tasks::step_aside(tx, claim, *at)?,
        HookDecision::Retry { at, aside: false } => tasks::postpone(tx, claim, *at)?,
        HookDecision::Delivered | HookDecision::Stopped { .. } => tasks::finish(tx, claim)?,
    }
    health(tx, (&owner, &hook), end, now)?;
    if let (Some(document), true) = (&document, state != CallState::Pending) {
        statuses::nudge(tx, document, now)?;
    }
    if end.notices.is_empty() {
        return Ok(());
    }
    let Some(event) = events::find(tx.connection(), event)? else { return Ok(()) };
    fanout::publish(tx, &EventSubject::after(&event, hook), &end.notices, now)
}

fn add_try(tx: &mut Tx<'_>, claim: &Claim, tried: &HookTry) -> Result<(), Fault> {
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
    Ok(())
}

/// Whether the hook fails, and since when.
fn health(
    tx: &mut Tx<'_>,
    (owner, hook): (&OrganisationId, &HookId),
    end: &CallEnd,
    now: Timestamp,
) -> Result<(), Fault> {
    let key = [owner.as_str().into(), hook.as_str().into()];
    match &end.decision {
        HookDecision::Delivered => {
            tx.execute(WELL, &key)?;
        }
        HookDecision::Retry { .. } | HookDecision::Stopped { .. } => {
            let [owner, hook] = key;
            tx.execute(FAILING, &[owner, hook, now.into()])?;
        }
    }
    if let HookDecision::Stopped { disable_hook: true, .. } = &end.decision {
        let [owner_key, hook_key] = key;
        tx.execute(hooks::DISABLE, &[owner_key, hook_key, now.into()])?;
        stop(tx, owner, hook, now)?;
    }
    Ok(())
}

/// The destination is back: what waits for it is due now, and what stepped aside takes its place.
pub(crate) fn recover(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    hook: &HookId,
    now: Timestamp,
) -> Result<(), Fault> {
    let lanes = format!("hook {owner} {hook} ");
    tx.execute(DUE, &[owner.as_str().into(), hook.as_str().into(), now.into()])?;
    tasks::return_home(tx, &lanes, now)
}

fn read_try(mut row: SqlRow) -> Result<HookTryRecord, Fault> {
    let attempt = row.count("hook_tries.attempt")?;
    let started_on = row.time("hook_tries.started_on")?;
    let duration = SignedDuration::from_micros(row.integer("hook_tries.duration")?);
    let status = row.integer_or_none("hook_tries.status")?.and_then(|s| u16::try_from(s).ok());
    let response = row.text("hook_tries.response")?;
    let error = row.text_or_none("hook_tries.error")?;
    let tried = HookTry { started_on, duration, status, response, error };
    Ok(HookTryRecord { attempt, tried })
}

fn read_call(db: &mut dyn Connection, mut row: SqlRow) -> Result<HookCallRecord, Fault> {
    let id = row.text("hook_calls.id")?;
    let event = EventId(row.integer("hook_calls.event")?);
    let state = row.word("hook_calls.state", CallState::named)?;
    let next_on = row.time_or_none("hook_calls.next_on")?;
    let tries = db.query(TRIES, &[(&id).into()])?.into_iter().map(read_try);
    let tries = tries.collect::<Result<_, _>>()?;
    let event = events::find(db, event)?.ok_or_else(|| Fault::record("events", "nothing"))?;
    Ok(HookCallRecord { id, event, state, next_on, tries })
}

impl Store {
    /// Records a try of a call and what was decided: done, again later, or given up; and what is
    /// published in turn. A hook whose destination is gone is switched off and its other calls are
    /// stopped.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn finish_call(
        &self,
        claim: Claim,
        end: CallEnd,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.write(move |tx| finish(tx, &claim, &end, now)).await
    }

    /// Whether a call is one of the hook of this key in this scope.
    pub async fn has_call(
        &self,
        organisation: &OrganisationId,
        hook: &HookId,
        scope: &HookScope,
        call: &str,
    ) -> Result<bool, Error> {
        let (owner, hook, scope) = (organisation.clone(), hook.clone(), scope.clone());
        let call = call.to_owned();
        self.read(move |db| {
            let [owner, hook] = [owner.as_str().into(), hook.as_str().into()];
            Ok(db.first(HAS, &[owner, hook, scope.party().into(), (&call).into()])?.is_some())
        })
        .await
    }

    /// The delivery log of the hook of this key in this scope: calls of events behind the number
    /// `after` (0: from the first), oldest first, up to `limit`.
    pub async fn hook_log(
        &self,
        organisation: &OrganisationId,
        hook: &HookId,
        scope: &HookScope,
        after: u64,
        limit: usize,
    ) -> Result<Vec<HookCallRecord>, Error> {
        let (owner, hook, scope) = (organisation.clone(), hook.clone(), scope.clone());
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let limit = i64::try_from(limit.min(LOG_LIMIT)).unwrap_or(i64::MAX);
        let found = self.browse_for(organisation, move |db| {
            let [owner, hook] = [owner.as_str().into(), hook.as_str().into()];
            let key = [owner, hook, scope.party().into(), after.into(), limit.into()];
            let rows = db.query(LOG, &key)?;
            Ok(rows.into_iter().map(|row| read_call(db, row)).collect::<Result<_, _>>()?)
        });
        let mut found: Vec<HookCallRecord> = found.await?;
        self.named(found.iter_mut().map(|call| &mut call.event).collect()).await?;
        Ok(found)
    }
}
