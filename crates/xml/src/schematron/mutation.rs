//! The unit tests of XRechnung: documents with instructions that say how to change them and which
//! rules must then hold or be broken.
//!
//! `<?xmute mutator="remove" schematron-invalid="xrubl:BR-DE-1"?>` is about the element that follows
//! it. The mutators of the published tests are `identity`, `remove`, `empty` and `code`.

use crate::tree::{Document, Element, Limits, Node, ParseError, Position};
use crate::write::{escape_attribute, escape_text};

/// One changed document and what must hold for it.
#[derive(Debug)]
pub struct Mutation {
    /// The `id` of the instruction.
    pub name: String,
    /// The element that is changed.
    pub position: Position,
    /// Rules that must not be broken: name of the rule set (`xrubl`) and identifier.
    pub valid: Vec<(String, String)>,
    /// Rules that must be broken.
    pub invalid: Vec<(String, String)>,
    /// The document after the change.
    pub document: Document,
}

/// Why the instructions of a document cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum MutationError {
    /// The document, before or after a change, is not well-formed.
    #[error(transparent)]
    Xml(#[from] ParseError),
    /// A mutator that is not known.
    #[error("expected identity, remove, empty or code, found {found:?} ({position})")]
    Mutator {
        /// Its name.
        found: String,
        /// The element it is about.
        position: Position,
    },
}

/// What happens to an element.
#[derive(Debug, Clone, Copy)]
struct MutationEdit<'e> {
    element: Element<'e>,
    /// The attribute that is meant, and not the element.
    attribute: Option<&'e str>,
    change: ElementChange<'e>,
}

#[derive(Debug, Clone, Copy)]
enum ElementChange<'e> {
    None,
    Remove,
    Text(&'e str),
}

/// All mutations of a document, in its order; none where it has no instructions.
///
/// # Errors
/// [`MutationError`].
pub fn mutations(bytes: &[u8]) -> Result<Vec<Mutation>, MutationError> {
    let document = Document::parse(bytes, &Limits::default())?;
    let mut found = Vec::new();
    for parent in document.root().descendants() {
        let mut pending: Vec<&str> = Vec::new();
        for child in parent.children() {
            match child {
                Node::Instruction { target: "xmute", value } => pending.push(value),
                Node::Element(element) => {
                    for instruction in pending.drain(..) {
                        apply(&document, element, instruction, &mut found)?;
                    }
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

fn apply(
    document: &Document,
    element: Element<'_>,
    instruction: &str,
    found: &mut Vec<Mutation>,
) -> Result<(), MutationError> {
    let pairs = pseudo_attributes(instruction);
    let get = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    let rules = |name: &str| {
        let lists = pairs.iter().filter(|(key, _)| *key == name);
        let rules = lists.flat_map(|(_, list)| list.split([' ', ',', '\n', '\r', '\t']));
        let split = rules.filter_map(|rule| rule.split_once(':'));
        split.map(|(set, rule)| (set.to_owned(), rule.to_owned())).collect::<Vec<_>>()
    };
    let values = get("values").unwrap_or_default();
    let separator = get("separator").unwrap_or(",");
    let changes: Vec<ElementChange<'_>> = match get("mutator") {
        Some("identity") => vec![ElementChange::None],
        Some("remove") => vec![ElementChange::Remove],
        Some("empty") => vec![ElementChange::Text("")],
        Some("code") => {
            values.split(separator).map(|value| ElementChange::Text(value.trim())).collect()
        }
        other => {
            let found = other.unwrap_or_default().to_owned();
            return Err(MutationError::Mutator { found, position: element.position() });
        }
    };
    for change in changes {
        let edit = MutationEdit { element, attribute: get("attribute"), change };
        let mut text = String::with_capacity(document.source().len());
        write(document.root(), &edit, &mut text);
        found.push(Mutation {
            name: get("id").unwrap_or_default().to_owned(),
            position: element.position(),
            valid: rules("schematron-valid"),
            invalid: rules("schematron-invalid"),
            document: Document::parse(text.as_bytes(), &Limits::default())?,
        });
    }
    Ok(())
}

/// `name="value"` pairs; a name may occur more than once.
fn pseudo_attributes(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some((value, next)) = after.get(1..).unwrap_or_default().split_once(quote) else {
            break;
        };
        pairs.push((name.trim(), value));
        rest = next;
    }
    pairs
}

/// Writes an element with all inside, changed where the edit says so.
fn write(element: Element<'_>, edit: &MutationEdit<'_>, out: &mut String) {
    let is_meant = element == edit.element;
    let whole = edit.attribute.is_none();
    if is_meant && whole && matches!(edit.change, ElementChange::Remove) {
        return;
    }
    let name = element.qualified_name();
    out.push('<');
    out.push_str(&name);
    for (prefix, uri) in element.declarations() {
        out.push_str(if prefix.is_empty() { " xmlns" } else { " xmlns:" });
        out.push_str(prefix);
        push_value(uri, out);
    }
    let mut has_meant = false;
    for attribute in element.attributes() {
        let is_edited = is_meant && edit.attribute == Some(attribute.local);
        has_meant |= is_edited;
        let value = match edit.change {
            ElementChange::Remove if is_edited => continue,
            ElementChange::Text(text) if is_edited => text,
            _ => attribute.value,
        };
        out.push(' ');
        if !attribute.prefix.is_empty() {
            out.push_str(attribute.prefix);
            out.push(':');
        }
        out.push_str(attribute.local);
        push_value(value, out);
    }
    match (edit.attribute, edit.change) {
        (Some(name), ElementChange::Text(text)) if is_meant && !has_meant => {
            out.push(' ');
            out.push_str(name);
            push_value(text, out);
        }
        _ => {}
    }
    out.push('>');
    match edit.change {
        ElementChange::Text(text) if is_meant && whole => escape_text(text, out),
        _ => {
            for child in element.children() {
                match child {
                    Node::Element(inner) => write(inner, edit, out),
                    Node::Text(text) => escape_text(text, out),
                    _ => {}
                }
            }
        }
    }
    out.push_str("</");
    out.push_str(&name);
    out.push('>');
}

fn push_value(value: &str, out: &mut String) {
    out.push_str("=\"");
    escape_attribute(value, out);
    out.push('"');
}
