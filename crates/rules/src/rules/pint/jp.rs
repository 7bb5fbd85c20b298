//! Japan: consumption tax, whose amounts are whole yen; invoices, self-billing, and those of
//! enterprises that are not registered.

use quoin_xml::tree::Element;

use super::aunz::process;
use super::paths::{at, groups, has, here, is_tax_alone, leaf, of_tax, share, text};

use crate::rules::en16931::ubl::{lines, subtotals, syntax};
use crate::rules::values::{
    CBC, Read, all_of, any_of, cac, cbc, decimal_of, normalized, some, some_double, string,
};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

/// The rules that all three have.
pub(super) const SHARED: &[Rule] = &[
    Rule::new("aligned-ibrp-032-jp", adjustment),
    Rule::new("aligned-ibrp-037-jp", adjustment),
    Rule::new("aligned-ibrp-050-jp", categorised),
    Rule::new("aligned-ibrp-014", |case| syntax::one_value(case, "PaymentID")),
    Rule::new("aligned-ibrp-048", rated),
    Rule::new("aligned-ibr-jp-06", whole_yen),
    Rule::new("aligned-ibrp-017", card_number),
    Rule::new("aligned-ibrp-e-05", lines::rate_is_nought),
    Rule::new("aligned-ibrp-e-06", lines::rate_is_nought),
    Rule::new("aligned-ibrp-e-07", lines::rate_is_nought),
    Rule::new("aligned-ibrp-e-09", subtotals::vat_is_nought),
    Rule::new("aligned-ibrp-g-05", lines::rate_is_nought),
    Rule::new("aligned-ibrp-g-06", lines::rate_is_nought),
    Rule::new("aligned-ibrp-g-07", lines::rate_is_nought),
    Rule::new("aligned-ibrp-g-09", subtotals::vat_is_nought),
    Rule::new("aligned-ibrp-o-09", subtotals::vat_is_nought),
    Rule::new("aligned-ibr-jp-03", |case| Ok(here(case, normalized(case.at).contains("VAT")))),
];

/// Those of taxed documents.
pub(super) const TAXED: &[Rule] = &[
    Rule::new("aligned-ibrp-051-jp", tax_is_the_rate),
    Rule::new("aligned-ibr-jp-01", registration),
];

pub(super) const BILLING: &[Rule] = &[Rule::new("aligned-ibrp-002-jp", billing_process)];

pub(super) const SELF_BILLING: &[Rule] =
    &[Rule::new("aligned-ibrp-002-jp-sb", |case| process(case, "urn:peppol:bis:selfbilling"))];

pub(super) const NOT_REGISTERED: &[Rule] = &[
    Rule::new("aligned-ibrp-002-jp", |case| process(case, "urn:peppol:bis:billing")),
    Rule::new("aligned-ibr-jp-07-ntr", no_tax),
];

/// The older process of billing; every full stop of it stands for any character.
const OLDER: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

fn billing_process<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let id = text(case.root(), "ProfileID")?;
    let letters: Vec<char> = id.chars().collect();
    let pattern: Vec<char> = OLDER.chars().collect();
    let is_older = letters
        .windows(pattern.len())
        .any(|part| part.iter().zip(&pattern).all(|(own, wanted)| *wanted == '.' || own == wanted));
    let holds = is_older || id.contains("urn:peppol:bis:billing");
    Ok(at(case, "ProfileID", holds).expected("urn:peppol:bis:billing"))
}

fn of_consumption_tax<'d>(at: Element<'d>, path: &str) -> Read<'d, Vec<Element<'d>>> {
    of_tax(groups(at, path), "VAT")
}

/// An allowance or charge with a rate has a category too. Without a rate the official test is true:
/// it asks whether a comparison is there, not whether it holds.
fn adjustment<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let above = case.at.parent().unwrap_or(case.at);
    let categories = of_consumption_tax(case.at, "TaxCategory");
    let broken_down = of_consumption_tax(above, "TaxTotal/TaxSubtotal/TaxCategory");
    let has_rate = || Ok(categories.clone()?.iter().any(|own| has(*own, "Percent")));
    let has_code = || Ok(categories.clone()?.iter().any(|own| has(*own, "ID")));
    let without = || {
        broken_down.clone()?;
        Ok(!has_rate()?)
    };
    Ok(RuleVerdict::of(any_of([&without, &|| all_of([&has_code, &has_rate])])?))
}

fn categorised<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let (mut code, mut rate) = (false, false);
    for category in groups(case.at, "Item/ClassifiedTaxCategory") {
        if is_tax_alone(category, "VAT")? {
            code |= has(category, "ID");
            rate |= has(category, "Percent");
        }
    }
    Ok(RuleVerdict::of(code && rate))
}

