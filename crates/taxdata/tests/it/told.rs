//! What the tests share: what a document says, a report like a sample, what judges it.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::date;
use quoin_formats::{ParsedDocument, read, structure_tables};
use quoin_taxdata::*;
use quoin_testing::shared;
use quoin_xml::schematron::{
    FileResolver, PhaseChoice, ResolveError, RunOptions, SchematronSchema,
};
use quoin_xml::tree::Element;
use uuid::Uuid;

/// What a document says, as paths with attributes and texts; the white space around texts is no
/// part.
pub fn content(root: Element<'_>) -> Vec<String> {
    let mut out = Vec::new();
    walk(root, &mut String::new(), &mut out);
    out
}

fn walk(element: Element<'_>, path: &mut String, out: &mut Vec<String>) {
    let before = path.len();
    path.push('/');
    path.push_str(element.local());
    let mut attributes: Vec<_> =
        element.attributes().map(|one| format!("@{}={}", one.local, one.value)).collect();
    attributes.sort();
    if element.elements().next().is_none() {
        let text = element.text();
        let words: Vec<&str> = text.split_whitespace().collect();
        out.push(format!("{path}{} {}", attributes.concat(), words.join(" ")));
    }
    element.elements().for_each(|child| walk(child, path, out));
    path.truncate(before);
}

/// The same without lines that begin like this.
pub fn content_without(document: &ParsedDocument, paths: &[&str]) -> Vec<String> {
    let lines = content(document.root().unwrap()).into_iter();
    lines.filter(|line| !paths.iter().any(|path| line.starts_with(path))).collect()
}

/// What is random or a time in every report.
pub const OWN: &[&str] = &["/TaxData/UUID", "/TaxData/IssueDate", "/TaxData/IssueTime"];

#[track_caller]
pub fn same(own: &[String], sample: &[String], name: &str) {
    let more: Vec<_> = own.iter().filter(|line| !sample.contains(line)).collect();
    let less: Vec<_> = sample.iter().filter(|line| !own.contains(line)).collect();
    assert!(more.is_empty() && less.is_empty(), "{name}:\n+ {more:#?}\n- {less:#?}");
    assert_eq!(own, sample, "{name}: another order");
}

/// The XML files of a folder below it, in their order.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("xml")))
        .collect();
    files.sort();
    files
}

pub fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

pub fn document(path: &Path) -> ParsedDocument {
    read(&std::fs::read(path).unwrap())
}

/// A report of a document whose envelope says what another report says.
pub fn report_like(
    regime: Regime,
    sample: &ParsedDocument,
    source: &ParsedDocument,
) -> Result<BuiltReport, CannotReport> {
    let said = read_report(sample).unwrap();
    let named = |root: Element<'_>| {
        let authority = root.elements().find(|one| one.local() == "TaxAuthority")?;
        let name = authority.elements().find(|one| one.local() == "Name")?;
        Some(name.text().trim().to_owned())
    };
    let authority = TaxAuthority {
        id: said.authority.clone().unwrap_or_default(),
        name: named(sample.root().unwrap()),
    };
    let transmission = said.transmission.as_deref();
    let envelope = TaxEnvelope {
        uuid: Uuid::from_u128(0x1111_1111_1111_4111_8111_1111_1111_1111),
        issued: at(),
        submission: said.submission,
        authority: &authority,
        reporter: &said.reporter,
        receiver: &said.receiver,
        representative: &said.representative,
        transmission: transmission.and_then(|text| text.parse().ok()),
        transport_header: transmission,
        received: None,
    };
    build(regime, said.role, &ReportableInvoice::of(source).unwrap(), &envelope)
}

pub fn at() -> Timestamp {
    "2026-11-26T12:00:00Z".parse().unwrap()
}

