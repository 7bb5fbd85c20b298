//! Text nodes, as `text()` of XPath has them.

use std::borrow::Cow;

use quoin_xml::tree::{Element, Node};

use super::{Read, Unreadable};

/// The text nodes of an element; a comment inside a text makes two of it.
pub fn nodes(element: Element<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut continues = false;
    for child in element.children() {
        match child {
            Node::Text("") => continue,
            Node::Text(text) => match found.last_mut().filter(|_| continues) {
                Some(last) => last.push_str(text),
                None => found.push(text.to_owned()),
            },
            _ => {}
        }
        continues = matches!(child, Node::Text(_));
    }
    found
}

/// How many text nodes an element has.
pub fn count(element: Element<'_>) -> u32 {
    let (mut count, mut continues) = (0, false);
    for child in element.children() {
        match child {
            Node::Text("") => continue,
            Node::Text(_) if !continues => count += 1,
            _ => {}
        }
        continues = matches!(child, Node::Text(_));
    }
    count
}

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
