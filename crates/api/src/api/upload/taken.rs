//! The answer to a document whose id was taken before.

use axum::http::header::LOCATION;
use jiff::Timestamp;
use quoin_delivery::{Direction, DocumentId, TransactionId};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{PartyRecord, TransactionRecord};

use crate::api::Api;
use crate::api::documents::{PURCHASE_ORDERS, SALES};
use crate::http::{Problem, codes, members, sentences};

/// The refusal of a document under an id that is taken: with where the other one is, where that is
/// the party's own: under `own`, or what it is by itself. The same content for another receiver
/// than `wanted` is not the same document.
pub(in crate::api) async fn taken(
    api: &Api,
    (party, id, own): (&PartyRecord, &DocumentId, Option<&str>),
    existing: &TransactionId,
    (same_content, wanted): (bool, Option<&str>),
) -> Result<Problem, Problem> {
    let found = api.store.transaction(existing).await?;
    let resource = own.or(found.as_ref().map(resource)).unwrap_or("generic");
    let found = found.map(|found| found.transaction);
    if found.as_ref().is_some_and(|found| found.party != party.id) {
        // Ids are one for the organisation; more is not told of another party's.
        let detail = format!("a document {id} was taken before");
        return Ok(Problem::new(&codes::CONFLICT, detail).with(&members::ID, id.as_str()));
    }
    if found.as_ref().is_some_and(|found| found.direction == Direction::Incoming) {
        let detail = format!(
            "a document that was received has the id {id}: this one was not taken, give it an id of \
             its own"
        );
        let problem = Problem::new(&codes::CONFLICT, detail).with(&members::ID, id.as_str());
        return Ok(problem.with(&members::SAME_CONTENT, false));
    }
    let went_to = found.and_then(|found| found.receiver);
    let elsewhere = went_to.filter(|went_to| wanted.is_some_and(|wanted| !is_one(wanted, went_to)));
    let detail = match (same_content, &elsewhere) {
        (true, Some(receiver)) => sentences::TAKEN_FOR.with([("id", id), ("receiver", receiver)]),
        (true, None) => sentences::TAKEN_SAME.with([("id", id)]),
        (false, _) => sentences::TAKEN_OTHER.with([("id", id)]),
    };
    let same_content = same_content && elsewhere.is_none();
    let (base, party) = (&api.settings.public_url, party.main());
    let place = format!("{base}/api/v1/{party}/{resource}/{id}/status");
    let problem = Problem::new(&codes::CONFLICT, detail);
    let problem =
        problem.with(&members::ID, id.as_str()).with(&members::SAME_CONTENT, same_content);
    Ok(problem.header(LOCATION, &place))
}

/// Whether two identifiers name one participant.
fn is_one(one: &str, other: &str) -> bool {
    let folded = |id: &str| id.parse::<ParticipantId>().map(|id| id.folded());
    one == other || folded(one).is_ok_and(|one| folded(other).is_ok_and(|other| one == other))
}

/// Whether the id of a document that is to be sent is taken.
pub(super) async fn is_taken(
    api: &Api,
    party: &PartyRecord,
    id: &DocumentId,
) -> Result<bool, Problem> {
    let found = api.store.transaction_of(&party.organisation, Direction::Outgoing, id).await?;
    Ok(found.is_some())
}

/// When an answer was asked for that is written here: where its id is taken, when that one was, so
/// that the same request is the same document again.
pub(in crate::api) async fn asked_on(
    api: &Api,
    party: &PartyRecord,
    id: &DocumentId,
) -> Result<Timestamp, Problem> {
    let found = api.store.transaction_of(&party.organisation, Direction::Outgoing, id).await?;
    Ok(found.map_or_else(|| api.clock.now(), |found| found.created_on))
}

/// Whether a document answers this subject.
pub(super) async fn answers(
    api: &Api,
    subject: Option<TransactionId>,
    document: &TransactionId,
) -> Result<bool, Problem> {
    let Some(subject) = subject else { return Ok(false) };
    let answers = api.store.answers_to(&subject).await?;
    Ok(answers.iter().any(|answer| answer.transaction.transaction.id == *document))
}

/// Under which resource the status of a sent document is.
fn resource(found: &TransactionRecord) -> &'static str {
    match () {
        () if SALES.has(found) => "salesInvoice",
        () if PURCHASE_ORDERS.has(found) => "purchaseOrder",
        () => "generic",
    }
}
