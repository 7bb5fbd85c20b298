//! The built-in sets against the official files: on any document the same rules fire at the same
//! elements. Other families use [`Parity`] with their own files and documents.

#![expect(clippy::disallowed_methods, reason = "a test reads official files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

mod aim;
mod aimed;
mod edges;
mod edits;
mod facturx;
mod made;
mod messages;
mod named;
mod nlcius;
mod official;
mod page;
mod peppol;
mod pint;
mod postaward;
mod sheet;
mod stands;
mod tally;
mod tax_data;
mod unreached;
mod wide;
mod xrechnung;

use quoin_model::Flag;
use quoin_rules::releases::RULE_SETS;
use quoin_rules::rules::{Facts, RuleSet};
use quoin_testing::shared;
use quoin_xml::schematron::testset::TestSet;
use quoin_xml::schematron::{
    Cause, FileResolver, PhaseChoice, ResolveError, RunOptions, SchematronSchema,
};
use quoin_xml::tree::{Document, Limits};

use edits::mutant;

/// The folder of a rule set.
struct Folder(PathBuf);

impl FileResolver for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        // The code lists of Factur-X are not with its rules.
        let lists = self.0.to_string_lossy().replace("/rule-source/", "/schematron/");
        let read = std::fs::read(self.0.join(path));
        let read = read.or_else(|_| std::fs::read(Path::new(&lists).join(path)));
        read.map_err(|_| ResolveError::Missing)
    }
}

/// A built-in set and the official file of its release.
pub struct Parity {
    set: &'static RuleSet,
    schema: SchematronSchema,
    /// Rules of the official file that are another set's.
    others: BTreeSet<&'static str>,
    compared: usize,
    hits: usize,
    /// Rules that fired.
    met: BTreeSet<String>,
    differences: Vec<String>,
    /// Differences in what cannot be computed.
    doubtful: Vec<String>,
}

/// A rule that fired, and the element at which it was tested.
type Fired = BTreeSet<(String, String)>;

impl Parity {
    /// Of a set by its coordinate; `None` where the official file is not at hand.
    pub fn new(coordinate: &str, official: &str) -> Option<Parity> {
        let (folder, name) = official.rsplit_once('/').unwrap();
        Parity::inside(coordinate, folder, name)
    }

    /// As [`Parity::new`], of a file that includes others of its folder, which are not beside it.
    pub fn inside(coordinate: &str, folder: &str, name: &str) -> Option<Parity> {
        let folder = Folder(shared(&format!("corpora/{folder}"))?);
        let schema = SchematronSchema::load(&folder, name, &PhaseChoice::default()).unwrap();
        let set = RULE_SETS.iter().find(|set| set.coordinate == coordinate).unwrap();
        Some(Parity {
            set,
            schema,
            others: BTreeSet::new(),
            compared: 0,
            hits: 0,
            met: BTreeSet::new(),
            differences: Vec::new(),
            doubtful: Vec::new(),
        })
    }

    /// The official file holds the rules of another set too, which are not compared.
    pub fn without(mut self, coordinate: &str) -> Parity {
        let other = RULE_SETS.iter().find(|set| set.coordinate == coordinate).unwrap();
        self.others.extend(other.ids());
        self
    }

    /// Compares one document.
    pub fn compare(&mut self, name: &str, document: &Document) {
        let (ours, theirs) = (self.ours(document), self.theirs(document));
        self.compared += 1;
        self.hits += theirs.len();
        let met = theirs.iter().map(|(rule, _)| rule.trim_end_matches(['?', '!']).to_owned());
        self.met.extend(met);
        // XPath leaves the order of conditions open, and with it whether an error is met before
        // an answer: an error of the one and an answer of the other are told, and no more.
        let same = |all: &Fired, rule: &str, path: &String| {
            let bare = rule.trim_end_matches('!');
            let both = [bare.to_owned(), format!("{bare}!")];
            both.into_iter().any(|rule| all.contains(&(rule, path.clone())))
        };
        let quiet = theirs.iter().filter(|(rule, path)| !same(&ours, rule, path));
        let fires = ours.iter().filter(|(rule, path)| !same(&theirs, rule, path));
        let quiet = quiet.map(|own| (own, "is quiet"));
        for ((rule, path), what) in quiet.chain(fires.map(|own| (own, "fires"))) {
            let difference = format!("{name}: {rule} {what} at {path}");
            match rule.ends_with('!') {
                true => self.doubtful.push(difference),
                false => self.differences.push(difference),
            }
        }
    }

    fn ours(&self, document: &Document) -> Fired {
        let facts = Facts::new(document.root(), jiff::civil::date(2026, 11, 21));
        let mut fired = Fired::new();
        self.set.check(&facts, &mut |hit| {
            let failed = if hit.failed { "!" } else { "" };
            let flag = if hit.flag == Flag::Fatal { "" } else { "?" };
            fired.insert((format!("{}{flag}{failed}", hit.id), hit.context.path()));
        });
        fired
    }

