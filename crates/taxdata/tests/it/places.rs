//! A place in a report leads to the term of the invoice whose value stands there, in every regime:
//! each leaf of a report is looked up by its XPath and compared with what the invoice says.

use std::collections::{BTreeMap, BTreeSet};

use quoin_formats::read;
use quoin_formats::readers::read_invoice_at;
use quoin_formats::samples::{PintSample, RECEIVER, SENDER, pint_invoice};
use quoin_taxdata::*;
use quoin_xml::tree::Element;

use crate::told::report;

/// Every term of EN 16931 in one invoice.
const EVERY_TERM: &str = include_str!("../../../formats/samples/every-term-ubl-invoice.xml");

/// The leaves of a report with their places as XPath, and attributes of them.
fn leaves(element: Element<'_>, path: &str, out: &mut Vec<(String, String)>) {
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    let mut is_leaf = true;
    for child in element.elements() {
        is_leaf = false;
        let place = counted.entry(child.local()).or_default();
        *place += 1;
        leaves(
            child,
            &format!(
                "{path}/*:{}[namespace-uri()='{}'][{place}]",
                child.local(),
                child.namespace()
            ),
            out,
        );
    }
    if is_leaf {
        out.push((path.to_owned(), element.text().trim().to_owned()));
        if let Some(unit) = element.attribute("unitCode") {
            out.push((format!("{path}/@unitCode"), unit.to_owned()));
        }
    }
}

/// `BT-48` of `IBT-048`.
fn of_en16931(term: &str) -> String {
    let number = term.rsplit('-').next().unwrap_or_default().trim_start_matches('0');
    match term.strip_prefix('I') {
        Some(rest) => format!("{}-{number}", rest.split('-').next().unwrap_or_default()),
        None => term.to_owned(),
    }
}

/// The terms that the leaves of a report lead to; each has to have the value that stands there.
fn checked(regime: Regime, text: &str) -> BTreeSet<String> {
    let source = read(text.as_bytes());
    let reading = read_invoice_at(source.root().unwrap()).unwrap();
    let mut values: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for term in reading.invoice.terms() {
        values.entry(term.id).or_default().push(term.source.trimmed().into_owned());
    }
    let built = report(regime, ReporterRole::Corner2, &source).unwrap();
    let built = read(&built.xml);
    let root = built.root().unwrap();
    let mut all = Vec::new();
    leaves(root, "/*:TaxData[1]", &mut all);
    let mut seen = BTreeSet::new();
    for (place, value) in all {
        let found = of_place(regime, &place).unwrap_or_else(|| panic!("{regime}: {place}"));
        let inside = place.contains("ReportedDocument") || place.contains("SourceDocument");
        let is_own = found.terms.iter().any(|term| term.starts_with("TDT-"));
        let who = if inside && !is_own { WhoCanFix::Issuer } else { WhoCanFix::Provider };
        assert_eq!(found.who, who, "{regime}: {place}");
        if !place.contains(":ReportedDocument[") {
            continue;
        }
        // Groups, and what is no term of EN 16931: identifiers, times, schemes of tax, indicators.
        let terms: Vec<String> = found.terms.iter().map(|term| of_en16931(term)).collect();
        let skipped =
            ["UUID[", ":TaxScheme[", "ChargeIndicator[", "IssueTime[", "AdditionalAccountID["];
        let is_term = terms.iter().all(|term| term.starts_with("BT-"));
        if !is_term || skipped.iter().any(|name| place.contains(name)) {
            continue;
        }
        let has = |term: &String| {
            values.get(&**term).is_some_and(|all| all.iter().any(|one| one.contains(&value)))
        };
        // Several notes are one in a report.
        let is_note = terms == ["BT-22"];
        assert!(is_note || terms.iter().any(has), "{regime}: {place} {value:?} {terms:?}");
        let line = place.contains(":DocumentLine[");
        assert_eq!(found.line.is_some(), line, "{place}");
        seen.extend(terms);
    }
    seen
}

#[test]
fn places_lead_to_the_terms_of_the_pilot_and_slovakia() {
    for regime in [Regime::Vida10, Regime::Vida11, Regime::Slovakia] {
        let seen = checked(regime, EVERY_TERM);
        assert!(seen.len() > 50, "{regime}: {} terms: {seen:?}", seen.len());
        for term in ["BT-31", "BT-48", "BT-116", "BT-119", "BT-130", "BT-146", "BT-152"] {
            assert!(seen.contains(term), "{regime}: {term}");
        }
    }
}

#[test]
fn places_lead_to_the_terms_of_the_gulf() {
    let rows = [(Regime::Emirates, PintSample::Emirates), (Regime::Oman, PintSample::Oman)];
    for (regime, country) in rows {
        let invoice = pint_invoice(country, SENDER, RECEIVER, "F-1");
        let seen = checked(regime, &invoice);
        for term in ["BT-1", "BT-2", "BT-3", "BT-5", "BT-31", "BT-48", "BT-109", "BT-110"] {
            assert!(seen.contains(term), "{regime}: {term} of {seen:?}");
        }
    }
}
