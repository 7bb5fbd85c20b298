//! Answers of the business: Invoice Responses and Order Responses that came or were given, and what
//! the messages are written from.

use axum::Json;
use axum::http::header::VARY;
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use jiff::Timestamp;
use quoin_access_point::enrolment::spoken;
use quoin_delivery::{Direction, DocumentId};
use quoin_formats::routing::RoutingParty;
use quoin_formats::ubl::write::{InvoiceResponseCode, ORDER_STATUSES, Participant, STATUSES};
use quoin_model::ElectronicAddress;
use quoin_model::text::quoted;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{AnswerRecord, PartyRecord, TransactionRecord};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::{Caller, Problem, codes, sentences};

use super::Api;
use super::documents::{Side, StatusLine};
use super::rights::party;
use super::shown;

/// An answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AnswerView {
    /// Its document id.
    #[cfg_attr(test, schema(example = "0192f0c9-51aa-7c3b-9d20-6c1f0e7b8a94"))]
    pub id: String,
    /// The document that it answers.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub document_id: String,
    /// The state that it gives, one code.
    #[cfg_attr(test, schema(example = "AP"))]
    pub status: Option<String>,
    /// The same as a long name.
    #[cfg_attr(test, schema(example = "Accept"))]
    pub status_name: Option<String>,
    /// Why, and what to do: the first 100.
    pub clarifications: Vec<ClarificationView>,
    /// How many more the message has, where it has more than 100: read them in the message itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = json!(null)))]
    pub more_clarifications: Option<usize>,
    /// A remark.
    #[cfg_attr(test, schema(example = "See our terms."))]
    pub note: Option<String>,
    /// How far its own delivery is: `Delivered` for one that arrived.
    #[cfg_attr(test, schema(example = "Delivered"))]
    pub delivery_status: String,
    /// When it came, or was given.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
    /// When its time was over, where it is: what it says beside its state is gone since then.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    pub expired_on: Option<Timestamp>,
}

/// A reason or an action in an answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClarificationView {
    /// `OPStatusReason` or `OPStatusAction`.
    #[cfg_attr(test, schema(example = "OPStatusReason"))]
    pub list: Option<String>,
    /// The code.
    #[cfg_attr(test, schema(example = "REF"))]
    pub code: Option<String>,
    /// The words with it.
    #[cfg_attr(test, schema(example = "The order number is missing."))]
    pub text: Option<String>,
}

/// The answers to a document, going one way, without those that its party deleted.
pub(super) async fn list(
    api: &Api,
    caller: &Caller,
    side: Side,
    direction: Direction,
    path: (String, String),
) -> Result<Json<Vec<AnswerView>>, Problem> {
    let (_, subject) = side.record(api, caller, path).await?;
    let mut all = Vec::new();
    for answer in api.store.answers_to(&subject.transaction.id).await? {
        let record = &answer.transaction;
        let is_there = record.transaction.direction == direction && record.deleted_on.is_none();
        if is_there && answer.status.is_some() {
            all.push(view(api, &subject, &answer).await?);
        }
    }
    Ok(Json(all))
}

/// The message of one answer to a document, as it came; what it says where JSON is asked for.
pub(super) async fn download(
    api: &Api,
    caller: &Caller,
    side: Side,
    (party_id, document_id, answer_id): (String, String, String),
    (method, headers): (&Method, &HeaderMap),
) -> Result<Response, Problem> {
    let (_, subject) = side.record(api, caller, (party_id, document_id)).await?;
    let found = find(api, &subject, &answer_id).await?;
    if wants_json(headers) {
        let view = Json(view(api, &subject, &found).await?);
        return Ok(([(VARY, "accept")], view).into_response());
    }
    let direction = found.transaction.transaction.direction;
    Side { direction, ..side }.download(api, &found.transaction, (method, headers), None).await
}

/// What happened to an answer that was given to a document, with its status as a header.
pub(super) async fn status(
    api: &Api,
    caller: &Caller,
    side: Side,
    (party_id, document_id, answer_id): (String, String, String),
) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
    let party = party(api, caller, &party_id, side.right).await?;
    // It is told also once the document was deleted that it answers.
    let subject = side.passed(api, caller, &party, &document_id).await?;
    let id: DocumentId = answer_id
        .parse()
        .map_err(|error| Problem::new(&codes::BAD_DOCUMENT_ID, format!("{error}")))?;
    let found = find(api, &subject, id.as_str()).await?.transaction;
    let side = Side { direction: Direction::Outgoing, ..side };
    if found.transaction.direction != side.direction {
        return Err(no_answer(&subject, &answer_id));
    }
    side.steps(api, caller, &found).await
}

/// One answer to a document.
async fn find(
    api: &Api,
    subject: &TransactionRecord,
    answer_id: &str,
) -> Result<AnswerRecord, Problem> {
    let answers = api.store.answers_to(&subject.transaction.id).await?;
    let found = answers.into_iter().find(|answer| {
        let own = &answer.transaction.transaction;
        own.document_id.as_str().eq_ignore_ascii_case(answer_id)
            && answer.transaction.deleted_on.is_none()
    });
    found.ok_or_else(|| no_answer(subject, answer_id))
}

fn no_answer(subject: &TransactionRecord, answer_id: &str) -> Problem {
    let id = &subject.transaction.document_id;
    Problem::new(&codes::NO_DOCUMENT, format!("document {id} has no answer {answer_id:.40}"))
}

