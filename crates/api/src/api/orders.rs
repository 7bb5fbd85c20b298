//! Orders: what a buyer sends (`purchaseOrder`), with cancellation and answers that came; what a
//! seller receives is in [`sales`].

pub mod sales;
mod summary;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::responses::orders::OrderNews;
use quoin_delivery::{Direction, Family};
use quoin_formats::ubl::write::{CancelledOrder, order_cancellation};
use quoin_model::order::OrderKind;
use quoin_store::NewAnswer;
use serde::Deserialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{
    Called, Cancelling, Channelled, DocumentBody, Identified, JsonBody, Kept, OfDocument, OfParty,
    OfSender, Recorded, Shown,
};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::answers::{self, AnswerView};
#[cfg(test)]
use super::bodies::{OrderXml, PageHtml, PagePdf, ResponseXml};
use super::documents::PURCHASE_ORDERS;
use super::json;
#[cfg(test)]
use super::paths::{DocumentHeader, DocumentPath, PartyPath, ResponsePath};
use super::response::words;
use super::rights::{Right, speaker};
use super::upload::{NewUpload, SendQuery, Upload, asked_on, document_id};
#[cfg(test)]
use super::upload::{UploadForm, Uploaded};
use summary::OrderSummary;

/// An order, its change or its cancellation.
const PURCHASE_ORDER: Upload<'static> = Upload { resource: "purchaseOrder", family: Family::Order };

/// Sends an order, or a change of one. Answers once it is stored durably; delivery follows.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/purchaseOrder/send", tag = "purchaseOrder",
    params(
        PartyPath,
        SendQuery,
        DocumentHeader,
    ),
    request_body(content((OrderXml = "application/xml"), (OrderXml = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        Called,
        OfSender,
        Identified,
        Channelled,
        DocumentBody,
        Recorded,
    ),
    security(("token" = []))
))]
pub(crate) async fn send(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<SendQuery>,
    request: Request,
) -> Result<Response, Problem> {
    PURCHASE_ORDER.take(&api, &caller, &party_id, query, request).await
}

super::reading::reading!(PURCHASE_ORDERS, "purchaseOrder", "an order that was sent");

/// The cancellation of an order.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({ "cancellationNote": "Ordered twice." })))]
pub struct CancelRequest {
    /// Why it is cancelled.
    #[cfg_attr(test, schema(example = "Ordered twice."))]
    pub cancellation_note: String,
    /// A remark.
    #[cfg_attr(test, schema(example = "Please confirm."))]
    pub note: Option<String>,
}

/// Cancels an order: an Order Cancellation is written and sent to its receiver, once, unless its
/// receiver refuses that. An order that failed has nobody who could be told.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/purchaseOrder/{documentId}/cancel", tag = "purchaseOrder",
    params(
        DocumentPath,
        DocumentHeader,
    ),
    request_body = CancelRequest,
    responses(
        (status = 200, description = "Stored; it is sent.", body = Uploaded),
        Called,
        OfSender,
        OfDocument,
        JsonBody,
        Cancelling,
        Channelled,
        Recorded,
    ),
    security(("token" = []))
))]
pub(crate) async fn cancel(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let party = speaker(&api, &caller, &path.0, Right::Send).await?;
    let found = PURCHASE_ORDERS.find(&api, &caller, &party, &path.1).await?;
    let cancellation = document_id(request.headers(), &api.settings.header_prefix)?;
    let request: CancelRequest = json::read(&api, request).await?;
    let order = OrderSummary::read(&api, &found).await?;
    if order.kind != OrderKind::Order {
        let detail = format!(
            "{} is not cancelled: cancel the order that it is about{}",
            order.kind.title(),
            order.follows.map(|follows| format!(", {}", follows.number)).unwrap_or_default()
        );
        return Err(Problem::new(&codes::UNANSWERABLE, detail));
    }
    let Some(reason) = words("cancellationNote", Some(request.cancellation_note))? else {
        let detail = "cancellationNote is empty, expected why the order is cancelled";
        return Err(Problem::new(&codes::BAD_JSON, detail));
    };
    let asked = asked_on(&api, &party, &cancellation).await?;
    let text = order_cancellation(&CancelledOrder {
        id: cancellation.to_string(),
        issued: in_utc(asked),
        note: words("note", request.note)?,
        reason,
        order: order.number,
        buyer: answers::participant(&api, &found.transaction.sender, &order.routing.sender, &party)
            .await?,
        seller: answers::other(&found.transaction.receiver, &order.routing.receiver)?,
    });
    let order = found.transaction.id.clone();
    let line = OrderNews::Cancels.line((&cancellation, None), false, api.clock.now());
    let lines = vec![(order.clone(), line)];
    let answer = NewAnswer { cancels: true, lines, ..NewAnswer::to(order) };
    let parcel = NewUpload {
        family: Family::Order,
        wishes: Default::default(),
        channel: found.channel.clone(),
        answer: Some((answer, asked)),
        content: text.into(),
        document_id: cancellation,
        party,
    };
    PURCHASE_ORDER.record(&api, parcel).await
}

/// Lists the answers that came to an order.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseOrder/{documentId}/response", tag = "purchaseOrder",
    params(DocumentPath),
    responses(
        (status = 200, description = "The answers, oldest first.", body = [AnswerView]),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn responses(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<Vec<AnswerView>>, Problem> {
    answers::list(&api, &caller, PURCHASE_ORDERS, Direction::Incoming, path).await
}

/// Downloads an answer to an order: the message as it came, or what it says where JSON is asked
/// for.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseOrder/{documentId}/response/{responseDocumentId}/download",
    tag = "purchaseOrder",
    params(ResponsePath),
    responses(
        (status = 200, description = "The answer.", content(
            (ResponseXml = "application/xml"), (AnswerView = "application/json"),
            (PageHtml = "text/html"), (PagePdf = "application/pdf"))),
        Called,
        OfParty,
        OfDocument,
        Kept,
        Shown,
    ),
    security(("token" = []))
))]
pub(crate) async fn response_download(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    answers::download(&api, &caller, PURCHASE_ORDERS, path, (&method, &headers)).await
}

/// Day and time, in UTC.
pub(in crate::api) fn in_utc(time: Timestamp) -> jiff::civil::DateTime {
    time.to_zoned(TimeZone::UTC).datetime()
}
