//! The profiles of Factur-X.

use super::Parity;
use super::made::{Documents, compare_all, edited, replaced};

const BASE: &str = "facturx-zugferd/phive-rules/rule-source/2.5.2";

/// The documents in CII of the corpora; those of all profiles are compared with each.
fn documents(parity: &mut Parity) -> Documents {
    let folders = [
        "facturx-zugferd/phive-rules/test-files",
        "facturx-zugferd/horstoeko-zugferd",
        "facturx-zugferd/mustangproject",
        "facturx-zugferd/corpus",
        "en16931/eInvoicing-EN16931/cii/examples",
        "xrechnung/xrechnung-testsuite",
    ];
    let mut documents = Vec::new();
    for folder in folders {
        documents.extend(parity.folder(folder));
    }
    documents.retain(|(_, bytes)| bytes.windows(23).any(|own| own == b":CrossIndustryInvoice:1"));
    documents
}

/// Every category for every other one.
const CATEGORIES: &[(&str, &str)] = &[
    (">S</ram:CategoryCode>", ">Z</ram:CategoryCode>"),
    (">S</ram:CategoryCode>", ">E</ram:CategoryCode>"),
    (">S</ram:CategoryCode>", ">AE</ram:CategoryCode>"),
    (">S</ram:CategoryCode>", ">K</ram:CategoryCode>"),
    (">S</ram:CategoryCode>", ">G</ram:CategoryCode>"),
    (">S</ram:CategoryCode>", ">O</ram:CategoryCode>"),
    (">S</ram:CategoryCode>", ">L</ram:CategoryCode>"),
    (">S</ram:CategoryCode>", ">M</ram:CategoryCode>"),
];

/// Rates that most of the categories do not have.
const RATES: &[(&str, &str)] = &[
    (">19.00</ram:RateApplicablePercent>", ">-1</ram:RateApplicablePercent>"),
    (">19</ram:RateApplicablePercent>", ">-1</ram:RateApplicablePercent>"),
];

const REPLACED: &[(&str, &str)] = &[
    ("</ram:ActualAmount>", "0001</ram:ActualAmount>"),
    ("</ram:BasisAmount>", "0001</ram:BasisAmount>"),
    ("</ram:TaxTotalAmount>", "5</ram:TaxTotalAmount>"),
    ("format=\"102\">20", "format=\"205\">2009"),
    ("format=\"102\">2", "format=\"205\">201012312359"),
    (">0</ram:RateApplicablePercent>", ">0.00</ram:RateApplicablePercent>"),
    ("<ram:TypeCode>VAT<", "<ram:TypeCode>vat<"),
    (">false</udt:Indicator>", ">0</udt:Indicator>"),
    (">true</udt:Indicator>", ">1</udt:Indicator>"),
    (">false</udt:Indicator>", ">true</udt:Indicator>"),
    ("</ram:LineID>", "</ram:LineID><ram:LineStatusReasonCode>DETAIL</ram:LineStatusReasonCode>"),
    ("</ram:LineID>", "</ram:LineID><ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode>"),
    ("<ram:DueDateDateTime>", "<ram:Other>"),
];

