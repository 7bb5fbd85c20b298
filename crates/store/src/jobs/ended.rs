//! A bulk job that ended is an event of its organisation, so that whoever asked for it does not
//! have to look again and again.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::jobs::JobState;
use quoin_delivery::{DocumentId, Notice, Topic};
use uuid::Uuid;

use super::{Job, read};
use crate::error::Error;
use crate::events::EventSubject;
use crate::fanout;
use crate::writer::Tx;

/// Records the event that a job is over: which one, how it ended, and how many of its parties are
/// in which state.
pub(super) fn tell(
    tx: &mut Tx<'_>,
    job: &Job,
    state: JobState,
    now: Timestamp,
) -> Result<(), Error> {
    let mut counts: BTreeMap<&'static str, u32> = BTreeMap::new();
    for count in read::counts(tx.connection(), &job.key)? {
        *counts.entry(count.state.as_str()).or_default() += count.items;
    }
    let (kind, state) = (job.kind.as_str(), state.as_str());
    let said: Vec<String> =
        counts.iter().map(|(state, count)| format!("{count} {state}")).collect();
    let said = if said.is_empty() { "no parties".to_owned() } else { said.join(", ") };
    let message = format!("The bulk job {} ({kind}) is {state}: {said}.", job.id);
    let facts = [
        ("jobId", job.id.clone()),
        ("kind", kind.to_owned()),
        ("state", state.to_owned()),
        ("total", job.items.to_string()),
        ("createdBy", job.created_by.clone()),
    ];
    let mut details: BTreeMap<String, String> =
        facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
    details.extend(counts.iter().map(|(state, count)| ((*state).to_owned(), count.to_string())));
    // A job has no party and no document: its own id stands for the document.
    let id = job.id.parse::<Uuid>().unwrap_or_else(|_| Uuid::new_v4());
    let subject = EventSubject {
        organisation: job.organisation.clone(),
        party: String::new(),
        transaction: None,
        document_id: DocumentId::from_uuid(id),
        origin: None,
        depth: 0,
    };
    fanout::add(tx, &subject, &Notice::new(Topic::JOB_ENDED, message, details), now)?;
    Ok(())
}
