//! The category in the breakdown (-01), and which tax identifiers it asks for (-02 to -04), with
//! what an intra-community supply needs (BR-IC-11, BR-IC-12).

use super::mentions::{CodeComparison, MentionPlace, Mentions};
use super::parties::{TaxIdentifiers, is_vat};
use crate::rules::en16931::category::Category;
use crate::rules::values::{Read, all_of, any_of, cac, cbc, normalized, one, some, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use CodeComparison::{Code, CodeOfVat, Written, WrittenOfVat};
use MentionPlace::{
    Adjustments, Allowances, Breakdown, Charges, DocumentAllowances, DocumentCharges, Lines,
};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-S-01", |case| in_breakdown(case, Code, Code)),
    Rule::new("BR-AF-01", |case| in_breakdown(case, CodeOfVat, Written)),
    Rule::new("BR-IG-01", |case| in_breakdown(case, CodeOfVat, Written)),
    Rule::new("BR-AG-01", |case| in_breakdown(case, CodeOfVat, WrittenOfVat)),
    Rule::new("BR-IP-01", |case| in_breakdown(case, CodeOfVat, WrittenOfVat)),
    Rule::new("BR-S-02", |case| needs(case, (Lines, CodeOfVat, Code), seller)),
    Rule::new("BR-S-03", |case| allowances(case, seller)),
    Rule::new("BR-S-04", |case| charges(case, seller)),
    Rule::new("BR-Z-02", |case| lines(case, seller)),
    Rule::new("BR-Z-03", |case| allowances(case, seller)),
    Rule::new("BR-Z-04", |case| charges(case, seller)),
    Rule::new("BR-E-02", |case| lines(case, seller)),
    Rule::new("BR-E-03", |case| allowances(case, seller)),
    Rule::new("BR-E-04", |case| charges(case, seller)),
    Rule::new("BR-AE-02", |case| lines(case, seller_and_buyer)),
    Rule::new("BR-AE-03", |case| allowances(case, seller_and_buyer)),
    Rule::new("BR-AE-04", |case| charges(case, seller_and_buyer)),
    Rule::new("BR-IC-02", |case| lines(case, seller_and_buyer_vat)),
    Rule::new("BR-IC-03", |case| allowances(case, seller_and_buyer_vat)),
    Rule::new("BR-IC-04", |case| charges(case, seller_and_buyer_vat)),
    Rule::new("BR-G-02", |case| lines(case, seller_vat)),
    Rule::new("BR-G-03", |case| needs(case, (Allowances, Code, CodeOfVat), seller_vat)),
    Rule::new("BR-G-04", |case| needs(case, (Charges, Code, CodeOfVat), seller_vat)),
    Rule::new("BR-O-02", |case| lines(case, nobody)),
    Rule::new("BR-O-03", |case| needs(case, (DocumentAllowances, CodeOfVat, CodeOfVat), nobody)),
    Rule::new("BR-O-04", |case| needs(case, (DocumentCharges, CodeOfVat, CodeOfVat), nobody)),
    Rule::new("BR-AF-02", |case| lines(case, seller)),
    Rule::new("BR-AF-03", |case| allowances(case, seller)),
    Rule::new("BR-AF-04", |case| needs(case, (Charges, CodeOfVat, WrittenOfVat), seller)),
    Rule::new("BR-IG-02", |case| lines(case, seller)),
    Rule::new("BR-IG-03", |case| allowances(case, seller)),
    Rule::new("BR-IG-04", |case| needs(case, (Charges, CodeOfVat, WrittenOfVat), seller)),
    Rule::new("BR-AG-02", |case| lines(case, seller)),
    Rule::new("BR-AG-03", |case| allowances(case, seller)),
    Rule::new("BR-AG-04", |case| charges(case, seller)),
    Rule::new("BR-IP-02", |case| lines(case, seller)),
    Rule::new("BR-IP-03", |case| allowances(case, seller)),
    Rule::new("BR-IP-04", |case| charges(case, seller)),
    Rule::new("BR-IC-11", ic_11),
    Rule::new("BR-IC-12", ic_12),
];

/// A condition on the registrations of the parties.
type RegistrationCondition = for<'d> fn(&Case<'_, 'd>) -> Read<'d, bool>;

fn lines<'d>(case: &Case<'_, 'd>, condition: RegistrationCondition) -> Outcome<'d> {
    needs(case, (Lines, CodeOfVat, CodeOfVat), condition)
}

fn allowances<'d>(case: &Case<'_, 'd>, condition: RegistrationCondition) -> Outcome<'d> {
    needs(case, (Allowances, CodeOfVat, CodeOfVat), condition)
}

