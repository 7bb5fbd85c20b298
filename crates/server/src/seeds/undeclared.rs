//! What the configuration declares no more: its clients get no tokens, its hooks are not called, an
//! organisation is closed, and what is published stays or is withdrawn, as the operator chose.

use std::collections::BTreeSet;

use jiff::Timestamp;
use quoin_delivery::{AlarmKind, OrganisationId};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{AlarmRecord, Declared, Expected, HookScope, PartyRecord, Store, Withdrawal};

use quoin_access_point::alarms::Alarms;
use quoin_access_point::config::{Config, OrganisationSeed, UndeclaredParties};
use quoin_access_point::provider::Provider;

/// How many open alarms are looked through.
const ALARMS: usize = 1_000;

/// Switches off what the configuration declares no more, with a line in the log for each.
///
/// # Errors
/// Those of the store.
pub async fn close(
    store: &Store,
    config: &Config,
    provider: Option<&Provider>,
    alarms: &Alarms,
    now: Timestamp,
) -> Result<(), quoin_store::Error> {
    let gone = store.close_undeclared(declared(config), now).await?;
    for id in &gone.organisations {
        tracing::warn!(
            organisation = id.as_str(),
            "the organisation is not declared any more: it is closed, its tokens end"
        );
    }
    for (organisation, client) in &gone.clients {
        let organisation = organisation.as_str();
        tracing::warn!(organisation, client, "the client is not declared any more: it is off");
    }
    for (organisation, hook) in &gone.hooks {
        let organisation = organisation.as_str();
        tracing::warn!(organisation, hook, "the hook is not declared any more: it is off");
    }
    let own = |party: &PartyRecord| is_providers(party, config, provider);
    let parties: Vec<PartyRecord> = gone.parties.into_iter().filter(|party| !own(party)).collect();
    match config.undeclared_parties {
        UndeclaredParties::Stay => stay(alarms, store, &parties).await,
        UndeclaredParties::Withdraw => withdraw(store, parties, now).await,
    }
}

/// The provider is published whether it is declared or not.
fn is_providers(party: &PartyRecord, config: &Config, provider: Option<&Provider>) -> bool {
    if party.organisation.as_str() != config.provider.organisation {
        return false;
    }
    // Without a certificate it is not known which identifiers are its own.
    provider.is_none_or(|provider| {
        let own = |id: &ParticipantId| party.identifiers.contains(&id.folded());
        provider.identifiers.iter().any(own)
    })
}

fn declared(config: &Config) -> Declared {
    let mut declared = Declared::default();
    declared.organisations.extend(config.provider.organisation.parse().ok());
    for seed in &config.organisation {
        let Ok(id) = seed.id.parse::<OrganisationId>() else { continue };
        declared.clients.extend(seed.clients.iter().map(|client| client.id.clone()));
        let hooks =
            hooks(seed).filter_map(|(scope, hook)| Some((id.clone(), scope, hook.parse().ok()?)));
        declared.hooks.extend(hooks);
        let mains = seed.parties.iter().filter_map(|party| party.identifiers.first());
        let mains = mains.filter_map(|main| main.parse::<ParticipantId>().ok());
        declared.parties.extend(mains.map(|main| (id.clone(), main.as_str().to_owned())));
        declared.organisations.insert(id);
    }
    declared
}

/// The hooks of an organisation, each with its scope.
fn hooks(seed: &OrganisationSeed) -> impl Iterator<Item = (HookScope, &str)> {
    let of_parties = seed.parties.iter().filter_map(|party| {
        let main = party.identifiers.first()?.parse::<ParticipantId>().ok()?;
        let scope = HookScope::Party(main.as_str().to_owned());
        Some(party.hooks.iter().map(move |hook| (scope.clone(), hook.id.as_str())))
    });
    let own = seed.hooks.iter().map(|hook| (HookScope::Environment, hook.id.as_str()));
    own.chain(of_parties.flatten())
}

/// They stay published, and somebody has to decide about them.
async fn stay(
    alarms: &Alarms,
    store: &Store,
    parties: &[PartyRecord],
) -> Result<(), quoin_store::Error> {
    let kind = AlarmKind::UNDECLARED_PUBLISHED;
    let mut named = BTreeSet::new();
    for party in parties {
        let (organisation, id) = (party.organisation.as_str(), &party.id);
        let message = format!(
            "The party {id} of organisation {organisation} is not declared any more, and still \
             published: what is sent to it is taken and kept. Declare it again, or have what is \
             not declared withdrawn (undeclared_parties = \"withdraw\")."
        );
        tracing::warn!(organisation, party = id, "a party that is not declared stays published");
        let subject = format!("{organisation} {id}");
        let details = [("organisation", organisation), ("partyId", id)];
        alarms.raise(kind, &subject, message, &details).await;
        named.insert(subject);
    }
    let open = store.open_alarms(ALARMS).await?;
    let over = |alarm: &&AlarmRecord| alarm.code == kind.code && !named.contains(&alarm.subject);
    for alarm in open.iter().filter(over) {
        alarms.end(kind, &alarm.subject).await;
    }
    Ok(())
}

async fn withdraw(
    store: &Store,
    parties: Vec<PartyRecord>,
    now: Timestamp,
) -> Result<(), quoin_store::Error> {
    for party in parties {
        let (organisation, id) = (party.organisation.clone(), party.id.clone());
        store.withdraw_party(party, Withdrawal::Config, Expected::Any, now).await?;
        let (organisation, party) = (organisation.as_str(), id);
        tracing::warn!(organisation, party, "the party is not declared any more: it is withdrawn");
    }
    Ok(())
}