    fn theirs(&self, document: &Document) -> Fired {
        let now = Some("2026-11-21T12:00:00Z".parse().unwrap());
        let outcome = self.schema.validate(document, &RunOptions { now, ..RunOptions::default() });
        assert!(outcome.is_complete);
        let mut fired = Fired::new();
        for one in outcome.fired {
            let failed = matches!(one.cause, Cause::Error { .. });
            let is_fatal = failed || one.check.flag.as_deref().is_none_or(|flag| flag == "fatal");
            let flag = if is_fatal { "" } else { "?" };
            let sign = if failed { "!" } else { "" };
            // Some rules have their identifier in the message only, and some have none.
            let told = || Some(one.message.strip_prefix('[')?.split_once(']')?.0.to_owned());
            let id = one.check.id.clone().or_else(told);
            let id = id.unwrap_or_else(|| "FX-SCH-NOT-USED".to_owned());
            if self.others.contains(&*id) {
                continue;
            }
            // A rule about an attribute is ours at its element, and one about the whole document
            // at the document element.
            let path = match one.location.path.split("/@").next().unwrap_or_default() {
                "" | "/" => document.root().path(),
                path => path.to_owned(),
            };
            fired.insert((format!("{id}{flag}{sign}"), path));
        }
        fired
    }

    /// Compares every XML file of a folder below the corpora, unit tests one by one, and answers
    /// the documents for mutants.
    pub fn folder(&mut self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let Some(folder) = shared(&format!("corpora/{folder}")) else { return Vec::new() };
        let mut read = Vec::new();
        for file in files(&folder) {
            let bytes = std::fs::read(&file).unwrap();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            match TestSet::read(&bytes) {
                Ok(Some(tests)) => {
                    for test in tests.tests {
                        self.compare(&format!("{name}#{}", test.name), &test.document);
                    }
                }
                _ => {
                    if let Ok(document) = Document::parse(&bytes, &Limits::default()) {
                        self.compare(&name, &document);
                        read.push((name, bytes));
                    }
                }
            }
        }
        read
    }

    /// Compares seeded changes of documents: so many, or what `QUOIN_MUTANTS` asks for.
    pub fn mutants(&mut self, documents: &[(String, Vec<u8>)], count: u64) {
        let asked = std::env::var("QUOIN_MUTANTS").ok().and_then(|count| count.parse().ok());
        for seed in 0..asked.unwrap_or(count) {
            if documents.is_empty() {
                return;
            }
            let (name, bytes) = &documents[seed as usize * 7919 % documents.len()];
            let Some(text) = mutant(bytes, seed) else { continue };
            if let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) {
                self.compare(&format!("{name} seed {seed}"), &document);
            }
        }
    }

    /// Fails where something differs, or where less was compared than expected.
    pub fn settle(self, documents: usize, hits: usize) {
        let (compared, found) = (self.compared, self.hits);
        println!("{}: {compared} documents, {found} hits", self.set.coordinate);
        let official = |id: &str| self.schema.checks().any(|check| check.id.as_deref() == Some(id));
        let quiet = self.set.rules().map(|rule| rule.id).filter(|id| !self.met.contains(*id));
        let quiet: BTreeSet<&str> = quiet.filter(|id| official(id)).collect();
        println!("rules by hand that never fired: {quiet:?}");
        for doubtful in &self.doubtful {
            println!("doubtful: {doubtful}");
        }
        assert!(self.doubtful.len() * 100 <= compared, "{} doubtful", self.doubtful.len());
        let shown: Vec<&String> = self.differences.iter().take(60).collect();
        assert!(shown.is_empty(), "{} differences: {shown:#?}", self.differences.len());
        assert!(compared >= documents && found >= hits, "{compared} documents, {found} hits");
    }
}

/// The XML files of a folder and the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

const CEN: &str = "en16931/eInvoicing-EN16931";

#[test]
fn en_16931_in_ubl() {
    let official =
        format!("{CEN}/ubl/schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch");
    let Some(mut parity) = Parity::new("eu.cen.en16931:ubl:1.3.16", &official) else { return };
    parity.folder(&format!("{CEN}/test/Invoice-unit-UBL"));
    parity.folder(&format!("{CEN}/test/CreditNote-unit-UBL"));
    let mut documents = parity.folder(&format!("{CEN}/ubl/examples"));
    documents.extend(parity.folder("peppol-bis-billing/github-2025-Q2/rules/examples"));
    parity.mutants(&documents, 300);
    parity.settle(300, 300);
}

