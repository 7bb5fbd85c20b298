//! Whether documents are converted for their receivers, and what that may lose.

use serde::{Deserialize, Serialize};

use quoin_formats::convert::LossPolicy;

/// Conversion on the way to a receiver that takes another format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConversionSection {
    /// Whether documents are converted at all.
    pub enabled: bool,
    /// Whether something that has no place in the target stops a document.
    pub strict: bool,
    /// What may be lost all the same: business terms (`BT-19`), or paths in the source with all
    /// that is below them, without positions (`/Invoice/cbc:UUID`).
    pub allowed: Vec<String>,
}

impl Default for ConversionSection {
    fn default() -> ConversionSection {
        ConversionSection { enabled: true, strict: true, allowed: Vec::new() }
    }
}

impl ConversionSection {
    /// The same as a conversion asks for it; none where documents are not converted.
    pub fn policy(&self) -> Option<LossPolicy> {
        let policy = LossPolicy { strict: self.strict, allowed: self.allowed.clone() };
        self.enabled.then_some(policy)
    }
}
