//! The door for procurement networks: orders for a supplier, and what became of documents that were
//! sent. A message is let in by the secret that its hook and the network share; it is on the disk
//! before it is answered with 200.

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{Direction, DocumentId, Family, OrganisationId};
use quoin_formats::routing::Routing;
use quoin_formats::ubl::write::{
    InvoiceReference, InvoiceResponse, InvoiceResponseCode, STATUSES, invoice_response,
};
use quoin_peppol::codelists::capability;
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};
use quoin_store::{
    Arrival, Hook, HookScope, NewIncoming, RecordOutcome, TransactionFacts, TransactionRecord,
};
use uuid::Uuid;

#[cfg(test)]
use super::bodies::CxmlXml;
use super::guess_brake::GuessBrake;
use super::response::{COMMERCIAL_INVOICE, CREDIT_NOTE};
use super::{Api, answers, refused};
#[cfg(test)]
use crate::http::refusals::OfNetwork;
use crate::http::{Problem, body, codes, sentences};
use quoin_access_point::cxml::{
    CxmlDoorway, CxmlRequest, CxmlSaid, CxmlUpdate, believed, response,
};

/// The capability whose document is an Invoice Response.
const RESPONSES: &str = "invoiceResponse";

/// The hooks that speak cXML.
const CXML: &[ActionKind] = &[ActionKind::Cxml, ActionKind::TradingNetwork];

