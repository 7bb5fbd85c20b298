//! The party in a path, and whether the caller may act for it. A party of another organisation and
//! one that does not exist get the same answer, so that nobody learns who else is a customer.

use quoin_delivery::OrganisationId;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Party, Permission};

use crate::config::ClientRole;
use crate::http::{Caller, Problem, codes};

use super::Api;

/// What a caller wants to do for a party (interface specification 2.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// Send on its behalf, and follow what was sent.
    Send,
    /// List and download what arrived.
    Receive,
    /// Delete what arrived.
    Remove,
    /// See and change its hooks.
    ManageHook,
}

impl Right {
    fn of(self, permission: &Permission) -> bool {
        match self {
            Right::Send => permission.can_send,
            Right::Receive => permission.can_receive,
            Right::Remove => permission.can_remove,
            Right::ManageHook => permission.can_manage_hook,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Right::Send => "canSendDocument",
            Right::Receive => "canReceiveDocument",
            Right::Remove => "canRemoveDocument",
            Right::ManageHook => "canManageHook",
        }
    }
}

/// The organisation of a caller.
///
/// # Errors
/// A fault: tokens carry only ids that the store gave out.
pub fn organisation(caller: &Caller) -> Result<OrganisationId, Problem> {
    caller.organisation.parse().map_err(Problem::fault)
}

/// The party in a path, if the caller may do this for it. A client for which permissions are
/// recorded is held to them; one without any acts for all parties of its organisation.
///
/// # Errors
/// API400.PartyId, API403.
pub async fn party(api: &Api, caller: &Caller, path: &str, right: Right) -> Result<Party, Problem> {
    let id: ParticipantId =
        path.parse().map_err(|error| Problem::new(&codes::BAD_PARTY_ID, format!("{error}")))?;
    let owner = organisation(caller)?;
    let found = api.store.party_of_identifier(&id.folded()).await?;
    let Some(party) = found.filter(|party| party.organisation == owner) else {
        let detail = format!("organisation {owner} has no party {id}");
        return Err(Problem::new(&codes::FORBIDDEN_PARTY, detail));
    };
    if caller.role == ClientRole::ApManager {
        return Ok(party);
    }
    let permissions = api.store.permissions_of(&caller.client).await?;
    let own = permissions.iter().find(|permission| permission.party == party.id);
    if permissions.is_empty() || own.is_some_and(|permission| right.of(permission)) {
        return Ok(party);
    }
    let detail = format!("client {} lacks {} for {id}", caller.client, right.name());
    Err(Problem::new(&codes::FORBIDDEN_PARTY, detail))
}
