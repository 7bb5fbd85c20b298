//! What the interface tells of the channels: what each needs and carries, and how the destinations
//! do that documents of a party went to.

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use jiff::Timestamp;
use quoin_access_point::channels::{CHANNELS, Channel, ChannelNeed};
use quoin_access_point::sending::Breakers;
use quoin_delivery::channel;
use quoin_delivery::topics::COMMANDS;
use quoin_delivery::{BreakerState, OrganisationId};
use quoin_store::EndpointSeen;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

#[cfg(test)]
use crate::http::refusals::{Called, OfParty};
use crate::http::words::CauseView;
use crate::http::{Caller, Problem};

use super::Api;
use super::network::{EndpointError, LATELY};
#[cfg(test)]
use super::paths::PartyPath;
use super::rights::{Right, party};

/// A channel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChannelView {
    /// Its protocol, as events and filters name it.
    #[cfg_attr(test, schema(example = "Sftp"))]
    pub protocol: String,
    /// Whether it is the network, which is there without being registered.
    pub is_network: bool,
    /// An action of a hook that is this channel.
    #[cfg_attr(test, schema(example = "sftp://user@files.example.org/in"))]
    pub example: String,
    /// Topics on which a hook with such an action is this channel.
    #[cfg_attr(test, schema(example = json!(["SendInvoice", "SendInvoiceFallback"])))]
    pub topics: Vec<String>,
    /// The families of documents that it carries.
    #[cfg_attr(test, schema(example = json!(["Invoice", "Order"])))]
    pub families: Vec<String>,
    /// In which formats they travel.
    #[cfg_attr(test, schema(example = "Every format; the document travels as it is."))]
    pub formats: String,
    /// What it does with documents that arrived.
    #[cfg_attr(test, schema(example = "The document is written into the folder."))]
    pub received: String,
    /// What its destination can get twice, and by what it knows that.
    #[cfg_attr(test, schema(example = "A file of the same name."))]
    pub doubles: String,
    /// What it needs.
    pub needs: Vec<ChannelNeedView>,
    /// Its page.
    #[cfg_attr(test, schema(example = "docs/guides/sftp.md"))]
    pub guide: String,
}

/// What a service is made of.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct ServiceMeta {
    /// Its version.
    #[cfg_attr(test, schema(example = "0.1.0"))]
    pub version: String,
    /// Its channels.
    pub channels: Vec<ChannelView>,
}

/// Something that a channel needs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChannelNeedView {
    /// Its name.
    #[cfg_attr(test, schema(example = "hostKey"))]
    pub name: String,
    /// Where it is said: in the `action`, behind its `#`, in `init`, or by the `operator`.
    #[cfg_attr(test, schema(example = "action"))]
    pub place: String,
    /// Whether it is kept sealed and never shown.
    pub is_secret: bool,
    /// Whether there is no doing without it.
    pub is_required: bool,
    /// What it is.
    #[cfg_attr(test, schema(example = "the fingerprint of the server's key"))]
    pub meaning: String,
}

/// A destination that documents of a party went to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DestinationView {
    /// The channel, as its protocol names it.
    #[cfg_attr(test, schema(example = "Https"))]
    pub protocol: String,
    /// The destination, without parameters.
    #[cfg_attr(test, schema(example = "https://erp.example.org/documents"))]
    pub destination: String,
    /// `closed`: it takes documents; `open`: it failed for several documents in a row and is left
    /// alone; `half-open`: one document is sent to see whether it takes documents again.
    #[cfg_attr(test, schema(example = "closed"))]
    pub state: String,
    /// Until when it is left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub rests_until: Option<Timestamp>,
    /// Attempts in the last week that were taken.
    #[cfg_attr(test, schema(example = 17))]
    pub delivered: u64,
    /// The same that failed.
    #[cfg_attr(test, schema(example = 0))]
    pub failed: u64,
    /// When one was last taken.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub last_delivered_on: Option<Timestamp>,
    /// When one last failed.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub last_failed_on: Option<Timestamp>,
    /// In how many milliseconds half of those that were taken had their answer.
    #[cfg_attr(test, schema(example = 210))]
    pub median_ms: Option<u32>,
    /// Why the last one failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<EndpointError>,
}

/// The routes.
pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/meta", get(meta))
        .route("/api/v1/channels", get(list))
        .route("/api/v1/{partyId}/destination", get(destinations))
}

