//! The Peppol envelope: the standard business document header and how it fits its payload.
//!
//! There is no official rule file; the identifiers are ours. The rules run at the envelope,
//! whatever is in it, beside those of the document; the official schema has the last of them.
//!
//! Sources: Peppol Business Message Envelope 2.0 sections 2.2 to 2.9, Peppol policy for use of
//! identifiers 4.3 (document type identifiers), UN/CEFACT SBDH 1.3.

mod fields;
mod fit;
mod schema;
mod scopes;
#[cfg(test)]
mod tests;

use quoin_xml::tree::Element;

use super::{Facts, Rule};
use quoin_formats::detection::SBDH;

/// The package that judges an envelope, and its one set.
pub(crate) const PACKAGE: &str = "peppol-sbdh";

/// The rules.
pub(crate) const RULES: &[&[Rule]] = &[fields::RULES, scopes::RULES, fit::RULES, schema::SCHEMA];

/// The children of an element that are of the header's namespace and of this name.
fn parts<'d>(
    parent: Element<'d>,
    local: &'static str,
) -> impl Iterator<Item = Element<'d>> + Clone {
    let all: Vec<Element<'d>> = parent.children_named(SBDH, local).collect();
    all.into_iter()
}

/// The first header of an envelope.
fn header<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    facts.root().child(SBDH, "StandardBusinessDocumentHeader")
}

/// What an envelope holds beside its headers.
fn payloads<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    let is_header = |child: &Element<'_>| child.is(SBDH, "StandardBusinessDocumentHeader");
    facts.root().elements().filter(move |child| !is_header(child))
}

/// The one scope with a key, if there is exactly one.
fn scope<'d>(facts: &Facts<'d>, key: &str) -> Option<Element<'d>> {
    let business = header(facts)?.child(SBDH, "BusinessScope")?;
    let is_key = |scope: &Element<'_>| {
        scope.child(SBDH, "Type").is_some_and(|own| quoin_model::text::trimmed(own) == key)
    };
    let mut found = business.children_named(SBDH, "Scope").filter(is_key);
    found.next().filter(|_| found.next().is_none())
}

/// The trimmed text of the first child of a name; empty where there is none.
fn value(parent: Element<'_>, local: &str) -> String {
    let child = parent.child(SBDH, local);
    child.map(quoin_model::text::trimmed).unwrap_or_default().into_owned()
}
