//! The XPath compiler and evaluator: any text as the test of one assertion.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use quoin_xml::schematron::{PhaseChoice, RunOptions, SchematronSchema};
use quoin_xml::tree::{Document, Limits};
use quoin_xml::write::escape_attribute;
use quoin_xml::xpath::EvaluationBudget;

static SAMPLE: LazyLock<Document> = LazyLock::new(|| {
    let text = "<a x='1' y=' b '><b>2.50</b><b>3</b><c><!-- n --><b>2026-05-18</b>t</c><d/></a>";
    Document::parse(text.as_bytes(), &Limits::default()).expect("a small document")
});

fuzz_target!(|expression: &str| {
    let mut test = String::new();
    escape_attribute(expression, &mut test);
    let schema = format!(
        "<schema xmlns='http://purl.oclc.org/dsdl/schematron' queryBinding='xslt2'>\
         <ns prefix='xs' uri='http://www.w3.org/2001/XMLSchema'/>\
         <pattern><rule context='*'><assert id='r' test=\"{test}\">t</assert></rule></pattern>\
         </schema>"
    );
    let files = BTreeMap::from([("rules.sch".to_owned(), schema.into_bytes())]);
    let Ok(schema) = SchematronSchema::load(&files, "rules.sch", &PhaseChoice::All) else { return };
    let budget = EvaluationBudget { steps: 100_000, ..EvaluationBudget::for_document(&SAMPLE) };
    let options = RunOptions { budget: Some(budget), ..RunOptions::default() };
    schema.validate(&SAMPLE, &options);
});
