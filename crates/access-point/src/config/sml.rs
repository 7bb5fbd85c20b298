//! The service metadata locator, as our SMP speaks to it.

use serde::{Deserialize, Serialize};

/// The service metadata locator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SmlSection {
    /// Base address of its management interface; without one participants are not registered.
    pub url: Option<String>,
    /// The id of our SMP there.
    pub smp_id: Option<String>,
    /// Time for one call, in seconds.
    pub timeout_seconds: u64,
}

impl Default for SmlSection {
    fn default() -> SmlSection {
        SmlSection { url: None, smp_id: None, timeout_seconds: 20 }
    }
}

impl SmlSection {
    /// Whether a text can be the id of an SMP: letters, digits and `-` (SML 1.3.0).
    pub fn is_id(text: &str) -> bool {
        let letters = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        letters && (1..=50).contains(&text.len())
    }
}
