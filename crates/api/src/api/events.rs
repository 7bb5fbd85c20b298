//! The feed of events: the same numbered log that hooks are served from, to be pulled with a cursor
//! or followed as server-sent events. Numbers count up by one within an organisation, so that a
//! reader sees for itself that nothing is missing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::RETRY_AFTER;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use axum::{Extension, Json};
use futures::Stream;
use futures::stream::unfold;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::OrganisationId;
use quoin_model::text::quoted;
use quoin_store::{Continuity, Error, EventRecord, FeedFilter, FeedParties, Refusal};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, Followed, Identified, OfParty, Topical};
use crate::http::{Caller, Problem, codes, members};
use quoin_access_point::budget::{Full, HeldPlace};
use quoin_access_point::config::ClientRole;
use quoin_access_point::tls::Shutdown;

use super::Api;
#[cfg(test)]
use super::paths::PartyId;
use super::rights::{Right, organisation, party};

/// Events that are read at a time.
const READ_AT_ONCE: usize = 500;
/// How long a follower waits before it looks again, whatever it heard.
const LOOK: Duration = Duration::from_secs(5);
/// How long one connection lasts at most; it ends with the token that it was opened with, so that
/// nobody follows with an old one.
const LASTS: SignedDuration = SignedDuration::from_hours(1);
/// How often a silent connection is kept alive.
const ALIVE: Duration = Duration::from_secs(15);
/// Seconds after which somebody asks again who found no place among those who follow.
const CROWDED: &str = "60";

/// An event of the feed: what a hook is told, and its number.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeedEvent {
    /// Its place in the order of the organisation, from 1, without gaps.
    #[cfg_attr(test, schema(example = 42))]
    pub number: u64,
    /// Its stable id.
    #[cfg_attr(test, schema(example = "0192f0c9-51aa-7c3b-9d20-6c1f0e7b8a94"))]
    pub id: String,
    /// The topic.
    #[cfg_attr(test, schema(example = "InvoiceSent"))]
    pub topic: String,
    /// The party that it concerns; left out of what is about the organisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub party_id: Option<String>,
    /// The document that it concerns; left out of what is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub document_id: Option<String>,
    /// One sentence for people.
    #[cfg_attr(test, schema(example = "The invoice was delivered."))]
    pub message: String,
    /// Facts by name.
    #[cfg_attr(test, schema(example = json!({ "sender": "0106:12345678", "recipient": "0106:87654321" })))]
    pub details: BTreeMap<String, String>,
    /// When it happened.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
}

impl From<EventRecord> for FeedEvent {
    fn from(event: EventRecord) -> FeedEvent {
        FeedEvent {
            party_id: event.about_party().map(str::to_owned),
            document_id: event.about_document().map(ToString::to_string),
            number: event.number,
            id: event.id,
            topic: event.topic.as_str().to_owned(),
            message: event.message,
            details: event.details,
            created_on: event.created_on,
        }
    }
}

/// A page of the feed, oldest first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeedPage {
    /// The events.
    pub items: Vec<FeedEvent>,
    /// Give this as `after` for what comes next, now or later.
    #[cfg_attr(test, schema(example = 42))]
    pub next: u64,
    /// Whether there is more right now.
    pub has_more: bool,
    /// What the feed is called: another and larger number, not the next one, after the service was
    /// put back to an earlier state, since numbers mean other events from then on.
    #[cfg_attr(test, schema(example = 1))]
    pub generation: u32,
}

/// Which events.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct FeedQuery {
    /// Events behind this number; from the first one where it is left out.
    #[cfg_attr(test, param(example = 41, maximum = 9_223_372_036_854_775_807_i64))]
    after: Option<u64>,
    /// The generation that `after` was read in; refused where the feed has another one.
    #[cfg_attr(test, param(example = 1))]
    generation: Option<u32>,
    /// Events in a page, 1 to 500; 100 unless told otherwise.
    #[cfg_attr(test, param(minimum = 1, maximum = 500, example = 100))]
    limit: Option<usize>,
    /// Only those of this party.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    party_id: Option<String>,
    /// Only those of this topic; `*` stands for anything.
    #[cfg_attr(test, param(example = "Invoice*"))]
    topic: Option<String>,
}

