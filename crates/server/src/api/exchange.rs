//! Documents of any kind: `generic/send`, `generic/receive`, lists and downloads, for every
//! document type of the network (conventions A2).

mod way;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use quoin_delivery::Family;
use quoin_document::routing::Routing;
use quoin_peppol::codelists;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_store::{Facts, NewIncoming, Received, Wishes};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::problem::ProblemBody;
use crate::http::query::Query;
use crate::http::refusals::{
    Called, Channelled, Converted, DocumentBody, Identified, Kept, OfDocument, OfParty, Paged,
    Recorded, Topical,
};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::bodies::AnyXml;
use super::documents::DownloadQuery;
use super::documents::{ANY_RECEIVED, ANY_SENT, DocumentPage, ListQuery, Side, StatusLine};
use super::party::{Right, party};
use super::paths::{
    DocumentHeader, DocumentPath, DocumentTypeText, HookIdText, PartyId, PartyPath,
};
use super::upload::{
    Parcel, Upload, UploadForm, Uploaded, body, channel, document_id, participant,
};

use way::WayQuery;
pub(crate) use way::{DirectionName, FamilyName};

/// Who is named as the access point of a document that was handed in here.
const HANDED_IN: &str = "generic/receive";

/// How to send or hand in a document of any kind.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExchangeQuery {
    /// Who sends, `scheme:identifier`, where the document does not say.
    #[param(value_type = Option<PartyId>)]
    sender_id: Option<String>,
    /// Who receives, `scheme:identifier`, whatever the document says.
    #[param(value_type = Option<PartyId>)]
    receiver_id: Option<String>,
    /// The hook whose channel is used, instead of the one that would be chosen.
    #[param(value_type = Option<HookIdText>, example = "peppol")]
    channel: Option<String>,
    /// The document type, `scheme::value`, where the document alone does not tell it.
    #[param(value_type = Option<DocumentTypeText>)]
    source_format: Option<String>,
    /// The document type to convert to. Only the document's own is possible.
    #[param(value_type = Option<DocumentTypeText>)]
    target_format: Option<String>,
    /// The process, `scheme::value`, where the document alone does not tell it.
    #[param(
        example = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
        pattern = "^[!-~]+$"
    )]
    process_id: Option<String>,
    /// The topic under which it is told, `SendInvoice` or `InvoiceReceived`: checked against the
    /// kind of the document.
    #[param(example = "SendInvoice")]
    topic: Option<String>,
    /// Taken for the sake of clients that send it: there are no plug-ins to disable.
    #[serde(default, rename = "disablePlugins")]
    _disable_plugins: Option<bool>,
}

/// What a document is, as far as the door looks.
struct Seen {
    family: Family,
    routing: Routing,
    document_type: Option<DocumentTypeId>,
}

/// Sends a document of any type of the network. Answers once it is stored durably.
#[utoipa::path(
    post, path = "/api/v1/{partyId}/generic/send", tag = "generic",
    params(
        PartyPath,
        ExchangeQuery,
        DocumentHeader,
    ),
    request_body(content((AnyXml = "application/xml"), (AnyXml = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        (
            status = 409,
            description = "A document with this id was taken before: `id` and `Location` name it.",
            body = ProblemBody,
            content_type = "application/problem+json"
        ),
        Called,
        OfParty,
        Identified,
        Converted,
        Topical,
        Channelled,
        DocumentBody,
        Recorded,
    ),
    security(("token" = []))
)]
pub(crate) async fn send(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<ExchangeQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    let document_id = document_id(request.headers(), &api.settings.header_prefix)?;
    let channel = query.channel.as_deref().map(channel).transpose()?;
    let mut wishes = wishes(&query)?;
    let body = body(&api, request, &[]).await?;
    wishes.meta_attributes = body.meta_attributes;
    let seen = look(&api, body.content.clone(), &wishes).await?;
    check_query(&query, &seen)?;
    let (family, content) = (seen.family, body.content);
    let parcel = Parcel { party, document_id, family, wishes, channel, answer: None, content };
    Upload { resource: "generic", family }.record(&api, parcel).await
}

