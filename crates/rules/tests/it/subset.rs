//! The official unit tests of structure rules: each row of the tables fires where its test says
//! so, and is silent where it says that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use quoin_rules::subset::{Outline, RowOutcome, SubsetTable, table};
use quoin_testing::shared;
use quoin_xml::tree::{Document, Element, Limits};

const VEFA: &str = "http://difi.no/xsd/vefa/validator/1.0";

const EN16931: &str = "corpora/en16931/eInvoicing-EN16931/test";
const POST_AWARD: &str = "corpora/peppol-poacc/github-2025-Q2/rules";
const LOGISTICS: &str = "corpora/logistics/logistics-bis/rules";

/// Folder of unit tests, rule set, release.
const FOLDERS: &[(&str, &str, &str, &str)] = &[
    (EN16931, "Invoice-unit-UBL", "en16931-ubl", "1.3.16"),
    (EN16931, "CreditNote-unit-UBL", "en16931-ubl", "1.3.16"),
    (EN16931, "cii", "en16931-cii", "1.3.16"),
    (POST_AWARD, "unit-order", "peppol-t01", "2025-11"),
    (POST_AWARD, "unit-order-agreement", "peppol-t110", "2025-11"),
    (POST_AWARD, "unit-order-change", "peppol-t114", "2025-11"),
    (POST_AWARD, "unit-order-cancellation", "peppol-t115", "2025-11"),
    (POST_AWARD, "unit-order-response", "peppol-t76", "2025-11"),
    (POST_AWARD, "unit-order-response-advanced", "peppol-t116", "2025-11"),
    (POST_AWARD, "unit-despatch-advice", "peppol-t16", "2025-11"),
    (POST_AWARD, "unit-catalogue", "peppol-t19", "2025-11"),
    (POST_AWARD, "unit-punch-out", "peppol-t77", "2025-11"),
    (POST_AWARD, "unit-invoice-response", "peppol-t111", "2025-11"),
    (LOGISTICS, "unit-advanced-despatch-advice", "peppol-t120", "1.2"),
    (LOGISTICS, "unit-weight-statement", "peppol-t122", "1.2"),
    (LOGISTICS, "unit-transport-execution-plan-request", "peppol-t123", "1.2"),
    (LOGISTICS, "unit-transport-execution-plan", "peppol-t124", "1.2"),
    (LOGISTICS, "unit-waybill", "peppol-t125", "1.2"),
    (LOGISTICS, "unit-transportation-status-request", "peppol-t126", "1.2"),
    (LOGISTICS, "unit-transportation-status", "peppol-t127", "1.2"),
    (LOGISTICS, "unit-receipt-advice", "peppol-t128", "1.2"),
    (LOGISTICS, "unit-application-response", "peppol-t129", "1.2"),
];

/// What one test of a test set expects of a rule: so many times, or at least once.
#[derive(Debug)]
enum Expected {
    Silent,
    Fires(Option<usize>),
}

#[test]
fn rows_fire_exactly_where_the_official_unit_tests_say() {
    let (mut tests, mut expectations, mut wrong) = (0, 0, Vec::new());
    for (root, folder, set, release) in FOLDERS {
        let Some(path) = shared(&format!("{root}/{folder}")) else { return };
        let table = table(set, release).expect("a table");
        let by_hand: BTreeSet<&str> =
            table.rows().filter(|row| row.is_by_hand()).map(|row| row.id).collect();
        for file in files(path) {
            for (document, expected) in test_set(&file) {
                tests += 1;
                let fired = fired(table, &document);
                for (rule, expected) in &expected {
                    if by_hand.contains(rule.as_str()) || !has(table, rule) {
                        continue;
                    }
                    expectations += 1;
                    let count = fired.get(rule.as_str()).copied().unwrap_or(0);
                    let right = match expected {
                        Expected::Silent => count == 0,
                        Expected::Fires(None) => count > 0,
                        Expected::Fires(Some(times)) => count == *times,
                    };
                    if !right {
                        wrong.push(format!("{} {rule}: {expected:?}, {count}", file.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {expectations}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tests > 800 && expectations > 300, "{tests} tests, {expectations} expectations");
}

fn has(table: &SubsetTable, rule: &str) -> bool {
    table.rows().any(|row| row.id == rule)
}

fn fired(table: &'static SubsetTable, text: &str) -> BTreeMap<&'static str, usize> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("well-formed");
    let mut fired = BTreeMap::new();
    table.walk(&Outline::new(&document), &mut |row, _, answer| {
        if answer == RowOutcome::Broken {
            *fired.entry(row.id).or_default() += 1;
        }
    });
    fired
}

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "xml"))
        .collect();
    found.sort();
    found
}

/// The documents of a test set as texts of their own, each with what is expected of it.
#[allow(clippy::disallowed_methods, reason = "a test reads official artefacts")]
fn test_set(path: &std::path::Path) -> Vec<(String, Vec<(String, Expected)>)> {
    let bytes = std::fs::read(path).expect("readable");
    let set = Document::parse(&bytes, &Limits::default()).expect("well-formed");
    let tests = set.root().children_named(VEFA, "test");
    tests
        .filter_map(|test| {
            let document = test.elements().find(|child| child.namespace() != VEFA)?;
            let assert = test.child(VEFA, "assert")?;
            let expected = assert.elements().filter_map(|item| {
                let times = item.attribute("number").and_then(|number| number.parse().ok());
                let rule = item.text().trim().to_owned();
                Some(match item.local() {
                    "success" => (rule, Expected::Silent),
                    "error" | "fatal" | "warning" => (rule, Expected::Fires(times)),
                    _ => return None,
                })
            });
            Some((text_of(document), expected.collect()))
        })
        .collect()
}

/// The text of a test's document: from its start tag to before the end tag of the test. No document
/// of a test has an element of that name.
fn text_of(element: Element<'_>) -> String {
    let rest = &element.document().source()[element.offset()..];
    let close = rest.find("</test").or_else(|| rest.find(":test>")).expect("an end tag");
    let text = &rest[..close];
    text[..text.rfind('>').expect("an end tag") + 1].to_owned()
}