const EDITS: &[(&str, &str)] = &[
    (
        "<ram:SpecifiedTradeSettlementPaymentMeans>",
        "<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>99</ram:TypeCode>\
         <ram:Information>x</ram:Information></ram:SpecifiedTradeSettlementPaymentMeans>\
         <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>98</ram:TypeCode>\
         <ram:Information>y</ram:Information></ram:SpecifiedTradeSettlementPaymentMeans>",
    ),
    (
        "<ram:IncludedSupplyChainTradeLineItem>",
        "<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>900\
         </ram:LineID><ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode>\
         </ram:AssociatedDocumentLineDocument><ram:SpecifiedLineTradeSettlement>\
         <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>1\
         </ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>\
         </ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>\
         <ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>901\
         </ram:LineID><ram:ParentLineID>900</ram:ParentLineID><ram:LineStatusReasonCode>GROUP\
         </ram:LineStatusReasonCode></ram:AssociatedDocumentLineDocument>\
         </ram:IncludedSupplyChainTradeLineItem>",
    ),
    ("</ram:LineID>", "</ram:LineID><ram:ParentLineID>1</ram:ParentLineID><ram:LineID>"),
    (
        "</ram:AssociatedDocumentLineDocument>",
        "<ram:ParentLineID> 2 </ram:ParentLineID><ram:LineStatusReasonCode>GROUP\
         </ram:LineStatusReasonCode>",
    ),
    ("</ram:AssociatedDocumentLineDocument>", "<ram:ParentLineID>77</ram:ParentLineID>"),
    (
        "</ram:AssociatedDocumentLineDocument>",
        "<ram:LineStatusReasonCode>INFORMATION</ram:LineStatusReasonCode>",
    ),
    (
        "<ram:SpecifiedTradePaymentTerms>",
        "<ram:SpecifiedLogisticsServiceCharge><ram:AppliedAmount>1.10</ram:AppliedAmount>\
         <ram:AppliedTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S\
         </ram:CategoryCode><ram:RateApplicablePercent>19</ram:RateApplicablePercent>\
         </ram:AppliedTradeTax></ram:SpecifiedLogisticsServiceCharge>",
    ),
    (
        "<ram:SpecifiedTradePaymentTerms>",
        "<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false\
         </udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>1.10</ram:ActualAmount>\
         <ram:ActualAmount>2</ram:ActualAmount><ram:CategoryTradeTax><ram:CategoryCode>S\
         </ram:CategoryCode><ram:RateApplicablePercent>19</ram:RateApplicablePercent>\
         </ram:CategoryTradeTax></ram:SpecifiedTradeAllowanceCharge>",
    ),
    ("<ram:CategoryCode>", "<ram:ExemptionReason>why</ram:ExemptionReason>"),
    ("<ram:RateApplicablePercent>", "<ram:ExemptionReasonCode>x</ram:ExemptionReasonCode>"),
    ("<ram:DuePayableAmount>", "<ram:RoundingAmount>0.01</ram:RoundingAmount>"),
    (
        "<ram:SpecifiedTradePaymentTerms>",
        "<ram:SpecifiedFinancialAdjustment><ram:ActualAmount>1</ram:ActualAmount>\
         </ram:SpecifiedFinancialAdjustment>",
    ),
];

fn profile(name: &str, mutants: u64) -> Option<Parity> {
    let official = format!("{BASE}/FACTUR-X_{}.sch", name.to_uppercase());
    let mut parity = Parity::new(&format!("org.factur-x:{name}:1.09.2"), &official)?;
    let mut documents = documents(&mut parity);
    parity.folder("en16931/eInvoicing-EN16931/test/cii");
    let few: Documents = documents.iter().step_by(4).cloned().collect();
    let mut made = replaced(&few, CATEGORIES);
    made.extend(replaced(&made, RATES));
    made.extend(replaced(&few, RATES));
    made.extend(replaced(&few, REPLACED));
    made.extend(edited(&few, EDITS));
    compare_all(&mut parity, &made);
    documents.extend(made);
    parity.mutants(&documents, mutants);
    Some(parity)
}

#[test]
fn factur_x_minimum() {
    if let Some(parity) = profile("minimum", 100) {
        parity.settle(800, 1000);
    }
}

#[test]
fn factur_x_basic_wl() {
    if let Some(parity) = profile("basic-wl", 100) {
        parity.settle(800, 1000);
    }
}

#[test]
fn factur_x_basic() {
    if let Some(parity) = profile("basic", 100) {
        parity.settle(800, 1000);
    }
}

#[test]
fn factur_x_en_16931() {
    if let Some(parity) = profile("en16931", 100) {
        parity.settle(800, 1000);
    }
}

#[test]
fn factur_x_extended() {
    if let Some(parity) = profile("extended", 150) {
        parity.settle(800, 1000);
    }
}