/// Hands in a document as if it had arrived: it is looked at, announced to the hooks of the party
/// and kept for download like one of the network.
#[utoipa::path(
    post, path = "/api/v1/{partyId}/generic/receive", tag = "generic",
    params(
        PartyPath,
        ExchangeQuery,
        DocumentHeader,
    ),
    request_body(content((AnyXml = "application/xml"), (AnyXml = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        (
            status = 409,
            description = "A document with this id was taken before.",
            body = ProblemBody,
            content_type = "application/problem+json"
        ),
        Called,
        OfParty,
        Identified,
        Converted,
        Topical,
        DocumentBody,
        Recorded,
    ),
    security(("token" = []))
)]
pub(crate) async fn receive(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<ExchangeQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::Receive).await?;
    let id = document_id(request.headers(), &api.settings.header_prefix)?;
    let wishes = wishes(&query)?;
    let content = body(&api, request, &[]).await?.content;
    let seen = look(&api, content.clone(), &wishes).await?;
    check_query(&query, &seen)?;
    let sender = wishes.sender.or_else(|| id_of(seen.routing.sender.endpoint.as_ref()));
    let receiver = wishes.receiver.unwrap_or_else(|| party.id.clone());
    let organisation = party.organisation.clone();
    let received = api
        .store
        .receive(NewIncoming {
            message_id: format!("{organisation}/{id}"),
            instance_id: format!("{organisation}/{id}"),
            organisation,
            party: party.id,
            document_id: id.clone(),
            family: seen.family,
            facts: Facts {
                sender: sender.clone(),
                receiver: Some(receiver),
                source_document_type: seen.document_type.map(|id| id.to_string()),
                process: wishes.process,
                country_c1: seen.routing.sender.country,
                ..Facts::default()
            },
            envelope_sender: sender.unwrap_or_default(),
            access_point: HANDED_IN.to_owned(),
            content,
            now: api.clock.now(),
        })
        .await?;
    match received {
        Received::Accepted(_) => Ok(Json(Uploaded { id: id.to_string() }).into_response()),
        _ => {
            let detail = format!("a document {id} was taken before");
            Err(Problem::new(&codes::CONFLICT, detail).with("id", id.as_str()))
        }
    }
}

fn id_of(endpoint: Option<&quoin_document::Endpoint>) -> Option<String> {
    let endpoint = endpoint?;
    let id = ParticipantId::new(&endpoint.scheme, &endpoint.value).ok()?;
    Some(id.as_str().to_owned())
}

fn wishes(query: &ExchangeQuery) -> Result<Wishes, Problem> {
    let bad = |name: &str, error: &dyn std::fmt::Display| {
        Problem::new(&codes::BAD_QUERY, format!("{name}: {error}"))
    };
    let id =
        |name: &str, id: &Option<String>| id.as_deref().map(|id| participant(name, id)).transpose();
    let kind = query
        .source_format
        .as_deref()
        .map(|text| text.parse::<DocumentTypeId>().map_err(|error| bad("sourceFormat", &error)));
    let process = query
        .process_id
        .as_deref()
        .map(|text| text.parse::<ProcessId>().map_err(|error| bad("processId", &error)));
    Ok(Wishes {
        sender: id("senderId", &query.sender_id)?,
        receiver: id("receiverId", &query.receiver_id)?,
        document_type: kind.transpose()?.map(|id| id.to_string()),
        process: process.transpose()?.map(|id| id.to_string()),
        meta_attributes: None,
    })
}

/// Looks at a document beside the threads that serve requests.
async fn look(api: &Api, content: Bytes, wishes: &Wishes) -> Result<Seen, Problem> {
    let asked = wishes.document_type.as_deref().and_then(|text| text.parse().ok());
    let routing = api
        .settings
        .judges
        .run(move || quoin_document::read(&content).routing().unwrap_or_default())
        .await?;
    let customization = routing.customization_id.as_deref().unwrap_or_default();
    let (namespace, local) = (&routing.root_namespace, &routing.root_local);
    let listed = codelists::document_type_for(namespace, local, customization);
    let document_type = asked.or_else(|| listed.and_then(|row| row.id().ok()));
    let family = document_type.as_ref().map_or(Family::Document, Family::of);
    Ok(Seen { family, routing, document_type })
}

