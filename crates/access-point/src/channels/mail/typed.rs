//! The type of document that a mail hook asks for.

/// As long as nothing is converted, a document goes as what it is.
pub(super) fn fits(target: Option<&str>, own: Option<&str>) -> Result<(), String> {
    match target {
        Some(target) if own.is_some_and(|own| own != target) => Err(format!(
            "the hook asks for the document type {target}, and the document cannot be converted \
             to it"
        )),
        _ => Ok(()),
    }
}
