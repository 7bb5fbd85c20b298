//! A line of the list of a job as the enrolment that it stands for.

use quoin_delivery::jobs::{JobKind, LineForm};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{JobLine, PartyChange, Publish, Secret};
use serde_json::{Map, Value};

use crate::config::EndUserVerification;
use crate::http::{Problem, codes};

use super::super::party::participant;
use super::super::peppol::config::{Asker, change_of};
use super::super::peppol::enrol::{AuthorizationRequest, declared};
use super::super::peppol::request::ConfigRequest;
use super::request::JobSettings;

/// The member of a line that names linked users.
const LINKS: &str = "partyAuthorizations";
/// Users of one line at most.
const MOST_LINKS: usize = 100;

/// The enrolment of a line: its own members, and for the rest those that hold for all.
///
/// # Errors
/// The problem that the same enrolment by itself would have.
pub(crate) async fn enrolment(
    asker: &Asker<'_>,
    kind: JobKind,
    settings: &JobSettings,
    line: &JobLine,
    verification: EndUserVerification,
) -> Result<PartyChange, Problem> {
    let id: ParticipantId = participant(&line.participant)?;
    let mut members: Map<String, Value> = match &line.line {
        Some(line) => serde_json::from_str(line.reveal()).map_err(Problem::fault)?,
        None => Map::new(),
    };
    for (name, value) in &settings.common {
        members.entry(name.clone()).or_insert_with(|| value.clone());
    }
    let links = links(members.remove(LINKS))?;
    let config = ConfigRequest::of(members)?;
    let key: Option<Secret> = config.migration_key()?;
    if kind.row().line == LineForm::PartyWithKey && key.is_none() {
        let detail = "the line has no migration.key, which its present provider gives";
        return Err(Problem::new(&codes::BAD_CONFIG, detail));
    }
    let mut change = change_of(asker, &id, &config).await?;
    change.links = links.iter().map(|l| l.permissions.of(&l.user_id, &change.id)).collect();
    if change.verification.is_none() && verification == EndUserVerification::Declared {
        change.verification = declared(asker, &change).await?;
    }
    change.publish = Publish::Demanded;
    Ok(change)
}

fn links(member: Option<Value>) -> Result<Vec<AuthorizationRequest>, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_CONFIG, detail);
    let Some(value) = member else { return Ok(Vec::new()) };
    let links: Vec<AuthorizationRequest> =
        serde_json::from_value(value).map_err(|error| bad(format!("{LINKS}: {error}")))?;
    match links.len() {
        0..=MOST_LINKS => Ok(links),
        many => Err(bad(format!("{LINKS} has at most {MOST_LINKS} users, found {many}"))),
    }
}
