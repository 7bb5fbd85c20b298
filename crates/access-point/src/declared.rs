//! What the configuration declares, as the store keeps it: organisations with their clients, hooks
//! and parties.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use quoin_delivery::capabilities::{CapabilitySetting, States, named, unknown};
use quoin_delivery::{HookId, OrganisationId};
use quoin_peppol::codelists::{CAPABILITIES, Capability};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{AccountRole, Client, Hook, HookScope, PartyRecord, secret_digest};
use serde_json::{Value, json};

use crate::channels::Allowed;
use crate::config::{ClientRole, ClientSeed, HookSeed, OrganisationSeed, PartySeed};
use crate::hooks::{HookAction, check_id, check_topics, init_after, secrets_after};

/// Words of what is said.
const ACTION: &str = "action";
const IDENTIFIERS: &str = "identifiers";
const LEFT: &str = "left";

/// What keeps an organisation of the configuration from being taken over, all of it.
pub fn problems(seed: &OrganisationSeed, allowed: &Allowed) -> Vec<String> {
    let now = Timestamp::UNIX_EPOCH;
    let id: OrganisationId = match seed.id.parse() {
        Ok(id) => id,
        Err(error) => return vec![format!("{error}")],
    };
    let mut found = Vec::new();
    let of_parties = seed.parties.iter().flat_map(|party| &party.hooks);
    for one in seed.hooks.iter().chain(of_parties) {
        found.extend(
            read_hook(&id, HookScope::Environment, one, allowed, now).err().unwrap_or_default(),
        );
    }
    for one in &seed.parties {
        found.extend(one.identifiers.iter().filter_map(|text| participant(text).err()));
        found.extend(one.capabilities.iter().filter_map(|(name, to)| state(name, to).err()));
    }
    found
}

/// A client of the configuration.
///
/// # Errors
/// What is wrong with it.
pub fn client(id: &OrganisationId, seed: &ClientSeed, now: Timestamp) -> Result<Client, String> {
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
            ClientRole::ApUser => AccountRole::ApUser,
            ClientRole::ApManager => AccountRole::ApManager,
        },
        active: true,
        all_parties: seed.all_parties,
        declared: true,
        created_on: now,
        tokens_since: now,
    })
}

/// What is said of a hook, to be compared with what was said of it before.
pub fn said_of_hook(seed: &HookSeed) -> String {
    let HookSeed { id, name, action, topics, init } = seed;
    let init: BTreeMap<&str, &str> =
        init.iter().map(|(name, value)| (name.as_str(), value.expose())).collect();
    json!({ "id": id, "name": name, ACTION: action.expose(), "topics": topics, "init": init })
        .to_string()
}

/// Whether what was said of a hook names the same action, its secret included.
pub fn same_action(said: &str, seed: &HookSeed) -> bool {
    let said: Option<Value> = serde_json::from_str(said).ok();
    said.is_some_and(|said| said.get(ACTION).and_then(Value::as_str) == Some(seed.action.expose()))
}

/// What is said of a party; `left` are identifiers that were said of it and are not any more, and
/// that it still has. What its hooks are is said of each of them.
pub fn said_of_party(seed: &PartySeed, left: &BTreeSet<String>) -> String {
    let PartySeed { identifiers, name, country, capabilities, hooks: _ } = seed;
    json!({
        IDENTIFIERS: identifiers, "name": name, "country": country, "capabilities": capabilities,
        LEFT: left,
    })
    .to_string()
}

/// Whether the same was said of a party before, whatever it still has of what was said earlier.
pub fn same_party(said: &str, seed: &PartySeed) -> bool {
    let bare = |text: &str| {
        let mut said: Value = serde_json::from_str(text).ok()?;
        said.as_object_mut()?.remove(LEFT);
        Some(said)
    };
    let before = bare(said);
    before.is_some() && before == bare(&said_of_party(seed, &BTreeSet::new()))
}

/// The identifiers of what was said of a party, in lower case, and such as were left.
pub fn identifiers_said(said: &str) -> BTreeSet<String> {
    let said: Value = serde_json::from_str(said).unwrap_or_default();
    let all = [IDENTIFIERS, LEFT].into_iter().filter_map(|name| said.get(name)?.as_array());
    let all = all.flatten().filter_map(Value::as_str);
    all.filter_map(|text| Some(text.parse::<ParticipantId>().ok()?.folded())).collect()
}

