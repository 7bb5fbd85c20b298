//! A hook as it is registered, as it is shown, and what becomes of its secrets when it changes.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use jiff::Timestamp;
use quoin_delivery::filter::Filter;
use quoin_delivery::ids::PEPPOL;
use quoin_delivery::{HookId, OrganisationId, Output, TopicPattern};
use quoin_model::text::quoted;
use quoin_store::{Hook, HookScope, Secret};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
#[cfg(test)]
use utoipa::ToSchema;

use super::HookOwner;
use crate::api::Api;
#[cfg(test)]
use crate::api::paths::HookIdText;
use crate::http::{Problem, codes, names};
use quoin_access_point::hooks::{
    HookAction, check_id, check_topics, has_secret, init_after, previous_until, secrets_after,
    shown_init,
};
use quoin_access_point::ksef::{INIT_FIELDS, InitError};

/// Characters of a name at most, as of users and clients.
const NAME: usize = 128;

/// A hook as it is registered. What only the service sets (`hasSecret`, `createdOn` and the
/// like) may be given as it was read and is ignored; a `partyId` has to be that of the path.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({
    "id": "erp", "name": "Events to the ERP",
    "action": "https://erp.example.org/events#a-long-random-secret", "topics": ["Invoice*"]
})))]
pub struct HookRequest {
    /// Its id; one is made where there is none. An existing id is changed.
    #[cfg_attr(test, schema(value_type = Option<HookIdText>, example = "erp"))]
    pub id: Option<HookId>,
    /// Display name, at most 128 characters.
    #[serde(default)]
    #[cfg_attr(test, schema(example = "Events to the ERP"))]
    pub name: Option<String>,
    /// An https address, with the secret that signs the calls behind `#` (left out, one that is
    /// there stays, for calls to the same host), on `Send…` topics a channel; `mailto:` with its
    /// parameters; `sftp://user@host/folder` with its parameters, and the password or the private
    /// key behind `#`; `sftpfrom://` in the same form, for a folder that is looked at for documents
    /// to send; `mailfrom://user@host/folder?from=…` for a mailbox out of which they are taken,
    /// with its password behind `#`; `cxml://` and `tradingnetwork://` for procurement networks,
    /// {others}, each with its shared secret behind `#`; `peppol`; or
    /// `batch://zip?period=00:15:00&maxBatchSize=100`.
    #[cfg_attr(test, schema(example = "https://erp.example.org/events#a-long-random-secret"))]
    pub action: String,
    /// What it listens to; `*` stands for anything.
    #[serde(deserialize_with = "each_once")]
    #[cfg_attr(test, schema(value_type = Vec<String>, min_items = 1, max_items = 64,
        example = json!(["Invoice*"])))]
    pub topics: Vec<TopicPattern>,
    /// Topics published when its own processing ends with a status code.
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<Vec<OutputRow>>,
        example = json!([{"when": "200", "topic": "InvoiceCleared"}])))]
    pub output: Option<Vec<Output>>,
    /// Topics that it may publish besides.
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<Vec<String>>, example = json!(["InvoiceCleared"])))]
    pub publish_topics: Option<Vec<TopicPattern>>,
    /// Condition on the details of an event: comparisons by `==` and `!=` with texts in double
    /// quotes, joined by `&&` and `||`. The names are those of `details` in events, in any case, or
    /// `topic`, `partyId` and `documentId`; participants and document types are compared as such. A
    /// name that no event has, and a value that a field never has, are refused.
    #[cfg_attr(test, schema(example = "sender == \"0106:12345678\""))]
    pub filter: Option<String>,
    /// Configuration of its own: what an https hook shows to its server, and how documents stand in
    /// the body of its calls. Secrets in it are kept sealed and shown as `***`, which keeps the one
    /// on record when it is put again.
    #[serde(default)]
    #[cfg_attr(test, schema(
        value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>,
        example = json!({})
    ))]
    pub init: Value,
    /// Whether it is called.
    #[serde(default = "yes", deserialize_with = "yes_unless_said")]
    #[cfg_attr(test, schema(nullable))]
    pub is_active: bool,
    /// As it was read; another party than that of the path is refused.
    #[cfg_attr(test, schema(ignore))]
    pub party_id: Option<Value>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub has_secret: Option<Value>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub created_on: Option<Value>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub changed_on: Option<Value>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub failing_since: Option<Value>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub previous_secret_until: Option<Value>,
}

