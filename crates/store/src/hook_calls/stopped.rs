//! What a hook is owed that was switched off or removed: its calls are stopped a piece a commit, so
//! that a hook with many of them keeps nobody waiting. None of them is made from the first piece
//! on.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{HookId, OrganisationId, TaskKind};

use crate::error::{Error, Fault};
use crate::fanout;
use crate::open::Store;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// Calls that are stopped in one commit.
const PIECE: usize = 500;
/// How long calls of a removed hook are held for the one that takes its place.
const HELD: SignedDuration = SignedDuration::from_hours(24);

/// The newest ones first: the one that is next in its lane is stopped last.
const STOP_TASKS: &str = "DELETE FROM tasks WHERE subject IN (SELECT id FROM hook_calls
    WHERE organisation = ?1 AND hook = ?2 AND state = 'pending' ORDER BY event DESC LIMIT ?3)";
/// Those of a hook that was removed a day ago at most are held for the one that takes its place.
const STOP_CALLS: &str = "UPDATE hook_calls SET state = 'stopped', next_on = NULL, changed_on = ?4,
    held = NOT EXISTS (SELECT 1 FROM hooks WHERE organisation = ?1 AND id = ?2)
        OR EXISTS (SELECT 1 FROM removed_hooks WHERE organisation = ?1 AND id = ?2
            AND removed_on > ?5)
    WHERE id IN (SELECT id FROM hook_calls
    WHERE organisation = ?1 AND hook = ?2 AND state = 'pending' ORDER BY event DESC LIMIT ?3)";
const STOP_ONE: &str = "UPDATE hook_calls SET state = 'stopped', next_on = NULL, changed_on = ?2,
    held = NOT EXISTS (SELECT 1 FROM hooks h
        WHERE h.organisation = hook_calls.organisation AND h.id = hook_calls.hook)
        OR EXISTS (SELECT 1 FROM removed_hooks r
        WHERE r.organisation = hook_calls.organisation AND r.id = hook_calls.hook
            AND r.removed_on > ?3)
    WHERE id = ?1 AND state = 'pending'";

/// When a hook was removed at the earliest whose calls are still held.
pub(crate) fn held_since(now: Timestamp) -> Timestamp {
    now.saturating_sub(HELD).unwrap_or(Timestamp::MIN)
}

/// Stops the pending calls of a hook that is off or gone: the first piece of them, and the others
/// with a task.
pub(crate) fn stop(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    hook: &HookId,
    now: Timestamp,
) -> Result<(), Fault> {
    if piece(tx, organisation, hook, now)? {
        tasks::ensure_now(tx, TaskKind::Stop, &subject(organisation, hook), now)?;
    }
    Ok(())
}

/// Stops a piece. Answers whether there may be more.
fn piece(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    hook: &HookId,
    now: Timestamp,
) -> Result<bool, Fault> {
    let most = i64::try_from(PIECE).unwrap_or(i64::MAX);
    let since = held_since(now);
    let key =
        [organisation.as_str().into(), hook.as_str().into(), most.into(), now.into(), since.into()];
    tx.execute(STOP_TASKS, &key[..3])?;
    Ok(tx.execute(STOP_CALLS, &key)? == PIECE)
}

/// The subject of a task about all calls of a hook.
pub(crate) fn subject(organisation: &OrganisationId, hook: &HookId) -> String {
    format!("{organisation} {hook}")
}

/// Whose hook a subject names.
pub(crate) fn of_subject(subject: &str) -> Option<(OrganisationId, HookId)> {
    let (organisation, hook) = subject.split_once(' ')?;
    Some((organisation.parse().ok()?, hook.parse().ok()?))
}

impl Store {
    /// Stops the next piece of the calls of a hook that is off. One that was switched on again is
    /// owed those that are left.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn stop_calls(&self, claim: Claim, now: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            let Some((organisation, hook)) = of_subject(&claim.subject) else {
                return tasks::finish(tx, &claim);
            };
            let is_on = fanout::listener(tx, organisation.as_str(), &hook)?.is_some();
            match !is_on && piece(tx, &organisation, &hook, now)? {
                true => tasks::postpone(tx, &claim, now),
                false => tasks::finish(tx, &claim),
            }
        })
        .await
    }

    /// Stops a call whose hook is off or gone.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn stop_call(&self, claim: Claim, now: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            let since = held_since(now);
            tx.execute(STOP_ONE, &[(&claim.subject).into(), now.into(), since.into()])?;
            tasks::finish(tx, &claim)
        })
        .await
    }
}
