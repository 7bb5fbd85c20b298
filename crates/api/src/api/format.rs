//! Formats as clients of this interface family name them: a document type with its scheme or
//! without it, the customization that documents carry, or `xml` for a document as it is.

use quoin_peppol::identifiers::{DocumentTypeId, DocumentTypeScheme, IdentifierError};

/// A document as it is.
const AS_IT_IS: &str = "xml";

/// Reads a document type, `scheme::value`, or its value alone, whose customization tells the
/// scheme: only wildcard types have one that ends with `*`.
///
/// # Errors
/// What is wrong with it.
pub(super) fn document_type(text: &str) -> Result<DocumentTypeId, IdentifierError> {
    let scheme = text.split_once("::").map(|(scheme, _)| scheme.parse::<DocumentTypeScheme>());
    let named = scheme.is_some_and(|scheme| scheme.is_ok());
    text.parse().or_else(|error| match text.split_once("##").filter(|_| !named) {
        Some((_, rest)) => DocumentTypeId::new(DocumentTypeScheme::of_customization(rest), text)
            .or_else(|error| {
                DocumentTypeId::new(DocumentTypeScheme::Wildcard, text).map_err(|_| error)
            }),
        None => Err(error),
    })
}

/// Whether a document of type `own` has the format that a text names.
pub(super) fn is(own: Option<&DocumentTypeId>, text: &str) -> bool {
    if text == AS_IT_IS {
        return true;
    }
    let Some(own) = own else { return false };
    match document_type(text) {
        Ok(named) => named == *own,
        Err(_) => own.parts().customization == text,
    }
}

/// Whether a text can only be the customization of documents.
pub(super) fn is_customization(text: &str) -> bool {
    text.starts_with("urn:") && document_type(text).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_alone_has_the_scheme_that_its_customization_tells() {
        for (text, scheme) in [
            ("urn:x::Invoice##urn:cen.eu:en16931:2017::2.1", "busdox-docid-qns"),
            ("urn:x::Invoice##urn:peppol:pint:billing-1::2.1", "peppol-doctype-wildcard"),
            ("urn:x::Invoice##urn:peppol:pint:billing-1*::2.1", "peppol-doctype-wildcard"),
            ("urn:x::Invoice##urn:example:own*::2.1", "peppol-doctype-wildcard"),
        ] {
            let read = document_type(text).unwrap();
            assert_eq!(read.to_string(), format!("{scheme}::{text}"));
            assert_eq!(document_type(&read.to_string()).unwrap(), read);
        }
        assert!(document_type("busdox-docid-qns::urn:x::Invoice##own*::2.1").is_err());
        assert!(document_type("urn:x::Invoice##*own::2.1").is_err());
    }
}
