//! Enrolment: what a party may be published with, and what is checked before it is (interface
//! specification 2.1, 2.3, 2.7, 4.9, 4.11). The interface and bulk jobs ask the same rules.

mod card;
mod identifiers;
mod line;
mod migration;
mod nulls;
mod permissions;
mod refusal;
mod request;
mod states;

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_delivery::ownership::ActingRight;
use quoin_peppol::identifiers::{IdentifierError, ParticipantId};
use quoin_store::{PartyChange, PartyRecord, Publish, Store, Verification};

pub use card::{CardRequest, CardText};
pub use identifiers::day;
pub use line::{AuthorizationRequest, JobSettings, of_line, permissions_of};
pub use migration::new_key;
pub use nulls::null_is_default;
pub use permissions::PartyPermissions;
pub use refusal::{code_of, recorded_code, sentence_of};
pub use request::{ConfigRequest, MigrationRequest, VerificationRequest, capability_state};
pub use states::{CapabilityState, CapabilityStates, PartyId};

/// Why a party is not enrolled as it was asked. All but the last two are refusals: who asked can
/// change what is asked.
#[derive(Debug, thiserror::Error)]
pub enum EnrolmentError {
    /// A text is no participant identifier.
    #[error("{found} is no party identifier, expected as in 0106:12345678; {cause}")]
    NoParticipant {
        /// The text, cut off where it is long.
        found: String,
        /// What is wrong with it.
        cause: IdentifierError,
    },
    /// A participant identifier that this party cannot have.
    #[error("{0}")]
    Identifier(String),
    /// A configuration that says something impossible.
    #[error("{0}")]
    Config(String),
    /// A business card that cannot be published.
    #[error("{0}")]
    Card(String),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] quoin_store::Error),
    /// We failed.
    #[error("{0}")]
    Fault(String),
}

impl EnrolmentError {
    /// Whether we failed, so that the same may be asked again.
    pub fn is_fault(&self) -> bool {
        self.code() == refusal::FAULT
    }

    /// The code by which it is known to whoever asked.
    pub fn code(&self) -> &'static str {
        match self {
            EnrolmentError::NoParticipant { .. } | EnrolmentError::Identifier(_) => {
                refusal::BAD_PARTY_ID
            }
            EnrolmentError::Config(_) => refusal::BAD_CONFIG,
            EnrolmentError::Card(_) => refusal::BAD_CARD,
            EnrolmentError::Store(quoin_store::Error::Refusal(refusal)) => {
                refusal::recorded_code(refusal)
            }
            EnrolmentError::Store(quoin_store::Error::Fault(_)) | EnrolmentError::Fault(_) => {
                refusal::FAULT
            }
        }
    }
}

/// The participant that a text names, by number or letter alias of its register.
///
/// # Errors
/// [`EnrolmentError::NoParticipant`].
pub fn participant(text: &str) -> Result<ParticipantId, EnrolmentError> {
    text.parse()
        .map_err(|cause| EnrolmentError::NoParticipant { found: format!("{text:.80}"), cause })
}

/// Who asks for a change, and when.
pub struct ChangeRequester<'a> {
    /// Where it is recorded.
    pub store: &'a Store,
    /// The tenant.
    pub organisation: &'a OrganisationId,
    /// The account.
    pub account: &'a str,
    /// When.
    pub now: Timestamp,
}

/// The change of a party that a body asks for, without links and hooks; it publishes nothing.
///
/// # Errors
/// What keeps it from being asked.
pub async fn change_of(
    asker: &ChangeRequester<'_>,
    id: &ParticipantId,
    request: &ConfigRequest,
) -> Result<PartyChange, EnrolmentError> {
    let ChangeRequester { store, organisation: owner, account, now } = *asker;
    let identifiers = identifiers::of_party(id, &request.identifiers)?;
    let known = known(store, owner, &identifiers).await?;
    let had = known.as_ref().map_or(&[][..], |party| &party.identifiers);
    identifiers::check_new(&identifiers, had, now)?;
    let main = identifiers.first().unwrap_or(id);
    let country = main.scheme().map_or("", |scheme| scheme.country);
    let (key, newest) = match &known {
        Some(party) => {
            let newest = store.newest_verification(owner, &party.id).await?;
            (party.id.clone(), newest)
        }
        None => (store.new_party_key(owner, main.as_str()).await?, None),
    };
    let verification = request.verification.as_ref();
    let verification = verification.map(|v| v.read(account, newest.as_ref(), now));
    let card = request.business_card.as_ref();
    let card = card.map(|card| card.as_ref().map(|card| card.read()).transpose());
    Ok(PartyChange {
        id: key,
        identifiers: identifiers.iter().map(ParticipantId::folded).collect(),
        name: request.name.clone(),
        country: if country.len() == 2 { country.to_owned() } else { String::new() },
        capabilities: request.capabilities.clone(),
        card: card.transpose()?,
        verification: verification.transpose()?,
        links: Vec::new(),
        hooks: Vec::new(),
        migration_key: request.migration_key()?,
        publish: Publish::Unchanged,
        expected: Default::default(),
        account: Some(account.to_owned()),
        organisation: owner.clone(),
        now,
    })
}

/// The party of the organisation that has one of these identifiers.
async fn known(
    store: &Store,
    owner: &OrganisationId,
    identifiers: &[ParticipantId],
) -> Result<Option<PartyRecord>, quoin_store::Error> {
    for id in identifiers {
        let found = store.party_of_identifier(owner, &id.folded()).await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The declaration of an organisation that answers for its end users itself, for the identifiers
/// that a change names, unless all of them were verified before.
///
/// # Errors
/// Those of the store.
pub async fn declared(
    asker: &ChangeRequester<'_>,
    change: &PartyChange,
) -> Result<Option<Verification>, quoin_store::Error> {
    let ChangeRequester { store, organisation: owner, account, now } = *asker;
    if store.is_verified(owner, &change.identifiers).await? {
        return Ok(None);
    }
    Ok(Some(Verification {
        verified_by: owner.as_str().to_owned(),
        verified_on: now,
        identifiers: Vec::new(),
        notes: "Declared by the organisation with its enrolment".to_owned(),
        recorded_by: account.to_owned(),
        recorded_on: now,
    }))
}

/// An identifier of a party that was kept as a key, as it is shown: as the party is named, where it
/// is that, and else as its register prints it.
pub fn shown(party: &str, key: &str) -> String {
    if party.eq_ignore_ascii_case(key) {
        return party.to_owned();
    }
    key.parse::<ParticipantId>().map_or_else(|_| key.to_owned(), |id| id.printed())
}

/// The identifiers under which a party may send, in their order and as they are shown.
///
/// # Errors
/// Those of the store.
pub async fn spoken(
    store: &Store,
    party: &PartyRecord,
) -> Result<Vec<ParticipantId>, quoin_store::Error> {
    let all = store.standings(party).await?;
    let speaks = all.into_iter().filter(|(_, standing)| *standing == ActingRight::Speaks);
    Ok(speaks.filter_map(|(key, _)| shown(&party.id, &key).parse().ok()).collect())
}
