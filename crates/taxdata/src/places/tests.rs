//! Every element that is written has its terms, and a place is read in every form.

use quoin_model::Language;

use super::*;
use crate::build::written_paths;

/// Whether a table has a row of its own for a path, for something in it, or for the group around it
/// that is one term.
fn has(table: &[PlaceRow], path: &str) -> bool {
    let single = |row: &&PlaceRow| {
        path.strip_prefix(row.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let within = format!("{path}/");
    table.iter().any(|row| row.path == path || row.path.starts_with(&within))
        || table.iter().filter(single).any(|row| !row.terms.iter().all(|term| term.contains("BG-")))
        // The indicator tells an allowance from a charge, and is no term.
        || path.ends_with("/ChargeIndicator")
        || path.ends_with("CardAccount/NetworkID")
}

#[test]
fn each_element_that_is_written_has_its_terms() {
    for regime in Regime::ALL {
        let table = rows::of_document(regime);
        let paths = written_paths(regime);
        assert!(paths.len() > 15, "{paths:?}");
        for path in &paths {
            assert!(has(table, path), "{regime}: {path}");
        }
        // No row is of an element that is never written.
        for row in table.iter().filter(|row| row.path != "CustomContent") {
            let path = row.path.split("/@").next().unwrap_or_default();
            let begins = |one: &String| {
                one.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            assert!(paths.iter().any(begins), "{regime}: nobody writes {}", row.path);
        }
    }
}

#[track_caller]
fn is(regime: Regime, place: &str, terms: &[&str], who: WhoCanFix) -> ReportPlace {
    let found = of_place(regime, place).unwrap_or_else(|| panic!("{place}"));
    assert_eq!(found.terms, terms, "{place}");
    assert_eq!(found.who, who, "{place}");
    found
}

#[test]
fn a_place_is_read_in_every_form() {
    let forms = [
        "/TaxData[1]/ReportedTransaction[1]/ReportedDocument[1]/AccountingCustomerParty[1]/Party[1]\
         /PartyTaxScheme[1]/CompanyID[1]",
        "/pxs:TaxData/pxs:ReportedTransaction/pxs:ReportedDocument/cac:AccountingCustomerParty\
         /cac:Party/cac:PartyTaxScheme/cbc:CompanyID",
        "/*:TaxData[namespace-uri()='urn:a/b'][1]/*:ReportedTransaction[namespace-uri()='urn:a/b']\
         /*:ReportedDocument[1]/*:AccountingCustomerParty/*:Party/*:PartyTaxScheme",
        "/*[local-name()='TaxData']/*[local-name()='ReportedTransaction' and \
         namespace-uri()='urn:x']/*[local-name() = \"ReportedDocument\"]\
         /*[local-name()='AccountingCustomerParty']/*[local-name()='Party']\
         /*[local-name()='PartyTaxScheme']",
        "/Q{urn:a/b}TaxData[1]/Q{urn:a/b}ReportedTransaction[1]/Q{urn:a/b}ReportedDocument[1]\
         /Q{urn:c}AccountingCustomerParty[1]/Q{urn:c}Party[1]/Q{urn:c}PartyTaxScheme[1]",
        "//cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme",
        "cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme",
        "BT-48",
        "[bt-48]",
    ];
    for form in forms {
        is(Regime::Vida11, form, &["BT-48"], WhoCanFix::Issuer);
    }
}

const DOCUMENT: &str = "/TaxData/ReportedTransaction/ReportedDocument";

#[test]
fn lines_are_counted_and_groups_are_told() {
    let line = format!("{DOCUMENT}/DocumentLine[7]/Item/ClassifiedTaxCategory/Percent");
    let found = is(Regime::Slovakia, &line, &["BT-152"], WhoCanFix::Issuer);
    assert_eq!(found.line, Some(7));
    assert_eq!(found.words(Language::De), "BT-152 (Umsatzsteuersatz der Zeile), Zeile 7");
    let unit = format!("{DOCUMENT}/DocumentLine[2]/InvoicedQuantity/@unitCode");
    is(Regime::Vida10, &unit, &["BT-130"], WhoCanFix::Issuer);
    let both = format!("{DOCUMENT}/AllowanceCharge[2]/Amount");
    is(Regime::Vida10, &both, &["BT-92", "BT-99"], WhoCanFix::Issuer);
    // What no row names is of the group around it; what is nothing, of the whole invoice.
    is(
        Regime::Vida10,
        &format!("{DOCUMENT}/PaymentMeans/Unknown/ID"),
        &["BG-16"],
        WhoCanFix::Issuer,
    );
    is(Regime::Vida10, DOCUMENT, &[], WhoCanFix::Issuer);
}

#[test]
fn what_is_beside_the_invoice_is_the_providers() {
    is(Regime::Vida11, "/TaxData/ReceivingParty/EndpointID", &["TDT-014"], WhoCanFix::Provider);
    is(Regime::Oman, "/TaxData[1]/ReporterRole[1]", &["tdt-010"], WhoCanFix::Provider);
    is(Regime::Emirates, "tdt-011", &["tdt-011"], WhoCanFix::Provider);
    is(Regime::Vida11, "/TaxData", &[], WhoCanFix::Provider);
    let uuid = format!("{DOCUMENT}/UUID");
    is(Regime::Vida11, &uuid, &["TDT-017"], WhoCanFix::Provider);
    is(Regime::Emirates, &uuid, &["BTAE-07"], WhoCanFix::Issuer);
    is(Regime::Oman, &uuid, &["BTOM-002"], WhoCanFix::Issuer);
    let header = "/TaxData/ReportedTransaction/TransportHeaderID";
    is(Regime::Emirates, header, &[], WhoCanFix::Provider);
    let custom = "/TaxData/ReportedTransaction/CustomContent[1]/Value";
    is(Regime::Emirates, custom, &["BTAE-20"], WhoCanFix::Issuer);
}

#[test]
fn the_invoice_inside_a_report_has_the_names_of_ubl() {
    let inside = "/TaxData/ReportedTransaction/SourceDocument/ExtensionContent/Invoice";
    let line = format!("{inside}/InvoiceLine[3]/InvoicedQuantity");
    let found = is(Regime::Oman, &line, &["IBT-129"], WhoCanFix::Issuer);
    assert_eq!(found.line, Some(3));
    let total = format!("{inside}/LegalMonetaryTotal/PayableAmount");
    is(Regime::Emirates, &total, &["IBT-115"], WhoCanFix::Issuer);
    is(Regime::Emirates, &format!("{inside}/UUID"), &["BTAE-07"], WhoCanFix::Issuer);
    is(Regime::Emirates, &format!("{inside}/Unknown"), &[], WhoCanFix::Issuer);
    is(Regime::Oman, "IBT-048", &["IBT-048"], WhoCanFix::Issuer);
}

#[test]
fn what_is_no_place_is_none() {
    let long = "/a".repeat(4_000);
    let deep = format!("/TaxData{}", "/a".repeat(100));
    for text in
        ["", "NA", "/", "//", "[[[[", "/Invoice/ID/#", "BT-9999", &long, &deep, "the VAT number"]
    {
        assert_eq!(of_place(Regime::Vida11, text), None, "{text:.40}");
    }
}

/// Every term of the tables has words in every language.
#[test]
fn terms_have_words() {
    for regime in Regime::ALL {
        for row in rows::of_document(regime) {
            for term in row.terms.iter().filter(|term| !term.starts_with("BTAE-2")) {
                for language in Language::ALL {
                    let words = MissingTerm::known(term, language);
                    let is_there = words.is_some_and(|words| !words.is_empty());
                    assert!(is_there || *term == "BTOM-020", "{term} {language:?}");
                }
            }
        }
    }
    assert_eq!(MissingTerm::known("IBG-04", Language::Fr), Some("vendeur"));
    assert_eq!(
        MissingTerm::known("IBT-034-1", Language::Nl),
        MissingTerm::known("BT-34", Language::Nl)
    );
    assert_eq!(MissingTerm::known("BT-9", Language::En), None);
}
