//! The rules of XRechnung, NLCIUS and Factur-X at what breaks them, and at what nearly does.

use super::{fired, tree};
use quoin_formats::samples::{RECEIVER, SENDER, SampleKind, document};

/// A text of the sample, and what stands there instead.
type Edit = (&'static str, &'static str);

const NLCIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
const XRECHNUNG: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
const EXTENSION: Edit = (
    NLCIUS,
    "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
     #conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0",
);
const VEHICLES: Edit = (
    NLCIUS,
    "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
     #compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9",
);
const ACCOUNT: &str = "NL91ABNA0417164300";
const SEPA: Edit = (">30</cbc:PaymentMeansCode>", ">58</cbc:PaymentMeansCode>");
const TERMS: &str = "Payment within 30 days";
const ENTITY: &str = "<cbc:CompanyID schemeID=\"0106\">12345678</cbc:CompanyID>";
const CLEAN: &str = "<cac:CommodityClassification><cbc:ItemClassificationCode listID=\"CVD\">M1\
                     </cbc:ItemClassificationCode></cac:CommodityClassification>\
                     <cac:ClassifiedTaxCategory>";

/// Rules of XRechnung, whether they fire, and the edits.
const GERMAN: &[(&str, bool, &[Edit])] = &[
    ("BR-DE-2", true, &[]),
    ("BR-DE-16", false, &[]),
    ("BR-DE-16", true, &[("<cbc:CompanyID>NL123456782B90</cbc:CompanyID>", "")]),
    ("BR-DE-18", false, &[(TERMS, "#SKONTO#TAGE=14#PROZENT=2.00#\n")]),
    ("BR-DE-18", true, &[(TERMS, "#SKONTO#TAGE=14#PROZENT=2.00#")]),
    ("BR-DE-18", true, &[(TERMS, "#SKONTO#TAGE=14#PROZENT=2#\n")]),
    ("BR-DE-19", false, &[SEPA]),
    ("BR-DE-19", true, &[SEPA, (ACCOUNT, "NL91ABNA0417164301")]),
    ("BR-DE-19", false, &[(ACCOUNT, "NL91ABNA0417164301")]),
    ("BR-DE-20", true, &[(">30</cbc:PaymentMeansCode>", ">59</cbc:PaymentMeansCode>")]),
    ("BR-DE-21", true, &[]),
    ("BR-DE-21", false, &[(NLCIUS, XRECHNUNG)]),
    ("BR-DE-TMP-32", true, &[]),
    ("PEPPOL-EN16931-R120", false, &[]),
    ("PEPPOL-EN16931-R120", true, &[("25.74</cbc:LineExt", "25.77</cbc:LineExt")]),
    ("PEPPOL-EN16931-R120", false, &[("25.74</cbc:LineExt", "25.76</cbc:LineExt")]),
    ("BR-DEX-07", false, &[]),
    (
        "BR-DEX-07",
        false,
        &[EXTENSION, ("schemeID=\"0106\">12345678</cbc:E", "schemeID=\"XR01\">1</cbc:E")],
    ),
    (
        "BR-DEX-07",
        true,
        &[EXTENSION, ("schemeID=\"0106\">12345678</cbc:E", "schemeID=\"XR04\">1</cbc:E")],
    ),
    (
        "BR-DEX-05",
        true,
        &[EXTENSION, (ENTITY, "<cbc:CompanyID schemeID=\"0244\">1</cbc:CompanyID>")],
    ),
    ("BR-DEX-09", false, &[EXTENSION]),
    ("BR-DEX-09", true, &[EXTENSION, ("79.21</cbc:Payable", "79.22</cbc:Payable")]),
    ("BR-DE-CVD-01", false, &[]),
    ("BR-DE-CVD-01", true, &[VEHICLES]),
    ("BR-DE-CVD-03", true, &[VEHICLES]),
    ("BR-DE-CVD-06-a", true, &[VEHICLES, ("<cac:ClassifiedTaxCategory>", CLEAN)]),
];