/// A report to an authority that was made up, in both roles.
pub fn report(
    regime: Regime,
    role: ReporterRole,
    source: &ParsedDocument,
) -> Result<BuiltReport, CannotReport> {
    let authority = TaxAuthority { id: "BE".to_owned(), name: Some("Tax & <Co>".to_owned()) };
    let reporter = quoin_model::ElectronicAddress {
        scheme: "0235".to_owned(),
        value: "1987654321".to_owned(),
    };
    let envelope = TaxEnvelope {
        uuid: Uuid::from_u128(0x1111_1111_1111_4111_8111_1111_1111_1111),
        issued: at(),
        submission: TaxSubmission::Submit,
        authority: &authority,
        reporter: &reporter,
        receiver: "000001-TAX.BE",
        representative: "000002",
        transmission: Some(Uuid::from_u128(0x2222_2222_2222_4222_8222_2222_2222_2222)),
        transport_header: Some("22222222-2222-4222-8222-222222222222"),
        received: None,
    };
    build(regime, role, &ReportableInvoice::of(source).unwrap(), &envelope)
}

struct Folder(PathBuf);

impl FileResolver for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        std::fs::read(self.0.join(path)).map_err(|_| ResolveError::Missing)
    }
}

/// What judges reports of a regime: the official structure and rules.
pub struct Judge {
    structure: &'static str,
    rules: Vec<SchematronSchema>,
}

impl Judge {
    /// `None` where the official files are not at hand.
    pub fn of(regime: Regime) -> Option<Judge> {
        let tdd = "tax-data";
        let (structure, folder, names): (_, _, &[&str]) = match regime {
            Regime::Vida10 => ("tdd-vida-1.0", "vida-1.0.0/schematron", VIDA),
            // The rules of 1.1 that are at hand are ours; those of 1.0 hold too.
            Regime::Vida11 => ("tdd-vida-1.1", "vida-1.0.0/schematron", VIDA),
            Regime::Slovakia => ("tdd-sk-1.0", "sk-1.0.0/trn-tdd/schematron", SLOVAKIA),
            Regime::Emirates => {
                ("tdd-ae-1.0", "ae-1.0.4/trn-tdd/schematron", &["peppol-ae-tdd.sch"])
            }
            Regime::Oman => ("tdd-om-1.0", "om-1.0.1/trn-tdd/schematron", &["peppol-om-tdd.sch"]),
        };
        let folder = Folder(shared(&format!("{tdd}/{folder}"))?);
        let load =
            |name: &&str| SchematronSchema::load(&folder, name, &PhaseChoice::default()).unwrap();
        Some(Judge { structure, rules: names.iter().map(load).collect() })
    }

    /// What is wrong by the official structure and rules.
    pub fn official(&self, document: &ParsedDocument) -> Vec<String> {
        let root = document.root().unwrap();
        let schema = structure_tables::by_id(self.structure).unwrap().schema().unwrap();
        let mut found: Vec<String> =
            schema.validate(root).violations.iter().map(|one| format!("XSD {one:?}")).collect();
        for rules in &self.rules {
            let outcome = rules.validate(document.tree().unwrap(), &RunOptions::default());
            let fired = outcome.fired.iter();
            // The hot fix of June 2026 switched it off: a report has no place of delivery.
            let fired = fired.filter(|one| one.check.id.as_deref() != Some("BR-IC-12"));
            found.extend(fired.map(|one| {
                format!("{} at {}", one.check.id.as_deref().unwrap_or("?"), one.location.path)
            }));
        }
        found
    }

    /// The same by what is built in.
    pub fn built_in(document: &ParsedDocument) -> Vec<String> {
        let report = quoin_rules::validate(document, date(2026, 11, 26));
        if report.rule_sets.is_empty() {
            // Nothing is called valid that nobody judged.
            return vec!["not judged".to_owned()];
        }
        report.findings.iter().map(|one| format!("{}: {}", one.rule, one.message)).collect()
    }

    #[track_caller]
    pub fn accepts(&self, xml: &[u8], name: &str) {
        let document = read(xml);
        let (official, own) = (self.official(&document), Judge::built_in(&document));
        let text = String::from_utf8_lossy(xml);
        assert!(official.is_empty(), "{name}: {official:#?}\n{text}");
        assert!(own.is_empty(), "{name}: {own:#?}\n{text}");
    }
}

const VIDA: &[&str] = &["Peppol-ViDA-TDD.sch", "CEN-EN16931-UBL.sch", "PEPPOL-EN16931-UBL.sch"];
const SLOVAKIA: &[&str] =
    &["Peppol-Slovak Republic-TDD.sch", "CEN-EN16931-UBL.sch", "PEPPOL-EN16931-UBL.sch"];
