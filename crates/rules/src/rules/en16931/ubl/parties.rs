//! Parties and their VAT identifiers: BR-CO-09, BR-56, the payee (UBL-SR-19 to -21).

use std::borrow::Cow;

use quoin_xml::tree::{Element, NodeId};

use super::lines::is_vat_alone;
use crate::rules::values::{CAC, CBC, Read, cac, cbc, normalize, one, some, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable, values};
use quoin_model::codes;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-CO-09", co_09),
    Rule::new("BR-56", br_56),
    Rule::new("UBL-SR-19", |case| payee(case, names(case.at).count())),
    Rule::new("UBL-SR-20", |case| payee(case, identifiers(case.at))),
    Rule::new("UBL-SR-21", |case| payee(case, registrations(case.at))),
];

/// `cac:TaxScheme/normalize-space(upper-case(cbc:ID)) = 'VAT'`.
pub(super) fn is_vat(parent: Element<'_>) -> Read<'_, bool> {
    some(cac(parent, "TaxScheme").map(is_scheme_of_vat))
}

/// `normalize-space(upper-case(cbc:ID)) = 'VAT'`.
pub(super) fn is_scheme_of_vat(scheme: Element<'_>) -> Read<'_, bool> {
    let id = one(cbc(scheme, "ID"))?.map_or(Cow::Borrowed(""), string);
    Ok(normalize(id).eq_ignore_ascii_case("VAT"))
}

/// The countries of rule sets whose files do not list them.
const COUNTRIES: &str = "iso3166@peppol-bis3-2025-q2";

/// The prefix of a VAT identifier is a code of ISO 3166, or `EL` for Greece. The list is searched
/// as a text, so that the end of a code with the space after it is found too, and so is nothing.
fn co_09<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let company = one(cbc(case.at, "CompanyID"))?;
    let text = company.map_or(Cow::Borrowed(""), string);
    let prefix: String = text.chars().take(2).collect();
    let countries = case.list("iso3166").or_else(|| codes::by_key(COUNTRIES));
    let known = |code: &str| code == "EL" || countries.is_some_and(|list| list.contains(code));
    let ends = |at: usize, letter: &str| {
        let all = countries.into_iter().flat_map(|list| list.codes());
        all.chain(["EL"]).any(|code| code.get(at..=at) == Some(letter))
    };
    let holds = match prefix.split_at_checked(1) {
        None => prefix.is_empty(),
        Some((" ", "")) => true,
        Some((letter, "")) => ends(0, letter) || ends(1, letter),
        Some((" ", letter)) => ends(0, letter),
        Some((letter, " ")) => ends(1, letter),
        Some(_) => known(&prefix),
    };
    let expected = "a VAT identifier that begins with a country code, such as NL or EL";
    Ok(RuleVerdict::of(holds).found(text).expected(expected).element(company))
}

fn br_56<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = has_numbers(case) && vat_registered(cac(case.at, "PartyTaxScheme"))?;
    Ok(RuleVerdict::of(holds))
}

/// Whether there is a number of a company at all: else no path to one is gone.
fn has_numbers(facts: &Facts<'_>) -> bool {
    facts.named(CBC, "CompanyID").next().is_some()
}

/// `PartyTaxScheme[…VAT…]/CompanyID` of some.
pub(super) fn vat_registered<'d>(schemes: impl Iterator<Item = Element<'d>>) -> Read<'d, bool> {
    some(schemes.map(|own| Ok(is_vat_alone(own)? && cbc(own, "CompanyID").next().is_some())))
}

/// Which identifiers for tax the parties have, wherever they stand.
pub(super) struct TaxIdentifiers {
    /// The seller has one of any tax.
    pub(super) seller: bool,
    /// The seller has a VAT identifier.
    pub(super) seller_vat: Result<bool, NodeId>,
    /// The tax representative has a VAT identifier.
    pub(super) representative_vat: Result<bool, NodeId>,
    /// The buyer has a VAT identifier.
    pub(super) buyer_vat: Result<bool, NodeId>,
    /// The buyer has a legal registration.
    pub(super) buyer_legal: bool,
}

