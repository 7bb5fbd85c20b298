//! Why a certificate is not trusted, and why revocation data is not believed.

use jiff::Timestamp;

use super::CertificateRole;
use super::revocation::CLOCK_SKEW;

/// Bytes that are no certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no X.509 certificate: {why}; expected DER, Base64 of DER, or PEM")]
pub struct CertificateError {
    /// What the decoder said.
    pub why: String,
}

/// Why a certificate may not be used for what it was presented for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PkiRefusal {
    /// Not a certificate at all.
    #[error(transparent)]
    Unreadable(#[from] CertificateError),
    /// Today is before the certificate's validity.
    #[error("the certificate of {subject} is valid only from {from}")]
    NotYetValid {
        /// Subject, RFC 2253.
        subject: String,
        /// First instant of validity.
        from: Timestamp,
    },
    /// Today is after the certificate's validity.
    #[error("the certificate of {subject} expired at {until}: its owner must renew it")]
    Expired {
        /// Subject, RFC 2253.
        subject: String,
        /// Last instant of validity.
        until: Timestamp,
    },
    /// No configured authority of the stage issued it.
    #[error(
        "the issuer {issuer} is not a Peppol authority of this stage: expected a certificate of \
         the {expected} CA"
    )]
    UnknownIssuer {
        /// Issuer, RFC 2253.
        issuer: String,
        /// The role that was asked for.
        expected: CertificateRole,
    },
    /// A Peppol certificate, but of the other kind or stage.
    #[error("this is a certificate for {found}: expected one for the role {expected}")]
    WrongRole {
        /// The role that was asked for.
        expected: CertificateRole,
        /// What the certificate says it is for.
        found: String,
    },
    /// The generation of authorities that issued it is not trusted at this time.
    #[error("certificates of the authorities '{generation}' are not trusted at this time")]
    RetiredIssuer {
        /// The configured name of the generation, such as `G2`.
        generation: String,
    },
    /// The issuer's key did not make the signature.
    #[error("the signature of {issuer} on the certificate of {subject} does not verify")]
    BadSignature {
        /// Subject, RFC 2253.
        subject: String,
        /// Issuer, RFC 2253.
        issuer: String,
    },
    /// The certificate is not shaped like a Peppol certificate.
    #[error("the certificate of {subject} does not have the shape of a Peppol certificate: {why}")]
    WrongShape {
        /// Subject, RFC 2253.
        subject: String,
        /// What is wrong.
        why: String,
    },
    /// Its authority took it back.
    #[error("the certificate of {subject} was revoked at {at} ({reason})")]
    Revoked {
        /// Subject, RFC 2253.
        subject: String,
        /// Since when.
        at: Timestamp,
        /// The reason code, such as `KeyCompromise`.
        reason: String,
    },
    /// Nothing current says whether it is revoked, and the policy does not let that pass.
    #[error(
        "it is not known whether the certificate of {subject} is revoked: {why}; the check is \
         repeated when its authority answers"
    )]
    RevocationUnknown {
        /// Subject, RFC 2253.
        subject: String,
        /// What is missing.
        why: String,
    },
}

impl PkiRefusal {
    /// Whether the same certificate may pass later without anybody renewing it.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::RevocationUnknown { .. })
    }

    /// Whether the certificate becomes valid by itself: it is too new, or our clock is behind.
    pub fn is_too_early(&self) -> bool {
        matches!(self, Self::NotYetValid { .. })
    }

    /// Whether it becomes valid so soon that one of the clocks may be wrong.
    pub fn is_matter_of_clocks(&self, now: Timestamp) -> bool {
        matches!(self, Self::NotYetValid { from, .. } if from.duration_since(now) <= CLOCK_SKEW)
    }
}

/// A CRL or OCSP answer that proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RevocationDataError {
    /// Not the structure it should be.
    #[error("the {what} cannot be read: {why}")]
    Unreadable {
        /// `CRL` or `OCSP answer`.
        what: &'static str,
        /// What the decoder said.
        why: String,
    },
    /// Issued or signed by somebody else.
    #[error("the {what} is not of this issuer: {why}")]
    OtherIssuer {
        /// `CRL` or `OCSP answer`.
        what: &'static str,
        /// What does not fit.
        why: &'static str,
    },
    /// The signature does not verify.
    #[error("the signature of the {what} does not verify")]
    BadSignature {
        /// `CRL` or `OCSP answer`.
        what: &'static str,
    },
    /// The responder says that it cannot answer.
    #[error("the OCSP responder answered '{status}'")]
    NotSuccessful {
        /// The response status.
        status: String,
    },
    /// A form that is not supported: delta CRL, indirect CRL, a CRL for some certificates only.
    #[error("the {what} is of a kind that is not supported: {why}")]
    Unsupported {
        /// `CRL` or `OCSP answer`.
        what: &'static str,
        /// Which kind.
        why: &'static str,
    },
}
