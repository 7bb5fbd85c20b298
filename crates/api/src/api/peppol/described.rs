//! The body that changes the configuration of an organisation, for the description of the
//! interface: it is read as that of a party, and refused where it has what only a party has.

use quoin_access_point::enrolment::{CapabilityStates, CardText};
use serde::Deserialize;
use utoipa::ToSchema;

/// What parties of an organisation inherit, as it is written; what is left out stays as it is.
#[derive(ToSchema)]
#[schema(as = PeppolOrganisationRequest, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes a body")]
pub(super) struct OrganisationRequest {
    /// States by capability. Capabilities may also stand beside this member.
    capabilities: Option<CapabilityStates>,
    /// What the business cards of parties inherit; null takes it away.
    business_card: Option<OrganisationCardRequest>,
}

/// The part of a business card that an organisation has.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes a body")]
struct OrganisationCardRequest {
    /// Mail address of the technical contact.
    email_address: Option<CardText>,
    /// The same as `emailAddress`.
    email: Option<CardText>,
}
