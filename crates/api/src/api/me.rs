//! Who the caller is, and whether the service is well.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::RETRY_AFTER;
use quoin_store::PartyRecord;
use serde::Serialize;
use serde_json::{Value, json};
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, Open, Paged};
use crate::http::{Caller, Problem, codes, members};
use quoin_access_point::config::ClientRole;
use quoin_access_point::health::Standing;

use super::Api;
use super::peppol::config::{PageQuery, PartyList};
use super::permissions::UserParty;
use super::rights::organisation;
use quoin_access_point::enrolment::{PartyPermissions, shown};

/// Parties that are told with the caller.
const FIRST: usize = 100;

/// The caller.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The account: a client id or the name of a user.
    #[cfg_attr(test, schema(example = "alice@example.org"))]
    pub name: String,
    /// The same, by another name.
    #[cfg_attr(test, schema(example = "alice@example.org"))]
    pub client_id: String,
    /// `ApUser` or `ApManager`.
    #[cfg_attr(test, schema(example = "ApUser"))]
    pub role: String,
    /// The organisation's id.
    #[cfg_attr(test, schema(example = "acme"))]
    pub organisation_id: String,
    /// The organisation's name.
    #[cfg_attr(test, schema(example = "Acme BV"))]
    pub organisation_name: String,
    /// The parties that the caller may act for, the first hundred by identifier.
    pub parties: Vec<MyParty>,
    /// Whether there are more of them: `/api/v1/me/party` lists all.
    pub has_more_parties: bool,
}

/// A party that the caller may act for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct MyParty {
    /// The main identifier.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// All identifiers, `scheme:identifier`.
    #[cfg_attr(test, schema(example = json!(["0106:12345678", "9944:NL123456789B01"])))]
    pub identifiers: Vec<String>,
    /// Its name.
    #[cfg_attr(test, schema(example = "Acme BV"))]
    pub name: String,
    /// Its country, ISO 3166-1 alpha-2.
    #[cfg_attr(test, schema(example = "NL"))]
    pub country: String,
}

/// A page of the parties that a caller may act for, with its rights, behind a key; and whether
/// there are more.
pub(super) async fn mine(
    api: &Api,
    caller: &Caller,
    after: &str,
    limit: usize,
) -> Result<(Vec<(PartyRecord, PartyPermissions)>, bool), Problem> {
    let owner = organisation(caller)?;
    let manager = caller.role == ClientRole::ApManager;
    let mut found = Vec::new();
    if manager || caller.all_parties {
        for party in api.store.parties_after(&owner, after, limit + 1).await? {
            let link = match manager {
                true => None,
                false => api.store.permission(&owner, &caller.client, &party.id).await?,
            };
            let rights = link.as_ref().map_or(PartyPermissions::ALL, PartyPermissions::from);
            found.push((party, rights));
        }
    } else {
        let links = api.store.permissions_after(&owner, &caller.client, after, limit + 1).await?;
        for link in links {
            let party = api.store.party(&owner, &link.party).await?;
            found.extend(party.map(|party| (party, PartyPermissions::from(&link))));
        }
    }
    let more = found.len() > limit;
    found.truncate(limit);
    Ok((found, more))
}

/// Tells who the caller is.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/me", tag = "me",
    responses(
        (status = 200, description = "The caller.", body = Me),
        Called,
    ),
    security(("token" = []))
))]
pub(crate) async fn me(State(api): State<Api>, caller: Caller) -> Result<Json<Me>, Problem> {
    let id = organisation(&caller)?;
    let organisations = api.store.organisations().await?;
    let own = organisations.into_iter().find(|organisation| organisation.id == id);
    let (parties, has_more_parties) = mine(&api, &caller, "", FIRST).await?;
    let parties = parties.into_iter().map(|(party, _)| MyParty {
        identifiers: party.identifiers.iter().map(|key| shown(&party.id, key)).collect(),
        id: party.main(),
        name: party.name,
        country: party.country,
    });
    Ok(Json(Me {
        name: caller.client.clone(),
        client_id: caller.client,
        role: format!("{:?}", caller.role),
        organisation_id: id.as_str().to_owned(),
        organisation_name: own.map(|organisation| organisation.name).unwrap_or_default(),
        parties: parties.collect(),
        has_more_parties,
    }))
}

