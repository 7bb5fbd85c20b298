//! Brings the organisations of the configuration into the store at start. What is there already is
//! brought up to date; what the configuration no longer names is switched off by [`undeclared`],
//! and stays otherwise, since documents hang on it.

pub mod undeclared;

use jiff::Timestamp;
use quoin_delivery::capabilities::{State, States, named};
use quoin_delivery::{HookId, OrganisationId};
use quoin_peppol::codelists::{CAPABILITIES, Capability};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{
    Client, Expected, Hook, HookScope, Organisation, Party, PartyChange, Publish, Role, Store,
    secret_digest,
};

use crate::config::{ClientRole, ClientSeed, HookSeed, OrganisationSeed, PartySeed};
use crate::hooks::{Action, rotated};
use crate::net::Guard;

/// Why the organisations of the configuration could not be taken over.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// A value is not valid.
    #[error("organisation {organisation:?}: {problem}")]
    Value {
        /// Whose.
        organisation: String,
        /// What is wrong.
        problem: String,
    },
    /// The store refused or failed.
    #[error("the organisations of the configuration could not be stored: {0}")]
    Store(#[from] quoin_store::Error),
}

/// Brings organisations into the store.
///
/// # Errors
/// [`SeedError`]; what came before the error stays stored.
pub async fn apply(
    store: &Store,
    organisations: &[OrganisationSeed],
    guard: &Guard,
    now: Timestamp,
) -> Result<(), SeedError> {
    for seed in organisations {
        let value = |problem: String| SeedError::Value { organisation: seed.id.clone(), problem };
        let id: OrganisationId = seed.id.parse().map_err(|e| value(format!("{e}")))?;
        let name = seed.name.clone();
        store.put_organisation(Organisation { id: id.clone(), name, created_on: now }).await?;
        store.put_package(&id, seed.package.as_deref()).await?;
        for seed in &seed.clients {
            store.put_client(client(&id, seed, now).map_err(value)?).await?;
        }
        for hook_seed in &seed.hooks {
            let scope = HookScope::Environment;
            let hook = hook(&id, scope, hook_seed, guard, now).map_err(value)?;
            store.put_hook(kept(store, hook).await?).await?;
        }
        for seed in &seed.parties {
            let party = party(&id, seed, now).map_err(value)?;
            for hook_seed in &seed.hooks {
                let scope = HookScope::Party(party.id.clone());
                let hook = hook(&id, scope, hook_seed, guard, now).map_err(value)?;
                store.put_hook(kept(store, hook).await?).await?;
            }
            let change = declared(store, seed, &party, now).await?.map_err(value)?;
            store.put_party(party).await?;
            store.change_party(change).await?;
        }
    }
    Ok(())
}

/// What keeps an organisation of the configuration from being taken over, all of it.
pub(crate) fn problems(seed: &OrganisationSeed, guard: &Guard) -> Vec<String> {
    let now = Timestamp::UNIX_EPOCH;
    let id: OrganisationId = match seed.id.parse() {
        Ok(id) => id,
        Err(error) => return vec![format!("{error}")],
    };
    let mut found = Vec::new();
    let of_parties = seed.parties.iter().flat_map(|party| &party.hooks);
    for one in seed.hooks.iter().chain(of_parties) {
        found.extend(hook(&id, HookScope::Environment, one, guard, now).err());
    }
    for one in seed.parties.iter().filter(|party| !party.identifiers.is_empty()) {
        found.extend(party(&id, one, now).err());
        found.extend(states(one, true).err());
    }
    found
}

fn client(id: &OrganisationId, seed: &ClientSeed, now: Timestamp) -> Result<Client, String> {
    let secret_sha256 = match (&seed.secret, &seed.secret_sha256) {
        (Some(secret), _) => secret_digest(secret.expose()),
        (None, Some(digest)) => data_encoding::HEXLOWER_PERMISSIVE
            .decode(digest.as_bytes())
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| format!("client {}: secret_sha256 is no digest", seed.id))?,
        (None, None) => return Err(format!("client {}: there is no secret", seed.id)),
    };
    Ok(Client {
        client_id: seed.id.clone(),
        organisation: id.clone(),
        name: String::new(),
        secret_sha256,
        previous: None,
        role: match seed.role {
            ClientRole::ApUser => Role::ApUser,
            ClientRole::ApManager => Role::ApManager,
        },
        active: true,
        all_parties: seed.all_parties,
        declared: true,
        created_on: now,
    })
}

