//! The door for the collaboration platform: a document of one of its members for a party of ours.
//! It is let in by the token that its hook and the platform share, before any of it is read, and is
//! on the disk before it is answered with 200. What is assumed of the wire is in
//! [`quoin_access_point::collaboration::assumed`].

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use jiff::tz::TimeZone;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{DocumentId, Family};
use quoin_identity::{Announced, ExchangeTerms};
use quoin_model::text::quoted;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Arrival, Hook, HookScope, NewIncoming, RecordOutcome, TransactionFacts};
use serde::Serialize;
use uuid::Uuid;

use super::Api;
#[cfg(test)]
use super::bodies::AnyXml;
use super::network_call::NetworkCall;
use crate::http::Problem;
#[cfg(test)]
use crate::http::refusals::OfNetwork;
use quoin_access_point::collaboration::{assumed, believed};
use quoin_access_point::partner::token_of;

/// The longest id of a document, in bytes.
const LONGEST_ID: usize = 250;

/// What the headers of a document say.
struct PlatformHeaders {
    id: String,
    sender: ParticipantId,
    receiver: ParticipantId,
}

/// What the platform, or another network, is answered.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct PlatformAnswer {
    /// The id of the document here, where it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "5f0e4f6e-6a57-4b6a-9a52-6a3a8f0c9d11"))]
    pub(super) id: Option<String>,
    /// `accepted`, or `rejected`.
    #[cfg_attr(test, schema(example = "accepted"))]
    pub(super) status: &'static str,
    /// Why it was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "the token is not that of the hook"))]
    pub(super) reason: Option<String>,
}

