//! The same invoice in two syntaxes gives the same terms.

use std::collections::{BTreeMap, BTreeSet};

use super::{CII, UBL_INVOICE, parse, parsed, reading};
use quoin_model::amount::Decimal;
use quoin_model::en16931::{BusinessTerm, Date, Invoice};

/// What each term says, in a form that does not depend on the syntax, sorted.
fn terms(invoice: &Invoice<'_>) -> BTreeMap<&'static str, Vec<String>> {
    let mut all: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for term in invoice.terms() {
        all.entry(term.id).or_default().push(said(&term));
    }
    for note in &invoice.notes {
        let said = [note.subject().unwrap_or_default(), note.content().unwrap_or_default()];
        all.entry("BG-1").or_default().push(said.join(" "));
    }
    all.remove("BT-21");
    all.remove("BT-22");
    all
}

fn said(term: &BusinessTerm<'_>) -> String {
    if let Some(day) = Date::from(term.source).day() {
        return day.to_string();
    }
    let text = term.source.trimmed();
    match (term.id, text.as_ref()) {
        // UNTDID 2005 in UBL, 2475 in CII.
        ("BT-8", "3") => "5".to_owned(),
        ("BT-8", "35") => "29".to_owned(),
        ("BT-8", "432") => "72".to_owned(),
        _ => match Decimal::parse(&text) {
            Ok(number) => number.to_string(),
            Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        },
    }
}

#[test]
fn the_own_samples_say_the_same() {
    let (ubl, cii) = (parsed(UBL_INVOICE), parsed(CII));
    let (ubl, cii) = (terms(&reading(&ubl).invoice), terms(&reading(&cii).invoice));
    assert_eq!(ubl, cii);
    assert_eq!(ubl["BG-1"], ["AAI Every term once"]);
}

/// Terms in which the two documents of an official pair do differ: one of them lacks the term, or
/// says something else.
const DIFFERENT: &[(&str, &[&str])] = &[
    ("01.02a-INVOICE", &["BT-13"]),
    ("01.09a-INVOICE", &["BT-13"]),
    ("01.11a-INVOICE", &["BT-13"]),
    ("01.12a-INVOICE", &["BT-13"]),
    ("01.20a-INVOICE", &["BT-35", "BT-37", "BT-107", "BT-108", "BT-113"]),
    ("01.21a-INVOICE", &["BT-31", "BT-82", "BT-107", "BT-120"]),
    ("02.01a-INVOICE", &["BT-114"]),
    ("02.02a-INVOICE", &["BT-114"]),
    ("02.04a-INVOICE", &["BT-114"]),
    ("03.01a-INVOICE", &["BT-45"]),
    ("03.07a-INVOICE", &["BT-29", "BT-61", "BT-61-1", "BT-83", "BT-114"]),
    ("01.03_comprehensive_test", COMPREHENSIVE),
    ("01.04_comprehensive_test", COMPREHENSIVE),
    (
        "02.01a-cvd_INVOICE",
        &["BT-29", "BT-61", "BT-61-1", "BT-83", "BT-114", "BT-154", "BT-160", "BT-161"],
    ),
];

const COMPREHENSIVE: &[&str] =
    &["BT-41", "BT-44", "BT-45", "BT-61", "BT-61-1", "BT-114", "BT-149", "BT-150"];

/// The terms in which two documents differ, each with what they say.
fn differences(name: &str, ubl: &[u8], cii: &[u8]) -> Option<Vec<String>> {
    let (ubl, cii) = (parse(ubl)?, parse(cii)?);
    let (ubl, cii) = (terms(&reading(&ubl).invoice), terms(&reading(&cii).invoice));
    let known = DIFFERENT.iter().find(|(document, _)| *document == name);
    let known = known.map_or(&[][..], |(_, terms)| terms);
    let ids: BTreeSet<_> = ubl.keys().chain(cii.keys()).collect();
    let different = |id: &&&&str| ubl.get(**id) != cii.get(**id) && !known.contains(*id);
    let show = |id: &&str| format!("{name} {id}: {:?} {:?}", ubl.get(id), cii.get(id));
    Some(ids.iter().filter(different).map(|id| show(id)).collect())
}

#[test]
fn the_official_pairs_say_the_same() {
    let suite = "xrechnung/xrechnung-testsuite/";
    let (mut pairs, mut found) = (0, Vec::new());
    for file in super::corpora::files(suite) {
        let Some(stem) = file.strip_suffix("_ubl.xml") else { continue };
        let Some(ubl) = super::corpora::bytes(&file) else { continue };
        let Some(cii) = super::corpora::bytes(&format!("{stem}_uncefact.xml")) else { continue };
        let name = stem.rsplit('/').next().unwrap_or_default();
        let Some(different) = differences(name, &ubl, &cii) else { continue };
        pairs += 1;
        found.extend(different);
    }
    assert!(pairs == 0 || pairs > 20, "{pairs}");
    assert!(found.is_empty(), "{pairs} pairs\n{}", found.join("\n"));
}
