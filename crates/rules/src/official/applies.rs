//! What a rule set applies to.

use serde::{Deserialize, Serialize};

use quoin_formats::Detection;
use quoin_formats::Syntax;

/// What a rule set applies to. A document has to fit each list that is not empty, by one of its
/// values; where all are empty, nothing fits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Applies {
    /// Names of the syntax, as in `ublInvoice`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<Syntax>,
    /// Document elements, as in `Order`, or `{urn:example}Order` where the namespace has to fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<String>,
    /// Identifiers of profiles, as in `peppol-bis3`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// Beginnings of the specification identifier (CustomizationID, BT-24). A `$` at the end asks
    /// for the whole identifier.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub customizations: Vec<String>,
    /// Beginnings of the business process type (ProfileID, BT-23).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<String>,
}

impl Applies {
    /// Whether no list has a value, so that nothing fits.
    pub fn is_empty(&self) -> bool {
        let Applies { formats, roots, profiles, customizations, processes } = self;
        formats.is_empty()
            && [roots, profiles, customizations, processes].iter().all(|l| l.is_empty())
    }

    /// Whether a document is one of them.
    pub fn fits(&self, detection: &Detection) -> bool {
        let any = |list: &[String], test: &dyn Fn(&str) -> bool| {
            list.is_empty() || list.iter().any(|value| test(value))
        };
        let syntax = detection.syntax;
        // What an invoice in JSON names, it is judged by once it is written in a syntax of XML.
        let says = |text| Some(text).filter(|_| syntax != Some(Syntax::InvoiceJson)).flatten();
        let customization = says(detection.customization_id.as_deref()).unwrap_or_default();
        let process = says(detection.profile_id.as_deref()).unwrap_or_default();
        !self.is_empty()
            && (self.formats.is_empty() || self.formats.iter().any(|known| syntax == Some(*known)))
            && any(&self.roots, &|root| is_root(detection, root))
            && any(&self.profiles, &|id| detection.profile.as_deref() == Some(id))
            && any(&self.customizations, &|start| begins(customization, start))
            && any(&self.processes, &|start| begins(process, start))
    }
}

fn begins(found: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('$') {
        Some(whole) => found == whole,
        None => found.starts_with(pattern),
    }
}

fn is_root(detection: &Detection, wanted: &str) -> bool {
    let Some(root) = &detection.root else { return false };
    match wanted.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((namespace, local)) => root.namespace == namespace && root.local == local,
        None => root.local == wanted,
    }
}
