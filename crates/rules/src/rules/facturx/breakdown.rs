//! The VAT breakdown, where its tests are not those of EN 16931.

use quoin_xml::tree::{Element, NodeId};

use crate::rules::en16931::category::Category;
use crate::rules::en16931::cii::breakdown::{CAST, COMPARED, by_rate, within_one};
use crate::rules::en16931::cii::{Cii, indicators, settlements};
use crate::rules::values::{boolean, decimal, ram, some, string};
use crate::rules::{Case, Facts, Outcome, Rule, Unreadable};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-AE-08", near),
    Rule::new("BR-E-08", near),
    Rule::new("BR-G-08", near),
    Rule::new("BR-IC-08", near),
    Rule::new("BR-Z-08", |case| within_one::<Cii>(case, CAST, |least, sum| least <= sum)),
    Rule::new("BR-S-08", one_amount),
    Rule::new("BR-AF-08", one_amount),
    Rule::new("BR-AG-08", one_amount),
];

/// A taxable amount may be a whole 1 too high.
fn near<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    within_one::<Cii>(case, COMPARED, |least, sum| least <= sum)
}

/// Allowances and charges with several amounts, of which EN 16931 takes the first.
struct Several(Vec<NodeId>);

impl Several {
    fn of(facts: &Facts<'_>) -> Several {
        let all = settlements(facts).flat_map(|own| ram(own, "SpecifiedTradeAllowanceCharge"));
        let several = all.filter(|own| ram(*own, "ActualAmount").nth(1).is_some());
        Several(several.map(Element::id).collect())
    }
}

/// As in EN 16931, but one amount is asked for.
fn one_amount<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let several = case.memo(Several::of);
    let tax = case.at.parent().unwrap_or(case.at);
    let category = Category::of_rule(case.id);
    for own in several.0.iter().filter_map(|id| case.document().element(*id)) {
        let taxes = || ram(own, "CategoryTradeTax");
        let mut codes = taxes().flat_map(|tax| ram(tax, "CategoryCode"));
        let is_own = codes.any(|code| Category::of_code(&string(code)) == category);
        let is_stated = indicators(own).any(|indicator| boolean(indicator).is_ok());
        let rates = || taxes().flat_map(|tax| ram(tax, "RateApplicablePercent"));
        for rate in ram(tax, "RateApplicablePercent") {
            let rate = decimal(rate)?;
            if is_own && is_stated && some(rates().map(|own| Ok(decimal(own)? == rate)))? {
                return Err(Unreadable::several(own));
            }
        }
    }
    by_rate::<Cii>(case)
}
