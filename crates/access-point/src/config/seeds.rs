//! Organisations, clients, parties and hooks that the configuration declares, so that a fresh
//! installation serves somebody without a further step. They are brought into the store at start.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ConfigSecret;

/// What becomes of a party that is published and declared no more, or whose organisation is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndeclaredParties {
    /// It stays published, and whoever runs the service is told.
    #[default]
    Stay,
    /// It is withdrawn from the SMP and the registers.
    Withdraw,
}

/// One organisation: a tenant, whose documents no other tenant sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrganisationSeed {
    /// Stable key of the organisation, of the operator's choice.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its package, as in `10K`; none for any number of documents.
    #[serde(default)]
    pub package: Option<String>,
    /// What it weighs beside other organisations where more is to be done than can be done at once.
    #[serde(default = "one")]
    pub weight: i64,
    /// Who may fetch tokens for it.
    #[serde(default)]
    pub clients: Vec<ClientSeed>,
    /// Whom it sends and receives for.
    #[serde(default)]
    pub parties: Vec<PartySeed>,
    /// Where events of the whole organisation go.
    #[serde(default)]
    pub hooks: Vec<HookSeed>,
}

/// What a client may do (specification section 5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClientRole {
    /// Sends, receives and manages hooks of its own parties.
    #[default]
    ApUser,
    /// Also registers parties.
    ApManager,
}

/// A machine that fetches tokens with the client credentials grant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientSeed {
    /// The `client_id`.
    pub id: String,
    /// The `client_secret`; or give `secret_sha256`.
    #[serde(default)]
    pub secret: Option<ConfigSecret>,
    /// SHA-256 of the `client_secret` in hexadecimal, so that the secret itself stays outside.
    #[serde(default)]
    pub secret_sha256: Option<String>,
    /// What it may do.
    #[serde(default)]
    pub role: ClientRole,
    /// The user of role ApUser that is linked to a party which this client registers at `/smp`
    /// without naming one: tools that manage an SMP cannot name any.
    #[serde(default)]
    pub smp_user: Option<String>,
    /// Whether it acts for parties that it is not linked to.
    #[serde(default = "yes")]
    pub all_parties: bool,
}

fn one() -> i64 {
    1
}

fn yes() -> bool {
    true
}

/// A party: one business with all its identifiers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartySeed {
    /// Identifiers as `scheme:value`, the first one being the main one.
    pub identifiers: Vec<String>,
    /// Name of the business.
    pub name: String,
    /// Country code, ISO 3166-1 alpha-2.
    pub country: String,
    /// State of each capability: `on`, `off` or `inherited` (specification 2.2).
    #[serde(default)]
    pub capabilities: BTreeMap<String, String>,
    /// Where events of this party go.
    #[serde(default)]
    pub hooks: Vec<HookSeed>,
}

/// A hook (specification 2.4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookSeed {
    /// Stable id of the hook.
    pub id: String,
    /// Display name.
    #[serde(default)]
    pub name: String,
    /// Destination, `https://…#secret`; a secret itself, as the suffix is one.
    pub action: ConfigSecret,
    /// Topics it listens to, `*` at either end stands for anything.
    pub topics: Vec<String>,
    /// What its kind needs besides, by name; a secret may come from a file or a variable.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub init: BTreeMap<String, ConfigSecret>,
}
