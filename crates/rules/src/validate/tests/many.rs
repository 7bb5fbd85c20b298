//! What is found out for all lines together is what is found for each of them alone.

use std::collections::BTreeSet;

use super::*;
use quoin_formats::samples::{SampleKind, document};

/// Below and above the number from which on the values of a place are looked at together.
const COUNTS: [usize; 2] = [2, 100];

/// A text of a line, and another one that stands for it.
const CHANGES: &[(&str, &str)] = &[
    ("<cbc:PriceAmount currencyID=\"EUR\">", "<cbc:PriceAmount currencyID=\"USD\">"),
    ("<cbc:PriceAmount currencyID=\"EUR\">", "<cbc:PriceAmount>"),
    ("<cbc:PriceAmount currencyID=\"EUR\">", "<cbc:PriceAmount currencyID=\"EUR\">-"),
    ("<cbc:PriceAmount currencyID=\"EUR\">", "<cbc:PriceAmount currencyID=\"EUR\">x"),
    ("<cbc:ID>VAT</cbc:ID>", "<cbc:ID>GST</cbc:ID>"),
    ("<cbc:ID>VAT</cbc:ID>", "<cbc:ID>vat</cbc:ID>"),
    ("<cbc:ID>VAT</cbc:ID>", "<cbc:ID>VAT</cbc:ID><cbc:ID>VAT</cbc:ID>"),
    ("<cac:TaxScheme>", "<cac:TaxScheme/><cac:TaxScheme>"),
    ("<cbc:ID>S</cbc:ID>", "<cbc:ID>Z</cbc:ID>"),
    ("<cbc:ID>S</cbc:ID>", "<cbc:ID> S </cbc:ID>"),
    ("<cbc:ID>S</cbc:ID>", ""),
    ("<cbc:Percent>21</cbc:Percent>", "<cbc:Percent>0</cbc:Percent>"),
    ("<cbc:Percent>21</cbc:Percent>", ""),
    ("unitCode=\"C62\"", "unitCode=\"ten\""),
    ("unitCode=\"C62\"", ""),
    ("<cac:Price>", "<cac:Price/><cac:Price>"),
    ("<cbc:LineExtensionAmount currencyID=\"EUR\">", "<cbc:LineExtensionAmount currencyID=\"\">"),
    ("<cbc:Name>Building stage</cbc:Name>", "<cbc:Name/>"),
];

/// The rules that an invoice of so many lines breaks with a change in its last line, or in all.
fn broken(lines: usize, (from, to): (&str, &str), everywhere: bool) -> BTreeSet<String> {
    let text = document(SampleKind::Invoice, samples::SENDER, samples::RECEIVER, "F1", lines);
    let (head, body) = text.split_at(text.find("<cac:InvoiceLine>").unwrap());
    let body = match everywhere {
        true => body.replace(from, to),
        false => {
            let at = body.rfind(from).unwrap();
            [&body[..at], to, &body[at + from.len()..]].concat()
        }
    };
    let report = report([head, &body].concat());
    report.findings.into_iter().map(|finding| finding.rule.into_owned()).collect()
}

#[test]
fn a_rule_says_of_many_lines_what_it_says_of_two() {
    let mut fired = BTreeSet::new();
    for &change in CHANGES {
        for everywhere in [false, true] {
            let [few, many] = COUNTS.map(|lines| broken(lines, change, everywhere));
            assert_eq!(many, few, "{change:?}, everywhere: {everywhere}");
            fired.extend(few);
        }
    }
    for rule in ["PEPPOL-EN16931-R051", "BR-S-05", "BR-CO-04", "BR-27", "PEPPOL-EN16931-R008"] {
        assert!(fired.contains(rule), "{rule} is not among {fired:?}");
    }
}