fn rated<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let categories = of_consumption_tax(case.at, "TaxCategory")?;
    if categories.iter().any(|own| has(*own, "Percent")) {
        return Ok(RuleVerdict::Holds);
    }
    let outside = categories.into_iter().map(|own| Ok(text(own, "ID")? == "O"));
    Ok(RuleVerdict::of(some(outside)?))
}

fn whole_yen<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let in_yen = cbc(case.at, "TaxAmount").filter(|tax| tax.attribute("currencyID") == Some("JPY"));
    let tax = crate::rules::values::one(in_yen)?;
    let holds = tax.is_none_or(|tax| !string(tax).contains('.'));
    Ok(at(case, "TaxAmount", holds))
}

/// Four to six digits of a card.
fn card_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "PrimaryAccountNumberID";
    let length = leaf(case.at, LOCAL)?.map_or(0, |own| string(own).chars().count());
    Ok(at(case, LOCAL, (4..=6).contains(&length)))
}

/// The code of the category of a subtotal, in capitals, of which some is or is not `O`.
fn some_code<'d>(subtotal: Element<'d>, is: fn(&str) -> bool) -> Read<'d, bool> {
    let codes = cac(subtotal, "TaxCategory").map(|own| {
        let code = crate::rules::values::one(cbc(own, "ID"))?.map(string).unwrap_or_default();
        Ok(is(&crate::rules::values::normalize(code.to_uppercase().into())))
    });
    some(codes)
}

/// The tax is the rate of the taxable amount, rounded up or down to whole yen.
fn tax_is_the_rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = case.at;
    let tax = || decimal_of(cbc(own, "TaxAmount"));
    let is_nought = || Ok(tax()?.is_some_and(Decimal::is_zero));
    let rate = || rate(own);
    let rounded = |number: Decimal| number.round(0).is_zero();
    let near = || {
        let (Some(tax), Some(taxable), Some(rate)) =
            (tax()?, decimal_of(cbc(own, "TaxableAmount"))?, rate()?)
        else {
            return Ok(false);
        };
        let exact = share(taxable, rate).ok_or_else(|| Unreadable::several(own))?;
        Ok(tax >= floor(exact) && tax <= floor(exact.negated()).negated())
    };
    let taxed = || {
        any_of([&|| all_of([&|| Ok(rate()?.is_some_and(|rate| !rounded(rate))), &near]), &|| {
            all_of([&|| Ok(rate()?.is_some_and(rounded)), &is_nought])
        }])
    };
    let no_rate = || Ok(!cac(own, "TaxCategory").any(|own| has(own, "Percent")));
    let inside = || some_code(own, |code| code != "O");
    let outside = || some_code(own, |code| code == "O");
    let holds =
        any_of([&|| all_of([&inside, &taxed]), &|| all_of([&no_rate, &outside, &is_nought])])?;
    Ok(at(case, "TaxAmount", holds))
}

/// `floor(x)`.
fn floor(number: Decimal) -> Decimal {
    let rounded = number.round(0);
    let less = rounded.checked_sub(Decimal::new(1, 0)).unwrap_or(rounded);
    if rounded > number { less } else { rounded }
}

/// The rate of the categories of a subtotal, of which there may be one.
fn rate<'d>(subtotal: Element<'d>) -> Read<'d, Option<Decimal>> {
    let mut found = None;
    for category in cac(subtotal, "TaxCategory") {
        if let Some(rate) = decimal_of(cbc(category, "Percent"))? {
            if found.is_some() {
                return Err(Unreadable::several(category));
            }
            found = Some(rate);
        }
    }
    Ok(found)
}

/// Whether some period begins or ends when registrations are asked for, once a document.
struct FromOctober2023(bool);

/// The first day of the qualified invoice system.
const FIRST_DAY: &str = "2023-10-01";

/// A seller's registration is T and thirteen digits, since October 2023.
fn registration<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let later = case.memo(|facts| {
        let days = ["StartDate", "EndDate"].into_iter().flat_map(|local| facts.named(CBC, local));
        FromOctober2023(days.into_iter().any(|day| *string(day) >= *FIRST_DAY))
    });
    if !later.0 {
        return Ok(RuleVerdict::Holds);
    }
    let number = text(case.at, "CompanyID")?;
    let digits = number.strip_prefix('T');
    let is_number = |rest: &str| rest.len() == 13 && rest.bytes().all(|byte| byte.is_ascii_digit());
    Ok(at(case, "CompanyID", digits.is_some_and(is_number)).expected("T1234567890123"))
}

fn no_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(here(case, some_double(std::iter::once(case.at), |tax| tax == 0.0)?).expected("0"))
}

#[cfg(test)]
mod tests {
    use super::{Decimal, floor};

    #[test]
    fn amounts_are_rounded_down() {
        for (number, whole) in
            [("1.5", "1"), ("1.2", "1"), ("-1.5", "-2"), ("-1.2", "-2"), ("3", "3")]
        {
            assert_eq!(floor(Decimal::parse(number).unwrap()).to_string(), whole);
        }
    }
}
