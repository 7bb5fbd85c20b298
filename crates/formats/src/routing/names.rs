//! What a new element is called: by a prefix that stands for its namespace where it goes.

use quoin_xml::tree::Element;
use quoin_xml::write::escape_attribute;

/// The name of a new child of an element, and the namespace declaration that it needs, which is
/// empty where a prefix in scope stands for the namespace.
pub(crate) fn child_name(parent: Element<'_>, namespace: &str, local: &str) -> (String, String) {
    match prefix(parent, namespace) {
        Some("") => (local.to_owned(), String::new()),
        Some(prefix) => (format!("{prefix}:{local}"), String::new()),
        None => {
            let mut declaration = " xmlns=\"".to_owned();
            escape_attribute(namespace, &mut declaration);
            declaration.push('"');
            (local.to_owned(), declaration)
        }
    }
}

/// The prefix of a namespace: the nearest that is declared, and not for something else since.
fn prefix<'d>(parent: Element<'d>, namespace: &str) -> Option<&'d str> {
    let around = std::iter::successors(Some(parent), |own| own.parent());
    let declared = around.flat_map(Element::declarations).filter(|(_, name)| *name == namespace);
    let mut prefixes = declared.map(|(prefix, _)| prefix);
    prefixes.find(|prefix| parent.resolve_prefix(prefix) == Some(namespace))
}
