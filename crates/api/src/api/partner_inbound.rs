//! The door for procurement networks: orders for a supplier, and what became of documents that were
//! sent. A message is let in by the secret that its hook and the network share; it is on the disk
//! before it is answered with 200.

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use quoin_delivery::Family;
use quoin_delivery::hook::ActionKind;
use quoin_formats::ubl::write::{InvoiceResponseCode, STATUSES};
use quoin_store::{HookScope, TransactionFacts};
use uuid::Uuid;

use super::Api;
#[cfg(test)]
use super::bodies::CxmlXml;
use super::network_call::NetworkCall;
use super::network_status::{
    ArrivedDocument, NetworkInvoice, NetworkMessage, NetworkRecord, answer_invoice, invoice_of,
    record,
};
#[cfg(test)]
use crate::http::refusals::OfNetwork;
use crate::http::{Problem, codes, sentences};
use quoin_access_point::cxml::{
    CxmlDoorway, CxmlRequest, CxmlSaid, CxmlUpdate, believed, response,
};

/// The hooks that speak cXML.
const CXML: &[ActionKind] = &[ActionKind::Cxml, ActionKind::TradingNetwork];

/// The status of an answer and what it means.
type AnswerCode = (u16, &'static str);

const OK: AnswerCode = (200, "OK");
const BAD: AnswerCode = (400, "Bad Request");
const UNAUTHORIZED: AnswerCode = (401, "Unauthorized");
const NOT_ACCEPTABLE: AnswerCode = (406, "Not Acceptable");
const CONFLICT: AnswerCode = (409, "Conflict");
const COME_AGAIN: AnswerCode = (560, "Temporary Server Error");
const NOT_IMPLEMENTED: AnswerCode = (450, "Not Implemented");

const WRONG_SECRET: &str =
    "the shared secret is not that of the hook, or deploymentMode is not the mode that is in use";

/// What a network is told instead of 200.
struct NetworkRefusal(AnswerCode, String);

impl NetworkRefusal {
    fn new(status: AnswerCode, why: impl Into<String>) -> NetworkRefusal {
        NetworkRefusal(status, why.into())
    }
}

/// A message of a procurement network
///
/// For the hook `cxml://` or `tradingnetwork://` with this id, in cXML: an OrderRequest, or a
/// StatusUpdateRequest about an invoice. It is let in by the shared secret of the hook. The status
/// of the answer is inside it: 200 where the message is on the disk. A repeat of a payloadID is
/// answered like the first one.
#[cfg_attr(test, utoipa::path(
    post, path = "/networks/{organisation}/{hookId}", tag = "channel",
    params(
        ("organisation" = String, Path, description = "The id of the organisation.",
            example = "5f0e4f6e-6a57-4b6a-9a52-6a3a8f0c9d11"),
        ("hookId" = String, Path, description = "The id of the hook.", example = "network"),
    ),
    request_body(content = CxmlXml, content_type = "text/xml"),
    responses(
        (status = 200, description = "The answer of cXML, with its own status inside.",
            body = CxmlXml, content_type = "text/xml"),
        OfNetwork,
    )
))]
pub(crate) async fn take(
    State(api): State<Api>,
    Path((organisation, hook)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_xml = kind.is_none_or(|kind| !kind.trim_start().starts_with("multipart/"));
    let NetworkCall { hooks, brake, body, .. } =
        NetworkCall::at(&api, (&organisation, &hook), CXML, request).await?;
    let content = body.read_unknown(&api).await?;
    if content.is_empty() {
        return Err(Problem::new(&codes::EMPTY_BODY, sentences::EMPTY_BODY.with([])));
    }
    if !is_xml {
        let why = "files beside a message are not taken; send the message alone";
        return Ok(answered(&api, NetworkRefusal::new(NOT_IMPLEMENTED, why)));
    }
    let work = move || CxmlRequest::read(&content).map(|read| (believed(hooks, &read), read));
    // Whoever sends it is not known yet: all of them have one turn.
    let read = api.settings.judges.run("networks", work).await?;
    let done = match read {
        Err(why) => Err(NetworkRefusal::new(BAD, why)),
        Ok((doorway, read)) => match brake.judged(doorway)? {
            None => Err(NetworkRefusal::new(UNAUTHORIZED, WRONG_SECRET)),
            Some(doorway) => said(&api, doorway, read).await?,
        },
    };
    Ok(match done {
        Ok(id) => {
            tracing::info!(organisation, hook, id, "a message of a network is taken");
            answered(&api, NetworkRefusal::new(OK, ""))
        }
        Err(no) => {
            tracing::info!(
                organisation,
                hook,
                code = no.0.0,
                why = no.1,
                "a message of a network is refused"
            );
            answered(&api, no)
        }
    })
}

/// The answer of cXML, whose own status says what happened.
fn answered(api: &Api, NetworkRefusal(status, why): NetworkRefusal) -> Response {
    let id = format!("{}@{}", Uuid::new_v4(), api.settings.as4_domain);
    let text = response(&id, api.clock.now(), status, &why);
    (StatusCode::OK, [(CONTENT_TYPE, "text/xml; charset=UTF-8")], text).into_response()
}

/// Records what a message says; the id of the document that it became.
async fn said(
    api: &Api,
    doorway: CxmlDoorway,
    read: CxmlRequest,
) -> Result<Result<String, NetworkRefusal>, Problem> {
    match &read.said {
        CxmlSaid::Other(name) => {
            let why =
                format!("{name} is not taken; there are OrderRequest and StatusUpdateRequest");
            Ok(Err(NetworkRefusal::new(NOT_IMPLEMENTED, why)))
        }
        CxmlSaid::Order(number, document) => {
            order(api, &doorway, &read, (number.clone(), document.clone())).await
        }
        CxmlSaid::Update(update) => status(api, &doorway, &read, update).await,
    }
}

/// An order is an incoming document of the supplier.
async fn order(
    api: &Api,
    doorway: &CxmlDoorway,
    read: &CxmlRequest,
    (number, document): (Option<String>, Vec<u8>),
) -> Result<Result<String, NetworkRefusal>, Problem> {
    let owner = &doorway.hook.organisation;
    let party = match (&doorway.hook.scope, &doorway.supplier) {
        (HookScope::Party(party), _) => Some(party.clone()),
        (_, Some(supplier)) => {
            let found = api.store.party_of_identifier(owner, &supplier.folded()).await?;
            found.map(|party| party.id)
        }
        (_, None) => None,
    };
    let Some(party) = party else {
        let why = format!("no party of ours is known to be {}", read.to);
        return Ok(Err(NetworkRefusal::new(NOT_ACCEPTABLE, why)));
    };
    let receiver = match &doorway.supplier {
        Some(supplier) => supplier.to_string(),
        None => api.store.party_name(owner, &party).await?,
    };
    let facts = TransactionFacts {
        sender: doorway.buyer.as_ref().map(ToString::to_string),
        receiver: Some(receiver),
        number,
        ..TransactionFacts::default()
    };
    let arrived = ArrivedDocument { party, family: Family::Order, facts, document };
    Ok(conflict(record(api, &message(api, doorway, read), arrived).await?))
}

/// A status becomes an Invoice Response, so that the invoice that it is about is answered as over
/// the network of participants.
async fn status(
    api: &Api,
    doorway: &CxmlDoorway,
    read: &CxmlRequest,
    update: &CxmlUpdate,
) -> Result<Result<String, NetworkRefusal>, Problem> {
    let instance = update.about.split('@').next().unwrap_or_default();
    let found = api.store.sent_in_envelope(&doorway.hook.organisation, instance).await?;
    let found = match invoice_of(found, &doorway.hook) {
        NetworkInvoice::Taken(found) => Some(*found),
        NetworkInvoice::OnItsWay => {
            let why = format!("{:.100} is on its way still; send this again", update.about);
            return Ok(Err(NetworkRefusal::new(COME_AGAIN, why)));
        }
        NetworkInvoice::Unknown => None,
    };
    let (Some(found), Some(state)) = (found, InvoiceResponseCode::named(STATUSES, update.state))
    else {
        let why = format!("no invoice of ours has the payloadID {:.100}", update.about);
        return Ok(Err(NetworkRefusal::new(NOT_ACCEPTABLE, why)));
    };
    let message = message(api, doorway, read);
    Ok(conflict(answer_invoice(api, &message, found, (state, &update.note)).await?))
}

/// A message as the doors of networks record it.
fn message<'a>(api: &Api, doorway: &'a CxmlDoorway, read: &'a CxmlRequest) -> NetworkMessage<'a> {
    let made_on = read.made_before(api.clock.now());
    let (hook, network, from) = (&doorway.hook, "cxml", read.from.to_string());
    NetworkMessage { hook, network, from, id: &read.payload_id, made_on }
}

fn conflict(recorded: NetworkRecord) -> Result<String, NetworkRefusal> {
    match recorded {
        NetworkRecord::Kept(id) => Ok(id),
        NetworkRecord::Repeat(_) => Ok("a repeat".to_owned()),
        NetworkRecord::Another(_) => {
            let why = "another message was received under this payloadID; this one is not kept";
            Err(NetworkRefusal::new(CONFLICT, why))
        }
    }
}
