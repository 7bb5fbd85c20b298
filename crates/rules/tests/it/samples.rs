//! Our broken samples: each gives the finding that its file is named after (`RULE.xml` or
//! `RULE--variant.xml`), and each of our own findings has one.

use std::path::PathBuf;

use jiff::civil::date;
use quoin_formats::samples::{RECEIVER, SENDER, SampleKind, document};
use quoin_formats::{detect, read};
use quoin_model::Flag;
use quoin_rules::own::OWN;
use quoin_rules::{Report, Verdict, validate};

#[allow(clippy::disallowed_methods, reason = "the samples are files, some of them not text")]
fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/bad"));
    let mut samples: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (stem, std::fs::read(path).unwrap())
        })
        .collect();
    samples.sort();
    samples
}

fn rule_of(stem: &str) -> &str {
    stem.split_once("--").map_or(stem, |(rule, _)| rule)
}

fn report(bytes: &[u8]) -> Report {
    validate(&read(bytes), date(2026, 8, 20))
}

/// In CII the rate in the Canary Islands is above nought, and the sentence says so.
#[test]
fn the_rate_of_category_l_is_told_as_the_syntax_asks_for_it() {
    let cii = include_str!("../../../formats/samples/every-term-cii.xml");
    let text = cii.replace(">S</ram:CategoryCode>", ">L</ram:CategoryCode>");
    let text = text.replace(">25</ram:RateApplicablePercent>", ">0</ram:RateApplicablePercent>");
    assert_ne!(text, cii);
    let report = report(text.as_bytes());
    for rule in ["BR-AF-05", "BR-AF-06", "BR-AF-07"] {
        let finding = report.findings.iter().find(|one| one.rule == rule).expect(rule);
        assert_eq!(finding.expected.as_deref(), Some("> 0"), "{rule}");
        assert!(finding.message.contains("in CII"), "{}", finding.message);
        assert!(finding.message.contains("> 0"), "{}", finding.message);
    }
}

#[test]
fn each_broken_sample_gives_its_finding() {
    let samples = samples();
    assert!(samples.len() >= 40, "{} samples", samples.len());
    for (stem, bytes) in &samples {
        let report = report(bytes);
        let found: Vec<_> = report.findings.iter().map(|finding| &*finding.rule).collect();
        assert!(report.has(rule_of(stem)), "{stem}: {found:?}");
        for finding in &report.findings {
            assert!(finding.message.len() > 30, "{stem}: {}", finding.message);
            assert!(!finding.message.contains("  "), "{stem}: {}", finding.message);
        }
        let fatal = report.findings.iter().any(|finding| finding.flag == Flag::Fatal);
        let is_open = matches!(report.verdict(), Verdict::Valid | Verdict::NotJudged);
        assert_eq!(is_open, !fatal, "{stem}");
    }
}

#[test]
fn each_of_our_own_findings_has_a_sample() {
    let samples = samples();
    for row in OWN {
        let has = samples.iter().any(|(stem, _)| rule_of(stem) == row.id);
        // What a document alone cannot have: its size, what was announced of it, and what stands
        // beside it in a file.
        let alone = [
            "QUOIN-TIME",
            "QUOIN-XML-SIZE",
            "QUOIN-ANNOUNCED-TYPE",
            "QUOIN-ANNOUNCED-PROCESS",
            "QUOIN-ATTACHMENTS",
        ];
        assert!(has || alone.contains(&row.id), "no sample for {}", row.id);
    }
}

#[test]
fn a_document_over_the_limit_is_refused_before_it_is_read() {
    let bytes = vec![b' '; quoin_formats::detection::MAX_BYTES + 1];
    assert!(report(&bytes).has("QUOIN-XML-SIZE"));
    assert!(!detect(&bytes).well_formed);
}

#[test]
fn what_the_functions_write_is_valid_without_even_a_warning() {
    use SampleKind::{CreditNote, Invoice, Nlcius, SelfBilledCreditNote, SelfBilledInvoice};
    let files = [(Invoice, 2), (CreditNote, 2), (Nlcius, 2), (Invoice, 16)];
    for (kind, lines) in
        files.into_iter().chain([(SelfBilledInvoice, 2), (SelfBilledCreditNote, 2)])
    {
        let written = document(kind, SENDER, RECEIVER, "F2026-0001", lines);
        let report = validate(&read(written.as_bytes()), date(2026, 5, 20));
        assert!(report.is_valid(), "{kind:?}: {:#?}", report.findings);
        assert_eq!(report.findings, [], "{kind:?}");
    }
}
