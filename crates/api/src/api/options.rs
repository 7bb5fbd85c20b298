//! Look-ups of recipients: several identifiers at once, by family and by preferred type, and what
//! they offer (interface specification 2.8, 4.2, 4.3 and 4.5; conventions A10).

mod asked;
mod recipients;

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Path, RawQuery, Request, State};
use futures::future::join_all;
use quoin_delivery::{DocumentFamily, Family};
use quoin_peppol::identifiers::{ParticipantId, best_match};
use quoin_peppol::lookup::{LookupError, NotRegistered};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
#[cfg(test)]
use utoipa::openapi::schema::{ArrayBuilder, Schema};
#[cfg(test)]
use utoipa::openapi::{Ref, RefOr};
#[cfg(test)]
use utoipa::{PartialSchema, ToSchema};

#[cfg(test)]
use crate::http::refusals::{Called, Identified, JsonBody, LookedUp, OfParty};
use crate::http::{Caller, Problem, codes};
use quoin_access_point::enrolment::null_is_default;
use quoin_access_point::lookup::Offer;
use quoin_access_point::reading::{json_value, other_value};
use quoin_access_point::sending::PROTOCOL;

use super::Api;
use super::json;
#[cfg(test)]
use super::paths::{DocumentTypeText, LookupFamily, PartyId, PartyPath};
use super::recipient::{LookupParty, unanswered_problem};
use super::rights::{Right, party};

use asked::LookupQuery;
pub(super) use recipients::preference;
use recipients::{From, recipients};

/// The two forms of a body.
const EXPECTED: &str =
    "expected an array of 1 to 50 identifiers, or an object with them as partyIds";
/// Identifiers in one look-up, at most.
const PARTIES: usize = 50;
/// How long to wait before a registration that does not fit is asked for again.
const PAUSE: Duration = Duration::from_secs(2);

/// A way to deliver.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryOption {
    /// The recipient.
    #[cfg_attr(test, schema(example = "0106:87654321"))]
    pub party_id: String,
    /// The document type, `scheme::value`.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::BILLING)))]
    pub document_type_id: String,
    /// The process, `scheme::value`.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::BILLING_PROCESS)))]
    pub process_id: String,
    /// The document family, as in the query.
    #[cfg_attr(test, schema(example = "Invoice"))]
    pub family: Option<String>,
    /// Always `As4`.
    #[cfg_attr(test, schema(example = "As4"))]
    pub protocol: String,
    /// The address of the access point.
    #[cfg_attr(test, schema(example = "https://ap.example.org/as4"))]
    pub url: String,
    /// The seat id of the access point.
    #[cfg_attr(test, schema(example = "POP000001"))]
    pub access_point: String,
    /// The certificate of the access point, Base64 of DER.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::CERTIFICATE)))]
    pub certificate: String,
}

impl DeliveryOption {
    fn of(party: &ParticipantId, offer: Offer) -> DeliveryOption {
        let family = DocumentFamily::of(&offer.document_type);
        DeliveryOption {
            party_id: party.as_str().to_owned(),
            document_type_id: offer.document_type.to_string(),
            process_id: offer.process.to_string(),
            family: family.map(|family| family.name.to_owned()),
            protocol: PROTOCOL.to_owned(),
            url: offer.url,
            access_point: offer.seat_id,
            certificate: offer.certificate,
        }
    }
}