/// The status of an answer and what it means.
type AnswerCode = (u16, &'static str);

const OK: AnswerCode = (200, "OK");
const BAD: AnswerCode = (400, "Bad Request");
const UNAUTHORIZED: AnswerCode = (401, "Unauthorized");
const NOT_ACCEPTABLE: AnswerCode = (406, "Not Acceptable");
const CONFLICT: AnswerCode = (409, "Conflict");
const NOT_IMPLEMENTED: AnswerCode = (450, "Not Implemented");

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
    refused::room(&api.settings.disk)?;
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_xml = kind.is_none_or(|kind| !kind.trim_start().starts_with("multipart/"));
    let (parts, content) = request.into_parts();
    let brake = GuessBrake::at(&api, (&organisation, &hook), &parts.extensions)?;
    let hooks = hooks(&api, (&organisation, &hook), CXML).await?;
    let limits = api.settings.body;
    let read = body::read_counted(content, limits, &api.settings.uploads, &parts.extensions);
    let content = read.await?;
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
        Ok((None, _)) => {
            brake.failed();
            Err(NetworkRefusal::new(UNAUTHORIZED, "the shared secret is not that of the hook"))
        }
        Ok((Some(doorway), read)) => said(&api, doorway, read).await?,
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

/// The hooks of these kinds with an id that a message may be for. An organisation that is closed
/// has none.
pub(super) async fn hooks(
    api: &Api,
    (organisation, id): (&str, &str),
    kinds: &[ActionKind],
) -> Result<Vec<Hook>, Problem> {
    let Ok(owner) = organisation.parse::<OrganisationId>() else { return Ok(Vec::new()) };
    if !api.store.is_open(&owner).await? {
        return Ok(Vec::new());
    }
    let is_one = |hook: &Hook| {
        let kind = ActionKind::of(&hook.action);
        hook.id.as_str() == id && kind.is_some_and(|kind| kinds.contains(&kind))
    };
    Ok(api.store.hooks_of(&owner).await?.into_iter().filter(is_one).collect())
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
    let facts = TransactionFacts {
        sender: doorway.buyer.as_ref().map(ToString::to_string),
        receiver: doorway.supplier.as_ref().map(ToString::to_string).or(Some(party.clone())),
        number,
        ..TransactionFacts::default()
    };
    record(api, doorway, read, Arrived { party, family: Family::Order, facts, document }).await
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
    let found = api.store.sent_in_envelope(instance).await?;
    let is_own = |found: &TransactionRecord| {
        let of = &found.transaction;
        let is_here = match &doorway.hook.scope {
            HookScope::Party(party) => of.party == *party,
            HookScope::Environment => true,
        };
        of.organisation == doorway.hook.organisation
            && (of.direction, of.family) == (Direction::Outgoing, Family::Invoice)
            && is_here
    };
    let state = InvoiceResponseCode::named(STATUSES, update.state);
    let (Some(found), Some(state)) = (found.filter(is_own), state) else {
        let why = format!("no invoice of ours has the payloadID {:.100}", update.about);
        return Ok(Err(NetworkRefusal::new(NOT_ACCEPTABLE, why)));
    };
    let text = written(api, &found, read, (state, &update.note)).await?;
    let mut types = capability(RESPONSES).into_iter().flat_map(|own| own.rows());
    let (row, process) = types.next().unzip();
    let document_type = row.and_then(|row| DocumentTypeId::new(row.scheme, row.value).ok());
    let process = process.and_then(|process| process.parse::<ProcessId>().ok());
    let of = found.transaction;
    let facts = TransactionFacts {
        sender: of.receiver,
        receiver: of.sender,
        source_document_type: document_type.map(|id| id.to_string()),
        process: process.map(|id| id.to_string()),
        ..TransactionFacts::default()
    };
    let (family, document) = (Family::InvoiceResponse, text.into_bytes());
    record(api, doorway, read, Arrived { party: of.party, family, facts, document }).await
}

/// The Invoice Response about a document that was sent.
async fn written(
    api: &Api,
    found: &TransactionRecord,
    read: &CxmlRequest,
    (status, note): (&'static InvoiceResponseCode, &str),
) -> Result<String, Problem> {
    let of = &found.transaction;
    let routing = match api.store.document(found).await? {
        Some(bytes) => {
            let look = move || quoin_formats::read(&bytes).routing().unwrap_or_default();
            api.settings.judges.run(of.organisation.as_str(), look).await?
        }
        None => Routing::default(),
    };
    let usual = if routing.is_credit_note() { CREDIT_NOTE } else { COMMERCIAL_INVOICE };
    // The time of the message, so that a repeat of it is the same document.
    let issued: Timestamp = read.made_on.unwrap_or(found.created_on);
    Ok(invoice_response(&InvoiceResponse {
        id: read.payload_id.clone(),
        issued: issued.to_zoned(TimeZone::UTC).datetime(),
        sender: answers::other(&of.receiver, &routing.receiver)?,
        receiver: answers::other(&of.sender, &routing.sender)?,
        invoice: InvoiceReference {
            number: routing.number.clone().or_else(|| of.number.clone()).unwrap_or_default(),
            issue_date: routing.issue_date,
            type_code: routing.type_code.clone().unwrap_or_else(|| usual.to_owned()),
        },
        status,
        reasons: Vec::new(),
        actions: Vec::new(),
        note: Some(note.to_owned()).filter(|note| !note.is_empty()),
    }))
}

/// A document that a message became.
struct Arrived {
    party: String,
    family: Family,
    facts: TransactionFacts,
    document: Vec<u8>,
}

/// Records a document; a repeat of a message is the same document, and is answered as the first
/// one.
async fn record(
    api: &Api,
    doorway: &CxmlDoorway,
    read: &CxmlRequest,
    arrived: Arrived,
) -> Result<Result<String, NetworkRefusal>, Problem> {
    let hook = &doorway.hook;
    // One network of one tenant: ids of others are others.
    let network = format!("cxml {} {}", hook.organisation, hook.key);
    let Arrived { party, family, facts, document } = arrived;
    let new = NewIncoming {
        organisation: hook.organisation.clone(),
        party,
        document_id: DocumentId::from_uuid(Uuid::new_v4()),
        family,
        facts,
        envelope_sender: format!("{network} {}", read.from),
        message_id: read.payload_id.clone(),
        instance_id: read.payload_id.clone(),
        access_point: network,
        content: document.into(),
        now: api.clock.now(),
    };
    let id = new.document_id.to_string();
    Ok(match api.store.receive_with(new, Arrival::default(), Vec::new()).await? {
        RecordOutcome::Accepted(_) => Ok(id),
        RecordOutcome::Known { repeat, by, .. } => match repeat.refusal(by) {
            None => Ok("a repeat".to_owned()),
            Some(_) => {
                let why = "another message was received under this payloadID; this one is not kept";
                Err(NetworkRefusal::new(CONFLICT, why))
            }
        },
    })
}
