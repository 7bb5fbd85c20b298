//! Configurations as they are shown: each capability with its effective state, the business card,
//! who verified the end user, and how far the registers outside are.

use jiff::Timestamp;
use quoin_delivery::capabilities::{Effective, States, description, effective};
use quoin_delivery::ownership::ActingRight;
use quoin_delivery::registration::{DesiredState, Presence, Register};
use quoin_store::{OrganisationConfig, PartyConfig, PartyProfile, Registration, Verification};
use serde::Serialize;
use serde_json::{Map, Value, json};
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::Problem;

use super::super::Api;
use super::card::{CardView, view};
use quoin_access_point::enrolment::{day, shown};

/// What is said of a party that has a configuration and is not published.
const UNPUBLISHED: &str = "not published: that needs an end-user verification on record, a linked \
    user of role ApUser, and an enrolment or a configuration with capabilities";

/// What is said of a party of which an identifier is not verified.
const UNVERIFIED: &str = "an identifier is not published, since no verification covers it or \
    another organisation holds it: see participants";
/// What is said of a party that the SML does not lead to.
const UNREACHABLE: &str =
    "an identifier is not found by senders, since the SML does not lead here: see registrations";

/// A capability as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct CapabilityView {
    /// `on`, `off`, `inherited => on` or `inherited => off`.
    #[cfg_attr(test, schema(example = "inherited => on"))]
    pub state: &'static str,
    /// The document types it stands for.
    #[cfg_attr(test, schema(example = "Peppol BIS Billing UBL Invoice V3"))]
    pub description: String,
}

/// Who verified that a party is whom it says.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VerificationView {
    /// What was looked at.
    #[cfg_attr(test, schema(example = "Contract C21345"))]
    pub notes: String,
    /// Who verified it.
    #[cfg_attr(test, schema(example = "J. Jansen"))]
    pub verified_by: String,
    /// When.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub verified_on: Timestamp,
    /// The identifiers that were verified.
    #[cfg_attr(test, schema(example = json!(["0106:12345678"])))]
    pub identifiers: Vec<String>,
    /// The account that recorded it.
    #[cfg_attr(test, schema(example = "acme-boss"))]
    pub recorded_by: String,
    /// When it was recorded.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub recorded_on: Timestamp,
}

impl VerificationView {
    /// The verification of a party.
    fn of(party: &str, verification: Verification) -> VerificationView {
        VerificationView {
            notes: verification.notes,
            verified_by: verification.verified_by,
            verified_on: verification.verified_on,
            identifiers: verification.identifiers.iter().map(|key| shown(party, key)).collect(),
            recorded_by: verification.recorded_by,
            recorded_on: verification.recorded_on,
        }
    }
}

/// An entry in a register outside.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RegistrationView {
    /// The participant.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub participant: String,
    /// `sml` or `directory`.
    #[cfg_attr(test, schema(example = "sml"))]
    pub register: &'static str,
    /// What it is to hold: `present`, `absent` or `leaving`.
    #[cfg_attr(test, schema(example = "present"))]
    pub wish: &'static str,
    /// How far it is: `pending`, `done`, `retrying`, `blocked` or `failed`.
    #[cfg_attr(test, schema(example = "done"))]
    pub state: &'static str,
    /// What happened last; what is missing, where it is blocked.
    #[cfg_attr(test, schema(example = ""))]
    pub message: String,
    /// Who can do something about it, where it stands still: `register` (it does not answer, and is
    /// asked again), `operator` (of this service) or `customer` (with its present provider).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "operator"))]
    pub mended_by: Option<&'static str>,
    /// Tries so far.
    #[cfg_attr(test, schema(example = 1))]
    pub attempts: u32,
    /// When it is tried next.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    pub next_on: Option<Timestamp>,
    /// When it last changed.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub changed_on: Timestamp,
}

impl RegistrationView {
    /// The registration of a party.
    fn of(party: &str, registration: Registration) -> RegistrationView {
        RegistrationView {
            participant: shown(party, &registration.participant),
            register: registration.register.as_str(),
            wish: registration.wish.as_str(),
            state: registration.progress.shown(),
            message: registration.message,
            mended_by: registration.progress.mended_by(),
            attempts: registration.attempts,
            next_on: registration.next_on,
            changed_on: registration.changed_on,
        }
    }
}

