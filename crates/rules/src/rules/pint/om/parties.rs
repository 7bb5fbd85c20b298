//! Parties: tax numbers, addresses, and who must be known for which kind of transaction.

use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use super::OmanTransaction::{
    Commerce, Continuous, Export, Full, ImportGoods, ImportReverse, Margin, MarginSelf, SelfBilled,
    SpecialZone, Summary, ThirdParty,
};
use super::kinds::of;
use super::{is_any, unless};
use crate::rules::pint::paths::{at, groups, has, has_all, here, leaves, some_text, text};
use crate::rules::values::{CAC, Read, normalized};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("IBR-006-OM", |case| {
        let abroad = is_any(case, &[ImportGoods, ImportReverse, MarginSelf]);
        Ok(RuleVerdict::of(abroad || has_vat(case.at, SELLER)))
    }),
    Rule::new("IBR-007-OM", |case| {
        let kinds = [ImportGoods, ImportReverse, MarginSelf, SpecialZone];
        of(case, &kinds, |root| has(root, "AccountingSupplierParty/Party/PartyIdentification/ID"))
    }),
    Rule::new("IBR-015-OM", |case| of(case, &[ThirdParty], has_agent)),
    Rule::new("IBR-016-OM", |case| {
        let kinds = [Full, ThirdParty, Summary, Continuous, Export, Margin, Commerce];
        of(case, &kinds, |root| {
            has(root, "AccountingCustomerParty/Party/PartyIdentification/ID")
                || has_vat(root, BUYER)
        })
    }),
    Rule::new("IBR-017-OM", |case| of(case, IMPORTS, |root| has_vat(root, BUYER))),
    Rule::new("IBR-019-OM", |case| of(case, NAMED, has_address)),
    Rule::new("IBR-020-OM", |case| of(case, IMPORTS, |root| is_in(root, BUYER, true))),
    Rule::new("IBR-087-OM", |case| of(case, &[MarginSelf], |root| is_in(root, SELLER, true))),
    Rule::new("IBR-160-OM", |case| of(case, &[ImportReverse], |root| is_in(root, SELLER, false))),
    Rule::new("IBR-150-OM", |case| {
        of(case, &[SpecialZone], |root| has(root, &region(BUYER)) && has(root, &region(SELLER)))
    }),
    Rule::new("IBR-151-OM", seller_in_zone),
    Rule::new("IBR-152-OM", buyer_in_zone),
    Rule::new("IBR-153-OM", |case| {
        of(case, &[ImportGoods], |root| has_identifier(root, BUYER, "ICID"))
    }),
    Rule::new("IBR-173-OM", ibr_173),
    Rule::new("IBR-003-OM", tax_number),
    Rule::new("IBR-009-OM", scheme),
];

const SELLER: &str = "AccountingSupplierParty/Party";
const BUYER: &str = "AccountingCustomerParty/Party";

/// Kinds by which the buyer bills, or imports.
const IMPORTS: &[super::OmanTransaction] = &[SelfBilled, ImportReverse, MarginSelf, ImportGoods];

/// Kinds that name the buyer with an address.
const NAMED: &[super::OmanTransaction] = &[
    Full,
    ThirdParty,
    SelfBilled,
    Export,
    ImportReverse,
    Margin,
    MarginSelf,
    ImportGoods,
    SpecialZone,
    Summary,
];

/// The address that stands for a buyer who has none in the network.
const NOBODY: &str = "997770000099";

/// Whether a tax scheme is VAT, as it is written.
fn is_vat(own: Element<'_>) -> bool {
    some_text(own, "TaxScheme/ID", |id| id == "VAT")
}

fn has_vat(root: Element<'_>, party: &str) -> bool {
    let schemes = groups(root, &format!("{party}/PartyTaxScheme"));
    schemes.into_iter().any(|own| is_vat(own) && has(own, "CompanyID"))
}

fn region(party: &str) -> String {
    format!("{party}/PostalAddress/CountrySubentityCode")
}

fn is_in(root: Element<'_>, party: &str, oman: bool) -> bool {
    let path = format!("{party}/PostalAddress/Country/IdentificationCode");
    some_text(root, &path, |code| (code == "OM") == oman)
}

fn has_identifier(root: Element<'_>, party: &str, kind: &str) -> bool {
    let ids = leaves(root, &format!("{party}/PartyIdentification/ID"));
    ids.iter().any(|own| own.attribute("schemeName") == Some(kind))
}

