//! What the configuration declares no more: its clients get no tokens, its hooks are not called, an
//! organisation is closed, and what is published stays or is withdrawn, as the operator chose.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use quoin_delivery::AlarmKind;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{CONFIGURATION, Error, PartyRecord, Refusal, Store, Withdrawal};

use quoin_access_point::alarms::Alarms;
use quoin_access_point::config::{Config, UndeclaredParties};
use quoin_access_point::provider::Provider;

use super::{RefusedSeed, TakenOver};

/// Parties of one organisation of which each has an alarm of its own; of more, the organisation has
/// one: a start takes no longer for an organisation with many.
const NAMED: usize = 20;
/// Of more, so many are named in the alarm.
const FIRST: usize = 3;

/// Switches off what the configuration declares no more, with a line in the log for each. Answers
/// what was refused before: what is withdrawn here is free now.
///
/// # Errors
/// Those of the store.
pub async fn close(
    taken: TakenOver,
    store: &Store,
    (config, provider): (&Config, Option<&Provider>),
    alarms: &Alarms,
    now: Timestamp,
) -> Result<Vec<RefusedSeed>, quoin_store::Error> {
    let mut declared = taken.declared;
    declared.organisations.extend(config.provider.organisation.parse().ok());
    let gone = store.close_undeclared(declared, now).await?;
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
    let left = still(store, taken.left).await?;
    match config.undeclared_parties {
        UndeclaredParties::Stay => stay((alarms, store), &parties, &left, now).await?,
        UndeclaredParties::Withdraw => {
            let kept = withdraw(store, parties, left, now).await?;
            stay_refused((alarms, store), kept, now).await?;
        }
    }
    Ok(taken.refused)
}

/// The identifiers that their party still has: another one of the file may have taken one over.
async fn still(
    store: &Store,
    left: Vec<(PartyRecord, String)>,
) -> Result<Vec<(PartyRecord, String)>, quoin_store::Error> {
    let mut still = Vec::new();
    for (party, identifier) in left {
        let found = store.party_of_identifier(&party.organisation, &identifier).await?;
        if found.is_some_and(|found| found.id == party.id) {
            still.push((party, identifier));
        }
    }
    Ok(still)
}

