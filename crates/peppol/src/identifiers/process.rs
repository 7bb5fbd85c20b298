//! In which business process, and by which transport.

use std::fmt;
use std::str::FromStr;

use super::text::{checked, serde_as_text};
use super::{IdentifierError, PROCESS_LIMIT, TRANSPORT_PROFILE_LIMIT};

/// A business process, such as `cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0`.
///
/// Compared with case (PFUOI policy 2). Read with its scheme (`scheme::value`) or without, in
/// which case the scheme is `cenbii-procid-ubl`; always written with it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId {
    scheme: String,
    value: String,
}

impl ProcessId {
    /// The scheme of all processes of the code list, and the default where none is given.
    pub const SCHEME: &'static str = "cenbii-procid-ubl";

    /// Makes a process identifier.
    ///
    /// # Errors
    /// [`IdentifierError::Length`] (1 to 200) and [`IdentifierError::Character`] (no white space).
    pub fn new(scheme: &str, value: &str) -> Result<Self, IdentifierError> {
        const ALLOWED: &str = "printable characters without white space (PFUOI policy 25)";
        let good = |c: char| c.is_ascii_graphic();
        checked("the process scheme", scheme, TRANSPORT_PROFILE_LIMIT, ALLOWED, good)?;
        checked("the process value", value, PROCESS_LIMIT, ALLOWED, good)?;
        Ok(Self { scheme: scheme.to_owned(), value: value.to_owned() })
    }

    /// The scheme, `cenbii-procid-ubl`.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The value without the scheme.
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl FromStr for ProcessId {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        match text.split_once("::") {
            Some((scheme, value)) => Self::new(scheme, value),
            None => Self::new(Self::SCHEME, text),
        }
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}::{}", self.scheme, self.value)
    }
}

/// How documents travel between access points; today only `peppol-transport-as4-v2_0` is active.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransportProfile(String);

impl TransportProfile {
    /// The identifier of the Peppol AS4 profile 2.0, the one transport in use (PFUOI policy 28).
    pub const AS4: &'static str = "peppol-transport-as4-v2_0";

    /// The Peppol AS4 profile 2.0.
    pub fn as4() -> Self {
        Self(Self::AS4.to_owned())
    }

    /// The identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the Peppol AS4 profile 2.0.
    pub fn is_as4(&self) -> bool {
        self.0 == Self::AS4
    }
}

impl FromStr for TransportProfile {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        checked(
            "the transport profile",
            text,
            TRANSPORT_PROFILE_LIMIT,
            "letters, digits, '-' and '_' (PFUOI policy 1)",
            |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'),
        )?;
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for TransportProfile {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

serde_as_text!(ProcessId, TransportProfile);
