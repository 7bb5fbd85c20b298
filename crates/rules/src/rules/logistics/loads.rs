//! Handling units: how many there are, and what they weigh and measure together.

use std::cmp::Ordering;

use quoin_xml::tree::{Element, NodeId};

use crate::rules::postaward::reading::{known, not_negative, number_of, wrong};
use crate::rules::values::{
    CAC, Read, any_of, cac, cbc, decimal_of, double, double_sum, normalized, number, one,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};

pub(super) const T120: &[Rule] = &[
    Rule::new("PEPPOL-T120-R016", number_not_negative),
    Rule::new("PEPPOL-T120-R017", |case| units(case, UnitExemption::BelowNought)),
    Rule::new("PEPPOL-T120-R018", |case| together(case, WEIGHT, SumComparison::Is, true)),
    Rule::new("PEPPOL-T120-R019", |case| together(case, VOLUME, SumComparison::IsAtMost, true)),
    Rule::new("PEPPOL-T120-R021", declared_values),
];

pub(super) const T123: &[Rule] = &[
    Rule::new("PEPPOL-T123-R003", number_not_negative),
    Rule::new("PEPPOL-T123-R004", |case| units(case, UnitExemption::NoUnits)),
    Rule::new("PEPPOL-T123-R005", |case| together(case, WEIGHT, SumComparison::Is, true)),
    Rule::new("PEPPOL-T123-R006", |case| {
        together(case, VOLUME, SumComparison::IsAtMostInGrams, false)
    }),
];

pub(super) const T124: &[Rule] = &[
    Rule::new("PEPPOL-T124-R003", number_not_negative),
    Rule::new("PEPPOL-T124-R004", |case| units(case, UnitExemption::NoUnits)),
    Rule::new("PEPPOL-T124-R005", |case| together(case, WEIGHT, SumComparison::IsInGrams, true)),
    Rule::new("PEPPOL-T124-R006", |case| {
        together(case, VOLUME, SumComparison::IsAtMostInGrams, true)
    }),
];

pub(super) const T125: &[Rule] = &[
    Rule::new("PEPPOL-T125-R003", number_not_negative),
    Rule::new("PEPPOL-T125-R004", |case| units(case, UnitExemption::NoUnits)),
    Rule::new("PEPPOL-T125-R005", |case| together(case, WEIGHT, SumComparison::Is, true)),
    Rule::new("PEPPOL-T125-R006", |case| {
        together(case, VOLUME, SumComparison::IsAtMostInGrams, false)
    }),
];

/// The element of the whole, and the code of the measure of a unit.
type Measured = (&'static str, &'static str);

const WEIGHT: Measured = ("GrossWeightMeasure", "AAB");
const VOLUME: Measured = ("GrossVolumeMeasure", "AAW");

const NUMBER: &str = "TotalTransportHandlingUnitQuantity";

fn number_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cbc(case.at, NUMBER).next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    not_negative(|| cbc(case.at, NUMBER))
}

/// When the number of units is not looked at.
#[derive(Clone, Copy, PartialEq)]
enum UnitExemption {
    /// It is below nought, which another rule tells.
    BelowNought,
    /// There are no units.
    NoUnits,
}

/// The number of units that is stated is that of the units there are.
fn units<'d>(case: &Case<'_, 'd>, excuse: UnitExemption) -> Outcome<'d> {
    let count = cac(case.at, "TransportHandlingUnit").count();
    let absent = cbc(case.at, NUMBER).next().is_none();
    if absent || (excuse == UnitExemption::NoUnits && count == 0) {
        return Ok(RuleVerdict::Holds);
    }
    let stated = number_of(cbc(case.at, NUMBER))?;
    let holds = stated == count as f64 || (excuse == UnitExemption::BelowNought && stated < 0.0);
    Ok(wrong(holds, cbc(case.at, NUMBER)).expected(count.to_string()))
}

/// How the sum of the units is compared with the whole.
#[derive(Clone, Copy, PartialEq)]
enum SumComparison {
    Is,
    IsAtMost,
    /// In thousandths, the sum rounded.
    IsInGrams,
    IsAtMostInGrams,
}

/// The measures of one kind of the units, one after another: what cannot be read counts from there
/// on.
fn measures<'d>(
    at: Element<'d>,
    code: &'static str,
) -> impl Iterator<Item = Read<'d, Element<'d>>> {
    let units = cac(at, "TransportHandlingUnit");
    let dimensions = units.flat_map(|unit| cac(unit, "MeasurementDimension"));
    dimensions.flat_map(move |dimension| {
        let own = one(cbc(dimension, "AttributeID"));
        let (wrong, fits) = match own {
            Err(wrong) => (Some(Err(wrong)), false),
            Ok(own) => (None, own.is_some_and(|own| normalized(own) == code)),
        };
        let measures = cbc(dimension, "Measure").filter(move |_| fits).map(Ok);
        wrong.into_iter().chain(measures)
    })
}

