//! Which channel a document takes in this go, and what comes after it.

use quoin_delivery::channel::{self, NO_CHANNEL, is_network};
use quoin_delivery::choice::{self, UnknownChannel};
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{ChannelOption, Channels, DeliveryRoute, Event, Family, HookId, NextChannel};
use quoin_store::{Attempt, Hook, HookScope};

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
    async fn channels(
        &mut self,
        plan: &Plan,
    ) -> Result<Result<Channels, UnknownChannel>, StepFault> {
        let own = &self.record.transaction;
        let mut hooks = self.context.store.channels_of(&own.organisation, &own.party).await?;
        let forced = self.record.channel.clone();
        if forced.is_none() {
            let facts = self.facts_of(plan);
            hooks.retain(|hook| hook.wants(&facts));
        }
        let family = self.now_at.family;
        // Who else may lead to where it was tried, also where its hook was asked for by name.
        let others = match forced {
            Some(_) if family != Family::TaxReport => choice::select(&hooks, family, None).ok(),
            _ => None,
        };
        let found = match (family, forced.as_deref()) {
            // The profile of a report names its hook, whatever else that listens to.
            (Family::TaxReport, Some(hook)) => choice::named(&hooks, hook),
            _ => choice::select(&hooks, family, forced.as_deref()),
        };
        let there = found.as_ref().ok();
        let recorded = own.way.channel.clone();
        let current = recorded.as_deref().and_then(|key| there.and_then(|there| of(there, key)));
        let may_be_another = |one: &ChannelOption| self.is_begun() && !is_network(one.kind);
        let kept = match recorded.as_deref() {
            Some(key) if current.is_none_or(may_be_another) => {
                let others = others.as_ref().or(there);
                self.still_taken(key, (current.is_some(), others), plan).await?
            }
            _ => None,
        };
        let kept = match (kept, &found, forced.as_deref()) {
            (Some(kept), ..) => Some(kept),
            (None, Err(_), Some(id)) => self.switched_off(id).await?,
            _ => None,
        };
        Ok(kept.map_or(found, |kept| Ok(Channels { order: vec![kept], fallback: Vec::new() })))
    }

    /// Whether attempts were made over the channel on record.
    fn is_begun(&self) -> bool {
        let own = &self.record.transaction;
        own.attempts > own.way.attempts_before
    }

    /// The channel of this key, which is none for the document any more, where the document waits
    /// for it all the same: attempts were made over it, or its hook is only switched off. The place
    /// of a hook that is gone takes one that leads to the same destination, and no other one,
    /// whatever its id: whoever is behind it may have the document.
    async fn still_taken(
        &mut self,
        key: &str,
        (is_there, others): (bool, Option<&Channels>),
        plan: &Plan,
    ) -> Result<Option<ChannelOption>, StepFault> {
        let Ok(key) = key.parse::<HookId>() else { return Ok(None) };
        let own = &self.record.transaction;
        let is_begun = self.is_begun();
        let hook = self.context.store.hook_of_key(&own.organisation, &key).await?;
        let tried = if is_begun { self.last_tried().await? } else { None };
        if let Some(hook) = hook {
            let is_anew = tried.as_ref().is_some_and(|tried| hook.created_on > tried.started_on);
            if !is_anew || self.leads_to(&hook, tried.as_ref(), plan).await? != Some(false) {
                let waits = !is_there && (is_begun || !hook.is_active);
                return Ok(option(&hook).filter(|_| waits));
            }
        } else if !is_begun {
            return Ok(None);
        }
        let kind = tried.as_ref().and_then(kind_of);
        let Some(kind) = kind.filter(|kind| !is_network(*kind)) else { return Ok(None) };
        let known = others.into_iter().flat_map(|all| all.order.iter().chain(&all.fallback));
        let same: Vec<ChannelOption> =
            known.filter(|channel| channel.kind == kind).cloned().collect();
        for channel in same {
            let Ok(other) = channel.hook.parse::<HookId>() else { continue };
            let hook = self.context.store.hook_of_key(&own.organisation, &other).await?;
            let Some(hook) = hook else { continue };
            if self.leads_to(&hook, tried.as_ref(), plan).await? == Some(true) {
                return Ok(Some(channel));
            }
        }
        self.is_hook_gone = true;
        let key = key.as_str();
        Ok(Some(ChannelOption {
            name: key.to_owned(),
            id: key.to_owned(),
            hook: key.to_owned(),
            kind,
            output: Vec::new(),
        }))
    }

    /// The last attempt over the channel on record that went anywhere, since while a hook is gone
    /// there are such as went nowhere; the last one where none did.
    async fn last_tried(&self) -> Result<Option<Attempt>, StepFault> {
        let own = &self.record.transaction;
        let mut made = self.context.store.attempts_of(&own.id).await?;
        made.retain(|made| made.attempt > own.way.attempts_before);
        let last = made.iter().rposition(|made| address(made).is_some());
        let last = last.or(made.len().checked_sub(1));
        Ok(last.map(|at| made.swap_remove(at)))
    }

    /// Whether a hook leads to the address that an attempt was made at, where its action tells.
    async fn leads_to(
        &self,
        hook: &Hook,
        tried: Option<&Attempt>,
        plan: &Plan,
    ) -> Result<Option<bool>, StepFault> {
        let Some((made, tried)) = tried.and_then(|made| Some((made, address(made)?))) else {
            return Ok(None);
        };
        let by = ActionKind::of(&hook.action).and_then(channels::of);
        let Some(by) = by.filter(|by| kind_of(made) == Some(by.kind())) else {
            return Ok(Some(false));
        };
        let named = match by.kind() {
            ActionKind::Mail => self.named_address(plan).await?,
            _ => None,
        };
        Ok(by.leads_to(hook, tried, named.as_deref()))
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

fn of<'c>(channels: &'c Channels, key: &str) -> Option<&'c ChannelOption> {
    channels.order.iter().chain(&channels.fallback).find(|channel| channel.hook == key)
}

/// Where an attempt went to; none of one that went nowhere, which mail once wrote as no addresses.
fn address(made: &Attempt) -> Option<&str> {
    made.endpoint.as_deref().filter(|place| !place.is_empty() && *place != "mailto:")
}

/// The kind of hook by which an attempt was made.
fn kind_of(made: &Attempt) -> Option<ActionKind> {
    made.protocol.as_deref().map(|protocol| channel::of_protocol(protocol).hook.kind)
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
