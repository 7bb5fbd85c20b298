//! Formats as clients of this interface family name them: a document type with its scheme or
//! without it, the customization that documents carry, or `xml` for a document as it is.

use quoin_peppol::identifiers::{DocumentTypeId, DocumentTypeScheme, IdentifierError};

/// A document as it is.
const AS_IT_IS: &str = "xml";

/// Reads a document type, `scheme::value`, or its value alone.
///
/// # Errors
/// What is wrong with it.
pub(super) fn document_type(text: &str) -> Result<DocumentTypeId, IdentifierError> {
    text.parse().or_else(|error| match text.split_once("##") {
        Some((_, rest)) => DocumentTypeId::new(DocumentTypeScheme::of_customization(rest), text),
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
