//! Orders that a seller receives: lists, download, answers.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use jiff::Timestamp;
use quoin_delivery::responses::AnswerRule;
use quoin_delivery::{Direction, Family};
use quoin_formats::ubl::write::{
    InvoiceResponseCode, ORDER_STATUSES, OrderAnswer, OrderAnswerForm, Participant, REPEATS_LINES,
    order_response,
};
use quoin_model::order::OrderKind;
use quoin_store::NewAnswer;
use serde::Deserialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::api::Api;
use crate::api::answers::{self, AnswerView};
#[cfg(test)]
use crate::api::code_names::OrderStatusName;
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
use crate::http::{Caller, Problem, codes, sentences};

use super::in_utc;
use super::summary::OrderSummary;

crate::api::reading::reading!(SALES_ORDERS, "salesOrder", "an order that came");
crate::api::reading::arrived!(SALES_ORDERS, "salesOrder", "an order that came", OrderXml);

/// An answer to an order.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({ "status": "AP", "note": "Delivered on Monday." })))]
pub struct OrderResponseRequest {
    /// A code, or its long name. A cancellation is answered with all but `CA`.
    #[cfg_attr(test, schema(value_type = OrderStatusName, example = "AP"))]
    pub status: String,
    /// A remark.
    #[cfg_attr(test, schema(example = "Delivered on Monday."))]
    pub note: Option<String>,
}

/// Answers an order, a change or a cancellation: an Order Response is written and sent.
///
/// It is the transaction of the process in which the order came: Order Response in ordering, Order
/// Response Advanced in advanced ordering. `AB` comes first, `CA` may come again, `AP` comes once,
/// in advanced ordering `CA` also after `AP`, and nothing after `RE`. Of an order that its buyer
/// cancelled the cancellation is answered: `AP` accepts and `RE` refuses it.
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
    let form = order.form(&found)?;
    check_lines(&order, status)?;
    let asked = asked_on(&api, &party, &answer_id).await?;
    let answer = NewAnswer {
        status: Some(status.code.to_owned()),
        held_to: Some(AnswerRule::Order(order.subject(form))),
        ..NewAnswer::to(found.transaction.id.clone())
    };
    let currency = order.currency(&api, &found).await?;
    let as_asked = AskedAnswer { id: answer_id.to_string(), form, status, asked, currency };
    let transaction = &found.transaction;
    let seller =
        answers::participant(&api, &transaction.receiver, &order.routing.receiver, &party).await?;
    let buyer = answers::other(&transaction.sender, &order.routing.sender)?;
    let text = answer_text((seller, buyer), (order, as_asked), request.note)?;
    let resource = format!("salesOrder/{id}/response");
    let parcel = NewUpload {
        family: Family::Order,
        wishes: Default::default(),
        channel: None,
        answer: Some((answer, asked)),
        content: text.into(),
        document_id: answer_id,
        party,
    };
    Upload { resource: &resource, family: Family::Order }.record(&api, parcel).await
}

/// Whether there are lines that an answer repeats which has to.
fn check_lines(order: &OrderSummary, status: &InvoiceResponseCode) -> Result<(), Problem> {
    if status.code != REPEATS_LINES {
        return Ok(());
    }
    if order.kind == OrderKind::Cancellation {
        let known: Vec<&str> = ORDER_STATUSES
            .iter()
            .map(|row| row.code)
            .filter(|code| *code != REPEATS_LINES)
            .collect();
        let known = format!("{} for a cancellation", known.join(", "));
        let found = format!("{:?}", status.code);
        let detail =
            sentences::ONE_OF.with([("name", &"status"), ("found", &found), ("expected", &known)]);
        return Err(Problem::new(&codes::BAD_JSON, detail));
    }
    if order.lines.is_empty() {
        let detail = "CA repeats the lines of the order, and it has none that could be read";
        return Err(Problem::new(&codes::UNANSWERABLE, detail));
    }
    Ok(())
}

/// An answer as it is asked for.
struct AskedAnswer {
    id: String,
    form: OrderAnswerForm,
    status: &'static InvoiceResponseCode,
    asked: Timestamp,
    currency: String,
}

fn answer_text(
    (seller, buyer): (Participant, Participant),
    (order, as_asked): (OrderSummary, AskedAnswer),
    note: Option<String>,
) -> Result<String, Problem> {
    Ok(order_response(&OrderAnswer {
        form: as_asked.form,
        id: as_asked.id,
        issued: in_utc(as_asked.asked),
        status: as_asked.status,
        note: words("note", note)?,
        currency: as_asked.currency,
        order: order.order()?.to_owned(),
        change: (order.kind == OrderKind::Change).then_some(order.number),
        seller,
        buyer,
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
