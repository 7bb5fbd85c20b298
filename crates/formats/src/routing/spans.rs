//! Where an element ends in the text it stands in.

use quoin_xml::tree::Element;

/// The bytes of an element in the source of its document, from `<` to after the last `>`; `None`
/// where the text does not end as it should.
pub(crate) fn span(element: Element<'_>) -> Option<(usize, usize)> {
    let start = element.offset();
    let source = element.document().source();
    let mut at = start;
    let mut depth = 0usize;
    loop {
        let rest = source.get(at..)?;
        let open = rest.find('<')?;
        let tag = rest.get(open..)?;
        let (length, change) = piece(tag)?;
        at += open + length;
        match change {
            DepthChange::Opens => depth += 1,
            DepthChange::Closes => depth = depth.checked_sub(1)?,
            DepthChange::Nothing => {}
        }
        if depth == 0 {
            return Some((start, at));
        }
    }
}

/// What a piece of markup does to the depth.
enum DepthChange {
    Opens,
    Closes,
    Nothing,
}

/// The length of the markup that a text begins with, and what it does.
fn piece(tag: &str) -> Option<(usize, DepthChange)> {
    for (begin, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
        if let Some(inside) = tag.strip_prefix(begin) {
            return Some((begin.len() + inside.find(end)? + end.len(), DepthChange::Nothing));
        }
    }
    let length = tag_length(tag)?;
    let change = match (tag.starts_with("</"), tag.get(..length)?.ends_with("/>")) {
        (true, _) => DepthChange::Closes,
        (false, true) => DepthChange::Nothing,
        (false, false) => DepthChange::Opens,
    };
    Some((length, change))
}

/// A `>` inside the quotes of an attribute does not end a tag.
fn tag_length(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if byte == open => quote = None,
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}
