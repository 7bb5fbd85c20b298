//! The Peppol Directory, as our SMP speaks to it.

use serde::{Deserialize, Serialize};

/// The Peppol Directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Directory {
    /// Its base address; without one business cards are not announced.
    pub url: Option<String>,
    /// Time for one call, in seconds.
    pub timeout_seconds: u64,
}

impl Default for Directory {
    fn default() -> Directory {
        Directory { url: None, timeout_seconds: 20 }
    }
}