/// Tells what this service is made of: its version, and its channels.
#[cfg_attr(test, utoipa::path(
    get, path = "/meta", tag = "channel",
    responses(
        (status = 200, description = "The service.", body = ServiceMeta),
        Called,
    ),
    security(("token" = []))
))]
pub(crate) async fn meta(caller: Caller) -> Json<ServiceMeta> {
    let Json(channels) = list(caller).await;
    Json(ServiceMeta { version: env!("CARGO_PKG_VERSION").to_owned(), channels })
}

/// Lists the channels of this service: what each needs, and what it carries.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/channels", tag = "channel",
    responses(
        (status = 200, description = "The channels.", body = [ChannelView]),
        Called,
    ),
    security(("token" = []))
))]
pub(crate) async fn list(_: Caller) -> Json<Vec<ChannelView>> {
    Json(CHANNELS.iter().filter_map(|channel| ChannelView::of(*channel)).collect())
}

/// Lists where documents of a party went in the last week, over each channel, the latest first:
/// how those attempts ended, and which destinations are left alone for a while.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/destination", tag = "channel",
    params(PartyPath),
    responses(
        (status = 200, description = "The destinations.", body = [DestinationView]),
        Called,
        OfParty,
    ),
    security(("token" = []))
))]
pub(crate) async fn destinations(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
) -> Result<Json<Vec<DestinationView>>, Problem> {
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    let since = api.clock.now().saturating_sub(LATELY).unwrap_or(Timestamp::MIN);
    let owner = &party.organisation;
    let seen = api.store.destinations_of(owner, &party.id, since).await?;
    let view = |seen| DestinationView::of(&api, &caller, owner, seen);
    Ok(Json(seen.into_iter().map(view).collect()))
}

impl ChannelView {
    fn of(own: &dyn Channel) -> Option<ChannelView> {
        let (kind, manual) = (own.kind(), own.manual());
        let row = channel::row(kind)?;
        let carried = COMMANDS.iter().filter(|row| channel::carries(kind, row.family));
        let topics = carried.clone().flat_map(|row| [row.send, row.fallback]);
        let families = carried.map(|row| row.family.row().name.to_owned());
        Some(ChannelView {
            protocol: row.protocol.to_owned(),
            is_network: row.network,
            example: manual.example.to_owned(),
            topics: topics.map(|topic| topic.as_str().to_owned()).collect(),
            families: families.collect(),
            formats: manual.formats.to_owned(),
            received: manual.received.to_owned(),
            doubles: manual.doubles.to_owned(),
            needs: manual.needs.iter().map(ChannelNeedView::of).collect(),
            guide: manual.guide.to_owned(),
        })
    }
}

impl ChannelNeedView {
    fn of(need: &ChannelNeed) -> ChannelNeedView {
        ChannelNeedView {
            name: need.name.to_owned(),
            place: need.place.to_owned(),
            is_secret: need.is_secret,
            is_required: need.is_required,
            meaning: need.meaning.to_owned(),
        }
    }
}

impl DestinationView {
    fn of(api: &Api, caller: &Caller, owner: &OrganisationId, seen: EndpointSeen) -> Self {
        let EndpointSeen { url, protocol, health } = seen;
        let known = match protocol == channel::NETWORK.protocol {
            true => url.clone(),
            false => Breakers::place(owner, &url),
        };
        let (state, rests_until) = api.network.breakers.state(&known, api.clock.now());
        let cause =
            |code: String| EndpointError { cause: CauseView::of(&code, caller.language), code };
        DestinationView {
            protocol,
            destination: url,
            state: state.as_str().to_owned(),
            rests_until: rests_until.filter(|_| state == BreakerState::Open),
            delivered: health.delivered,
            failed: health.failed,
            last_delivered_on: health.last_delivered,
            last_failed_on: health.last_failed,
            median_ms: health.median_ms,
            last_error: health.last_code.map(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use quoin_delivery::hook::ActionKind;

    use super::*;

    /// A channel tells of the families that it is chosen for, and of the topics of those.
    #[test]
    fn a_channel_lists_what_it_carries() {
        for own in CHANNELS {
            let view = ChannelView::of(*own).unwrap();
            let carried = COMMANDS.iter().filter(|row| channel::carries(own.kind(), row.family));
            let families: Vec<&str> = carried.map(|row| row.family.row().name).collect();
            assert_eq!(view.families, families, "{}", view.protocol);
            assert_eq!(view.topics.len(), 2 * families.len(), "{}", view.protocol);
        }
        let cxml = quoin_access_point::channels::of(ActionKind::Cxml).unwrap();
        let cxml = ChannelView::of(cxml).unwrap();
        assert_eq!(cxml.families, ["Invoice", "Order"]);
        for name in ["testEndpoint", "testFrom", "testTo", "testSender"] {
            assert!(cxml.needs.iter().any(|need| need.name == name), "{name}");
        }
    }
}
