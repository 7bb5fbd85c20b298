//! The parties that a user is linked to, page by page.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::account;
use crate::api::Api;
#[cfg(test)]
use crate::api::paths::UserPath;
use crate::api::peppol::config::{PageQuery, PartyList};
use crate::api::permissions::UserParty;
use crate::api::rights::managed;
use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, OfRole, OfUser, Paged};
use crate::http::{Caller, Problem};

/// Lists the parties that a user is linked to, by identifier. Where there are more than fit into
/// the answer, the header `Link` leads to the next ones (RFC 8288).
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/user/{name}/party", tag = "user",
    params(
        UserPath,
        ("continuationToken" = Option<String>, Query, description = "The token of the page before.",
         example = json!(PartyList::OfUser.token("0106:12345678"))),
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
        OfRole,
        OfUser,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn parties(
    State(api): State<Api>,
    caller: Caller,
    Path(name): Path<String>,
    Query(query): Query<PageQuery>,
) -> Result<(HeaderMap, Json<Vec<UserParty>>), Problem> {
    let owner = managed(&caller)?;
    account(&api, &owner, &name).await?;
    let (limit, after) = (query.whole()?, query.after(PartyList::OfUser)?);
    let mut links = api.store.permissions_after(&owner, &name, &after, limit + 1).await?;
    let more = links.len() > limit;
    links.truncate(limit);
    let mut found = Vec::new();
    for link in &links {
        let party = api.store.party(&owner, &link.party).await?;
        found.extend(party.map(|party| UserParty::new(&party, link.into())));
    }
    let next = links.last().filter(|_| more).map(|link| {
        let name = utf8_percent_encode(&name, NON_ALPHANUMERIC);
        let base = format!("{}/api/v1/user/{name}/party", api.settings.public_url);
        PartyList::OfUser.next(&base, (limit, &link.party))
    });
    Ok((next.unwrap_or_default(), Json(found)))
}
