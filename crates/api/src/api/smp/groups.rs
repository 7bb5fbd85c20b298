//! Service groups: registered, listed, shown whole, removed, and the log of what was done.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_peppol::codelists::CAPABILITIES;
#[cfg(test)]
use quoin_peppol::identifiers;
use quoin_peppol::smp;
use quoin_store::{Permission, Publish};
use serde::{Deserialize, Serialize};
use serde_json::Map;
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use super::bodies::{read, refused, same};
use super::{LocalSmp, Managed, xml};
#[cfg(test)]
use super::{ParticipantPath, examples};
use crate::api::bool_param::optional;
#[cfg(test)]
use crate::api::paths::PartyId;
use crate::api::peppol::config::change;
use crate::api::rights::managed as manages;
use crate::api::{Api, paging};
use crate::http::Problem;
use crate::http::connect::SignedIn;
use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{
    Called, HeldRecord, Managing, OfRecord, OfUser, Published, Queried, RecordBody,
};
use quoin_access_point::config::EndUserVerification;
use quoin_access_point::enrolment::ChangeRequester;
use quoin_access_point::enrolment::ConfigRequest;
use quoin_access_point::enrolment::declared;

/// Groups of one list, and lines of one log, at most.
const MOST: u32 = 1_000;

/// Which part of the list.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct GroupListQuery {
    /// Groups of participants after this one, as the last of a list that was full.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    after: Option<String>,
    /// How many, 1000 at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000, example = 100))]
    limit: Option<usize>,
}