/// Where a test of many values has one answer for all, it is not asked of each: the answers must be
/// the same as ever, one odd line among many included.
#[test]
fn many_lines() {
    use quoin_formats::samples::{SampleKind, document};

    let peppol = "peppol-bis-billing/phive-rules/rule-source/openpeppol/2026.5";
    for (coordinate, official) in [
        (
            "eu.cen.en16931:ubl:1.3.16",
            format!("{CEN}/ubl/schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch"),
        ),
        ("eu.peppol.bis3:invoice-core:2026.5", format!("{peppol}/PEPPOL-EN16931-UBL.sch")),
    ] {
        let Some(parity) = Parity::new(coordinate, &official) else { return };
        let mut parity = parity.without(match coordinate.contains("peppol") {
            true => "eu.cen.en16931:ubl:1.3.16",
            false => "eu.peppol.bis3:invoice-core:2026.5",
        });
        let text = document(SampleKind::Invoice, "0106:12345678", "0106:87654321", "F1", 70);
        let edits = [
            ("<cbc:ID>40</cbc:ID>", "<cbc:ID> </cbc:ID>"),
            ("<cbc:ID>S</cbc:ID>", "<cbc:ID>Z</cbc:ID>"),
            ("<cbc:Percent>", "<cbc:Percent> "),
            ("</cbc:PriceAmount>", "5</cbc:PriceAmount>"),
        ];
        let mut documents = vec![("many".to_owned(), text.clone().into_bytes())];
        for (from, to) in edits {
            documents.push((format!("many {to}"), text.replacen(from, to, 3).into_bytes()));
        }
        for (name, bytes) in &documents {
            parity.compare(name, &Document::parse(bytes, &Limits::default()).unwrap());
        }
        parity.mutants(&documents, 60);
        parity.settle(60, 20);
    }
}

#[test]
fn earlier_releases_of_en_16931() {
    for (release, folder) in [("1.3.15", "2025.11"), ("1.3.13", "2026.3")] {
        let base = "peppol-bis-billing/phive-rules/rule-source/openpeppol";
        let official = format!("{base}/{folder}/CEN-EN16931-UBL.sch");
        let coordinate = format!("eu.cen.en16931:ubl:{release}");
        let Some(mut parity) = Parity::new(&coordinate, &official) else { return };
        let documents = parity.folder(&format!("{CEN}/ubl/examples"));
        parity.mutants(&documents, 150);
        parity.settle(100, 100);
    }
}

#[test]
fn en_16931_in_cii() {
    let official =
        format!("{CEN}/cii/schematron/preprocessed/EN16931-CII-validation-preprocessed.sch");
    let Some(mut parity) = Parity::new("eu.cen.en16931:cii:1.3.16", &official) else { return };
    parity.folder(&format!("{CEN}/test/cii"));
    let mut documents = parity.folder(&format!("{CEN}/cii/examples"));
    documents.extend(parity.folder("xrechnung/xrechnung-testsuite"));
    documents.retain(|(_, bytes)| bytes.windows(20).any(|own| own == b"CrossIndustryInvoice"));
    parity.mutants(&documents, 300);
    parity.settle(300, 300);
}

/// What 1.3.15 says otherwise than 1.3.14.1. Its file is not there, so it is compared with that of
/// 1.3.14.1 in all the rest.
const NEW_IN_1_3_15: &[&str] = &[
    "BR-66",
    "BR-CL-03",
    "BR-CL-04",
    "BR-CL-05",
    "BR-CL-10",
    "BR-CL-11",
    "BR-CL-21",
    "BR-CL-22",
    "BR-CL-25",
    "BR-CL-26",
    "CII-DT-0010",
    "CII-DT-0020",
    "CII-DT-0030",
    "CII-DT-0040",
    "CII-DT-101",
    "CII-DT-102",
    "CII-DT-103",
    "CII-DT-104",
    "CII-SR-463",
    "CII-SR-465",
    "CII-SR-466",
];

#[test]
fn earlier_releases_of_en_16931_in_cii() {
    const OFFICIAL: &str = "peppol-bis-billing/github-2025-Q2/rules/sch/CEN-EN16931-CII.sch";
    for release in ["1.3.14.1", "1.3.15"] {
        let coordinate = format!("eu.cen.en16931:cii:{release}");
        let Some(mut parity) = Parity::new(&coordinate, OFFICIAL) else { return };
        parity.folder(&format!("{CEN}/test/cii"));
        let mut documents = parity.folder(&format!("{CEN}/cii/examples"));
        documents.extend(parity.folder("xrechnung/xrechnung-testsuite"));
        documents.retain(|(_, bytes)| bytes.windows(20).any(|own| own == b"CrossIndustryInvoice"));
        parity.mutants(&documents, 150);
        if release == "1.3.15" {
            let ends = [" ", "?", "!"];
            let is_new = |told: &String, id: &str| {
                ends.iter().any(|end| told.contains(&format!(": {id}{end}")))
            };
            let differences = std::mem::take(&mut parity.differences);
            parity.differences = differences
                .into_iter()
                .filter(|told| !NEW_IN_1_3_15.iter().any(|id| is_new(told, id)))
                .collect();
        }
        parity.settle(200, 200);
    }
}
