//! A start with another store than the one before: what is not known from then on is told.

use quoin_delivery::AlarmKind;
use quoin_store::{Error, Restored, Store};

use quoin_access_point::alarms::Alarms;

/// Tells what is not known after a start with another store, and what follows of itself.
///
/// # Errors
/// The store failed.
pub(super) async fn tell(store: &Store, alarms: &Alarms) -> Result<(), Error> {
    let Restored { continuity, last, under_way, statuses } = store.restored().await?;
    let unknown = store.sweep_files().await?.unknown;
    let last = last.map_or_else(|| "nothing".to_owned(), |last| format!("an event of {last}"));
    let generation = continuity.generation;
    let message = format!(
        "This store was taken in place of the one before and is generation {generation} now. The \
         last that it holds is {last}; documents that were sent, received or registered after \
         that, their events, statuses and counts are not known. {under_way} documents are under \
         way and are sent again with the same identifiers, so that no receiver gets one twice; \
         {statuses} statuses that were awaited may have come and are not warned of; {unknown} \
         files belong to documents that it does not know and are left. See docs/operating/restore.md."
    );
    let facts = [
        ("generation", generation.to_string()),
        ("underWay", under_way.to_string()),
        ("statuses", statuses.to_string()),
        ("unknownFiles", unknown.to_string()),
    ];
    let facts: Vec<(&str, &str)> =
        facts.iter().map(|(name, fact)| (*name, fact.as_str())).collect();
    alarms.raise(AlarmKind::STORE_RESTORED, &continuity.name, message, &facts).await;
    store.taken_anew_is_told().await
}
