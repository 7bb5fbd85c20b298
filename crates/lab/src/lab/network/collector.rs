//! Who collects statistics reports, as a participant of the lab: it takes both kinds and keeps them
//! like any other document.

use jiff::Timestamp;
use quoin_peppol::codelists::{CodeState, DOCUMENT_TYPES};
use quoin_store::{PartyRecord, PublishedService};

use super::{COLLECTOR, Customer, LabError};
use quoin_server::start::Running;

/// Opens the collector behind a service, as a party of one of its customers.
///
/// # Errors
/// [`LabError`].
pub async fn open(service: &Running, owner: &Customer, now: Timestamp) -> Result<(), LabError> {
    let other = |error: &dyn std::fmt::Display| LabError::Other(error.to_string());
    let organisation = owner.organisation.parse().map_err(|error| other(&error))?;
    let store = &service.parts.store;
    let party = PartyRecord {
        id: COLLECTOR.to_owned(),
        organisation,
        identifiers: vec![COLLECTOR.to_owned()],
        name: "Collector of statistics reports".to_owned(),
        country: "BE".to_owned(),
        created_on: now,
    };
    let mut services = Vec::new();
    let reports = DOCUMENT_TYPES
        .iter()
        .filter(|row| row.name.contains("Statistics Report") && row.state == CodeState::Active);
    for row in reports {
        let document_type = row.id().map_err(|error| other(&error))?.to_string();
        services.extend(row.processes.iter().map(|process| PublishedService {
            participant: COLLECTOR.to_owned(),
            document_type: document_type.clone(),
            process: format!("cenbii-procid-ubl::{process}"),
            organisation: party.organisation.clone(),
            explicit: true,
            endpoints: None,
            created_on: now,
        }));
    }
    store.put_party(party).await.map_err(|error| other(&error))?;
    store.put_services(services).await.map_err(|error| other(&error))
}
