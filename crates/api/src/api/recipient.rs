//! The recipient look-up: can somebody be reached, how, and with what (interface specification
//! 4.4). Its answer is the look-up itself, so this is the one door that asks other machines.

use axum::Json;
use axum::extract::State;
use futures::future::BoxFuture;
use quoin_delivery::ids::PEPPOL;
use quoin_delivery::{Channels, Family, OrganisationId, channel};
use quoin_formats::Detection;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::LookupError;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, Identified, LookedUp, OfParty};
use crate::http::{Caller, Problem, codes, members};

use super::Api;
use super::channels::{Which, channels, missed, usable};
use super::format::document_type;
use super::me::mine;
use super::options::{DeliveryOption, preference};
#[cfg(test)]
use super::paths::{DocumentTypeText, PartyId};
use super::rights::{Right, organisation, party};
use quoin_access_point::channels::AskedWay;
use quoin_access_point::enrolment::spoken;
use quoin_access_point::lookup::{OfferFilter, ParticipantOffers};
use quoin_identity::ProcessOffer;

/// Who answers look-ups: SML, SMP and the trust checks behind one question.
pub trait RecipientLookup: Send + Sync {
    /// Looks a participant up. With a document type, the access point is the one for that type;
    /// without, the one for any type, as a sign that documents can be delivered at all.
    fn lookup<'a>(
        &'a self,
        participant: &'a ParticipantId,
        document_type: Option<&'a DocumentTypeId>,
    ) -> BoxFuture<'a, Result<Recipient, LookupError>>;

    /// Everything that a participant offers of what is wanted.
    fn offers<'a>(
        &'a self,
        participant: &'a ParticipantId,
        wanted: &'a OfferFilter,
    ) -> BoxFuture<'a, Result<ParticipantOffers, LookupError>>;

    /// What a participant takes that a document could become, the best first.
    fn conversion_offers<'a>(
        &'a self,
        participant: &'a ParticipantId,
        source: &'a Detection,
    ) -> BoxFuture<'a, Result<Vec<ProcessOffer>, LookupError>>;

    /// Whether an address of an access point answers, and with which status.
    fn reach<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<u16, String>>;
}

/// A participant that is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// What it can receive.
    pub document_types: Vec<DocumentTypeId>,
    /// References of its SMP that could not be read.
    pub unreadable: usize,
    /// Where it receives; none where no endpoint is usable.
    pub access_point: Option<AccessPointInfo>,
}

/// An access point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccessPointInfo {
    /// Its address.
    #[cfg_attr(test, schema(example = "https://ap.example.org/as4"))]
    pub url: String,
    /// The seat id of its certificate.
    #[cfg_attr(test, schema(example = "POP000001"))]
    pub seat_id: String,
    /// Always `As4`.
    #[cfg_attr(test, schema(example = "As4"))]
    pub protocol: String,
}

/// Whom to look up.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct RecipientQuery {
    /// The recipient, `scheme:identifier`.
    #[cfg_attr(test, param(value_type = PartyId, example = "0106:87654321"))]
    identifier: String,
    /// The party that would send: the channels of its hooks are told too. Left out, the party of a
    /// caller who acts for one alone; else only hooks of the environment are asked.
    #[cfg_attr(test, param(value_type = Option<PartyId>, example = "0106:12345678"))]
    sender_id: Option<String>,
    /// A document type, `scheme::value`, whose access point is told, where it is taken.
    #[cfg_attr(test, param(value_type = Option<DocumentTypeText>))]
    preferred_document_type_id: Option<String>,
}

/// The answer to a look-up.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LookupParty {
    /// The recipient, in its canonical form.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// Whether it is registered in the network.
    pub is_registered: bool,
    /// The channel that will be used; absent where there is none.
    #[cfg_attr(test, schema(example = "peppol"))]
    pub channel: Option<String>,
    /// What was found, one sentence.
    #[cfg_attr(test, schema(example = "registered on Peppol for 12 document types"))]
    pub description: String,
    /// Stable word for the reason where there is no channel, as in `not-registered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = json!(null)))]
    pub reason: Option<String>,
    /// What the recipient can receive, `scheme::value`.
    #[cfg_attr(test, schema(example = json!(["busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"])))]
    pub document_type_ids: Vec<String>,
    /// Where it receives.
    pub access_point: Option<AccessPointInfo>,
    /// Other channels that could be used.
    #[cfg_attr(test, schema(example = json!(["archive"])))]
    pub alternatives: Vec<String>,
    /// What it offers, the best first, where `includeOptions` asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<DeliveryOption>>,
    /// The others that were asked for, where several were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schema(no_recursion, example = json!([])))]
    pub candidates: Vec<LookupParty>,
    /// Whether somebody answered for it at all.
    #[serde(skip)]
    pub is_answered: bool,
}

