//! Text nodes, as `text()` of XPath has them.

use quoin_xml::tree::{Element, Node};

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