/// Rules of NLCIUS.
const DUTCH: &[(&str, bool, &[Edit])] = &[
    ("BR-NL-1", true, &[(ENTITY, "<cbc:CompanyID schemeID=\"0088\">12345678</cbc:CompanyID>")]),
    ("BR-NL-1", true, &[(ENTITY, "<cbc:CompanyID schemeID=\"0106\"> </cbc:CompanyID>")]),
    ("BR-NL-1", false, &[(ENTITY, "<cbc:CompanyID schemeID=\"0190\">1</cbc:CompanyID>")]),
    ("BR-NL-2", true, &[("cbc:BuyerReference>", "cbc:Xx>"), ("cac:OrderReference>", "cac:Xx>")]),
    ("BR-NL-3", true, &[("<cbc:StreetName>Keizersgracht 100</cbc:StreetName>", "")]),
    ("BR-NL-4", true, &[("<cbc:PostalZone>3511 ED</cbc:PostalZone>", "")]),
    ("BR-NL-4", false, &[("<cbc:PostalZone>3511 ED</cbc:PostalZone>", ""), (">NL<", ">BE<")]),
    ("BR-NL-7", true, &[(">380<", ">326<")]),
    ("BR-NL-8", true, &[(">380<", ">381<")]),
    ("BR-NL-9", true, &[(">380<", ">384<")]),
    ("BR-NL-10", true, &[("schemeID=\"0106\">87654321</cbc:C", "schemeID=\"0208\">1</cbc:C")]),
    ("BR-NL-11", true, &[("cac:PaymentMeans>", "cac:Xx>")]),
    ("BR-NL-12", true, &[(">30<", ">31<")]),
    ("BR-NL-13", true, &[("cac:OrderReference>", "cac:Xx>")]),
    (
        "BR-NL-19",
        true,
        &[("<cbc:BuyerR", "<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode><cbc:BuyerR")],
    ),
    ("SI-UBL-2", true, &[("<cbc:BuyerReference>", "<cbc:Note/><cbc:BuyerReference>")]),
    ("SI-UBL-2", false, &[("<cbc:BuyerR", "<cbc:TaxCurrencyCode/><cbc:BuyerR")]),
];

fn judged(families: &[&str], rules: &[(&str, bool, &[Edit])]) {
    for (rule, fires, edits) in rules {
        let mut text = document(SampleKind::Nlcius, SENDER, RECEIVER, "N1", 2);
        for (from, to) in *edits {
            assert!(text.contains(from), "no {from} in the sample");
            text = text.replace(from, to);
        }
        let fired = fired(tree(&text).root(), families);
        assert_eq!(fired.contains_key(rule), *fires, "{rule} at {edits:?}: {fired:?}");
    }
}

#[test]
fn rules_of_xrechnung() {
    judged(&["xrechnung"], GERMAN);
}

#[test]
fn rules_of_nlcius() {
    judged(&["nlcius"], DUTCH);
    let text = document(SampleKind::Nlcius, SENDER, RECEIVER, "N1", 2);
    assert_eq!(fired(tree(&text).root(), &["nlcius"]).len(), 0);
}

#[test]
fn rules_of_the_g_account() {
    let both: Edit = (
        NLCIUS,
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
                               #conformant#urn:fdc:nen.nl:gaccount:v1.0",
    );
    judged(
        &["nlcius-gaccount"],
        &[
            ("BR-GA-0", true, &[]),
            ("BR-GA-0", false, &[both]),
            ("BR-GA-2", true, &[both]),
            ("BR-GA-3", true, &[both]),
            ("BR-CO-10", true, &[both, ("25.74</cbc:LineExt", "25.77</cbc:LineExt")]),
        ],
    );
}

