//! FA(3) as the Ministry publishes it is valid, and files with a mistake are refused, each for its
//! reason.

use jiff::civil::date;
use quoin_formats::convert::{ConversionTarget, convert_at};
use quoin_formats::readers::read_invoice_at;
use quoin_formats::{Syntax, read};
use quoin_rules::{Report, Verdict, validate};
use quoin_testing::shared;

use super::documents;
use super::ksef::polish;

/// Each file of a folder with its report.
#[allow(clippy::disallowed_methods, reason = "official documents")]
fn reports(folder: &str) -> Vec<(String, Report)> {
    let Some(folder) = shared(folder) else { return Vec::new() };
    let mut all = Vec::new();
    for entry in folder.read_dir().unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".xml") {
            let bytes = std::fs::read(entry.path()).unwrap();
            all.push((name, validate(&read(&bytes), date(2026, 11, 20))));
        }
    }
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn rules(report: &Report) -> Vec<String> {
    report.findings.iter().map(|finding| finding.rule.to_string()).collect()
}

#[test]
fn what_the_ministry_publishes_is_valid() {
    let all = reports("ksef-data/fa3-official-examples");
    for (name, report) in &all {
        assert_eq!(report.verdict(), Verdict::Valid, "{name}: {:?}", report.findings);
        assert_eq!(report.rule_sets, ["pl.gov.mf.ksef:fa3:1-0E"], "{name}");
        println!("{name}: {:?}", rules(report));
    }
    assert!(all.is_empty() || all.len() == 26, "{}", all.len());
}

/// What only our rules find: the schema admits these.
const BEYOND_THE_SCHEMA: &[(&str, &str)] = &[
    ("05-", "QUOIN-FA-JST"),
    ("17-", "QUOIN-FA-GV"),
    ("21-", "QUOIN-FA-TAX"),
    ("23-", "QUOIN-FA-ACCOUNT"),
    ("24-", "QUOIN-FA-ROW-NUMBER"),
    ("25-", "QUOIN-FA-ROW-SIGN"),
];

#[test]
fn files_with_a_mistake_are_refused() {
    let all = reports("ksef-data/fa3-error-cases");
    for (name, report) in &all {
        assert_eq!(report.verdict(), Verdict::NotValid, "{name}");
        println!("{name}: {:?}", rules(report));
    }
    assert!(all.is_empty() || all.len() == 25, "{}", all.len());
    for (start, rule) in BEYOND_THE_SCHEMA {
        let found = all.iter().find(|(name, _)| name.starts_with(start));
        let fired = found.map(|(_, report)| report.fatal().any(|finding| finding.rule == *rule));
        assert!(all.is_empty() || fired == Some(true), "{start} {rule}");
    }
}

/// What is made of the official documents with a Polish seller keeps the rules, so that a hook that
/// converts is not refused for what we wrote ourselves. What does not is wrong in the source.
#[test]
fn what_is_converted_keeps_the_rules() {
    let (mut converted, mut wrong) = (0, Vec::new());
    for (path, bytes) in documents().into_iter().step_by(4) {
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let parsed = read(&bytes);
        let Some(reading) = parsed.root().and_then(read_invoice_at) else { continue };
        if !reading.syntax.is_ubl_invoice() && reading.syntax != Syntax::Cii {
            continue;
        }
        let text = polish(text, &reading.invoice);
        let parsed = read(text.as_bytes());
        let Some(root) = parsed.root() else { continue };
        let Ok(own) = convert_at(root, ConversionTarget::KSEF) else { continue };
        converted += 1;
        let report = validate(&read(own.document.as_bytes()), date(2026, 11, 20));
        for finding in report.fatal() {
            wrong.push(format!("{} {}: {}", finding.rule, path.display(), finding.message));
        }
    }
    wrong.sort();
    println!("{converted} converted, {} findings\n{}", wrong.len(), wrong.join("\n"));
    let others = |line: &&String| !ALTERED.iter().any(|rule| line.starts_with(rule));
    assert_eq!(wrong.iter().filter(others).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// What the change to a Polish seller makes wrong, and what is wrong in official examples: accounts
/// that are none.
const ALTERED: &[&str] = &["QUOIN-FA-TAX ", "QUOIN-FA-ACCOUNT "];
