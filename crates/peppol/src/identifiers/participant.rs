//! Who takes part: a number of a register (`0106:12345678`), written with the code of the register
//! in digits, or with its letter alias on the way in.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::text::{checked, serde_as_text};
use super::{CheckFailure, IdentifierError, PARTICIPANT_VALUE_LIMIT, check};
use crate::schemes::{self, Scheme};

/// The only meta scheme of participant identifiers (PFUOI policy 5); compared with case.
pub const META_SCHEME: &str = "iso6523-actorid-upis";

/// The scheme of the members of the collaboration platform, which are none of the network
/// (interface specification, section 1).
const PLATFORM_SCHEME: &str = "-0003";
/// What the id of such a member begins with.
const PLATFORM_PREFIX: &str = "XC";

/// A participant of the network: the four digits of a register (ICD) and a value in it.
///
/// The canonical form is `<icd>:<value>` with the value as it was written; letter aliases
/// (`NL:KVK:12345678`, `gln:7300010000001`) and the URI form (`iso6523-actorid-upis::0106:…`) are
/// read. Equality, order and hash ignore the case of the value, as PFUOI 4.4.0 policy 2 asks.
/// The ICD need not be in the code list: other jurisdictions' lists may be ahead of ours.
///
/// A member of the collaboration platform, `-0003:XC…`, is read too. It can be named where a
/// participant is, and is registered nowhere in the network.
#[derive(Clone)]
pub struct ParticipantId {
    text: String,
}

impl ParticipantId {
    /// Makes an identifier from the ICD (four digits) and the value in that register.
    ///
    /// # Errors
    /// [`IdentifierError::Scheme`] for an ICD that is not four digits, [`IdentifierError::Length`]
    /// and [`IdentifierError::Character`] for the value (1 to 130 of `A-Z a-z 0-9 - . _ ~`).
    pub fn new(icd: &str, value: &str) -> Result<Self, IdentifierError> {
        let is_platform = icd == PLATFORM_SCHEME;
        let is_register = icd.len() == 4 && icd.bytes().all(|b| b.is_ascii_digit());
        let begin = value.get(..PLATFORM_PREFIX.len()).unwrap_or_default();
        let is_member = is_platform
            && begin.eq_ignore_ascii_case(PLATFORM_PREFIX)
            && value.len() > PLATFORM_PREFIX.len();
        if !is_register && !is_member {
            return Err(IdentifierError::Scheme { found: format!("{icd}:{value}") });
        }
        checked(
            "the participant value",
            value,
            PARTICIPANT_VALUE_LIMIT,
            "letters, digits, '-', '.', '_' and '~' (PFUOI policy 1)",
            |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~'),
        )?;
        Ok(Self { text: format!("{icd}:{value}") })
    }

    /// The register, as the four digits of its ISO 6523 code: `0106`.
    pub fn icd(&self) -> &str {
        self.text.split_once(':').map_or("", |(icd, _)| icd)
    }

    /// The value in the register, as it was written: `12345678`.
    pub fn value(&self) -> &str {
        self.text.split_once(':').map_or("", |(_, value)| value)
    }

    /// Whether it is one of the network; a member of the collaboration platform is not, and is
    /// never looked up.
    pub fn is_of_peppol(&self) -> bool {
        self.icd() != PLATFORM_SCHEME
    }

    /// `<icd>:<value>`, as SMP documents, SBDH and DNS names use it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The form of URLs and logs: `iso6523-actorid-upis::<icd>:<value>` (PFUOI policy 7).
    pub fn uri(&self) -> String {
        format!("{META_SCHEME}::{}", self.text)
    }

    /// `<icd>:<value>` in lower case: the form that is hashed for DNS and used as a key.
    pub fn folded(&self) -> String {
        self.text.to_ascii_lowercase()
    }

    /// `<icd>:<value>` with the value in upper case, as registers print their numbers: the form in
    /// which one is shown that was kept as a key.
    pub fn printed(&self) -> String {
        self.text.to_ascii_uppercase()
    }

    /// The row of the code list for the register, if the list has one.
    pub fn scheme(&self) -> Option<&'static Scheme> {
        schemes::scheme(self.icd())
    }

    /// Checks the value against the shape and the check digits of its register.
    ///
    /// Meant for enrolment, where a mistyped number would be published. Receivers elsewhere are
    /// not held to it, because registers differ by jurisdiction. A register without a known rule
    /// passes; a register that the code list has removed, or does not know, fails.
    ///
    /// # Errors
    /// [`CheckFailure`], which says what the register expects.
    pub fn check(&self) -> Result<(), CheckFailure> {
        check::check(self)
    }
}

impl FromStr for ParticipantId {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        if let Some((meta, rest)) = text.split_once("::") {
            if meta != META_SCHEME {
                return Err(IdentifierError::MetaScheme { found: meta.to_owned() });
            }
            let (icd, value) = rest
                .split_once(':')
                .ok_or_else(|| IdentifierError::Scheme { found: text.to_owned() })?;
            return Self::new(icd, value);
        }
        if let Some((icd, value)) = text.split_once(':')
            && (icd == PLATFORM_SCHEME || icd.len() == 4 && icd.bytes().all(|b| b.is_ascii_digit()))
        {
            return Self::new(icd, value);
        }
        match schemes::scheme_by_alias(text) {
            Some((scheme, value)) => Self::new(scheme.icd, value),
            None => Err(IdentifierError::Scheme { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for ParticipantId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text)
    }
}

impl fmt::Debug for ParticipantId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "ParticipantId({})", self.text)
    }
}

impl PartialEq for ParticipantId {
    fn eq(&self, other: &Self) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }
}

impl Eq for ParticipantId {}

impl Hash for ParticipantId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.text.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
        state.write_u8(0xff);
    }
}

impl Ord for ParticipantId {
    fn cmp(&self, other: &Self) -> Ordering {
        let folded =
            |id: &Self| id.text.bytes().map(|b| b.to_ascii_lowercase()).collect::<Vec<_>>();
        folded(self).cmp(&folded(other))
    }
}

impl PartialOrd for ParticipantId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

serde_as_text!(ParticipantId);
