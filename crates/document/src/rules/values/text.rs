//! Text nodes, as `text()` of XPath has them.

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

/// `path/text()` as one value; `None` where there is no text.
///
/// # Errors
/// [`Unreadable`] where there are several texts.
pub fn one<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Option<String>> {
    let mut found = None;
    for element in elements {
        for text in nodes(element) {
            if found.replace(text).is_some() {
                return Err(Unreadable::several(element));
            }
        }
    }
    Ok(found)
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
        assert!(one(std::iter::once(document.root())).is_err());
        assert_eq!(one(document.root().elements()), Ok(None));
    }
}
