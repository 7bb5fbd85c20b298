//! Which channel a document takes in this go, and what comes after it.

use quoin_delivery::channel::{self, NO_CHANNEL, is_network};
use quoin_delivery::choice::{self, UnknownChannel};
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{ChannelOption, Channels, DeliveryRoute, Event, Family, HookId, NextChannel};
use quoin_store::{Hook, HookScope};

use crate::channels::{self, OutboundRun};
use crate::plan::Plan;
use crate::step::StepFault;

impl OutboundRun<'_> {
    /// The channel for this go, and what comes after it. The one on record is kept as long as it is
    /// there, and once attempts were made over it also when it is off or gone: whoever is behind it
    /// may have the document. Another one starts with the whole schedule.
    pub(super) async fn choose(
        &mut self,
        plan: &Plan,
    ) -> Result<Result<ChannelOption, UnknownChannel>, StepFault> {
        let channels = match self.channels(plan).await? {
            Ok(channels) => channels,
            Err(unknown) => {
                // No channel of the network failed, so nothing falls back from it.
                self.now_at.way.kind = Some(NO_CHANNEL);
                return Ok(Err(unknown));
            }
        };
        let recorded = self.record.transaction.way.channel.clone();
        let Some(current) = channels.current(recorded.as_deref()).cloned() else {
            return Ok(Ok(ChannelOption::peppol()));
        };
        let is_known = recorded.is_none_or(|key| key == current.hook);
        let next = |channel: Option<&ChannelOption>| {
            channel.map(|next| NextChannel { hook: next.hook.clone(), id: next.id.clone() })
        };
        let own = &self.record.transaction;
        self.now_at.way = DeliveryRoute {
            channel: Some(current.hook.clone()),
            kind: Some(current.kind),
            attempts_before: if is_known { own.way.attempts_before } else { own.attempts },
            unreachable: next(channels.after_unreachable(&current)),
            failed: next(channels.after_failure(&current)),
            output: current.output.clone(),
        };
        if !is_known {
            self.decide(&Event::Rerouted { channel: current.id.clone() });
        }
        Ok(Ok(current))
    }

    /// The channels that there are for the document.
    async fn channels(&self, plan: &Plan) -> Result<Result<Channels, UnknownChannel>, StepFault> {
        let own = &self.record.transaction;
        let mut hooks = self.context.store.channels_of(&own.organisation, &own.party).await?;
        let forced = self.record.channel.as_deref();
        if forced.is_none() {
            let facts = self.facts_of(plan);
            hooks.retain(|hook| hook.wants(&facts));
        }
        let family = self.now_at.family;
        let found = match (family, forced) {
            // The profile of a report names its hook, whatever else that listens to.
            (Family::TaxReport, Some(hook)) => choice::named(&hooks, hook),
            _ => choice::select(&hooks, family, forced),
        };
        let there = found.as_ref().ok();
        let kept = match own.way.channel.as_deref() {
            Some(key) if !there.is_some_and(|there| has(there, key)) => {
                self.still_taken(key, there).await?
            }
            _ => None,
        };
        let kept = match (kept, &found, forced) {
            (Some(kept), ..) => Some(kept),
            (None, Err(_), Some(id)) => self.switched_off(id).await?,
            _ => None,
        };
        Ok(kept.map_or(found, |kept| Ok(Channels { order: vec![kept], fallback: Vec::new() })))
    }

    /// The channel of this key, which is none for the document any more, where the document waits
    /// for it all the same: attempts were made over it, or its hook is only switched off. The place
    /// of a hook that is gone takes one that leads to the same destination, and no other one:
    /// whoever is behind it may have the document.
    async fn still_taken(
        &self,
        key: &str,
        there: Option<&Channels>,
    ) -> Result<Option<ChannelOption>, StepFault> {
        let Ok(key) = key.parse::<HookId>() else { return Ok(None) };
        let own = &self.record.transaction;
        let is_begun = own.attempts > own.way.attempts_before;
        let hook = self.context.store.hook_of_key(&own.organisation, &key).await?;
        if let Some(hook) = hook {
            return Ok(option(&hook).filter(|_| is_begun || !hook.is_active));
        }
        let is_asked_for = self.record.channel.is_some() && there.is_some();
        if !is_begun || is_asked_for {
            return Ok(None);
        }
        let attempts = self.context.store.attempts_of(&own.id).await?;
        let last = attempts.last();
        let protocol = last.and_then(|last| last.protocol.as_deref());
        let kind = protocol.map(|protocol| channel::of_protocol(protocol).hook.kind);
        let Some(kind) = kind.filter(|kind| !is_network(*kind)) else { return Ok(None) };
        let tried = last.and_then(|last| last.endpoint.as_deref());
        let known = there.into_iter().flat_map(|there| there.order.iter().chain(&there.fallback));
        let same: Vec<ChannelOption> =
            known.filter(|channel| channel.kind == kind).cloned().collect();
        for channel in same {
            if self.leads_to(&channel, tried).await? {
                return Ok(Some(channel));
            }
        }
        let key = key.as_str();
        Ok(Some(ChannelOption {
            name: key.to_owned(),
            id: key.to_owned(),
            hook: key.to_owned(),
            kind,
            output: Vec::new(),
        }))
    }

    /// Whether a channel leads to the address that an attempt was made at.
    async fn leads_to(
        &self,
        channel: &ChannelOption,
        tried: Option<&str>,
    ) -> Result<bool, StepFault> {
        let (Some(tried), Ok(key)) = (tried, channel.hook.parse::<HookId>()) else {
            return Ok(false);
        };
        let hook = self.context.store.hook_of_key(&self.record.transaction.organisation, &key);
        let place = hook.await?.zip(channels::of(channel.kind)).map(|(hook, by)| by.place(&hook));
        Ok(place.is_some_and(|place| place.is_ok_and(|place| place.destination == tried)))
    }

    /// The channel of this id, which was asked for by name, where its hook is only switched off.
    async fn switched_off(&self, id: &str) -> Result<Option<ChannelOption>, StepFault> {
        let Ok(id) = id.parse::<HookId>() else { return Ok(None) };
        let own = &self.record.transaction;
        for scope in [HookScope::Party(own.party.clone()), HookScope::Environment] {
            let found = self.context.store.hook(&own.organisation, &scope, &id).await?;
            if let Some(hook) = found.filter(|hook| !hook.is_active) {
                return Ok(option(&hook));
            }
        }
        Ok(None)
    }
}

fn has(channels: &Channels, key: &str) -> bool {
    channels.order.iter().chain(&channels.fallback).any(|channel| channel.hook == key)
}

/// The channel that a hook is beside the network.
fn option(hook: &Hook) -> Option<ChannelOption> {
    let kind = ActionKind::of(&hook.action)?;
    let is_one = channel::row(kind).is_some() && !is_network(kind);
    is_one.then(|| ChannelOption {
        name: hook.id.as_str().to_owned(),
        id: hook.id.as_str().to_owned(),
        hook: hook.key.as_str().to_owned(),
        kind,
        output: hook.output.clone(),
    })
}