impl TaxIdentifiers {
    pub(super) fn of(facts: &Facts<'_>) -> TaxIdentifiers {
        let parties = |role| facts.named(CAC, role).flat_map(|role| cac(role, "Party"));
        let sellers = || parties("AccountingSupplierParty");
        let buyers = || parties("AccountingCustomerParty");
        let schemes = |party| cac(party, "PartyTaxScheme");
        let has_numbers = has_numbers(facts);
        let vat = |schemes: &mut dyn Iterator<Item = Element<'_>>| match has_numbers {
            true => vat_registered(schemes).map_err(|wrong| wrong.id()),
            false => Ok(false),
        };
        let representatives = facts.named(CAC, "TaxRepresentativeParty");
        let mut any = sellers().flat_map(schemes).flat_map(|scheme| cbc(scheme, "CompanyID"));
        let legal = buyers().flat_map(|party| cac(party, "PartyLegalEntity"));
        let mut legal = legal.flat_map(|entity| cbc(entity, "CompanyID"));
        TaxIdentifiers {
            seller: any.next().is_some(),
            seller_vat: vat(&mut sellers().flat_map(schemes)),
            representative_vat: vat(&mut representatives.flat_map(schemes)),
            buyer_vat: vat(&mut buyers().flat_map(schemes)),
            buyer_legal: legal.next().is_some(),
        }
    }
}

fn names<'d>(payee: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    cac(payee, "PartyName").flat_map(|name| cbc(name, "Name"))
}

/// Those that are no creditor identifier of SEPA.
fn identifiers(payee: Element<'_>) -> usize {
    let ids = cac(payee, "PartyIdentification").flat_map(|own| cbc(own, "ID"));
    let is_other = |id: &Element<'_>| {
        id.attribute("schemeID").is_none_or(|code| code.to_uppercase() != "SEPA")
    };
    ids.filter(is_other).count()
}

fn registrations(payee: Element<'_>) -> usize {
    cac(payee, "PartyLegalEntity").flat_map(|entity| cbc(entity, "CompanyID")).count()
}

/// The names of sellers: none, all the same, or different.
enum SellerNames {
    None,
    One(String),
    Several,
}

impl SellerNames {
    fn of(parent: Element<'_>) -> SellerNames {
        let parties = cac(parent, "AccountingSupplierParty").flat_map(|role| cac(role, "Party"));
        let entities = parties.flat_map(|party| cac(party, "PartyLegalEntity"));
        let mut names = entities.flat_map(|entity| cbc(entity, "RegistrationName")).map(string);
        let Some(first) = names.next() else { return SellerNames::None };
        match names.all(|name| name == first) {
            true => SellerNames::One(first.into_owned()),
            false => SellerNames::Several,
        }
    }
}

/// There is at most one of something, and the payee has another name than the seller.
fn payee<'d>(case: &Case<'_, 'd>, count: usize) -> Outcome<'d> {
    if count > 1 {
        return Ok(RuleVerdict::broken());
    }
    let differs = |sellers: &SellerNames| match sellers {
        SellerNames::None => false,
        SellerNames::One(seller) => names(case.at).any(|name| *string(name) != **seller),
        SellerNames::Several => names(case.at).next().is_some(),
    };
    let parent = case.at.parent().ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    let holds = match parent.id() == case.root().id() {
        true => differs(&case.memo(|facts| SellerNames::of(facts.root()))),
        false => differs(&SellerNames::of(parent)),
    };
    let name = names(case.at).next();
    let verdict = RuleVerdict::of(holds).element(name);
    Ok(match name {
        Some(name) => verdict.found(values::string(name)),
        None => verdict,
    })
}
