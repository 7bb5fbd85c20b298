//! The profiles of Factur-X and the releases of CII as targets, over the documents of the
//! converters and of Factur-X.

use std::collections::BTreeMap;

use quoin_formats::convert::{ConversionProfile, ConversionRequest};
use quoin_formats::structure_tables;

use super::*;

/// A profile, its structure table, and what becomes of the valid documents: converted, and of those
/// valid by the rules of the profile. The others lack what the profile asks for or has no place
/// for, which the list says.
type Row = (&'static str, &'static str, usize, usize);

const ROWS: &[Row] = &[
    ("cii-d22b", "cii-d22b", 193, 192),
    ("factur-x-minimum", "factur-x-1.09-minimum", 185, 176),
    ("factur-x-basic-wl", "factur-x-1.09-basicwl", 182, 179),
    ("factur-x-basic", "factur-x-1.09-basic", 182, 179),
    ("factur-x-en16931", "factur-x-1.09-en16931", 185, 184),
    ("factur-x-extended", "factur-x-1.09-extended", 193, 185),
    ("xrechnung-cii", "cii-d16b", 185, 49),
];

/// What became of the valid documents of EN 16931 in one profile.
#[derive(Debug, Default)]
struct ProfileOutcome {
    converted: usize,
    valid: usize,
    /// What the schema of the profile finds, and what is lost without a row.
    wrong: Vec<String>,
    broken: BTreeMap<String, usize>,
}

impl ProfileOutcome {
    fn one(&mut self, (name, root): (&str, Element<'_>), converted: &Converted, structure: &str) {
        self.converted += 1;
        assert_eq!(converted.tally.leaves(), leaves(root), "{name}");
        let reading = read_invoice_at(root).expect("an invoice");
        let again = read(converted.document.as_bytes());
        let again_root = again.root().unwrap_or_else(|| panic!("{name}: {}", converted.document));
        let read_again = read_invoice_at(again_root).expect("an invoice");
        let lost = unlisted(&reading.invoice, &read_again.invoice, &converted.losses);
        self.wrong.extend(lost.iter().map(|lost| format!("{name} {lost}")));
        let schema = structure_tables::by_id(structure).unwrap().schema().unwrap();
        let violations = schema.validate(again_root).violations;
        let told =
            |one: &quoin_xml::xsd::Violation| format!("{name} {} {}", one.path, one.expected);
        self.wrong.extend(violations.first().map(told));
        let after = fatal(&report(&again));
        self.valid += usize::from(after.is_empty());
        for rule in after {
            *self.broken.entry(rule).or_default() += 1;
        }
    }
}

/// The documents of the collections of converters and of Factur-X that are valid and have lines.
fn valid_documents() -> Vec<(String, Vec<u8>)> {
    let topics = ["transform-gobl", "transform-cii2ubl", "facturx-zugferd"];
    let all = topics.into_iter().flat_map(documents_of);
    let is_valid = |bytes: &[u8]| {
        let parsed = read(bytes);
        let own = parsed.tree().ok().and_then(readers::syntax);
        let is_one = own.is_some_and(|own| own.is_ubl_invoice() || is_cii(own));
        let reading = parsed.root().filter(|_| is_one).and_then(read_invoice_at);
        let has_lines = reading.is_some_and(|reading| !reading.invoice.lines.is_empty());
        let found = report(&parsed);
        has_lines && found.is_judged && fatal(&found).is_empty()
    };
    let all = all.filter(|(_, bytes)| is_valid(bytes));
    all.map(|(path, bytes)| (path.display().to_string(), bytes)).collect()
}

#[test]
fn every_valid_document_goes_to_each_profile() {
    let documents = valid_documents();
    let mut outcomes: Vec<ProfileOutcome> = ROWS.iter().map(|_| Default::default()).collect();
    for (name, bytes) in &documents {
        let parsed = read(bytes);
        let root = parsed.root().expect("a document");
        for ((profile, structure, ..), outcome) in ROWS.iter().zip(&mut outcomes) {
            let request = ConversionRequest::named(profile).expect("a profile");
            if let Ok(converted) = convert_at(root, request) {
                outcome.one((name, root), &converted, structure);
            }
        }
    }
    let mut found = Vec::new();
    for ((name, structure, ..), outcome) in ROWS.iter().zip(&outcomes) {
        println!("{name}: {} documents, {outcome:#?}", documents.len());
        found.push((*name, *structure, outcome.converted, outcome.valid));
    }
    for (outcome, (name, ..)) in outcomes.iter().zip(ROWS) {
        assert_eq!(outcome.wrong, Vec::<String>::new(), "{name}");
        // What a profile does not use is left out and told.
        assert_eq!(outcome.broken.get("FX-SCH-NOT-USED"), None, "{name}");
    }
    assert!(documents.is_empty() || found == ROWS, "{found:#?}");
    assert_eq!(ROWS.len(), ConversionProfile::all().count());
}
