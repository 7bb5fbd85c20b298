//! Canonical XML: inclusive and exclusive, both without comments, over an element's subtree.
//!
//! Sources: Canonical XML 1.0; Exclusive XML Canonicalization 1.0.

#[cfg(test)]
mod tests;

use crate::tree::{Attribute, Element, Node};
use crate::write::{escape_attribute, escape_text};

/// Appends the exclusive canonical form of `element`.
///
/// `inclusive_prefixes` is the `PrefixList` of an `InclusiveNamespaces` element: prefixes that are
/// treated as inclusive canonicalization would, `#default` being the default namespace. They are
/// looked up once, at the apex: below it a binding changes only where an element declares it.
pub fn exclusive(element: Element<'_>, inclusive_prefixes: &[&str], out: &mut Vec<u8>) {
    exclusive_without(element, None, inclusive_prefixes, out);
}

/// The same, leaving out the subtree `omit`: with the signature there, this is the enveloped
/// signature transform followed by exclusive canonical XML.
pub fn exclusive_without(
    element: Element<'_>,
    omit: Option<Element<'_>>,
    inclusive_prefixes: &[&str],
    out: &mut Vec<u8>,
) {
    let mut listed: Vec<&str> =
        inclusive_prefixes.iter().map(|&p| if p == "#default" { "" } else { p }).collect();
    listed.sort_unstable();
    listed.dedup();
    CanonicalWriter { mode: CanonicalMode::Exclusive { listed }, omit, rendered: Vec::new() }
        .write(element, out);
}

/// Appends the inclusive canonical form of `element`, leaving out the subtree `omit`: with the
/// signature there, this is the enveloped signature transform followed by Canonical XML 1.0.
///
/// Attributes of the XML namespace on ancestors are not imported: `element` is expected to be the
/// document element, as in a document-wide reference.
pub fn inclusive(element: Element<'_>, omit: Option<Element<'_>>, out: &mut Vec<u8>) {
    CanonicalWriter { mode: CanonicalMode::Inclusive, omit, rendered: Vec::new() }
        .write(element, out);
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
    omit: Option<Element<'d>>,
    /// Namespace declarations already written on output ancestors, innermost last.
    rendered: Vec<(&'d str, &'d str)>,
}

impl<'d> CanonicalWriter<'_, 'd> {
    fn write(&mut self, apex: Element<'d>, out: &mut Vec<u8>) {
        let mut text = String::with_capacity(1024);
        self.element(apex, true, &mut text);
        out.extend_from_slice(text.as_bytes());
    }

    /// The recursion is bounded by the depth limit of the reader.
    fn element(&mut self, element: Element<'d>, is_apex: bool, out: &mut String) {
        if self.omit == Some(element) {
            return;
        }
        let mark = self.rendered.len();
        out.push('<');
        push_name(element.prefix(), element.local(), out);
        let mut attributes: Vec<Attribute<'d>> = element.attributes().collect();
        self.declarations(element, is_apex, &attributes, out);
        // Attributes are ordered by namespace name first, which is not the order of prefixes.
        attributes.sort_unstable_by_key(|a| (a.namespace, a.local));
        for attribute in &attributes {
            out.push(' ');
            push_name(attribute.prefix, attribute.local, out);
            out.push_str("=\"");
            escape_attribute(attribute.value, out);
            out.push('"');
        }
        out.push('>');
        for child in element.children() {
            match child {
                Node::Element(child) => self.element(child, false, out),
                Node::Text(text) => escape_text(text, out),
                Node::Comment => {}
                Node::Instruction { target, value } => push_instruction(target, value, out),
            }
        }
        out.push_str("</");
        push_name(element.prefix(), element.local(), out);
        out.push('>');
        self.rendered.truncate(mark);
    }

    fn declarations(
        &mut self,
        element: Element<'d>,
        is_apex: bool,
        attributes: &[Attribute<'d>],
        out: &mut String,
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
        wanted.sort_unstable();
        wanted.dedup();
        for (prefix, uri) in wanted {
            if prefix == "xml" || self.is_rendered(&(prefix, uri)) {
                continue;
            }
            out.push_str(" xmlns");
            if !prefix.is_empty() {
                out.push(':');
                out.push_str(prefix);
            }
            out.push_str("=\"");
            escape_attribute(uri, out);
            out.push('"');
            self.rendered.push((prefix, uri));
        }
    }

    /// Whether a prefix already stands for this name where the output is.
    fn is_rendered(&self, (prefix, uri): &(&str, &str)) -> bool {
        let outer = self.rendered.iter().rev().find(|(known, _)| known == prefix);
        outer.map_or("", |(_, uri)| *uri) == *uri
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

fn push_name(prefix: &str, local: &str, out: &mut String) {
    if !prefix.is_empty() {
        out.push_str(prefix);
        out.push(':');
    }
    out.push_str(local);
}

fn push_instruction(target: &str, value: &str, out: &mut String) {
    out.push_str("<?");
    out.push_str(target);
    if !value.is_empty() {
        out.push(' ');
        out.push_str(&value.replace('\r', "&#xD;"));
    }
    out.push_str("?>");
}
