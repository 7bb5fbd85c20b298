//! Australia and New Zealand: GST, with its categories S, Z, E, G and O.

use quoin_xml::tree::Element;

use super::document::country;
use super::paths::{at, cents, groups, has, is_tax_alone, leaf, text};
use super::taxes;
use crate::rules::en16931::ubl::{lines, registered, subtotals, syntax, totals};
use crate::rules::values::{CAC, cac, cbc, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("aligned-ibrp-sr-43", syntax::sr_43),
    Rule::new("aligned-ibrp-004", taxes::net_price),
    Rule::new("aligned-ibrp-054", taxes::percentage),
    Rule::new("aligned-ibrp-055", taxes::percentage),
    Rule::new("aligned-ibrp-050-aunz", categorised),
    Rule::new("aligned-ibrp-053", taxes::line),
    Rule::new("aligned-ibrp-002", |case| process(case, "urn:peppol:bis:billing")),
    Rule::new("aligned-ibrp-002-aunz-sb", |case| process(case, "urn:peppol:bis:selfbilling")),
    Rule::new("aligned-ibrp-022", one_total_in_tax_currency),
    Rule::new("aligned-ibrp-051-aunz", |case| taxes::tax_by_rate(case, "GST", within_one)),
    Rule::new("aligned-ibrp-061", payment_day),
    Rule::new("aligned-ibrp-s-01-aunz", registered::broken_down),
    Rule::new("aligned-ibrp-s-05-aunz", taxes::rate_above_nought),
    Rule::new("aligned-ibrp-s-06-aunz", taxes::rate_above_nought),
    Rule::new("aligned-ibrp-s-07-aunz", taxes::rate_above_nought),
    Rule::new("aligned-ibrp-s-08-aunz", |case| taxes::taxable(case, cents(100))),
    Rule::new("aligned-ibrp-s-09-aunz", standard_tax),
    Rule::new("aligned-ibrp-z-05-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-z-06-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-z-07-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-z-08-aunz", subtotals::exact),
    Rule::new("aligned-ibrp-z-09-aunz", subtotals::vat_is_nought),
    Rule::new("aligned-ibrp-e-05-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-e-06-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-e-07-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-e-08-aunz", subtotals::exact),
    Rule::new("aligned-ibrp-e-09-aunz", subtotals::vat_is_nought),
    Rule::new("aligned-ibrp-g-05-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-g-06-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-g-07-aunz", lines::rate_is_nought),
    Rule::new("aligned-ibrp-g-08-aunz", subtotals::exact),
    Rule::new("aligned-ibrp-g-09-aunz", subtotals::vat_is_nought),
    Rule::new("aligned-ibrp-o-08-aunz", subtotals::exact),
    Rule::new("aligned-ibrp-o-09-aunz", subtotals::vat_is_nought),
    Rule::new("aligned-ibr-001-aunz", |case| registered_in(case, "0151"))
        .at(Flag::Fatal, |facts, visit| parties(facts, "AccountingSupplierParty", "AU", visit)),
    Rule::new("aligned-ibr-002-aunz", |case| registered_in(case, "0088"))
        .at(Flag::Fatal, |facts, visit| parties(facts, "AccountingSupplierParty", "NZ", visit)),
    Rule::new("aligned-ibr-004-aunz", |case| registered_in(case, "0151"))
        .at(Flag::Fatal, |facts, visit| parties(facts, "AccountingCustomerParty", "AU", visit)),
    Rule::new("aligned-ibr-005-aunz", |case| registered_in(case, "0088"))
        .at(Flag::Fatal, |facts, visit| parties(facts, "AccountingCustomerParty", "NZ", visit)),
];

fn within_one(stated: Decimal, computed: Decimal) -> bool {
    super::paths::within(stated, computed, Decimal::new(1, 0))
}

/// The line has a category of GST.
fn categorised<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    for category in groups(case.at, "Item/ClassifiedTaxCategory") {
        if is_tax_alone(category, "GST")? && has(category, "ID") {
            return Ok(RuleVerdict::Holds);
        }
    }
    Ok(RuleVerdict::broken())
}

/// The process of the document has something in it.
pub(super) fn process<'d>(case: &Case<'_, 'd>, expected: &'static str) -> Outcome<'d> {
    let id = text(case.root(), "ProfileID")?;
    Ok(at(case, "ProfileID", id.contains(expected)).expected(expected))
}

/// One tax total has no breakdown where there is a currency of tax, and none otherwise.
pub(super) fn one_total_in_tax_currency<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let totals = cac(case.at, "TaxTotal").filter(|own| cac(*own, "TaxSubtotal").next().is_none());
    let expected = usize::from(has(case.at, "TaxCurrencyCode"));
    let count = totals.count();
    Ok(RuleVerdict::of(count == expected).found(count.to_string()).expected(expected.to_string()))
}

/// What is to be paid has a day or terms.
fn payment_day<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let amounts = || cbc(case.at, "PayableAmount");
    let is = |fits: fn(f64) -> bool| crate::rules::values::some_double(amounts(), fits);
    let holds = (is(|due| due > 0.0)? && totals::has_terms(case)) || is(|due| due <= 0.0)?;
    Ok(at(case, "PayableAmount", holds))
}

fn standard_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rate = super::paths::number(case.at, "Percent")?;
    taxes::tax(case, rate, Decimal::new(1, 0))
}

/// The parties of a role, where the document has that country for it.
fn parties<'d>(
    facts: &Facts<'d>,
    role: &'static str,
    own: &str,
    visit: &mut dyn FnMut(Element<'d>),
) {
    if country(facts.root(), role).is_some_and(|code| code == own) {
        facts.named(CAC, role).flat_map(|role| cac(role, "Party")).for_each(visit);
    }
}

/// A registration of a scheme: an ABN in Australia, an NZBN in New Zealand.
fn registered_in<'d>(case: &Case<'_, 'd>, scheme: &'static str) -> Outcome<'d> {
    const PATH: &str = "PartyLegalEntity/CompanyID";
    let company = leaf(case.at, PATH)?;
    let holds = company
        .is_some_and(|own| !string(own).is_empty() && own.attribute("schemeID") == Some(scheme));
    Ok(at(case, PATH, holds).expected(scheme))
}