impl PartyView {
    /// What the description of the interface shows.
    #[cfg(test)]
    pub(super) fn example() -> serde_json::Value {
        serde_json::json!({
            "id": "0106:12345678", "name": "Acme BV", "identifiers": ["0106:12345678"],
            "isRegistered": true,
            "participants": [{
                "id": "0106:12345678", "isVerified": true, "isRegistered": true,
                "state": "registered",
            }],
            "capabilities": { "invoices": {
                "state": "on", "description": "Peppol BIS Billing UBL Invoice V3",
            } },
            "verification": {
                "notes": "Contract C21345", "verifiedBy": "J. Jansen",
                "verifiedOn": "2026-02-28T16:02:52Z", "identifiers": ["0106:12345678"],
                "recordedBy": "acme-boss", "recordedOn": "2026-02-28T16:05:00Z",
            },
            "registrations": [{
                "participant": "0106:12345678", "register": "sml", "wish": "present",
                "state": "done", "message": "", "attempts": 1, "nextOn": null,
                "changedOn": "2026-02-28T16:05:01Z",
            }],
            "createdOn": "2026-02-28T16:05:00Z", "changedOn": "2026-02-28T16:05:00Z",
        })
    }
}

/// An identifier of a party as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ParticipantView {
    /// The identifier.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// Whether the organisation may send under it: it is verified, and nobody else here holds it.
    pub is_verified: bool,
    /// Whether the SML leads to our SMP, which publishes it.
    pub is_registered: bool,
    /// `registered`; `pending` (the SML follows); `published` (at our SMP; its name in the SML is
    /// not this installation's work); `unreachable` (the SML does not lead here, see
    /// `registrations`); `absent` (not published).
    #[cfg_attr(test, schema(example = "registered"))]
    pub state: &'static str,
}

/// The configuration of a party as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = PeppolPartyConfig))]
pub struct PartyView {
    /// The party.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// Its name.
    #[cfg_attr(test, schema(example = "Acme BV"))]
    pub name: String,
    /// All its identifiers, the primary one first.
    #[cfg_attr(test, schema(example = json!(["0106:12345678"])))]
    pub identifiers: Vec<String>,
    /// Whether senders find it: our SMP publishes all of its identifiers, and the SML leads there,
    /// or is about to.
    pub is_registered: bool,
    /// Each of its identifiers, and what of it is so in the network.
    pub participants: Vec<ParticipantView>,
    /// Why it is not published, where it could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = json!(null)))]
    pub message: Option<&'static str>,
    /// Every capability by its name.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, CapabilityView>))]
    pub capabilities: Map<String, Value>,
    /// Its business card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business_card: Option<CardView>,
    /// The newest verification of the end user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<VerificationView>,
    /// The key with which it may go to another SMP.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = json!(null)))]
    pub migration: Option<MigrationView>,
    /// How far the registers outside are.
    pub registrations: Vec<RegistrationView>,
    /// When it was first set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub created_on: Option<Timestamp>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub changed_on: Option<Timestamp>,
}

/// A prepared migration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct MigrationView {
    /// What the next provider needs.
    #[cfg_attr(test, schema(example = "Xb7#Lm2$Tk9%Wr4*Zc1-Ye8+"))]
    pub key: String,
}

/// The configuration of an organisation as it is shown. Each capability also stands beside
/// `capabilities`, under its own name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = PeppolConfig))]
pub struct OrganisationView {
    /// The organisation.
    #[cfg_attr(test, schema(example = "acme"))]
    pub id: String,
    /// Every capability by its name.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, CapabilityView>))]
    pub capabilities: Map<String, Value>,
    /// What business cards of its parties inherit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>, example = json!({ "emailAddress": { "value": "tech@example.org", "state": "on", "description": "Technical contact." } })))]
    pub business_card: Option<Value>,
    /// When it was first set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub created_on: Option<Timestamp>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub changed_on: Option<Timestamp>,
    /// The capabilities once more, under the names that the interface has at this level.
    #[serde(flatten)]
    #[cfg_attr(test, schema(ignore))]
    pub named: Map<String, Value>,
}

