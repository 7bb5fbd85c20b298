//! Canonical XML: inclusive and exclusive, both without comments, over an element's subtree.
//!
//! The inclusive form grows as the document. The exclusive one says a namespace again in every
//! element that uses it below one that does not: a name of 32 kB in 16,000 elements is half a
//! gigabyte. Whoever asks for it says how much room there is.
//!
//! Sources: Canonical XML 1.0; Exclusive XML Canonicalization 1.0.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::tree::{Attribute, Document, Element, Node};
use crate::write::{attribute_escaped, text_escaped};

/// Bytes of canonical XML for each byte of a document that has to be trusted before it is worked
/// with. Canonical XML of an invoice has six where each leaf says its namespace anew.
const TIMES: usize = 16;
/// Bytes for a document however small it is.
const LEAST: usize = 64 << 10;

/// The canonical form of an element would be larger than the room for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the canonical form of {element} takes more than {room} bytes: its elements say long \
     namespaces again and again; use them in an element around those"
)]
pub struct CanonicalTooLong {
    /// Local name of the element, at most 80 characters.
    pub element: String,
    /// How many bytes there may be.
    pub room: usize,
}

/// The room for a canonical form of anything in a document: so many bytes for each of its own.
pub fn room_of(document: &Document) -> usize {
    document.source().len().saturating_mul(TIMES).saturating_add(LEAST)
}

/// Appends the exclusive canonical form of `element`, of at most `room` bytes.
///
/// `inclusive_prefixes` is the `PrefixList` of an `InclusiveNamespaces` element: prefixes that are
/// treated as inclusive canonicalization would, `#default` being the default namespace. They are
/// looked up once, at the apex: below it a binding changes only where an element declares it.
///
/// # Errors
/// [`CanonicalTooLong`] as soon as the room is full; what was written is of no use then.
pub fn exclusive(
    element: Element<'_>,
    inclusive_prefixes: &[&str],
    room: usize,
    out: &mut Vec<u8>,
) -> Result<(), CanonicalTooLong> {
    exclusive_without(element, None, inclusive_prefixes, room, out)
}

/// The same, leaving out the subtree `omit`: with the signature there, this is the enveloped
/// signature transform followed by exclusive canonical XML.
///
/// # Errors
/// [`CanonicalTooLong`].
pub fn exclusive_without(
    element: Element<'_>,
    omit: Option<Element<'_>>,
    inclusive_prefixes: &[&str],
    room: usize,
    out: &mut Vec<u8>,
) -> Result<(), CanonicalTooLong> {
    let mut listed: Vec<&str> =
        inclusive_prefixes.iter().map(|&p| if p == "#default" { "" } else { p }).collect();
    listed.sort_unstable();
    listed.dedup();
    let mode = CanonicalMode::Exclusive { listed };
    let is_whole = CanonicalWriter::new(mode, omit.as_slice()).write(element, room, out);
    let too_long = || CanonicalTooLong { element: format!("{:.80}", element.local()), room };
    is_whole.then_some(()).ok_or_else(too_long)
}

/// Appends the inclusive canonical form of `element`, leaving out the subtrees `omit`, which are
/// few: with the signature there, this is the enveloped signature transform followed by Canonical
/// XML 1.0.
///
/// Attributes of the XML namespace on ancestors are not imported: `element` is expected to be the
/// document element, as in a document-wide reference.
pub fn inclusive(element: Element<'_>, omit: &[Element<'_>], out: &mut Vec<u8>) {
    CanonicalWriter::new(CanonicalMode::Inclusive, omit).write(element, usize::MAX, out);
}

/// What is written, as long as there is room.
struct CanonicalText<'o> {
    out: &'o mut Vec<u8>,
    left: usize,
    is_full: bool,
}

impl CanonicalText<'_> {
    fn push(&mut self, text: &str) {
        match self.left.checked_sub(text.len()) {
            Some(left) if !self.is_full => {
                self.left = left;
                self.out.extend_from_slice(text.as_bytes());
            }
            _ => self.is_full = true,
        }
    }
}

/// Whether two namespace names of one document are the same: each is kept once, and a name may be
/// so long that to compare it with every other is work.
fn is_same(one: &str, other: &str) -> bool {
    std::ptr::eq(one, other) || one.is_empty() && other.is_empty()
}

enum CanonicalMode<'a> {
    Inclusive,
    /// With the prefixes of the list, sorted.
    Exclusive {
        listed: Vec<&'a str>,
    },
}

struct CanonicalWriter<'a, 'd> {
    mode: CanonicalMode<'a>,
    omit: &'a [Element<'d>],
    /// Namespace declarations already written on output ancestors, innermost last.
    rendered: Vec<(&'d str, &'d str)>,
    /// The places of the namespace names of the document in their order, by where each is kept;
    /// made when they are needed.
    order: Option<HashMap<*const u8, usize>>,
}