/// Whose events are read, and which of them: what the caller may see now.
async fn wanted(api: &Api, caller: &Caller, query: &FeedQuery) -> Result<FeedFilter, Problem> {
    let organisation = organisation(caller)?;
    if query.after.is_some_and(|after| i64::try_from(after).is_err()) {
        let detail = "after is larger than any number of an event";
        return Err(Problem::new(&codes::BAD_QUERY, detail));
    }
    let topic = query.topic.as_deref().map(str::parse).transpose();
    let topic = topic.map_err(|error: quoin_delivery::topics::UnknownTopic| {
        Problem::new(&codes::NO_TOPIC, format!("topic: {error}"))
    })?;
    let parties = match &query.party_id {
        Some(asked) => {
            let party = party(api, caller, asked, Right::ManageHook).await?;
            FeedParties::Only([party.id].into())
        }
        None => own_parties(api, caller, &organisation).await?,
    };
    Ok(FeedFilter { organisation, parties, topic })
}

/// The parties whose hooks an account may manage.
async fn own_parties(
    api: &Api,
    caller: &Caller,
    organisation: &OrganisationId,
) -> Result<FeedParties, Problem> {
    if caller.role == ClientRole::ApManager {
        return Ok(FeedParties::AllBut(BTreeSet::new()));
    }
    let links = api.store.permissions_of(organisation, &caller.client).await?;
    let chosen = links.into_iter().filter(|link| link.can_manage_hook != caller.all_parties);
    let mut chosen: BTreeSet<String> = chosen.map(|link| link.party).collect();
    // What is about the whole organisation is not for whom a link holds back from one party.
    if caller.all_parties && !chosen.is_empty() {
        chosen.insert(String::new());
    }
    Ok(match caller.all_parties {
        true => FeedParties::AllBut(chosen),
        false => FeedParties::Only(chosen),
    })
}

/// Reads the feed of events behind a number.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/events", tag = "event",
    params(FeedQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = FeedPage),
        Called,
        OfParty,
        Identified,
        Topical,
        Followed,
    ),
    security(("token" = []))
))]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<FeedQuery>,
) -> Result<Json<FeedPage>, Problem> {
    let wanted = wanted(&api, &caller, &query).await?;
    let limit = super::paging::size(query.limit)?;
    let (page, generation) = read(&api, wanted, &query, query.after.unwrap_or(0), limit).await?;
    let items = page.items.into_iter().map(FeedEvent::from).collect();
    Ok(Json(FeedPage { items, next: page.next, has_more: page.more, generation }))
}

/// A page of the feed, and its generation.
async fn read(
    api: &Api,
    wanted: FeedFilter,
    query: &FeedQuery,
    after: u64,
    limit: usize,
) -> Result<(quoin_store::EventPage, u32), Problem> {
    let continuity = api.store.continuity().await?;
    let is_other = query.generation.is_some_and(|asked| asked != continuity.generation);
    // Where it is another one, it is asked how far this one is.
    let after = if is_other { u64::MAX } else { after };
    match api.store.feed(wanted, after, limit).await {
        Ok(page) => Ok((page, continuity.generation)),
        Err(Error::Refusal(Refusal::CursorAhead { after, newest })) => {
            Err(ahead(&continuity, query.generation, (after, newest)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Why a reader cannot go on where it was.
fn ahead(continuity: &Continuity, asked: Option<u32>, (after, newest): (u64, u64)) -> Problem {
    let Continuity { generation, since, .. } = continuity;
    let found = match asked {
        Some(asked) if asked != *generation => format!("generation is {asked}"),
        _ => format!("after is {after}"),
    };
    let why = match generation {
        1 => "this number was not given yet".to_owned(),
        _ => format!(
            "the service was put back to an earlier state at {since}, and numbers behind that \
             state mean other events from then on"
        ),
    };
    let detail = format!(
        "{found}, but the newest event is {newest} and the generation {generation}: {why}. Read \
         again from {newest}, or from an earlier number that you are sure of"
    );
    let problem = Problem::new(&codes::CURSOR, detail);
    problem.with(&members::NEWEST, newest).with(&members::GENERATION, *generation)
}

/// Follows the feed as server-sent events: `id` is the number, `event` the topic, `data` the event
/// as JSON. A reader that comes back with `Last-Event-ID` goes on where it was.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/events/stream", tag = "event",
    params(
        FeedQuery,
        ("Last-Event-ID" = Option<u64>, Header, example = 41,
         description = "The number of the last event seen."),
    ),
    responses(
        (
            status = 200,
            description = "The events, as they happen.",
            content_type = "text/event-stream",
            body = String,
            example = "id: 42\nevent: InvoiceSent\ndata: {\"number\":42,\"topic\":\"InvoiceSent\"}"
        ),
        Called,
        OfParty,
        Identified,
        Topical,
        Followed,
    ),
    security(("token" = []))
))]
pub(crate) async fn stream(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<FeedQuery>,
    end: Option<Extension<Shutdown>>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let filter = wanted(&api, &caller, &query).await?;
    let whose = filter.organisation.clone();
    let place = api.settings.followers.try_enter(whose.as_str()).map_err(crowded)?;
    let after = last_seen(&headers)?.or(query.after).unwrap_or(0);
    read(&api, filter, &query, after, 1).await?;
    let until = api.clock.now().saturating_add(LASTS).unwrap_or(Timestamp::MAX);
    let until = until.min(caller.until);
    let ready = VecDeque::new();
    let end = end.map(|Extension(end)| end).unwrap_or_default();
    let follower = Follower { api, caller, whose, query, until, after, ready, end, _place: place };
    let events = unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok(sse(event)), follower))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)))
}