fn wants_json(headers: &HeaderMap) -> bool {
    shown::liked(headers).is_some_and(|name| name.eq_ignore_ascii_case("application/json"))
}

async fn view(
    api: &Api,
    subject: &TransactionRecord,
    answer: &AnswerRecord,
) -> Result<AnswerView, Problem> {
    let record = &answer.transaction;
    let says = match api.store.document(record).await? {
        Some(bytes) => {
            let read =
                move || quoin_formats::read(&bytes).routing().and_then(|routing| routing.answers);
            api.settings.judges.run(record.transaction.organisation.as_str(), read).await?
        }
        None => None,
    };
    let says = says.unwrap_or_default();
    let named = |code: &String| {
        let row = InvoiceResponseCode::named(STATUSES, code)
            .or_else(|| InvoiceResponseCode::named(ORDER_STATUSES, code));
        row.map(|row| row.name.to_owned())
    };
    let clarification = |one: quoin_formats::routing::Clarification| ClarificationView {
        list: one.list,
        code: one.code,
        text: one.text,
    };
    Ok(AnswerView {
        id: record.transaction.document_id.to_string(),
        document_id: subject.transaction.document_id.to_string(),
        status_name: answer.status.as_ref().and_then(named),
        status: answer.status.clone(),
        clarifications: says.clarifications.into_iter().map(clarification).collect(),
        more_clarifications: Some(says.unkept).filter(|more| *more > 0),
        note: says.note,
        delivery_status: record.transaction.status.as_str().to_owned(),
        created_on: record.created_on,
        expired_on: record.expired_on,
    })
}

/// The row of a code or long name in a body.
///
/// # Errors
/// API400.Json with the codes there are.
pub(super) fn code(
    name: &str,
    list: &'static [InvoiceResponseCode],
    text: &str,
) -> Result<&'static InvoiceResponseCode, Problem> {
    InvoiceResponseCode::named(list, text).ok_or_else(|| {
        let known: Vec<&str> = list.iter().map(|row| row.code).collect();
        let (found, known) = (quoted(text, 40), known.join(", "));
        let detail =
            sentences::ONE_OF.with([("name", &name), ("found", &found), ("expected", &known)]);
        Problem::new(&codes::BAD_JSON, detail)
    })
}

/// The bytes of a document that is to be answered.
///
/// # Errors
/// API404.Expired.
pub(super) async fn bytes(api: &Api, found: &TransactionRecord) -> Result<Bytes, Problem> {
    api.store.document(found).await?.ok_or_else(|| {
        let id = &found.transaction.document_id;
        let detail = sentences::EXPIRED.with([("id", id)]);
        Problem::new(&codes::EXPIRED, detail)
    })
}

/// Our own party as one end of a message: the identifier under which it was addressed, while it
/// sends under that one; then the one by which it is known now.
pub(super) async fn participant(
    api: &Api,
    id: &Option<String>,
    end: &RoutingParty,
    party: &PartyRecord,
) -> Result<Participant, Problem> {
    let own: Vec<String> =
        spoken(&api.store, party).await?.iter().map(ParticipantId::folded).collect();
    let is_own =
        |id: &&String| id.parse().is_ok_and(|id: ParticipantId| own.contains(&id.folded()));
    let main = party.main();
    let id = id.as_ref().filter(is_own).or(Some(&main).filter(is_own)).or(own.first());
    let id = id.unwrap_or(&main).clone();
    Ok(Participant {
        endpoint: endpoint(&id)?,
        name: end.name.clone().unwrap_or_else(|| party.name.clone()),
        country: Some(party.country.clone()).filter(|country| !country.is_empty()),
    })
}

/// The other end of a message.
pub(super) fn other(id: &Option<String>, end: &RoutingParty) -> Result<Participant, Problem> {
    let id = id.clone().ok_or_else(|| {
        Problem::new(&codes::UNANSWERABLE, "it is not known who sent or receives the document")
    })?;
    Ok(Participant {
        endpoint: endpoint(&id)?,
        name: end.name.clone().unwrap_or(id),
        country: end.country.clone(),
    })
}

fn endpoint(id: &str) -> Result<ElectronicAddress, Problem> {
    let id: ParticipantId = id.parse().map_err(Problem::fault)?;
    Ok(ElectronicAddress { scheme: id.icd().to_owned(), value: id.value().to_owned() })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use axum::http::header::ACCEPT;

    use super::*;

    #[test]
    fn an_answer_is_json_where_accept_likes_that_best() {
        for (accept, is_json) in [
            ("application/json;q=0, */*", false),
            ("application/xml;q=0.1, application/json", true),
            ("application/json;q=0.1, application/xml", false),
            ("Application/JSON", true),
            ("application/json; Q=0.2, text/xml;q=0.1", true),
            ("application/json", true),
            ("application/xml", false),
            ("text/xml, application/json", false),
            ("*/*", false),
        ] {
            let headers = [(ACCEPT, HeaderValue::from_static(accept))].into_iter().collect();
            assert_eq!(wants_json(&headers), is_json, "{accept}");
        }
        assert!(!wants_json(&HeaderMap::new()));
        let lines = ["application/xml;q=0.5", "application/json"];
        let headers = lines.map(|line| (ACCEPT, HeaderValue::from_static(line)));
        assert!(wants_json(&headers.into_iter().collect()), "several lines are one list");
    }
}
