//! The test sets of CEN and OpenPeppol with the official rules.

use std::collections::BTreeMap;
use std::path::Path;

use quoin_testing::shared;
use quoin_xml::schematron::testset::{TestSet, VEFA};
use quoin_xml::schematron::{RunOptions, SchematronOutcome};
use quoin_xml::tree::{Document, Element, Limits};

use crate::folder::{Schemas, bytes, files};

/// Which rule files a configuration of a build file uses, its parents' included.
fn configurations(build: &Path) -> BTreeMap<String, Vec<String>> {
    let document = Document::parse(&bytes(build), &Limits::default()).unwrap();
    let mut own = BTreeMap::new();
    for configuration in document.root().children_named(VEFA, "configuration") {
        let identifier = configuration.child(VEFA, "identifier").unwrap().text().into_owned();
        let sources = configuration.children_named(VEFA, "file");
        let sources: Vec<_> = sources.filter_map(source_of).collect();
        let parents = configuration.children_named(VEFA, "inherit");
        let parents: Vec<String> = parents.map(|parent| parent.text().into_owned()).collect();
        own.insert(identifier, (sources, parents));
    }
    let with_parents = |name: &String| {
        let (mut found, mut open) = (Vec::new(), vec![name.clone()]);
        while let Some(next) = open.pop() {
            let Some((sources, parents)) = own.get(&next) else { continue };
            found.extend(sources.iter().filter(|source| source.ends_with(".sch")).cloned());
            open.extend(parents.iter().cloned());
        }
        found.sort();
        found.dedup();
        found
    };
    own.keys().map(|name| (name.clone(), with_parents(name))).collect()
}

fn source_of(file: Element<'_>) -> Option<String> {
    file.attribute("source").or(file.attribute("path")).map(str::to_owned)
}

/// A publisher's repository: its build files, where its tests are, and where its rules are.
struct Family<'f> {
    folder: &'f str,
    builds: &'f [&'f str],
    tests: &'f str,
    /// Rule files as the build file names them, and where they are.
    rules: &'f dyn Fn(&str) -> String,
    /// Tests that these rules cannot pass, by file and name.
    known: &'f [(&'f str, &'f str)],
}

impl Family<'_> {
    /// Runs all tests; answers how many there are and what does not pass.
    fn run(&self) -> Option<(usize, Vec<String>)> {
        let root = shared(&format!("corpora/{}", self.folder))?;
        let mut rules = BTreeMap::new();
        for build in self.builds {
            rules.extend(configurations(&root.join(build)));
        }
        let mut schemas = Schemas::new(root.clone());
        let (mut tests, mut wrong) = (0, Vec::new());
        for file in files(&root.join(self.tests), "xml") {
            let Ok(Some(set)) = TestSet::read(&bytes(&file)) else { continue };
            let configuration = set.configuration.as_deref().unwrap_or_default();
            let sources = rules.get(configuration).unwrap_or_else(|| panic!("{configuration}"));
            assert!(!sources.is_empty(), "{configuration}");
            for test in &set.tests {
                tests += 1;
                let outcomes: Vec<SchematronOutcome> = sources
                    .iter()
                    .map(|source| {
                        let schema = schemas.get(&(self.rules)(source));
                        schema.validate(&test.document, &RunOptions::default())
                    })
                    .collect();
                let failures = test.judge(&outcomes);
                let name = file.file_stem().unwrap().to_string_lossy();
                if !failures.is_empty() && !self.known.contains(&(&name, &test.name)) {
                    wrong.push(format!("{name} {}: {}", test.name, failures.join("; ")));
                }
            }
        }
        println!("{}: {} of {tests} tests", self.folder, tests - wrong.len());
        Some((tests, wrong))
    }

    fn check(&self, expected: usize) {
        let Some((tests, wrong)) = self.run() else { return };
        assert!(wrong.is_empty(), "{} of {tests}:\n{}", wrong.len(), wrong.join("\n"));
        assert_eq!(tests, expected);
    }
}

#[test]
fn en_16931() {
    let family = Family {
        folder: "en16931/eInvoicing-EN16931",
        builds: &["buildconfig-ubl.xml", "buildconfig-cii.xml"],
        tests: "test",
        rules: &str::to_owned,
        known: &[],
    };
    family.check(789);
}

#[test]
fn bis_billing() {
    let family = Family {
        folder: "peppol-bis-billing/github-2025-Q2/rules",
        builds: &["buildconfig.xml"],
        tests: ".",
        rules: &str::to_owned,
        known: &[],
    };
    family.check(581);
}

#[test]
fn post_award() {
    let family = Family {
        folder: "peppol-poacc",
        builds: &["github-2025-Q2/rules/buildconfig.xml"],
        tests: "github-2025-Q2/rules",
        // The repository lacks the parts that are generated; the release after it has them. There
        // R048 is gone, and R008 is a warning.
        rules: &|source| {
            let name = source.rsplit('/').next().unwrap_or_default();
            format!("phive-rules/rule-source/openpeppol/2025.11/{name}")
        },
        known: &[("PEPPOL-COMMON-R048", "2"), ("PEPPOL-T114-R008", "5"), ("PEPPOL-T114-R008", "6")],
    };
    family.check(411);
}

#[test]
fn logistics() {
    let family = Family {
        folder: "logistics/logistics-bis",
        builds: &["rules/buildconfig.xml"],
        tests: "rules",
        rules: &|source| format!("rules/{source}"),
        known: &[],
    };
    family.check(508);
}
