//! The recipient look-up: can somebody be reached, how, and with what (interface specification
//! 4.4). Its answer is the look-up itself, so this is the one door that asks other machines.

use axum::Json;
use axum::extract::State;
use futures::future::BoxFuture;
use quoin_delivery::channel::PEPPOL;
use quoin_delivery::{Family, OrganisationId};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::LookupError;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::query::Query;
use crate::http::refusals::{Called, Identified};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::channels::{Which, channels, usable};
use super::format::document_type;
use super::options::DeliveryOption;
use super::party::organisation;
use super::paths::{DocumentTypeText, PartyId};
use crate::lookup::{Offer, Wanted};

/// Who answers look-ups: SML, SMP and the trust checks behind one question.
pub trait Lookup: Send + Sync {
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
        wanted: &'a Wanted,
    ) -> BoxFuture<'a, Result<Vec<Offer>, LookupError>>;

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessPointInfo {
    /// Its address.
    #[schema(example = "https://ap.example.org/as4")]
    pub url: String,
    /// The seat id of its certificate.
    #[schema(example = "POP000001")]
    pub seat_id: String,
    /// Always `As4`.
    #[schema(example = "As4")]
    pub protocol: String,
}

/// Whom to look up.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecipientQuery {
    /// The recipient, `scheme:identifier`.
    #[param(value_type = PartyId, example = "0106:87654321")]
    identifier: String,
    /// A document type, `scheme::value`, whose access point is told.
    #[param(value_type = Option<DocumentTypeText>)]
    preferred_document_type_id: Option<String>,
}

/// The answer to a look-up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LookupParty {
    /// The recipient, in its canonical form.
    #[schema(example = "0106:12345678")]
    pub id: String,
    /// Whether it is registered in the network.
    pub is_registered: bool,
    /// The channel that will be used; absent where there is none.
    #[schema(example = "peppol")]
    pub channel: Option<String>,
    /// What was found, one sentence.
    #[schema(example = "registered on Peppol for 12 document types")]
    pub description: String,
    /// Stable word for the reason where there is no channel, as in `not-registered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = json!(null))]
    pub reason: Option<String>,
    /// What the recipient can receive, `scheme::value`.
    #[schema(example = json!(["busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"]))]
    pub document_type_ids: Vec<String>,
    /// Where it receives.
    pub access_point: Option<AccessPointInfo>,
    /// Other channels that could be used.
    #[schema(example = json!(["archive"]))]
    pub alternatives: Vec<String>,
    /// What it offers, the best first, where `includeOptions` asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<DeliveryOption>>,
    /// The others that were asked for, where several were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion, example = json!([]))]
    pub candidates: Vec<LookupParty>,
}

/// Tells whether and how a recipient can be reached.
#[utoipa::path(
    get, path = "/api/v1/queryRecipientParty", tag = "recipient",
    params(RecipientQuery),
    responses(
        (
            status = 200,
            description = "What was found, also where the recipient cannot be reached.",
            body = LookupParty
        ),
        Called,
        Identified,
    ),
    security(("token" = []))
)]
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
    let limit = api.settings.lookup_timeout;
    let found = tokio::time::timeout(limit, api.lookup.lookup(&id, wanted.as_ref())).await;
    let slow = || LookupError::SmpTrouble { what: format!("no answer within {limit:?}") };
    let mut party = answer(&id, found.unwrap_or_else(|_| Err(slow())))?;
    let owner = organisation(&caller)?;
    party.choose(&api, &owner, "", Family::Invoice).await?;
    Ok(Json(party))
}

impl LookupParty {
    /// Tells which channel a document of a party takes to it, and which others could be used.
    pub(super) async fn choose(
        &mut self,
        api: &Api,
        owner: &OrganisationId,
        party: &str,
        family: Family,
    ) -> Result<(), Problem> {
        let facts = [("recipient".to_owned(), self.id.clone())].into();
        let all = channels(api, owner, party, family, Which::For(&facts)).await?;
        (self.channel, self.alternatives) = usable(&all, self.channel.is_some());
        Ok(())
    }
}

pub(super) fn answer(
    id: &ParticipantId,
    found: Result<Recipient, LookupError>,
) -> Result<LookupParty, Problem> {
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
    };
    match found {
        Ok(recipient) => {
            let count = recipient.document_types.len();
            party.channel = recipient.access_point.is_some().then(|| PEPPOL.to_owned());
            party.description = format!("registered on Peppol for {count} document types");
            if recipient.unreadable > 0 {
                let more = recipient.unreadable;
                party.description += &format!("; {more} references of its SMP cannot be read");
            }
            let types = recipient.document_types.iter();
            party.document_type_ids = types.map(ToString::to_string).collect();
            party.access_point = recipient.access_point;
        }
        Err(error) if error.is_temporary() => {
            return Err(Problem::new(&codes::UNAVAILABLE, error.to_string()));
        }
        Err(error) => {
            party.is_registered = !matches!(error, LookupError::NotRegistered(_));
            party.description = error.to_string();
            party.reason = Some(error.code().to_owned());
        }
    }
    Ok(party)
}
