//! From a place in a report to what stands there: the terms of the invoice, on which line, and who
//! can change them. An authority that rejects a report names places in *it*; people have to know
//! what to change in the *invoice*.
//!
//! ```text
//! /pxs:TaxData/…/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme ─► BT-48, issuer
//! /TaxData[1]/ReceivingParty[1]/EndpointID[1] ─► TDT-014, provider
//! ```
//! Source: the tables by which a report is written ([`crate::build`]); a test demands a row here of
//! each of their rows.

mod path;
mod rows;

use quoin_model::Language;

use crate::missing::{MissingTerm, WhoCanFix};
use crate::regime::{Regime, ReportModel};
use path::PlaceStep;
use rows::PlaceRow;

/// What stands at a place of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPlace {
    /// The terms and groups of the invoice, or of the report itself (`TDT-014`): `BT-48`, `BG-23`,
    /// `IBT-031`. Several where the place stands for each of them (an allowance and a charge have
    /// the same elements). Empty where all of the invoice is meant, or an element that is no term.
    pub terms: Vec<String>,
    /// Which line of the invoice, counted from 1, where the place is in one and says so.
    pub line: Option<u32>,
    /// Who can change it.
    pub who: WhoCanFix,
}

impl ReportPlace {
    /// The terms with what they are in people's words, in one line: `BT-48 (VAT number of the
    /// buyer), line 2`.
    pub fn words(&self, language: Language) -> String {
        let named = |term: &String| match MissingTerm::known(term, language) {
            Some(words) => format!("{term} ({words})"),
            None => term.clone(),
        };
        let mut out = self.terms.iter().map(named).collect::<Vec<_>>().join(", ");
        if let Some(line) = self.line {
            let separator = if out.is_empty() { "" } else { ", " };
            out = format!("{out}{separator}{} {line}", MissingTerm::line_word(language));
        }
        out
    }
}

/// What stands at a place of a report of a regime. The place is an XPath as validators write them,
/// with prefixes, namespaces or neither, from the document element or from the reported document;
/// or the name of a term (`BT-48`). `None` where it says no place of such a report (`NA`).
pub fn of_place(regime: Regime, place: &str) -> Option<ReportPlace> {
    let place = place.trim();
    if let Some(found) = of_term(regime, place) {
        return Some(found);
    }
    let steps = path::steps(place)?;
    let at = steps.iter().position(|step| step.name == "TaxData").map_or(0, |at| at + 1);
    let steps = steps.get(at..)?;
    let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    let inside = names.iter().position(|name| *name == "ReportedDocument").map(|at| at + 1);
    // A term of the country, which stands beside the document.
    let inside = inside.or_else(|| names.iter().position(|name| *name == "CustomContent"));
    let source = names.iter().position(|name| *name == "SourceDocument");
    match (inside, source) {
        (_, Some(source)) => Some(of_source(regime, steps.get(source + 1..)?)),
        (Some(inside), None) => of_document(regime, steps.get(inside..)?),
        (None, None) if steps.is_empty() => Some(provided(regime, &[])),
        (None, None) => {
            let envelope = longest(rows::envelope(regime), &names);
            let own = envelope.map(|terms| provided(regime, terms));
            own.or_else(|| of_document(regime, steps))
                .or_else(|| (at > 0).then(|| provided(regime, &[])))
        }
    }
}

/// The terms of the report itself.
fn provided(regime: Regime, terms: &[&str]) -> ReportPlace {
    let mut terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
    if regime.row().model == ReportModel::Whole {
        terms.iter_mut().for_each(|term| *term = term.to_ascii_lowercase());
    }
    ReportPlace { terms, line: None, who: WhoCanFix::Provider }
}

/// A place of the reported document.
fn of_document(regime: Regime, steps: &[PlaceStep]) -> Option<ReportPlace> {
    let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    let own = rows::of_document(regime);
    if names.is_empty() {
        return Some(ReportPlace { terms: Vec::new(), line: None, who: WhoCanFix::Issuer });
    }
    let terms = longest(own, &names)?;
    Some(found(terms, line_of(steps)))
}

fn found(terms: &[&str], line: Option<u32>) -> ReportPlace {
    let is_own = terms.iter().any(|term| term.starts_with("TDT-"));
    let who = if is_own { WhoCanFix::Provider } else { WhoCanFix::Issuer };
    ReportPlace { terms: terms.iter().map(|term| (*term).to_owned()).collect(), line, who }
}

/// A place of the whole invoice that stands in a report (AE, OM): its elements have their names of
/// UBL, and its terms those of PINT. What has no term in EN 16931 is the issuer's all the same.
fn of_source(regime: Regime, steps: &[PlaceStep]) -> ReportPlace {
    let root = steps.iter().position(|step| matches!(&*step.name, "Invoice" | "CreditNote"));
    let steps = root.and_then(|root| steps.get(root + 1..)).unwrap_or_default();
    let renamed: Vec<PlaceStep> = steps.iter().map(PlaceStep::as_reported).collect();
    let names: Vec<&str> = renamed.iter().map(|step| step.name.as_str()).collect();
    // The identifier of the document is a term of its country.
    let terms = match names.as_slice() {
        ["UUID"] => longest(rows::of_document(regime), &names),
        _ => longest(rows::EXTRACT, &names),
    };
    let mut place = found(terms.unwrap_or_default(), line_of(&renamed));
    place.terms.iter_mut().for_each(|term| *term = of_pint(term));
    ReportPlace { who: WhoCanFix::Issuer, ..place }
}

/// `IBT-048` of `BT-48`.
fn of_pint(term: &str) -> String {
    let split = term.split_once('-');
    match split.and_then(|(kind, number)| Some((kind, number.parse::<u32>().ok()?))) {
        Some((kind @ ("BT" | "BG"), number)) => format!("I{kind}-{number:03}"),
        _ => term.to_owned(),
    }
}

/// The line of the invoice.
fn line_of(steps: &[PlaceStep]) -> Option<u32> {
    steps.iter().find(|step| step.name == "DocumentLine").and_then(|step| step.index)
}

/// The terms of the row whose path is the longest that the place begins with.
fn longest<'r>(table: &'r [PlaceRow], names: &[&str]) -> Option<&'r [&'static str]> {
    (1..=names.len()).rev().find_map(|length| {
        let begins = |row: &&PlaceRow| row.path.split('/').eq(names.iter().take(length).copied());
        table.iter().find(begins).map(|row| row.terms)
    })
}

/// Where an authority names a term and no place.
fn of_term(regime: Regime, name: &str) -> Option<ReportPlace> {
    let name = name.trim_matches(['[', ']']);
    let is_term = name.len() <= 12 && name.contains('-');
    let named = is_term.then(|| name.to_ascii_uppercase())?;
    if rows::envelope(regime).iter().any(|row| row.terms.contains(&&*named)) {
        return Some(provided(regime, &[&named]));
    }
    let is_whole = regime.row().model == ReportModel::Whole;
    let own = rows::of_document(regime).iter().chain(rows::EXTRACT.iter().filter(|_| is_whole));
    let mut terms = own.flat_map(|row| row.terms.iter().copied());
    let is_own = |term: &&str| *term == named || is_whole && of_pint(term) == named;
    let term = terms.find(is_own)?;
    let place = found(&[term], None);
    let terms = if is_whole { vec![of_pint(term)] } else { place.terms };
    Some(ReportPlace { terms, ..place })
}

#[cfg(test)]
mod tests;
