//! A document over a channel beside the network, which asks nobody beforehand.

use quoin_delivery::hook::ActionKind;
use quoin_delivery::{ChannelOption, Event, Family, OrganisationId, channel};
use quoin_store::PartyRecord;

use quoin_access_point::plan::{Plan, not_as_it_is};

use super::conversion::DryRunInput;
use super::{DryRun, DryRunRoute};
use crate::api::Api;
use crate::api::channels::{Which, channels};
use crate::http::Problem;

impl DryRun {
    /// Whether a document that the network does not take goes over a channel beside it, or is
    /// refused there.
    pub(super) async fn beside(
        &mut self,
        api: &Api,
        (party, input): (&PartyRecord, &DryRunInput),
        planned: Result<Plan, Box<Event>>,
        forced: Option<&str>,
    ) -> Result<bool, Problem> {
        let facts = planned.as_ref().map(|plan| plan.facts(Family::Invoice)).unwrap_or_default();
        let which = forced.map_or(Which::For(&facts), Which::Forced);
        let PartyRecord { organisation, id, .. } = party;
        let channels = channels(api, organisation, id, Family::Invoice, which).await?;
        let first = channels.order.first().filter(|first| !channel::is_network(first.kind));
        match (first, planned) {
            (Some(first), Ok(plan)) => {
                let because = vec![why(forced, first)];
                self.takes(api, (&plan, input), first, because).await?;
                Ok(true)
            }
            (Some(_), Err(refusal)) if forced.is_some() => {
                self.rejected(&refusal);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Nobody takes a document of this form or what it could become: what the network says of the
    /// receiver, and the channel that stands behind it.
    pub(super) async fn unreached(
        &mut self,
        api: &Api,
        (party, input): (&PartyRecord, &DryRunInput),
        plan: &Plan,
        (rejected, forced): (&Event, Option<&str>),
    ) -> Result<(), Problem> {
        let (facts, PartyRecord { organisation, id, .. }) = (plan.facts(Family::Invoice), party);
        let which = forced.map_or(Which::For(&facts), Which::Forced);
        let channels = channels(api, organisation, id, Family::Invoice, which).await?;
        let first = channels.order.first().cloned().unwrap_or_else(ChannelOption::peppol);
        let why = why(forced, &first);
        if self.over_peppol(api, organisation, plan, &why).await? {
            return Ok(());
        }
        let because = not_as_it_is(plan, rejected);
        self.reason = [Some(std::mem::take(&mut self.reason)), because]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
        let Some(next) = channels.after_unreachable(&first) else { return Ok(()) };
        let unreached = std::mem::take(&mut self.reason);
        let because = vec![why, unreached, format!("{} stands behind it.", next.name)];
        self.takes(api, (plan, input), next, because).await
    }

    /// It takes a channel that asks nobody beforehand, in the form that this one carries.
    pub(super) async fn takes(
        &mut self,
        api: &Api,
        (plan, input): (&Plan, &DryRunInput),
        channel: &ChannelOption,
        mut because: Vec<String>,
    ) -> Result<(), Problem> {
        let owner: OrganisationId = input.organisation.parse().map_err(Problem::fault)?;
        let hook = match channel.hook.parse().ok() {
            Some(key) => api.store.hook_of_key(&owner, &key).await?,
            None => None,
        };
        let by = quoin_access_point::channels::of(channel.kind);
        let form = by.and_then(|by| by.carries());
        if let Some(form) = form.filter(|form| form.has(plan)) {
            let carries = form.target.as_str();
            because.push(format!("The channel carries {carries}, and the document is in it."));
        } else if let Some(form) = form {
            match input.carried(api, plan, form).await? {
                Err(event) => {
                    self.rejected(&event);
                    return Ok(());
                }
                Ok(record) => {
                    let carries = &record.target_document_type_id;
                    because.push(format!("The channel carries {carries}."));
                    self.becomes(record);
                }
            }
        }
        let place = hook.zip(by).map(|(hook, by)| by.place(&hook));
        let (place, problem) = match place.transpose() {
            Ok(place) => (place, None),
            Err(problem) => (None, Some(problem)),
        };
        let (destination, credentials) =
            place.map(|place| (place.destination, place.credentials)).unzip();
        self.verdict = "deliverable".to_owned();
        self.reason = format!("The document takes the channel {}.", channel.name);
        self.route = Some(DryRunRoute {
            channel: channel.name.clone(),
            protocol: protocol(channel.kind),
            destination,
            credentials: credentials.unwrap_or_default(),
            problem,
            because,
            lookup: None,
        });
        Ok(())
    }
}

/// Why a channel is taken.
pub(super) fn why(forced: Option<&str>, first: &ChannelOption) -> String {
    match forced {
        Some(channel) => format!("The query forces the channel {channel}."),
        None => format!("The channel {} comes first for this document.", first.name),
    }
}

fn protocol(kind: ActionKind) -> String {
    channel::row(kind).map_or("", |row| row.protocol).to_owned()
}