/// A topic that is published when the hook's own processing ends with a status code, for the
/// description of the interface.
#[cfg(test)]
#[cfg_attr(test, derive(ToSchema))]
#[expect(dead_code, reason = "describes a row of the output")]
struct OutputRow {
    /// A status code, a class of them as in `5xx`, or `*`.
    #[cfg_attr(test, schema(example = "200", pattern = "^([1-5][0-9]{2}|[1-5]xx|[*])$"))]
    when: String,
    /// The topic.
    #[cfg_attr(test, schema(example = "InvoiceCleared"))]
    topic: String,
}

/// Topics, each once.
fn each_once<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<TopicPattern>, D::Error> {
    let mut topics: Vec<TopicPattern> = Vec::deserialize(from)?;
    let mut seen = std::collections::BTreeSet::new();
    topics.retain(|topic| seen.insert(topic.as_str().to_owned()));
    Ok(topics)
}

fn yes() -> bool {
    true
}

fn yes_unless_said<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_else(yes))
}

/// A hook as it is shown; its secret never is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookView {
    /// Its id.
    #[cfg_attr(test, schema(example = "erp"))]
    pub id: String,
    /// The party; absent for a hook of the environment.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub party_id: Option<String>,
    /// Display name, at most 128 characters.
    #[cfg_attr(test, schema(example = "Events to the ERP"))]
    pub name: String,
    /// The destination, without its secret.
    #[cfg_attr(test, schema(example = "https://erp.example.org/events"))]
    pub action: String,
    /// Whether it has a secret: calls are signed with it, or it logs in.
    pub has_secret: bool,
    /// What it listens to.
    #[cfg_attr(test, schema(value_type = Vec<String>, example = json!(["Invoice*"])))]
    pub topics: Vec<TopicPattern>,
    /// Topics published when its own processing ends with a status code.
    #[cfg_attr(test, schema(value_type = Vec<OutputRow>, example = json!([])))]
    pub output: Vec<Output>,
    /// Topics that it may publish besides.
    #[cfg_attr(test, schema(value_type = Vec<String>, example = json!([])))]
    pub publish_topics: Vec<TopicPattern>,
    /// Condition on the details of an event.
    #[cfg_attr(test, schema(example = json!(null)))]
    pub filter: Option<String>,
    /// Configuration of its own, with `***` in place of its secrets.
    #[cfg_attr(test, schema(
        value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>,
        example = json!({})
    ))]
    pub init: Value,
    /// Whether it is called.
    pub is_active: bool,
    /// When it was registered.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
    /// When it last changed.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub changed_on: Timestamp,
    /// Since when its calls fail, if the last one did.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    pub failing_since: Option<Timestamp>,
    /// Until when the secret before the newest one signs along.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    pub previous_secret_until: Option<Timestamp>,
}

impl HookView {
    /// What is shown at a time of a hook, with the identifier by which its party is known, where it
    /// is one's.
    pub fn of(hook: Hook, party: Option<String>, now: Timestamp) -> HookView {
        HookView {
            previous_secret_until: previous_until(&hook, now),
            has_secret: has_secret(&hook),
            init: shown_init(&hook),
            id: hook.id.as_str().to_owned(),
            party_id: party,
            name: hook.name,
            action: hook.action,
            topics: hook.topics,
            output: hook.output,
            publish_topics: hook.publish_topics,
            filter: hook.filter.map(|filter| filter.as_str().to_owned()),
            is_active: hook.is_active,
            created_on: hook.created_on,
            changed_on: hook.changed_on,
            failing_since: hook.failing_since,
        }
    }
}

/// The hook of the network, which every environment has.
pub(super) fn peppol(owner: OrganisationId) -> Hook {
    Hook {
        organisation: owner,
        id: HookId::peppol(),
        key: HookId::peppol(),
        scope: HookScope::Environment,
        name: "Peppol".to_owned(),
        action: PEPPOL.to_owned(),
        secrets: Vec::new(),
        topics: "Send*".parse().into_iter().collect(),
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: Value::Null,
        sealed: BTreeMap::new(),
        is_active: true,
        created_on: Timestamp::UNIX_EPOCH,
        changed_on: Timestamp::UNIX_EPOCH,
        rotated_on: None,
        failing_since: None,
    }
}

