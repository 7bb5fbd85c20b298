//! Endpoints that can be published for parties besides the access point's own.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// An endpoint that bulk jobs publish for parties, by its name in the configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PublishedEndpoint {
    /// AS4 address; the access point's own where it is left out.
    pub address: Option<String>,
    /// PEM file of the access point certificate; the present one where it is left out.
    pub certificate_file: Option<PathBuf>,
}

/// The name that stands for the access point's own address and certificate.
pub const OWN_ENDPOINT: &str = "own";
