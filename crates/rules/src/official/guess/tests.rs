//! Guesses: by names, by text, by folders; and what is left to the operator.

use super::*;

const RULES: &str =
    "<schema xmlns='http://purl.oclc.org/dsdl/schematron'><title>T</title></schema>";

fn files(all: &[(&str, &str)]) -> SetFiles {
    all.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

fn coordinates(guessed: &Guessed) -> Vec<&str> {
    guessed.sets.iter().map(|set| set.coordinate.as_str()).collect()
}

#[test]
fn names_of_official_files_are_known() {
    let all = files(&[
        ("2026.5/CEN-EN16931-UBL.sch", RULES),
        ("2026.5/PEPPOL-EN16931-UBL.sch", RULES),
        ("2026.5/PEPPOL-EN16931-UBL-SB.sch", RULES),
        ("3.0.2/cii/XRechnung-CII-validation.sch", RULES),
    ]);
    let guessed = guess("rules", &all, None);
    let found = coordinates(&guessed);
    assert_eq!(
        found,
        [
            "eu.cen.en16931:ubl:2026.5",
            "eu.peppol.bis3:selfbilling:2026.5",
            "eu.peppol.bis3:invoice:2026.5",
            "de.xrechnung:cii:3.0.2"
        ]
    );
    assert_eq!(guessed.sets[3].applies.formats, [Syntax::Cii]);
    assert!(guessed.unclear.is_empty());
}

#[test]
fn a_transaction_is_told_by_its_identifier() {
    let text = "<schema xmlns='http://purl.oclc.org/dsdl/schematron'>\
        <title>Rules for Peppol Order transaction 3.7</title><pattern><rule context='/'>\
        <assert test=\"x = 'urn:fdc:peppol.eu:poacc:trns:order_change:3'\"/></rule></pattern></schema>";
    let guessed = guess("sch", &files(&[("PEPPOLBIS-T114.sch", text)]), None);
    assert_eq!(coordinates(&guessed), ["eu.peppol.poacc:order-change:3.7"]);
    let applies = &guessed.sets[0].applies;
    assert_eq!(applies.customizations, ["urn:fdc:peppol.eu:poacc:trns:order_change:3"]);
}

#[test]
fn a_jurisdiction_is_told_by_its_folder() {
    let all = files(&[("trn/PINT-jurisdiction-aligned-rules.sch", RULES)]);
    let guessed = guess("pint/pint-jp-sb", &all, Some("1.1.3"));
    assert_eq!(coordinates(&guessed), ["org.peppol.pint:jp-sb-aligned:1.1.3"]);
    assert_eq!(guessed.sets[0].applies.customizations, ["urn:peppol:pint:selfbilling-1@jp-1"]);
}

#[test]
fn what_is_included_is_no_main_file() {
    let main = "<schema xmlns='http://purl.oclc.org/dsdl/schematron'>\
        <include href='../parts/a.sch'/></schema>";
    let all = files(&[
        ("1.3.16/ubl/EN16931-UBL-validation.sch", main),
        ("1.3.16/parts/a.sch", RULES),
        ("1.3.16/parts/fragment.sch", "<pattern xmlns='http://purl.oclc.org/dsdl/schematron'/>"),
        ("1.3.16/ubl/preprocessed/EN16931-UBL-validation-preprocessed.sch", RULES),
    ]);
    let guessed = guess("", &all, None);
    assert_eq!(coordinates(&guessed), ["eu.cen.en16931:ubl:1.3.16"]);
    assert_eq!(guessed.unclear, []);
}

#[test]
fn a_schema_applies_to_what_it_declares() {
    let text = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:o'>\
        <xs:import namespace='urn:c' schemaLocation='common.xsd'/><xs:element name='Order'/></xs:schema>";
    let common =
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='E'/></xs:schema>";
    let guessed = guess("", &files(&[("Order-2.1.xsd", text), ("common.xsd", common)]), None);
    assert_eq!(coordinates(&guessed), ["xsd:Order-2.1:2.1"]);
    assert_eq!(guessed.sets[0].applies.roots, ["{urn:o}Order"]);
}

#[test]
fn the_unknown_is_named_and_not_registered() {
    let all = files(&[("house-rules.sch", RULES), ("PEPPOL-EN16931-UBL.sch", RULES)]);
    let guessed = guess("", &all, None);
    assert!(guessed.sets.is_empty());
    let reasons: Vec<_> = guessed.unclear.iter().map(|(path, why)| (&**path, &**why)).collect();
    assert_eq!(reasons[0].0, "PEPPOL-EN16931-UBL.sch");
    assert!(reasons[0].1.contains("release"), "{reasons:?}");
    assert!(reasons[1].1.contains("applies"), "{reasons:?}");
}

#[test]
fn the_files_of_another_publisher_inside_a_set_are_its_parts() {
    let main = "<schema xmlns='http://purl.oclc.org/dsdl/schematron'>\
        <include href='cen/codes/list.sch'/></schema>";
    let all = files(&[
        ("si-ubl-2.0.3.sch", main),
        ("cen/EN16931-UBL-validation.sch", RULES),
        ("cen/codes/list.sch", "<pattern xmlns='http://purl.oclc.org/dsdl/schematron'/>"),
    ]);
    assert_eq!(coordinates(&guess("1.2", &all, None)), ["nl.nlcius:ubl:2.0.3"]);
}

#[test]
fn a_file_may_declare_iso_8859_1() {
    let text = format!("<?xml version='1.0' encoding='iso-8859-1'?>{RULES}");
    let guessed = guess("", &files(&[("peppol-mls-1.0.1.sch", &text)]), None);
    assert_eq!(coordinates(&guessed), ["eu.peppol:mls:1.0.1"]);
}
