//! Writing another receiver into a document (`receiverId` of the interface), or another sender: the
//! electronic address of the party is replaced, or put where the syntax wants it. Everything else
//! stays byte by byte.

use quoin_xml::tree::Element;
use quoin_xml::write::{escape_attribute, escape_text};

use super::addresses::{Address, SyntaxPaths};
use super::names::child_name;
use super::spans::span;
use super::{all, endpoint};
use crate::{ParsedDocument, read};
use quoin_model::ElectronicAddress;

/// Why a receiver cannot be written into a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InjectError {
    /// Its kind has no place for a receiver, or it is no XML.
    #[error("this kind of document has no place for a receiver's electronic address")]
    NoPlace,
    /// The party is not there.
    #[error("the document has no such party that an electronic address could be put into")]
    NoParty,
    /// There are several electronic addresses.
    #[error("the party has several electronic addresses, expected one at most")]
    Several,
}

/// One end of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoutingEnd {
    /// Who sends it.
    Sender,
    /// Who receives it.
    Receiver,
}

/// The document with this receiver; `None` where it is the receiver already.
///
/// # Errors
/// [`InjectError`].
pub fn with_receiver(
    parsed: &ParsedDocument,
    receiver: &ElectronicAddress,
) -> Result<Option<Vec<u8>>, InjectError> {
    with_endpoint(parsed, RoutingEnd::Receiver, receiver)
}

/// As [`with_receiver`], of either end.
///
/// # Errors
/// [`InjectError`].
pub fn with_endpoint(
    parsed: &ParsedDocument,
    end: RoutingEnd,
    receiver: &ElectronicAddress,
) -> Result<Option<Vec<u8>>, InjectError> {
    let root = parsed.root().ok_or(InjectError::NoPlace)?;
    let row = Address::of(root).ok_or(InjectError::NoPlace)?;
    let (sender, other) = row.ends(parsed.detection().self_billing);
    let path = if end == RoutingEnd::Sender { sender } else { other };
    let shape = row.shape();
    let party = all(root, path).first().copied().ok_or(InjectError::NoParty)?;
    let found = all(party, shape.endpoint);
    if let Some(current) = endpoint(&[party], shape.endpoint)
        && current.scheme == receiver.scheme
        && current.value.eq_ignore_ascii_case(&receiver.value)
    {
        return Ok(None);
    }
    let source = root.document().source();
    let (from, to, text) = match found[..] {
        [] => {
            let at = place(party, shape).ok_or(InjectError::NoParty)?;
            (at, at, fresh(party, shape, receiver))
        }
        [element] => {
            let (from, to) = span(element).ok_or(InjectError::NoParty)?;
            (from, to, element_text(element, receiver))
        }
        _ => return Err(InjectError::Several),
    };
    let mut out = String::with_capacity(source.len() + text.len());
    out.push_str(source.get(..from).unwrap_or_default());
    out.push_str(&text);
    out.push_str(source.get(to..).unwrap_or_default());
    let out = utf8_declared(out.trim_start_matches('\u{feff}')).into_bytes();
    let written = read(&out).routing().and_then(|routing| match end {
        RoutingEnd::Sender => routing.sender.endpoint,
        RoutingEnd::Receiver => routing.receiver.endpoint,
    });
    if written.as_ref() == Some(receiver) { Ok(Some(out)) } else { Err(InjectError::NoParty) }
}

/// Where a new electronic address goes: before the first child that follows it in the syntax.
fn place(party: Element<'_>, shape: &SyntaxPaths) -> Option<usize> {
    let follows = |child: &Element<'_>| match shape.after_endpoint {
        [] => !shape.before_endpoint.contains(&child.local()),
        after => after.contains(&child.local()),
    };
    if let Some(next) = party.elements().find(follows) {
        return Some(next.offset());
    }
    // After the last child.
    party.elements().last().and_then(span).map(|(_, end)| end)
}

/// The element itself with another scheme and value; a namespace that it declares stays.
fn element_text(element: Element<'_>, receiver: &ElectronicAddress) -> String {
    let declared: String = element
        .declarations()
        .map(|(prefix, name)| {
            let colon = if prefix.is_empty() { "" } else { ":" };
            format!(" xmlns{colon}{prefix}=\"{}\"", attribute(name))
        })
        .collect();
    let name = element.qualified_name();
    format!("<{name}{declared}{}</{name}>", value(receiver))
}

/// A new element, with its namespace declared beside it where no prefix stands for it; in CII
/// inside its group.
fn fresh(party: Element<'_>, shape: &SyntaxPaths, receiver: &ElectronicAddress) -> String {
    let namespace = match shape.endpoint {
        [_] => crate::ubl::CBC,
        _ => party.namespace(),
    };
    let name = shape.endpoint.last().copied().unwrap_or("EndpointID");
    let (name, declared) = child_name(party, namespace, name);
    match shape.endpoint {
        [group, _] => {
            let (group, declared) = child_name(party, namespace, group);
            format!("<{group}{declared}><{name}{}</{name}></{group}>", value(receiver))
        }
        _ => format!("<{name}{declared}{}</{name}>", value(receiver)),
    }
}

fn value(receiver: &ElectronicAddress) -> String {
    let mut text = format!(" schemeID=\"{}\">", attribute(&receiver.scheme));
    escape_text(&receiver.value, &mut text);
    text
}

fn attribute(text: &str) -> String {
    let mut out = String::new();
    escape_attribute(text, &mut out);
    out
}

/// The text is UTF-8 now, whatever it was before.
fn utf8_declared(text: &str) -> String {
    let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    match text.strip_prefix("<?xml ").and_then(|rest| rest.split_once("?>")) {
        Some((old, rest)) if old.to_ascii_lowercase().contains("encoding") => {
            format!("{declaration}{rest}")
        }
        _ => text.to_owned(),
    }
}
