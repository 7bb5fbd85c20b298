//! The section of the service metadata publisher.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{ConfigSecret, KeyPlace, NextKey, TokenKey};

/// The service metadata publisher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Smp {
    /// PEM file of the Peppol SMP certificate.
    pub certificate_file: Option<PathBuf>,
    /// PEM file of its PKCS#8 private key.
    pub key_file: Option<PathBuf>,
    /// PKCS#12 file of certificate and key, instead.
    pub pkcs12_file: Option<PathBuf>,
    /// The password of that file.
    pub pkcs12_password: Option<ConfigSecret>,
    /// The PKCS#11 token that holds the key, instead.
    pub token: Option<TokenKey>,
    /// The certificate that takes over at a time: from then on it signs, and is shown to the SML
    /// and the Directory.
    pub next: Option<NextKey>,
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
            pkcs12_file: None,
            pkcs12_password: None,
            token: None,
            next: None,
            public_url: None,
            endpoint_exceptions: BTreeMap::new(),
            cache_megabytes: 128,
        }
    }
}

impl Smp {
    /// Where certificate and key are.
    pub fn key_place(&self) -> KeyPlace {
        KeyPlace {
            certificate_file: self.certificate_file.clone(),
            key_file: self.key_file.clone(),
            pkcs12_file: self.pkcs12_file.clone(),
            pkcs12_password: self.pkcs12_password.clone(),
            token: self.token.clone(),
        }
    }

    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let module = self.token.as_mut().map(|token| &mut token.module);
        let own = [&mut self.certificate_file, &mut self.key_file, &mut self.pkcs12_file];
        let next = self.next.iter_mut().flat_map(|next| next.key.paths_mut());
        own.into_iter().flatten().chain(module).chain(next)
    }
}
