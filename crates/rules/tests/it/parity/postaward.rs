//! Peppol post-award and logistics against their official files.

#![expect(clippy::disallowed_methods, reason = "a test reads official files")]

use quoin_testing::shared;
use quoin_xml::schematron::testset::TestSet;
use quoin_xml::tree::{Document, Limits};

use super::{Parity, files};

const POACC: &str = "peppol-poacc/phive-rules/rule-source/openpeppol";
const UNITS: &str = "peppol-poacc/github-2025-Q2/rules";
const LOGISTICS: &str = "logistics/logistics-bis";

/// A transaction: its coordinate without the release, its number, a text that its documents have,
/// and the folders of its unit tests.
type Transaction = (&'static str, u32, &'static str, &'static [&'static str]);

/// No order agreement is published by itself.
const AGREEMENT: &[u8] = include_bytes!("order-agreement.xml");
/// A punch-out basket is delivered by itself only with the rules of the release before.
const BASKETS: &str = "peppol-bis2-legacy/peppol-bis/peppolbis-trdm077-1.0-punch-out/Tests";

const TRANSACTIONS: &[Transaction] = &[
    ("order", 1, "trns:order:3", &["unit-order"]),
    ("order-agreement", 110, "trns:order_agreement:3", &["unit-order-agreement"]),
    ("invoice-message-response", 111, "trns:invoice_response:3", &["unit-invoice-response"]),
    ("order-change", 114, "trns:order_change:3", &["unit-order-change"]),
    ("order-cancellation", 115, "trns:order_cancellation:3", &["unit-order-cancellation"]),
    (
        "order-response-advanced",
        116,
        "trns:order_response_advanced:3",
        &["unit-order-response-advanced"],
    ),
    ("despatch-advice", 16, "trns:despatch_advice:3", &["unit-despatch-advice"]),
    ("catalogue", 19, "trns:catalogue:3", &["unit-catalogue"]),
    ("catalogue-response", 58, "trns:catalogue_response:3", &[]),
    ("mlr", 71, "trns:mlr:3", &[]),
    ("order-response", 76, "trns:order_response:3", &["unit-order-response"]),
    ("punch-out", 77, "trns:punch_out:3", &["unit-punch-out"]),
];

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|own| own == text.as_bytes())
}

/// The fragments of unit tests, each as a document to change.
fn fragments(folder: &str) -> Vec<(String, Vec<u8>)> {
    let Some(folder) = shared(&format!("corpora/{folder}")) else { return Vec::new() };
    let sets = files(&folder)
        .into_iter()
        .filter_map(|file| TestSet::read(&std::fs::read(file).unwrap()).ok().flatten());
    let fragment = |test: quoin_xml::schematron::testset::TestFragment| {
        (test.name, test.document.source().as_bytes().to_vec())
    };
    sets.flat_map(|set| set.tests).map(fragment).collect()
}

fn post_award(wanted: impl Fn(&str) -> bool) {
    for (name, number, text, units) in TRANSACTIONS.iter().filter(|own| wanted(own.0)) {
        for (release, folder) in [("2025.11", "2025.11"), ("2026.5", "2026.5")] {
            let coordinate = format!("eu.peppol.bis3:{name}:{release}");
            let official = format!("{POACC}/{folder}/PEPPOLBIS-T{number:02}.sch");
            let Some(mut parity) = Parity::new(&coordinate, &official) else { return };
            for unit in *units {
                parity.folder(&format!("{UNITS}/{unit}"));
            }
            parity.folder(&format!("{UNITS}/unit-common"));
            let mut documents = parity.folder(&format!("{UNITS}/examples"));
            documents.extend(parity.folder(&format!("{UNITS}/use-case-examples")));
            documents.extend(parity.folder("peppol-poacc/phive-rules/test-files"));
            documents.extend(parity.folder("mls-mlr/peppol-mlr"));
            documents.retain(|(_, bytes)| has(bytes, text));
            match *number {
                77 => documents.extend(parity.folder(BASKETS)),
                110 => documents.push(("agreement".to_owned(), AGREEMENT.to_vec())),
                _ => {}
            }
            assert!(!documents.is_empty(), "{name}");
            parity.mutants(&documents, 40);
            let units = units.iter().flat_map(|unit| fragments(&format!("{UNITS}/{unit}")));
            parity.mutants(&units.collect::<Vec<_>>(), 40);
            parity.settle(60, 200);
        }
    }
}

#[test]
fn orders_their_changes_and_agreements() {
    post_award(|name| ["order", "order-change", "order-agreement"].contains(&name));
}

#[test]
fn responses_and_cancellations() {
    post_award(|name| name.contains("response") || ["order-cancellation", "mlr"].contains(&name));
}

#[test]
fn catalogues_and_despatch_advices() {
    post_award(|name| ["catalogue", "punch-out", "despatch-advice"].contains(&name));
}

