//! What is exchanged: the root element, customization and syntax version of a document.

use std::fmt;
use std::str::FromStr;

use super::text::{checked, serde_as_text};
use super::{DOCUMENT_TYPE_LIMIT, IdentifierError, wildcard};

/// The two schemes of document types (PFUOI policy 16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DocumentTypeScheme {
    /// `busdox-docid-qns`: matched exactly.
    Busdox,
    /// `peppol-doctype-wildcard`: PINT types; a registration may end its customization with `*`.
    Wildcard,
}

impl DocumentTypeScheme {
    /// The scheme as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Busdox => "busdox-docid-qns",
            Self::Wildcard => "peppol-doctype-wildcard",
        }
    }

    /// The scheme of documents with this customization: PINT types are wildcard types, all others
    /// are not (PFUOI 5.1.2, in force since 2025-09-15).
    pub fn of_customization(customization: &str) -> Self {
        if customization.starts_with("urn:peppol:pint:") { Self::Wildcard } else { Self::Busdox }
    }
}

impl FromStr for DocumentTypeScheme {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        [Self::Busdox, Self::Wildcard]
            .into_iter()
            .find(|scheme| scheme.as_str() == text)
            .ok_or_else(|| IdentifierError::DocumentTypeScheme { found: text.to_owned() })
    }
}

impl fmt::Display for DocumentTypeScheme {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.as_str())
    }
}

/// A document type: `scheme::<root namespace>::<root element>##<customization>::<version>`.
///
/// Compared with case (PFUOI policy 2). With the wildcard scheme the customization may end in `*`,
/// which makes it a registration pattern ([`DocumentTypeId::is_pattern`]): such a value exists in
/// SMP registrations only, never in an envelope or a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentTypeId {
    scheme: DocumentTypeScheme,
    value: String,
}

/// The parts of a document type value (PFUOI policy 20).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentTypeParts<'a> {
    /// Namespace of the root element, or `urn:peppol:doctype:…` for a document that is not XML.
    pub root_namespace: &'a str,
    /// Local name of the root element; `None` for a document that is not XML.
    pub local_name: Option<&'a str>,
    /// The customization id (UBL `CustomizationID`, CII guideline id).
    pub customization: &'a str,
    /// The version of the syntax, such as `2.1` or `D16B`; not that of the BIS.
    pub version: &'a str,
}

impl DocumentTypeId {
    /// Makes a document type from its scheme and the value without the scheme.
    ///
    /// # Errors
    /// [`IdentifierError`]: length (1 to 500), white space or other characters outside printable
    /// ASCII, a value without its parts, or a `*` where PFUOI 5.1.2 forbids it.
    pub fn new(scheme: DocumentTypeScheme, value: &str) -> Result<Self, IdentifierError> {
        checked(
            "the document type",
            value,
            DOCUMENT_TYPE_LIMIT,
            "printable characters without white space (PFUOI policy 1)",
            |c| c.is_ascii_graphic(),
        )?;
        let parts = split(value)
            .ok_or_else(|| IdentifierError::DocumentTypeShape { found: value.to_owned() })?;
        wildcard::check_customization(scheme, parts.customization)?;
        Ok(Self { scheme, value: value.to_owned() })
    }

    /// The type of a document with this root element, customization and syntax version; the scheme
    /// follows from the customization.
    ///
    /// # Errors
    /// As [`DocumentTypeId::new`].
    pub fn of_document(
        root_namespace: &str,
        local_name: &str,
        customization: &str,
        version: &str,
    ) -> Result<Self, IdentifierError> {
        let scheme = DocumentTypeScheme::of_customization(customization);
        Self::new(scheme, &format!("{root_namespace}::{local_name}##{customization}::{version}"))
    }

    /// The scheme.
    pub fn scheme(&self) -> DocumentTypeScheme {
        self.scheme
    }

    /// The value without the scheme.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The parts of the value.
    pub fn parts(&self) -> DocumentTypeParts<'_> {
        // The constructor has seen the value split, so the fallback is never taken.
        split(&self.value).unwrap_or(DocumentTypeParts {
            root_namespace: &self.value,
            local_name: None,
            customization: "",
            version: "",
        })
    }

    /// Whether the customization ends in `*`: a registration, not the type of a document.
    pub fn is_pattern(&self) -> bool {
        self.scheme == DocumentTypeScheme::Wildcard && self.parts().customization.ends_with('*')
    }

    /// The value without the `*` of a pattern: that of the row in the code list.
    pub fn plain(&self) -> String {
        if !self.is_pattern() {
            return self.value.clone();
        }
        let chain = self.parts().customization.trim_end_matches('*').to_owned();
        self.with_customization(&chain).map_or_else(|_| self.value.clone(), |plain| plain.value)
    }

    /// The same type with another customization, as a wildcard look-up needs it.
    pub(super) fn with_customization(&self, customization: &str) -> Result<Self, IdentifierError> {
        let parts = self.parts();
        let root = match parts.local_name {
            Some(local) => format!("{}::{local}", parts.root_namespace),
            None => parts.root_namespace.to_owned(),
        };
        Self::new(self.scheme, &format!("{root}##{customization}::{}", parts.version))
    }
}

/// Splits at the first `##`, the last `::` before it and the last `::` after it.
fn split(value: &str) -> Option<DocumentTypeParts<'_>> {
    let (root, rest) = value.split_once("##")?;
    let (customization, version) = rest.rsplit_once("::")?;
    let (root_namespace, local_name) = match root.rsplit_once("::") {
        Some((namespace, local)) => (namespace, Some(local)),
        None => (root, None),
    };
    let complete = !root_namespace.is_empty()
        && local_name != Some("")
        && !customization.is_empty()
        && !version.is_empty();
    complete.then_some(DocumentTypeParts { root_namespace, local_name, customization, version })
}

impl FromStr for DocumentTypeId {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        let unknown = || IdentifierError::DocumentTypeScheme { found: text.to_owned() };
        let (scheme, value) = text.split_once("::").ok_or_else(unknown)?;
        Self::new(scheme.parse().map_err(|_| unknown())?, value)
    }
}

impl fmt::Display for DocumentTypeId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}::{}", self.scheme, self.value)
    }
}

serde_as_text!(DocumentTypeId);
