//! The numbers of a report: the whole and its subsets add up.

use quoin_xml::tree::Element;

use crate::rules::postaward::reading::wrong;
use crate::rules::values::{
    Read, SPACE, any_of, double, double_sum, normalize, one, some_double, string,
};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};

/// Transaction statistics report.
pub(super) const TSR: &[Rule] = &[
    Rule::new("SCH-TSR-03", |case| subtotals(case, "PerTP", no_transactions)),
    Rule::new("SCH-TSR-04", |case| adds_up(case, ("PerTP", "Incoming"), no_transactions)),
    Rule::new("SCH-TSR-05", |case| adds_up(case, ("PerTP", "Outgoing"), no_transactions)),
    Rule::new("SCH-TSR-07", |case| subtotals(case, "PerSP-DT-PR", no_transactions)),
    Rule::new("SCH-TSR-08", |case| adds_up(case, ("PerSP-DT-PR", "Incoming"), no_transactions)),
    Rule::new("SCH-TSR-09", |case| adds_up(case, ("PerSP-DT-PR", "Outgoing"), no_transactions)),
    Rule::new("SCH-TSR-11", |case| subtotals(case, "PerSP-DT-PR-CC", nothing_received)),
    Rule::new("SCH-TSR-12", |case| adds_up(case, ("PerSP-DT-PR-CC", "Incoming"), nothing_received)),
    Rule::new("SCH-TSR-43", nothing_sent),
];

/// End user statistics report.
pub(super) const EUSR: &[Rule] = &[
    Rule::new("SCH-EUSR-03", |case| most(case, SENDING)),
    Rule::new("SCH-EUSR-04", |case| most(case, RECEIVING)),
    Rule::new("SCH-EUSR-22", |case| most(case, EITHER)),
    Rule::new("SCH-EUSR-19", at_most_together),
    Rule::new("SCH-EUSR-20", |case| at_least(case, SENDING)),
    Rule::new("SCH-EUSR-21", |case| at_least(case, RECEIVING)),
    Rule::new("SCH-EUSR-15", |case| subsets(case, "PerDT-PR")),
    Rule::new("SCH-EUSR-37", |case| subsets(case, "PerDT-EUC")),
    Rule::new("SCH-EUSR-39", |case| subsets(case, "PerEUC")),
    Rule::new("SCH-EUSR-33", each_at_most_together),
    Rule::new("SCH-EUSR-34", |case| each_at_least(case, SENDING)),
    Rule::new("SCH-EUSR-35", |case| each_at_least(case, RECEIVING)),
    Rule::new("SCH-EUSR-36", each_above_nought),
];

const SENDING: &str = "SendingEndUsers";
const RECEIVING: &str = "ReceivingEndUsers";
const EITHER: &str = "SendingOrReceivingEndUsers";

/// Children of a name in the namespace of the report.
fn own<'d>(parent: Element<'d>, local: &'static str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(parent.namespace(), local)
}

/// Those of a type.
fn typed<'d>(
    parent: Element<'d>,
    (local, name): (&'static str, &'static str),
) -> impl Iterator<Item = Element<'d>> {
    let is_typed = move |element: &Element<'_>| {
        normalize(element.attribute("type").unwrap_or_default().into()) == name
    };
    parent.children_named(parent.namespace(), local).filter(is_typed)
}

/// Grandchildren: `Total/Incoming`.
fn inside<'d>(
    report: Element<'d>,
    (outer, inner): (&'static str, &'static str),
) -> impl Iterator<Item = Element<'d>> {
    let outer = report.children_named(report.namespace(), outer);
    outer.flat_map(move |element| element.children_named(report.namespace(), inner))
}

/// A condition under which a report needs no subtotals.
type SubtotalExemption = for<'d> fn(&Case<'_, 'd>) -> Read<'d, bool>;

/// `Total/Incoming + Total/Outgoing = 0`.
fn no_transactions<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let count = |local| one(inside(case.at, ("Total", local)))?.map(double).transpose();
    let Some(incoming) = count("Incoming")? else { return Ok(false) };
    Ok(count("Outgoing")?.is_some_and(|outgoing| incoming + outgoing == 0.0))
}

fn nothing_received<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let incoming = || some_double(inside(case.at, ("Total", "Incoming")), |count| count == 0.0);
    any_of([&|| no_transactions(case), &incoming])
}

fn subtotals<'d>(
    case: &Case<'_, 'd>,
    name: &'static str,
    excuse: SubtotalExemption,
) -> Outcome<'d> {
    let there = || Ok(typed(case.at, ("Subtotal", name)).next().is_some());
    Ok(RuleVerdict::of(any_of([&|| excuse(case), &there])?))
}