/// Lists the ways to deliver to one or more recipients, the best first.
///
/// `partyIds` and `documentTypeIds` may be repeated. Where no recipient takes what is asked for,
/// the list is empty. Where the registration of a recipient in the SML does not fit its SMP, or
/// nobody answers, the call goes on asking and ends after about 30 seconds with `API503.Lookup`.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/peppol/deliveryOption", tag = "recipient",
    params(
        ("partyIds" = Vec<PartyId>, Query,
         description = "Recipients, `scheme:identifier`: 1 to 50.",
         min_items = 1, max_items = 50, example = json!(["0106:87654321"])),
        ("documentFamily" = Option<LookupFamily>, Query, example = "Invoice",
         description = "As in `Invoice`, `Order`."),
        ("isCredit" = Option<bool>, Query,
            description = "Only credit notes, or none; CII is both."),
        ("preferredDocumentTypeId" = Option<DocumentTypeText>, Query,
         description = "A document type that goes before all others."),
        ("documentTypeIds" = Option<Vec<DocumentTypeText>>, Query, description = "Only these types."),
    ),
    responses(
        (status = 200, description = "The ways, the best first.", body = [DeliveryOption]),
        Called,
        Identified,
        LookedUp,
    ),
    security(("token" = []))
))]
pub(crate) async fn delivery_option(
    State(api): State<Api>,
    _caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Json<Vec<DeliveryOption>>, Problem> {
    let asked = LookupQuery::read(query.as_deref().unwrap_or_default(), asked::OPTION)?;
    if asked.parties.is_empty() {
        let detail = "partyIds is missing, expected one recipient or more";
        return Err(Problem::new(&codes::BAD_QUERY, detail));
    }
    let end = Instant::now() + api.settings.lookup_timeout;
    let found = join_all(asked.parties.iter().map(|party| patient(&api, party, &asked, end))).await;
    let mut offers = Vec::new();
    let mut unanswered = None;
    for (party, found) in asked.parties.iter().zip(found) {
        match found {
            Ok(found) => offers.extend(found.into_iter().map(|offer| (party, offer))),
            Err(error) => unanswered = unanswered.or(Some((party, error))),
        }
    }
    match unanswered {
        Some((party, error)) if offers.is_empty() => Err(unanswered_problem(party, &error)),
        _ => Ok(Json(sorted(offers, &asked))),
    }
}

/// Asks until there is an answer or the time is over: a registration that does not fit may be in
/// the making.
async fn patient(
    api: &Api,
    party: &ParticipantId,
    asked: &LookupQuery,
    end: Instant,
) -> Result<Vec<Offer>, LookupError> {
    let mut last = LookupError::SmpTrouble { what: "no answer in time".to_owned() };
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let question = api.lookup.offers(party, &asked.wanted);
        match tokio::time::timeout(left, question).await {
            Ok(Ok(offers)) => return Ok(offers.usable),
            Ok(Err(error)) if goes_on(&error) => last = error,
            // Nobody to deliver to: no offer.
            Ok(Err(_)) => return Ok(Vec::new()),
            Err(_) => return Err(last),
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(last);
        }
        tokio::time::sleep(PAUSE.min(left)).await;
    }
}

/// A mismatch of SML and SMP, or no answer.
fn goes_on(error: &LookupError) -> bool {
    let mismatch = LookupError::NotRegistered(NotRegistered::UnknownToSmp);
    error.is_temporary() || *error == mismatch || matches!(error, LookupError::InvalidSmpAddress(_))
}

/// The preferred type first, then by how good the type is, then in the order of the question.
fn sorted(offers: Vec<(&ParticipantId, Offer)>, asked: &LookupQuery) -> Vec<DeliveryOption> {
    let preferred = asked.preferred.as_ref();
    let mut ranked: Vec<_> = offers
        .into_iter()
        .enumerate()
        .map(|(place, (party, offer))| {
            let own = std::slice::from_ref(&offer.document_type);
            let wanted = preferred.is_some_and(|wanted| best_match(wanted, own).is_some());
            let standing = DocumentFamily::standing(&offer.document_type);
            ((Reverse(wanted), standing, place), DeliveryOption::of(party, offer))
        })
        .collect();
    ranked.sort_by_key(|(key, _)| *key);
    ranked.into_iter().map(|(_, option)| option).collect()
}

/// Whom to look up: identifiers, alone or with attributes.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged, try_from = "Value")]
#[cfg_attr(test, schema(example = json!(["0106:87654321", "0208:0123456749"])))]
pub enum RecipientRequest {
    /// Identifiers of one recipient, the preferred one first.
    Ids(RecipientIds),
    /// The same, with attributes.
    WithAttributes(RecipientObject),
}

/// Identifiers of one recipient: one to fifty.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct RecipientIds(pub Vec<String>);

#[cfg(test)]
impl PartialSchema for RecipientIds {
    fn schema() -> RefOr<Schema> {
        let one = Ref::from_schema_name("PartyId");
        ArrayBuilder::new().items(one).min_items(Some(1)).max_items(Some(PARTIES)).into()
    }
}

