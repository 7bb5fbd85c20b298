//! Which channel a document takes: one pure function over the hooks that listen (interface
//! specification 6, rules 2 to 4; conventions A9).
//!
//! A hook is a channel where its action is one and it names a `Send…` topic. Party before
//! environment, a topic by name before a wildcard, then the hook id: numbers as integers, then
//! texts. Peppol is always among them. A hook that listens to `Send…` and to `Send…Fallback`
//! stands behind all others, under the name `peppol-fallback`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::channel::{self, NETWORK, PEPPOL_FALLBACK, is_network};
use crate::filter::Filter;
use crate::hook::{ActionKind, Output};
use crate::ids::{HookId, PEPPOL};
use crate::topics::{COMMANDS, Family, Topic, TopicPattern};

/// A hook as far as the choice looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelHook {
    /// Its id within its scope.
    pub id: HookId,
    /// Its key, unique among all hooks.
    pub key: HookId,
    /// Whether it belongs to the party, not to the whole environment.
    pub of_party: bool,
    /// What its action is.
    pub kind: ActionKind,
    /// What it listens to.
    pub topics: Vec<TopicPattern>,
    /// What it publishes.
    pub output: Vec<Output>,
    /// Which documents it wants.
    pub filter: Option<Filter>,
}

/// A channel that a document can take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelOption {
    /// Its name in look-ups and in `channel=`: the hook's id, or `peppol-fallback`.
    pub name: String,
    /// The hook's id: a party and its environment may each have one of the same.
    pub id: String,
    /// The hook's key.
    pub hook: String,
    /// How it delivers.
    pub kind: ActionKind,
    /// What its hook publishes.
    pub output: Vec<Output>,
}

/// The channels of a document, in the order in which they are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channels {
    /// The first one that reaches the receiver is taken.
    pub order: Vec<ChannelOption>,
    /// Taken when Peppol failed (400, 404, 500).
    pub fallback: Vec<ChannelOption>,
}

/// The forced channel is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no channel {asked:?} for this document{why}; there are: {known}")]
pub struct UnknownChannel {
    /// What was asked for.
    pub asked: String,
    /// Why the hook of this id is none, where there is one; empty where not.
    pub why: String,
    /// What there is.
    pub known: String,
}

/// The channels of a document of a family. Hooks are those of the party and of its environment
/// that are active. A forced channel stands alone: whoever forces Peppol does not want a document
/// to leave by mail.
///
/// # Errors
/// [`UnknownChannel`] where the forced one is none of them.
pub fn select(
    hooks: &[ChannelHook],
    family: Family,
    forced: Option<&str>,
) -> Result<Channels, UnknownChannel> {
    let channels = all(hooks, family);
    let Some(asked) = forced else { return Ok(channels) };
    let found = if asked == PEPPOL_FALLBACK {
        channels.order.iter().find(|channel| channel.name == PEPPOL_FALLBACK)
    } else {
        let known = channels.order.iter().chain(&channels.fallback);
        known.into_iter().find(|channel| channel.id == asked)
    };
    let Some(found) = found.cloned() else {
        let names = channels.names();
        let why = unfit(hooks, asked, family).unwrap_or_default();
        return Err(UnknownChannel { asked: asked.to_owned(), why, known: names.join(", ") });
    };
    Ok(Channels { order: vec![found], fallback: Vec::new() })
}

/// Why the hook of an id is no channel of a family, where there is such a hook.
fn unfit(hooks: &[ChannelHook], id: &str, family: Family) -> Option<String> {
    let of_id: Vec<&ChannelHook> = hooks.iter().filter(|hook| hook.id.as_str() == id).collect();
    let hook = of_id.iter().find(|hook| channel::carries(hook.kind, family)).or(of_id.first())?;
    let commands = family.commands()?;
    if !channel::carries(hook.kind, family) {
        let carried = COMMANDS.iter().map(|row| row.family);
        let carried = carried.filter(|carried| channel::carries(hook.kind, *carried));
        let carried: Vec<&str> = carried.map(|carried| carried.row().name).collect();
        let protocol = channel::row(hook.kind).map_or("its protocol", |row| row.protocol);
        let (carried, family) = (carried.join(", "), family.row().name);
        return Some(format!(
            ": a hook of this id is there, but {protocol} has no form of {family}, only of \
             {carried}"
        ));
    }
    let (send, fallback) = (commands.send.as_str(), commands.fallback.as_str());
    Some(format!(": a hook of this id is there, but listens to neither {send} nor {fallback}"))
}

/// The channel of an id, the party's before the organisation's, for what goes there whatever the
/// hook listens to. Nothing stands behind it.
///
/// # Errors
/// [`UnknownChannel`] where no hook of this id is a channel beside the network.
pub fn named(hooks: &[ChannelHook], id: &str) -> Result<Channels, UnknownChannel> {
    let mut known: Vec<&ChannelHook> = hooks.iter().filter(|hook| !is_network(hook.kind)).collect();
    known.sort_by_key(|hook| !hook.of_party);
    let Some(found) = known.iter().find(|hook| hook.id.as_str() == id) else {
        let names: Vec<&str> = known.iter().map(|hook| hook.id.as_str()).collect();
        let (asked, why) = (id.to_owned(), String::new());
        return Err(UnknownChannel { asked, why, known: names.join(", ") });
    };
    let option = ChannelOption {
        name: found.id.as_str().to_owned(),
        id: found.id.as_str().to_owned(),
        hook: found.key.as_str().to_owned(),
        kind: found.kind,
        output: found.output.clone(),
    };
    Ok(Channels { order: vec![option], fallback: Vec::new() })
}

