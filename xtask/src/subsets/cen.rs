//! The rule files of EN 16931 in CII before 1.3.16. That of 1.3.14.1 comes with Peppol BIS Billing;
//! that of 1.3.15 is not among the official files, so its rules are those of 1.3.14.1 with what is
//! changed in the published one, compared rule by rule with the tag `validation-1.3.15` of
//! `ConnectingEurope/eInvoicing-EN16931`. Not told here, since these are tests by hand: BR-AE-08,
//! BR-E-08, BR-G-08 and BR-IC-08 add up decimals in 1.3.15, doubles before.

use super::tax_data::Amendments;

/// The file of 1.3.14.1 below the corpora.
pub const CII_1_3_14_1: &str = "peppol-bis-billing/github-2025-Q2/rules/sch/CEN-EN16931-CII.sch";

/// What is changed in the file of a release.
pub fn amended(id: &str, release: &str) -> Amendments {
    match (id, release) {
        ("en16931-cii", "1.3.15") => CII_1_3_15,
        _ => &[],
    }
}

/// 1.3.15: codes of currencies, schemes and exemptions, five rules with new identifiers (BR-66 at
/// the end of the binding's rules, as CII-SR-463), three more warnings. CII-SR-464 is always kept.
const CII_1_3_15: Amendments = &[
    (" CNY ", " CNH CNY "),
    (" CUC ", " "),
    (" MRO ", " MRU "),
    (" UYU ", " UYU UYW "),
    (" 0240 '", " 0240 0241 0242 0243 0244 '"),
    (" 0240 9910 ", " 0240 0244 9910 "),
    (" VATEX-EU-143 ", " VATEX-EU-135-1 VATEX-EU-143 "),
    ("id=\"CII-DT-0010\"", "id=\"CII-DT-101\""),
    ("id=\"CII-DT-0020\"", "id=\"CII-DT-102\""),
    ("id=\"CII-DT-0030\"", "id=\"CII-DT-103\""),
    ("id=\"CII-DT-0040\"", "id=\"CII-DT-104\""),
    ("<rule context=\"//ram:SpecifiedTradeAllowanceCharge\">", "<!--"),
    (
        "<rule context=\"//ram:DesignatedProductClassification\">",
        "--><rule context=\"//ram:DesignatedProductClassification\">",
    ),
    (
        "<rule context=\"//ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge\">",
        "<rule context=\"//ram:SpecifiedTradeAllowanceCharge\">\
         <assert id=\"CII-SR-463\" flag=\"fatal\" test=\"ram:ChargeIndicator\"/></rule>\
         <rule context=\"//ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge\">",
    ),
    (
        "<pattern id=\"EN16931-CII-Syntax\">",
        "<pattern id=\"EN16931-CII-Syntax\">\
         <rule context=\"//ram:SpecifiedTradeSettlementPaymentMeans\">\
         <assert id=\"CII-SR-464\" flag=\"warning\" test=\"true()\"/></rule>",
    ),
    (
        "<assert id=\"CII-SR-460\"",
        "<assert id=\"CII-SR-465\" flag=\"warning\" test=\"\
         not(ram:SellerTradeParty/ram:DefinedTradeContact/ram:PersonName) or \
         not(ram:SellerTradeParty/ram:DefinedTradeContact/ram:DepartmentName)\"/>\
         <assert id=\"CII-SR-466\" flag=\"warning\" test=\"\
         not(ram:BuyerTradeParty/ram:DefinedTradeContact/ram:PersonName) or \
         not(ram:BuyerTradeParty/ram:DefinedTradeContact/ram:DepartmentName)\"/>\
         <assert id=\"CII-SR-460\"",
    ),
];
