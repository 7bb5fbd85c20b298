//! The parties of an account with its rights on them, as they are shown (interface specification
//! 2.7).

use quoin_access_point::enrolment::PartyPermissions;
use quoin_store::PartyRecord;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

/// A party with the rights of an account on it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct UserParty {
    /// The main identifier.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// Its name.
    #[cfg_attr(test, schema(example = "Acme BV"))]
    pub name: String,
    /// What the account may do for it.
    pub permissions: PartyPermissions,
}

impl UserParty {
    pub(super) fn new(party: &PartyRecord, permissions: PartyPermissions) -> UserParty {
        UserParty { id: party.main(), name: party.name.clone(), permissions }
    }
}
