//! Norway: the register that is named, and the form of the VAT number.

use quoin_xml::tree::Element;

use super::country::{Countries, is};
use super::paths::{inside, normal, sellers, substring, substring_from, tax_schemes, text};
use crate::report::Flag::{Fatal, Warning};
use crate::rules::checksums::{has_digits, mod11};
use crate::rules::values::{Read, all_of, any_of, cbc, one, string};
use crate::rules::{Case, Facts, Outcome, Rule, Unreadable, Verdict};

pub(in crate::rules) const RULES: &[Rule] = &[
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
    Ok(Verdict::of(normal(numbers)? == REGISTER).expected(REGISTER))
}

/// `substring(cbc:CompanyID, …)` of each of some registrations.
fn parts<'d>(
    schemes: &[Element<'d>],
    part: impl Fn(&str) -> &str,
) -> Read<'d, Vec<(Element<'d>, String)>> {
    let mut parts = Vec::new();
    for scheme in schemes {
        let number = one(cbc(*scheme, "CompanyID"))?.map(string).unwrap_or_default();
        parts.push((*scheme, part(&number).to_owned()));
    }
    Ok(parts)
}

fn vat<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let schemes = || tax_schemes(case.at, "VAT");
    let is_norwegian = || {
        let prefixes = parts(&schemes()?, |number| substring(number, 1, 2))?;
        Ok(prefixes.iter().any(|(_, prefix)| prefix == "NO"))
    };
    let has_shape = || match &parts(&schemes()?, |number| substring_from(number, 3))?[..] {
        [] => Ok(false),
        [(_, rest)] => Ok(rest.strip_suffix("MVA").is_some_and(|number| has_digits(number, 9))),
        [_, (second, _), ..] => Err(Unreadable::several(*second)),
    };
    let has_check = || {
        let number = text(inside(&schemes()?, "CompanyID"))?;
        Ok(mod11(substring(&number, 3, 9)))
    };
    let is_valid = || all_of([&is_norwegian, &has_shape, &has_check]);
    let holds = any_of([&is_valid, &|| Ok(!is_norwegian()?)])?;
    let number = inside(&schemes()?, "CompanyID").into_iter().next();
    let verdict = Verdict::of(holds).element(number).expected("NO123456785MVA");
    Ok(match number {
        Some(number) => verdict.found(string(number)),
        None => verdict,
    })
}
