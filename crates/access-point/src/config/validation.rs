//! Whose rules decide about documents.

use std::collections::BTreeMap;

use quoin_formats::profiles::Profile;
use quoin_rules::ValidationPolicy;
use quoin_rules::official::Policies;
use serde::{Deserialize, Serialize};

/// What becomes of a document that no rule set judged, when it is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unjudged {
    /// It is sent, and its status says that nobody judged it.
    Send,
    /// It is rejected.
    Refuse,
}

/// Whose rules decide.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ValidationSection {
    /// For every profile that is not named.
    pub policy: ValidationPolicy,
    /// For single profiles, by the identifier of the profile.
    pub profiles: BTreeMap<String, ValidationPolicy>,
    /// What becomes of documents that nobody judged; where it is not set, invoices and credit notes
    /// in UBL and CII are refused, and everything else is sent.
    pub unjudged: Option<Unjudged>,
}

impl ValidationSection {
    /// The policies as the room `document` takes them.
    pub fn policies(&self) -> Policies {
        Policies { default: self.policy, by_profile: self.profiles.clone() }
    }

    /// Names that are no profile.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str).filter(|id| Profile::by_id(id).is_none())
    }
}