/// A document of the collaboration platform
///
/// For the hook `collaboration://` with this id: it is let in by the token of the hook. A repeat of
/// an id is answered like the first one.
#[cfg_attr(test, utoipa::path(
    post, path = "/networks/{organisation}/{hookId}/documents", tag = "channel",
    params(
        ("organisation" = String, Path, description = "The id of the organisation.",
            example = "5f0e4f6e-6a57-4b6a-9a52-6a3a8f0c9d11"),
        ("hookId" = String, Path, description = "The id of the hook.", example = "platform"),
        ("Authorization" = String, Header, description = "`Bearer` and the token of the hook.",
            example = "Bearer secret"),
        ("X-Message-Id" = String, Header, description = "By which a repeat is known.",
            example = "4711"),
        ("X-Sender-Id" = String, Header, description = "The member that sends it.",
            example = "-0003:XC4711"),
        ("X-Receiver-Id" = String, Header, description = "Whom it is for.",
            example = "0106:12345678"),
    ),
    request_body(content = AnyXml, content_type = "application/xml"),
    responses(
        (status = 200, description = "It is kept, and on the disk.", body = PlatformAnswer),
        (status = 400, description = "A header is missing or wrong, or it is no XML.",
            body = PlatformAnswer),
        (status = 401, description = "The token is not that of the hook.", body = PlatformAnswer),
        (status = 404, description = "The receiver is no party here.", body = PlatformAnswer),
        (status = 409, description = "Another document has this id.", body = PlatformAnswer),
        OfNetwork,
    )
))]
pub(crate) async fn take(
    State(api): State<Api>,
    Path((organisation, hook)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let kinds = &[ActionKind::Collaboration];
    let NetworkCall { hooks, brake, headers, body } =
        NetworkCall::at(&api, (&organisation, &hook), kinds, request).await?;
    let shown = header(&headers, "authorization");
    let token = token_of(shown).unwrap_or(shown);
    let Some(hook) = brake.judged(believed(hooks, token))? else {
        return Ok(no(StatusCode::UNAUTHORIZED, "the token is not that of the hook"));
    };
    let said = match said(&headers) {
        Ok(said) => said,
        Err(why) => return Ok(no(StatusCode::BAD_REQUEST, &why)),
    };
    let content = body.read_of(&api, &hook.organisation).await?;
    let on = api.clock.now().to_zoned(TimeZone::UTC).date();
    let bytes = content.clone();
    let look = move || {
        let parsed = quoin_formats::read(&bytes);
        let own = quoin_identity::decide(parsed.detection(), &Announced::default(), on);
        parsed.root().map(|_| own.exchange.ok())
    };
    let Some(terms) = api.settings.judges.run(hook.organisation.as_str(), look).await? else {
        return Ok(no(StatusCode::BAD_REQUEST, "expected a document in XML"));
    };
    let Some(party) = party_of(&api, &hook, &said.receiver).await? else {
        let why = format!("{} is no party of ours", said.receiver);
        return Ok(no(StatusCode::NOT_FOUND, &why));
    };
    record(&api, &hook, said, (party, terms, content)).await
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().trim()
}

fn said(headers: &HeaderMap) -> Result<PlatformHeaders, String> {
    let id = header(headers, assumed::MESSAGE_ID);
    if id.is_empty() || id.len() > LONGEST_ID {
        return Err(format!("expected {} with 1 to {LONGEST_ID} bytes", assumed::MESSAGE_ID));
    }
    let end = |name: &str| {
        let text = header(headers, name);
        text.parse().map_err(|error| format!("{name} is {text}: {error}", text = quoted(text, 80)))
    };
    let (sender, receiver) = (end(assumed::SENDER)?, end(assumed::RECEIVER)?);
    Ok(PlatformHeaders { id: id.to_owned(), sender, receiver })
}

/// The party that a document is for: that of the hook, else the one that has the identifier.
async fn party_of(
    api: &Api,
    hook: &Hook,
    receiver: &ParticipantId,
) -> Result<Option<String>, Problem> {
    if let HookScope::Party(party) = &hook.scope {
        return Ok(Some(party.clone()));
    }
    let found = api.store.party_of_identifier(&hook.organisation, &receiver.folded()).await?;
    Ok(found.map(|party| party.id))
}

async fn record(
    api: &Api,
    hook: &Hook,
    said: PlatformHeaders,
    (party, terms, content): (String, Option<ExchangeTerms>, Bytes),
) -> Result<Response, Problem> {
    let (document_type, process) = terms.map(|terms| (terms.document_type, terms.process)).unzip();
    // One platform of one tenant: ids of others are others.
    let platform = format!("collaboration {} {}", hook.organisation, hook.key);
    let new = NewIncoming {
        organisation: hook.organisation.clone(),
        party,
        document_id: DocumentId::from_uuid(Uuid::new_v4()),
        family: document_type.as_ref().map_or(Family::Document, Family::of),
        facts: TransactionFacts {
            sender: Some(said.sender.to_string()),
            receiver: Some(said.receiver.to_string()),
            source_document_type: document_type.map(|id| id.to_string()),
            process: process.map(|id| id.to_string()),
            ..TransactionFacts::default()
        },
        envelope_sender: format!("{platform} {}", said.sender.folded()),
        message_id: said.id.clone(),
        instance_id: said.id,
        access_point: platform,
        content,
        now: api.clock.now(),
    };
    match api.store.receive_with(new, Arrival::default(), Vec::new()).await? {
        RecordOutcome::Known { repeat, by, .. } if repeat.refusal(by).is_some() => {
            let why = "another document was received under this id; this one is not kept";
            Ok(no(StatusCode::CONFLICT, why))
        }
        RecordOutcome::Accepted(id) | RecordOutcome::Known { existing: id, .. } => {
            let kept = api.store.transaction(&id).await?;
            let id = kept.map(|kept| kept.transaction.document_id.to_string());
            let answer = PlatformAnswer { id, status: "accepted", reason: None };
            Ok(Json(answer).into_response())
        }
    }
}

/// What the platform is told instead.
pub(super) fn no(status: StatusCode, why: &str) -> Response {
    let answer = PlatformAnswer { id: None, status: "rejected", reason: Some(why.to_owned()) };
    (status, Json(answer)).into_response()
}
