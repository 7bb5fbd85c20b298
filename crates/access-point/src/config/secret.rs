//! A value that must not be seen: its text is not part of any log, error or debug print.

use std::env::VarError;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::plainfile;

/// The longest secret that is read, in bytes.
const LONGEST: u64 = 64 * 1024;
/// What stands in the place of a secret that could not be read, while the rest of a configuration
/// is looked at. No service runs with it.
pub(crate) const UNREAD: &str = "\u{1}unread";

/// A secret of the configuration, already read from where the file points to.
///
/// In the file it is written `env:NAME` (an environment variable), `file:PATH` (the content of a
/// file, without its last line end; a relative path starts at the working folder) or as it is.
#[derive(Clone)]
pub struct ConfigSecret(String);

impl ConfigSecret {
    /// Takes a text as it is.
    pub fn new(text: impl Into<String>) -> ConfigSecret {
        ConfigSecret(text.into())
    }

    /// The secret itself; the one place where it leaves its shell.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it is the secret, and nothing in its place.
    pub(crate) fn is_read(&self) -> bool {
        self.0 != UNREAD
    }

    /// Reads the secret from where `written` points to.
    ///
    /// # Errors
    /// A sentence that names the variable or the file, never its content.
    pub fn resolve(written: &str) -> Result<ConfigSecret, String> {
        let text = if let Some(name) = written.strip_prefix("env:") {
            std::env::var(name).map_err(|error| match error {
                VarError::NotPresent => format!("the environment variable {name} is not set"),
                VarError::NotUnicode(_) => {
                    format!("the environment variable {name} is set to what is no text in UTF-8")
                }
            })?
        } else if let Some(path) = written.strip_prefix("file:") {
            read(path)?
        } else {
            written.to_owned()
        };
        if text.is_empty() {
            return Err("the secret is empty".to_owned());
        }
        Ok(ConfigSecret(text))
    }
}

fn read(path: &str) -> Result<String, String> {
    let text = plainfile::text(Path::new(path), LONGEST).map_err(|e| format!("{path}: {e}"))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

impl fmt::Debug for ConfigSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl PartialEq for ConfigSecret {
    fn eq(&self, other: &ConfigSecret) -> bool {
        subtle::ConstantTimeEq::ct_eq(self.0.as_bytes(), other.0.as_bytes()).into()
    }
}

impl Serialize for ConfigSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("***")
    }
}

impl<'de> Deserialize<'de> for ConfigSecret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ConfigSecret, D::Error> {
        let written = String::deserialize(deserializer)?;
        ConfigSecret::resolve(&written).map_err(serde::de::Error::custom)
    }
}
