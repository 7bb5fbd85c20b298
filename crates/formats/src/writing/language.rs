//! In which language a text is.

use quoin_model::en16931::{AttributeName, ValueSource};

use crate::reading::{LeafKind, leaf};

/// The namespace of `xml:lang`.
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Whether words name a language: `und` says that nobody knows it (BCP 47).
pub(crate) fn is_language(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.eq_ignore_ascii_case("und")
}

/// What says the language of a text, `languageID` or `xml:lang`; `None` where nobody does.
pub(crate) fn language_of(text: ValueSource<'_>) -> Option<ValueSource<'_>> {
    let element = text.element();
    if !matches!(leaf(element), LeafKind::Text) {
        return None;
    }
    let own = text.attribute(AttributeName::LanguageId);
    let own = own.or_else(|| ValueSource::attribute_called(element, XML, "lang"));
    own.filter(|own| is_language(&own.trimmed()))
}