/// Tells of what somebody else has: the service runs without it, and somebody has to decide.
///
/// # Errors
/// Those of the store.
pub async fn tell_refused(
    (alarms, store): (&Alarms, &Store),
    refused: &[RefusedSeed],
    now: Timestamp,
) -> Result<(), quoin_store::Error> {
    let kind = AlarmKind::DECLARED_REFUSED;
    let mut named = BTreeSet::new();
    for RefusedSeed { organisation, what, problem } in refused {
        let organisation = organisation.as_str();
        let message = format!(
            "The {what} of organisation {organisation} is declared, and was not taken over: {problem}"
        );
        tracing::warn!(organisation, what, problem, "what is declared was not taken over");
        let subject = format!("{organisation} {what}");
        alarms.raise(kind, &subject, message, &[("organisation", organisation)]).await;
        named.insert(subject);
    }
    end_others(store, (kind, named), now).await
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

/// What is told of parties that stay published.
struct StillPublished {
    subject: String,
    message: String,
    /// The party, where it is one.
    party: Option<String>,
}

fn told_of_one(organisation: &str, id: &str) -> StillPublished {
    let message = format!(
        "The party {id} of organisation {organisation} is not declared any more, and still \
         published: what is sent to it is taken and kept. Declare it again, or have what is not \
         declared withdrawn (undeclared_parties = \"withdraw\")."
    );
    tracing::warn!(organisation, party = id, "a party that is not declared stays published");
    let (subject, party) = (format!("{organisation} {id}"), Some(id.to_owned()));
    StillPublished { subject, message, party }
}

/// The same of many parties of one organisation, which is the subject.
fn told_of_many(organisation: &str, names: &[String]) -> StillPublished {
    let (parties, first) = (names.len(), names.get(..FIRST).unwrap_or(names).join(", "));
    let message = format!(
        "{parties} parties of organisation {organisation} are not declared any more, and still \
         published ({first} …): what is sent to them is taken and kept. Declare them again, or \
         have what is not declared withdrawn (undeclared_parties = \"withdraw\")."
    );
    tracing::warn!(organisation, parties, "parties that are not declared stay published");
    StillPublished { subject: organisation.to_owned(), message, party: None }
}

/// They stay published, and somebody has to decide about them.
async fn stay(
    (alarms, store): (&Alarms, &Store),
    parties: &[PartyRecord],
    left: &[(PartyRecord, String)],
    now: Timestamp,
) -> Result<(), quoin_store::Error> {
    let kind = AlarmKind::UNDECLARED_PUBLISHED;
    let mut named = BTreeSet::new();
    let mut by_owner: BTreeMap<&str, Vec<&PartyRecord>> = BTreeMap::new();
    for party in parties {
        by_owner.entry(party.organisation.as_str()).or_default().push(party);
    }
    for (organisation, parties) in by_owner {
        let names: Vec<String> = parties.iter().map(|party| party.main()).collect();
        let all = match names.len() > NAMED {
            true => vec![told_of_many(organisation, &names)],
            false => names.iter().map(|id| told_of_one(organisation, id)).collect(),
        };
        for StillPublished { subject, message, party } in all {
            let mut details = vec![("organisation", organisation)];
            details.extend(party.as_deref().map(|id| ("partyId", id)));
            alarms.raise(kind, &subject, message, &details).await;
            named.insert(subject);
        }
    }
    for (party, identifier) in left {
        let (organisation, id) = (party.organisation.as_str(), &party.main());
        let message = format!(
            "The identifier {identifier} of party {id} of organisation {organisation} is not \
             declared any more. The party keeps it: what is sent to it is taken. Declare it again, \
             take it off the party over the interface, or have what is not declared withdrawn \
             (undeclared_parties = \"withdraw\")."
        );
        tracing::warn!(organisation, party = id, identifier, "an identifier that is not declared");
        let subject = format!("{organisation} {id} {identifier}");
        let details = [("organisation", organisation), ("partyId", id)];
        alarms.raise(kind, &subject, message, &details).await;
        named.insert(subject);
    }
    end_others(store, (kind, named), now).await
}

/// Ends the alarms of a kind whose subjects are not named.
async fn end_others(
    store: &Store,
    (kind, named): (AlarmKind, BTreeSet<String>),
    now: Timestamp,
) -> Result<(), Error> {
    let ended = store.end_other_alarms(kind, named, now).await?;
    if ended > 0 {
        tracing::info!(code = kind.code, alarms = ended, "alarms are over");
    }
    Ok(())
}

/// Identifiers that cannot be taken off, and why.
type KeptIdentifiers = Vec<(PartyRecord, String, Refusal)>;

/// Withdraws what is not declared any more; answers what a party cannot be without.
async fn withdraw(
    store: &Store,
    parties: Vec<PartyRecord>,
    mut left: Vec<(PartyRecord, String)>,
    now: Timestamp,
) -> Result<KeptIdentifiers, Error> {
    let by = (CONFIGURATION, now);
    store.withdraw_parties(&parties, Withdrawal::Config, by).await?;
    for party in &parties {
        let (organisation, party) = (party.organisation.as_str(), party.main());
        tracing::warn!(organisation, party, "the party is not declared any more: it is withdrawn");
    }
    // A Belgian VAT number goes before the enterprise number that it needs.
    left.sort_by_key(|(_, identifier)| identifier.starts_with("0208:"));
    let mut kept = KeptIdentifiers::new();
    for (party, identifier) in left {
        match store.take_off(&party, &identifier, by).await {
            Ok(_) => {
                let (organisation, party) = (party.organisation.as_str(), party.main());
                tracing::warn!(organisation, party, identifier, "not declared any more: taken off");
            }
            Err(Error::Refusal(refusal)) => kept.push((party, identifier, refusal)),
            Err(error) => return Err(error),
        }
    }
    Ok(kept)
}

/// What a party cannot be without stays, and somebody has to decide about it.
async fn stay_refused(
    (alarms, store): (&Alarms, &Store),
    kept: KeptIdentifiers,
    now: Timestamp,
) -> Result<(), Error> {
    let kind = AlarmKind::UNDECLARED_PUBLISHED;
    let mut named = BTreeSet::new();
    for (party, identifier, refusal) in kept {
        let (organisation, id) = (party.organisation.as_str(), party.main());
        let message = format!(
            "The identifier {identifier} of party {id} of organisation {organisation} is not \
             declared any more, and could not be taken off: {refusal}."
        );
        tracing::warn!(organisation, party = id, identifier, %refusal, "it could not be taken off");
        let subject = format!("{organisation} {id} {identifier}");
        let details = [("organisation", organisation), ("partyId", &id)];
        alarms.raise(kind, &subject, message, &details).await;
        named.insert(subject);
    }
    end_others(store, (kind, named), now).await
}
