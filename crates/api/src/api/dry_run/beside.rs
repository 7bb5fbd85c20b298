//! A document over a channel beside the network, which asks nobody beforehand.

use quoin_delivery::hook::ActionKind;
use quoin_delivery::{ChannelOption, Channels, Event, Family, OrganisationId, channel};
use quoin_store::{Hook, PartyRecord};

use quoin_access_point::channels::Channel;
use quoin_access_point::plan::{NotCarried, Plan, not_as_it_is};

use super::conversion::DryRunInput;
use super::{DryRun, DryRunRoute};
use crate::api::Api;
use crate::api::channels::{Which, channels};
use crate::http::Problem;

/// A channel on the way of a document, and why it is there.
#[derive(Debug, Clone)]
pub(super) struct WayPoint {
    pub(super) channel: ChannelOption,
    pub(super) because: Vec<String>,
}

impl WayPoint {
    /// The next one, since this one does not reach the recipient.
    fn passed_on(mut self, unreached: String, next: &ChannelOption) -> WayPoint {
        self.because.extend([unreached, format!("{} stands behind it.", next.name)]);
        WayPoint { channel: next.clone(), because: self.because }
    }
}

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
                let from = WayPoint { channel: first.clone(), because };
                self.passed = self.along(api, (&plan, input), &channels, from).await?;
                Ok(self.passed.is_none())
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
        let at = self.begin(&channels, forced);
        if self.over_peppol(api, organisation, plan, &at.because).await? {
            return Ok(());
        }
        let because = not_as_it_is(plan, rejected);
        self.reason = [Some(std::mem::take(&mut self.reason)), because]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
        self.behind(api, (plan, input), &channels, at).await
    }

    /// Where the way of a document begins: with the first channel, or where it was passed on to.
    pub(super) fn begin(&mut self, channels: &Channels, forced: Option<&str>) -> WayPoint {
        self.passed.take().unwrap_or_else(|| {
            let channel = channels.order.first().cloned().unwrap_or_else(ChannelOption::peppol);
            WayPoint { because: vec![why(forced, &channel)], channel }
        })
    }

    /// The way behind the network, which does not reach the recipient.
    pub(super) async fn behind(
        &mut self,
        api: &Api,
        (plan, input): (&Plan, &DryRunInput),
        channels: &Channels,
        at: WayPoint,
    ) -> Result<(), Problem> {
        let Some(next) = channels.after_unreachable(&at.channel) else { return Ok(()) };
        let next = at.passed_on(std::mem::take(&mut self.reason), next);
        self.along(api, (plan, input), channels, next).await.map(drop)
    }

    /// From channel to channel as a delivery goes, up to the first one that takes the document, or
    /// to the network, which is to be asked.
    pub(super) async fn along(
        &mut self,
        api: &Api,
        (plan, input): (&Plan, &DryRunInput),
        channels: &Channels,
        mut at: WayPoint,
    ) -> Result<Option<WayPoint>, Problem> {
        while !channel::is_network(at.channel.kind) {
            let next = channels.after_unreachable(&at.channel);
            let unreached = self.takes(api, (plan, input), &at, next.is_none()).await?;
            let Some((unreached, next)) = unreached.zip(next) else { return Ok(None) };
            at = at.passed_on(unreached, next);
        }
        Ok(Some(at))
    }

    /// It takes a channel beside the network, in the form that this one carries. Where the channel
    /// does not reach the recipient, or has no form of the document, and is not the last one: why.
    async fn takes(
        &mut self,
        api: &Api,
        (plan, input): (&Plan, &DryRunInput),
        WayPoint { channel, because }: &WayPoint,
        is_last: bool,
    ) -> Result<Option<String>, Problem> {
        let mut because = because.clone();
        let owner: OrganisationId = input.organisation.parse().map_err(Problem::fault)?;
        let hook = match channel.hook.parse().ok() {
            Some(key) => api.store.hook_of_key(&owner, &key).await?,
            None => None,
        };
        let by = quoin_access_point::channels::of(channel.kind);
        let reaches =
            hook.as_ref().zip(by).map_or(Ok(()), |(hook, by)| input.reaches(by, hook, plan));
        if let Err(why) = reaches {
            let why = format!("{why}.");
            if !is_last {
                return Ok(Some(why));
            }
            (self.verdict, self.reason) = ("unroutable".to_owned(), why);
            return Ok(None);
        }
        let form = by.and_then(|by| by.carries());
        if let Some(form) = form.filter(|form| form.has(plan)) {
            if let Some((hook, by)) = hook.as_ref().zip(by)
                && let Err(refusal) = input.taken(api, (by, hook), plan).await?
            {
                self.rejected(&refusal);
                return Ok(None);
            }
            let carries = form.target.as_str();
            because.push(format!("The channel carries {carries}, and the document is in it."));
        } else if let Some(form) = form {
            match input.carried(api, plan, form).await? {
                Err(NotCarried::NoForm(event)) if !is_last => {
                    let Event::Rejected { summary, .. } = *event else { return Ok(None) };
                    return Ok(Some(summary));
                }
                Err(refusal) => {
                    self.rejected(&refusal.rejection());
                    return Ok(None);
                }
                Ok(record) => {
                    let carries = &record.target_document_type_id;
                    because.push(format!("The channel carries {carries}."));
                    self.becomes(record);
                }
            }
        }
        self.goes(hook.zip(by), (channel, because));
        Ok(None)
    }

    /// It is deliverable by a hook of a channel.
    fn goes(
        &mut self,
        place: Option<(Hook, &'static dyn Channel)>,
        (channel, because): (&ChannelOption, Vec<String>),
    ) {
        let place = place.map(|(hook, by)| by.place(&hook));
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
    }
}

/// Why a channel is taken.
fn why(forced: Option<&str>, first: &ChannelOption) -> String {
    match forced {
        Some(channel) => format!("The query forces the channel {channel}."),
        None => format!("The channel {} comes first for this document.", first.name),
    }
}

fn protocol(kind: ActionKind) -> String {
    channel::row(kind).map_or("", |row| row.protocol).to_owned()
}