fn bad(detail: impl Into<String>) -> Problem {
    Problem::new(&codes::BAD_HOOK, detail.into())
}

/// The hook that a request asks for, in place of the one before.
pub(in crate::api) fn hook(
    api: &Api,
    place: HookOwner,
    id: HookId,
    mut request: HookRequest,
    before: Option<Hook>,
    given: Option<Secret>,
) -> Result<Hook, Problem> {
    let action = HookAction::parse(&request.action, &api.settings.hook_guard)
        .map_err(|error| bad(error.to_string()))?;
    let output = request.output.unwrap_or_default();
    check_id(&id, action.kind).map_err(bad)?;
    check_topics(action.kind, &request.topics, &output).map_err(bad)?;
    if action.kind.is_polled() && place.scope == HookScope::Environment {
        let detail = "a folder or a mailbox that is looked at for documents belongs to the party \
                      that sends them: register it at /api/v1/{partyId}/hook";
        return Err(bad(detail));
    }
    if action.kind.clears() {
        if place.scope == HookScope::Environment {
            let detail = "a hook ksef belongs to the party whose invoices are registered: register \
                          it at /api/v1/{partyId}/hook";
            return Err(bad(detail));
        }
        // What it was given is its secret, and is shown no more.
        request.init = Value::Null;
    }
    let filter: Option<Filter> = request
        .filter
        .map(|filter| filter.parse())
        .transpose()
        .map_err(|error| bad(format!("filter: {error}")))?;
    let unchanged = before.as_ref().is_some_and(|hook| hook.filter == filter);
    if let Some(filter) = filter.as_ref().filter(|_| !unchanged) {
        let checked = filter.check().and_then(|()| filter.check_topics(&request.topics));
        checked.map_err(|problem| bad(problem.to_string()))?;
    }
    if !(request.init.is_null() || request.init.is_object()) {
        return Err(bad(format!("init is {:.40}, expected an object", request.init.to_string())));
    }
    let name = request.name.unwrap_or_default();
    if !names::is_visible(&name) && before.as_ref().is_none_or(|hook| hook.name != name) {
        return Err(bad("a name has no control or invisible characters"));
    }
    if name.chars().count() > NAME && before.as_ref().is_none_or(|hook| hook.name != name) {
        return Err(bad(format!(
            "the name {} is too long: it has at most {NAME} characters",
            quoted(&name, 40)
        )));
    }
    let now = api.clock.now();
    let created_on = before.as_ref().map_or(now, |hook| hook.created_on);
    let (mut secrets, rotated_on) = secrets_after((&action, &request.init), before.as_ref(), now)
        .map_err(|error| bad(error.to_string()))?;
    if let Some(given) = given {
        secrets = vec![given];
    }
    if action.kind.clears() && secrets.is_empty() {
        return Err(bad(InitError::Missing(INIT_FIELDS[0]).to_string()));
    }
    let guard = &api.settings.hook_guard;
    let (init, sealed) = init_after(&action, request.init, &request.topics, before.as_ref(), guard)
        .map_err(|error| bad(error.to_string()))?;
    Ok(Hook {
        organisation: place.owner,
        key: id.clone(),
        id,
        scope: place.scope,
        name,
        action: action.url,
        secrets,
        topics: request.topics,
        output,
        publish_topics: request.publish_topics.unwrap_or_default(),
        filter,
        init,
        sealed,
        is_active: request.is_active,
        created_on,
        changed_on: now,
        rotated_on,
        failing_since: None,
    })
}

/// An id for a hook without one that follows from where it is and what it does, so that putting it
/// twice registers it once.
pub(in crate::api) fn derived_id(
    owner: &OrganisationId,
    party: Option<&str>,
    request: &HookRequest,
) -> Result<HookId, Problem> {
    let url = request.action.split('#').next().unwrap_or_default();
    let topics: Vec<&str> = request.topics.iter().map(TopicPattern::as_str).collect();
    let text = [owner.as_str(), party.unwrap_or_default(), url, &topics.join(" ")].join("\0");
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(digest(&SHA256, text.as_bytes()).as_ref()) {
        *to = *from;
    }
    let id = uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string();
    id.parse().map_err(Problem::fault)
}
