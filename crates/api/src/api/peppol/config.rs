//! Reading and changing the configuration of an organisation and of its parties (interface
//! specification 4.9). Whoever may act for a party may read its configuration; changes need the
//! role ApManager.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::header::LINK;
use data_encoding::BASE64URL_NOPAD;
use quoin_model::text::quoted;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Expected, OrganisationChange, PartyChange, Publish};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::body::FullBody;
use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{
    Called, Configured, JsonBody, OfParty, OfRole, Paged, Published, Versioned,
};
use crate::http::{Caller, Problem, codes};
use quoin_access_point::config::{ClientRole, EndUserVerification};
use quoin_access_point::enrolment::{ChangeRequester, ConfigRequest, change_of, declared};

#[cfg(test)]
use super::super::paths::{PartyPath, VersionHeader};
use super::super::rights::{linked, organisation as owner, participant};
use super::super::{Api, json, paging};
#[cfg(test)]
use super::described::OrganisationRequest;
use super::version::{etag, expected};
use super::view::{self, OrganisationView, PartyView};

/// A page of parties, by identifier.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PartyPage {
    /// Give this as `continuationToken` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "cGFydHkgMDEwNjoxMjM0NTY3OA"))]
    pub continuation_token: Option<String>,
    /// The parties.
    pub items: Vec<PartyItem>,
}

/// A party in a page.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct PartyItem {
    /// The party.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// Its name.
    #[cfg_attr(test, schema(example = "Acme BV"))]
    pub name: String,
}

/// Which page.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct PageQuery {
    /// The token of the page before.
    #[cfg_attr(test, param(example = "cGFydHkgMDEwNjoxMjM0NTY3OA"))]
    continuation_token: Option<String>,
    /// Parties in a page, 1 to 500.
    #[cfg_attr(test, param(minimum = 1, maximum = 500, example = 100))]
    limit: Option<usize>,
}

/// Reads what parties of the organisation inherit.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/peppol/config", tag = "peppol",
    responses(
        (
            status = 200,
            description = "The configuration.",
            headers(("ETag" = String, description = "Its version, for If-Match.")),
            body = OrganisationView,
            example = json!({
                "id": "acme",
                "capabilities": { "invoices": {
                    "state": "on", "description": "Peppol BIS Billing UBL Invoice V3",
                } },
                "invoices": {
                    "state": "on", "description": "Peppol BIS Billing UBL Invoice V3",
                },
                "createdOn": "2026-02-28T16:02:52Z", "changedOn": "2026-02-28T16:02:52Z",
            })
        ),
        Called,
    ),
    security(("token" = []))
))]
pub(crate) async fn organisation(
    State(api): State<Api>,
    caller: Caller,
) -> Result<(HeaderMap, Json<OrganisationView>), Problem> {
    let owner = owner(&caller)?;
    let config = api.store.organisation_config(&owner).await?;
    Ok((etag(config.version), Json(view::organisation(&api, owner.as_str(), &config))))
}

