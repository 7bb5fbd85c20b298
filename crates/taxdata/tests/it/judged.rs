//! The good and the bad files of the authorities, by their rules and by ours.

use std::collections::BTreeSet;

use quoin_formats::read;
use quoin_taxdata::{Regime, TaxSubmission, read_report, source_document};
use quoin_testing::shared;

use crate::told::*;

fn rules_of(found: &[String]) -> BTreeSet<String> {
    let id = |text: &String| text.split([' ', ':']).next().unwrap_or_default().to_owned();
    found.iter().map(id).filter(|id| id.starts_with("ibr-tdd")).collect()
}

#[test]
fn good_files_are_accepted() {
    let rows = [
        (Regime::Vida10, "tax-data/vida-1.0.0/examples"),
        (Regime::Slovakia, "tax-data/sk-1.0.0/trn-tdd/example"),
        (Regime::Emirates, "tax-data/ae-1.0.4/trn-tdd/example"),
        (Regime::Emirates, "tax-data/ae-1.0.4/peppol-uae-testfiles/tdd/10/good"),
        (Regime::Oman, "tax-data/om-1.0.1/trn-tdd/example"),
    ];
    for (regime, folder) in rows {
        let (Some(folder), Some(judge)) = (shared(folder), Judge::of(regime)) else { return };
        for file in files(&folder) {
            let name = name(&file);
            let document = document(&file);
            let (official, own) = (judge.official(&document), Judge::built_in(&document));
            if name.contains("WithoutTaxes") {
                // Invalid as published: amounts of tax are missing.
                assert!(official.iter().any(|one| one.starts_with("XSD")), "{name}");
                continue;
            }
            assert!(official.is_empty(), "{name}: {official:#?}");
            assert!(own.is_empty(), "{name}: {own:#?}");
            assert_eq!(read_report(&document).map(|one| one.regime), Ok(regime), "{name}");
        }
    }
}

/// Each bad file breaks the rule that it is named after, by both.
#[test]
fn bad_files_are_refused() {
    let folder = "tax-data/ae-1.0.4/peppol-uae-testfiles/tdd/10";
    let (Some(folder), Some(judge)) = (shared(folder), Judge::of(Regime::Emirates)) else { return };
    let mut refused = 0;
    for file in files(&folder.join("bad-sch")) {
        let name = name(&file);
        let document = document(&file);
        let (official, own) = (judge.official(&document), Judge::built_in(&document));
        assert!(!official.is_empty() && !own.is_empty(), "{name}: {official:?} {own:?}");
        // A report that says another specification is none that we judge.
        if own != ["not judged"] {
            assert_eq!(rules_of(&official), rules_of(&own), "{name}");
        }
        refused += 1;
    }
    assert!(refused >= 50, "{refused}");
}

/// A report that the transmission failed is right whatever its invoice is; the invoice in it is
/// judged by itself.
#[test]
fn an_invoice_that_is_wrong_is_found_in_its_report() {
    let folder = "tax-data/ae-1.0.4/peppol-uae-testfiles/tdd/10/bad-payload";
    let (Some(folder), Some(judge)) = (shared(folder), Judge::of(Regime::Emirates)) else { return };
    let files = files(&folder);
    assert!(!files.is_empty());
    for file in files {
        let name = name(&file);
        let document = document(&file);
        let (official, own) = (judge.official(&document), Judge::built_in(&document));
        assert!(official.is_empty() && own.is_empty(), "{name}: {official:?} {own:?}");
        let said = read_report(&document).unwrap();
        assert_eq!(said.submission, TaxSubmission::FailedTransmission, "{name}");
        let invoice = source_document(&document).unwrap();
        let found = Judge::built_in(&read(&invoice));
        assert!(!found.is_empty(), "{name}: {}", String::from_utf8_lossy(&invoice));
        assert_ne!(found, ["not judged"], "{name}");
    }
}
