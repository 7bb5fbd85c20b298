//! Peppol BIS Billing 3 and BIS Self-Billing 3 against the official files of each release.

use quoin_xml::tree::{Document, Limits};

use super::Parity;
use super::edits::Numbers;

pub mod cii;
pub mod countries;
mod values;

use countries::{COUNTRIES, Changes, changed, credited, moved};

const BASE: &str = "peppol-bis-billing/phive-rules/rule-source/openpeppol";
const UNITS: &str = "peppol-bis-billing/github-2025-Q2/rules";

/// Every document of the corpora that says something about billing.
pub fn documents(parity: &mut Parity) -> Vec<(String, Vec<u8>)> {
    for unit in ["PEPPOL", "DE", "DK", "GR", "IT", "NL", "NO", "SE"] {
        parity.folder(&format!("{UNITS}/unit-UBL-{unit}"));
    }
    let folders = ["examples", "national-examples"].map(|folder| format!("{UNITS}/{folder}"));
    let mut documents: Vec<_> = folders.iter().flat_map(|folder| parity.folder(folder)).collect();
    documents.extend(parity.folder("peppol-bis-billing/phive-rules/test-files"));
    documents.extend(parity.folder("peppol-selfbilling"));
    documents
}

/// Compares documents, and answers those that are XML.
fn compared(parity: &mut Parity, texts: Vec<(String, String)>) -> Vec<(String, Vec<u8>)> {
    let mut kept = Vec::new();
    for (name, text) in texts {
        if let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) {
            parity.compare(&name, &document);
            kept.push((name, text.into_bytes()));
        }
    }
    kept
}

/// Each document as it is for parties of each country, and seeded changes of those.
pub fn national(parity: &mut Parity, documents: &[(String, Vec<u8>)], count: u64) {
    let mut texts = Vec::new();
    for (number, (name, bytes)) in documents.iter().enumerate() {
        for country in COUNTRIES {
            let text = moved(&String::from_utf8_lossy(bytes), country);
            if number % 3 == 0 {
                texts.push((format!("{name} credited in {}", country.code), credited(&text)));
            }
            texts.push((format!("{name} in {}", country.code), text));
        }
    }
    let moved = compared(parity, texts);
    seeded(parity, &moved, &values::UBL, count);
    parity.mutants(&moved, count);
}

/// Compares seeded changes: so many, or what `QUOIN_MUTANTS` asks for.
fn seeded(parity: &mut Parity, documents: &[(String, Vec<u8>)], changes: &Changes, count: u64) {
    let asked = std::env::var("QUOIN_MUTANTS").ok().and_then(|count| count.parse().ok());
    for seed in 0..asked.unwrap_or(count) {
        if documents.is_empty() {
            return;
        }
        let mut numbers = Numbers(seed);
        let (name, bytes) = &documents[numbers.below(documents.len())];
        let text = changed(&String::from_utf8_lossy(bytes), changes, &mut numbers);
        if let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) {
            parity.compare(&format!("{name} change {seed}"), &document);
        }
    }
}

#[test]
fn billing_of_may_2026() {
    let official = format!("{BASE}/2026.5/PEPPOL-EN16931-UBL.sch");
    let Some(mut parity) = Parity::new("eu.peppol.bis3:invoice-core:2026.5", &official) else {
        return;
    };
    let documents = documents(&mut parity);
    parity.mutants(&documents, 150);
    national(&mut parity, &documents, 150);
    parity.settle(300, 300);
}

#[test]
fn billing_of_november_2025() {
    let official = format!("{BASE}/2025.11/PEPPOL-EN16931-UBL.sch");
    let Some(mut parity) = Parity::new("eu.peppol.bis3:invoice-core:2025.11", &official) else {
        return;
    };
    let documents = documents(&mut parity);
    parity.mutants(&documents, 100);
    national(&mut parity, &documents, 100);
    parity.settle(300, 300);
}

#[test]
fn self_billing() {
    for release in ["2026.3", "2026.5"] {
        let official = format!("{BASE}/{release}/PEPPOL-EN16931-UBL-SB.sch");
        let coordinate = format!("eu.peppol.bis3:selfbilling-core:{release}");
        let Some(mut parity) = Parity::new(&coordinate, &official) else { return };
        let documents = documents(&mut parity);
        parity.mutants(&documents, 100);
        national(&mut parity, &documents, 100);
        parity.settle(300, 300);
    }
}

#[test]
fn billing_in_cii() {
    let official = format!("{UNITS}/sch/PEPPOL-EN16931-CII.sch");
    let coordinate = "eu.peppol.bis3:invoice-core-cii:2025.5";
    let Some(mut parity) = Parity::new(coordinate, &official) else { return };
    for unit in ["PEPPOL", "DK", "IT", "NL", "NO", "SE"] {
        parity.folder(&format!("{UNITS}/unit-CII-{unit}"));
    }
    let mut documents = parity.folder("en16931/eInvoicing-EN16931/cii/examples");
    documents.extend(parity.folder("xrechnung/xrechnung-testsuite"));
    documents.retain(|(_, bytes)| bytes.windows(20).any(|own| own == b"CrossIndustryInvoice"));
    let mut texts = Vec::new();
    for (name, bytes) in &documents {
        for country in COUNTRIES {
            let text = cii::moved(&String::from_utf8_lossy(bytes), country);
            texts.push((format!("{name} in {}", country.code), text));
        }
    }
    let moved = compared(&mut parity, texts);
    parity.mutants(&moved, 150);
    seeded(&mut parity, &moved, &cii::CHANGES, 150);
    parity.settle(300, 300);
}