/// Changes what parties of the organisation inherit, and what is published of them.
#[cfg_attr(test, utoipa::path(
    put, path = "/api/v1/peppol/config", tag = "peppol",
    params(VersionHeader),
    request_body(
        content = OrganisationRequest,
        example = json!({ "selfBilling": { "state": "on" }, "invoiceResponse": { "state": "on" } })
    ),
    responses(
        (
            status = 200,
            description = "The configuration.",
            headers(("ETag" = String, description = "Its version, for If-Match.")),
            body = OrganisationView,
            example = json!({
                "id": "acme",
                "capabilities": { "invoices": {
                    "state": "on", "description": "Peppol BIS Billing UBL Invoice V3",
                } },
                "invoices": {
                    "state": "on", "description": "Peppol BIS Billing UBL Invoice V3",
                },
                "createdOn": "2026-02-28T16:02:52Z", "changedOn": "2026-02-28T16:02:52Z",
            })
        ),
        Called,
        OfRole,
        JsonBody,
        Configured,
        Versioned,
    ),
    security(("token" = []))
))]
pub(crate) async fn put_organisation(
    State(api): State<Api>,
    caller: Caller,
    headers: HeaderMap,
    FullBody(body): FullBody,
) -> Result<(HeaderMap, Json<OrganisationView>), Problem> {
    caller.manager()?;
    let owner = owner(&caller)?;
    let request = ConfigRequest::parsed(json::parsed(&body)?)?;
    request.of_organisation()?;
    if let Some(named) = request.id.as_deref().filter(|named| *named != owner.as_str()) {
        return Err(another(named, owner.as_str()));
    }
    let known = api.store.organisation_config(&owner).await?;
    let is_set = known.version > 0;
    let was_read = request.was_read_of(is_set.then_some(known.changed_on));
    let mut expected = expected(&headers)?;
    if request.names_twice() && matches!(expected, Expected::Any) {
        // What is settled by what is on record holds for that alone.
        expected = if is_set { Expected::Versions(vec![known.version]) } else { Expected::Absent };
    }
    let request = request.settled(was_read.then_some(&known.capabilities))?;
    let contact = match &request.business_card {
        None => None,
        Some(None) => Some(None),
        Some(Some(card)) => Some(card.contact()?),
    };
    let change = OrganisationChange {
        organisation: owner.clone(),
        capabilities: request.capabilities,
        contact,
        expected,
        now: api.clock.now(),
    };
    let config = api.store.change_organisation(change).await?;
    Ok((etag(config.version), Json(view::organisation(&api, owner.as_str(), &config))))
}

/// Lists the parties of the organisation, page by page.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/peppol/config/party", tag = "peppol", params(PageQuery),
    responses(
        (
            status = 200,
            description = "A page.",
            body = PartyPage,
            example = json!({
                "continuationToken": "cGFydHkgMDEwNjoxMjM0NTY3OA",
                "items": [{ "id": "0106:12345678", "name": "Acme BV" }],
            })
        ),
        Called,
        OfRole,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn parties(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<PartyPage>, Problem> {
    caller.manager()?;
    let owner = owner(&caller)?;
    let list = PartyList::Organisation;
    let (limit, after) = (paging::size(query.limit)?, query.after(list)?);
    let mut found = api.store.parties_after(&owner, &after, limit + 1).await?;
    let more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| more);
    Ok(Json(PartyPage {
        continuation_token: last.map(|party| list.token(&party.id)),
        items: found.into_iter().map(|p| PartyItem { id: p.main(), name: p.name }).collect(),
    }))
}

/// The lists of parties whose pages go by identifier. A token is of one list: what one tells a
/// caller says nothing about another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::api) enum PartyList {
    /// The parties of the organisation.
    Organisation,
    /// Those that a caller may act for.
    Mine,
    /// Those that a user is linked to.
    OfUser,
}

impl PartyList {
    /// Its mark in a token.
    fn mark(self) -> &'static str {
        match self {
            PartyList::Organisation => "party ",
            PartyList::Mine => "mine ",
            PartyList::OfUser => "user ",
        }
    }

    /// The token of the page behind a party.
    pub(in crate::api) fn token(self, party: &str) -> String {
        BASE64URL_NOPAD.encode(format!("{}{party}", self.mark()).as_bytes())
    }

    /// Where the list goes on behind the last party of a page, as a header (RFC 8288).
    pub(in crate::api) fn next(self, base: &str, (limit, last): (usize, &str)) -> HeaderMap {
        let token = self.token(last);
        let next = format!("<{base}?limit={limit}&continuationToken={token}>; rel=\"next\"");
        next.parse().ok().map(|next| (LINK, next)).into_iter().collect()
    }

    /// The party after which a page begins.
    fn after(self, token: &str) -> Result<String, Problem> {
        let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).ok();
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let party = text.as_deref().and_then(|text| text.strip_prefix(self.mark()));
        party.map(str::to_owned).ok_or_else(|| {
            let detail = format!(
                "the continuation token {token} is not one of this list; start again without \
                 one",
                token = quoted(token, 60)
            );
            Problem::new(&codes::BAD_TOKEN, detail)
        })
    }
}

impl PageQuery {
    /// Parties in the page; as many as a page can hold unless told otherwise.
    pub(in crate::api) fn whole(&self) -> Result<usize, Problem> {
        paging::size(self.limit.or(Some(paging::PAGE.1)))
    }

