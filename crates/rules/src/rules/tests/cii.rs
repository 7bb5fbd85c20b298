//! The releases of EN 16931 in CII: what each has, and what is tested otherwise before 1.3.16.

use std::collections::{BTreeMap, BTreeSet};

use super::tree;
use crate::releases::Package;
use crate::rules::{Facts, RuleSet};

/// An invoice without lines: totals, an allowance, and where more can be put.
const INVOICE: &str = "<rsm:CrossIndustryInvoice \
    xmlns:rsm='urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100' \
    xmlns='urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100' \
    xmlns:udt='urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100'>\
    <rsm:SupplyChainTradeTransaction>\
    <ApplicableHeaderTradeAgreement><SellerTradeParty><ID schemeID='0088'>1</ID>\
    <DefinedTradeContact><PersonName>A</PersonName></DefinedTradeContact></SellerTradeParty>\
    </ApplicableHeaderTradeAgreement>\
    <ApplicableHeaderTradeSettlement><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode>\
    <SpecifiedTradeSettlementPaymentMeans><TypeCode>30</TypeCode>\
    <PayeePartyCreditorFinancialAccount><IBANID>NL91ABNA0417164300</IBANID>\
    </PayeePartyCreditorFinancialAccount></SpecifiedTradeSettlementPaymentMeans>\
    <ApplicableTradeTax><CalculatedAmount>0.00</CalculatedAmount><TypeCode>VAT</TypeCode>\
    <BasisAmount>9.00</BasisAmount><CategoryCode>E</CategoryCode>\
    <RateApplicablePercent>0</RateApplicablePercent></ApplicableTradeTax>\
    <SpecifiedTradeAllowanceCharge><ChargeIndicator><udt:Indicator>true</udt:Indicator>\
    </ChargeIndicator><ActualAmount>9.00</ActualAmount><Reason>Fee</Reason><CategoryTradeTax>\
    <TypeCode>VAT</TypeCode><CategoryCode>E</CategoryCode>\
    <RateApplicablePercent>0</RateApplicablePercent></CategoryTradeTax>\
    </SpecifiedTradeAllowanceCharge>\
    <SpecifiedTradePaymentTerms><Description>30 days</Description></SpecifiedTradePaymentTerms>\
    <SpecifiedTradeSettlementHeaderMonetarySummation><LineTotalAmount>0.00</LineTotalAmount>\
    <ChargeTotalAmount>9.00</ChargeTotalAmount><TaxBasisTotalAmount>9.00</TaxBasisTotalAmount>\
    <TaxTotalAmount currencyID='EUR'>0.00</TaxTotalAmount>\
    <GrandTotalAmount>9.00</GrandTotalAmount><DuePayableAmount>9.00</DuePayableAmount>\
    </SpecifiedTradeSettlementHeaderMonetarySummation></ApplicableHeaderTradeSettlement>\
    </rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>";

/// The releases, the oldest first.
const RELEASES: [&str; 3] = ["1.3.14.1", "1.3.15", "1.3.16"];

fn release(number: &str) -> &'static RuleSet {
    RuleSet::of(&format!("eu.cen.en16931:cii:{number}")).unwrap()
}

/// How often each rule of a release fires, and whether it could be computed.
fn fired(number: &str, text: &str) -> BTreeMap<&'static str, bool> {
    let document = tree(text);
    let facts = Facts::new(document.root(), jiff::civil::date(2026, 11, 21));
    let mut fired = BTreeMap::new();
    release(number).check(&facts, &mut |hit| {
        fired.insert(hit.id, hit.failed);
    });
    fired
}

/// A rule, what stands in the invoice instead of what, and the releases in which it then fires.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

const CHARGE: &str = "<ActualAmount>9.00</ActualAmount><Reason>";
const TWO: &str = "<ActualAmount>8.00</ActualAmount><ActualAmount>1.00</ActualAmount><Reason>";
const BEFORE: &[&str] = &["1.3.14.1", "1.3.15"];
const NONE: &str = "EUR</Inv";

