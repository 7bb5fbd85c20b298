//! The ViDA pilot: its invoices and the reports that it shows of them.

use std::path::PathBuf;

use quoin_formats::read;
use quoin_taxdata::*;
use quoin_testing::shared;

use crate::told::*;

const PILOT: &str = "corpora/tax-data-tdd/vida-pilot-testing";

/// Every invoice of the pilot that is at hand with the report that is shown of it.
fn pairs() -> Option<Vec<(PathBuf, PathBuf)>> {
    let mut pairs = Vec::new();
    for scenario in std::fs::read_dir(shared(PILOT)?).unwrap().map(|entry| entry.unwrap().path()) {
        let results = scenario.join("sample-results");
        if !results.is_dir() {
            continue;
        }
        for sample in files(&results) {
            let source = scenario.join(name(&sample).replace(".TDD-C3.xml", ".xml"));
            if source.is_file() {
                pairs.push((source, sample));
            }
        }
    }
    assert!(pairs.len() >= 10, "{} pairs", pairs.len());
    Some(pairs)
}

#[test]
fn reports_are_those_of_the_pilot() {
    let Some(pairs) = pairs() else { return };
    for (source, sample) in pairs {
        let name = name(&sample);
        let (source, sample) = (document(&source), document(&sample));
        let report = report_like(Regime::Vida10, &sample, &source)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let report = read(&report.xml);
        same(&content_without(&report, OWN), &content_without(&sample, OWN), &name);
    }
}

/// Every invoice of the pilot, in both versions and roles.
#[test]
fn reports_keep_the_rules() {
    let (Some(pairs), Some(old), Some(new)) =
        (pairs(), Judge::of(Regime::Vida10), Judge::of(Regime::Vida11))
    else {
        return;
    };
    for (source, _) in pairs {
        let name = name(&source);
        let source = document(&source);
        for role in [ReporterRole::Corner2, ReporterRole::Corner3] {
            let report_of = |regime| {
                report(regime, role, &source).unwrap_or_else(|error| panic!("{name}: {error}"))
            };
            old.accepts(&report_of(Regime::Vida10).xml, &name);
            new.accepts(&report_of(Regime::Vida11).xml, &name);
        }
    }
}

/// The same invoice in another syntax is the same to the authority.
#[test]
fn other_syntaxes_are_told_alike() {
    let Some(pilot) = shared(PILOT) else { return };
    let mut compared = 0;
    for scenario in ["NW-HP-001", "NW-HP-002"] {
        for other in files(&pilot.join(scenario).join("other-formats")) {
            let bis = name(&other).replace("EN16931.CII", "PeppolBIS");
            let bis = pilot.join(scenario).join(bis);
            if !bis.is_file() || !name(&other).contains("CII") {
                continue;
            }
            let (cii, ubl) = (document(&other), document(&bis));
            let cii_report = report(Regime::Vida11, ReporterRole::Corner3, &cii);
            let cii_report = cii_report.unwrap_or_else(|error| panic!("{}: {error}", name(&other)));
            let ubl_report = report(Regime::Vida11, ReporterRole::Corner3, &ubl).unwrap();
            assert_eq!(cii_report.scope, ubl_report.scope);
            assert_eq!(cii_report.invoice_uuid, ubl_report.invoice_uuid, "{}", name(&other));
            compared += 1;
        }
    }
    assert!(compared > 3, "{compared} compared");
}
