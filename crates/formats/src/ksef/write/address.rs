//! Addresses of FA, which have two lines (BG-5, BG-8, BG-12, BG-15).

use quoin_model::en16931::{Party, PartyRole, PostalAddress, Text};
use quoin_xml::tree::Element;

use super::super::codes::{GLN, has_country};
use super::super::read::post_code;
use super::number::{collapsed, id, text};
use crate::writing::{InvoiceOutput, LossKind};

/// Writes an address, and the location number of the party. Whether it is written: it asks for a
/// line. The second line is post code and city, which are told apart where both are Polish.
pub(super) fn address<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    party: &Party<'d>,
    own: Option<&PostalAddress<'d>>,
) -> bool {
    let empty = PostalAddress::new(party.element);
    let own = own.unwrap_or(&empty);
    let lines = [&own.line1, &own.line2, &own.line3].map(|field| field.filled());
    let lines: Vec<Text<'d>> = lines.into_iter().flatten().collect();
    let place = [&own.post_code, &own.city, &own.subdivision].map(|field| field.filled());
    let place_parts: Vec<Text<'d>> = place.iter().copied().flatten().collect();
    if lines.is_empty() && place_parts.is_empty() {
        return false;
    }
    let terms = line_terms(party.role);
    out.group(name, |out| {
        country(out, party.element, own);
        match (lines.as_slice(), own.line1.filled()) {
            ([], _) => merged(out, "AdresL1", &place_parts, " ", terms[0]),
            ([only], Some(_)) => {
                text(out, "AdresL1", Some(*only), 512);
            }
            (several, _) => merged(out, "AdresL1", several, ", ", terms[0]),
        }
        if !lines.is_empty() {
            second_line(out, place, terms[1]);
        }
        location(out, party);
    });
    true
}

/// The location number of a party.
fn location<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let ids = party.identifiers.iter().copied();
    let mut glns = ids.filter(|id| id.scheme().is_some_and(|scheme| scheme.is(GLN)));
    if let Some(gln) = glns.next()
        && id(out, "GLN", Some(gln), 13)
        && let Some(scheme) = gln.scheme()
    {
        out.ledger.carry(scheme);
    }
}

/// The terms of the two lines of an address.
fn line_terms(role: PartyRole) -> [Option<&'static str>; 2] {
    match role {
        PartyRole::Seller => [Some("BT-35"), Some("BT-36")],
        PartyRole::Buyer => [Some("BT-50"), Some("BT-51")],
        PartyRole::TaxRepresentative => [Some("BT-64"), Some("BT-65")],
        PartyRole::DeliverTo => [Some("BT-75"), Some("BT-76")],
        _ => [None, None],
    }
}

fn country<'d>(out: &mut InvoiceOutput<'d>, place: Element<'d>, own: &PostalAddress<'d>) {
    const NAME: &str = "KodKraju";
    match own.country.filled() {
        Some(code) if has_country(&code.trimmed()) => out.kept(NAME, &code.trimmed(), *code),
        Some(code) if code.is("EL") => {
            out.changed(NAME, "GR", *code, "as a country Greece is GR in the target");
        }
        Some(code) => out.refuse_value(*code, "the target has no such country"),
        None => {
            let what = "the country of an address (BT-40, BT-55)";
            out.refuse_without(place, what, NAME);
        }
    }
}

/// Several parts as one line, which is read as the term of the line.
fn merged<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    parts: &[Text<'d>],
    between: &str,
    term: Option<&'static str>,
) {
    const TWO: &str = "the target has two lines for an address";
    let Some(first) = parts.first() else { return };
    let texts: Vec<String> = parts.iter().map(|part| collapsed(&part.trimmed())).collect();
    let whole: String = texts.join(between).chars().take(512).collect();
    for part in parts {
        out.told_otherwise(name, **part, LossKind::Merged, TWO);
    }
    out.implied(name, whole.trim_end(), first.element(), term, TWO);
    out.constant(name, whole.trim_end(), &[]);
}

/// `AdresL2`: post code, city and subdivision.
fn second_line<'d>(
    out: &mut InvoiceOutput<'d>,
    parts: [Option<Text<'d>>; 3],
    term: Option<&'static str>,
) {
    const NAME: &str = "AdresL2";
    if let [Some(code), Some(city), None] = parts {
        let text = format!("{} {}", collapsed(&code.trimmed()), collapsed(&city.trimmed()));
        if post_code(&text).is_some() && text.chars().count() <= 512 {
            out.constant(NAME, &text, &[]);
            out.ledger.carry(*code);
            return out.ledger.carry(*city);
        }
    }
    let several: Vec<Text<'d>> = parts.into_iter().flatten().collect();
    merged(out, NAME, &several, " ", term);
}
