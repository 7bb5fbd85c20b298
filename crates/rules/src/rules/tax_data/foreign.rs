//! Elements and attributes that a report may not have at a place.

use quoin_xml::tree::Element;

use crate::rules::values::cbc;
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

/// What may stand on elements of ViDA and Slovakia.
pub(super) const ATTRIBUTES: &[Rule] = &[
    Rule::new("ibr-tdd-51", |case| Ok(only(std::iter::once(case.at), "name"))),
    Rule::new("ibr-tdd-58", |case| attributes(case, &["Amount"], CURRENCY)),
    Rule::new("ibr-tdd-59", |case| attributes(case, &["BaseAmount"], CURRENCY)),
    Rule::new("ibr-tdd-61", |case| attributes(case, &["Amount"], CURRENCY)),
    Rule::new("ibr-tdd-62", |case| attributes(case, &["BaseAmount"], CURRENCY)),
    Rule::new("ibr-tdd-66", |case| attributes(case, &["TaxAmount"], CURRENCY)),
    Rule::new("ibr-tdd-68", |case| attributes(case, &["TaxableAmount"], CURRENCY)),
    Rule::new("ibr-tdd-69", |case| attributes(case, &["TaxAmount"], CURRENCY)),
    Rule::new("ibr-tdd-73", |case| attributes(case, TOTALS, CURRENCY)),
    Rule::new("ibr-tdd-75", |case| attributes(case, &["InvoicedQuantity"], "unitCode")),
    Rule::new("ibr-tdd-76", |case| attributes(case, &["LineExtensionAmount"], CURRENCY)),
    Rule::new("ibr-tdd-79", |case| attributes(case, &["ItemClassificationCode"], "listID")),
    Rule::new("ibr-tdd-83", |case| attributes(case, &["PriceAmount"], CURRENCY)),
];

/// What may not stand in groups of the Emirates.
pub(super) const EMIRATES: &[Rule] = &[
    Rule::new("ibr-tdd-10", |case| party(case, &["EndpointID"])),
    Rule::new("ibr-tdd-14", |case| party(case, &["EndpointID"])),
    Rule::new("ibr-tdd-18", |case| party(case, &["PartyIdentification"])),
    Rule::new("ibr-tdd-39", |case| none(case, SUPPLIER, &[])),
    Rule::new("ibr-tdd-41", |case| party(case, &["PartyTaxScheme"])),
    Rule::new("ibr-tdd-43", |case| none(case, TAX_SCHEME, &[])),
    Rule::new("ibr-tdd-46", |case| none(case, CUSTOMER, &[])),
    Rule::new("ibr-tdd-48", |case| party(case, &["PartyIdentification", "PartyTaxScheme"])),
    Rule::new("ibr-tdd-49", |case| none(case, TAX_SCHEME, &[])),
    Rule::new("ibr-tdd-51", |case| none(case, TAX_TOTAL, &[])),
    Rule::new("ibr-tdd-56", |case| none(case, EXTENSION, &[])),
];

/// What may not stand in groups of Oman, which tells the names of both ends too.
pub(super) const OMAN: &[Rule] = &[
    Rule::new("ibr-tdd-10", |case| party(case, &["EndpointID"])),
    Rule::new("ibr-tdd-14", |case| party(case, &["EndpointID"])),
    Rule::new("ibr-tdd-18", |case| party(case, &["PartyIdentification"])),
    Rule::new("ibr-tdd-39", |case| none(case, SUPPLIER, &["AdditionalAccountID"])),
    Rule::new("ibr-tdd-41", |case| party(case, &["PartyTaxScheme", "PartyLegalEntity"])),
    Rule::new("ibr-tdd-43", |case| none(case, TAX_SCHEME, &[])),
    Rule::new("ibr-tdd-46", |case| none(case, CUSTOMER, &[])),
    Rule::new("ibr-tdd-48", |case| {
        party(case, &["PartyIdentification", "PartyTaxScheme", "PartyLegalEntity"])
    }),
    Rule::new("ibr-tdd-49", |case| none(case, TAX_SCHEME, &[])),
    Rule::new("ibr-tdd-51", |case| none(case, TAX_TOTAL, &[])),
    Rule::new("ibr-tdd-56", |case| none(case, EXTENSION, &[])),
    Rule::new("ibr-tdd-61", |case| none(case, LEGAL_ENTITY, &[])),
    Rule::new("ibr-tdd-63", |case| none(case, LEGAL_ENTITY, &[])),
];

