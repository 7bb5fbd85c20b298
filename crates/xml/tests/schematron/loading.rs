//! Every official rule set loads, unchanged.

use quoin_testing::shared;
use quoin_xml::schematron::LoadError;

use crate::folder::{bytes, files, load};

/// Rule sets that no engine can load, and why: parts that their publisher makes while building and
/// does not publish, or that were lost.
const INCOMPLETE: &[(&str, &str)] = &[
    ("peppol-poacc/github-2025-Q2/rules/sch/", "target/generated"),
    ("facturx-zugferd/phive-rules/rule-source/2.4/", "_codedb.xml"),
    ("setu/xml-specifications/setu/validator/oud/", "lists_business_rules_positionopeningnl.xml"),
];

#[test]
fn every_official_set_loads() {
    let Some(root) = shared("corpora") else { return };
    let (mut loaded, mut checks, mut unexpected) = (0, 0, Vec::new());
    for file in files(&root, "sch") {
        let text = bytes(&file);
        let text = String::from_utf8_lossy(&text);
        let start = text.find("<schema").or(text.find(":schema"));
        if start.is_none() {
            continue;
        }
        let relative = file.strip_prefix(&root).unwrap().to_str().unwrap();
        // The folder of a set may lie above its main file, as that of XRechnung does.
        match load(&root, relative) {
            Ok(schema) => {
                loaded += 1;
                checks += schema.checks().count();
            }
            Err(LoadError::Read { file: missing, .. })
                if INCOMPLETE
                    .iter()
                    .any(|(set, part)| relative.starts_with(set) && missing.contains(part)) => {}
            Err(LoadError::Invalid { found, .. }) if found.ends_with("}pattern") => {}
            Err(error) => unexpected.push(format!("{relative}: {error}")),
        }
    }
    println!("{loaded} rule sets with {checks} assertions and reports");
    assert!(unexpected.is_empty(), "{} sets:\n{}", unexpected.len(), unexpected.join("\n"));
    assert!(loaded >= 175, "{loaded}");
}
