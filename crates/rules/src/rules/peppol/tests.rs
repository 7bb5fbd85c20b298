//! National rules: a sample that is right in a country, what breaks each rule there, and what
//! nearly does. In another country the same breaks nothing.

mod cases;

use std::collections::BTreeSet;

use jiff::civil::date;
use quoin_xml::tree::{Document, Limits};

use crate::releases::Package;
use crate::rules::Facts;
use quoin_formats::Syntax;
use quoin_formats::samples::{RECEIVER, SENDER, SampleKind, document};

/// A text of the sample, and what stands there instead.
type Edit = (&'static str, &'static str);

fn fired(text: &str, on: jiff::civil::Date) -> BTreeSet<&'static str> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let syntax = match document.root().local() {
        "CreditNote" => Syntax::UblCreditNote,
        _ => Syntax::UblInvoice,
    };
    let facts = Facts::new(document.root(), on);
    let mut fired = BTreeSet::new();
    let package = Package::by_id("peppol-bis3").filter(|own| own.syntaxes.contains(&syntax));
    let sets = package.unwrap().on(on).unwrap().now.rule_sets();
    for set in sets.filter(|set| set.id == "peppol-bis3-ubl") {
        set.check(&facts, &mut |hit| {
            fired.insert(hit.id);
        });
    }
    fired
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "no {from} in the sample");
        text = text.replace(from, to);
    }
    text
}

/// The sample as it is right between two parties of a country.
fn sample(kind: SampleKind, country: &str) -> String {
    let (_, edits) = cases::COUNTRIES.iter().find(|(code, _)| *code == country).unwrap();
    let text = document(kind, SENDER, RECEIVER, "N1", 2);
    // A credit note has another means of payment already.
    let edits = edits.iter().filter(|(from, _)| kind == SampleKind::Invoice || text.contains(from));
    edited(&text, &edits.copied().collect::<Vec<_>>())
}

const DAY: jiff::civil::Date = date(2026, 11, 21);

#[test]
fn the_sample_is_right_in_every_country() {
    for (country, _) in cases::COUNTRIES {
        for day in [DAY, date(2026, 1, 1)] {
            let fired = fired(&sample(SampleKind::Invoice, country), day);
            assert!(fired.is_empty(), "{country}: {fired:?}");
        }
    }
}

#[test]
fn each_rule_fires_at_what_breaks_it() {
    for (country, rule, edits) in cases::BREAKS {
        let fired = fired(&edited(&sample(SampleKind::Invoice, country), edits), DAY);
        assert!(fired.contains(rule), "{rule} is quiet at {edits:?}; {fired:?}");
    }
}

#[test]
fn each_rule_is_quiet_at_what_nearly_breaks_it() {
    for (country, rule, edits) in cases::NEARLY {
        let fired = fired(&edited(&sample(SampleKind::Invoice, country), edits), DAY);
        assert!(!fired.contains(rule), "{rule} fires at {edits:?}");
    }
}

#[test]
fn another_country_has_other_rules() {
    for (country, rule, edits) in cases::BREAKS {
        let elsewhere = edited(&sample(SampleKind::Invoice, country), edits)
            .replace(&format!(">{}<", cases::code(country)), ">FR<")
            .replace(cases::prefix(country), ">FR");
        let fired = fired(&elsewhere, DAY);
        assert!(!fired.contains(rule), "{rule} fires in France");
    }
}

#[test]
fn credit_notes_of_denmark_and_the_netherlands() {
    let danish =
        sample(SampleKind::CreditNote, "DK").replace(">79.21</cbc:Pay", ">-79.21</cbc:Pay");
    assert!(fired(&danish, DAY).contains("DK-R-016"));
    let dutch = document(SampleKind::CreditNote, SENDER, RECEIVER, "N1", 2);
    assert!(fired(&dutch, DAY).is_empty());
    let bare = dutch.replace("cac:BillingReference", "cac:Xx");
    assert!(fired(&bare, DAY).contains("NL-R-001"));
}

#[test]
fn what_a_release_changes_counts_from_its_day() {
    let german = |edit| edited(&sample(SampleKind::Invoice, "DE"), &[edit]);
    let strict = german(("a@b.de", "ü@b.de"));
    assert!(!fired(&strict, DAY).contains("DE-R-028"));
    assert!(fired(&strict, date(2026, 8, 16)).contains("DE-R-028"));
    let french = german((
        "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
        "urn:peppol:bis:billing_with_response",
    ));
    assert!(!fired(&french, date(2026, 8, 17)).contains("PEPPOL-EN16931-R007"));
    assert!(fired(&french, date(2026, 8, 16)).contains("PEPPOL-EN16931-R007"));
}