fn all(hooks: &[ChannelHook], family: Family) -> Channels {
    let Some(commands) = family.commands() else {
        return Channels { order: vec![ChannelOption::peppol()], fallback: Vec::new() };
    };
    let mut order = ranked(hooks, commands.send, family);
    if !order.iter().any(|(hook, _)| is_network(hook.kind)) {
        let default = (ChannelHook::peppol(), false);
        let place = order.partition_point(|known| rank(known, &default).is_lt());
        order.insert(place, default);
    }
    let fallback = ranked(hooks, commands.fallback, family);
    let stands_behind = |hook: &ChannelHook| {
        !is_network(hook.kind) && fallback.iter().any(|(other, _)| other.key == hook.key)
    };
    let (behind, first): (Vec<_>, Vec<_>) =
        order.into_iter().partition(|(hook, _)| stands_behind(hook));
    let named = |name: Option<&str>, hook: ChannelHook| ChannelOption {
        name: name.unwrap_or(hook.id.as_str()).to_owned(),
        id: hook.id.into(),
        hook: hook.key.into(),
        kind: hook.kind,
        output: hook.output,
    };
    let first = first.into_iter().map(|(hook, _)| named(None, hook));
    let behind = behind.into_iter().map(|(hook, _)| named(Some(PEPPOL_FALLBACK), hook));
    let order = first.chain(behind).collect();
    let fallback = fallback.into_iter().filter(|(hook, _)| !is_network(hook.kind));
    Channels { order, fallback: fallback.map(|(hook, _)| named(None, hook)).collect() }
}

/// The channels of a family that listen to a topic, each with whether it names it, in their order.
fn ranked(hooks: &[ChannelHook], topic: Topic, family: Family) -> Vec<(ChannelHook, bool)> {
    let mut found: Vec<(ChannelHook, bool)> = hooks
        .iter()
        .filter(|hook| channel::carries(hook.kind, family))
        .filter_map(|hook| {
            let mut heard = hook.topics.iter().filter(|pattern| pattern.matches(topic)).peekable();
            heard.peek()?;
            Some((hook.clone(), heard.any(TopicPattern::is_specific)))
        })
        .collect();
    found.sort_by(rank);
    found
}

fn rank(a: &(ChannelHook, bool), b: &(ChannelHook, bool)) -> Ordering {
    let key = |(hook, specific): &(ChannelHook, bool)| (!hook.of_party, !specific);
    key(a).cmp(&key(b)).then_with(|| by_id(a.0.id.as_str(), b.0.id.as_str()))
}

/// Numbers as integers, then texts: `1, 02, 10, dico, peppol`. Numbers may be longer than any
/// machine word.
pub fn by_id(a: &str, b: &str) -> Ordering {
    let number = |id: &str| id.bytes().all(|byte| byte.is_ascii_digit());
    match (number(a), number(b)) {
        (true, true) => {
            let (x, y) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y)).then_with(|| a.cmp(b))
        }
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => a.cmp(b),
    }
}

impl ChannelHook {
    /// The Peppol hook that every environment has: `{id: "peppol", action: "peppol", topics:
    /// ["Send*"]}`.
    pub fn peppol() -> ChannelHook {
        ChannelHook {
            id: HookId::peppol(),
            key: HookId::peppol(),
            of_party: false,
            kind: NETWORK.hook.kind,
            topics: "Send*".parse().into_iter().collect(),
            output: Vec::new(),
            filter: None,
        }
    }

    /// Whether it wants a document of which these facts are known. Only where no channel is forced.
    pub fn wants(&self, facts: &BTreeMap<String, String>) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.wants(facts))
    }
}

impl ChannelOption {
    /// The network.
    pub fn peppol() -> ChannelOption {
        ChannelOption {
            name: PEPPOL.to_owned(),
            id: PEPPOL.to_owned(),
            hook: PEPPOL.to_owned(),
            kind: NETWORK.hook.kind,
            output: Vec::new(),
        }
    }
}

impl Channels {
    /// The names of all channels, in their order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for channel in self.order.iter().chain(&self.fallback) {
            let shown = self.order.iter().any(|known| known.hook == channel.hook);
            if !names.contains(&channel.name.as_str()) && (!shown || self.order.contains(channel)) {
                names.push(&channel.name);
            }
        }
        names
    }

    /// The channel that is on record, or else the first one.
    pub fn current(&self, recorded: Option<&str>) -> Option<&ChannelOption> {
        let known = || self.order.iter().chain(&self.fallback);
        recorded
            .and_then(|id| known().find(|channel| channel.hook == id))
            .or_else(|| self.order.first())
    }

    /// The channel to take where `from` does not reach the receiver: the next one in the order, and
    /// behind the last one those for failures of Peppol, which did not reach it either, as far as
    /// they are not in the order.
    pub fn after_unreachable(&self, from: &ChannelOption) -> Option<&ChannelOption> {
        let is_from = |channel: &&ChannelOption| channel.hook == from.hook;
        let is_tried =
            |channel: &&ChannelOption| self.order.iter().any(|known| known.hook == channel.hook);
        let mut rest = self.order.iter();
        if rest.any(|channel| is_from(&channel)) {
            let is_behind = self.order.iter().any(|channel| is_network(channel.kind));
            let behind = || self.fallback.iter().find(|other| is_behind && !is_tried(other));
            return rest.next().or_else(behind);
        }
        let mut rest = self.fallback.iter();
        rest.find(is_from)?;
        rest.find(|other| !is_tried(other))
    }

    /// The channel to take where `from` failed: only after Peppol there is one.
    pub fn after_failure(&self, from: &ChannelOption) -> Option<&ChannelOption> {
        self.fallback.first().filter(|_| is_network(from.kind))
    }
}

#[cfg(test)]
mod tests;
