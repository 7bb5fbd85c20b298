//! What was expected and what was found, in words, with the prefixes of the document.

use std::borrow::Cow;

use super::SchemaRun;
use crate::tree::{Attribute, Element};
use crate::xsd::model::{ContentCursor, Model, ModelLeaf};
use crate::xsd::schema::{Content, NamespaceConstraint, TypeRef};

/// Names that are listed at most.
const LISTED: usize = 6;
/// Characters of a value that are shown.
const SHOWN: usize = 60;

/// A value as it stands in the document, shortened.
pub(super) fn value(text: &str) -> String {
    let text = text.trim_matches(crate::xsd::value::is_space);
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// The name of an attribute as it is written.
pub(super) fn attribute_name(attribute: Attribute<'_>) -> String {
    match attribute.prefix {
        "" => attribute.local.to_owned(),
        prefix => format!("{prefix}:{}", attribute.local),
    }
}

impl<'d> SchemaRun<'_, 'd> {
    /// An element that was found, with its namespace where the prefix does not tell.
    pub(super) fn found(&self, element: Element<'d>) -> String {
        let name = element.qualified_name();
        let is_known = self.schema.find_namespace(element.namespace()).is_some();
        match element.namespace() {
            _ if is_known => name.into_owned(),
            "" => format!("{name} in no namespace"),
            namespace => format!("{name} of the namespace {namespace}"),
        }
    }

    /// A name of the schema with the prefix that the document has for its namespace here.
    fn prefixed(&self, scope: Element<'d>, name: u32) -> String {
        let (namespace, local) = self.schema.expanded(name);
        if namespace.is_empty() {
            return local.to_owned();
        }
        let mut place = Some(scope);
        while let Some(element) = place {
            for (prefix, uri) in element.declarations() {
                if uri == namespace && scope.resolve_prefix(prefix) == Some(uri) {
                    return match prefix {
                        "" => local.to_owned(),
                        prefix => format!("{prefix}:{local}"),
                    };
                }
            }
            place = element.parent();
        }
        format!("{{{namespace}}}{local}")
    }

    pub(super) fn describe_expected(
        &self,
        parent: Element<'d>,
        model: &Model,
        cursor: &ContentCursor,
    ) -> String {
        let expected = model.expected(cursor);
        let mut words: Vec<Cow<'_, str>> = Vec::new();
        for leaf in expected.iter().take(LISTED) {
            words.push(match *leaf {
                ModelLeaf::Element(at) => {
                    let name = self.schema.element(at).map_or(u32::MAX, |it| it.name);
                    Cow::Owned(self.prefixed(parent, name))
                }
                ModelLeaf::Wildcard(at) => {
                    let wildcard = self.schema.wildcards.get(at as usize);
                    match wildcard.map(|it| it.namespaces) {
                        Some(NamespaceConstraint::Not(_)) => {
                            Cow::Borrowed("an element of another namespace")
                        }
                        _ => Cow::Borrowed("an element that the wildcard admits"),
                    }
                }
            });
        }
        if expected.len() > LISTED {
            words.push(Cow::Owned(format!("{} more", expected.len() - LISTED)));
        }
        let end = format!("the end of {}", parent.qualified_name());
        if words.is_empty() || model.is_complete(cursor) {
            words.push(Cow::Owned(end));
        }
        match words.split_last() {
            Some((last, [])) => last.clone().into_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// The document elements of the schema.
    pub(super) fn describe_roots(&self) -> String {
        let mut roots: Vec<_> = self.schema.roots().map(|it| it.1).collect();
        roots.sort_unstable();
        match roots.as_slice() {
            [] => "an element that the schema declares".to_owned(),
            roots if roots.len() <= LISTED => format!("one of {}", roots.join(", ")),
            roots => format!("one of the {} elements that the schema declares", roots.len()),
        }
    }

    /// The attributes that the declared type of an element has.
    pub(super) fn describe_attributes(&self, element: Element<'d>) -> String {
        let name = self.doc_name(element).name;
        let declared = self.schema.name(name).and_then(|it| self.schema.element(it.element));
        let Some(TypeRef::Complex(at)) = declared.map(|it| it.ty) else {
            return format!("no such attribute on {}", element.qualified_name());
        };
        let Some(ty) = self.schema.complex_type(at) else { return String::new() };
        let names: Vec<_> = ty
            .attributes
            .of(&self.schema.attributes)
            .iter()
            .map(|it| self.schema.expanded(it.name).1)
            .collect();
        let kind = if matches!(ty.content, Content::Simple(_)) { "value" } else { "element" };
        match names.as_slice() {
            [] => format!("no attribute on the {kind} {}", element.qualified_name()),
            names if names.len() <= LISTED => format!("one of the attributes {}", names.join(", ")),
            names => format!(
                "one of {} attributes, such as {}",
                names.len(),
                names.first().unwrap_or(&"")
            ),
        }
    }
}
