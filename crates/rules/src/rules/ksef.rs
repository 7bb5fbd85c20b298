//! FA(3), the invoice of the Polish national system KSeF.
//!
//! The system checks the schema, which the structure step does, and little of what the document
//! says: no sum, no mark against another. There is no official rule file; the identifiers are ours.
//! What the act on VAT or the Ministry's information sheet rules out is fatal; what is unusual and
//! registered all the same is a warning. An amount that the schema does not admit has been told
//! with the structure, and is passed over here.
//!
//! Sources: the schema of FA(3) 1-0E with its annotations; the information sheet on the structure
//! FA(3) (Ministry of Finance, 2025).

mod kinds;
mod notes;
mod parties;
mod payment;
mod rows;
mod sums;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use quoin_model::amount::Decimal;
use quoin_model::text::trimmed;
use quoin_xml::tree::Element;

use super::{ElementVisitor, Facts, Rule};

/// The rules.
pub(crate) const RULES: &[&[Rule]] =
    &[parties::RULES, kinds::RULES, notes::RULES, sums::RULES, rows::RULES, payment::RULES];

/// A child in the namespace of its parent.
fn child<'d>(parent: Element<'d>, local: &str) -> Option<Element<'d>> {
    parent.child(parent.namespace(), local)
}

/// The children of a name.
fn children<'d>(parent: Element<'d>, local: &'static str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(parent.namespace(), local)
}

/// The text of a child; empty where there is none.
fn text<'d>(parent: Element<'d>, local: &str) -> Cow<'d, str> {
    child(parent, local).map(trimmed).unwrap_or_default()
}

/// Whether a child is a mark that says yes.
fn is_marked(parent: Element<'_>, local: &str) -> bool {
    text(parent, local) == "1"
}

/// The number in a child; `None` where there is none, or no number.
fn number(parent: Element<'_>, local: &str) -> Option<Decimal> {
    Decimal::parse(&text(parent, local)).ok()
}

/// The part with the content of the invoice.
fn fa<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    child(facts.root(), "Fa")
}

fn content<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    fa(facts).into_iter().for_each(visit);
}

fn buyers<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    child(facts.root(), "Podmiot2").into_iter().for_each(visit);
}

fn invoice_rows<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    fa(facts).into_iter().flat_map(|fa| children(fa, "FaWiersz")).for_each(visit);
}

/// `RodzajFaktury`.
fn kind<'d>(facts: &Facts<'d>) -> Cow<'d, str> {
    fa(facts).map(|fa| text(fa, "RodzajFaktury")).unwrap_or_default()
}

/// Whether the invoice corrects another: its amounts are differences.
fn is_correction(facts: &Facts<'_>) -> bool {
    kind(facts).starts_with("KOR")
}

/// How many rows there are, counted once for a document.
struct RowCount(i64);

fn row_count(facts: &Facts<'_>) -> i64 {
    let count = |facts: &Facts<'_>| {
        let rows = fa(facts).map_or(0, |fa| children(fa, "FaWiersz").count());
        RowCount(i64::try_from(rows).unwrap_or(i64::MAX))
    };
    facts.memo(count).0
}

/// What rounding may come to: a grosz for each row, and two.
fn rounding(facts: &Facts<'_>) -> Decimal {
    Decimal::new(row_count(facts).saturating_add(2), 2)
}

/// Whether two amounts are further apart than is allowed. Amounts that cannot be computed with are
/// not.
fn differ(one: Decimal, other: Decimal, allowed: Decimal) -> bool {
    one.checked_sub(other).is_some_and(|apart| apart.abs() > allowed)
}

/// Whether a text is a NIP: ten digits, of which the last one follows from the others.
fn is_nip(text: &str) -> bool {
    const WEIGHTS: [u32; 9] = [6, 5, 7, 2, 3, 4, 5, 6, 7];
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == 10) else { return false };
    let sum: u32 = WEIGHTS.iter().zip(&digits).map(|(weight, digit)| weight * digit).sum();
    digits.last() == Some(&(sum % 11))
}
