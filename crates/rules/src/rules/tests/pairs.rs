//! Each rule fires at an edit that breaks it, and keeps quiet at one that nearly does.

use super::{fired, tree};
use quoin_formats::samples::{RECEIVER, SENDER, SampleKind, document};

/// An edit: a text of the sample, and what stands there instead.
type Edit = (&'static str, &'static str);

const TOTALS: &str = "  <cac:TaxTotal>\n";
const PAYABLE: &str = "<cbc:PayableAmount currencyID=\"EUR\">79.21</cbc:PayableAmount>";
const LINE_SUM: &str = "<cbc:LineExtensionAmount currencyID=\"EUR\">65.46";

const TAX_13_74: &str = "<cac:TaxTotal>\n    <cbc:TaxAmount currencyID=\"EUR\">13.74";
const TAX_IN_SEK: &str = "<cac:TaxTotal><cbc:TaxAmount currencyID=\"SEK\">150</cbc:TaxAmount>\
                          </cac:TaxTotal>\n  <cac:TaxTotal>\n";
const PRICE_DISCOUNT: &str = "</cbc:PriceAmount><cac:AllowanceCharge><cbc:Amount>0.0001\
                              </cbc:Amount></cac:AllowanceCharge>";

/// An allowance (or charge) of the document, put before the tax total.
macro_rules! group {
    ($indicator:literal, $rest:literal) => {
        concat!(
            "<cac:AllowanceCharge><cbc:ChargeIndicator>",
            $indicator,
            "</cbc:ChargeIndicator>",
            $rest,
            "</cac:AllowanceCharge>\n  <cac:TaxTotal>\n"
        )
    };
}

/// An allowance (or charge) of a line, put before the item, with an amount of three decimals.
macro_rules! line_group {
    ($indicator:literal, $amount:literal) => {
        concat!(
            "<cac:AllowanceCharge><cbc:ChargeIndicator>",
            $indicator,
            "</cbc:ChargeIndicator><cbc:",
            $amount,
            ">1.000</cbc:",
            $amount,
            "></cac:AllowanceCharge>\n    <cac:Item>\n"
        )
    };
}

/// Amounts of the totals: name and value.
macro_rules! amounts {
    ($($name:literal = $value:literal),*) => {
        concat!($("<cbc:", $name, ">", $value, "</cbc:", $name, ">"),*)
    };
}

