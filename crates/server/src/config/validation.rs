//! Whose rules decide about documents.

use std::collections::BTreeMap;

use quoin_document::official::Policies;
use quoin_document::{Policy, profiles::Profile};
use serde::{Deserialize, Serialize};

/// Whose rules decide.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Validation {
    /// For every profile that is not named.
    pub policy: Policy,
    /// For single profiles, by the identifier of the profile.
    pub profiles: BTreeMap<String, Policy>,
}

impl Validation {
    /// The policies as the room `document` takes them.
    pub fn policies(&self) -> Policies {
        Policies { default: self.policy, by_profile: self.profiles.clone() }
    }

    /// Names that are no profile.
    pub(super) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str).filter(|id| Profile::by_id(id).is_none())
    }
}