/// BR-CO-27 never fires: in its file it stands behind a rule for the same elements.
#[rustfmt::skip]
const CASES: &[Case] = &[
    ("BR-CO-25", NONE, NONE, &[]),
    ("BR-CO-25", "<Description>30 days</Description>", "", BEFORE),
    ("BR-CO-27", "<TypeCode>30</TypeCode><PayeePartyCreditorFinancialAccount><IBANID>NL91ABNA0417164300</IBANID>", "<TypeCode>59</TypeCode><PayeePartyCreditorFinancialAccount>", &[]),
    ("BR-CO-27", "<TypeCode>30</TypeCode><PayeePartyCreditorFinancialAccount>", "<TypeCode> 49 </TypeCode><PayeePartyCreditorFinancialAccount><ProprietaryID>1</ProprietaryID>", &[]),
    ("BR-CL-04", ">EUR</Inv", ">BGN</Inv", &["1.3.16"]),
    ("BR-CL-04", ">EUR</Inv", ">ANG</Inv", &["1.3.16"]),
    ("BR-CL-04", ">EUR</Inv", ">XCG</Inv", BEFORE),
    ("BR-CL-04", ">EUR</Inv", ">MRU</Inv", &["1.3.14.1"]),
    ("BR-CL-04", ">EUR</Inv", ">MRO</Inv", &["1.3.15", "1.3.16"]),
    ("BR-CL-11", "'0088'", "'0244'", &["1.3.14.1"]),
    ("BR-CL-11", "'0088'", "'0246'", BEFORE),
    ("BR-66", "<ChargeIndicator><udt:Indicator>true</udt:Indicator></ChargeIndicator>", "", &["1.3.14.1"]),
    ("CII-SR-463", "<ChargeIndicator><udt:Indicator>true</udt:Indicator></ChargeIndicator>", "", &["1.3.15", "1.3.16"]),
    ("CII-DT-0010", "schemeID='0088'", "schemeID='0088' schemeName='x'", &["1.3.14.1"]),
    ("CII-DT-101", "schemeID='0088'", "schemeID='0088' schemeName='x'", &["1.3.15", "1.3.16"]),
    ("CII-SR-465", "<PersonName>A</PersonName>", "<PersonName>A</PersonName><DepartmentName>B</DepartmentName>", &["1.3.15", "1.3.16"]),
    ("CII-SR-468", "</SpecifiedTradeSettlementPaymentMeans>", "<Information>x</Information></SpecifiedTradeSettlementPaymentMeans><SpecifiedTradeSettlementPaymentMeans><Information>y</Information></SpecifiedTradeSettlementPaymentMeans>", &["1.3.16"]),
    ("BR-CO-12", CHARGE, TWO, &["1.3.16"]),
    ("BR-DEC-05", CHARGE, TWO, BEFORE),
    ("BR-E-08", CHARGE, TWO, &["1.3.15", "1.3.16"]),
    ("BR-E-08", "<BasisAmount>9.00", "<BasisAmount>9.99", &[]),
    ("BR-E-08", "<BasisAmount>9.00", "<BasisAmount>10.00", &RELEASES),
    ("BR-E-08", "<BasisAmount>9.00", "<BasisAmount>8.00", &RELEASES),
    ("BR-CO-13", "<TaxBasisTotalAmount>9.00</TaxBasisTotalAmount>", "<TaxBasisTotalAmount>9.00</TaxBasisTotalAmount><TaxBasisTotalAmount>1</TaxBasisTotalAmount>", BEFORE),
    ("BR-CO-16", "<DuePayableAmount>9.00", "<DuePayableAmount>9.01", &RELEASES),
    ("BR-CO-15", "<GrandTotalAmount>9.00", "<GrandTotalAmount>9.01", &RELEASES),
    ("BR-CO-15", "<GrandTotalAmount>9.00</GrandTotalAmount>", "<GrandTotalAmount>9.00</GrandTotalAmount><GrandTotalAmount>9.00</GrandTotalAmount>", BEFORE),
];

#[test]
fn each_release_tests_what_it_has() {
    let mut wrong = Vec::new();
    for (rule, from, to, releases) in CASES {
        assert!(INVOICE.contains(from), "no {from}");
        let text = INVOICE.replace(from, to);
        for number in RELEASES {
            let fired = fired(number, &text);
            if fired.contains_key(rule) != releases.contains(&number) {
                wrong.push(format!("{number}: {rule} with {to}: {fired:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Several amounts where one is read cannot be computed, as the published validators end there.
#[test]
fn several_amounts_are_an_error_before_1_3_16() {
    let text = INVOICE.replace(CHARGE, TWO);
    for number in BEFORE {
        assert_eq!(fired(number, &text).get("BR-DEC-05"), Some(&true), "{number}");
    }
    assert_eq!(fired("1.3.15", &text).get("BR-E-08"), Some(&true));
}

#[test]
fn no_release_has_rules_of_a_later_one() {
    let ids = |number| release(number).ids().collect::<BTreeSet<_>>();
    let rows = |number: &str| {
        let table = crate::subset::table("en16931-cii", number).unwrap();
        table.rows().map(|row| row.id).collect::<BTreeSet<_>>()
    };
    let [oldest, older, newest] = RELEASES.map(rows);
    assert!(oldest.contains("BR-CO-25") && older.contains("BR-CO-25"));
    assert!(!newest.contains("BR-CO-25") && !newest.contains("BR-CO-27"));
    assert!(newest.difference(&older).all(|id| id.starts_with("CII-SR-4")));
    assert_eq!(newest.difference(&older).count(), 28);
    assert!(ids("1.3.15").contains("CII-SR-466") && !oldest.contains("CII-SR-466"));
    assert_eq!(older.difference(&oldest).count(), 8);
}

/// The pairs that their publishers have published.
#[test]
fn cii_is_judged_with_the_release_of_en_16931_that_it_was_published_with() {
    for (package, release) in [("peppol-bis3-cii", "1.3.14.1"), ("xrechnung-cii", "1.3.15")] {
        let first = Package::by_id(package).unwrap().releases.first().unwrap();
        assert_eq!(first.sets.first().copied(), Some(&*format!("eu.cen.en16931:cii:{release}")));
    }
}
