//! Why an SMP answer is refused, why an endpoint is not usable, and what cannot be published.

use jiff::Timestamp;
use quoin_xml::tree::{ParseError, ParseErrorKind};
use quoin_xmldsig::enveloped::SignError;
use quoin_xmldsig::signature::SignatureError;

use crate::identifiers::IdentifierError;
use crate::pki::PkiRefusal;
use crate::sml::UriRefusal;

/// An SMP answer that breaks the rules of Peppol SMP 1.4.0 or cannot be trusted. The provider that
/// operates the SMP must repair it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SmpRefusal {
    /// Not XML, or over a limit.
    #[error("it cannot be read: {0}")]
    Xml(#[from] ParseError),
    /// It is XML, but not in UTF-8.
    #[error("it is in {found}: SMP answers are in UTF-8 (SMP 1.4.0)")]
    Encoding {
        /// The encoding.
        found: String,
    },
    /// The root is not the document that was asked for.
    #[error("its root is '{found}': expected '{expected}' of the SMP namespace")]
    Root {
        /// Name of the root element.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// An element is missing.
    #[error("it lacks {element}")]
    Missing {
        /// Path of the element.
        element: &'static str,
    },
    /// An element has a value that cannot be read.
    #[error("{element} is '{found}': expected {expected}")]
    Value {
        /// Path of the element.
        element: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// An identifier that is none.
    #[error("{element} is no identifier: {error}")]
    Identifier {
        /// Path of the element.
        element: &'static str,
        /// Why.
        error: IdentifierError,
    },
    /// The signature is missing, uses other algorithms than SMP 1.4.0 section 5.5, or is wrong.
    #[error("its signature is refused: {0}")]
    Signature(String),
    /// The signer is not an SMP of this stage.
    #[error("its signer is not trusted: {0}")]
    Signer(#[from] PkiRefusal),
    /// The answer is about somebody or something else.
    #[error("it is about {what} '{found}', but '{asked}' was asked for")]
    OtherSubject {
        /// `participant` or `document type`.
        what: &'static str,
        /// What the answer is about.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// A redirect leads to another redirect.
    #[error("it redirects again: only one redirect is followed (SMP 1.4.0)")]
    SecondRedirect,
    /// The redirect leads to an address that nobody may use.
    #[error("it redirects to a broken address: {0}")]
    RedirectAddress(UriRefusal),
    /// The record behind a redirect is signed by another SMP than the redirect announced.
    #[error("it is signed by '{found}', but the redirect announced '{announced}'")]
    OtherSigner {
        /// Subject of the signer.
        found: String,
        /// `CertificateUID` of the redirect.
        announced: String,
    },
}

impl From<SignatureError> for SmpRefusal {
    fn from(error: SignatureError) -> Self {
        Self::Signature(error.to_string())
    }
}

impl SmpRefusal {
    /// Whether the same answer may be accepted later: revocation was not known, or the signer is
    /// not valid yet.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Signer(refusal) => refusal.is_temporary() || refusal.is_too_early(),
            // What ends inside something did not come whole.
            Self::Xml(error) => matches!(error.kind, ParseErrorKind::Truncated(_)),
            _ => false,
        }
    }
}

/// Why no endpoint of a trusted answer can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointRefusal {
    /// The document type is registered, but not for the process.
    #[error("process '{asked}' is not registered; registered are: {}", found.join(", "))]
    OtherProcesses {
        /// The process that was asked for.
        asked: String,
        /// The processes that are there.
        found: Vec<String>,
    },
    /// The process has no endpoint at all.
    #[error("the process has no endpoint")]
    NoEndpoint,
    /// Only transports that the network has removed.
    #[error(
        "no endpoint speaks peppol-transport-as4-v2_0, the one transport in use; found: {}",
        found.join(", ")
    )]
    OtherTransports {
        /// The transport profiles that are there.
        found: Vec<String>,
    },
    /// Several endpoints speak AS4 and are active, so that nobody knows which one is meant.
    #[error(
        "{count} endpoints speak {profile} and are active: only one may (SMP 1.4.0), and which one \
         is meant is not said"
    )]
    SeveralActive {
        /// The transport profile.
        profile: &'static str,
        /// How many.
        count: usize,
    },
    /// The endpoint is not active yet.
    #[error("the endpoint becomes active at {from}")]
    NotYetActive {
        /// `ServiceActivationDate`.
        from: Timestamp,
    },
    /// The endpoint is no longer active.
    #[error("the endpoint expired at {since}: the receiver's provider must renew it")]
    Expired {
        /// `ServiceExpirationDate`.
        since: Timestamp,
    },
    /// The address cannot be used.
    #[error("the endpoint has a broken address: {0}")]
    Address(#[from] UriRefusal),
    /// The certificate cannot be used.
    #[error("the certificate of the endpoint is refused: {0}")]
    Certificate(#[from] PkiRefusal),
}

impl EndpointRefusal {
    /// Whether the same answer may become usable later by itself.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Certificate(refusal) if refusal.is_temporary() => true,
            _ => self.is_not_yet(),
        }
    }

    /// Whether it is certain that there is none now, and that there will be one: it becomes active
    /// by itself, or our clock is behind.
    pub fn is_not_yet(&self) -> bool {
        match self {
            Self::Certificate(refusal) => refusal.is_too_early(),
            Self::NotYetActive { .. } => true,
            _ => false,
        }
    }

    /// A short, stable code for logs and answers.
    pub fn code(&self) -> &'static str {
        match self {
            Self::OtherProcesses { .. } => "process-not-registered",
            Self::NoEndpoint => "no-endpoint",
            Self::OtherTransports { .. } => "no-as4-endpoint",
            Self::SeveralActive { .. } => "several-endpoints",
            Self::NotYetActive { .. } => "endpoint-not-yet-active",
            Self::Expired { .. } => "endpoint-expired",
            Self::Address(_) => "endpoint-address-invalid",
            Self::Certificate(_) => "endpoint-certificate-refused",
        }
    }
}

/// Why service metadata of ours cannot be published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PublishRefusal {
    /// Two endpoints of one process have the same transport profile.
    #[error("process {process} has two endpoints with transport profile {profile}")]
    TwoEndpoints {
        /// The process.
        process: String,
        /// The profile.
        profile: String,
    },
    /// A process is there twice.
    #[error("process {process} is there twice: name it once, with all its endpoints")]
    TwoProcesses {
        /// The process.
        process: String,
    },
    /// There is no process, or a process without an endpoint.
    #[error("service metadata needs at least one process, and each process an endpoint")]
    Nothing,
    /// The key failed.
    #[error(transparent)]
    Sign(#[from] SignError),
}