    /// The party after which the page begins.
    pub(in crate::api) fn after(&self, list: PartyList) -> Result<String, Problem> {
        self.continuation_token.as_deref().map_or(Ok(String::new()), |token| list.after(token))
    }
}

/// Reads the configuration of a party.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/peppol/config/party/{partyId}", tag = "peppol", params(PartyPath),
    responses(
        (
            status = 200,
            description = "The configuration.",
            headers(("ETag" = String, description = "Its version, for If-Match.")),
            body = PartyView,
            example = json!(PartyView::example())
        ),
        Called,
        OfParty,
    ),
    security(("token" = []))
))]
pub(crate) async fn party(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
) -> Result<(HeaderMap, Json<PartyView>), Problem> {
    let party = linked(&api, &caller, &party_id).await?;
    let manager = caller.role == ClientRole::ApManager;
    let profile = api.store.party_profile(party).await?;
    Ok((etag(profile.config.version), Json(view::party(&api, profile, manager).await?)))
}

/// Changes the configuration of a party, which is recorded if it is new. With capabilities or a
/// migration key the party is published, as soon as the end-user verification of the identifiers
/// that are named is on record and a user is linked to it.
#[cfg_attr(test, utoipa::path(
    put, path = "/api/v1/peppol/config/party/{partyId}", tag = "peppol",
    params(PartyPath, VersionHeader),
    request_body(
        content = ConfigRequest,
        example = json!({ "capabilities": { "invoices": "on", "selfbilling": "inherited" } })
    ),
    responses(
        (
            status = 200,
            description = "The configuration.",
            headers(("ETag" = String, description = "Its version, for If-Match.")),
            body = PartyView,
            example = json!(PartyView::example())
        ),
        Called,
        OfRole,
        OfParty,
        JsonBody,
        Published,
        Versioned,
    ),
    security(("token" = []))
))]
pub(crate) async fn put_party(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    headers: HeaderMap,
    FullBody(body): FullBody,
) -> Result<(HeaderMap, Json<PartyView>), Problem> {
    caller.manager()?;
    let id = participant(&party_id)?;
    let request = ConfigRequest::of(json::parsed(&body)?)?;
    let publishes = request.names_capabilities || request.migration_key()?.is_some();
    let publish = if publishes { Publish::IfReady } else { Publish::Unchanged };
    let mut change = change(&api, &caller, &id, &request).await?;
    same_party(request.id.as_deref(), &id, &change)?;
    (change.publish, change.expected) = (publish, expected(&headers)?);
    let declares = api.settings.verification == EndUserVerification::Declared;
    if declares && change.verification.is_none() && (publishes || !request.identifiers.is_empty()) {
        let (organisation, account) = (&owner(&caller)?, caller.client.as_str());
        let asker = ChangeRequester { store: &api.store, organisation, account, now: change.now };
        change.verification = declared(&asker, &change).await?;
    }
    let profile = api.store.change_party(change).await?;
    Ok((etag(profile.config.version), Json(view::party(&api, profile, true).await?)))
}

/// Whether a body that was read is about the party of the path, under whatever identifier.
pub(super) fn same_party(
    named: Option<&str>,
    id: &ParticipantId,
    change: &PartyChange,
) -> Result<(), Problem> {
    let Some(named) = named else { return Ok(()) };
    let given = participant(named)?.folded();
    if given == id.folded() || given == change.id || change.identifiers.contains(&given) {
        return Ok(());
    }
    Err(another(named, &id.to_string()))
}

/// The refusal of a body that is about another one than the path.
fn another(named: &str, id: &str) -> Problem {
    let detail = format!(
        "id is {named}, but the path is about {id}: leave id out, or give that one",
        named = quoted(named, 80)
    );
    Problem::new(&codes::BAD_CONFIG, detail)
}

/// The change of a party that a body asks for, without links and hooks; it publishes nothing.
pub(in crate::api) async fn change(
    api: &Api,
    caller: &Caller,
    id: &ParticipantId,
    request: &ConfigRequest,
) -> Result<PartyChange, Problem> {
    let organisation = &owner(caller)?;
    let (store, account, now) = (&api.store, caller.client.as_str(), api.clock.now());
    Ok(change_of(&ChangeRequester { store, organisation, account, now }, id, request).await?)
}
