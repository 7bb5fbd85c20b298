//! Orders that a seller receives: lists, download, answers.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use jiff::Timestamp;
use quoin_delivery::{Direction, Family};
use quoin_formats::ubl::write::{InvoiceResponseCode, ORDER_STATUSES, OrderAnswer, order_response};
use quoin_store::{PartyRecord, TransactionRecord};
use serde::Deserialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::api::Api;
use crate::api::answers::{self, AnswerView};
use crate::api::documents::{SALES_ORDERS, StatusLine};
use crate::api::json;
#[cfg(test)]
use crate::api::paths::{DocumentHeader, DocumentPath, ResponsePath};
use crate::api::response::words;
use crate::api::rights::{Right, speaker};
#[cfg(test)]
use crate::api::upload::Uploaded;
use crate::api::upload::{NewUpload, Upload, asked_on, document_id};
#[cfg(test)]
use crate::http::refusals::{Answering, Called, JsonBody, OfDocument, OfParty, OfSender, Recorded};
use crate::http::{Caller, Problem};

use super::{OrderSummary, in_utc, link};

crate::api::reading::reading!(SALES_ORDERS, "salesOrder", "an order that came");
crate::api::reading::arrived!(SALES_ORDERS, "salesOrder", "an order that came", OrderXml);

/// An answer to an order.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({ "status": "AP", "note": "Delivered on Monday." })))]
pub struct OrderResponseRequest {
    /// `AB`, `AP`, `CA` or `RE`, or its long name.
    #[cfg_attr(test, schema(example = "AP"))]
    pub status: String,
    /// A remark.
    #[cfg_attr(test, schema(example = "Delivered on Monday."))]
    pub note: Option<String>,
}

/// Answers an order: an Order Response is written and sent to the buyer.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/salesOrder/{documentId}/response", tag = "salesOrder",
    params(
        DocumentPath,
        DocumentHeader,
    ),
    request_body = OrderResponseRequest,
    responses(
        (status = 200, description = "Stored; it is sent.", body = Uploaded),
        Called,
        OfSender,
        OfDocument,
        JsonBody,
        Answering,
        Recorded,
    ),
    security(("token" = []))
))]
pub(crate) async fn respond(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let party = speaker(&api, &caller, &party_id, Right::ChangeStatus).await?;
    let found = SALES_ORDERS.find(&api, &caller, &party, &id).await?;
    let answer_id = document_id(request.headers(), &api.settings.header_prefix)?;
    let request: OrderResponseRequest = json::read(&api, request).await?;
    let status = answers::code("status", ORDER_STATUSES, &request.status)?;
    let order = OrderSummary::read(&api, &found).await?;
    let asked = asked_on(&api, &party, &answer_id).await?;
    let asked_as = (status, &request, asked);
    let text = answer_text(&party, &found, order, asked_as, answer_id.to_string())?;
    let resource = format!("salesOrder/{id}/response");
    let parcel = NewUpload {
        family: Family::Order,
        wishes: Default::default(),
        channel: None,
        answer: Some((link(&found, Some(status.code)), asked)),
        content: text.into(),
        document_id: answer_id,
        party,
    };
    Upload { resource: &resource, family: Family::Order }.record(&api, parcel).await
}

fn answer_text(
    party: &PartyRecord,
    found: &TransactionRecord,
    order: OrderSummary,
    (status, request, asked): (&'static InvoiceResponseCode, &OrderResponseRequest, Timestamp),
    id: String,
) -> Result<String, Problem> {
    let transaction = &found.transaction;
    Ok(order_response(&OrderAnswer {
        id,
        issued: in_utc(asked),
        status,
        note: words("note", request.note.clone())?,
        currency: order.routing.currency.clone().unwrap_or_else(|| "EUR".to_owned()),
        order: order.number,
        seller: answers::participant(&transaction.receiver, &order.routing.receiver, party)?,
        buyer: answers::other(&transaction.sender, &order.routing.sender)?,
        lines: order.lines,
    }))
}

/// Lists the answers that were given to an order.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/salesOrder/{documentId}/response", tag = "salesOrder",
    params(DocumentPath),
    responses(
        (status = 200, description = "The answers, oldest first.", body = [AnswerView]),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn given(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<Vec<AnswerView>>, Problem> {
    answers::list(&api, &caller, SALES_ORDERS, Direction::Outgoing, path).await
}

/// Tells what happened to an answer that was given to an order, oldest first.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/salesOrder/{documentId}/response/{responseDocumentId}/status",
    tag = "salesOrder",
    params(ResponsePath),
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
))]
pub(crate) async fn given_status(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String, String)>,
) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
    answers::status(&api, &caller, SALES_ORDERS, path).await
}
