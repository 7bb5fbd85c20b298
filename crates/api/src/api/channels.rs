//! Channels at the customers' door: which ones a party's documents can take, and whether a forced
//! one is there (interface specification 4.1, 6).

use std::collections::BTreeMap;

use quoin_access_point::channels::AskedWay;
use quoin_delivery::channel;
use quoin_delivery::choice::{self, Channels, UnknownChannel};
use quoin_delivery::{ChannelOption, Family, HookId, OrganisationId};
use quoin_store::HookScope;

use crate::http::{Problem, codes};

use super::Api;

/// Which of the channels.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    /// The one that the caller forces.
    Forced(&'a str),
    /// Those that want a document with these facts, as in `recipient`.
    For(&'a BTreeMap<String, String>),
}

/// The channels of a document of a party, in the order in which they are tried. Without a party,
/// those of the environment.
///
/// # Errors
/// API400.Channel where the forced one is none of them.
pub async fn channels(
    api: &Api,
    owner: &OrganisationId,
    party: &str,
    family: Family,
    which: Which<'_>,
) -> Result<Channels, Problem> {
    let mut hooks = api.store.channels_of(owner, party).await?;
    let forced = match which {
        Which::Forced(forced) => Some(forced),
        Which::For(facts) => {
            hooks.retain(|hook| hook.wants(facts));
            None
        }
    };
    match choice::select(&hooks, family, forced) {
        Ok(channels) => Ok(channels),
        Err(unknown) => {
            let why = match unknown.why.is_empty() {
                true => switched_off(api, owner, party, &unknown.asked).await?,
                false => unknown.why.clone(),
            };
            let unknown = UnknownChannel { why, ..unknown };
            Err(Problem::new(&codes::NO_CHANNEL, unknown.to_string()))
        }
    }
}

/// That the hook of an id is switched off, where there is such a one.
async fn switched_off(
    api: &Api,
    owner: &OrganisationId,
    party: &str,
    id: &str,
) -> Result<String, Problem> {
    let Ok(id) = id.parse::<HookId>() else { return Ok(String::new()) };
    for scope in [HookScope::Party(party.to_owned()), HookScope::Environment] {
        let found = api.store.hook(owner, &scope, &id).await?;
        if found.is_some_and(|hook| !hook.is_active) {
            let why = ": the hook of this id is switched off (isActive)";
            return Ok(why.to_owned());
        }
    }
    Ok(String::new())
}

/// The channels beside the network that do not reach a recipient, as far as that can be told
/// without a document; by the keys of their hooks.
///
/// # Errors
/// Faults of the store.
pub async fn missed(
    api: &Api,
    owner: &OrganisationId,
    channels: &Channels,
    asked: &AskedWay<'_>,
) -> Result<Vec<String>, Problem> {
    let mut missed = Vec::new();
    for channel in channels.order.iter().chain(&channels.fallback) {
        let (by, key) = (quoin_access_point::channels::of(channel.kind), channel.hook.parse().ok());
        let Some((by, key)) = by.filter(|_| !channel::is_network(channel.kind)).zip(key) else {
            continue;
        };
        let hook = api.store.hook_of_key(owner, &key).await?;
        if hook.is_some_and(|hook| by.reaches(&hook, asked).is_err()) {
            missed.push(channel.hook.clone());
        }
    }
    Ok(missed)
}

/// The channel that will be used for a recipient, and the others that could be: those that reach
/// it, Peppol among them where it does.
pub fn usable(
    channels: &Channels,
    (on_peppol, missed): (bool, &[String]),
) -> (Option<String>, Vec<String>) {
    let reached = |channel: &&ChannelOption| {
        (on_peppol || !channel::is_network(channel.kind)) && !missed.contains(&channel.hook)
    };
    let names = channels.order.iter().filter(reached);
    let mut names: Vec<String> = names.map(|channel| channel.name.clone()).collect();
    if names.is_empty() {
        // Not on Peppol, and nothing else was asked for: what stands behind a failure takes over.
        names.extend(channels.fallback.iter().find(reached).map(|channel| channel.name.clone()));
    }
    let first = (!names.is_empty()).then(|| names.remove(0));
    (first, names)
}