/// A document of the profile EXTENDED: two lines and a charge for logistics, of one rate.
const LINES: &str = "<i:CrossIndustryInvoice \
    xmlns:i='urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100' \
    xmlns='urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100' \
    xmlns:udt='urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100'>\
    <i:SupplyChainTradeTransaction>\
    <IncludedSupplyChainTradeLineItem><AssociatedDocumentLineDocument><LineID>1</LineID>\
    </AssociatedDocumentLineDocument><SpecifiedLineTradeSettlement><ApplicableTradeTax>\
    <TypeCode>VAT</TypeCode><CategoryCode>S</CategoryCode>\
    <RateApplicablePercent>20</RateApplicablePercent></ApplicableTradeTax>\
    <SpecifiedTradeSettlementLineMonetarySummation><LineTotalAmount>10.00</LineTotalAmount>\
    </SpecifiedTradeSettlementLineMonetarySummation></SpecifiedLineTradeSettlement>\
    </IncludedSupplyChainTradeLineItem>\
    <ApplicableHeaderTradeSettlement><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode>\
    <ApplicableTradeTax><CalculatedAmount>2.20</CalculatedAmount><TypeCode>VAT</TypeCode>\
    <BasisAmount>11.00</BasisAmount><CategoryCode>S</CategoryCode>\
    <RateApplicablePercent>20</RateApplicablePercent></ApplicableTradeTax>\
    <SpecifiedLogisticsServiceCharge><AppliedAmount>1.00</AppliedAmount><AppliedTradeTax>\
    <TypeCode>VAT</TypeCode><CategoryCode>S</CategoryCode>\
    <RateApplicablePercent>20</RateApplicablePercent></AppliedTradeTax>\
    </SpecifiedLogisticsServiceCharge><SpecifiedTradeSettlementHeaderMonetarySummation>\
    <LineTotalAmount>10.00</LineTotalAmount><ChargeTotalAmount>1.00</ChargeTotalAmount>\
    <TaxBasisTotalAmount>11.00</TaxBasisTotalAmount>\
    <TaxTotalAmount currencyID='EUR'>2.20</TaxTotalAmount>\
    <GrandTotalAmount>13.20</GrandTotalAmount><DuePayableAmount>13.20</DuePayableAmount>\
    </SpecifiedTradeSettlementHeaderMonetarySummation></ApplicableHeaderTradeSettlement>\
    </i:SupplyChainTradeTransaction></i:CrossIndustryInvoice>";

#[test]
fn rules_of_factur_x_extended() {
    let cases: &[(&str, bool, Edit)] = &[
        ("BR-FXEXT-CO-10", false, ("<LineTotalAmount>10.00</L", "<LineTotalAmount>10.00</L")),
        (
            "BR-FXEXT-CO-10",
            true,
            ("10.00</LineTotalAmount><Charge", "10.02</LineTotalAmount><Charge"),
        ),
        ("BR-FXEXT-S08b", false, ("<BasisAmount>11.00", "<BasisAmount>11.02")),
        ("BR-FXEXT-S08b", true, ("<BasisAmount>11.00", "<BasisAmount>11.03")),
        ("BR-FXEXT-S-08ini", true, ("<BasisAmount>11.00", "<BasisAmount>10.97")),
        ("BR-FXEXT-S-09b", false, ("<CalculatedAmount>2.20", "<CalculatedAmount>2.22")),
        ("BR-FXEXT-S-09b", true, ("<CalculatedAmount>2.20", "<CalculatedAmount>2.23")),
        ("BR-FXEXT-CO-12", true, ("<ChargeTotalAmount>1.00", "<ChargeTotalAmount>1.02")),
        ("BR-FXEXT-CO-13", true, ("<TaxBasisTotalAmount>11.00", "<TaxBasisTotalAmount>11.03")),
        ("BR-FXEXT-CO-15", true, ("<GrandTotalAmount>13.20", "<GrandTotalAmount>13.23")),
        ("BR-FXEXT-CO-16", true, ("<DuePayableAmount>13.20", "<DuePayableAmount>13.21")),
        ("BR-CO-25", true, ("EUR</Inv", "EUR</Inv")),
        ("BR-CO-25", false, ("<DuePayableAmount>13.20", "<DuePayableAmount>0")),
        ("BR-FXEXT-11", true, ("</LineID>", "</LineID><ParentLineID>7</ParentLineID>")),
    ];
    for (rule, fires, (from, to)) in cases {
        assert!(LINES.contains(from), "{from}");
        let text = LINES.replace(from, to);
        let fired = fired(tree(&text).root(), &["factur-x-extended"]);
        assert_eq!(fired.contains_key(rule), *fires, "{rule} with {to}: {fired:?}");
    }
}