/// Rules of invoices: edits that break the rule, and nothing that stands before it.
const FIRES: &[(&str, &[Edit])] = &[
    ("BR-01", &[("cbc:CustomizationID>", "cbc:Note>")]),
    ("BR-02", &[("<cbc:ID>N1</cbc:ID>", "<cbc:ID> \n</cbc:ID>")]),
    ("BR-03", &[("<cbc:IssueDate>2026-05-15</cbc:IssueDate>", "")]),
    ("BR-04", &[("<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>", "")]),
    ("BR-05", &[("<cbc:DocumentCurrencyCode>EUR", "<cbc:DocumentCurrencyCode>")]),
    ("BR-06", &[("RegistrationName>Hoeksteen Bouwadvies B.V.<", "RegistrationName><")]),
    ("BR-07", &[("RegistrationName>De Gevel &amp; Zonen N.V.<", "RegistrationName> <")]),
    ("BR-08", &[("cac:PostalAddress>", "cac:PhysicalLocation>")]),
    ("BR-09", &[("<cbc:IdentificationCode>NL<", "<cbc:IdentificationCode><")]),
    ("BR-10", &[("cac:PostalAddress>", "cac:PhysicalLocation>")]),
    ("BR-11", &[("cbc:IdentificationCode", "cbc:Name")]),
    (
        "BR-12",
        &[("65.46</cbc:LineExtensionAmount>", "65.46</cbc:Xx>"), (LINE_SUM, "<cbc:Xx>65.46")],
    ),
    ("BR-13", &[("cbc:TaxExclusiveAmount", "cbc:Xx")]),
    ("BR-14", &[("cbc:TaxInclusiveAmount", "cbc:Xx")]),
    ("BR-15", &[("cbc:PayableAmount", "cbc:Xx")]),
    ("BR-16", &[("cac:InvoiceLine", "cac:Xx")]),
    ("BR-62", &[(" schemeID=\"0106\">12345678</cbc:EndpointID>", ">1</cbc:EndpointID>")]),
    ("BR-63", &[(" schemeID=\"0106\">87654321</cbc:EndpointID>", ">1</cbc:EndpointID>")]),
    ("BR-CO-10", &[("\"EUR\">25.74<", "\"EUR\">25.75<")]),
    ("BR-CO-10", &[(LINE_SUM, "<cbc:LineExtensionAmount currencyID=\"EUR\">65.47")]),
    ("BR-CO-11", &[(TOTALS, group!("false", "<cbc:Amount>1</cbc:Amount>"))]),
    ("BR-CO-11", &[(PAYABLE, amounts!("AllowanceTotalAmount" = "1"))]),
    ("BR-CO-12", &[(TOTALS, group!("1", "<cbc:Amount>1</cbc:Amount>"))]),
    ("BR-CO-12", &[(PAYABLE, amounts!("ChargeTotalAmount" = "0.01"))]),
    ("BR-CO-13", &[(PAYABLE, amounts!("ChargeTotalAmount" = "0.01"))]),
    ("BR-CO-13", &[("TaxExclusiveAmount currencyID=\"EUR\">65.46<", "TaxExclusiveAmount>65.45<")]),
    ("BR-CO-14", &[("<cac:TaxTotal>\n    <cbc:TaxAmount currencyID=\"EUR\">13.75", TAX_13_74)]),
    ("BR-CO-15", &[("<cbc:TaxAmount currencyID=\"EUR\">", "<cbc:TaxAmount currencyID=\"SEK\">")]),
    ("BR-CO-15", &[("TaxInclusiveAmount currencyID=\"EUR\">79.21", "TaxInclusiveAmount>79.20")]),
    ("BR-CO-16", &[(PAYABLE, amounts!("PayableAmount" = "79.20"))]),
    ("BR-CO-16", &[(PAYABLE, amounts!("PrepaidAmount" = "79.21", "PayableAmount" = "0.01"))]),
    (
        "BR-CO-16",
        &[(PAYABLE, amounts!("PayableRoundingAmount" = "-0.21", "PayableAmount" = "79.21"))],
    ),
    ("BR-DEC-01", &[(TOTALS, group!("false", "<cbc:Amount>1.000</cbc:Amount>"))]),
    ("BR-DEC-02", &[(TOTALS, group!("false", "<cbc:BaseAmount>1.001</cbc:BaseAmount>"))]),
    ("BR-DEC-05", &[(TOTALS, group!("true", "<cbc:Amount>1.000</cbc:Amount>"))]),
    ("BR-DEC-06", &[(TOTALS, group!("true", "<cbc:BaseAmount>1.001</cbc:BaseAmount>"))]),
    ("BR-DEC-09", &[(LINE_SUM, "<cbc:LineExtensionAmount currencyID=\"EUR\">65.460")]),
    ("BR-DEC-10", &[(PAYABLE, amounts!("AllowanceTotalAmount" = "1.000"))]),
    ("BR-DEC-11", &[(PAYABLE, amounts!("ChargeTotalAmount" = "1.000"))]),
    ("BR-DEC-12", &[("65.46</cbc:TaxExclusiveAmount>", "65.460</cbc:TaxExclusiveAmount>")]),
    ("BR-DEC-14", &[("79.21</cbc:TaxInclusiveAmount>", "79.21 </cbc:TaxInclusiveAmount>")]),
    ("BR-DEC-16", &[(PAYABLE, amounts!("PrepaidAmount" = "1.000"))]),
    ("BR-DEC-17", &[(PAYABLE, amounts!("PayableRoundingAmount" = ".001"))]),
    ("BR-DEC-18", &[("79.21</cbc:PayableAmount>", "79.210</cbc:PayableAmount>")]),
    ("BR-DEC-19", &[("65.46</cbc:TaxableAmount>", "65.460</cbc:TaxableAmount>")]),
    ("BR-DEC-20", &[("13.75</cbc:TaxAmount>", "13.750</cbc:TaxAmount>")]),
    ("BR-DEC-23", &[("25.74</cbc:LineExtensionAmount>", "25.740</cbc:LineExtensionAmount>")]),
    ("BR-DEC-24", &[("    <cac:Item>\n", line_group!("false", "Amount"))]),
    ("BR-DEC-25", &[("    <cac:Item>\n", line_group!("false", "BaseAmount"))]),
    ("BR-DEC-27", &[("    <cac:Item>\n", line_group!("true", "Amount"))]),
    ("BR-DEC-28", &[("    <cac:Item>\n", line_group!("true", "BaseAmount"))]),
    ("UBL-DT-01", &[("13.75</cbc:TaxAmount>", "13.750</cbc:TaxAmount>")]),
    ("BR-CL-25", &[("schemeID=\"0106\">12345678</cbc:E", "schemeID=\"NL:KVK\">12345678</cbc:E")]),
    ("PEPPOL-EN16931-R001", &[("cbc:ProfileID", "cbc:Xx")]),
    ("PEPPOL-EN16931-R003", &[("cbc:BuyerReference", "cbc:Xx"), ("cac:OrderReference", "cac:Xx")]),
    ("PEPPOL-EN16931-R007", &[("billing:01:1.0</cbc:ProfileID", "billing:03:1.0</cbc:ProfileID")]),
    ("PEPPOL-EN16931-R008", &[("<cbc:BuyerReference>", "<cbc:Note/><cbc:BuyerReference>")]),
    ("PEPPOL-EN16931-R010", &[("cbc:EndpointID", "cbc:Xx")]),
    ("PEPPOL-EN16931-R020", &[("cbc:EndpointID", "cbc:Xx")]),
    (
        "PEPPOL-EN16931-CL008",
        &[("schemeID=\"0106\">12345678</cbc:E", "schemeID=\"EM\">a@b.c</cbc:E")],
    ),
    ("PEPPOL-EN16931-P0100", &[(">380<", ">389<")]),
];

