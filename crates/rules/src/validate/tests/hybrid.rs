//! A document in a PDF: the rules are those that the PDF tells.

use quoin_testing::containers::{Reference, pdf};

use crate::{Options, validate_file};

const CII: &str = "<rsm:CrossIndustryInvoice xmlns:rsm='urn:un:unece:uncefact:data:standard:\
    CrossIndustryInvoice:100'><rsm:ExchangedDocumentContext>\
    <GuidelineSpecifiedDocumentContextParameter><ID>urn:cen.eu:en16931:2017</ID>\
    </GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>\
    </rsm:CrossIndustryInvoice>";

/// EN 16931 in a PDF is the profile of Factur-X, where the name of the file says so.
#[test]
fn the_rules_are_those_of_factur_x_in_its_pdf() {
    let on = jiff::civil::date(2026, 8, 20);
    let sets = |bytes: &[u8]| {
        let all = validate_file(bytes, on, &Options::default());
        all.into_iter().flat_map(|judged| judged.report.rule_sets).collect::<Vec<_>>()
    };
    let named = |name: &str| sets(&pdf(name, CII.as_bytes(), "EN 16931", Reference::Table));
    assert_eq!(named("factur-x.xml"), ["org.factur-x:en16931:1.09.2"]);
    assert_eq!(named("zugferd-invoice.xml"), ["eu.cen.en16931:cii:1.3.16"]);
    assert_eq!(sets(CII.as_bytes()), ["eu.cen.en16931:cii:1.3.16"]);
}