const CURRENCY: &str = "currencyID";

/// The totals whose attributes are looked at; the rounding of BT-114 is not.
const TOTALS: &[&str] = &[
    "LineExtensionAmount",
    "TaxExclusiveAmount",
    "TaxInclusiveAmount",
    "AllowanceTotalAmount",
    "ChargeTotalAmount",
    "PrepaidAmount",
    "PayableAmount",
];

/// The children of a party in UBL.
const PARTY: &[&str] = &[
    "MarkCareIndicator",
    "MarkAttentionIndicator",
    "WebsiteURI",
    "LogoReferenceID",
    "EndpointID",
    "IndustryClassificationCode",
    "PartyIdentification",
    "PartyName",
    "Language",
    "PostalAddress",
    "PhysicalLocation",
    "PartyTaxScheme",
    "PartyLegalEntity",
    "Contact",
    "Person",
    "AgentParty",
    "ServiceProviderParty",
    "PowerOfAttorney",
    "FinancialAccount",
];
const SUPPLIER: &[&str] = &[
    "CustomerAssignedAccountID",
    "AdditionalAccountID",
    "DataSendingCapability",
    "DespatchContact",
    "AccountingContact",
    "SellerContact",
];
const CUSTOMER: &[&str] = &[
    "CustomerAssignedAccountID",
    "SupplierAssignedAccountID",
    "AdditionalAccountID",
    "DeliveryContact",
    "AccountingContact",
    "BuyerContact",
];
const TAX_SCHEME: &[&str] = &[
    "RegistrationName",
    "TaxLevelCode",
    "ExemptionReasonCode",
    "ExemptionReason",
    "RegistrationAddress",
];
const TAX_TOTAL: &[&str] =
    &["RoundingAmount", "TaxEvidenceIndicator", "TaxIncludedIndicator", "TaxSubtotal"];
const EXTENSION: &[&str] = &[
    "ID",
    "Name",
    "ExtensionAgencyID",
    "ExtensionAgencyName",
    "ExtensionVersionID",
    "ExtensionAgencyURI",
    "ExtensionURI",
    "ExtensionReasonCode",
    "ExtensionReason",
];
const LEGAL_ENTITY: &[&str] = &[
    "CompanyID",
    "RegistrationDate",
    "RegistrationExpirationDate",
    "CompanyLegalFormCode",
    "CompanyLegalForm",
    "SoleProprietorshipIndicator",
    "CompanyLiquidationStatusCode",
    "CorporateStockAmount",
    "FullyPaidSharesIndicator",
    "RegistrationAddress",
    "CorporateRegistrationScheme",
    "HeadOfficeParty",
    "ShareholderParty",
];

/// Elements of these names have no attribute but one.
fn attributes<'d>(
    case: &Case<'_, 'd>,
    names: &'static [&'static str],
    allowed: &'static str,
) -> Outcome<'d> {
    let at = case.at;
    Ok(only(names.iter().flat_map(move |name| cbc(at, name)), allowed))
}

fn only<'d>(mut elements: impl Iterator<Item = Element<'d>>, allowed: &str) -> RuleVerdict<'d> {
    let foreign = elements.find_map(|element| {
        let mut others = element.attributes().filter(|one| one.local != allowed);
        others.next().map(|attribute| (element, attribute.local))
    });
    match foreign {
        Some((element, name)) => RuleVerdict::broken().found(name).element(Some(element)),
        None => RuleVerdict::Holds,
    }
}

/// No child of a party but these.
fn party<'d>(case: &Case<'_, 'd>, allowed: &[&str]) -> Outcome<'d> {
    none(case, PARTY, allowed)
}

/// No child of these names, of whatever namespace.
fn none<'d>(case: &Case<'_, 'd>, names: &[&str], allowed: &[&str]) -> Outcome<'d> {
    let foreign = case
        .at
        .elements()
        .find(|child| names.contains(&child.local()) && !allowed.contains(&child.local()));
    Ok(match foreign {
        Some(child) => RuleVerdict::broken().element(Some(child)),
        None => RuleVerdict::Holds,
    })
}