fn charges<'d>(case: &Case<'_, 'd>, condition: RegistrationCondition) -> Outcome<'d> {
    needs(case, (Charges, CodeOfVat, CodeOfVat), condition)
}

fn category(case: &Case<'_, '_>) -> Category {
    Category::of_rule(case.id).unwrap_or(Category::Standard)
}

/// Where the category is mentioned in the first way the condition holds, or it is not mentioned in
/// the second way.
fn needs<'d>(
    case: &Case<'_, 'd>,
    (place, mentioned, absent): (MentionPlace, CodeComparison, CodeComparison),
    condition: RegistrationCondition,
) -> Outcome<'d> {
    let (mentions, own) = (case.memo(Mentions::of), category(case));
    let has = |how| mentions.has(case, (place, own, how));
    let is_met = || all_of([&|| has(mentioned), &|| condition(case)]);
    Ok(RuleVerdict::of(any_of([&is_met, &|| Ok(!has(absent)?)])?))
}

/// The seller has an identifier of any tax, or the representative one of VAT.
fn seller<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let known = case.memo(TaxIdentifiers::of);
    Ok(known.seller || read(case, known.representative_vat)?)
}

/// The seller or the representative has a VAT identifier.
fn seller_vat<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let known = case.memo(TaxIdentifiers::of);
    any_of([&|| read(case, known.seller_vat), &|| read(case, known.representative_vat)])
}

fn seller_and_buyer<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let known = case.memo(TaxIdentifiers::of);
    let buyer = || any_of([&|| read(case, known.buyer_vat), &|| Ok(known.buyer_legal)]);
    all_of([&|| seller(case), &buyer])
}

fn seller_and_buyer_vat<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let known = case.memo(TaxIdentifiers::of);
    all_of([&|| seller_vat(case), &|| read(case, known.buyer_vat)])
}

/// No party has a VAT identifier.
fn nobody<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let known = case.memo(TaxIdentifiers::of);
    let not = |found| Ok(!read(case, found)?);
    all_of([&|| not(known.seller_vat), &|| not(known.representative_vat), &|| not(known.buyer_vat)])
}

fn read<'d>(case: &Case<'_, 'd>, found: Result<bool, quoin_xml::tree::NodeId>) -> Read<'d, bool> {
    found.map_err(|id| Unreadable::at(case, id))
}

/// A category that is mentioned is in the breakdown, and the other way round; the scheme is not
/// looked at.
pub(in crate::rules) fn broken_down<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    in_breakdown(case, Code, Code)
}

/// A category that is mentioned is in the breakdown, and the other way round.
fn in_breakdown<'d>(
    case: &Case<'_, 'd>,
    mentioned: CodeComparison,
    broken_down: CodeComparison,
) -> Outcome<'d> {
    let (mentions, own) = (case.memo(Mentions::of), category(case));
    let count = |place, how| mentions.count(case, (place, own, how));
    let used = || Ok(count(Adjustments, mentioned)? + count(Lines, mentioned)? > 0);
    let there = || all_of([&used, &|| Ok(count(Breakdown, broken_down)? > 0)]);
    let nowhere = || all_of([&|| Ok(!used()?), &|| Ok(count(Breakdown, mentioned)? == 0)]);
    Ok(RuleVerdict::of(any_of([&there, &nowhere])?))
}

/// Whether the breakdown has an intra-community supply.
fn supplies_to_the_community<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let subtotals = cac(case.at, "TaxTotal").flat_map(|total| cac(total, "TaxSubtotal"));
    some(subtotals.flat_map(|subtotal| cac(subtotal, "TaxCategory")).map(|category| {
        Ok(is_vat(category)? && cbc(category, "ID").any(|code| normalized(code) == "K"))
    }))
}

fn ic_11<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !supplies_to_the_community(case)? {
        return Ok(RuleVerdict::Holds);
    }
    let delivered = || {
        let days = cac(case.at, "Delivery").flat_map(|own| cbc(own, "ActualDeliveryDate"));
        Ok(one(days)?.map_or(0, |day| string(day).chars().count()) > 1)
    };
    let period = || Ok(cac(case.at, "InvoicePeriod").any(|own| own.elements().next().is_some()));
    Ok(RuleVerdict::of(any_of([&delivered, &period])?))
}

fn ic_12<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !supplies_to_the_community(case)? {
        return Ok(RuleVerdict::Holds);
    }
    let places = cac(case.at, "Delivery").flat_map(|own| cac(own, "DeliveryLocation"));
    let countries = places
        .flat_map(|place| cac(place, "Address"))
        .flat_map(|address| cac(address, "Country"))
        .flat_map(|country| cbc(country, "IdentificationCode"));
    let length = one(countries)?.map_or(0, |code| string(code).chars().count());
    Ok(RuleVerdict::of(length > 1))
}
