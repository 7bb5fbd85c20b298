//! Which document types are published on a day: those that the network has not removed.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};
use quoin_store::Publication;

/// The day of a time, which is that of UTC everywhere.
pub(super) fn day(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}

/// Since when the types of the code list are as they are.
pub(super) fn types_since(now: Timestamp) -> Option<Timestamp> {
    let changed = quoin_identity::list_changed(day(now))?;
    changed.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp())
}

/// The document types that are registered and not removed, with their processes; a redirect names
/// none.
pub(super) fn by_type(
    publication: &Publication,
    now: Timestamp,
) -> Vec<(DocumentTypeId, Vec<ProcessId>)> {
    let mut found: BTreeMap<DocumentTypeId, Vec<ProcessId>> = BTreeMap::new();
    for service in &publication.services {
        if let (Ok(id), Ok(process)) = (service.document_type.parse(), service.process.parse()) {
            found.entry(id).or_default().push(process);
        }
    }
    for redirect in &publication.redirects {
        if let Ok(id) = redirect.document_type.parse() {
            found.insert(id, Vec::new());
        }
    }
    let on = day(now);
    found.into_iter().filter(|(id, _)| quoin_identity::is_exchanged(id, on)).collect()
}
