//! Promises to users, to other access points and to whoever runs the service, as each meets them.
//! The names begin with the finding or the item that asked for them.

mod answers;
mod clocks;
mod connections;
mod counts;
pub mod duplicates;
mod envelopes;
mod faults;
mod identity;
mod moved;
mod refused;
mod registrations;
mod renamed;
mod restores;
mod said_again;
mod stops;
mod undeclared;
mod unrecorded;

use quoin_delivery::OrganisationId;
use quoin_delivery::capabilities::States;
use quoin_store::{Expected, PartyChange, Publish, Verification};

/// A change that verifies identifiers for a party of an organisation, and publishes nothing.
pub fn verified(organisation: &OrganisationId, id: &str, identifiers: &[&str]) -> PartyChange {
    let now = jiff::Timestamp::now();
    PartyChange {
        organisation: organisation.clone(),
        id: id.to_owned(),
        identifiers: identifiers.iter().map(|id| (*id).to_owned()).collect(),
        name: None,
        country: "NL".to_owned(),
        capabilities: States::new(),
        card: None,
        verification: Some(Verification {
            verified_by: "J. Jansen".to_owned(),
            verified_on: now,
            identifiers: Vec::new(),
            notes: "Contract".to_owned(),
            recorded_by: "boss".to_owned(),
            recorded_on: now,
        }),
        links: Vec::new(),
        hooks: Vec::new(),
        migration_key: None,
        publish: Publish::Unchanged,
        expected: Expected::Any,
        account: Some("boss".to_owned()),
        now,
    }
}