/// Tells whether and how a recipient can be reached.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/queryRecipientParty", tag = "recipient",
    params(RecipientQuery),
    responses(
        (
            status = 200,
            description = "What was found, also where the recipient cannot be reached.",
            body = LookupParty
        ),
        Called,
        OfParty,
        Identified,
        LookedUp,
    ),
    security(("token" = []))
))]
pub(crate) async fn query(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<RecipientQuery>,
) -> Result<Json<LookupParty>, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_PARTY_ID, detail);
    let id: ParticipantId =
        query.identifier.parse().map_err(|error| bad(format!("identifier: {error}")))?;
    let wanted: Option<DocumentTypeId> =
        query.preferred_document_type_id.map(|text| document_type(&text)).transpose().map_err(
            |error| Problem::new(&codes::BAD_QUERY, format!("preferredDocumentTypeId: {error}")),
        )?;
    let owner = organisation(&caller)?;
    let from = match &query.sender_id {
        Some(sender) => party(&api, &caller, sender, Right::Send).await?.id,
        None => only_party(&api, &caller).await?,
    };
    let limit = api.settings.lookup_timeout;
    let found = tokio::time::timeout(limit, api.lookup.lookup(&id, wanted.as_ref())).await;
    let slow = || LookupError::SmpTrouble { what: format!("no answer within {limit:?}") };
    let found = found.unwrap_or_else(|_| Err(slow()));
    let said =
        found.as_ref().map_or("", |found| preference(wanted.as_ref(), &found.document_types));
    let mut found = match found {
        Err(error) if error.is_temporary() => return Err(unanswered_problem(&id, &error)),
        found => answer(&id, found),
    };
    found.description.push_str(said);
    found.choose(&api, &owner, &from, Family::Invoice).await?;
    Ok(Json(found))
}

/// The party of a caller who acts for one alone: its hooks are asked too. Nothing where there are
/// several, or none.
async fn only_party(api: &Api, caller: &Caller) -> Result<String, Problem> {
    let (mut own, more) = mine(api, caller, "", 2).await?;
    Ok(match (own.pop(), own.is_empty() && !more) {
        (Some((party, _)), true) => party.id,
        _ => String::new(),
    })
}

/// A recipient of whom it is not known whether it can be reached.
pub(super) fn unanswered_problem(id: &ParticipantId, error: &LookupError) -> Problem {
    let detail = format!("no answer about {id}; the last that was seen: {error}");
    let problem = Problem::new(&codes::LOOKUP, detail).with(&members::PARTY_ID, id.as_str());
    problem.with(&members::REASON, error.code())
}

impl LookupParty {
    /// Whether Peppol reaches it, as long as no channel is chosen.
    pub(super) fn is_reached(&self) -> bool {
        self.channel.is_some()
    }

    /// Tells which channel a document of a party takes to it, and which others could be used.
    pub(super) async fn choose(
        &mut self,
        api: &Api,
        owner: &OrganisationId,
        party: &str,
        family: Family,
    ) -> Result<(), Problem> {
        if !self.is_answered {
            return Ok(());
        }
        let sender = api.store.party_name(owner, party).await?;
        let topic = family.commands().map_or("", |commands| commands.send.as_str());
        let known = [("recipient", self.id.as_str()), ("sender", &sender), ("topic", topic)];
        let known = known.into_iter().filter(|(_, fact)| !fact.is_empty());
        let facts = known.map(|(name, fact)| (name.to_owned(), fact.to_owned())).collect();
        let all = channels(api, owner, party, family, Which::For(&facts)).await?;
        let missed = self.missed_by(api, (owner, party), &all).await?;
        (self.channel, self.alternatives) = usable(&all, (self.channel.is_some(), &missed));
        Ok(())
    }

    /// The channels of a party that do not reach it; most parties have the network alone.
    async fn missed_by(
        &self,
        api: &Api,
        (owner, party): (&OrganisationId, &str),
        all: &Channels,
    ) -> Result<Vec<String>, Problem> {
        let mut channels = all.order.iter().chain(&all.fallback);
        let is_beside = channels.any(|channel| !channel::is_network(channel.kind));
        let Some(receiver) = self.id.parse().ok().filter(|_| is_beside) else {
            return Ok(Vec::new());
        };
        let senders = match api.store.party(owner, party).await? {
            Some(party) => spoken(&api.store, &party).await?,
            None => Vec::new(),
        };
        let (senders, receiver) = (senders.as_slice(), &receiver);
        let asked = AskedWay { senders, receiver, instruction: None, document_type: None };
        missed(api, owner, all, &asked).await
    }
}

/// What is told of a recipient.
pub(super) fn answer(id: &ParticipantId, found: Result<Recipient, LookupError>) -> LookupParty {
    let mut party = LookupParty {
        id: id.as_str().to_owned(),
        is_registered: true,
        channel: None,
        description: String::new(),
        reason: None,
        document_type_ids: Vec::new(),
        access_point: None,
        alternatives: Vec::new(),
        options: None,
        candidates: Vec::new(),
        is_answered: true,
    };
    match found {
        Ok(recipient) => {
            party.channel = recipient.access_point.is_some().then(|| PEPPOL.to_owned());
            party.description = match recipient.document_types.len() {
                0 if recipient.unreadable == 0 => {
                    "registered on Peppol, but for no document type: nothing can be sent to it"
                        .to_owned()
                }
                1 => "registered on Peppol for one document type".to_owned(),
                count => format!("registered on Peppol for {count} document types"),
            };
            if recipient.unreadable > 0 {
                let more = recipient.unreadable;
                party.description += &format!("; {more} references of its SMP cannot be read");
            }
            let types = recipient.document_types.iter();
            party.document_type_ids = types.map(ToString::to_string).collect();
            party.access_point = recipient.access_point;
        }
        Err(error) => {
            let unregistered = matches!(error, LookupError::NotRegistered(_));
            party.is_answered = !error.is_temporary();
            party.is_registered = party.is_answered && !unregistered;
            party.description = match party.is_answered {
                true => error.to_string(),
                false => format!("not known at the moment: {error}"),
            };
            party.reason = Some(error.code().to_owned());
        }
    }
    party
}
