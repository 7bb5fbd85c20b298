//! Every parser of this crate that sees bytes from outside, and that its work grows as its input:
//! what validates.

use jiff::civil::date;
use quoin_testing::growth::{INVOICES, Parser, check, complete};

fn validate(bytes: &[u8]) {
    let parsed = quoin_formats::read(bytes);
    std::hint::black_box(crate::validate(&parsed, date(2026, 11, 22)));
}

const PARSERS: &[Parser] = &[
    Parser {
        name: "rules",
        covers: &["validate/file.rs validate_file"],
        cases: INVOICES,
        size: 48 << 10,
        run: validate,
    },
    Parser {
        name: "rules that compare",
        covers: &[],
        cases: &[
            ("currencies of CII", currencies),
            ("prices of a line", catalogue),
            ("taxes of a total", taxes),
            ("registrations and lines of CII", registrations),
        ],
        size: 48 << 10,
        run: validate,
    },
];

/// An invoice with as many currencies of both kinds as totals, each of which is compared with all.
fn currencies(bytes: usize) -> Vec<u8> {
    const ASKED: &str = "<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>";
    const TOTALS: &str = "<ram:SpecifiedTradeSettlementHeaderMonetarySummation>";
    const END: &str = "</ram:SpecifiedTradeSettlementHeaderMonetarySummation>";
    let (mut of_tax, mut of_invoice) = (String::new(), String::new());
    for at in 0..bytes / 300 {
        of_tax.push_str(&format!("<ram:TaxCurrencyCode>T{at:06}</ram:TaxCurrencyCode>"));
        of_invoice
            .push_str(&format!("<ram:InvoiceCurrencyCode>I{at:06}</ram:InvoiceCurrencyCode>"));
    }
    let one =
        format!("{TOTALS}<ram:TaxTotalAmount currencyID=\"T000000\">1</ram:TaxTotalAmount>{END}");
    let invoice = quoin_formats::samples::CII_INVOICE;
    let many = invoice.replacen(ASKED, &format!("{of_tax}{of_invoice}"), 1);
    many.replacen(TOTALS, &format!("{}{TOTALS}", one.repeat(bytes / 300)), 1).into_bytes()
}

/// Functions that take bytes which are not a stranger's.
const EXEMPT: &[(&str, &str)] =
    &[("official/unit_tests/instructed.rs instructed", "test documents of the publisher of rules")];

/// A line of a catalogue with as many periods as prices, each of which is held to all.
fn catalogue(bytes: usize) -> Vec<u8> {
    let (periods, prices) = ("<cac:LineValidityPeriod/>", "<cac:RequiredItemLocationQuantity/>");
    let many = bytes / 60;
    format!(
        "<Catalogue xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Catalogue-2\" \
         xmlns:cac=\"urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2\" \
         xmlns:cbc=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\">\
         <cbc:CustomizationID>urn:fdc:peppol.eu:poacc:trns:catalogue:3</cbc:CustomizationID>\
         <cbc:ProfileID>urn:fdc:peppol.eu:poacc:bis:catalogue_only:3</cbc:ProfileID>\
         <cac:CatalogueLine>{}{}</cac:CatalogueLine></Catalogue>",
        periods.repeat(many),
        prices.repeat(many)
    )
    .into_bytes()
}

/// A total with a tax in many currencies.
fn taxes(bytes: usize) -> Vec<u8> {
    let many = (0..bytes / 60)
        .map(|at| format!("<cbc:TaxAmount currencyID=\"C{at:06}\">1</cbc:TaxAmount>"))
        .collect::<String>();
    let invoice = quoin_formats::samples::INVOICE;
    invoice.replacen("<cbc:TaxAmount", &format!("{many}<cbc:TaxAmount"), 1).into_bytes()
}

/// As many registrations as lines of an exempt category, each of which asks for one of them.
fn registrations(bytes: usize) -> Vec<u8> {
    const ONE: &str = "<ram:SpecifiedTaxRegistration>";
    const END: &str = "</ram:IncludedSupplyChainTradeLineItem>";
    let invoice = quoin_formats::samples::CII_INVOICE;
    let registered = "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\"ZZ\">1</ram:ID>\
                      </ram:SpecifiedTaxRegistration>";
    let from = invoice.find("<ram:IncludedSupplyChainTradeLineItem>").unwrap();
    let until = from + invoice[from..].find(END).unwrap() + END.len();
    let exempt = "<ram:CategoryCode>E";
    let line = invoice[from..until].replace("<ram:CategoryCode>S", exempt);
    let many = bytes / (line.len() + registered.len());
    let lines = format!("{}{}", line.repeat(many), &invoice[from..]);
    let all = format!("{}{lines}", &invoice[..from]);
    all.replacen(ONE, &format!("{}{ONE}", registered.repeat(many)), 1).into_bytes()
}

#[test]
fn every_parser_grows_as_its_input() {
    check(PARSERS);
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, EXEMPT);
}