/// Edits that leave everything in order.
const QUIET: &[(&str, &[Edit])] = &[
    ("BR-04", &[(">380<", "> 380\n<")]),
    ("BR-16", &[("<cac:InvoiceLine>\n    <cbc:ID>1<", "<cac:InvoiceLine>\n    <cbc:ID>A<")]),
    ("BR-CO-10", &[("\"EUR\">25.74<", "\"EUR\">+25.7400000000<")]),
    ("BR-CO-10", &[("\"EUR\">25.74<", "\"EUR\">25.7449999999<")]),
    ("BR-CO-11", &[(PAYABLE, amounts!("AllowanceTotalAmount" = "0"))]),
    ("BR-CO-12", &[(TOTALS, group!("false", "<cbc:Amount>1</cbc:Amount>"))]),
    ("BR-CO-12", &[(PAYABLE, amounts!("ChargeTotalAmount" = "0.00"))]),
    ("BR-CO-13", &[(PAYABLE, amounts!("AllowanceTotalAmount" = "0.00"))]),
    ("BR-CO-14", &[("<cac:TaxSubtotal>", "<cac:Xx>"), ("</cac:TaxSubtotal>", "</cac:Xx>")]),
    ("BR-CO-15", &[(TOTALS, TAX_IN_SEK)]),
    ("BR-CO-16", &[(PAYABLE, amounts!("PrepaidAmount" = "80.21", "PayableAmount" = "-1"))]),
    ("BR-CO-16", &[(PAYABLE, amounts!("PayableRoundingAmount" = "-0.21", "PayableAmount" = "79"))]),
    (
        "BR-CO-16",
        &[(
            PAYABLE,
            amounts!(
                "PrepaidAmount" = "9.21",
                "PayableRoundingAmount" = ".05",
                "PayableAmount" = "70.05"
            ),
        )],
    ),
    ("BR-DEC-01", &[(TOTALS, group!("true", "<cbc:Amount>1.000</cbc:Amount>"))]),
    ("BR-DEC-18", &[("79.21</cbc:PayableAmount>", "79.2</cbc:PayableAmount>")]),
    ("UBL-DT-01", &[("12.87</cbc:PriceAmount>", "12.870000</cbc:PriceAmount>")]),
    ("UBL-DT-01", &[("</cbc:PriceAmount>", PRICE_DISCOUNT)]),
    ("BR-CL-25", &[("schemeID=\"0106\">12345678</cbc:E", "schemeID=\"0088\">12345678</cbc:E")]),
    ("PEPPOL-EN16931-P0100", &[(">380<", ">326<")]),
];