#[cfg(test)]
impl ToSchema for RecipientIds {}

/// Identifiers with attributes.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecipientObject {
    /// Identifiers of one recipient, the preferred one first.
    #[cfg_attr(test, schema(example = json!(["0106:87654321", "0208:0123456749"])))]
    pub party_ids: RecipientIds,
    /// Attributes of the caller's own.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable,
        value_type = std::collections::BTreeMap<String, serde_json::Value>,
        example = json!({})
    ))]
    pub meta_attributes: Map<String, Value>,
}

impl TryFrom<Value> for RecipientRequest {
    type Error = String;

    fn try_from(body: Value) -> Result<RecipientRequest, String> {
        let read = match body {
            Value::Array(_) => json_value(body).map(RecipientRequest::Ids),
            Value::Object(_) => json_value(body).map(RecipientRequest::WithAttributes),
            _ => return Err(EXPECTED.to_owned()),
        };
        read.map_err(|error| {
            let said = error.to_string();
            let said = other_value(&said, "an object").unwrap_or(said);
            format!("{said}; {EXPECTED}")
        })
    }
}

impl RecipientRequest {
    fn parties(self) -> Result<Vec<ParticipantId>, Problem> {
        let ids = match self {
            RecipientRequest::Ids(ids) => ids.0,
            RecipientRequest::WithAttributes(object) => object.party_ids.0,
        };
        asked::parties(ids.iter().map(String::as_str))
    }
}

macro_rules! recipient {
    ($name:ident, $resource:literal, $tag:literal, $family:literal, $kind:expr, $right:expr) => {
        /// Finds out which of several identifiers of a recipient can be reached. The answer is
        /// about the first that can be; the others are in `candidates`. Once one can be reached,
        /// those of whom nothing is heard are waited for two seconds more.
        #[cfg_attr(test, utoipa::path(
            post, path = concat!("/api/v1/{partyId}/", $resource, "/queryRecipientParty"),
            tag = $tag,
            params(
                PartyPath,
                ("preferredDocumentTypeId" = Option<DocumentTypeText>, Query,
                 description = "A document type whose access point is told, where it is taken."),
                ("documentFamily" = Option<LookupFamily>, Query, example = $family,
                 description = "The family of the document, as in `Invoice` or `Order`."),
                ("isCredit" = Option<bool>, Query,
                    description = "Only credit notes, or none; CII is both."),
                ("includeOptions" = Option<bool>, Query,
                 description = "Whether to tell every way to deliver."),
            ),
            request_body = RecipientRequest,
            responses(
                (status = 200, description = "What was found.", body = LookupParty),
                Called,
                OfParty,
                Identified,
                JsonBody,
                LookedUp,
            ),
            security(("token" = []))
        ))]
        pub(crate) async fn $name(
            State(api): State<Api>,
            caller: Caller,
            Path(party_id): Path<String>,
            RawQuery(query): RawQuery,
            request: Request,
        ) -> Result<Json<LookupParty>, Problem> {
            let own = party(&api, &caller, &party_id, $right).await?;
            let query = query.as_deref().unwrap_or_default();
            let mut asked = LookupQuery::read(query, asked::RECIPIENT)?;
            let request: RecipientRequest = json::read(&api, request).await?;
            asked.parties = request.parties()?;
            asked.wanted.family = asked.wanted.family.or(DocumentFamily::named($family));
            let of = From { owner: &own.organisation, party: &own.id, family: $kind };
            recipients(&api, &asked, of).await.map(Json)
        }
    };
}

recipient!(
    of_sales_invoice,
    "salesInvoice",
    "salesInvoice",
    "Invoice",
    Family::Invoice,
    Right::Send
);
recipient!(
    of_purchase_invoice,
    "purchaseInvoice",
    "purchaseInvoice",
    "InvoiceResponse",
    Family::InvoiceResponse,
    Right::Receive
);
recipient!(
    of_purchase_order,
    "purchaseOrder",
    "purchaseOrder",
    "Order",
    Family::Order,
    Right::Send
);
recipient!(
    of_sales_order,
    "salesOrder",
    "salesOrder",
    "OrderResponse",
    Family::Order,
    Right::Receive
);
