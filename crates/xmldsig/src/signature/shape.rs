//! What may stand in `SignedInfo`: exactly what the schema of XML signatures has for the
//! algorithms
//! that are accepted. Anything else is refused before a byte of it is canonicalized.
//!
//! Source: XML Signature Syntax and Processing 1.0, section 4.3; Exclusive XML Canonicalization
//! 1.0, section 3 (`InclusiveNamespaces`).

use super::SignatureError;
use quoin_xml::namespaces::{DS, EXC_C14N};
use quoin_xml::tree::{Element, Node};

/// An element of `SignedInfo`: its namespace and name, its attributes, what may be in it.
struct AllowedElement {
    namespace: &'static str,
    local: &'static str,
    attributes: &'static [&'static str],
    children: &'static [AllowedElement],
    has_text: bool,
}

const fn shape(
    local: &'static str,
    attributes: &'static [&'static str],
    children: &'static [AllowedElement],
) -> AllowedElement {
    AllowedElement { namespace: DS, local, attributes, children, has_text: false }
}

const INCLUSIVE: AllowedElement = AllowedElement {
    namespace: EXC_C14N,
    local: "InclusiveNamespaces",
    attributes: &["PrefixList"],
    children: &[],
    has_text: false,
};
const TRANSFORM: AllowedElement = shape("Transform", &["Algorithm"], &[INCLUSIVE]);
const DIGEST_VALUE: AllowedElement =
    AllowedElement { has_text: true, ..shape("DigestValue", &[], &[]) };
const REFERENCE: AllowedElement = shape(
    "Reference",
    &["Id", "URI", "Type"],
    &[
        shape("Transforms", &[], &[TRANSFORM]),
        shape("DigestMethod", &["Algorithm"], &[]),
        DIGEST_VALUE,
    ],
);
const SIGNED_INFO: AllowedElement = shape(
    "SignedInfo",
    &["Id"],
    &[
        shape("CanonicalizationMethod", &["Algorithm"], &[INCLUSIVE]),
        shape("SignatureMethod", &["Algorithm"], &[]),
        REFERENCE,
    ],
);

/// Refuses a `SignedInfo` that holds anything else. Each element is looked at once.
pub(crate) fn check(signed_info: Element<'_>) -> Result<(), SignatureError> {
    follow(signed_info, &SIGNED_INFO)
}

fn follow(element: Element<'_>, shape: &AllowedElement) -> Result<(), SignatureError> {
    let unexpected = |found: String| {
        let parent = element.qualified_name().to_string();
        SignatureError::Unexpected { found, parent }
    };
    for attribute in element.attributes() {
        let is_known =
            attribute.namespace.is_empty() && shape.attributes.contains(&attribute.local);
        if !is_known {
            return Err(unexpected(format!("the attribute {:.80}", attribute.local)));
        }
    }
    for child in element.children() {
        match child {
            Node::Element(child) => {
                let fits = |shape: &&AllowedElement| child.is(shape.namespace, shape.local);
                match shape.children.iter().find(fits) {
                    Some(shape) => follow(child, shape)?,
                    None => return Err(unexpected(format!("the element {:.80}", child.local()))),
                }
            }
            Node::Text(text) if !shape.has_text && !text.trim().is_empty() => {
                return Err(unexpected("text".to_owned()));
            }
            Node::Text(_) | Node::Comment => {}
            Node::Instruction { .. } => {
                return Err(unexpected("a processing instruction".to_owned()));
            }
        }
    }
    Ok(())
}
