//! Sums of allowances and charges (BR-CO-11, BR-CO-12), with those of logistics services.

use quoin_xml::tree::{Element, NodeId};

use crate::rules::en16931::cii::{indicators, settlements, totals};
use crate::rules::en16931::sums::beside;
use crate::rules::values::number::{exact_cents, round_to_cents};
use crate::rules::values::{any_of, double, one, ram, some_double, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};

pub(super) const RULES: &[Rule] = &[Rule::new("BR-CO-11", co_11), Rule::new("BR-CO-12", co_12)];

/// Whether an indicator is written so; `1` and `0` are not looked for.
pub(super) fn says(adjustment: Element<'_>, text: &str) -> bool {
    indicators(adjustment).any(|indicator| string(indicator) == text)
}

/// A sum in doubles, or the element that is no number.
pub(super) type FacturxSum = Result<f64, NodeId>;

/// What the allowances, the charges and the logistics services of the document come to.
pub(super) struct FacturxSums {
    pub(super) allowances: FacturxSum,
    pub(super) charges: FacturxSum,
    pub(super) logistics: FacturxSum,
    has_allowances: bool,
    has_charges: bool,
    /// The one total of charges, or the second where there are several.
    charge_total: Result<Option<NodeId>, NodeId>,
}

fn add<'d>(amounts: impl Iterator<Item = Element<'d>>) -> FacturxSum {
    let mut sum = 0.0;
    for amount in amounts {
        sum += double(amount).map_err(|wrong| wrong.id())?;
    }
    Ok(sum)
}

impl FacturxSums {
    pub(super) fn of(facts: &Facts<'_>) -> FacturxSums {
        let all = || settlements(facts).flat_map(|own| ram(own, "SpecifiedTradeAllowanceCharge"));
        let those = |text| all().filter(move |own| says(*own, text));
        let amounts = |text| add(those(text).flat_map(|own| ram(own, "ActualAmount")));
        let services =
            settlements(facts).flat_map(|own| ram(own, "SpecifiedLogisticsServiceCharge"));
        FacturxSums {
            allowances: amounts("false"),
            charges: amounts("true"),
            logistics: add(services.flat_map(|own| ram(own, "AppliedAmount"))),
            has_allowances: those("false").next().is_some(),
            has_charges: those("true").next().is_some(),
            charge_total: one(totals(facts, total(true)))
                .map(|total| total.map(Element::id))
                .map_err(|wrong| wrong.id()),
        }
    }

    /// Whether there is nothing to add up, and no total either.
    pub(super) fn is_absent(&self, case: &Case<'_, '_>, charge: bool) -> bool {
        let has = if charge { self.has_charges } else { self.has_allowances };
        !has && ram(case.at, total(charge)).next().is_none()
    }
}

/// The total of charges, or of allowances.
pub(super) fn total(charge: bool) -> &'static str {
    if charge { "ChargeTotalAmount" } else { "AllowanceTotalAmount" }
}

fn compared<'d>(
    case: &Case<'_, 'd>,
    charge: bool,
    holds: bool,
    sum: FacturxSum,
) -> RuleVerdict<'d> {
    let expected = sum.ok().and_then(exact_cents);
    beside(ram(case.at, total(charge)).next(), holds, expected)
}

fn co_11<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sums = case.memo(FacturxSums::of);
    let sum = sums.allowances.map(round_to_cents);
    let equal = || {
        if ram(case.at, total(false)).next().is_none() {
            return Ok(false);
        }
        let sum = sum.map_err(|id| Unreadable::at(case, id))?;
        some_double(ram(case.at, total(false)), |stated| stated == sum)
    };
    let holds = any_of([&|| Ok(sums.is_absent(case, false)), &equal])?;
    Ok(compared(case, false, holds, sum))
}

/// The charges are those of the document and of its logistics services; the one total of the whole
/// document is compared.
fn co_12<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sums = case.memo(FacturxSums::of);
    let parts = [sums.charges, sums.logistics].map(|sum| sum.map(round_to_cents));
    let sum = parts[0].and_then(|first| Ok(round_to_cents(first + parts[1]?)));
    let equal = || {
        let stated = sums.charge_total.map_err(|id| Unreadable::at(case, id))?;
        let stated = stated.and_then(|id| case.document().element(id));
        let Some(stated) = stated else { return Ok(false) };
        let sum = sum.map_err(|id| Unreadable::at(case, id))?;
        Ok(round_to_cents(double(stated)?) == sum)
    };
    let holds = any_of([&|| Ok(sums.is_absent(case, true)), &equal])?;
    Ok(compared(case, true, holds, sum))
}
