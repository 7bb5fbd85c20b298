//! The unit tests that publishers deliver with their rules, run with the rules beside them.
//!
//! A test set names a configuration; a build file (`buildConfigurations`) says which rule files
//! that is. Where no build file is there, every rule file that has one of the rules a test is
//! about takes part; so it is with documents that have instructions (`<?xmute …?>`).

use std::collections::{BTreeMap, BTreeSet};

use quoin_xml::schematron::testset::{TestFragment, TestSet, VEFA};
use quoin_xml::schematron::{PhaseChoice, RunOptions, SchematronOutcome, SchematronSchema};
use quoin_xml::tree::{Document, Limits};

use super::{Description, OfficialSetKind, SetFiles};

mod instructed;
#[cfg(test)]
mod tests;

/// What the tests of one file came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFileResult {
    /// The file.
    pub file: String,
    /// How many tests it has.
    pub tests: usize,
    /// What is not as expected, with the name of its test; also what kept the tests from running.
    pub wrong: Vec<String>,
}

/// Runs every test set among the tests, which may be delivered with the rules or beside them;
/// `sets` are the rule files to take where no build file names them.
pub fn run_unit_tests(
    files: &SetFiles,
    sets: &[Description],
    tests: &SetFiles,
) -> Vec<TestFileResult> {
    let mut bench = UnitTestRunner { files, schemas: BTreeMap::new(), builds: builds(files) };
    let mains = sets.iter().filter(|set| set.kind == OfficialSetKind::Rules);
    let mains: Vec<String> = mains.map(|set| set.file.clone()).collect();
    let mut all = Vec::new();
    for (file, bytes) in tests.iter().filter(|(path, _)| path.ends_with(".xml")) {
        // Most XML beside rules is something else: examples, code lists.
        if let Ok(Some(set)) = TestSet::read(bytes) {
            let wrong = bench.run(&set, &mains);
            all.push(TestFileResult { file: file.clone(), tests: set.tests.len(), wrong });
        } else if let Some((tests, wrong)) = bench.instructed(bytes, &mains) {
            all.push(TestFileResult { file: file.clone(), tests, wrong });
        }
    }
    all
}

/// Rule files by the configurations that use them, those they inherit from included.
type Builds = BTreeMap<String, BTreeSet<String>>;

struct UnitTestRunner<'f> {
    files: &'f SetFiles,
    /// Compiled files, or why one could not be compiled.
    schemas: BTreeMap<String, Result<SchematronSchema, String>>,
    builds: Builds,
}

impl UnitTestRunner<'_> {
    fn run(&mut self, set: &TestSet, mains: &[String]) -> Vec<String> {
        let configuration = set.configuration.as_deref().unwrap_or_default();
        let built = self.builds.get(configuration).cloned().filter(|sources| !sources.is_empty());
        let named = built.is_some();
        let sources: Vec<String> = match built {
            Some(sources) => sources.into_iter().collect(),
            None => mains.to_vec(),
        };
        let mut wrong = Vec::new();
        for source in &sources {
            if let Err(error) = self.schema(source) {
                wrong.push(error.clone());
            }
        }
        for test in &set.tests {
            let takes_part = |schema: &SchematronSchema| named || about(schema, test);
            let schemas =
                sources.iter().filter_map(|source| self.schemas.get(source)?.as_ref().ok());
            let outcomes: Vec<SchematronOutcome> = schemas
                .filter(|schema| takes_part(schema))
                .map(|schema| schema.validate(&test.document, &RunOptions::default()))
                .collect();
            if outcomes.is_empty() {
                wrong.push(format!("test {}: no rule file has the rules it is about", test.name));
                continue;
            }
            let lines = test.judge(&outcomes).into_iter();
            wrong.extend(lines.map(|line| format!("test {}: {line}", test.name)));
        }
        wrong
    }

    fn schema(&mut self, source: &str) -> &Result<SchematronSchema, String> {
        let files = self.files;
        self.schemas.entry(source.to_owned()).or_insert_with(|| {
            let schema = SchematronSchema::load(files, source, &PhaseChoice::Default);
            schema.map_err(|error| error.to_string())
        })
    }
}

/// Whether a rule file has one of the rules that a test is about.
fn about(schema: &SchematronSchema, test: &TestFragment) -> bool {
    schema.checks().filter_map(|check| check.id.as_deref()).any(|id| {
        test.scope.contains(id) || test.expectations.iter().any(|expected| expected.rule == id)
    })
}

fn builds(files: &SetFiles) -> Builds {
    let mut own: BTreeMap<String, (BTreeSet<String>, Vec<String>)> = BTreeMap::new();
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".xml")) {
        let Ok(document) = Document::parse(bytes, &Limits::default()) else { continue };
        let root = document.root();
        if !root.is(VEFA, "buildConfigurations") {
            continue;
        }
        for configuration in root.children_named(VEFA, "configuration") {
            let Some(name) = configuration.child(VEFA, "identifier") else { continue };
            let (sources, parents) = own.entry(name.text().trim().to_owned()).or_default();
            let named = configuration.children_named(VEFA, "file");
            let named = named.filter_map(|file| file.attribute("source"));
            let rules = named
                .filter(|source| OfficialSetKind::of_file(source) == Some(OfficialSetKind::Rules));
            sources.extend(rules.filter_map(|source| super::guess::join(path, source)));
            let inherited = configuration.children_named(VEFA, "inherit");
            parents.extend(inherited.map(|parent| parent.text().trim().to_owned()));
        }
    }
    let whole = |name: &String| {
        let (mut sources, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![name.clone()];
        while let Some(next) = open.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            let Some((own, parents)) = own.get(&next) else { continue };
            sources.extend(own.iter().cloned());
            open.extend(parents.iter().cloned());
        }
        sources
    };
    own.keys().map(|name| (name.clone(), whole(name))).collect()
}
