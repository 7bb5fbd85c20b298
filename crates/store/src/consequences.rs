//! What a decision brings beside the row of its transaction: lines of the timeline, tasks, events
//! and the calls that are owed to hooks.

use jiff::Timestamp;
use quoin_delivery::{Decision, EventId, Transaction};

use crate::claim::Claim;
use crate::error::Error;
use crate::events::EventSubject;
use crate::fanout;
use crate::tasks;
use crate::timeline;
use crate::writer::Tx;

/// Records it all; answers the events, in the order of the notices.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    decision: &Decision,
    now: Timestamp,
) -> Result<Vec<EventId>, Error> {
    follow(tx, transaction, decision, (None, now))
}

/// The same of a step: what an earlier one of the same task may have sent unheard, the next one
/// knows.
pub(crate) fn record_after(
    tx: &mut Tx<'_>,
    claim: &Claim,
    (transaction, decision): (&Transaction, &Decision),
    now: Timestamp,
) -> Result<Vec<EventId>, Error> {
    follow(tx, transaction, decision, (Some(claim), now))
}

fn follow(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    decision: &Decision,
    (claim, now): (Option<&Claim>, Timestamp),
) -> Result<Vec<EventId>, Error> {
    let lost = claim.is_some_and(|claim| claim.claims > 1 && claim.is_of_a_document());
    timeline::add(tx, &transaction.id, &decision.timeline)?;
    for task in &decision.tasks {
        let subject = transaction.id.as_str();
        let turn = tasks::lane_of(task.kind, &transaction.organisation);
        let lane = task.lane.as_deref().or(turn.as_deref());
        match task.run_at <= now {
            _ if lost => tasks::add_again(tx, task.kind, subject, task.run_at, lane)?,
            true => tasks::add_now(tx, task.kind, subject, now, lane)?,
            false => tasks::add(tx, task.kind, subject, task.run_at, lane)?,
        }
    }
    let subject = EventSubject::of(transaction);
    let mut events = Vec::with_capacity(decision.notices.len());
    for notice in &decision.notices {
        events.extend(fanout::add(tx, &subject, notice, now)?);
    }
    Ok(events)
}
