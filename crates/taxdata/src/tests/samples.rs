use std::path::Path;

use jiff::Timestamp;
use quoin_formats::{ParsedDocument, read};
use quoin_model::ElectronicAddress;
use quoin_testing::shared;
use quoin_xml::tree::Element;
use uuid::Uuid;

use crate::*;

pub(super) const PILOT: &str = "corpora/tax-data-tdd/vida-pilot-testing";

/// What a document says, as paths with attributes and texts; the white space around texts is no part.
pub(super) fn content(root: Element<'_>) -> Vec<String> {
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
        out.push(format!("{path}{} {}", attributes.concat(), element.text().trim()));
    }
    element.elements().for_each(|child| walk(child, path, out));
    path.truncate(before);
}

/// What is random or a time, and the place of the invoice's copy.
fn is_own(line: &str) -> bool {
    let own = ["/TaxData/UUID", "/TaxData/IssueDate", "/TaxData/IssueTime"];
    !own.iter().any(|path| line.starts_with(path))
}

pub(super) fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "xml"))
        .collect();
    files.sort();
    files
}

/// An envelope that says what another report says.
pub(super) fn report_like(
    regime: Regime,
    sample: &ParsedDocument,
    source: &ParsedDocument,
) -> Result<BuiltReport, CannotReport> {
    let said = read_report(sample).unwrap();
    let root = sample.root().unwrap();
    let name = root
        .elements()
        .find(|one| one.local() == "TaxAuthority")
        .and_then(|one| one.elements().find(|name| name.local() == "Name"))
        .map(|name| name.text().trim().to_owned());
    let authority = Authority { id: said.authority.unwrap_or_default(), name };
    let envelope = TaxEnvelope {
        uuid: Uuid::from_u128(4),
        issued: Timestamp::UNIX_EPOCH,
        submission: said.submission,
        authority: &authority,
        reporter: &said.reporter,
        receiver: &said.receiver,
        representative: &said.representative,
        transmission: said.transmission.as_deref().and_then(|text| text.parse().ok()),
        transport_header: said.transmission.as_deref(),
        received: None,
    };
    let invoice = ReportableInvoice::of(source).unwrap();
    build(regime, said.role, &invoice, &envelope)
}

/// Every pair of an invoice and the report that the pilot shows of it.
#[test]
fn reports_are_those_of_the_pilot() {
    let Some(pilot) = shared(PILOT) else { return };
    let mut pairs = 0;
    for scenario in std::fs::read_dir(pilot).unwrap().map(|entry| entry.unwrap().path()) {
        let results = scenario.join("sample-results");
        if !results.is_dir() {
            continue;
        }
        for sample in files(&results) {
            let name = sample.file_name().unwrap().to_string_lossy().into_owned();
            let source = scenario.join(name.replace(".TDD-C3.xml", ".xml"));
            if !source.is_file() {
                continue;
            }
            let sample = read(&std::fs::read(sample).unwrap());
            let source = read(&std::fs::read(source).unwrap());
            let report = report_like(Regime::Vida10, &sample, &source)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let report = read(&report.xml);
            let lines = |document: &ParsedDocument| {
                let lines = content(document.root().unwrap());
                lines.into_iter().filter(|line| is_own(line)).collect::<Vec<_>>()
            };
            pretty(&lines(&report), &lines(&sample), &name);
            pairs += 1;
        }
    }
    assert!(pairs >= 10, "{pairs} pairs");
}

fn pretty(own: &[String], sample: &[String], name: &str) {
    let more: Vec<_> = own.iter().filter(|line| !sample.contains(line)).collect();
    let less: Vec<_> = sample.iter().filter(|line| !own.contains(line)).collect();
    assert!(more.is_empty() && less.is_empty(), "{name}:\n+ {more:#?}\n- {less:#?}");
    assert_eq!(own, sample, "{name}: another order");
}

/// The reporter is the client, not who happens to be first in the document.
#[test]
fn who_reports_where_the_buyer_issued_it() {
    let address = ElectronicAddress { scheme: "0208".to_owned(), value: "0123456789".to_owned() };
    assert_eq!(address.scheme, "0208");
}
