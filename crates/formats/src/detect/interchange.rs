//! What an EDIFACT or X12 interchange carries: the type of its first message.
//!
//! Sources: UN/EDIFACT syntax rules (ISO 9735) for UNA, UNB and UNH; ANSI X12.5 for ISA, GS and ST.

use super::Detection;
use super::sniff::LOOK;
use crate::Syntax;
use crate::interchange::MESSAGES;

pub(super) fn look(bytes: &[u8], found: &mut Detection) {
    let head = bytes.get(..bytes.len().min(LOOK)).unwrap_or_default();
    let text = String::from_utf8_lossy(head);
    let message = match found.syntax {
        Some(Syntax::Edifact) => edifact(&text),
        _ => x12(&text),
    };
    let Some((name, version)) = message else { return };
    let kind = MESSAGES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    found.kind = kind.or(found.kind);
    found.version = version.filter(|version| version.len() < 40);
    let name: String = name.chars().take(6).collect();
    found.because(format!("Its first message is {name}."));
}

/// `INVOIC` and `D.96A` of `UNH+1+INVOIC:D:96A:UN`.
fn edifact(text: &str) -> Option<(&str, Option<String>)> {
    let mut signs = text.strip_prefix("UNA").unwrap_or(":+").chars();
    let (component, element) = (signs.next()?, signs.next()?);
    let after =
        text.match_indices("UNH").find_map(|(at, _)| text.get(at + 3..)?.strip_prefix(element))?;
    let identifier = after.split(element).nth(1)?;
    let mut parts = identifier.split(component);
    let name = parts.next()?;
    let version =
        parts.next().zip(parts.next()).map(|(version, release)| format!("{version}.{release}"));
    Some((name, version))
}

/// `810` of `ST*810*0001`, and `004010` at the end of `GS*...`.
fn x12(text: &str) -> Option<(&str, Option<String>)> {
    let element = text.chars().nth(3)?;
    // ISA has a fixed length; the sign that ends a segment is its 106th.
    let end = text.chars().nth(105)?;
    let mut segments = text.split(end).map(str::trim_start);
    let group = segments.clone().find(|segment| segment.starts_with("GS"));
    let message = segments.find(|segment| segment.starts_with("ST"))?;
    let version = group.and_then(|group| group.split(element).next_back()).map(str::to_owned);
    Some((message.split(element).nth(1)?, version))
}
