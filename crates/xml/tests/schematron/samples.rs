//! Published examples are valid under the rules of their format.

use quoin_testing::shared;
use quoin_xml::schematron::RunOptions;
use quoin_xml::schematron::testset::rule_of;
use quoin_xml::tree::{Document, Limits};

use crate::folder::{Schemas, bytes, files};

const CEN_UBL: &str = "en16931/eInvoicing-EN16931/ubl/schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch";
const CEN_CII: &str = "en16931/eInvoicing-EN16931/cii/schematron/preprocessed/EN16931-CII-validation-preprocessed.sch";
const BIS: &str =
    "peppol-bis-billing/phive-rules/rule-source/openpeppol/2026.5/PEPPOL-EN16931-UBL.sch";
const UBL: &[&str] = &["Invoice", "CreditNote"];
const CII: &[&str] = &["CrossIndustryInvoice"];
const TAX: &[&str] = &["TaxData"];

/// Folder of examples, names of their document elements, rule files.
const FAMILIES: &[(&str, &[&str], &[&str])] = &[
    ("en16931/eInvoicing-EN16931/ubl/examples", UBL, &[CEN_UBL]),
    ("en16931/eInvoicing-EN16931/cii/examples", CII, &[CEN_CII]),
    ("peppol-bis-billing/github-2025-Q2/rules/examples", UBL, &[CEN_UBL, BIS]),
    (
        "facturx-zugferd/phive-rules/test-files/2.5.2/minimum",
        CII,
        &["facturx-zugferd/phive-rules/rule-source/2.5.2/FACTUR-X_MINIMUM.sch"],
    ),
    (
        "facturx-zugferd/phive-rules/test-files/2.5.2/basicwl",
        CII,
        &["facturx-zugferd/phive-rules/rule-source/2.5.2/FACTUR-X_BASIC-WL.sch"],
    ),
    (
        "facturx-zugferd/phive-rules/test-files/2.5.2/en16931",
        CII,
        &["facturx-zugferd/phive-rules/rule-source/2.5.2/FACTUR-X_EN16931.sch"],
    ),
    (
        "facturx-zugferd/phive-rules/test-files/2.5.2/extended",
        CII,
        &["facturx-zugferd/phive-rules/rule-source/2.5.2/FACTUR-X_EXTENDED.sch"],
    ),
    (
        "mls-mlr/mls-resources-1.1.0/trn-mls/example",
        &["ApplicationResponse"],
        &["mls-mlr/mls-resources-1.1.0/trn-mls/schematron/peppol-mls-1.0.1.sch"],
    ),
    (
        "tax-data-tdd/ae-1.0.4/trn-tdd/example",
        TAX,
        &["tax-data-tdd/ae-1.0.4/trn-tdd/schematron/peppol-ae-tdd.sch"],
    ),
    (
        "tax-data-tdd/om-1.0.1/trn-tdd/example",
        TAX,
        &["tax-data-tdd/om-1.0.1/trn-tdd/schematron/peppol-om-tdd.sch"],
    ),
    (
        "tax-data-tdd/phive-rules/test-files/tdd/vida/1.0.0",
        TAX,
        &["tax-data-tdd/phive-rules/rule-source/tdd/vida/1.0.0/Peppol-ViDA-TDD.sch"],
    ),
    (
        "tax-data-tdd/phive-rules/test-files/tdd/sk/1.0.0",
        TAX,
        &["tax-data-tdd/phive-rules/rule-source/tdd/sk/1.0.0/Peppol-Slovak Republic-TDD.sch"],
    ),
];

#[test]
fn published_examples_are_valid() {
    let Some(root) = shared("corpora") else { return };
    let mut schemas = Schemas::new(root.clone());
    let (mut judged, mut wrong) = (0, Vec::new());
    for (folder, names, rules) in FAMILIES {
        for file in files(&root.join(folder), "xml") {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let Ok(document) = Document::parse(&bytes(&file), &Limits::default()) else { continue };
            if !names.contains(&document.root().local()) {
                continue;
            }
            judged += 1;
            for main in *rules {
                let outcome = schemas.get(main).validate(&document, &RunOptions::default());
                let fired = outcome.fired.iter();
                let broken: Vec<_> = fired
                    .filter(|found| found.check.flag.as_deref() != Some("warning"))
                    .map(|found| format!("{} {}", rule_of(found), found.location.path))
                    .collect();
                if !broken.is_empty() {
                    wrong.push(format!("{name}: {broken:?}"));
                }
            }
        }
    }
    println!("{} of {judged} examples", judged - wrong.len());
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged > 80, "{judged}");
}
