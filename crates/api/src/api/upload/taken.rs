//! The answer to a document whose id was taken before.

use std::fmt::Display;

use axum::http::header::LOCATION;
use jiff::Timestamp;
use quoin_access_point::collaboration::instruction_of;
use quoin_delivery::{Direction, DocumentId, TransactionId};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{PartyRecord, SubmitOptions, TransactionRecord};

use crate::api::Api;
use crate::api::documents::{PURCHASE_ORDERS, SALES};
use crate::api::upload::NewUpload;
use crate::http::{Problem, codes, members, sentences};

/// The refusal of a document under an id that is taken: with where the other one is, where that is
/// the party's own: under `own`, or what it is by itself. The same content that is to go elsewhere
/// is not the same document.
pub(in crate::api) async fn taken(
    api: &Api,
    (party, id, own): (&PartyRecord, &DocumentId, Option<&str>),
    existing: &TransactionId,
    (same_content, beside): (bool, Option<&AskedBeside>),
) -> Result<Problem, Problem> {
    let found = api.store.transaction(existing).await?;
    let resource = own.or(found.as_ref().map(resource)).unwrap_or("generic");
    let known = found.as_ref().map(|found| &found.transaction);
    if known.is_some_and(|found| found.party != party.id) {
        // Ids are one for the organisation; more is not told of another party's.
        let detail = format!("a document {id} was taken before");
        return Ok(Problem::new(&codes::CONFLICT, detail).with(&members::ID, id.as_str()));
    }
    if known.is_some_and(|found| found.direction == Direction::Incoming) {
        let detail = format!(
            "a document that was received has the id {id}: this one was not taken, give it an id of \
             its own"
        );
        let problem = Problem::new(&codes::CONFLICT, detail).with(&members::ID, id.as_str());
        return Ok(problem.with(&members::SAME_CONTENT, false));
    }
    let elsewhere = match (&found, beside) {
        (Some(found), Some(beside)) if same_content => beside.leads_elsewhere(api, found).await?,
        _ => None,
    };
    let detail = match (same_content, &elsewhere) {
        (true, Some(Elsewhere::Receiver(receiver))) => {
            sentences::TAKEN_FOR.with([("id", id), ("receiver", receiver)])
        }
        (true, Some(Elsewhere::Asked(names))) => {
            sentences::TAKEN_ASKED.with([("id", id as &dyn Display), ("names", names)])
        }
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

/// What is asked beside a document.
pub(in crate::api) struct AskedBeside {
    wishes: SubmitOptions,
    /// The channel that is forced.
    channel: Option<String>,
}

/// In what a document goes elsewhere than the one before it.
enum Elsewhere {
    /// The one before went to this receiver.
    Receiver(String),
    /// This was asked differently.
    Asked(String),
}

impl AskedBeside {
    /// What is asked beside a document that is to be recorded.
    pub(super) fn of(parcel: &NewUpload) -> AskedBeside {
        AskedBeside { wishes: parcel.wishes.clone(), channel: parcel.channel.clone() }
    }

    /// What leads the same content elsewhere than a document on record; none where nothing does.
    async fn leads_elsewhere(
        &self,
        api: &Api,
        before: &TransactionRecord,
    ) -> Result<Option<Elsewhere>, Problem> {
        let instruction =
            |wishes: &SubmitOptions| instruction_of(wishes.meta_attributes.as_deref());
        let (asked, now) = (&before.wishes, &self.wishes);
        let all = [
            ("channel", before.channel == self.channel),
            ("sourceFormat", asked.document_type == now.document_type),
            ("process", asked.process == now.process),
            ("targetFormat", asked.target_format == now.target_format),
            ("sendInstruction", instruction(asked) == instruction(now)),
        ];
        let others: Vec<&str> =
            all.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name).collect();
        if !others.is_empty() {
            return Ok(Some(Elsewhere::Asked(others.join(", "))));
        }
        let (went_to, goes_to) = match (&asked.receiver, &now.receiver) {
            (None, None) => return Ok(None),
            (Some(wanted), Some(now)) => (Some(wanted.clone()), Some(now.clone())),
            (Some(wanted), None) => (Some(wanted.clone()), named(api, before).await?),
            // Once it was looked at, its receiver is on record, also when its bytes are gone.
            (None, Some(now)) => match &before.transaction.receiver {
                Some(known) => (Some(known.clone()), Some(now.clone())),
                None => (named(api, before).await?, Some(now.clone())),
            },
        };
        let is_same = went_to.as_ref().zip(goes_to.as_ref()).is_some_and(|(a, b)| is_one(a, b));
        Ok(match went_to {
            _ if is_same => None,
            Some(receiver) => Some(Elsewhere::Receiver(receiver)),
            None => Some(Elsewhere::Asked("receiverId".to_owned())),
        })
    }
}

/// The receiver that a document on record names itself.
async fn named(api: &Api, found: &TransactionRecord) -> Result<Option<String>, Problem> {
    let Some(bytes) = api.store.document(found).await? else { return Ok(None) };
    let read = move || quoin_formats::read(&bytes).routing();
    let routing = api.settings.judges.run(found.transaction.organisation.as_str(), read).await?;
    let named = routing.and_then(|routing| routing.receiver.endpoint);
    let named = named.and_then(|named| ParticipantId::new(&named.scheme, &named.value).ok());
    Ok(named.map(|named| named.to_string()))
}

/// Whether two identifiers name one participant.
fn is_one(one: &str, other: &str) -> bool {
    let folded = |id: &str| id.parse::<ParticipantId>().map(|id| id.folded());
    one == other || folded(one).is_ok_and(|one| folded(other).is_ok_and(|other| one == other))
}

/// Whether the id of a document that is to be sent is taken.
pub(in crate::api) async fn is_taken(
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