/// The number of the last event that a reader saw which comes back.
fn last_seen(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let text = String::from_utf8_lossy(value.as_bytes());
    match text.trim() {
        // A reader that has seen nothing may send it empty.
        "" => Ok(None),
        number => number.parse().map(Some).map_err(|_| {
            let detail = format!(
                "Last-Event-ID is {number}, expected the number of an event",
                number = quoted(number, 40)
            );
            Problem::new(&codes::BAD_QUERY, detail)
        }),
    }
}

/// Why nobody follows beside those who do.
fn crowded(full: Full) -> Problem {
    let whose = if full.share { "of your organisation" } else { "of this service" };
    let detail = format!(
        "as many connections {whose} follow events as may; end one of them, or read the feed page \
         by page meanwhile"
    );
    Problem::new(&codes::UNAVAILABLE, detail).header(RETRY_AFTER, CROWDED)
}

fn sse(event: EventRecord) -> Event {
    let (number, topic) = (event.number.to_string(), event.topic.as_str());
    let data = serde_json::to_string(&FeedEvent::from(event)).unwrap_or_default();
    Event::default().id(number).event(topic).data(data)
}

struct Follower {
    api: Api,
    caller: Caller,
    whose: OrganisationId,
    query: FeedQuery,
    until: Timestamp,
    after: u64,
    ready: VecDeque<EventRecord>,
    /// The end of the door, which waits for nobody who has seen everything.
    end: Shutdown,
    _place: HeldPlace,
}

impl Follower {
    /// The next event, as soon as there is one; `None` ends the stream, and the reader comes back.
    async fn next(&mut self) -> Option<EventRecord> {
        loop {
            let left = self.until.duration_since(self.api.clock.now());
            let left = Duration::try_from(left).ok().filter(|left| !left.is_zero())?;
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.end.asked() {
                return None;
            }
            let bell = self.api.store.event_recorded(&self.whose);
            let page = self.page().await.ok()?;
            (self.ready, self.after) = (page.items.into(), page.next);
            if self.ready.is_empty() && !page.more {
                // Elapsed, rung or at the end, it is time to look again.
                tokio::select! {
                    _ = tokio::time::timeout(LOOK.min(left), bell) => {}
                    () = self.end.wait() => {}
                }
            }
        }
    }

    /// What comes next of what the account may see now, which may be less than when it began.
    async fn page(&mut self) -> Result<quoin_store::EventPage, Problem> {
        self.caller = self.api.auth.again(&self.caller).await?;
        let wanted = wanted(&self.api, &self.caller, &self.query).await?;
        Ok(self.api.store.feed(wanted, self.after, READ_AT_ONCE).await?)
    }
}
