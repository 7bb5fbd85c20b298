//! Why an envelope is refused, in words that name the field and the rule.

use quoin_xml::tree::ParseError;

use crate::identifiers::IdentifierError;

/// An envelope that breaks the Business Message Envelope rules. The sender must correct it; sending
/// it again unchanged gives the same answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SbdhRefusal {
    /// No bytes, or no element in them.
    #[error("there is no envelope: expected a StandardBusinessDocument")]
    Empty,
    /// The text is not UTF-8.
    #[error("the envelope is not UTF-8 text: byte {offset} does not fit (BME 2.2)")]
    Encoding {
        /// Offset of the first bad byte.
        offset: usize,
    },
    /// The markup is broken, or over a limit.
    #[error("the envelope is not well-formed XML at byte {offset}: {why}")]
    Markup {
        /// Where it was noticed, in bytes.
        offset: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// The reader of the whole document refused it.
    #[error("the envelope is not well-formed XML: {0}")]
    Xml(#[from] ParseError),
    /// The root is something else: a bare document without an envelope.
    #[error(
        "the message is not wrapped: found root element '{found}', expected \
         StandardBusinessDocument of the UN/CEFACT header namespace (BME 1.3)"
    )]
    NotWrapped {
        /// Name of the root element.
        found: String,
    },
    /// A header on its own.
    #[error("the header stands alone: it must be inside a StandardBusinessDocument (BME 1.3)")]
    StandaloneHeader,
    /// The first child of the envelope is not the header.
    #[error("the envelope has no StandardBusinessDocumentHeader as its first element")]
    NoHeader,
    /// Header, but nothing after it.
    #[error("the envelope has no payload after its header")]
    NoPayload,
    /// Something follows the payload, or text stands between the elements.
    #[error("the envelope holds more than one payload: '{found}' at byte {offset} (BME 2.2)")]
    MoreThanOnePayload {
        /// What was found.
        found: String,
        /// Where.
        offset: usize,
    },
    /// The payload is itself an envelope.
    #[error("the payload is another envelope: envelopes are never nested (BME 2.2)")]
    Nested,
    /// A mandatory field is missing or empty.
    #[error("the header lacks {field} (BME 2.9)")]
    Missing {
        /// Path of the field within the header.
        field: &'static str,
    },
    /// A field that may occur once occurs more often.
    #[error("the header holds {field} {count} times: expected once (BME 2.9)")]
    Repeated {
        /// Path of the field within the header.
        field: &'static str,
        /// How often.
        count: usize,
    },
    /// A field has a value that the profile does not allow.
    #[error("{field} is '{found}': expected {expected}")]
    Value {
        /// Path of the field, or the key of the scope.
        field: &'static str,
        /// What was found.
        found: String,
        /// What the profile asks for.
        expected: String,
    },
    /// A field holds an identifier that is none.
    #[error("{field} is no identifier: {error}")]
    Identifier {
        /// Path of the field, or the key of the scope.
        field: &'static str,
        /// Why.
        error: IdentifierError,
    },
    /// The same scope key twice.
    #[error("scope '{key}' occurs twice: attribute keys are unique (BME 2.7)")]
    RepeatedScope {
        /// The key.
        key: String,
    },
    /// Fewer than three scopes, or more than [`super::SCOPE_LIMIT`].
    #[error(
        "BusinessScope holds {count} scopes: expected at least DOCUMENTID, PROCESSID and \
         COUNTRY_C1, and at most 100 (BME 2.9)"
    )]
    ScopeCount {
        /// How many.
        count: usize,
    },
    /// Header and payload disagree about what the payload is.
    #[error("the header announces '{announced}', but the payload is '{found}' (BME 2.9)")]
    OtherPayload {
        /// `{namespace}local` of the header.
        announced: String,
        /// `{namespace}local` of the payload.
        found: String,
    },
    /// `BinaryContent` or `TextContent` breaks BME 2.3.
    #[error("{element} {why} (BME 2.3)")]
    Content {
        /// Which of the two.
        element: &'static str,
        /// What is wrong.
        why: &'static str,
    },
}

impl SbdhRefusal {
    /// The AS4 error code of every refusal: the receiving access point answers with it, and with no
    /// receipt (Peppol AS4 profile; TICC testbed).
    pub const EBMS_CODE: &'static str = "EBMS:0004";
}

/// A document that cannot be put into an envelope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrapRefusal {
    /// No element.
    #[error("the document is empty")]
    Empty,
    /// The bytes are not text in the encoding that the document says it has.
    #[error("the document is not text in its own encoding: an envelope has UTF-8 only (BME 2.2)")]
    Encoding,
    /// The markup is broken.
    #[error("the document is not well-formed XML at byte {offset}: {why}")]
    Markup {
        /// Where it was noticed, in bytes.
        offset: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// The document is an envelope already.
    #[error("the document is an envelope already: send it as it is")]
    Nested,
    /// The document type is a registration pattern or abstract, which no document has.
    #[error("'{0}' is a registration, not the type of a document (PFUOI 5.1.2)")]
    Pattern(String),
}
