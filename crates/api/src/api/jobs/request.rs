//! The body that asks for a job, and what of it is kept.

use jiff::Timestamp;
use quoin_delivery::capabilities::{States, named, unknown};
use quoin_delivery::jobs::{JOB_KINDS, JobKind, LineForm};
use quoin_delivery::{DocumentId, OrganisationId};
use quoin_model::text::quoted;
use quoin_store::{Secret, jobs::NewJob};
use quoin_xmldsig::keys::sha256;
use serde::Deserialize;
use serde_json::{Map, Value};
#[cfg(test)]
use utoipa::ToSchema;
use uuid::Uuid;

#[cfg(test)]
use quoin_access_point::enrolment::CapabilityStates;
use quoin_access_point::enrolment::{JobSettings, capability_state, null_is_default};

use crate::http::sentences::ProblemDetail;
use crate::http::{Problem, codes};

#[cfg(test)]
use super::super::code_names::JobKindName;
#[cfg(test)]
use super::super::paths::DocumentIdText;
use super::super::rights::participant;

/// Parties of one job at most.
const MOST: usize = 200_000;
/// Members of a line that say what it is about.
const ID: &str = "id";

/// A bulk job.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct JobRequest {
    /// An id of the caller's choice, so that a repeat after a lost answer is the same job; a new
    /// one where it is left out.
    #[cfg_attr(test, schema(value_type = Option<DocumentIdText>,
        example = "0197f3a0-5b1e-7c4a-9a53-0a6c1b2d3e4f"))]
    pub id: Option<String>,
    /// `enrol` enrols the parties of the list; `migrateIn` the same with a key for each;
    /// `migrateOut` lets parties go to another SMP; `withdraw` ends the enrolment of the parties of
    /// the list; `capabilities` sets `capabilities`; `endpoint` and `certificate` publish the
    /// configured endpoint `endpoint`.
    #[cfg_attr(test, schema(value_type = JobKindName, example = "enrol"))]
    pub kind: String,
    /// Whether the preview also asks DNS and, where a name leads to another SMP, that SMP. It takes
    /// longer; parties for which the change cannot succeed are then `refused` with the code `sml`.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable))]
    pub ask_network: bool,
    /// Whether it is carried out as soon as it is planned.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable))]
    pub start: bool,
    /// The parties: identifiers, or objects with `id` and, for `enrol` and `migrateIn`, the members
    /// of a party configuration and `partyAuthorizations`. Left out, all parties that are
    /// published.
    #[cfg_attr(test, schema(value_type = Option<Vec<JobRequestLine>>))]
    pub parties: Option<Vec<Value>>,
    /// Members that hold for every line that does not have them itself.
    #[cfg_attr(test, schema(
        value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>
    ))]
    pub common: Option<Map<String, Value>>,
    /// For `capabilities`: the states to set, `on`, `off` or `inherited`.
    #[cfg_attr(test, schema(value_type = Option<CapabilityStates>))]
    pub capabilities: Option<Map<String, Value>>,
    /// For `endpoint` and `certificate`: a name of the configuration of the service, or `own` for
    /// that of the access point itself.
    #[cfg_attr(test, schema(example = "spring-2027"))]
    pub endpoint: Option<String>,
}

/// A line of the list, for the description of the interface: the lines are read one by one, so that
/// what is wrong with one names it.
#[cfg(test)]
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = JobLine, example = json!("0106:12345678"))]
#[expect(dead_code, reason = "describes a line of the list")]
pub(super) enum JobRequestLine {
    /// An identifier alone.
    Id(String),
    /// An identifier with what is known of the party.
    Party(Map<String, Value>),
}

fn bad(detail: impl Into<ProblemDetail>) -> Problem {
    Problem::new(&codes::BAD_JOB, detail)
}

