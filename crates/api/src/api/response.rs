//! Invoice Responses: the state that a receiver gives an invoice (interface specification 2.6, 3.2,
//! 4.7 and 4.8; conventions A12).

mod request;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use jiff::Timestamp;
use quoin_delivery::responses::AnswerRule;
use quoin_delivery::{Direction, Family};
use quoin_formats::routing::Routing;
use quoin_formats::ubl::write::{InvoiceReference, InvoiceResponse, invoice_response};
use quoin_peppol::codelists::capability;
use quoin_store::{NewAnswer, PartyRecord, TransactionRecord};

#[cfg(test)]
use crate::http::problem::ProblemBody;
#[cfg(test)]
use crate::http::refusals::{
    Called, JsonBody, Kept, OfDocument, OfParty, OfSender, Recorded, Responding, Shown,
};
use crate::http::{Caller, Problem, codes, sentences};

use super::Api;
use super::answers::{self, AnswerView};
#[cfg(test)]
use super::bodies::{PageHtml, PagePdf, ResponseXml};
use super::documents::{PURCHASES, SALES};
use super::json;
use super::orders::in_utc;
#[cfg(test)]
use super::paths::{DocumentHeader, DocumentPath, ResponsePath};
use super::rights::{Right, speaker};
#[cfg(test)]
use super::upload::Uploaded;
use super::upload::{NewUpload, Upload, asked_on, document_id};

use request::ParsedResponse;
pub(crate) use request::words;
pub use request::{CodeItem, Codes, ResponseRequest};

/// The capability without which nobody can take part in responses.
const CAPABILITY: &str = "invoiceResponse";
/// The type code of an invoice that does not tell its own.
pub(super) const COMMERCIAL_INVOICE: &str = "380";
/// The type code of a credit note that does not tell its own.
pub(super) const CREDIT_NOTE: &str = "381";

/// Answers an invoice: an Invoice Response is written and sent to its sender.
///
/// The body may give codes or long names, reasons and actions as an object (code to text), as a
/// list, or flat in `clarificationCode` and `actionCode`.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}/response",
    tag = "purchaseInvoice",
    params(
        DocumentPath,
        DocumentHeader,
    ),
    request_body = ResponseRequest,
    responses(
        (status = 200, description = "Stored; it is sent.", body = Uploaded),
        (
            status = 409,
            description = "The status does not follow the one before, or the id was taken before.",
            body = ProblemBody,
            content_type = "application/problem+json"
        ),
        Called,
        OfSender,
        OfDocument,
        JsonBody,
        Responding,
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
    let found = PURCHASES.find(&api, &caller, &party, &id).await?;
    let response_id = document_id(request.headers(), &api.settings.header_prefix)?;
    let said = json::read::<ResponseRequest>(&api, request).await?.said()?;
    check_capability(&api, &party).await?;
    let answer = NewAnswer {
        status: Some(said.status.code.to_owned()),
        is_partial: said.is_partial(),
        held_to: Some(AnswerRule::Invoice(api.settings.response_order)),
        ..NewAnswer::to(found.transaction.id.clone())
    };
    let asked = asked_on(&api, &party, &response_id).await?;
    let text = write(&api, &party, &found, (said, asked), response_id.to_string()).await?;
    let resource = format!("purchaseInvoice/{id}/response");
    let parcel = NewUpload {
        family: Family::InvoiceResponse,
        wishes: Default::default(),
        channel: None,
        answer: Some((answer, asked)),
        content: text.into(),
        document_id: response_id,
        party,
    };
    Upload { resource: &resource, family: Family::InvoiceResponse }.record(&api, parcel).await
}

/// Asks whether the party takes part in Invoice Responses: whether it is registered for them.
async fn check_capability(api: &Api, party: &PartyRecord) -> Result<(), Problem> {
    let pairs = capability(CAPABILITY).into_iter().flat_map(|capability| capability.rows());
    let wanted: Vec<(&str, &str)> = pairs.map(|(row, process)| (row.value, process)).collect();
    for identifier in &party.identifiers {
        let services = api.store.services_of(identifier).await?;
        let on = services.iter().any(|service| {
            let is = |(value, process): &(&str, &str)| {
                service.document_type.ends_with(value) && service.process.ends_with(process)
            };
            service.organisation == party.organisation && wanted.iter().any(is)
        });
        if on {
            return Ok(());
        }
    }
    let detail =
        sentences::CAPABILITY_OFF.with([("party", &party.main()), ("capability", &CAPABILITY)]);
    Err(Problem::new(&codes::CAPABILITY, detail))
}

async fn write(
    api: &Api,
    party: &PartyRecord,
    found: &TransactionRecord,
    (said, asked): (ParsedResponse, Timestamp),
    id: String,
) -> Result<String, Problem> {
    let transaction = &found.transaction;
    let routing = match api.store.document(found).await? {
        Some(bytes) => {
            let read = move || quoin_formats::read(&bytes).routing().unwrap_or_default();
            api.settings.judges.run(party.organisation.as_str(), read).await?
        }
        // Its time is over; what is on record is enough.
        None => Routing::default(),
    };
    let number = routing.number.clone().or_else(|| transaction.number.clone());
    let number = number.ok_or_else(|| {
        let detail = "the invoice has no number, so nothing can refer to it";
        Problem::new(&codes::UNANSWERABLE, detail)
    })?;
    let usual = if routing.is_credit_note() { CREDIT_NOTE } else { COMMERCIAL_INVOICE };
    Ok(invoice_response(&InvoiceResponse {
        id,
        issued: in_utc(asked),
        sender: answers::participant(api, &transaction.receiver, &routing.receiver, party).await?,
        receiver: answers::other(&transaction.sender, &routing.sender)?,
        invoice: InvoiceReference {
            number,
            issue_date: routing.issue_date,
            type_code: routing.type_code.clone().unwrap_or_else(|| usual.to_owned()),
        },
        status: said.status,
        reasons: said.reasons,
        actions: said.actions,
        note: said.note,
    }))
}

/// Lists the Invoice Responses that were given to an invoice, with how far their delivery is.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}/response",
    tag = "purchaseInvoice",
    params(DocumentPath),
    responses(
        (status = 200, description = "The responses, oldest first.", body = [AnswerView]),
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
    answers::list(&api, &caller, PURCHASES, Direction::Outgoing, path).await
}

/// Tells what happened to an Invoice Response that was given, oldest first.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}/response/{responseDocumentId}/status",
    tag = "purchaseInvoice",
    params(ResponsePath),
    responses(
        (
            status = 200,
            description = "The steps so far, oldest first.",
            body = [super::documents::StatusLine],
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
) -> Result<(HeaderMap, Json<Vec<super::documents::StatusLine>>), Problem> {
    answers::status(&api, &caller, PURCHASES, path).await
}

/// Lists the Invoice Responses that came to a sales invoice.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/salesInvoice/{documentId}/response", tag = "salesInvoice",
    params(DocumentPath),
    responses(
        (status = 200, description = "The responses, oldest first.", body = [AnswerView]),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn received(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<Vec<AnswerView>>, Problem> {
    answers::list(&api, &caller, SALES, Direction::Incoming, path).await
}

/// Downloads an Invoice Response that came to a sales invoice: the message as it came, or what it
/// says where JSON is asked for.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/salesInvoice/{documentId}/response/{responseDocumentId}/download",
    tag = "salesInvoice",
    params(ResponsePath),
    responses(
        (status = 200, description = "The response.", content(
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
pub(crate) async fn download(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    answers::download(&api, &caller, SALES, path, (&method, &headers)).await
}
