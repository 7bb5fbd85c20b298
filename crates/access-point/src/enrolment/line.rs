//! A line of the list of a job as the enrolment that it stands for.

use std::collections::BTreeMap;

use quoin_delivery::capabilities::States;
use quoin_delivery::jobs::{JobKind, LineForm};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{JobLine, PartyChange, Permission, Publish, Secret};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
#[cfg(feature = "describe")]
use utoipa::ToSchema;

use crate::config::EndUserVerification;
use crate::reading::{json_value, told};

use super::request::is_known;
use super::{ChangeRequester, ConfigRequest, EnrolmentError, PartyPermissions};
use super::{change_of, declared, null_is_default, participant};

/// The member of a line that names linked users.
const LINKS: &str = "partyAuthorizations";
/// The member of which `null` says something: the card is taken away.
pub(super) const CARD: &str = "businessCard";
/// Users of one line at most.
const MOST_LINKS: usize = 100;

/// A user that is linked to the party.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AuthorizationRequest {
    /// The name of a user, or a client id.
    #[cfg_attr(feature = "describe", schema(example = "alice@example.org"))]
    pub user_id: String,
    /// What it may do for the party; what is not named is not allowed.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(feature = "describe", schema(nullable))]
    pub permissions: PartyPermissions,
}

/// What holds for all parties of a job, as it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct JobSettings {
    /// Members of every line.
    pub common: Map<String, Value>,
    /// States to set.
    pub capabilities: States,
    /// The endpoint to publish.
    pub endpoint: Option<String>,
    /// Whether the preview asks the network.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask_network: bool,
}

impl JobSettings {
    /// Reads what was kept.
    ///
    /// # Errors
    /// A fault of ours.
    pub fn of(kept: &str) -> Result<JobSettings, EnrolmentError> {
        serde_json::from_str(kept).map_err(fault)
    }
}

fn fault(cause: impl std::fmt::Display) -> EnrolmentError {
    EnrolmentError::Fault(cause.to_string())
}

/// The enrolment of a line: its own members, and for the rest those that hold for all.
///
/// # Errors
/// The problem that the same enrolment by itself would have.
pub async fn of_line(
    asker: &ChangeRequester<'_>,
    kind: JobKind,
    settings: &JobSettings,
    line: &JobLine,
    verification: EndUserVerification,
) -> Result<PartyChange, EnrolmentError> {
    let id: ParticipantId = participant(&line.participant)?;
    let mut members: Map<String, Value> = match &line.line {
        Some(line) => serde_json::from_str(line.reveal()).map_err(fault)?,
        None => Map::new(),
    };
    members.keys().filter(|name| *name != LINKS).try_for_each(|name| is_known(name))?;
    members.retain(|name, value| !value.is_null() || name == CARD);
    for (name, value) in &settings.common {
        members.entry(name.clone()).or_insert_with(|| value.clone());
    }
    let links = links(members.remove(LINKS))?;
    let config = ConfigRequest::of(members)?;
    let key: Option<Secret> = config.migration_key()?;
    if kind.row().line == LineForm::PartyWithKey && key.is_none() {
        let detail = "the line has no migration.key, which its present provider gives";
        return Err(EnrolmentError::Config(detail.to_owned()));
    }
    let mut change = change_of(asker, &id, &config).await?;
    change.links = permissions_of(&links, &change.id)?;
    if change.verification.is_none() && verification == EndUserVerification::Declared {
        change.verification = declared(asker, &change).await?;
    }
    change.publish = Publish::Demanded;
    Ok(change)
}

/// What users may do for a party.
///
/// # Errors
/// API400.Config where a user is named twice, with different permissions.
pub fn permissions_of(
    links: &[AuthorizationRequest],
    party: &str,
) -> Result<Vec<Permission>, EnrolmentError> {
    let mut found: BTreeMap<&str, Permission> = BTreeMap::new();
    for link in links {
        let own = link.permissions.of(&link.user_id, party);
        if found.insert(&link.user_id, own.clone()).is_some_and(|before| before != own) {
            let name = &link.user_id;
            let detail = format!("{LINKS}: {name:?} is named twice, with different permissions");
            return Err(EnrolmentError::Config(detail));
        }
    }
    Ok(found.into_values().collect())
}

fn links(member: Option<Value>) -> Result<Vec<AuthorizationRequest>, EnrolmentError> {
    let bad = EnrolmentError::Config;
    let Some(value) = member.filter(|value| !value.is_null()) else { return Ok(Vec::new()) };
    let links: Vec<AuthorizationRequest> =
        json_value(value).map_err(|error| bad(told(LINKS, &error)))?;
    match links.len() {
        0..=MOST_LINKS => Ok(links),
        many => Err(bad(format!("{LINKS} has at most {MOST_LINKS} users, found {many}"))),
    }
}
