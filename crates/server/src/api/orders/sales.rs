//! Orders that a seller receives: lists, download, answers.

use axum::Json;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use quoin_delivery::{Direction, Family};
use quoin_document::write::{Code, ORDER_STATUSES, OrderAnswer, order_response};
use quoin_store::{Party, TransactionRecord};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::Api;
use crate::api::answers::{self, AnswerView};
use crate::api::documents::{Document, DocumentPage, ListQuery, SALES_ORDERS, Side, StatusLine};
use crate::api::json;
use crate::api::party::{Right, party};
use crate::api::paths::{DocumentPath, PartyPath};
use crate::api::purchase::DownloadQuery;
use crate::api::upload::{Parcel, Upload, Uploaded, document_id};
use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem};

use super::{Order, link, now};

/// Lists the orders that came to a party.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesOrder", tag = "salesOrder",
    params(PartyPath, ListQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = DocumentPage),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<DocumentPage>, Problem> {
    SALES_ORDERS.list(&api, &caller, &party_id, query).await
}

/// Reads the record of an order that came.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesOrder/{documentId}", tag = "salesOrder",
    params(DocumentPath),
    responses(
        (status = 200, description = "The record.", body = Document),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn document(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<Document>, Problem> {
    SALES_ORDERS.document(&api, &caller, path).await
}

/// Tells what happened to an order that came, oldest first.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesOrder/{documentId}/status", tag = "salesOrder",
    params(DocumentPath),
    responses(
        (
            status = 200,
            description = "The steps so far, oldest first.",
            body = [StatusLine],
            headers(("X-Service-Status" = String, description = "The current status."))
        ),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn status(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
    SALES_ORDERS.status(&api, &caller, path).await
}

/// Downloads an order as it came.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesOrder/{documentId}/download", tag = "salesOrder",
    params(DocumentPath, DownloadQuery),
    responses(
        (
            status = 200,
            description = "The document.",
            content_type = "application/xml",
            body = String
        ),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn download(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
    Query(query): Query<DownloadQuery>,
) -> Result<Response, Problem> {
    let (_, found) = SALES_ORDERS.record(&api, &caller, path).await?;
    SALES_ORDERS.download(&api, &found, query.target_document_type_id.as_deref()).await
}

/// Deletes an order that came. The record of its passage stays.
#[utoipa::path(
    delete, path = "/api/v1/{partyId}/salesOrder/{documentId}", tag = "salesOrder",
    params(DocumentPath),
    responses(
        (status = 204, description = "It is deleted."),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn remove(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    Side { right: Right::Remove, ..SALES_ORDERS }.remove(&api, &caller, path).await
}

/// An answer to an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({ "status": "AP", "note": "Delivered on Monday." }))]
pub struct OrderResponseRequest {
    /// `AB`, `AP`, `CA` or `RE`, or its long name.
    #[schema(example = "AP")]
    pub status: String,
    /// A remark.
    pub note: Option<String>,
}

/// Answers an order: an Order Response is written and sent to the buyer.
#[utoipa::path(
    post, path = "/api/v1/{partyId}/salesOrder/{documentId}/response", tag = "salesOrder",
    params(
        DocumentPath,
        ("X-Service-DocumentId" = Option<String>, Header,
         description = "A UUID of the caller's choice for the answer."),
    ),
    request_body = OrderResponseRequest,
    responses(
        (status = 200, description = "Stored; it is sent.", body = Uploaded),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn respond(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::ChangeStatus).await?;
    let found = SALES_ORDERS.find(&api, &caller, &party, &id).await?;
    let answer_id = document_id(request.headers(), &api.settings.header_prefix)?;
    let request: OrderResponseRequest = json::read(&api, request).await?;
    let status = answers::code("status", ORDER_STATUSES, &request.status)?;
    let order = Order::read(&api, &found).await?;
    let text = answer_text(&api, &party, &found, order, (status, &request), answer_id.to_string())?;
    let resource = format!("salesOrder/{id}/response");
    let parcel = Parcel {
        family: Family::Order,
        wishes: Default::default(),
        channel: None,
        answer: Some(link(&found, Some(status.code))),
        content: text.into(),
        document_id: answer_id,
        party,
    };
    Upload { resource: &resource, family: Family::Order }.record(&api, parcel).await
}

fn answer_text(
    api: &Api,
    party: &Party,
    found: &TransactionRecord,
    order: Order,
    (status, request): (&'static Code, &OrderResponseRequest),
    id: String,
) -> Result<String, Problem> {
    let transaction = &found.transaction;
    Ok(order_response(&OrderAnswer {
        id,
        issued: now(api),
        status,
        note: request.note.clone(),
        currency: order.routing.currency.clone().unwrap_or_else(|| "EUR".to_owned()),
        order: order.number,
        seller: answers::participant(&transaction.receiver, &order.routing.receiver, party)?,
        buyer: answers::other(&transaction.sender, &order.routing.sender)?,
        lines: order.lines,
    }))
}

/// Lists the answers that were given to an order.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesOrder/{documentId}/response", tag = "salesOrder",
    params(DocumentPath),
    responses(
        (status = 200, description = "The answers, oldest first.", body = [AnswerView]),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn given(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<Vec<AnswerView>>, Problem> {
    answers::list(&api, &caller, SALES_ORDERS, Direction::Outgoing, path).await
}
