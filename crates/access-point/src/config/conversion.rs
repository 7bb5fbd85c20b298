//! Whether documents are converted for their receivers, and what that may lose.

use quoin_identity::{ConversionPolicy, ConversionRelation};
use serde::{Deserialize, Serialize};

/// Conversion on the way to a receiver that takes another format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConversionSection {
    /// Whether documents are converted at all.
    pub enabled: bool,
    /// Whether something that has no place in the target stops a document.
    pub strict: bool,
    /// What may be lost all the same: business terms (`BT-19`), or paths in the source with all
    /// that is below them, without positions (`/Invoice/cbc:UUID`); `*` is everything.
    pub allowed: Vec<String>,
    /// What may be lost besides between some parties.
    pub relations: Vec<ConversionRelation>,
}

impl Default for ConversionSection {
    fn default() -> ConversionSection {
        ConversionSection {
            enabled: true,
            strict: true,
            allowed: Vec::new(),
            relations: Vec::new(),
        }
    }
}

impl ConversionSection {
    /// The same as a conversion asks for it; none where documents are not converted.
    pub fn policy(&self) -> Option<ConversionPolicy> {
        let ConversionSection { enabled, strict, allowed, relations } = self.clone();
        enabled.then_some(ConversionPolicy { strict, allowed, relations })
    }

    /// What is wrong with it, each with the setting where it is.
    pub fn problems(&self) -> Vec<(String, String)> {
        let ConversionSection { strict, allowed, relations, .. } = self.clone();
        let found = ConversionPolicy { strict, allowed, relations }.problems();
        found.into_iter().map(|(at, text)| (format!("conversion.{at}"), text)).collect()
    }
}