/// Whether some unit of measure of the whole comes after, or before, one of its parts.
fn differs<'d, I: Iterator<Item = Read<'d, Element<'d>>>>(
    whole: impl Iterator<Item = Element<'d>>,
    parts: impl Fn() -> I,
    ordering: Ordering,
) -> Read<'d, bool> {
    let mut whole = whole.filter_map(|own| own.attribute("unitCode")).peekable();
    if whole.peek().is_none() {
        return Ok(false);
    }
    // All parts are read before one is compared.
    let parts: Vec<Element<'d>> = parts().collect::<Read<'d, _>>()?;
    let others = || parts.iter().filter_map(|part| part.attribute("unitCode"));
    Ok(whole.any(|one| others().any(|other| one.cmp(other) == ordering)))
}

fn together<'d>(
    case: &Case<'_, 'd>,
    (local, code): Measured,
    how: SumComparison,
    needs_parts: bool,
) -> Outcome<'d> {
    let whole = || cbc(case.at, local);
    if whole().next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let at = case.at;
    let parts = || measures(at, code);
    let sum = || -> Read<'d, f64> {
        let all: Vec<Element<'d>> = parts().collect::<Result<_, _>>()?;
        double_sum(all.into_iter())
    };
    let holds = any_of([
        &|| Ok(needs_parts && parts().next().transpose()?.is_none()),
        &|| differs(whole(), parts, Ordering::Greater),
        &|| differs(whole(), parts, Ordering::Less),
        &|| match how {
            SumComparison::Is => Ok(number_of(whole())? == sum()?),
            SumComparison::IsAtMost => Ok(number_of(whole())? >= sum()?),
            SumComparison::IsInGrams => Ok(thousandths(whole())? == number::round(sum()? * 1000.0)),
            SumComparison::IsAtMostInGrams => {
                Ok(thousandths(whole())? >= number::round(sum()? * 1000.0))
            }
        },
    ])?;
    let expected = sum().map(|sum| sum.to_string()).unwrap_or_default();
    Ok(wrong(holds, whole()).expected(expected))
}

/// `(path)/xs:decimal(.) * 1000`.
fn thousandths<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, f64> {
    let exact = decimal_of(elements)?;
    let exact =
        exact.and_then(|exact| exact.checked_mul(quoin_model::amount::Decimal::new(1000, 0)));
    Ok(exact.map_or(f64::NAN, number::double))
}

/// The values of all goods: their sum, and whether there are any.
struct DeclaredValues {
    sum: Result<f64, NodeId>,
    any: bool,
}

const VALUE: &str = "DeclaredStatisticsValueAmount";

impl DeclaredValues {
    fn of(facts: &Facts<'_>) -> DeclaredValues {
        let values = || facts.named(CAC, "GoodsItem").flat_map(|item| cbc(item, VALUE));
        let sum = values().try_fold(0.0, |sum, value| Ok(sum + double(value)?));
        let sum = sum.map_err(|wrong: crate::rules::Unreadable<'_>| wrong.id());
        DeclaredValues { sum, any: values().next().is_some() }
    }
}

fn declared_values<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let declared = case.memo(DeclaredValues::of);
    let stated = || cbc(case.at, VALUE);
    let absent = || Ok(stated().next().is_none() || !declared.any);
    let equal = || Ok(number_of(stated())? == known(case, &declared.sum)?);
    let holds = any_of([&absent, &equal])?;
    let verdict = wrong(holds, stated());
    Ok(match declared.sum {
        Ok(sum) => verdict.expected(sum.to_string()),
        Err(_) => verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quoin_xml::tree::{Document, Limits};

    #[test]
    fn units_of_measure_differ_where_one_is_another() {
        for (text, different) in [
            ("<a><w unitCode='KGM'/><p unitCode='KGM'/><p unitCode='KGM'/></a>", false),
            ("<a><w unitCode='KGM'/><p unitCode='KGM'/><p unitCode='GRM'/></a>", true),
            ("<a><w unitCode='TNE'/><p unitCode='KGM'/></a>", true),
            ("<a><w/><p unitCode='KGM'/></a>", false),
            ("<a><w unitCode='KGM'/></a>", false),
        ] {
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let named = |name| document.root().elements().filter(move |own| own.local() == name);
            let differs = |ordering| differs(named("w"), || named("p").map(Ok), ordering).unwrap();
            let found = differs(Ordering::Greater) || differs(Ordering::Less);
            assert_eq!(found, different, "{text}");
        }
    }
}