/// Lists the parties that the caller may act for, with its rights on each, by identifier. Where
/// there are more than fit into the answer, the header `Link` leads to the next ones (RFC 8288).
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/me/party", tag = "me",
    params(
        ("continuationToken" = Option<String>, Query, description = "The token of the page before.",
         example = json!(PartyList::Mine.token("0106:12345678"))),
        ("limit" = Option<usize>, Query, description = "Parties in a page, 1 to 500.",
         minimum = 1, maximum = 500, example = 100),
    ),
    responses(
        (
            status = 200,
            description = "The parties.",
            body = [UserParty],
            headers(("Link" = String, description = "`rel=\"next\"`: where the list goes on.")),
            example = json!([{ "id": "0106:12345678", "name": "Acme BV", "permissions": {
                    "canSendDocument": true, "canReceiveDocument": true,
                    "canRemoveDocument": false, "canManageHook": false,
                    "canChangeDocumentStatus": true } }])
        ),
        Called,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn parties(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<(HeaderMap, Json<Vec<UserParty>>), Problem> {
    let limit = query.whole()?;
    let (mine, more) = mine(&api, &caller, &query.after(PartyList::Mine)?, limit).await?;
    let base = format!("{}/api/v1/me/party", api.settings.public_url);
    let last = mine.last().filter(|_| more);
    let next = last.map(|(party, _)| PartyList::Mine.next(&base, (limit, &party.id)));
    Ok((
        next.unwrap_or_default(),
        Json(mine.iter().map(|(party, rights)| UserParty::new(party, *rights)).collect()),
    ))
}

/// Tells how the service is: what it needs, and which budgets have nothing left.
#[cfg_attr(test, utoipa::path(
    get, path = "/health", tag = "me",
    responses(
        (status = 200, description = "It can do its work, or most of it.", body = Standing),
        Open,
    )
))]
pub(crate) async fn health(State(api): State<Api>) -> Result<Json<Standing>, Problem> {
    let standing = api.settings.health.look().await;
    if standing.status == "failed" {
        return Err(unwell(&standing));
    }
    Ok(Json(standing))
}

/// Tells whether the process answers at all. One that does not is to be started again.
#[cfg_attr(test, utoipa::path(
    get, path = "/health/live", tag = "me",
    responses(
        (status = 200, description = "It does.", body = Object, example = json!({ "status": "ok" })),
        Open,
    )
))]
pub(crate) async fn live() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Tells whether requests are to be sent here now: everything that the service needs is well, and
/// no budget has nothing left.
#[cfg_attr(test, utoipa::path(
    get, path = "/health/ready", tag = "me",
    responses(
        (status = 200, description = "They are.", body = Standing),
        Open,
    )
))]
pub(crate) async fn ready(State(api): State<Api>) -> Result<Json<Standing>, Problem> {
    let standing = api.settings.health.look().await;
    if !standing.ready {
        return Err(unwell(&standing));
    }
    Ok(Json(standing))
}

fn unwell(standing: &Standing) -> Problem {
    let failed = standing.checks.iter().filter_map(|looked| looked.problem.clone());
    let empty = standing.exhausted.iter().map(|name| format!("the budget {name} is exhausted"));
    let why: Vec<String> = failed.chain(empty).collect();
    Problem::new(&codes::UNAVAILABLE, why.join("; "))
        .with(&members::CHECKS, json!(standing.checks))
        .with(&members::EXHAUSTED, json!(standing.exhausted))
        .with(&members::ALARMS, json!(standing.alarms))
        .with(&members::OLDEST_DUE, json!(standing.oldest_due_seconds))
        .header(RETRY_AFTER, "5")
}
