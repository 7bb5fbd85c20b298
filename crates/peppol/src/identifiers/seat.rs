//! Through whom: the seat id that the common name of a service provider's certificates carries.

use std::fmt;
use std::str::FromStr;

use super::text::serde_as_text;
use super::{IdentifierError, ParticipantId};

/// A service provider's seat: `P`, a country code and six digits, such as `PNL000123`.
///
/// It is the common name of the provider's certificates, the AS4 party id of corners 2 and 3, and
/// names the provider in the statistics reports.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeatId(String);

impl SeatId {
    /// The ICD of the service provider identification scheme (SPIS 1.0.0).
    pub const SPIS: &'static str = "0242";

    /// The seat id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The six digits: the main id of the provider in the SPIS.
    pub fn digits(&self) -> &str {
        self.0.get(3..).unwrap_or_default()
    }

    /// The provider as a participant, `0242:<six digits>`: where its MLS messages go
    /// (SPIS 1.0.0, MLS 1.0.0).
    ///
    /// # Errors
    /// None in practice: the digits of a seat id are always a participant value.
    pub fn participant(&self) -> Result<ParticipantId, IdentifierError> {
        ParticipantId::new(Self::SPIS, self.digits())
    }
}

impl FromStr for SeatId {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        let good = text.len() == 9
            && text.bytes().enumerate().all(|(index, byte)| match index {
                0 => byte == b'P',
                1 | 2 => byte.is_ascii_uppercase(),
                _ => byte.is_ascii_digit(),
            });
        if good {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdentifierError::SeatId { found: text.to_owned() })
        }
    }
}

impl fmt::Display for SeatId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

serde_as_text!(SeatId);
