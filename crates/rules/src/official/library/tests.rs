//! The choice of sets: by document, and of the releases side by side by day.

use jiff::civil::date;
use quoin_xml::tree::Element;

use super::super::OfficialFinding;
use super::*;
use quoin_formats::Syntax;
use quoin_formats::{detect, samples};

#[derive(Debug)]
struct Silent;

impl Engine for Silent {
    fn rules(&self) -> usize {
        0
    }

    fn has_rule(&self, _: &str) -> bool {
        false
    }

    fn check<'d>(&self, _: Element<'d>, _: Date, _: &mut dyn FnMut(OfficialFinding<'d>)) {}
}

fn set(coordinate: &str, from: Option<Date>, until: Option<Date>) -> Arc<OfficialSet> {
    let formats = vec![Syntax::UblInvoice];
    Arc::new(OfficialSet {
        coordinate: coordinate.parse().unwrap(),
        title: String::new(),
        kind: OfficialSetKind::Rules,
        from,
        until,
        applies: Applies { formats, ..Applies::default() },
        added_on: None,
        engine: Box::new(Silent),
    })
}

fn library() -> OfficialLibrary {
    OfficialLibrary::new([
        set("eu.peppol.bis3:invoice:2026.5", Some(date(2026, 5, 18)), None),
        set("eu.peppol.bis3:invoice:2025.11", Some(date(2025, 11, 17)), None),
        set("eu.peppol.bis3:invoice:2026.11", Some(date(2026, 11, 16)), None),
        set("eu.cen.en16931:ubl:1.3.16", None, None),
        set("old:rules:1.0", None, Some(date(2024, 12, 31))),
    ])
}

fn names(sets: Vec<&OfficialSet>) -> Vec<&str> {
    sets.into_iter().map(|set| set.coordinate.as_str()).collect()
}

#[test]
fn the_day_picks_one_release_of_each_line() {
    let (library, invoice) = (library(), detect(samples::INVOICE.as_bytes()));
    let on = |day| names(library.in_force(&invoice, day));
    assert_eq!(
        on(date(2026, 5, 17)),
        ["eu.cen.en16931:ubl:1.3.16", "eu.peppol.bis3:invoice:2025.11"]
    );
    assert_eq!(
        on(date(2026, 5, 18)),
        ["eu.cen.en16931:ubl:1.3.16", "eu.peppol.bis3:invoice:2026.5"]
    );
    assert_eq!(on(date(2024, 12, 31)), ["eu.cen.en16931:ubl:1.3.16", "old:rules:1.0"]);
    assert_eq!(on(date(2025, 1, 1)), ["eu.cen.en16931:ubl:1.3.16"]);
}

#[test]
fn the_coming_release_is_the_next_one() {
    let (library, invoice) = (library(), detect(samples::INVOICE.as_bytes()));
    let after = |day| names(library.coming(&invoice, day));
    assert_eq!(after(date(2026, 1, 1)), ["eu.peppol.bis3:invoice:2026.5"]);
    assert_eq!(after(date(2026, 6, 1)), ["eu.peppol.bis3:invoice:2026.11"]);
    assert!(after(date(2026, 11, 16)).is_empty());
}

#[test]
fn a_document_of_another_kind_gets_none() {
    let credit_note = detect(samples::INVOICE.replace("Invoice", "CreditNote").as_bytes());
    assert!(library().in_force(&credit_note, date(2026, 6, 1)).is_empty());
    assert!(library().in_force(&detect(b"hello"), date(2026, 6, 1)).is_empty());
}

#[test]
fn every_list_has_to_fit_and_none_fits_nothing() {
    let invoice = detect(samples::INVOICE.as_bytes());
    let bis = invoice.customization_id.clone().unwrap();
    let fits = |applies: Applies| applies.fits(&invoice);
    let with = |customization: &str| Applies {
        formats: vec![Syntax::UblCreditNote, Syntax::UblInvoice],
        customizations: vec![customization.to_owned()],
        ..Applies::default()
    };
    assert!(!fits(Applies::default()));
    assert!(fits(with("urn:cen.eu:en16931:2017")));
    assert!(!fits(with("urn:cen.eu:en16931:2017$")));
    assert!(fits(with(&format!("{bis}$"))));
    assert!(!fits(Applies { profiles: vec!["pint".to_owned()], ..with("urn:cen") }));
    assert!(fits(Applies { profiles: vec!["peppol-bis3".to_owned()], ..with("urn:cen") }));
    let root = |root: &str| Applies { roots: vec![root.to_owned()], ..Applies::default() };
    assert!(fits(root("Invoice")) && !fits(root("Order")) && !fits(root("{urn:x}Invoice")));
}

#[test]
fn a_policy_is_for_all_profiles_or_for_one() {
    let invoice = detect(samples::INVOICE.as_bytes());
    let mut policies = Policies::all(ValidationPolicy::Official);
    assert_eq!(policies.of(&invoice), ValidationPolicy::Official);
    policies.by_profile.insert("peppol-bis3".to_owned(), ValidationPolicy::Both);
    assert_eq!(policies.of(&invoice), ValidationPolicy::Both);
    assert_eq!(policies.of(&detect(b"hello")), ValidationPolicy::Official);
}
