//! Where a certificate of ours and its private key are: PEM files, a PKCS#12 file, or a PKCS#11
//! token that never gives the key away.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ConfigSecret;

/// A certificate and where its private key is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeyPlace {
    /// PEM file of the certificate; not with a PKCS#12 file, which holds it.
    pub certificate_file: Option<PathBuf>,
    /// PEM file of the PKCS#8 private key.
    pub key_file: Option<PathBuf>,
    /// PKCS#12 file of certificate and key.
    pub pkcs12_file: Option<PathBuf>,
    /// The password of that file.
    pub pkcs12_password: Option<ConfigSecret>,
    /// The token that holds the key.
    pub token: Option<TokenKey>,
}

/// A private key in a PKCS#11 token. All of it is needed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenKey {
    /// The library of its maker.
    pub module: PathBuf,
    /// The label of the token.
    pub label: String,
    /// The label of the private key in it.
    pub key: String,
    /// The PIN of its user.
    pub pin: Option<ConfigSecret>,
}

/// A certificate that takes over at a time. All of it is needed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NextKey {
    /// From when on it signs and is published; it decrypts from the start.
    pub from: Option<Timestamp>,
    /// Where it is.
    pub key: KeyPlace,
}

impl TokenKey {
    fn is_whole(&self) -> bool {
        let named = [self.label.as_str(), self.key.as_str()].iter().all(|name| !name.is_empty());
        named && !self.module.as_os_str().is_empty() && self.pin.is_some()
    }
}

impl NextKey {
    /// What is wrong with it, in words, where something is.
    pub fn problem(&self) -> Option<&'static str> {
        match self.from {
            None => Some("needs from, the time at which it takes over"),
            Some(_) if self.key.is_empty() => Some("needs key, with the place of the certificate"),
            Some(_) => self.key.problem(),
        }
    }
}

impl KeyPlace {
    /// A certificate and key in PEM files.
    pub fn files(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> KeyPlace {
        KeyPlace {
            certificate_file: Some(certificate.into()),
            key_file: Some(key.into()),
            ..KeyPlace::default()
        }
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == KeyPlace::default()
    }

    /// What is wrong with the combination, in words, where something is.
    pub fn problem(&self) -> Option<&'static str> {
        if self.token.as_ref().is_some_and(|token| !token.is_whole()) {
            return Some("a token needs module, label, key and pin");
        }
        if self.pkcs12_password.is_some() && self.pkcs12_file.is_none() {
            return Some(
                "pkcs12_password is the password of pkcs12_file, which is not set: name the file, \
                 or leave the password out",
            );
        }
        let places = [self.key_file.is_some(), self.pkcs12_file.is_some(), self.token.is_some()];
        match places.into_iter().filter(|set| *set).count() {
            0 if self.certificate_file.is_none() => None,
            0 => Some(
                "certificate_file and key_file belong together: set both or neither; or name a \
                 PKCS#12 file or a token",
            ),
            1 if self.pkcs12_file.is_some() => match self.certificate_file {
                None => None,
                Some(_) => Some("a PKCS#12 file holds the certificate: leave certificate_file out"),
            },
            1 if self.certificate_file.is_none() => Some(
                "certificate_file and key_file belong together: set both or neither; a token needs \
                 certificate_file as well",
            ),
            1 => None,
            _ => Some("name one place of the key: key_file, pkcs12_file or token"),
        }
    }

    /// The file that is named in messages.
    pub fn name(&self) -> PathBuf {
        let named = self.certificate_file.as_ref().or(self.pkcs12_file.as_ref());
        named.cloned().unwrap_or_default()
    }

    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let module = self.token.as_mut().map(|token| &mut token.module);
        let files = [&mut self.certificate_file, &mut self.key_file, &mut self.pkcs12_file];
        files.into_iter().flatten().chain(module)
    }
}