/// The key of a party is its main identifier as it is written; the identifiers are kept in lower
/// case, since participants are compared without regard to case.
///
/// # Errors
/// What is wrong with it.
pub fn party(id: &OrganisationId, seed: &PartySeed, now: Timestamp) -> Result<PartyRecord, String> {
    let identifiers = participants(seed)?;
    let main = identifiers.first().ok_or("a party has no identifier")?;
    Ok(PartyRecord {
        id: main.as_str().to_owned(),
        organisation: id.clone(),
        identifiers: identifiers.iter().map(ParticipantId::folded).collect(),
        name: seed.name.clone(),
        country: seed.country.clone(),
        created_on: now,
    })
}

fn participants(seed: &PartySeed) -> Result<Vec<ParticipantId>, String> {
    seed.identifiers.iter().map(|text| participant(text)).collect()
}

fn participant(text: &str) -> Result<ParticipantId, String> {
    text.parse().map_err(|e| format!("identifier {text:?}: {e}"))
}

/// The capabilities that the configuration sets; of a party that is not known yet, the others are
/// off.
///
/// # Errors
/// What is wrong with them.
pub fn states(seed: &PartySeed, known: bool) -> Result<States, String> {
    let off = |row: &'static Capability| (row.name.to_owned(), CapabilitySetting::Off);
    let mut states: States =
        if known { States::new() } else { CAPABILITIES.iter().map(off).collect() };
    for (name, to) in &seed.capabilities {
        let (row, setting) = state(name, to)?;
        states.insert(row.name.to_owned(), setting);
    }
    Ok(states)
}

fn state(name: &str, to: &str) -> Result<(&'static Capability, CapabilitySetting), String> {
    let row = named(name).ok_or_else(|| unknown(name, &[]))?;
    Ok((row, to.parse().map_err(|e| format!("{name}: {e}"))?))
}

/// A hook of the configuration.
///
/// # Errors
/// All that is wrong with it.
pub fn hook(
    id: &OrganisationId,
    scope: HookScope,
    seed: &HookSeed,
    allowed: &Allowed,
    now: Timestamp,
) -> Result<Hook, String> {
    read_hook(id, scope, seed, allowed, now).map_err(|problems| problems.join("; "))
}

fn read_hook(
    id: &OrganisationId,
    scope: HookScope,
    seed: &HookSeed,
    allowed: &Allowed,
    now: Timestamp,
) -> Result<Hook, Vec<String>> {
    let at = |problem: String| format!("hook {:?}: {problem}", seed.id);
    let mut found = Vec::new();
    let hook_id = seed.id.parse::<HookId>().map_err(|error| found.push(at(error.to_string()))).ok();
    let mut topics = Vec::new();
    for topic in &seed.topics {
        match topic.parse() {
            Ok(topic) => topics.push(topic),
            Err(error) => found.push(at(format!("{error}"))),
        }
    }
    // Of secrets that could not be read the reader of the file has told.
    if !seed.action.is_read() || !seed.init.values().all(|value| value.is_read()) {
        return Err(found);
    }
    let action = HookAction::parse(seed.action.expose(), allowed);
    let (Ok(action), Some(hook_id)) = (&action, hook_id) else {
        found.extend(action.err().map(|error| at(error.to_string())));
        return Err(found);
    };
    found.extend(check_id(&hook_id, action.kind).err().map(at));
    // Of a topic that there is not is told above.
    if topics.len() == seed.topics.len() {
        found.extend(check_topics(action.kind, &topics, &[]).err().map(at));
    }
    let given = given(seed);
    let secrets = secrets_after((action, &given), None, now);
    let init = init_after(action, given, &topics, None, allowed);
    let ((secrets, rotated_on), (init, sealed)) = match (secrets, init) {
        (Ok(secrets), Ok(init)) if found.is_empty() => (secrets, init),
        (secrets, init) => {
            found.extend(secrets.err().map(|error| at(error.to_string())));
            found.extend(init.err().map(|error| at(error.to_string())));
            return Err(found);
        }
    };
    Ok(Hook {
        organisation: id.clone(),
        key: hook_id.clone(),
        id: hook_id,
        scope,
        name: seed.name.clone(),
        action: action.url.clone(),
        secrets,
        topics,
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init,
        sealed,
        is_active: true,
        created_on: now,
        changed_on: now,
        rotated_on,
        failing_since: None,
    })
}

fn given(seed: &HookSeed) -> Value {
    let given = seed.init.iter().map(|(name, value)| (name.clone(), value.expose().into()));
    match seed.init.is_empty() {
        true => Value::Null,
        false => Value::Object(given.collect()),
    }
}
