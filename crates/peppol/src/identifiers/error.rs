//! Why a text is not an identifier, in words that tell its writer what to change.

/// A text that is not the identifier it was given as.
///
/// Each variant carries the text that was found; `Display` says what was expected instead and
/// which policy of the Policy for use of Identifiers (PFUOI) 4.4.0 asks for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdentifierError {
    /// The text names a meta scheme that Peppol does not use.
    #[error(
        "'{found}' is not a Peppol participant scheme: expected 'iso6523-actorid-upis', in lower \
         case, before '::' (PFUOI policy 5)"
    )]
    MetaScheme {
        /// The text before `::`.
        found: String,
    },
    /// The text starts neither with four digits and a colon nor with a known letter alias.
    #[error(
        "'{found}' names no participant scheme: write '<4 digits>:<value>' (0106:12345678), or a \
         letter alias of the Peppol code list (NL:KVK:12345678)"
    )]
    Scheme {
        /// The whole text.
        found: String,
    },
    /// The value is empty or longer than the policy allows.
    #[error("{what} has {length} characters: expected 1 to {limit} (PFUOI policy 1)")]
    Length {
        /// Which identifier.
        what: &'static str,
        /// How many characters were found.
        length: usize,
        /// The most that are allowed.
        limit: usize,
    },
    /// A character that the identifier may not hold.
    #[error("{what} holds {character:?} at character {index}: allowed are {allowed}")]
    Character {
        /// Which identifier.
        what: &'static str,
        /// The character.
        character: char,
        /// Its place, counted from 1.
        index: usize,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The document type scheme is not one of the two that exist.
    #[error(
        "'{found}' starts with no document type scheme: expected 'busdox-docid-qns::' or \
         'peppol-doctype-wildcard::' (PFUOI policy 16)"
    )]
    DocumentTypeScheme {
        /// The text, or the scheme on its own.
        found: String,
    },
    /// The document type value does not have its four parts.
    #[error(
        "'{found}' is no document type: expected '<root namespace>::<root element>##\
         <customization id>::<version>' (PFUOI policy 20)"
    )]
    DocumentTypeShape {
        /// The value.
        found: String,
    },
    /// The customization id of a wildcard document type breaks a rule of PFUOI 5.1.2.
    #[error("customization '{found}' {why} (PFUOI 5.1.2, {rule})")]
    Wildcard {
        /// The customization id.
        found: String,
        /// What is wrong with it.
        why: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// The text is not a seat id.
    #[error(
        "'{found}' is no seat id: expected 'P', a country code of two capitals and six digits, \
         such as PNL000123; the Peppol authority assigns it with the certificate"
    )]
    SeatId {
        /// The text.
        found: String,
    },
}
