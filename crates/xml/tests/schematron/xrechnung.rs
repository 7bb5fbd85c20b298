//! The tests of XRechnung: documents with mutations, and what must hold after each.

use quoin_testing::shared;
use quoin_xml::schematron::RunOptions;
use quoin_xml::schematron::mutation::mutations;
use quoin_xml::schematron::testset::rule_of;

use crate::folder::{Schemas, bytes, files};

const XRECHNUNG: &str = "xrechnung/xrechnung-schematron/src/validation/schematron";
/// The release has rules of Peppol besides, which are put in when it is built.
const RELEASE: &str = "xrechnung/phive-rules/rule-source/3.0.2";
const CEN: &str = "en16931/eInvoicing-EN16931";

/// Mutations that the official rules do not answer as expected, file and name. Both lie in a folder
/// `unexpected` of their publisher.
const KNOWN: &[(&str, &str)] = &[
    ("cii-br-03-wrong-date-format.xml", "inv-cii-date"),
    ("cii-br-co-25.xml", "cii-br-co-25-bt-9-empty"),
];

fn rule_file(set: &str, rule: &str) -> String {
    match set {
        "xrubl" if rule.starts_with("PEPPOL") => {
            format!("{RELEASE}/ubl/XRechnung-UBL-validation.sch")
        }
        "xrcii" if rule.starts_with("PEPPOL") => {
            format!("{RELEASE}/cii/XRechnung-CII-validation.sch")
        }
        "xrubl" => format!("{XRECHNUNG}/ubl/XRechnung-UBL-validation.sch"),
        "xrcii" => format!("{XRECHNUNG}/cii/XRechnung-CII-validation.sch"),
        "cenubl" => format!("{CEN}/ubl/schematron/EN16931-UBL-validation.sch"),
        "cencii" => format!("{CEN}/cii/schematron/EN16931-CII-validation.sch"),
        other => panic!("no rule set {other}"),
    }
}

#[test]
fn mutations_are_judged_as_expected() {
    let Some(root) = shared("corpora") else { return };
    let mut schemas = Schemas::new(root.clone());
    let (mut judged, mut wrong) = (0, Vec::new());
    for file in files(&root.join("xrechnung"), "xml") {
        let text = bytes(&file);
        if !text.windows(7).any(|window| window == b"<?xmute") {
            continue;
        }
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for mutation in mutations(&text).unwrap_or_else(|error| panic!("{name}: {error}")) {
            judged += 1;
            let expectations = [(&mutation.valid, false), (&mutation.invalid, true)];
            for (rules, is_broken) in expectations {
                for (set, rule) in rules {
                    let schema = schemas.get(&rule_file(set, rule));
                    let outcome = schema.validate(&mutation.document, &RunOptions::default());
                    let found = outcome.fired.iter().any(|fired| rule_of(fired) == rule);
                    if found != is_broken && !KNOWN.contains(&(&name, &mutation.name)) {
                        let line = mutation.position.line;
                        wrong.push(format!(
                            "{name}:{line} {}: {rule} broken: {found}, expected {is_broken}",
                            mutation.name
                        ));
                    }
                }
            }
        }
    }
    println!("{} of {judged} mutations", judged - wrong.len());
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged > 800, "{judged}");
}
