//! Our verdict on every official unit test of a rule that we have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{fired, have, tree};
use quoin_testing::shared;
use quoin_xml::tree::Element;

const TESTS: &str = "http://difi.no/xsd/vefa/validator/1.0";

/// Verdicts compared, by rule: how many tests let it pass, and how many make it fire.
type Compared = BTreeMap<String, (usize, usize)>;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .collect();
    files.sort();
    files
}

fn compare(folder: &Path, sets: &[&str], skip: &[(&str, &str)], compared: &mut Compared) {
    for file in files(folder) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let relative = file.strip_prefix(shared("").unwrap()).unwrap().to_owned();
        let text = quoin_testing::shared_text(relative.to_str().unwrap()).unwrap();
        let document = tree(&text);
        let tests = document.root().children_named(TESTS, "test");
        for (number, test) in tests.enumerate() {
            let inner = test.elements().find(|child| child.namespace() != TESTS);
            let Some(inner) = inner else { continue };
            let fired = fired(inner, sets);
            for (rule, times) in expectations(test) {
                if !have(inner, sets, &rule) || skip.contains(&(name.as_str(), &rule)) {
                    continue;
                }
                let fires = fired.get(rule.as_str()).copied().unwrap_or_default();
                assert_eq!(fires, times, "{name}: test {}: {rule}", number + 1);
                let counts = compared.entry(rule).or_default();
                if times > 0 { counts.1 += 1 } else { counts.0 += 1 }
            }
        }
    }
}

/// The rules that a test is about, and how often they fire.
fn expectations(test: Element<'_>) -> Vec<(String, usize)> {
    let asserts = test.children_named(TESTS, "assert").flat_map(|assert| assert.elements());
    asserts
        .filter_map(|verdict| {
            let number = verdict.attribute("number").map_or(1, |number| number.parse().unwrap());
            match verdict.local() {
                "success" => Some((verdict.text().trim().to_owned(), 0)),
                "error" | "warning" => Some((verdict.text().trim().to_owned(), number)),
                _ => None,
            }
        })
        .collect()
}

#[test]
fn agrees_with_the_unit_tests_of_en_16931() {
    let Some(folder) = shared("corpora/en16931/eInvoicing-EN16931/test") else { return };
    let mut compared = Compared::new();
    for part in ["Invoice-unit-UBL", "CreditNote-unit-UBL"] {
        compare(&folder.join(part), &["en16931"], &[], &mut compared);
    }
    settle(&compared, 121, 23);
}

#[test]
fn agrees_with_the_unit_tests_of_peppol() {
    let base = "corpora/peppol-bis-billing/github-2025-Q2/rules/unit-UBL-PEPPOL";
    let Some(folder) = shared(base) else { return };
    let mut compared = Compared::new();
    compare(&folder, &["en16931", "peppol-bis3"], &[], &mut compared);
    settle(&compared, 14, 4);
}

/// Fewer verdicts than before mean that the test compares less than it says.
fn settle(compared: &Compared, verdicts: usize, rules: usize) {
    let total: usize = compared.values().map(|(quiet, fires)| quiet + fires).sum();
    println!("{total} verdicts on {} rules: {compared:?}", compared.len());
    assert!(total >= verdicts && compared.len() >= rules, "{total} on {}", compared.len());
}
