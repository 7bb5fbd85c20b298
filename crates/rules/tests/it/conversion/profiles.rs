//! The profiles of Factur-X and the releases of CII as targets, over every official document.

use std::collections::BTreeMap;

use quoin_formats::convert::{ConversionProfile, ConversionRequest};
use quoin_formats::structure_tables;

use super::*;

/// Every profile, its structure table, and how many of the valid documents have no place in it or
/// are not valid in it, by the reason.
type Row = (&'static str, &'static str, &'static [(&'static str, usize)]);

const ROWS: &[Row] = &[
    ("cii-d22b", "cii-d22b", &[]),
    ("factur-x-minimum", "factur-x-1.09-minimum", &[]),
    ("factur-x-basic-wl", "factur-x-1.09-basicwl", &[]),
    ("factur-x-basic", "factur-x-1.09-basic", &[]),
    ("factur-x-en16931", "factur-x-1.09-en16931", &[]),
    ("factur-x-extended", "factur-x-1.09-extended", &[]),
    ("xrechnung-cii", "cii-d16b", &[]),
];

/// What became of the valid documents of EN 16931 in one profile.
#[derive(Debug, Default)]
struct ProfileOutcome {
    documents: usize,
    converted: usize,
    valid: usize,
    lost: usize,
    broken: BTreeMap<String, Vec<String>>,
}

fn over_the_corpora_to(name: &str, structure: &str) -> ProfileOutcome {
    let request = ConversionRequest::named(name).expect("a profile");
    let schema = structure_tables::by_id(structure).unwrap().schema().unwrap();
    let mut outcome = ProfileOutcome::default();
    for (path, bytes) in documents() {
        let parsed = read(&bytes);
        let Some(own) = parsed.tree().ok().and_then(root) else { continue };
        if !matches!(own.syntax(), InvoiceSyntax::Ubl | InvoiceSyntax::Cii) {
            continue;
        }
        let Some(root) = parsed.root() else { continue };
        let before = report(&parsed);
        if !before.is_judged || !fatal(&before).is_empty() {
            continue;
        }
        outcome.documents += 1;
        let Ok(converted) = convert_at(root, request) else { continue };
        outcome.converted += 1;
        outcome.lost += converted.losses.iter().filter(|one| one.kind == LossKind::Lost).count();
        outcome.one(&path.display().to_string(), root, &converted, schema);
    }
    outcome
}

impl ProfileOutcome {
    fn one(
        &mut self,
        name: &str,
        root: Element<'_>,
        converted: &Converted,
        schema: &quoin_xml::xsd::Schema,
    ) {
        assert_eq!(converted.tally.leaves(), leaves(root), "{name}");
        let reading = read_invoice_at(root).expect("an invoice");
        let again = read(converted.document.as_bytes());
        let again_root = again.root().unwrap_or_else(|| panic!("{name}: {}", converted.document));
        let read_again = read_invoice_at(again_root).expect("an invoice");
        for lost in unlisted(&reading.invoice, &read_again.invoice, &converted.losses) {
            self.broken.entry(format!("unlisted {lost:.60}")).or_default().push(name.to_owned());
        }
        let violations = schema.validate(again_root).violations;
        if let Some(first) = violations.first() {
            let key = format!("schema {}", first.message);
            self.broken.entry(key).or_default().push(name.to_owned());
        }
        let after = fatal(&report(&again));
        self.valid += usize::from(after.is_empty() && violations.is_empty());
        for rule in after {
            let is_said = converted.losses.iter().any(|loss| loss.reason.contains(&rule));
            if !is_said {
                self.broken.entry(rule).or_default().push(name.to_owned());
            }
        }
    }
}

#[test]
fn every_valid_document_goes_to_each_profile() {
    let mut all = Vec::new();
    for (name, structure, known) in ROWS {
        let outcome = over_the_corpora_to(name, structure);
        let found: Vec<(&str, usize)> =
            outcome.broken.iter().map(|(why, files)| (why.as_str(), files.len())).collect();
        println!(
            "{name}: {} documents, {} converted, {} valid, {} rows lost",
            outcome.documents, outcome.converted, outcome.valid, outcome.lost
        );
        for (why, files) in &outcome.broken {
            println!("  {why}: {} e.g. {}", files.len(), files[0]);
        }
        if outcome.documents > 0 && found != *known {
            all.push(*name);
        }
    }
    assert_eq!(all, Vec::<&str>::new());
    assert_eq!(ROWS.len(), ConversionProfile::all().count());
}
