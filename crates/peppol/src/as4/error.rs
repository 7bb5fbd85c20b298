//! ebMS error codes, and the refusal that a receiver turns into an error signal.
//!
//! Sources: ebMS 3.0 core section 6.7, AS4 profile section 3, Peppol AS4 profile section 4.

use std::fmt;

/// Characters of the detail of a refusal at most.
pub(super) const DETAIL_LENGTH: usize = 600;

/// An ebMS error code with its standard name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EbmsCode {
    /// EBMS:0001.
    ValueNotRecognized,
    /// EBMS:0003.
    ValueInconsistent,
    /// EBMS:0004; also Peppol's NOT_SERVICED.
    Other,
    /// EBMS:0007.
    MimeInconsistency,
    /// EBMS:0009.
    InvalidHeader,
    /// EBMS:0010.
    ProcessingModeMismatch,
    /// EBMS:0011.
    ExternalPayloadError,
    /// EBMS:0101.
    FailedAuthentication,
    /// EBMS:0102.
    FailedDecryption,
    /// EBMS:0103.
    PolicyNoncompliance,
    /// EBMS:0202.
    DeliveryFailure,
    /// EBMS:0301.
    MissingReceipt,
    /// EBMS:0302.
    InvalidReceipt,
    /// EBMS:0303.
    DecompressionFailure,
}

/// Code, short description and category of every [`EbmsCode`].
const CODES: &[(EbmsCode, &str, &str, &str)] = &[
    (EbmsCode::ValueNotRecognized, "EBMS:0001", "ValueNotRecognized", "Content"),
    (EbmsCode::ValueInconsistent, "EBMS:0003", "ValueInconsistent", "Content"),
    (EbmsCode::Other, "EBMS:0004", "Other", "Content"),
    (EbmsCode::MimeInconsistency, "EBMS:0007", "MimeInconsistency", "Unpackaging"),
    (EbmsCode::InvalidHeader, "EBMS:0009", "InvalidHeader", "Unpackaging"),
    (EbmsCode::ProcessingModeMismatch, "EBMS:0010", "ProcessingModeMismatch", "Processing"),
    (EbmsCode::ExternalPayloadError, "EBMS:0011", "ExternalPayloadError", "Content"),
    (EbmsCode::FailedAuthentication, "EBMS:0101", "FailedAuthentication", "Processing"),
    (EbmsCode::FailedDecryption, "EBMS:0102", "FailedDecryption", "Processing"),
    (EbmsCode::PolicyNoncompliance, "EBMS:0103", "PolicyNoncompliance", "Processing"),
    (EbmsCode::DeliveryFailure, "EBMS:0202", "DeliveryFailure", "Communication"),
    (EbmsCode::MissingReceipt, "EBMS:0301", "MissingReceipt", "Communication"),
    (EbmsCode::InvalidReceipt, "EBMS:0302", "InvalidReceipt", "Communication"),
    (EbmsCode::DecompressionFailure, "EBMS:0303", "DecompressionFailure", "Communication"),
];

impl EbmsCode {
    /// Every code with its text, in order.
    pub fn all() -> impl Iterator<Item = EbmsCode> {
        CODES.iter().map(|row| row.0)
    }

    fn row(self) -> (&'static str, &'static str, &'static str) {
        CODES
            .iter()
            .find(|row| row.0 == self)
            .map_or(("EBMS:0004", "Other", "Content"), |row| (row.1, row.2, row.3))
    }

    /// The code as it is written: `EBMS:0101`.
    pub fn code(self) -> &'static str {
        self.row().0
    }

    /// The standard short description: `FailedAuthentication`.
    pub fn short_description(self) -> &'static str {
        self.row().1
    }

    /// The standard category: `Processing`.
    pub fn category(self) -> &'static str {
        self.row().2
    }
}

impl fmt::Display for EbmsCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code(), self.short_description())
    }
}

/// Why a message is not taken: what the error signal will say to the sending access point.
///
/// The detail explains header problems precisely. What concerns keys stays uniform: every failure
/// to decrypt reads the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {detail}")]
pub struct As4Refusal {
    /// The ebMS error code.
    pub code: EbmsCode,
    /// What was expected and what was found.
    pub detail: String,
    /// The message that is refused, where its id could be read.
    pub message_id: Option<String>,
}

impl As4Refusal {
    /// A refusal that does not yet name its message.
    ///
    /// What was found may come from anywhere, and will stand in an error signal: the detail is cut
    /// to [`DETAIL_LENGTH`], and characters that XML cannot carry are replaced.
    pub fn new(code: EbmsCode, detail: impl Into<String>) -> As4Refusal {
        let xml = |c| if is_xml_character(c) { c } else { char::REPLACEMENT_CHARACTER };
        let detail = detail.into().chars().take(DETAIL_LENGTH).map(xml).collect();
        As4Refusal { code, detail, message_id: None }
    }

    /// The refusal of a participant, document type and process that are not served here.
    ///
    /// Source: Peppol AS4 profile 2.0.3, section 4.
    pub fn not_serviced() -> As4Refusal {
        As4Refusal::new(EbmsCode::Other, NOT_SERVICED)
    }

    /// Whether it can be by what time it is: of a certificate or a message that expired or begins
    /// later, and of a registration that does.
    pub fn may_hang_on_the_time(&self) -> bool {
        self.code == EbmsCode::FailedAuthentication || self.detail == NOT_SERVICED
    }

    /// The same refusal of a known message.
    #[must_use]
    pub fn of(mut self, message_id: &str) -> As4Refusal {
        self.message_id.get_or_insert_with(|| message_id.to_owned());
        self
    }
}

/// `Char` of XML 1.0, section 2.2.
fn is_xml_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// `eb:ErrorDetail` of a refusal because the recipient is not served.
pub(super) const NOT_SERVICED: &str = "PEPPOL:NOT_SERVICED";

/// An error that the receiving access point reported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EbmsError {
    /// `errorCode`, as written.
    pub code: String,
    /// `severity`: `failure` or `warning`.
    pub severity: String,
    /// `shortDescription`.
    pub short_description: String,
    /// The message that it is about: `refToMessageInError`, or what the signal around it names.
    pub ref_to_message: Option<String>,
    /// `Description`.
    pub description: String,
    /// `ErrorDetail`.
    pub detail: String,
}

impl EbmsError {
    /// Whether the receiver does not serve the recipient, document type or process.
    pub fn is_not_serviced(&self) -> bool {
        self.code == EbmsCode::Other.code()
            && [&self.detail, &self.description].iter().any(|text| text.contains(NOT_SERVICED))
    }
}

impl fmt::Display for EbmsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.short_description)?;
        for text in [&self.description, &self.detail] {
            if !text.is_empty() {
                write!(f, ": {text}")?;
            }
        }
        Ok(())
    }
}
