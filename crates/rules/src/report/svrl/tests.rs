//! SVRL that a reader of SVRL understands.

use jiff::civil::date;
use quoin_xml::tree::{Document, Element, Limits};

use super::*;
use crate::validate;
use quoin_formats::{read, samples};
use quoin_model::FiredAssertion;

fn svrl(report: &Report) -> String {
    Svrl { name: "in \"voice\".xml", report }.to_string()
}

fn elements<'d>(document: &'d Document, local: &str) -> Vec<Element<'d>> {
    document.root().descendants().filter(|element| element.is(SVRL, local)).collect()
}

#[test]
fn a_finding_is_a_failed_assertion_of_a_fired_rule() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let report = validate(&read(wrong.as_bytes()), date(2026, 8, 20));
    let text = svrl(&report);
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!(document.root().is(SVRL, "schematron-output"));
    let [failed] = elements(&document, "failed-assert")[..] else { panic!("{text}") };
    assert_eq!(
        (failed.attribute("id"), failed.attribute("flag")),
        (Some("BR-CO-16"), Some("fatal"))
    );
    let place = failed.attribute("location").unwrap();
    assert_eq!(place, "/Invoice[1]/cac:LegalMonetaryTotal[1]/cbc:PayableAmount[1]");
    assert_eq!(failed.child(SVRL, "text").unwrap().text(), report.findings[0].message);
    let rules = elements(&document, "fired-rule").len();
    assert!(rules >= elements(&document, "failed-assert").len());
    let pattern = elements(&document, "active-pattern")[0];
    assert_eq!(pattern.attribute("document"), Some("in \"voice\".xml"));
}

#[test]
fn what_a_rule_file_says_is_kept() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let mut report = validate(&read(wrong.as_bytes()), date(2026, 8, 20));
    report.findings[0].rule_set = Some("a:b:1.0".into());
    report.findings[0].assertion = Some(Box::new(FiredAssertion {
        pattern: Some("UBL-model".to_owned()),
        context: "cac:LegalMonetaryTotal".to_owned(),
        test: "a < b and c = '&'".to_owned(),
        role: Some("error".to_owned()),
        diagnostics: vec!["more".to_owned()],
        is_report: true,
        ..FiredAssertion::default()
    }));
    let text = svrl(&report);
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let [found] = elements(&document, "successful-report")[..] else { panic!("{text}") };
    assert_eq!(found.attribute("test"), Some("a < b and c = '&'"));
    assert_eq!(found.attribute("role"), Some("error"));
    assert_eq!(found.child(SVRL, "diagnostic-reference").unwrap().text(), "more");
    let pattern = elements(&document, "active-pattern")[0];
    assert_eq!(
        (pattern.attribute("id"), pattern.attribute("name")),
        (Some("UBL-model"), Some("a:b:1.0"))
    );
}

#[test]
fn a_valid_document_has_patterns_and_no_failure() {
    let report = validate(&read(samples::INVOICE.as_bytes()), date(2026, 8, 20));
    let text = svrl(&report);
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!(elements(&document, "failed-assert").is_empty());
    assert_eq!(elements(&document, "active-pattern").len(), 5);
}

#[test]
fn characters_that_xml_does_not_have_do_not_break_it() {
    let mut report = validate(&read(b"hello"), date(2026, 8, 20));
    report.findings[0].message = "a\u{0}b\u{1b}c\u{ffff}".to_owned();
    let text = svrl(&report);
    Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert!(text.contains("a\u{fffd}b\u{fffd}c\u{fffd}"), "{text}");
}
