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

/// The same of a document that is delivered, whose type is known where it has one: JSON and other
/// forms have none on the network.
pub(super) fn fits_delivered(target: Option<&str>, own: Option<&str>) -> Result<(), String> {
    fits(target, Some(own.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_type_is_of_another_one_when_it_is_delivered() {
        for (target, own, told, delivered) in [
            (None, None, true, true),
            (None, Some("a"), true, true),
            (Some("a"), Some("a"), true, true),
            (Some("a"), Some("b"), false, false),
            (Some("a"), None, true, false),
        ] {
            assert_eq!(fits(target, own).is_ok(), told, "{target:?} {own:?}");
            assert_eq!(fits_delivered(target, own).is_ok(), delivered, "{target:?} {own:?}");
        }
    }
}
