//! The marks of an invoice (`Adnotacje`) beside its rates and sums.

use super::{child, children, content, fa, invoice_rows, is_marked, number, text};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_xml::tree::Element;

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-FA-OO-FOREIGN", foreign_reverse_charge).at(Flag::Fatal, invoice_rows),
    Rule::new("QUOIN-FA-REVERSE-CHARGE", reverse_charge).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-EXEMPT", exempt).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-MARGIN", margin).at(Flag::Fatal, content),
];

fn is_mark<'d>(content: Element<'d>, path: [&str; 2]) -> bool {
    let [group, mark] = path;
    let notes = child(content, "Adnotacje");
    let place = match group {
        "" => notes,
        _ => notes.and_then(|notes| child(notes, group)),
    };
    place.is_some_and(|place| is_marked(place, mark))
}

/// The sum that a document has under a name, where it is not nought.
fn sum<'d>(content: Element<'d>, name: &str) -> Option<Element<'d>> {
    let is_something = number(content, name).is_some_and(|amount| !amount.is_zero());
    child(content, name).filter(|_| is_something)
}

/// The first row with a rate.
fn rate<'d>(content: Element<'d>, rate: &str) -> Option<Element<'d>> {
    let place = |row| child(row, "P_12").filter(|_| text(row, "P_12") == rate);
    children(content, "FaWiersz").find_map(place)
}

/// `oo` is the reverse charge between two in Poland.
fn foreign_reverse_charge<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rate = text(case.at, "P_12");
    if rate != "oo" {
        return Ok(RuleVerdict::Holds);
    }
    let buyer = child(case.root(), "Podmiot2");
    let own = buyer.and_then(|buyer| child(buyer, "DaneIdentyfikacyjne"));
    let country = |parent: Option<Element<'d>>, name: &str| {
        parent.map(|parent| text(parent, name)).filter(|code| !code.is_empty() && code != "PL")
    };
    let address = buyer.and_then(|buyer| child(buyer, "Adres"));
    let is_polish = own.is_some_and(|own| child(own, "NIP").is_some());
    let abroad = country(own, "KodUE")
        .or_else(|| country(own, "KodKraju"))
        .or_else(|| country(address, "KodKraju"));
    let holds = is_polish || abroad.is_none();
    let place = child(case.at, "P_12");
    Ok(RuleVerdict::of(holds).found(abroad.unwrap_or_default()).element(place))
}

/// A reverse charge is marked (P_18).
fn reverse_charge<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let place = rate(case.at, "oo").or_else(|| sum(case.at, "P_13_10"));
    let holds = place.is_none() || is_mark(case.at, ["", "P_18"]);
    Ok(RuleVerdict::of(holds).element(place))
}

/// An exemption has its ground (P_19 with P_19A, P_19B or P_19C).
fn exempt<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let place = rate(case.at, "zw").or_else(|| sum(case.at, "P_13_7"));
    let holds = place.is_none() || is_mark(case.at, ["Zwolnienie", "P_19"]);
    Ok(RuleVerdict::of(holds).element(place))
}

/// A margin scheme is named (P_PMarzy).
fn margin<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let place = fa(case).and_then(|fa| sum(fa, "P_13_11"));
    let holds = place.is_none() || is_mark(case.at, ["PMarzy", "P_PMarzy"]);
    Ok(RuleVerdict::of(holds).element(place))
}
