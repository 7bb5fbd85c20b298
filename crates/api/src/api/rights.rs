//! The party in a path, and whether the caller may act for it. A party of another organisation and
//! one that does not exist get the same answer, so that nobody learns who else is a customer.

use std::fmt::Display;

use quoin_delivery::OrganisationId;
use quoin_delivery::ownership::ActingRight;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{PartyRecord, Permission};

use crate::http::{Caller, Problem, codes, sentences};
use quoin_access_point::config::ClientRole;
use quoin_access_point::enrolment;

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
    /// Answer what arrived, with a status for its sender.
    ChangeStatus,
}

impl Right {
    fn of(self, permission: &Permission) -> bool {
        match self {
            Right::Send => permission.can_send,
            Right::Receive => permission.can_receive,
            Right::Remove => permission.can_remove,
            Right::ManageHook => permission.can_manage_hook,
            Right::ChangeStatus => permission.can_change_status,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Right::Send => "canSendDocument",
            Right::Receive => "canReceiveDocument",
            Right::Remove => "canRemoveDocument",
            Right::ManageHook => "canManageHook",
            Right::ChangeStatus => "canChangeDocumentStatus",
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

/// The organisation of a caller who manages it.
///
/// # Errors
/// API403.Role for a caller without the role ApManager; else as [`organisation`].
pub fn managed(caller: &Caller) -> Result<OrganisationId, Problem> {
    caller.manager()?;
    organisation(caller)
}

/// The organisation of a caller who has these rights on all of its parties: what is about the whole
/// organisation is not for who is linked to some of them, nor for whom a link holds back from one.
/// It is asked at each request; a hook of the organisation that is there stays the organisation's.
///
/// # Errors
/// API403.Role; else as [`organisation`].
pub async fn whole(
    api: &Api,
    caller: &Caller,
    rights: &[Right],
) -> Result<OrganisationId, Problem> {
    let owner = organisation(caller)?;
    if caller.role == ClientRole::ApManager {
        return Ok(owner);
    }
    let held = |detail: String| Err(Problem::new(&codes::FORBIDDEN_ROLE, detail));
    let client = &caller.client;
    if !caller.all_parties {
        return held(format!(
            "{client} acts for some parties only; this is about the whole organisation"
        ));
    }
    let links = api.store.held_back(&owner, client).await?;
    let lacking = |link: &Permission| {
        rights.iter().find(|right| !right.of(link)).map(|right| (link.party.clone(), *right))
    };
    let Some((party, right)) = links.iter().find_map(lacking) else { return Ok(owner) };
    let party = api.store.party_name(&owner, &party).await?;
    held(format!(
        "{client} does not have {} for {party}; this is about the whole organisation, whose \
         ApManager can give the permission or do it",
        right.name()
    ))
}

/// The participant that a path or a query names, by number or letter alias of its register.
///
/// # Errors
/// API400.PartyId.
pub fn participant(text: &str) -> Result<ParticipantId, Problem> {
    Ok(enrolment::participant(text)?)
}

/// The party in a path, if the caller may do this for it. What is recorded for a caller and a party
/// decides; without a record, a caller that acts for all parties may do everything.
///
/// # Errors
/// API400.PartyId, API403, API403.Permission.
pub async fn party(
    api: &Api,
    caller: &Caller,
    path: &str,
    right: Right,
) -> Result<PartyRecord, Problem> {
    seen(api, caller, path, Some(right)).await
}

/// The party in a path, if the caller is linked to it in any way.
///
/// # Errors
/// API400.PartyId, API403.
pub async fn linked(api: &Api, caller: &Caller, path: &str) -> Result<PartyRecord, Problem> {
    seen(api, caller, path, None).await
}

/// A party in whose name something may be sent: the only way to one is [`speaker`], so that no
/// operation sends without having asked.
#[derive(Debug, Clone)]
pub struct Speaker(PartyRecord);

impl std::ops::Deref for Speaker {
    type Target = PartyRecord;
    fn deref(&self) -> &PartyRecord {
        &self.0
    }
}

/// The party in a path, if the caller may do this for it, and its organisation may act under the
/// identifier: it was verified for it, and no other organisation holds it (specification 5.4).
///
/// # Errors
/// API400.PartyId, API403, API403.Permission, API403.Identifier.
pub async fn speaker(
    api: &Api,
    caller: &Caller,
    path: &str,
    right: Right,
) -> Result<Speaker, Problem> {
    let found = party(api, caller, path, right).await?;
    let identifier = participant(path)?.folded();
    let detail = match api.store.standing(&found, &identifier).await? {
        ActingRight::Speaks => return Ok(Speaker(found)),
        ActingRight::Unverified => sentences::UNVERIFIED
            .with([("identifier", &identifier), ("organisation", &found.organisation)]),
        ActingRight::Elsewhere => sentences::HELD_ELSEWHERE.with([("identifier", &identifier)]),
    };
    Err(Problem::new(&codes::FORBIDDEN_IDENTIFIER, detail))
}

/// A caller that is not linked to a party hears the same whether the party exists or not.
async fn seen(
    api: &Api,
    caller: &Caller,
    path: &str,
    right: Option<Right>,
) -> Result<PartyRecord, Problem> {
    let id = participant(path)?;
    let owner = organisation(caller)?;
    let nothing = || {
        let detail = sentences::NO_PARTY.with([("account", &caller.client), ("party", &id)]);
        Problem::new(&codes::FORBIDDEN_PARTY, detail)
    };
    let found = api.store.party_of_identifier(&owner, &id.folded()).await?;
    let party = found.ok_or_else(nothing)?;
    if caller.role == ClientRole::ApManager {
        return Ok(party);
    }
    match api.store.permission(&owner, &caller.client, &party.id).await? {
        Some(link) if right.is_none_or(|right| right.of(&link)) => Ok(party),
        Some(_) => {
            let name = right.map_or("", Right::name);
            let (account, party) = (&caller.client, &id);
            let values: [(_, &dyn Display); 3] =
                [("account", account), ("permission", &name), ("party", party)];
            let detail = sentences::NO_PERMISSION.with(values);
            Err(Problem::new(&codes::FORBIDDEN_PERMISSION, detail))
        }
        None if caller.all_parties => Ok(party),
        None => Err(nothing()),
    }
}