fn capabilities(api: &Api, layers: &[&States]) -> Map<String, Value> {
    let today = day(api.clock.now());
    let view = |found: Effective| {
        let description = description(found.capability, today);
        let view = CapabilityView { state: found.shown(), description };
        (found.capability.name.to_owned(), json!(view))
    };
    effective(layers).into_iter().map(view).collect()
}

/// The configuration of an organisation.
pub(super) fn organisation(api: &Api, id: &str, config: &OrganisationConfig) -> OrganisationView {
    let capabilities = capabilities(api, &[&config.capabilities]);
    let spelled = |(name, value): (&String, &Value)| {
        let name = if name == "selfbilling" { "selfBilling" } else { name };
        (name.to_owned(), value.clone())
    };
    let set = config.version > 0;
    OrganisationView {
        id: id.to_owned(),
        named: capabilities.iter().map(spelled).collect(),
        capabilities,
        business_card: config.contact.as_ref().map(|contact| {
            json!({ "emailAddress": {
                "value": contact, "state": "on", "description": "Technical contact.",
            } })
        }),
        created_on: set.then_some(config.created_on),
        changed_on: set.then_some(config.changed_on),
    }
}

/// What of each identifier is so in the network.
async fn participants(
    api: &Api,
    profile: &PartyProfile,
    registrations: &[Registration],
) -> Result<Vec<ParticipantView>, Problem> {
    let mut all = Vec::new();
    for (id, standing) in api.store.standings(&profile.party).await? {
        let published = api.store.publication(&id).await?;
        let owner = &profile.party.organisation;
        let published = published.is_some_and(|found| found.group.organisation == *owner);
        let sml = registrations.iter().find(|one| {
            one.participant == id
                && one.register == Register::Sml
                && one.wish != DesiredState::Absent
        });
        let in_sml = profile.config.in_sml;
        let presence = Presence::of(published, in_sml, sml.map(Registration::presence));
        all.push(ParticipantView {
            id: shown(&profile.party.id, &id),
            is_verified: standing == ActingRight::Speaks,
            is_registered: presence == Presence::Registered,
            state: presence.as_str(),
        });
    }
    Ok(all)
}

impl ParticipantView {
    /// Whether senders find it; one that was never verified was never to be found.
    fn is_there(&self) -> bool {
        let stuck = [Presence::Unreachable.as_str(), Presence::Absent.as_str()];
        !self.is_verified || !stuck.contains(&self.state)
    }
}

/// Why not everything of a party is published, where it could be.
fn message(config: &PartyConfig, participants: &[ParticipantView]) -> Option<&'static str> {
    match config.enrolled {
        false => Some(UNPUBLISHED),
        true if participants.iter().any(|one| !one.is_verified) => Some(UNVERIFIED),
        true if !participants.iter().all(ParticipantView::is_there) => Some(UNREACHABLE),
        true => None,
    }
}

/// The configuration of a party, for a caller that may see the migration key or not.
pub(super) async fn party(
    api: &Api,
    profile: PartyProfile,
    manager: bool,
) -> Result<PartyView, Problem> {
    let mut registrations = Vec::new();
    for participant in &profile.party.identifiers {
        let owner = &profile.party.organisation;
        registrations.extend(api.store.registrations_of(owner, participant).await?);
    }
    let participants = participants(api, &profile, &registrations).await?;
    let PartyProfile { party, config, inherited, verification } = profile;
    // What was looked at is for who may record it.
    let verification = verification.filter(|_| manager);
    let key = registrations.iter().find_map(Registration::key_to_leave);
    let migration = key.filter(|_| manager).map(|key| MigrationView { key: key.reveal().into() });
    let set = config.version > 0;
    let registration = |one| RegistrationView::of(&party.id, one);
    Ok(PartyView {
        id: party.main(),
        name: party.name,
        identifiers: party.identifiers.iter().map(|key| shown(&party.id, key)).collect(),
        is_registered: config.enrolled && participants.iter().all(ParticipantView::is_there),
        message: message(&config, &participants).filter(|_| set),
        participants,
        capabilities: capabilities(api, &[&config.capabilities, &inherited.capabilities]),
        business_card: config.card.map(|card| view(&card, inherited.contact.as_deref())),
        verification: verification.map(|own| VerificationView::of(&party.id, own)),
        migration,
        registrations: registrations.into_iter().map(registration).collect(),
        created_on: set.then_some(config.created_on),
        changed_on: set.then_some(config.changed_on),
    })
}
