//! Text nodes as values: one text, or none.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::{Read, Unreadable};

pub use crate::subset::text::{count, nodes};

/// `path/text()` as one value; `None` where there is no text.
///
/// # Errors
/// [`Unreadable`] where there are several texts.
pub fn one<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Option<Cow<'d, str>>> {
    let mut found = None;
    for element in elements {
        match count(element) {
            0 => {}
            1 if found.is_none() => found = Some(element.text()),
            _ => return Err(Unreadable::several(element)),
        }
    }
    Ok(found)
}

/// `text()` of an element; empty where there is none.
///
/// # Errors
/// [`Unreadable`] where there are several texts.
pub fn own(element: Element<'_>) -> Read<'_, Cow<'_, str>> {
    Ok(one(std::iter::once(element))?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use quoin_xml::tree::{Document, Limits};

    use super::*;

    #[test]
    fn a_comment_parts_a_text() {
        let text = b"<x>a<![CDATA[b]]>c<!-- --> d</x>";
        let document = Document::parse(text, &Limits::default()).unwrap();
        assert_eq!(nodes(document.root()), ["abc", " d"]);
        assert_eq!(count(document.root()), 2);
        assert!(one(std::iter::once(document.root())).is_err());
        assert_eq!(one(document.root().elements()), Ok(None));
    }
}
