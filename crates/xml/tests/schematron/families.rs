//! Test documents whose names say what official rules must find in them.

use quoin_testing::shared;
use quoin_xml::schematron::testset::rule_of;
use quoin_xml::schematron::{RunOptions, SchematronOutcome, SchematronSchema};
use quoin_xml::tree::{Document, Limits};

use crate::folder::{Schemas, bytes, files};

/// Documents that are not as their names say under the official rules of Saxon either.
const KNOWN: &[&str] = &[];

fn judge(schema: &SchematronSchema, text: &[u8]) -> SchematronOutcome {
    let document = Document::parse(text, &Limits::default()).unwrap();
    schema.validate(&document, &RunOptions::default())
}

fn broken(outcome: &SchematronOutcome) -> Vec<&str> {
    outcome.fired.iter().map(rule_of).collect()
}

/// `PREFIX-12a.xml` must break `RULES-12`.
fn bad_examples(folder: &str, main: &str, prefix: &str, rules: &str, expected: usize) {
    let Some(root) = shared("corpora") else { return };
    let mut schemas = Schemas::new(root.clone());
    let schema = schemas.get(main);
    let (mut judged, mut wrong) = (0, Vec::new());
    for file in files(&root.join(folder), "xml") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let digits = name.strip_prefix(prefix).and_then(|rest| rest.get(..2));
        let Some(digits) = digits.filter(|text| text.parse::<u8>().is_ok()) else { continue };
        judged += 1;
        let outcome = judge(schema, &bytes(&file));
        let rule = format!("{rules}-{digits}");
        if !broken(&outcome).contains(&rule.as_str()) && !KNOWN.contains(&name.as_str()) {
            wrong.push(format!("{name}: {rule} is not among {:?}", broken(&outcome)));
        }
    }
    println!("{folder}: {} of {judged}", judged - wrong.len());
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(judged, expected);
}

#[test]
fn message_level_status() {
    let main = "mls-mlr/peppol-mls/schematron/peppol-mls-1.0.1.sch";
    bad_examples("mls-mlr/peppol-mls/test-files/bad", main, "mls-", "SCH-MLS", 66);
}

#[test]
fn transaction_statistics() {
    let folder = "reporting-tsr-eusr/edec-reporting/tsr/trn-transaction_statistics";
    let main = format!("{folder}/schematron/peppol-transaction-statistics-reporting-1.0.4.sch");
    bad_examples(&format!("{folder}/bad-examples"), &main, "tsr-", "SCH-TSR", 43);
}

#[test]
fn end_user_statistics() {
    let folder = "reporting-tsr-eusr/edec-reporting/eusr/trn-end_user_statistics";
    let main = format!("{folder}/schematron/peppol-end-user-statistics-reporting-1.1.4.sch");
    bad_examples(&format!("{folder}/bad-examples"), &main, "eusr-", "SCH-EUSR", 42);
}

const NL: &str = "nlcius-si-ubl/peppolautoriteit-testset";
const NL_RULES: &str = "nlcius-si-ubl/peppolautoriteit-validation/schematron";

/// `…_ok_…`, `…_warning_…`, `…_error_…`, and often the rule.
fn by_name(folder: &str, main: &str) {
    let Some(root) = shared("corpora") else { return };
    let mut schemas = Schemas::new(root.clone());
    let schema = schemas.get(main);
    let (mut judged, mut wrong) = (0, Vec::new());
    for file in files(&root.join(folder), "xml") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if KNOWN.contains(&name.as_str()) {
            continue;
        }
        let Ok(document) = Document::parse(&bytes(&file), &Limits::default()) else {
            println!("{name} is not well-formed");
            continue;
        };
        judged += 1;
        let outcome = schema.validate(&document, &RunOptions::default());
        let warns = |flag: Option<&str>| flag == Some("warning");
        let errors: Vec<_> = {
            let fired = outcome.fired.iter();
            fired.filter(|found| !warns(found.check.flag.as_deref())).map(rule_of).collect()
        };
        let all = broken(&outcome);
        let good = if name.contains("warning") {
            errors.is_empty() && !all.is_empty()
        } else if name.contains("error") {
            !errors.is_empty()
        } else {
            errors.is_empty()
        };
        if !good {
            wrong.push(format!("{name}: {all:?}"));
        }
    }
    println!("{folder}: {} of {judged}", judged - wrong.len());
    assert!(judged > 0);
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn nlcius_ubl() {
    by_name(&format!("{NL}/SI-UBL-2.0"), &format!("{NL_RULES}/si-ubl-2.0.sch"));
}

#[test]
fn nlcius_g_account() {
    let main = format!("{NL_RULES}/si-ubl-2.0-ext-gaccount.sch");
    by_name(&format!("{NL}/si-ubl-2.0-ext-gaccount"), &main);
}

#[test]
fn nlcius_cii() {
    by_name(&format!("{NL}/NLCIUS-CII"), &format!("{NL_RULES}/nlcius-cii-1.0.sch"));
}

#[test]
fn si_ubl_1_2() {
    by_name(&format!("{NL}/SI-UBL-1.2"), &format!("{NL_RULES}/si-ubl-1.2.sch"));
}
