//! The extension for the blocked account: an amount that is paid in two parts.

use std::collections::HashSet;

use crate::rules::values::{Read, SPACE, cac, cbc, decimal_of, string, text};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] =
    &[Rule::new("BR-GA-0", ga_0), Rule::new("BR-GA-3", ga_3), Rule::new("BR-GA-6", ga_6)];

fn ga_0<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let id = string(case.at);
    let holds = id.contains("#conformant#urn:fdc:nen.nl:gaccount:v1.0");
    Ok(RuleVerdict::of(holds).found(id))
}

/// What the terms of payment come to.
fn in_terms<'d>(case: &Case<'_, 'd>) -> Read<'d, Decimal> {
    let mut sum = Decimal::ZERO;
    for terms in cac(case.at, "PaymentTerms") {
        let amount = decimal_of(cbc(terms, "Amount"))?.unwrap_or_default();
        sum = sum.checked_add(amount).ok_or_else(|| Unreadable::at(case, terms.id()))?;
    }
    Ok(sum)
}

/// The amount due is the sum of the terms of payment.
fn ga_3<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let totals = || cac(case.at, "LegalMonetaryTotal");
    let due = totals().flat_map(|total| cbc(total, "PayableAmount")).next();
    let Some(first) = due else { return Ok(RuleVerdict::broken()) };
    let sum = in_terms(case)?;
    for total in totals() {
        if decimal_of(cbc(total, "PayableAmount"))? == Some(sum) {
            return Ok(RuleVerdict::Holds);
        }
    }
    let verdict = RuleVerdict::broken().found(string(first)).element(due);
    Ok(verdict.expected(format!("{sum:.2}")))
}

/// The identifiers of the means of payment.
struct Means(HashSet<String>);

/// A term of payment names a means of payment that is there.
fn ga_6<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let known = case.memo(|facts| {
        let means = cac(facts.root(), "PaymentMeans").flat_map(|means| cbc(means, "ID"));
        Means(means.flat_map(text::nodes).collect())
    });
    let own = string(case.at);
    Ok(RuleVerdict::of(known.0.contains(&*own)).found(own.trim_matches(SPACE).to_owned()))
}