fn edited(kind: SampleKind, edits: &[Edit]) -> String {
    let mut text = document(kind, SENDER, RECEIVER, "N1", 2);
    for (from, to) in edits {
        assert!(text.contains(from), "no {from} in the sample");
        text = text.replace(from, to);
    }
    text
}

const BILLING: &[&str] = &["en16931", "peppol-bis3"];
const SELF_BILLING: &[&str] = &["en16931", "peppol-bis3-selfbilling"];

#[test]
fn each_rule_fires_at_what_breaks_it() {
    for (rule, edits) in FIRES {
        let text = edited(SampleKind::Invoice, edits);
        let fired = fired(tree(&text).root(), BILLING);
        assert!(fired.contains_key(rule), "{rule} is quiet at {edits:?}; {fired:?}");
    }
}

#[test]
fn each_rule_is_quiet_at_what_nearly_breaks_it() {
    for (kind, sets) in [
        (SampleKind::Invoice, BILLING),
        (SampleKind::CreditNote, BILLING),
        (SampleKind::Nlcius, &BILLING[..1]),
    ] {
        let text = edited(kind, &[]);
        assert!(fired(tree(&text).root(), sets).is_empty(), "{kind:?}");
    }
    for kind in [SampleKind::SelfBilledInvoice, SampleKind::SelfBilledCreditNote] {
        let text = edited(kind, &[]);
        assert!(fired(tree(&text).root(), SELF_BILLING).is_empty(), "{kind:?}");
    }
    for (rule, edits) in QUIET {
        let text = edited(SampleKind::Invoice, edits);
        let fired = fired(tree(&text).root(), BILLING);
        assert!(!fired.contains_key(rule), "{rule} fires at {edits:?}");
    }
}

#[test]
fn type_codes_belong_to_their_profile() {
    let cases: &[(SampleKind, &[&str], Edit, &str)] = &[
        (SampleKind::CreditNote, BILLING, (">381<", ">261<"), "PEPPOL-EN16931-P0101"),
        (SampleKind::SelfBilledInvoice, SELF_BILLING, (">389<", ">380<"), "PEPPOL-EN16931-P0100"),
        (
            SampleKind::SelfBilledCreditNote,
            SELF_BILLING,
            (">261<", ">381<"),
            "PEPPOL-EN16931-P0101",
        ),
        (
            SampleKind::SelfBilledInvoice,
            SELF_BILLING,
            ("poacc:selfbilling:01:1.0<", "poacc:billing:01:1.0<"),
            "PEPPOL-EN16931-R007",
        ),
    ];
    for (kind, sets, edit, rule) in cases {
        let text = edited(*kind, &[*edit]);
        let fired = fired(tree(&text).root(), sets);
        assert_eq!(fired.keys().copied().collect::<Vec<_>>(), [*rule], "{kind:?} {edit:?}");
    }
    let fine = edited(SampleKind::SelfBilledInvoice, &[(">389<", ">527<")]);
    assert!(fired(tree(&fine).root(), SELF_BILLING).is_empty());
}
