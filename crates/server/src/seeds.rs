//! Brings the organisations of the configuration into the store at start. What is there already is
//! brought up to date; what the configuration no longer names is switched off by [`undeclared`],
//! and stays otherwise, since documents hang on it.

pub mod undeclared;

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_access_point::channels::Allowed;
use quoin_access_point::config::{OrganisationSeed, PartySeed};
use quoin_access_point::declared::{client, hook, party, states};
use quoin_access_point::hooks::rotated;
use quoin_delivery::OrganisationId;
use quoin_store::{
    Expected, Hook, HookScope, Organisation, PartyChange, PartyRecord, Publish, Store,
};

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
    allowed: &Allowed,
    now: Timestamp,
) -> Result<(), SeedError> {
    store.weigh(weights(organisations));
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
            let hook = hook(&id, scope, hook_seed, allowed, now).map_err(value)?;
            store.put_hook(kept(store, hook).await?).await?;
        }
        for seed in &seed.parties {
            let party = party(&id, seed, now).map_err(value)?;
            for hook_seed in &seed.hooks {
                let scope = HookScope::Party(party.id.clone());
                let hook = hook(&id, scope, hook_seed, allowed, now).map_err(value)?;
                store.put_hook(kept(store, hook).await?).await?;
            }
            let change = declared(store, seed, &party, now).await?.map_err(value)?;
            store.put_party(party).await?;
            store.change_party(change).await?;
        }
    }
    Ok(())
}

/// What each organisation weighs.
fn weights(organisations: &[OrganisationSeed]) -> BTreeMap<OrganisationId, u32> {
    let weight =
        |seed: &OrganisationSeed| Some((seed.id.parse().ok()?, seed.weight.try_into().ok()?));
    organisations.iter().filter_map(weight).collect()
}

/// What the configuration says of a party: it is published with what is on. A capability that is
/// not named is off for a party that is new, and stays as it is for one that is known.
async fn declared(
    store: &Store,
    seed: &PartySeed,
    party: &PartyRecord,
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