impl JobRequest {
    /// The job that is to be recorded.
    ///
    /// # Errors
    /// API400.Job names what is wrong.
    pub(super) fn read(
        self,
        owner: &OrganisationId,
        account: &str,
        now: Timestamp,
    ) -> Result<NewJob, Problem> {
        let kind = JobKind::named(&self.kind).ok_or_else(|| {
            let known: Vec<&str> = JOB_KINDS.iter().map(|row| row.word).collect();
            bad(format!("kind is {}, expected one of {}", quoted(&self.kind, 64), known.join(", ")))
        })?;
        let lines = lines(kind, self.parties)?;
        let common = self.common.unwrap_or_default();
        let capabilities = self.capabilities.unwrap_or_default();
        let mut settings = settings(kind, common, &capabilities, self.endpoint)?;
        settings.ask_network = self.ask_network;
        let settings = serde_json::to_string(&settings).map_err(Problem::fault)?;
        let id = match &self.id {
            None => Uuid::now_v7().to_string(),
            Some(text) => {
                let id = text.parse::<DocumentId>();
                id.map_err(|error| bad(format!("id: {error}")))?.to_string()
            }
        };
        let digest = digest(kind, &settings, lines.as_deref(), self.start);
        Ok(NewJob {
            id,
            organisation: owner.clone(),
            kind,
            settings,
            lines,
            digest,
            starts: self.start,
            created_by: account.to_owned(),
            now,
        })
    }
}

fn settings(
    kind: JobKind,
    common: Map<String, Value>,
    capabilities: &Map<String, Value>,
    endpoint: Option<String>,
) -> Result<JobSettings, Problem> {
    let word = kind.as_str();
    let mut states = States::new();
    for (name, value) in capabilities {
        let row = named(name).ok_or_else(|| bad(unknown(name, &[])))?;
        let state =
            capability_state(value).map_err(|error| bad(format!("capability {name}: {error}")))?;
        states.extend(state.map(|state| (row.name.to_owned(), state)));
    }
    let moves = matches!(kind, JobKind::Endpoint | JobKind::Certificate);
    match (kind == JobKind::Capabilities, states.is_empty()) {
        (true, true) => {
            return Err(bad("a job of kind capabilities needs capabilities, found none"));
        }
        (false, false) => {
            let what = "capabilities belong to the kind capabilities";
            return Err(bad(format!("{what}; this is {word}")));
        }
        _ => {}
    }
    match (moves, endpoint.is_some()) {
        (true, false) => {
            return Err(bad(format!("a job of kind {word} needs endpoint, found none")));
        }
        (false, true) => {
            let what = "endpoint belongs to the kinds endpoint and certificate";
            return Err(bad(format!("{what}; this is {word}")));
        }
        _ => {}
    }
    let bare = kind.row().line == LineForm::Identifier;
    if bare && !common.is_empty() {
        return Err(bad(format!("common belongs to enrol and migrateIn; this is {word}")));
    }
    if common.contains_key(ID) || common.contains_key("migration") {
        return Err(bad("common holds for all parties, so it has neither id nor migration"));
    }
    Ok(JobSettings { common, capabilities: states, endpoint, ask_network: false })
}

/// The list: each participant in its canonical form with its line as it was written.
fn lines(
    kind: JobKind,
    parties: Option<Vec<Value>>,
) -> Result<Option<Vec<(String, Secret)>>, Problem> {
    let Some(parties) = parties else {
        return match kind.row().needs_list {
            true => Err(bad(format!("a job of kind {} needs parties", kind.as_str()))),
            false => Ok(None),
        };
    };
    if parties.is_empty() || parties.len() > MOST {
        return Err(bad(format!("parties has 1 to {MOST} lines, found {}", parties.len())));
    }
    let mut lines = Vec::with_capacity(parties.len());
    for (number, line) in parties.into_iter().enumerate() {
        let mut members = match line {
            Value::Object(members) => members,
            id => Map::from_iter([(ID.to_owned(), id)]),
        };
        let at = |what: String| bad(format!("parties, line {number} (from 0): {what}"));
        let Some(Value::String(id)) = members.remove(ID) else {
            return Err(at("expected an identifier, or an object with the member id".to_owned()));
        };
        let id = participant(&id).map_err(|problem| at(problem.detail.to_string()))?;
        if kind.row().line == LineForm::Identifier && !members.is_empty() {
            return Err(at(format!("a line of kind {} is an identifier only", kind.as_str())));
        }
        let line = serde_json::to_string(&members).map_err(Problem::fault)?;
        lines.push((id.folded(), Secret::new(line)));
    }
    Ok(Some(lines))
}

fn digest(
    kind: JobKind,
    settings: &str,
    lines: Option<&[(String, Secret)]>,
    start: bool,
) -> [u8; 32] {
    let mut text = format!("{}\0{settings}\0{start}", kind.as_str());
    for (id, line) in lines.into_iter().flatten() {
        text.push('\0');
        text.push_str(id);
        text.push('\0');
        text.push_str(line.reveal());
    }
    sha256(text.as_bytes())
}
