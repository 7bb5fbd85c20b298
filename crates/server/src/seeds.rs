//! Brings the organisations of the configuration into the store at start. What is said for the
//! first time, or differs from what was said at the start before, is taken over; what is said again
//! changes nothing that was set over the interface meanwhile. What is no longer named is switched
//! off by [`undeclared`], and stays otherwise, since documents hang on it.

mod parties;
pub mod undeclared;

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_access_point::channels::Allowed;
use quoin_access_point::config::{ClientSeed, HookSeed, OrganisationSeed};
use quoin_access_point::declared::{client, hook, said_of_hook, same_action};
use quoin_access_point::hooks::rotated;
use quoin_delivery::OrganisationId;
use quoin_store::{
    Declared, Hook, HookScope, Organisation, PartyRecord, Refusal, Said, Secret, Store,
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

/// What the configuration declares, and what became of it.
#[derive(Debug, Default)]
pub struct TakenOver {
    /// All of it.
    pub declared: Declared,
    /// What somebody else has; the service runs without it.
    pub refused: Vec<RefusedSeed>,
    /// Identifiers that were declared of a party, are not any more, and that it still has.
    pub left: Vec<(PartyRecord, String)>,
}

/// Something that is declared and could not be taken over.
#[derive(Debug)]
pub struct RefusedSeed {
    /// Whose.
    pub organisation: OrganisationId,
    /// What it is, by its kind and name.
    pub what: String,
    /// Why, and what to do.
    pub problem: String,
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
) -> Result<TakenOver, SeedError> {
    store.weigh(weights(organisations));
    let mut taken = TakenOver::default();
    for seed in organisations {
        let id: OrganisationId = seed.id.parse().map_err(|error| wrong(&seed.id, error))?;
        let name = seed.name.clone();
        store.put_organisation(Organisation { id: id.clone(), name, created_on: now }).await?;
        store.put_package(&id, seed.package.as_deref()).await?;
        taken.declared.organisations.insert(id.clone());
        let mut over = TakeOver { store, id, allowed, now, taken: &mut taken };
        for seed in &seed.clients {
            over.client(seed).await?;
        }
        for seed in &seed.hooks {
            over.hook(HookScope::Environment, seed).await?;
        }
        over.parties(&seed.parties).await?;
    }
    Ok(taken)
}

fn wrong(organisation: &str, problem: impl std::fmt::Display) -> SeedError {
    SeedError::Value { organisation: organisation.to_owned(), problem: problem.to_string() }
}

/// What each organisation weighs.
fn weights(organisations: &[OrganisationSeed]) -> BTreeMap<OrganisationId, u32> {
    let weight =
        |seed: &OrganisationSeed| Some((seed.id.parse().ok()?, seed.weight.try_into().ok()?));
    organisations.iter().filter_map(weight).collect()
}

/// Takes over what is declared of one organisation.
struct TakeOver<'a> {
    store: &'a Store,
    id: OrganisationId,
    allowed: &'a Allowed,
    now: Timestamp,
    taken: &'a mut TakenOver,
}

impl TakeOver<'_> {
    fn wrong(&self, problem: String) -> SeedError {
        wrong(self.id.as_str(), problem)
    }

    /// Notes what somebody else has. What else the store refuses or fails at ends the start.
    fn refused(
        &mut self,
        what: String,
        error: quoin_store::Error,
        advice: &str,
    ) -> Result<(), SeedError> {
        let quoin_store::Error::Refusal(refusal) = error else { return Err(error.into()) };
        let is_somebodys = matches!(
            refusal,
            Refusal::Taken { .. }
                | Refusal::Held { .. }
                | Refusal::LastIdentifier { .. }
                | Refusal::EnterpriseNumber { .. }
        );
        if !is_somebodys {
            return Err(quoin_store::Error::from(refusal).into());
        }
        let (organisation, problem) = (self.id.clone(), format!("{refusal}. {advice}"));
        self.taken.refused.push(RefusedSeed { organisation, what, problem });
        Ok(())
    }

    /// Clients are changed in the configuration alone.
    async fn client(&mut self, seed: &ClientSeed) -> Result<(), SeedError> {
        let client = client(&self.id, seed, self.now).map_err(|problem| self.wrong(problem))?;
        self.taken.declared.clients.insert(seed.id.clone());
        let Err(error) = self.store.put_client(client).await else { return Ok(()) };
        let advice = "A client or user of the interface has this name: give the client another one, \
                      or remove the other one over the interface and start again.";
        self.refused(format!("client {}", seed.id), error, advice)
    }

    async fn hook(&mut self, scope: HookScope, seed: &HookSeed) -> Result<(), SeedError> {
        let hook = hook(&self.id, scope.clone(), seed, self.allowed, self.now);
        let hook = hook.map_err(|problem| self.wrong(problem))?;
        let before = self.store.hook_said(&self.id, &scope, &hook.id).await?;
        let said = Some(Secret::new(said_of_hook(seed)));
        let key = (self.id.clone(), scope, hook.id.clone());
        if before != said {
            self.store.put_hook(kept(self.store, hook, (seed, before)).await?).await?;
        }
        self.taken.declared.hooks.insert(key, said);
        Ok(())
    }
}

/// A rotation that is under way goes on: the secret before signs along. A secret that was rotated
/// over the interface stays until the configuration names another one.
async fn kept(
    store: &Store,
    mut hook: Hook,
    (seed, said): (&HookSeed, Said),
) -> Result<Hook, SeedError> {
    let Some(before) = store.hook(&hook.organisation, &hook.scope, &hook.id).await? else {
        return Ok(hook);
    };
    let again = said.is_some_and(|said| same_action(said.reveal(), seed));
    let same = before.secrets.first() == hook.secrets.first();
    if same || again {
        (hook.secrets, hook.rotated_on) = (before.secrets, before.rotated_on);
    } else if let Some(newest) = hook.secrets.first().cloned() {
        (hook.secrets, hook.rotated_on) = rotated(Some(&before), newest, hook.changed_on);
    }
    Ok(hook)
}
