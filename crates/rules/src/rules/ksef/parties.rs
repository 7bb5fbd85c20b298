//! Who the parties are, and where their numbers stand.

use super::{buyers, child, children, content, fa, is_marked, is_nip, text};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_model::text::trimmed;
use quoin_xml::tree::Element;

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-FA-JST", local_government).at(Flag::Fatal, buyers),
    Rule::new("QUOIN-FA-GV", vat_group).at(Flag::Fatal, buyers),
    Rule::new("QUOIN-FA-NIP-PLACE", nip_place).at(Flag::Fatal, foreign_numbers),
    Rule::new("QUOIN-FA-NIP", nip_digits).at(Flag::Warning, nips),
    Rule::new("QUOIN-FA-SHARE", share).at(Flag::Fatal, shares),
    Rule::new("QUOIN-FA-ISSUER", issuer).at(Flag::Warning, content),
];

fn third_parties<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    children(facts.root(), "Podmiot3")
}

fn has_role(facts: &Facts<'_>, role: &str) -> bool {
    third_parties(facts).any(|party| text(party, "Rola") == role)
}

/// The identification of each party.
fn identifications<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    let root = facts.root();
    let one = ["Podmiot1", "Podmiot2", "PodmiotUpowazniony"];
    let one = one.into_iter().filter_map(move |name| child(root, name));
    one.chain(third_parties(facts)).filter_map(|party| child(party, "DaneIdentyfikacyjne"))
}

fn foreign_numbers<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    let numbers = identifications(facts)
        .flat_map(|own| [child(own, "NrVatUE"), child(own, "NrID")].into_iter().flatten());
    numbers.for_each(visit);
}

fn nips<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    identifications(facts).filter_map(|own| child(own, "NIP")).for_each(visit);
}

fn shares<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    third_parties(facts).filter(|party| child(*party, "Udzial").is_some()).for_each(visit);
}

fn member<'d>(case: &Case<'_, 'd>, mark: &str, role: &'static str) -> Outcome<'d> {
    let holds = !is_marked(case.at, mark) || has_role(case, role);
    Ok(RuleVerdict::of(holds).expected(role).element(child(case.at, mark)))
}

/// A buyer that is a unit of local government is named with the unit (role 8).
fn local_government<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    member(case, "JST", "8")
}

/// A buyer that is a member of a VAT group is named with the group (role 10).
fn vat_group<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    member(case, "GV", "10")
}

/// A Polish number stands in NIP: the system finds the invoices of a buyer by it.
fn nip_place<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let found = trimmed(case.at);
    let Some(own) = case.at.parent() else { return Ok(RuleVerdict::Holds) };
    let digits = found.strip_prefix("PL").unwrap_or(&found);
    let is_prefixed = digits.len() < found.len();
    let is_polish = match case.at.local() {
        "NrVatUE" => text(own, "KodUE") == "PL" || is_prefixed,
        _ => is_prefixed || text(own, "KodKraju") == "PL",
    };
    let holds = !(is_polish && is_nip(digits));
    let nip = digits.to_owned();
    Ok(RuleVerdict::of(holds).found(found).expected(nip))
}

/// The system does not look at the check digit outside of production, and refuses it there.
fn nip_digits<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let found = trimmed(case.at);
    Ok(RuleVerdict::of(is_nip(&found)).found(found))
}

/// A share is that of a buyer beside the first one (role 4).
fn share<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let role = text(case.at, "Rola");
    Ok(RuleVerdict::of(role == "4").found(role).element(child(case.at, "Udzial")))
}

/// Who issues for the seller (role 5) is not the buyer.
fn issuer<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let notes = fa(case).and_then(|fa| child(fa, "Adnotacje"));
    let is_self_billed = notes.is_some_and(|notes| is_marked(notes, "P_17"));
    Ok(RuleVerdict::of(!(is_self_billed && has_role(case, "5"))))
}
