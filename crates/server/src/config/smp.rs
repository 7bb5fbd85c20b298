//! The section of the service metadata publisher.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The service metadata publisher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Smp {
    /// PEM file of the Peppol SMP certificate.
    pub certificate_file: Option<PathBuf>,
    /// PEM file of its PKCS#8 private key.
    pub key_file: Option<PathBuf>,
    /// Base address that the SML publishes for this SMP.
    pub public_url: Option<String>,
    /// AS4 addresses of single participants, where they are not the access point's own.
    pub endpoint_exceptions: BTreeMap<String, String>,
    /// Memory for signed answers, in MiB.
    pub cache_megabytes: usize,
}

impl Default for Smp {
    fn default() -> Smp {
        Smp {
            certificate_file: None,
            key_file: None,
            public_url: None,
            endpoint_exceptions: BTreeMap::new(),
            cache_megabytes: 128,
        }
    }
}

impl Smp {
    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.certificate_file.iter_mut().chain(self.key_file.iter_mut())
    }
}