impl<'a, 'd> CanonicalWriter<'a, 'd> {
    fn new(mode: CanonicalMode<'a>, omit: &'a [Element<'d>]) -> CanonicalWriter<'a, 'd> {
        CanonicalWriter { mode, omit, rendered: Vec::new(), order: None }
    }

    /// Whether all of it had room.
    fn write(mut self, apex: Element<'d>, room: usize, out: &mut Vec<u8>) -> bool {
        let mut text = CanonicalText { out, left: room, is_full: false };
        self.element(apex, true, &mut text);
        !text.is_full
    }

    /// The recursion is bounded by the depth limit of the reader.
    fn element(&mut self, element: Element<'d>, is_apex: bool, out: &mut CanonicalText<'_>) {
        if self.omit.contains(&element) {
            return;
        }
        let mark = self.rendered.len();
        out.push("<");
        push_name(element.prefix(), element.local(), out);
        let mut attributes: Vec<Attribute<'d>> = element.attributes().collect();
        self.declarations(element, is_apex, &attributes, out);
        self.sort(&mut attributes, element.document());
        for attribute in &attributes {
            out.push(" ");
            push_name(attribute.prefix, attribute.local, out);
            out.push("=\"");
            attribute_escaped(attribute.value, |part| out.push(part));
            out.push("\"");
        }
        out.push(">");
        for child in element.children() {
            if out.is_full {
                return;
            }
            match child {
                Node::Element(child) => self.element(child, false, out),
                Node::Text(text) => text_escaped(text, |part| out.push(part)),
                Node::Comment => {}
                Node::Instruction { target, value } => push_instruction(target, value, out),
            }
        }
        out.push("</");
        push_name(element.prefix(), element.local(), out);
        out.push(">");
        self.rendered.truncate(mark);
    }

    /// Attributes are ordered by namespace name first, which is not the order of prefixes.
    fn sort(&mut self, attributes: &mut [Attribute<'d>], document: &'d Document) {
        let mut names = attributes.iter().map(|own| own.namespace).filter(|name| !name.is_empty());
        let first = names.next();
        if first.is_none_or(|first| names.all(|other| is_same(first, other))) {
            attributes.sort_unstable_by_key(|own| (!own.namespace.is_empty(), own.local));
            return;
        }
        let order = self.order.get_or_insert_with(|| {
            let mut names: Vec<&str> = document.namespace_names().collect();
            names.sort_unstable();
            names.iter().enumerate().map(|(place, name)| (name.as_ptr(), place)).collect()
        });
        let place = |name: &str| match name.is_empty() {
            true => None,
            false => order.get(&name.as_ptr()),
        };
        attributes.sort_unstable_by_key(|own| (place(own.namespace), own.local));
    }

    fn declarations(
        &mut self,
        element: Element<'d>,
        is_apex: bool,
        attributes: &[Attribute<'d>],
        out: &mut CanonicalText<'_>,
    ) {
        let mut wanted: Vec<(&'d str, &'d str)> = Vec::new();
        match &self.mode {
            CanonicalMode::Inclusive if is_apex => in_scope(element, &mut wanted),
            CanonicalMode::Inclusive => wanted.extend(element.declarations()),
            CanonicalMode::Exclusive { listed } => {
                let used = attributes.iter().filter(|attribute| !attribute.prefix.is_empty());
                let used = used.map(|attribute| (attribute.prefix, attribute.namespace));
                let own = (element.prefix(), element.namespace());
                wanted.extend(std::iter::once(own).chain(used).filter(|binding| {
                    // Most elements need nothing that is not there already.
                    !self.is_rendered(binding)
                }));
                if is_apex {
                    wanted.extend(listed.iter().filter_map(|prefix| binding(element, prefix)));
                } else if !listed.is_empty() {
                    let is_listed = |prefix| listed.binary_search(&prefix).is_ok();
                    wanted.extend(element.declarations().filter(|(prefix, _)| is_listed(prefix)));
                }
            }
        }
        // At one element a prefix stands for one name.
        wanted.sort_unstable_by_key(|(prefix, _)| *prefix);
        wanted.dedup_by_key(|(prefix, _)| *prefix);
        for (prefix, uri) in wanted {
            if prefix == "xml" || self.is_rendered(&(prefix, uri)) {
                continue;
            }
            out.push(" xmlns");
            if !prefix.is_empty() {
                out.push(":");
                out.push(prefix);
            }
            out.push("=\"");
            attribute_escaped(uri, |part| out.push(part));
            out.push("\"");
            self.rendered.push((prefix, uri));
        }
    }

    /// Whether a prefix already stands for this name where the output is.
    fn is_rendered(&self, (prefix, uri): &(&str, &str)) -> bool {
        let outer = self.rendered.iter().rev().find(|(known, _)| known == prefix);
        is_same(outer.map_or("", |(_, uri)| *uri), uri)
    }
}

/// All bindings in scope at an element.
fn in_scope<'d>(element: Element<'d>, wanted: &mut Vec<(&'d str, &'d str)>) {
    let mut place = Some(element);
    while let Some(at) = place {
        for (prefix, uri) in at.declarations() {
            if !wanted.iter().any(|(known, _)| *known == prefix) {
                wanted.push((prefix, uri));
            }
        }
        place = at.parent();
    }
}

/// The declaration of a prefix in scope at an element, with the prefix borrowed from the document.
fn binding<'d>(element: Element<'d>, prefix: &str) -> Option<(&'d str, &'d str)> {
    let mut place = Some(element);
    while let Some(at) = place {
        if let Some(found) = at.declarations().find(|(known, _)| *known == prefix) {
            return Some(found);
        }
        place = at.parent();
    }
    None
}

fn push_name(prefix: &str, local: &str, out: &mut CanonicalText<'_>) {
    if !prefix.is_empty() {
        out.push(prefix);
        out.push(":");
    }
    out.push(local);
}

fn push_instruction(target: &str, value: &str, out: &mut CanonicalText<'_>) {
    out.push("<?");
    out.push(target);
    let mut parts = value.split('\r');
    if let Some(first) = parts.next().filter(|_| !value.is_empty()) {
        out.push(" ");
        out.push(first);
    }
    for part in parts {
        out.push("&#xD;");
        out.push(part);
    }
    out.push("?>");
}
