//! The Schematron loader and its runs: any bytes as a rule file, applied within a small budget.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use quoin_xml::schematron::{PhaseChoice, RunOptions, SchematronSchema};
use quoin_xml::tree::{Document, Limits};
use quoin_xml::xpath::EvaluationBudget;

static INVOICE: LazyLock<Document> = LazyLock::new(|| {
    let bytes = include_bytes!("../../crates/formats/samples/bis3-invoice.xml");
    Document::parse(bytes, &Limits::default()).expect("our own sample")
});

fuzz_target!(|bytes: &[u8]| {
    let files = BTreeMap::from([("rules.sch".to_owned(), bytes.to_vec())]);
    let Ok(schema) = SchematronSchema::load(&files, "rules.sch", &PhaseChoice::All) else { return };
    let budget = EvaluationBudget { steps: 200_000, ..EvaluationBudget::for_document(&INVOICE) };
    let options = RunOptions { budget: Some(budget), ..RunOptions::default() };
    let outcome = schema.validate(&INVOICE, &options);
    let again = schema.validate(&INVOICE, &options);
    assert_eq!(outcome.fired.len(), again.fired.len());
});
