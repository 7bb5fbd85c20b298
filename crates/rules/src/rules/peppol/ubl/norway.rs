//! Norway: the register that is named, and the form of the VAT number.

use quoin_xml::tree::Element;

use super::country::{Countries, is};
use super::paths::{inside, sellers, tax_schemes};
use crate::rules::checksums::{has_digits, mod11};
use crate::rules::peppol::reading::{normal, on, substring, substring_from, text};
use crate::rules::values::{Read, all_of, any_of, cbc, one, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::Flag::{Fatal, Warning};

pub(crate) const RULES: &[Rule] = &[
    Rule::new("NO-R-002", register).at(Warning, norwegian),
    Rule::new("NO-R-001", vat).at(Fatal, norwegian),
];

const REGISTER: &str = "Foretaksregisteret";

fn norwegian<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if is(&Countries::of(facts).supplier, "NO") {
        sellers(facts).for_each(visit);
    }
}

fn register<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers = inside(&tax_schemes(case.at, "TAX")?, "CompanyID");
    Ok(RuleVerdict::of(normal(numbers)? == REGISTER).expected(REGISTER))
}

fn vat<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers = |scheme| cbc(scheme, "CompanyID").collect();
    vat_number(&|| tax_schemes(case.at, "VAT"), &numbers)
}

/// `substring(cbc:CompanyID, …)` of each of some registrations.
fn parts<'d>(
    schemes: &[Element<'d>],
    numbers: Numbers<'_, 'd>,
    part: impl Fn(&str) -> &str,
) -> Read<'d, Vec<(Element<'d>, String)>> {
    let mut parts = Vec::new();
    for scheme in schemes {
        let number = one(numbers(*scheme).into_iter())?.map(string).unwrap_or_default();
        parts.push((*scheme, part(&number).to_owned()));
    }
    Ok(parts)
}

/// The registrations of a party for VAT.
pub(crate) type VatSchemes<'s, 'd> = &'s dyn Fn() -> Read<'d, Vec<Element<'d>>>;
/// The numbers of a registration.
pub(crate) type Numbers<'s, 'd> = &'s dyn Fn(Element<'d>) -> Vec<Element<'d>>;

/// A VAT number that begins with `NO` has the form of Norway and a check digit that fits.
pub(crate) fn vat_number<'d>(schemes: VatSchemes<'_, 'd>, numbers: Numbers<'_, 'd>) -> Outcome<'d> {
    let all = || Ok(schemes()?.into_iter().flat_map(numbers).collect::<Vec<_>>());
    let is_norwegian = || {
        let prefixes = parts(&schemes()?, numbers, |number| substring(number, 1, 2))?;
        Ok(prefixes.iter().any(|(_, prefix)| prefix == "NO"))
    };
    let has_shape = || match &parts(&schemes()?, numbers, |number| substring_from(number, 3))?[..] {
        [] => Ok(false),
        [(_, rest)] => Ok(rest.strip_suffix("MVA").is_some_and(|number| has_digits(number, 9))),
        [_, (second, _), ..] => Err(Unreadable::several(*second)),
    };
    let has_check = || Ok(mod11(substring(&text(all()?)?, 3, 9)));
    let is_valid = || all_of([&is_norwegian, &has_shape, &has_check]);
    let holds = any_of([&is_valid, &|| Ok(!is_norwegian()?)])?;
    Ok(on(&all()?, holds).expected("NO123456785MVA"))
}