/// Numbers of parties, right and wrong, by their schemes.
pub const NUMBERS: &[(&str, &[&str])] = &[
    ("0088", &["1234567890128", "1234567890123", "128", "", "12345678901a8"]),
    ("0192", &["123456785", "123456789", "000000000", " 123456785 "]),
    ("0184", &["DK12345678", "12345678", "DK1234567", " 12345678", "1234567a"]),
    ("0096", &["1234567890", "123456789", "123456789a", " 1234567890"]),
    ("0198", &["DK12345678", "12345678", "dk12345678"]),
    ("0208", &["0123456749", "0123456748", "123456749"]),
    ("0201", &["Ab12Cd", "Ab12C", "Ab12C-"]),
    ("0210", &["RSSMRA85T10A562S", "12345678901", "1234567890", "RSSMRA85T10A562", "+1234567890"]),
    ("9907", &["RSSMRA85T10A562S", "RSSMRA8ZT10A562S", "12345678901"]),
    ("0211", &["IT12345678903", "it12345678904", "12345678903", "IT+2345678903", "ITABCDEFGHIJK"]),
    ("0007", &["5560360793", "5560360794", "556036079", "556036079A"]),
    ("0151", &["51824753556", "51824753557", "5182475355"]),
    ("0106", &["12345678", "1234567", "123456789"]),
    ("0190", &["12345678901234567890", "1234567890123456789"]),
    ("9944", &["NL123456789B12", "nl123456789b12", "NL123456789"]),
    ("0217", &["123456789012", "12345678901"]),
];

#[test]
fn numbers_of_parties_by_scheme() {
    for release in ["2025.11", "2026.5"] {
        let coordinate = format!("eu.peppol.bis3:order-agreement:{release}");
        let official = format!("{POACC}/{release}/PEPPOLBIS-T110.sch");
        let Some(mut parity) = Parity::new(&coordinate, &official) else { return };
        let text = std::str::from_utf8(AGREEMENT).unwrap();
        for (scheme, numbers) in NUMBERS {
            for number in *numbers {
                for name in ["EndpointID", "ID"] {
                    let from = format!("<cbc:{name} schemeID=\"0106\">12345678<");
                    let to = format!("<cbc:{name} schemeID=\"{scheme}\">{number}<");
                    let text = text.replacen(&from, &to, 1);
                    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
                    parity.compare(&format!("{scheme} {number:?} {name}"), &document);
                }
            }
        }
        for number in ["NL123456789B12", "NL12345678B12", " NL123456789B12 ", "BE0123456749", ""] {
            let from = "<cac:PartyLegalEntity>";
            let to = format!(
                "<cac:PartyTaxScheme><cbc:CompanyID>{number}</cbc:CompanyID><cac:TaxScheme>\
                 <cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>{from}"
            );
            let text = text.replacen(from, &to, 1);
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            parity.compare(number, &document);
        }
        parity.settle(110, 60);
    }
}

const LOGISTIC: &[Transaction] = &[
    (
        "advanced-despatch-advice",
        120,
        "trns:advanced_despatch_advice:1",
        &["unit-advanced-despatch-advice"],
    ),
    ("weight-statement", 122, "trns:weight_statement:1", &["unit-weight-statement"]),
    (
        "transport-execution-plan-request",
        123,
        "trns:transport_execution_plan_request:1",
        &["unit-transport-execution-plan-request"],
    ),
    (
        "transport-execution-plan",
        124,
        "trns:transport_execution_plan:1",
        &["unit-transport-execution-plan"],
    ),
    ("waybill", 125, "trns:waybill:1", &["unit-waybill"]),
    (
        "transportation-status-request",
        126,
        "trns:transportation_status_request:1",
        &["unit-transportation-status-request"],
    ),
    ("transportation-status", 127, "trns:transportation_status:1", &["unit-transportation-status"]),
    ("receipt-advice", 128, "trns:receipt_advice:1", &["unit-receipt-advice"]),
    ("application-response", 129, "ApplicationResponse-2", &["unit-application-response"]),
];

#[test]
fn logistics() {
    for (name, number, text, units) in LOGISTIC {
        let coordinate = format!("eu.peppol.logistics:{name}:1.2");
        let official = format!("{LOGISTICS}/target/schematron/PEPPOLBIS-T{number}.sch");
        let Some(mut parity) = Parity::new(&coordinate, &official) else { return };
        for unit in *units {
            parity.folder(&format!("{LOGISTICS}/rules/{unit}"));
        }
        parity.folder(&format!("{LOGISTICS}/rules/unit-common"));
        let mut documents = parity.folder(&format!("{LOGISTICS}/rules/examples"));
        documents.extend(parity.folder("peppol-poacc/phive-rules/test-files"));
        documents.retain(|(_, bytes)| has(bytes, text));
        assert!(!documents.is_empty(), "{name}");
        parity.mutants(&documents, 40);
        let units = units.iter().flat_map(|unit| fragments(&format!("{LOGISTICS}/rules/{unit}")));
        parity.mutants(&units.collect::<Vec<_>>(), 40);
        parity.settle(40, 100);
    }
}
