//! Channels at the customers' door: which ones a party's documents can take, and whether a forced
//! one is there (interface specification 4.1, 6).

use std::collections::BTreeMap;

use quoin_delivery::channel;
use quoin_delivery::choice::{self, Channels};
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{Family, OrganisationId};

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
    choice::select(&hooks, family, forced)
        .map_err(|unknown| Problem::new(&codes::NO_CHANNEL, unknown.to_string()))
}

/// The channel that will be used for a recipient, and the others that could be: Peppol only where
/// the recipient is reached by it.
pub fn usable(channels: &Channels, on_peppol: bool) -> (Option<String>, Vec<String>) {
    let reached = |kind: ActionKind| on_peppol || !channel::is_network(kind);
    let names = channels.order.iter().filter(|channel| reached(channel.kind));
    let mut names: Vec<String> = names.map(|channel| channel.name.clone()).collect();
    if names.is_empty() {
        // Not on Peppol, and nothing else was asked for: what stands behind a failure takes over.
        names.extend(channels.fallback.first().map(|channel| channel.name.clone()));
    }
    let first = (!names.is_empty()).then(|| names.remove(0));
    (first, names)
}
