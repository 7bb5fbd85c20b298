//! The whole invoice inside a report, without the files that are embedded in it (AE: tdt-012).

use quoin_formats::ubl::{CAC, CBC};
use quoin_xml::tree::{Element, Node};
use quoin_xml::write::{escape_attribute, escape_text};

use super::markup::Markup;

/// Writes the invoice with the namespaces that it needs, wherever it stood before.
pub(super) fn write(root: Element<'_>, out: &mut Markup) {
    let out = out.raw();
    out.push('\n');
    element(root, Some(&in_scope(root)), out);
}

/// Namespace declarations that hold at an element, the innermost of each prefix. A prefix that
/// holds nothing is declared too where it is the default one, because another may hold around the
/// copy.
fn in_scope(element: Element<'_>) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut at = Some(element);
    while let Some(one) = at {
        for (prefix, uri) in one.declarations() {
            if prefix != "xml" && !found.iter().any(|(known, _)| known == prefix) {
                found.push((prefix.to_owned(), uri.to_owned()));
            }
        }
        at = one.parent();
    }
    found.sort();
    found
}

/// The recursion is bounded by the depth limit of the reader.
fn element(own: Element<'_>, declared: Option<&[(String, String)]>, out: &mut String) {
    if is_embedded(own) {
        return;
    }
    let name = own.qualified_name();
    out.push('<');
    out.push_str(&name);
    match declared {
        Some(all) => all.iter().for_each(|(prefix, uri)| declaration(prefix, uri, out)),
        None => own.declarations().for_each(|(prefix, uri)| declaration(prefix, uri, out)),
    }
    for attribute in own.attributes() {
        out.push(' ');
        if !attribute.prefix.is_empty() {
            out.push_str(attribute.prefix);
            out.push(':');
        }
        out.push_str(attribute.local);
        out.push_str("=\"");
        escape_attribute(attribute.value, out);
        out.push('"');
    }
    out.push('>');
    for child in own.children() {
        match child {
            Node::Element(child) => element(child, None, out),
            Node::Text(text) => escape_text(text, out),
            Node::Comment | Node::Instruction { .. } => {}
        }
    }
    out.push_str("</");
    out.push_str(&name);
    out.push('>');
}

fn declaration(prefix: &str, uri: &str, out: &mut String) {
    out.push_str(" xmlns");
    if !prefix.is_empty() {
        out.push(':');
        out.push_str(prefix);
    }
    out.push_str("=\"");
    escape_attribute(uri, out);
    out.push('"');
}

/// An embedded file, or an attachment that would be empty without it.
fn is_embedded(element: Element<'_>) -> bool {
    let binary = |one: Element<'_>| one.is(CBC, "EmbeddedDocumentBinaryObject");
    binary(element)
        || element.is(CAC, "Attachment")
            && element.elements().next().is_some()
            && element.elements().all(binary)
}