fn adds_up<'d>(
    case: &Case<'_, 'd>,
    (name, local): (&'static str, &'static str),
    excuse: SubtotalExemption,
) -> Outcome<'d> {
    let totals = || inside(case.at, ("Total", local));
    let sum = || double_sum(typed(case.at, ("Subtotal", name)).flat_map(|part| own(part, local)));
    let equal = || {
        let sum = sum()?;
        some_double(totals(), |total| total == sum)
    };
    let holds = any_of([&|| excuse(case), &equal])?;
    let verdict = wrong(holds, totals());
    Ok(match sum() {
        Ok(sum) => verdict.expected(sum.to_string()),
        Err(_) => verdict,
    })
}

/// A report by countries counts what was received.
fn nothing_sent<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = some_double(own(case.at, "Outgoing"), |count| count == 0.0)?;
    Ok(wrong(holds, own(case.at, "Outgoing")))
}

/// `xs:integer(x)` of an element.
fn integer(element: Element<'_>) -> Read<'_, i128> {
    let text = string(element);
    let bare = text.trim_matches(SPACE);
    let digits = bare.strip_prefix(['+', '-']).unwrap_or(bare);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = bare.parse().ok().filter(|_| is_integer);
    value.ok_or_else(|| Unreadable::value(element, text))
}

/// `xs:integer(path)`.
fn integer_of<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Option<i128>> {
    one(elements)?.map(integer).transpose()
}

/// A number of the whole.
fn whole<'d>(case: &Case<'_, 'd>, local: &'static str) -> Read<'d, Option<i128>> {
    integer_of(inside(case.at, ("FullSet", local)))
}

/// Those who send and those who receive, some of them counted twice.
fn together<'d>(case: &Case<'_, 'd>) -> Read<'d, Option<i128>> {
    let (sending, receiving) = (whole(case, SENDING)?, whole(case, RECEIVING)?);
    Ok(sending.zip(receiving).and_then(|(sending, receiving)| sending.checked_add(receiving)))
}

fn no_users<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    Ok(together(case)? == Some(0))
}

/// No subset has more than the whole.
fn most<'d>(case: &Case<'_, 'd>, local: &'static str) -> Outcome<'d> {
    let fits =
        || {
            let mut most: Option<f64> = None;
            for part in inside(case.at, ("Subset", local)) {
                let count = double(part)?;
                // Nothing is more or less than what is no number, and that stays.
                most = Some(most.map_or(count, |most| {
                    if count > most || count.is_nan() { count } else { most }
                }));
            }
            let whole = whole(case, local)?;
            Ok(most.zip(whole).is_some_and(|(most, whole)| most <= whole as f64))
        };
    let holds = any_of([&|| no_users(case), &fits])?;
    Ok(wrong(holds, inside(case.at, ("FullSet", local))))
}

fn at_most_together<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let (either, together) = (whole(case, EITHER)?, together(case)?);
    let holds = either.zip(together).is_some_and(|(either, together)| either <= together);
    Ok(wrong(holds, inside(case.at, ("FullSet", EITHER))))
}

fn at_least<'d>(case: &Case<'_, 'd>, local: &'static str) -> Outcome<'d> {
    let holds = match whole(case, EITHER)? {
        Some(either) => whole(case, local)?.is_some_and(|part| either >= part),
        None => false,
    };
    Ok(wrong(holds, inside(case.at, ("FullSet", EITHER))))
}

fn subsets<'d>(case: &Case<'_, 'd>, name: &'static str) -> Outcome<'d> {
    let there = || Ok(typed(case.at, ("Subset", name)).next().is_some());
    Ok(RuleVerdict::of(any_of([&|| no_users(case), &there])?))
}

/// A condition on each subset: broken at the first that does not meet it.
fn each<'d>(case: &Case<'_, 'd>, holds: impl Fn(Element<'d>) -> Read<'d, bool>) -> Outcome<'d> {
    for subset in own(case.at, "Subset") {
        if !holds(subset)? {
            return Ok(wrong(false, own(subset, EITHER)));
        }
    }
    Ok(RuleVerdict::Holds)
}

fn each_at_most_together<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    each(case, |subset| {
        // Where one is missing those behind it are not read.
        let count = |local| one(own(subset, local))?.map(double).transpose();
        let Some(either) = integer_of(own(subset, EITHER))? else { return Ok(false) };
        let Some(sending) = count(SENDING)? else { return Ok(false) };
        let Some(receiving) = count(RECEIVING)? else { return Ok(false) };
        let sum = (sending + receiving).trunc();
        if !sum.is_finite() {
            return Err(Unreadable::at(case, subset.id()));
        }
        Ok(either as f64 <= sum)
    })
}

fn each_at_least<'d>(case: &Case<'_, 'd>, local: &'static str) -> Outcome<'d> {
    each(case, |subset| {
        let Some(either) = integer_of(own(subset, EITHER))? else { return Ok(false) };
        Ok(integer_of(own(subset, local))?.is_some_and(|part| either >= part))
    })
}

fn each_above_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    each(case, |subset| Ok(integer_of(own(subset, EITHER))?.is_some_and(|either| either > 0)))
}
