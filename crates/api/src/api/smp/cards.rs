//! Business cards in the form of the Directory: registered, shown, removed, announced.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use quoin_peppol::countries;
use quoin_peppol::smp::{self, BusinessEntity};
use quoin_store::{CardRecord, Publish};
use serde_json::Map;

use super::bodies::{bad, read, refused, same};
use super::{LocalSmp, Managed, xml};
#[cfg(test)]
use super::{ParticipantPath, examples};
use crate::api::Api;
use crate::api::peppol::config::change;
use crate::http::Problem;
#[cfg(test)]
use crate::http::refusals::{Called, Managing, OfRecord, Published, RecordBody};
use quoin_access_point::enrolment::ConfigRequest;

/// Shows the business card of a participant, as the Directory fetches it.
#[cfg_attr(test, utoipa::path(
    get, path = "/smp/businesscard/{partyId}", tag = "smp", params(ParticipantPath),
    responses(
        (status = 200, description = "The card, as XML of version 3.", body = String,
            content_type = "text/xml", example = json!(examples::card())),
        Called,
        Managing,
        OfRecord,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn card(
    State(api): State<Api>,
    managed: Managed,
    desk: LocalSmp,
) -> Result<Response, Problem> {
    managed.publication(&api).await?;
    let found = desk.publisher()?.business_card(&managed.id.folded()).await?;
    let card = found.ok_or_else(|| managed.nothing("business card"))?;
    Ok(xml(smp::business_card(&card)))
}

/// Registers the business card of a participant, in place of the one it had, and announces it to
/// the Directory.
#[cfg_attr(test, utoipa::path(
    put, path = "/smp/businesscard/{partyId}", tag = "smp", params(ParticipantPath),
    request_body(content = String, content_type = "text/xml", description = "A business card of \
        version 1, 2 or 3.", example = json!(examples::card())),
    responses(
        (status = 200, description = "It is registered."),
        Called,
        Managing,
        OfRecord,
        RecordBody,
        Published,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn put_card(
    State(api): State<Api>,
    managed: Managed,
    request: Request,
) -> Result<StatusCode, Problem> {
    let body = read(&api, request).await?;
    let submitted = smp::read_business_card(&body).map_err(refused)?;
    same(&submitted.participant, &managed.id)?;
    let Some(first) = submitted.entities.first() else {
        return Err(bad("BusinessEntity is missing; to show nothing, delete the card"));
    };
    let nowhere = |entity: &&BusinessEntity| countries::registered(&entity.country).is_none();
    if let Some(BusinessEntity { country, .. }) = submitted.entities.iter().find(nowhere) {
        return Err(bad(format!(
            "BusinessEntity/CountryCode: expected a country of ISO 3166-1, found {country}"
        )));
    }
    let card = recorded(first, smp::business_card(&submitted));
    set(&api, &managed, Some(card), "put card").await
}

/// Removes the business card of a participant, from the Directory too.
#[cfg_attr(test, utoipa::path(
    delete, path = "/smp/businesscard/{partyId}", tag = "smp", params(ParticipantPath),
    responses(
        (status = 200, description = "It is removed."),
        Called,
        Managing,
        OfRecord,
        Published,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn remove_card(
    State(api): State<Api>,
    managed: Managed,
) -> Result<StatusCode, Problem> {
    set(&api, &managed, None, "delete card").await
}

/// Asks the Directory to fetch the business card again.
#[cfg_attr(test, utoipa::path(
    post, path = "/smp/businesscard/{partyId}/push", tag = "smp", params(ParticipantPath),
    responses(
        (status = 200, description = "It will be announced."),
        Called,
        Managing,
        OfRecord,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn push(State(api): State<Api>, managed: Managed) -> Result<StatusCode, Problem> {
    api.store.push_card(managed.note("push card", "")).await?;
    Ok(StatusCode::OK)
}

async fn set(
    api: &Api,
    managed: &Managed,
    card: Option<CardRecord>,
    action: &'static str,
) -> Result<StatusCode, Problem> {
    managed.publication(api).await?;
    let known = api.store.profile_of(&managed.owner, &managed.id.folded()).await?;
    if card.is_none() && known.is_none_or(|known| known.config.card.is_none()) {
        return Err(managed.nothing("business card"));
    }
    let mut change =
        change(api, &managed.caller, &managed.id, &ConfigRequest::of(Map::new())?).await?;
    (change.card, change.publish) = (Some(card), Publish::Unchanged);
    api.store.put_group(change, managed.note(action, "")).await?;
    Ok(StatusCode::OK)
}

/// The card as the interface for customers shows it, with the whole of it beside.
fn recorded(first: &BusinessEntity, whole: String) -> CardRecord {
    let place = first.geographical_information.as_deref().unwrap_or_default();
    let parts = place.split(',').map(str::trim).filter(|part| !part.is_empty());
    CardRecord {
        names: first.names.iter().map(|name| name.text.clone()).collect(),
        country: first.country.clone(),
        address: parts.filter(|part| *part != first.country).map(str::to_owned).collect(),
        email: first.contacts.iter().find_map(|contact| contact.email.clone()),
        shown: [true; 3],
        published: true,
        submitted: Some(whole),
    }
}
