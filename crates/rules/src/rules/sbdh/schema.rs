//! The envelope beside the schema of SBDH 1.3, for what no other rule here names: parts that stand
//! twice or in another order, text and attributes that the schema does not know.

use quoin_formats::structure_tables;
use quoin_model::Flag;
use quoin_xml::tree::{Element, Position};
use quoin_xml::xsd::Violation;

use super::{RULES, header};
use crate::rules::rule::RulePlace;
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};

const ID: &str = "QUOIN-SBDH-STRUCTURE";

pub(super) const SCHEMA: &[Rule] = &[Rule::new(ID, structure).at(Flag::Fatal, envelope)];

/// Attributes of this namespace are admitted everywhere (XML Schema 1.0, section 2.6).
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

fn envelope<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    visit(facts.root());
}

/// The schema has the last word: it is silent where another rule has said what is wrong.
fn structure<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut attributes = case.at.attributes();
    if let Some(own) = attributes.find(|own| own.namespace != INSTANCE) {
        let verdict = RuleVerdict::broken().found(format!("@{}", own.local));
        return Ok(verdict.element(Some(case.at)));
    }
    let Some(header) = header(case) else { return Ok(RuleVerdict::Holds) };
    Ok(match violation(header).filter(|_| !is_said(case)) {
        Some(found) => {
            let place = element_at(header, found.position);
            let verdict = RuleVerdict::broken().found(found.found).expected(found.expected);
            verdict.element(place.or(Some(header)))
        }
        None => RuleVerdict::Holds,
    })
}

/// The first place where a header is not as its schema has it.
pub(super) fn violation(header: Element<'_>) -> Option<Violation> {
    let schema = structure_tables::by_id("sbdh-1.3")?.schema()?;
    schema.validate(header).violations.into_iter().next()
}

/// The element that begins at a place. To tell a place reads its line, so that few are asked.
pub(super) fn element_at(header: Element<'_>, place: Position) -> Option<Element<'_>> {
    let all: Vec<Element<'_>> = header.descendants().collect();
    let key = |position: Position| (position.line, position.column);
    let at = all.partition_point(|own| key(own.position()) < key(place));
    all.get(at).copied().filter(|own| own.position() == place)
}

/// Whether another rule of the envelope is broken.
fn is_said(case: &Case<'_, '_>) -> bool {
    let mut is_said = false;
    for rule in RULES.iter().copied().flatten().filter(|rule| rule.id != ID) {
        let RulePlace::Own(_, elements) = rule.place else { continue };
        elements(case.facts, &mut |at| {
            let other = Case { at, id: rule.id, release: case.release, facts: case.facts };
            is_said |= !matches!((rule.test)(&other), Ok(RuleVerdict::Holds));
        });
    }
    is_said
}