/// The key of a party is its main identifier as it is written; the identifiers are kept in lower
/// case, since participants are compared without regard to case.
fn party(id: &OrganisationId, seed: &PartySeed, now: Timestamp) -> Result<Party, String> {
    let identifiers = participants(seed)?;
    let main = identifiers.first().ok_or("a party has no identifier")?;
    Ok(Party {
        id: main.as_str().to_owned(),
        organisation: id.clone(),
        identifiers: identifiers.iter().map(ParticipantId::folded).collect(),
        name: seed.name.clone(),
        country: seed.country.clone(),
        created_on: now,
    })
}

fn participants(seed: &PartySeed) -> Result<Vec<ParticipantId>, String> {
    let parse = |text: &String| text.parse().map_err(|e| format!("identifier {text:?}: {e}"));
    seed.identifiers.iter().map(parse).collect()
}

/// What the configuration says of a party: it is published with what is on. A capability that is
/// not named is off for a party that is new, and stays as it is for one that is known.
async fn declared(
    store: &Store,
    seed: &PartySeed,
    party: &Party,
    now: Timestamp,
) -> Result<Result<PartyChange, String>, quoin_store::Error> {
    let known = store.party_profile(party.clone()).await?.config.version > 0;
    Ok(states(seed, known).map(|capabilities| PartyChange {
        organisation: party.organisation.clone(),
        id: party.id.clone(),
        identifiers: party.identifiers.clone(),
        country: party.country.clone(),
        capabilities,
        card: None,
        verification: None,
        links: Vec::new(),
        hooks: Vec::new(),
        migration_key: None,
        publish: Publish::Declared,
        expected: Expected::Any,
        now,
    }))
}

fn states(seed: &PartySeed, known: bool) -> Result<States, String> {
    let off = |row: &'static Capability| (row.name.to_owned(), State::Off);
    let mut states: States =
        if known { States::new() } else { CAPABILITIES.iter().map(off).collect() };
    for (name, state) in &seed.capabilities {
        let row = named(name).ok_or_else(|| format!("there is no capability {name:?}"))?;
        let state: State = state.parse().map_err(|e| format!("{name}: {e}"))?;
        states.insert(row.name.to_owned(), state);
    }
    Ok(states)
}

/// A rotation that is under way goes on: the secret before signs along.
async fn kept(store: &Store, mut hook: Hook) -> Result<Hook, SeedError> {
    if let Some(before) = store.hook(&hook.organisation, &hook.scope, &hook.id).await? {
        let same = before.secrets.first() == hook.secrets.first();
        if let (false, Some(newest)) = (same, hook.secrets.first().cloned()) {
            (hook.secrets, hook.rotated_on) = rotated(Some(&before), newest, hook.changed_on);
        } else if same {
            (hook.secrets, hook.rotated_on) = (before.secrets, before.rotated_on);
        }
    }
    Ok(hook)
}

fn hook(
    id: &OrganisationId,
    scope: HookScope,
    seed: &HookSeed,
    guard: &Guard,
    now: Timestamp,
) -> Result<Hook, String> {
    let at = |problem: String| format!("hook {:?}: {problem}", seed.id);
    let action = Action::parse(seed.action.expose(), guard).map_err(|e| at(e.to_string()))?;
    let topics = seed.topics.iter().map(|topic| topic.parse().map_err(|e| at(format!("{e}"))));
    let hook_id: HookId = seed.id.parse().map_err(|e| at(format!("{e}")))?;
    Ok(Hook {
        organisation: id.clone(),
        key: hook_id.clone(),
        id: hook_id,
        scope,
        name: seed.name.clone(),
        action: action.url,
        secrets: action.secret.into_iter().collect(),
        topics: topics.collect::<Result<_, _>>()?,
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: serde_json::Value::Null,
        is_active: true,
        created_on: now,
        changed_on: now,
        rotated_on: None,
        failing_since: None,
    })
}