/// One agent, with a name, a VAT number and an address.
fn has_agent(root: Element<'_>) -> bool {
    let agents = groups(root, "AccountingSupplierParty/Party/AgentParty");
    let &[agent] = agents.as_slice() else { return false };
    let asked = [
        "PartyName/Name",
        "PartyTaxScheme/TaxScheme/ID",
        "PostalAddress/StreetName",
        "PostalAddress/AdditionalStreetName",
        "PostalAddress/AddressLine/Line",
        "PostalAddress/CityName",
        "PostalAddress/PostalZone",
        "PostalAddress/Country/IdentificationCode",
    ];
    let mut schemes = groups(agent, "PartyTaxScheme").into_iter();
    has_all(agent, &asked) && schemes.any(|own| is_vat(own) && has(own, "CompanyID"))
}

fn has_address(root: Element<'_>) -> bool {
    let parts =
        ["StreetName", "AdditionalStreetName", "CityName", "PostalZone", "AddressLine/Line"];
    parts.iter().all(|part| has(root, &format!("{BUYER}/PostalAddress/{part}")))
}

/// Outside the mainland (MO) a party in a special zone has its licence (SZLN).
fn in_zone<'d>(case: &Case<'_, 'd>, party: &str) -> bool {
    is_any(case, &[SpecialZone]) && some_text(case.at, &region(party), |code| code != "MO")
}

fn seller_in_zone<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let licensed = has_identifier(case.at, SELLER, "SZLN");
    Ok(RuleVerdict::of(!in_zone(case, SELLER) || licensed))
}

fn is_nobody<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    Ok(text(case.at, &format!("{BUYER}/EndpointID"))? == NOBODY)
}

fn buyer_in_zone<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !in_zone(case, BUYER) || has_identifier(case.at, BUYER, "SZLN") {
        return Ok(RuleVerdict::Holds);
    }
    Ok(RuleVerdict::of(is_nobody(case)?))
}

/// A buyer without an address in the network: the seller has an account with the authority.
fn ibr_173<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const ACCOUNT: &str = "AccountingSupplierParty/AdditionalAccountID";
    unless([&|| is_nobody(case)], || {
        let account = text(case.at, ACCOUNT)?;
        Ok(at(case, ACCOUNT, super::document::is_uuid(&account)))
    })
}

/// `OM` and ten digits.
fn tax_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text: String = normalized(case.at).chars().filter(|own| *own != ' ').collect();
    let is_digits = |rest: &str| rest.len() == 10 && rest.bytes().all(|own| own.is_ascii_digit());
    Ok(here(case, text.strip_prefix("OM").is_some_and(is_digits)))
}

/// How many tax schemes a party has, and how many are VAT, by the party.
#[derive(Default)]
struct SchemeCounts(HashMap<NodeId, (usize, usize)>);

impl SchemeCounts {
    fn of(facts: &Facts<'_>) -> SchemeCounts {
        let mut schemes = SchemeCounts::default();
        for own in facts.named(CAC, "PartyTaxScheme") {
            let Some(party) = own.parent() else { continue };
            let counts = schemes.0.entry(party.id()).or_default();
            counts.0 += 1;
            counts.1 += usize::from(is_vat(own));
        }
        schemes
    }
}

fn is_inside(element: Element<'_>, local: &str) -> bool {
    let mut above = element.parent();
    while let Some(up) = above {
        if up.is(CAC, local) {
            return true;
        }
        above = up.parent();
    }
    false
}

/// The scheme is VAT; of a seller one of the schemes is, of a buyer there is one scheme.
fn scheme<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = is_vat(case.at);
    let is_other = is_inside(case.at, "TaxRepresentativeParty") || case.at.local() == "TaxCategory";
    let counts = || {
        let known = case.memo(SchemeCounts::of);
        let party = case.at.parent();
        party.and_then(|up| known.0.get(&up.id()).copied()).unwrap_or_default()
    };
    let holds = if is_other {
        own
    } else if is_inside(case.at, "AccountingCustomerParty") {
        own && counts().0 == 1
    } else if is_inside(case.at, "AccountingSupplierParty") {
        if own { counts().1 == 1 } else { counts().1 > 0 }
    } else {
        own
    };
    Ok(at(case, "TaxScheme/ID", holds))
}
