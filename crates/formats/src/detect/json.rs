//! What a JSON text is: GOBL, UBL in JSON, SETU.
//!
//! A scanner over the first bytes, not a parser: it goes forward only, keeps no tree, and collects
//! the members of the two outermost levels.

use std::collections::BTreeSet;

use super::Detection;
use super::sniff::LOOK;
use crate::json::is_member;
use crate::ubl::{UBL_PREFIX, ubl_kind};
use crate::{DocumentKind, Format, Syntax};

/// Members that are collected.
const MAX_MEMBERS: usize = 256;

/// A member of the two outermost objects.
struct JsonMember<'t> {
    depth: usize,
    key: &'t str,
    /// Its value, where that is a text.
    text: Option<&'t str>,
}

pub(super) fn look(bytes: &[u8], found: &mut Detection) {
    let head = bytes.get(..bytes.len().min(LOOK)).unwrap_or_default();
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => {
            std::str::from_utf8(head.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or("")
        }
    };
    let members = members(text);
    let top: Vec<&str> = members.iter().filter(|m| m.depth == 1).map(|m| m.key).collect();
    let value = |key: &str, depth: usize| {
        members.iter().find(|m| m.depth == depth && m.key == key).and_then(|m| m.text)
    };
    let schema = value("$schema", 1);
    let ours = || Format::by_id("invoice-json-plain").filter(|_| schema.is_none() && is_ours(&top));
    let Some(format) = Format::of_json(schema, &top).or_else(ours) else {
        if schema.is_none() && text.starts_with('{') && top.iter().all(|&m| is_member(m)) {
            return begun(&top, found);
        }
        return found.because(format!(
            "It names no form of JSON that is known; an invoice in the form of EN 16931 begins with \
             {{\"$schema\": \"{}\".",
            crate::json::NAMESPACE
        ));
    };
    found.take(format);
    found.because(format!("Its members are those of {}.", format.title));
    match format.syntax {
        Syntax::Gobl => gobl(&members, found),
        Syntax::UblJson => {
            let namespace = value("_D", 1).unwrap_or_default();
            let name = namespace.strip_prefix(UBL_PREFIX).and_then(|n| n.strip_suffix("-2"));
            found.kind = name.and_then(ubl_kind).or(found.kind);
        }
        _ => {}
    }
}

/// What every invoice of our form has.
const TELLS: [&str; 4] = ["number", "issueDate", "typeCode", "currency"];

/// Whether every member is one of our form, where one that tells it is missing or the text is cut
/// off: what is wrong is told by its reader.
fn is_ours(top: &[&str]) -> bool {
    let names: BTreeSet<&str> = top.iter().copied().collect();
    names.len() >= TELLS.len()
        && names.iter().all(|name| is_member(name))
        && TELLS.iter().filter(|name| names.contains(*name)).count() > 1
}

/// An object that says nothing but what an invoice of our form says, and too little to be one.
fn begun(top: &[&str], found: &mut Detection) {
    found.kind = Some(DocumentKind::Invoice);
    let lacks: Vec<&str> = TELLS.into_iter().filter(|name| !top.contains(name)).collect();
    found.because(format!(
        "It is no invoice in the form of EN 16931, which begins with {{\"$schema\": \"{}\", and \
         lacks {}.",
        crate::json::NAMESPACE,
        lacks.join(", ")
    ));
}

/// An envelope of GOBL has the document in `doc`; both name a schema.
fn gobl(members: &[JsonMember<'_>], found: &mut Detection) {
    let schema = |depth: usize| {
        members.iter().find(|m| m.depth == depth && m.key == "$schema").and_then(|m| m.text)
    };
    let depth = if schema(1).is_some_and(|s| s.ends_with("/envelope")) { 2 } else { 1 };
    let of_doc = |key: &str| -> Vec<&str> {
        let fits = members.iter().filter(|member| member.depth == depth && member.key == key);
        fits.filter_map(|member| member.text).collect()
    };
    let schema = of_doc("$schema").first().copied().unwrap_or_default();
    let kind = of_doc("type").first().copied().unwrap_or_default();
    found.kind = Some(match (schema.rsplit_once("/bill/").map_or("", |(_, s)| s), kind) {
        ("invoice", "credit-note") => DocumentKind::CreditNote,
        ("invoice", "debit-note") => DocumentKind::DebitNote,
        ("invoice", _) => DocumentKind::Invoice,
        ("order", _) => DocumentKind::Order,
        ("delivery", _) => DocumentKind::DespatchAdvice,
        ("status", _) => DocumentKind::LifecycleStatus,
        ("payment", _) => DocumentKind::Payment,
        _ => DocumentKind::Other,
    });
    found.self_billing = of_doc("$tags").contains(&"self-billed");
}

/// The members of the two outermost levels, in the order of the text. Texts in an array are given
/// as values of the array's key.
fn members(text: &str) -> Vec<JsonMember<'_>> {
    let mut members = Vec::new();
    let mut rest = text;
    // For each open bracket: whether it is an object. Keys are only kept down to depth 2.
    let mut open: Vec<bool> = Vec::new();
    let mut keys = [""; 3];
    let (mut depth, mut expects_value) = (0, false);
    while members.len() < MAX_MEMBERS
        && let Some(at) = rest.find(['"', '{', '}', '[', ']', ':', ','])
    {
        let (_, tail) = rest.split_at(at);
        let (sign, tail) = tail.split_at(1);
        rest = tail;
        match sign {
            "{" | "[" => {
                open.push(sign == "{");
                depth += usize::from(sign == "{");
                expects_value = false;
            }
            "}" | "]" => {
                depth -= usize::from(open.pop() == Some(true));
            }
            ":" => expects_value = true,
            "," => expects_value = false,
            _ => {
                let Some((string, after)) = string(rest) else { break };
                rest = after;
                let in_object = open.last() == Some(&true);
                let Some(key) = keys.get_mut(depth).filter(|_| depth > 0) else { continue };
                if in_object && !expects_value {
                    *key = string;
                    members.push(JsonMember { depth, key: string, text: None });
                } else {
                    members.push(JsonMember { depth, key, text: Some(string) });
                }
                expects_value = false;
            }
        }
    }
    // A key and the text after it are one member: the text is put where the key is looked for.
    members.sort_by_key(|member| member.text.is_none());
    members
}

/// A text up to its closing quote, with escapes as written.
fn string(text: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}