fn check_query(query: &ExchangeQuery, seen: &Seen) -> Result<(), Problem> {
    let own = seen.document_type.as_ref().map(ToString::to_string);
    if let Some(target) =
        query.target_format.as_ref().filter(|target| Some(*target) != own.as_ref())
    {
        let detail = format!("targetFormat is {target:.500}; a conversion to it is not available");
        return Err(Problem::new(&codes::CONVERSION, detail));
    }
    let Some(topic) = &query.topic else { return Ok(()) };
    let named = seen.family.row().name;
    let kinds = ["InvoiceResponse", "MessageLevelStatus", "Invoice", "Order", "Document"];
    let meant = kinds.into_iter().find(|kind| topic.contains(kind));
    if meant.is_none_or(|meant| meant == named || named == "Document") {
        return Ok(());
    }
    let detail = format!("topic is {topic:.60?}, but the document is of the family {named}");
    Err(Problem::new(&codes::NO_TOPIC, detail))
}

/// Lists documents of any kind of a party, going one way.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/generic", tag = "generic",
    params(PartyPath, WayQuery, ListQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = DocumentPage),
        Called,
        OfParty,
        Paged,
    ),
    security(("token" = []))
)]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    axum::extract::RawQuery(raw): axum::extract::RawQuery,
) -> Result<Json<DocumentPage>, Problem> {
    let raw = raw.unwrap_or_default();
    let pairs: Vec<(String, String)> =
        url::form_urlencoded::parse(raw.as_bytes()).into_owned().collect();
    let ways = ["direction", "family"];
    let (own, rest): (Vec<_>, Vec<_>) =
        pairs.into_iter().partition(|(name, _)| ways.contains(&name.as_str()));
    let value = |name: &str| own.iter().find(|(own, _)| own == name).map(|(_, v)| v.clone());
    let way = WayQuery { direction: value("direction"), family: value("family") };
    let rest: String =
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(rest).finish();
    let Query(query) = Query::<ListQuery>::read(&rest)?;
    way.side()?.list(&api, &caller, &party_id, query).await
}

/// Tells what happened to a document of any kind, oldest first.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/generic/{documentId}/status", tag = "generic",
    params(DocumentPath),
    responses(
        (
            status = 200,
            description = "The steps so far, oldest first.",
            body = [StatusLine],
            headers(("X-Service-Status" = String, description = "The current status."))
        ),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
)]
pub(crate) async fn status(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
    either(&api, &caller, &path).await?.status(&api, &caller, path).await
}

/// Downloads a document of any kind: one that arrived, or one that was sent, as it was uploaded.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/generic/{documentId}/download", tag = "generic",
    params(DocumentPath, DownloadQuery),
    responses(
        (
            status = 200,
            description = "The document.",
            content_type = "application/xml",
            body = AnyXml
        ),
        Called,
        OfParty,
        OfDocument,
        Kept,
        Converted,
    ),
    security(("token" = []))
)]
pub(crate) async fn download(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
    Query(query): Query<DownloadQuery>,
) -> Result<Response, Problem> {
    let side = either(&api, &caller, &path).await?;
    let (_, found) = side.record(&api, &caller, path).await?;
    side.download(&api, &found, query.target_document_type_id.as_deref()).await
}

/// Deletes a document of any kind that arrived. The record of its passage stays.
#[utoipa::path(
    delete, path = "/api/v1/{partyId}/generic/{documentId}", tag = "generic",
    params(DocumentPath),
    responses(
        (status = 204, description = "It is deleted."),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
)]
pub(crate) async fn remove(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    Side { right: Right::Remove, ..ANY_RECEIVED }.remove(&api, &caller, path).await
}

/// The side on which a document is: what arrived first. A caller who may only do one of the two
/// gets the refusal of that one.
async fn either(api: &Api, caller: &Caller, path: &(String, String)) -> Result<Side, Problem> {
    let arrived = ANY_RECEIVED.record(api, caller, path.clone()).await;
    match arrived {
        Ok(_) => Ok(ANY_RECEIVED),
        Err(problem) if std::ptr::eq(problem.code, &codes::NO_DOCUMENT) => Ok(ANY_SENT),
        Err(problem) if std::ptr::eq(problem.code, &codes::FORBIDDEN_PARTY) => {
            ANY_SENT.record(api, caller, path.clone()).await.map(|_| ANY_SENT)
        }
        Err(problem) => Err(problem),
    }
}