/// Lists the service groups of the organisation, in the order of their participants.
#[cfg_attr(test, utoipa::path(
    get, path = "/smp/list", tag = "smp", params(GroupListQuery),
    responses(
        (status = 200, description = "References, as XML.", body = String,
            content_type = "text/xml", example = json!(examples::list())),
        Called,
        Managing,
        Queried,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn list(
    State(api): State<Api>,
    SignedIn(caller): SignedIn,
    desk: LocalSmp,
    Query(query): Query<GroupListQuery>,
) -> Result<Response, Problem> {
    let owner = manages(&caller)?;
    let limit = paging::within(query.limit, (MOST as usize, MOST as usize))? as u32;
    let after = query.after.as_deref().map(crate::api::rights::participant).transpose()?;
    let after = after.map_or_else(String::new, |id| id.folded());
    let groups = api.store.service_groups_after(&owner, &after, limit).await?;
    let ids: Vec<_> = groups.iter().filter_map(|group| group.participant.parse().ok()).collect();
    Ok(xml(smp::group_list(desk.publisher()?.base(), &ids)))
}

/// Shows a service group of the organisation.
#[cfg_attr(test, utoipa::path(
    get, path = "/smp/{partyId}", tag = "smp", params(ParticipantPath),
    responses(
        (status = 200, description = "The service group, as XML.", body = String,
            content_type = "text/xml", example = json!(examples::group())),
        Called,
        Managing,
        OfRecord,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn group(
    State(api): State<Api>,
    managed: Managed,
    desk: LocalSmp,
) -> Result<Response, Problem> {
    let publication = managed.publication(&api).await?;
    let publisher = desk.publisher()?;
    let records = publisher.records(&publication);
    let types: Vec<_> = records.into_iter().map(|(id, _)| id).collect();
    Ok(xml(smp::service_group(publisher.base(), &managed.id, &types)))
}

/// Shows a service group with the records of all its document types, unsigned.
#[cfg_attr(test, utoipa::path(
    get, path = "/smp/complete/{partyId}", tag = "smp", params(ParticipantPath),
    responses(
        (status = 200, description = "The whole group, as XML.", body = String,
            content_type = "text/xml", example = json!(examples::complete())),
        Called,
        Managing,
        OfRecord,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn complete(
    State(api): State<Api>,
    managed: Managed,
    desk: LocalSmp,
) -> Result<Response, Problem> {
    let publication = managed.publication(&api).await?;
    let publisher = desk.publisher()?;
    let records = publisher.records(&publication);
    let text = smp::complete_group(publisher.base(), &managed.id, &records);
    Ok(xml(text.map_err(Problem::fault)?))
}

/// How a group is registered or removed.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct PutQuery {
    /// Whether its name in the SML follows; left out for yes.
    #[serde(default, rename = "create-in-sml", deserialize_with = "optional")]
    #[cfg_attr(test, param(rename = "create-in-sml"))]
    create_in_sml: Option<bool>,
    /// A user of role ApUser to link to the party, where none is yet; without it the one that the
    /// configuration names for the client (`smp_user`).
    #[cfg_attr(test, param(example = "alice@example.org"))]
    user: Option<String>,
}

/// Registers a participant at the SMP and in the SML. A party that was not published before, and
/// for which nobody set capabilities, has none: it receives what is registered for it document type
/// by document type. Doing it twice changes nothing.
#[cfg_attr(test, utoipa::path(
    put, path = "/smp/{partyId}", tag = "smp", params(ParticipantPath, PutQuery),
    request_body(content = String, content_type = "text/xml", description = "A service group; its \
        references are not looked at.", example = json!(format!("<smp:ServiceGroup xmlns:smp=\"{}\" \
        xmlns:ids=\"{}\"><ids:ParticipantIdentifier scheme=\"iso6523-actorid-upis\">0106:12345678\
        </ids:ParticipantIdentifier><smp:ServiceMetadataReferenceCollection/></smp:ServiceGroup>",
        smp::NAMESPACE, identifiers::IDENTIFIERS_NAMESPACE))),
    responses(
        (status = 200, description = "It is registered."),
        Called,
        Managing,
        RecordBody,
        Queried,
        Published,
        OfUser,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn put_group(
    State(api): State<Api>,
    managed: Managed,
    Query(query): Query<PutQuery>,
    request: Request,
) -> Result<StatusCode, Problem> {
    let body = read(&api, request).await?;
    same(&smp::submitted_group(&body).map_err(refused)?, &managed.id)?;
    let nothing_set = ConfigRequest::of(Map::new())?;
    let mut change = change(&api, &managed.caller, &managed.id, &nothing_set).await?;
    let known = api.store.profile_of(&managed.owner, &managed.id.folded()).await?;
    if known.is_none_or(|party| !party.config.enrolled && party.config.capabilities.is_empty()) {
        let off = |row: &quoin_peppol::codelists::Capability| {
            (row.name.to_owned(), CapabilitySetting::Off)
        };
        change.capabilities = CAPABILITIES.iter().map(off).collect::<States>();
    }
    // Who is linked already needs nobody else.
    let linked = api.store.has_linked_user(&managed.owner, &change.id).await?;
    let default = api.settings.smp_users.get(&managed.caller.client).filter(|_| !linked);
    if let Some(user) = query.user.as_ref().or(default) {
        change.links.push(Permission::all(user, &change.id));
    }
    if api.settings.verification == EndUserVerification::Declared {
        let (store, account, now) = (&api.store, managed.caller.client.as_str(), managed.now);
        let asker = ChangeRequester { store, organisation: &managed.owner, account, now };
        change.verification = declared(&asker, &change).await?;
    }
    let in_sml = query.create_in_sml.unwrap_or(true);
    change.publish = if in_sml { Publish::Demanded } else { Publish::Here };
    api.store.put_group(change, managed.note("put group", "")).await?;
    Ok(StatusCode::OK)
}

/// How a group is removed.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveQuery {
    /// Whether its name in the SML goes too; left out for yes.
    #[serde(default, rename = "delete-in-sml", deserialize_with = "optional")]
    #[cfg_attr(test, param(rename = "delete-in-sml"))]
    delete_in_sml: Option<bool>,
}

/// Removes a participant with its records and business card, at the SMP, in the Directory and in
/// the SML. Its documents stay.
#[cfg_attr(test, utoipa::path(
    delete, path = "/smp/{partyId}", tag = "smp", params(ParticipantPath, RemoveQuery),
    responses(
        (status = 200, description = "It is removed."),
        Called,
        Managing,
        OfRecord,
        Queried,
        HeldRecord,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn remove_group(
    State(api): State<Api>,
    managed: Managed,
    Query(query): Query<RemoveQuery>,
) -> Result<StatusCode, Problem> {
    let in_sml = query.delete_in_sml.unwrap_or(true);
    api.store.remove_group(managed.note("delete group", ""), in_sml).await?;
    Ok(StatusCode::OK)
}

/// A line of the log.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangeView {
    /// What was done.
    #[cfg_attr(test, schema(example = "put metadata"))]
    action: String,
    /// To which document type, where it is about one.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::BILLING)))]
    subject: String,
    /// Who did it.
    #[cfg_attr(test, schema(example = "smp-tool"))]
    account: String,
    /// When.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_on: Timestamp,
}

/// Shows who changed what of a participant, the newest change first; what has ended is told too.
#[cfg_attr(test, utoipa::path(
    get, path = "/smp/{partyId}/changes", tag = "smp", params(ParticipantPath),
    responses(
        (status = 200, description = "The log.", body = [ChangeView]),
        Called,
        Managing,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn changes(
    State(api): State<Api>,
    managed: Managed,
) -> Result<Json<Vec<ChangeView>>, Problem> {
    let key = managed.id.folded();
    let lines = api.store.publication_changes(&managed.owner, &key, MOST).await?;
    let view = |line: quoin_store::PublicationChange| ChangeView {
        action: line.action,
        subject: line.subject,
        account: line.account,
        created_on: line.created_on,
    };
    Ok(Json(lines.into_iter().map(view).collect()))
}
