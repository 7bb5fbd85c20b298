//! The shapes of days, times and identifiers, and what is there once.

use std::sync::LazyLock;

use quoin_xml::pattern::Pattern;
use quoin_xml::tree::Element;

use super::{is_of_1_1, own};
use crate::rules::postaward::reading::wrong;
use crate::rules::values::{cac, cbc, normalize, normalized, one};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

/// ViDA and Slovakia.
pub(super) const EXTRACT: &[Rule] = &[
    Rule::new("ibr-tdd-04", day),
    Rule::new("ibr-tdd-17", scheme),
    Rule::new("ibr-tdd-22", representative),
];
/// The Emirates and Oman.
pub(super) const WHOLE: &[Rule] = &[
    Rule::new("ibr-tdd-04", day),
    Rule::new("ibr-tdd-09", |case| Ok(once(own(case.at, "ReportedTransaction").count()))),
    Rule::new("ibr-tdd-13", scheme),
    Rule::new("ibr-tdd-19", |case| Ok(once(cac(case.at, "PartyIdentification").count()))),
];
/// A time that may say its zone.
pub(super) const OPEN_TIME: &[Rule] = &[Rule::new("ibr-tdd-05", |case| time(case, &OPEN))];
/// A time with its zone (ViDA 1.1), which 1.0 lets pass without.
pub(super) const ZONED_TIME: &[Rule] =
    &[Rule::new("ibr-tdd-05", |case| time(case, if is_of_1_1(case) { &ZONED } else { &OPEN }))];
/// A time with its zone, whose fractions may begin with any character (the Emirates).
pub(super) const STRICT_TIME: &[Rule] = &[Rule::new("ibr-tdd-05", |case| time(case, &STRICT))];
/// The identifiers of ViDA 1.1.
pub(super) const IDENTIFIED: &[Rule] =
    &[Rule::new("ibr-tdd-87", invoice_uuid), Rule::new("ibr-tdd-89", transmission)];
/// Of Oman alone.
pub(super) const OMAN: &[Rule] = &[
    Rule::new("ibr-tdd-27", |case| uuid(case, &UUID_5, true)),
    Rule::new("ibr-tdd-60", |case| time(case, &OPEN)),
];

/// A regular expression of XPath.
type TaxDataShape = LazyLock<Option<Pattern>>;

static OPEN: TaxDataShape = LazyLock::new(|| {
    let text = r"^(([01]\d|2[0-3]):[0-5]\d:[0-5]\d|24:00:00)(\.\d+)?(Z|[+-]\d{2}:\d{2})?$";
    Pattern::xpath(text, "").ok()
});
static ZONED: TaxDataShape = LazyLock::new(|| {
    let text = r"^(([01]\d|2[0-3]):[0-5]\d:[0-5]\d|24:00:00)(\.\d+)?(Z|[+-]\d{2}:\d{2})$";
    Pattern::xpath(text, "").ok()
});
static STRICT: TaxDataShape = LazyLock::new(|| {
    let text = r"^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$";
    Pattern::xpath(text, "").ok()
});
static SCHEME: TaxDataShape = LazyLock::new(|| Pattern::xpath("^[0-9]{4}$", "").ok());
static UUID: TaxDataShape = LazyLock::new(|| {
    let text = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}\
                -[0-9a-fA-F]{12}$";
    Pattern::xpath(text, "").ok()
});
static UUID_5: TaxDataShape = LazyLock::new(|| {
    let text = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-5[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}\
                -[0-9a-fA-F]{12}$";
    Pattern::xpath(text, "").ok()
});

fn fits(shape: &TaxDataShape, text: &str) -> bool {
    shape.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Whether a number of elements is one.
pub(super) fn once<'d>(count: usize) -> RuleVerdict<'d> {
    RuleVerdict::of(count == 1).found(count.to_string())
}

fn day<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let day = one(cbc(case.at, "IssueDate"))?;
    let holds = day.is_some_and(|day| normalized(day).chars().count() == 10);
    Ok(wrong(holds, day.into_iter()))
}

fn time<'d>(case: &Case<'_, 'd>, shape: &TaxDataShape) -> Outcome<'d> {
    let time = one(cbc(case.at, "IssueTime"))?;
    let holds = time.is_some_and(|time| fits(shape, &normalized(time)));
    Ok(wrong(holds, time.into_iter()))
}

/// The scheme of an address, where it has one.
fn scheme<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let with_scheme = |one: &Element<'d>| one.attribute("schemeID").is_some();
    let address = one(cbc(case.at, "EndpointID").filter(with_scheme))?;
    let scheme = address.and_then(|address| address.attribute("schemeID"));
    let Some(scheme) = scheme else { return Ok(RuleVerdict::Holds) };
    Ok(RuleVerdict::of(fits(&SCHEME, scheme)).found(scheme).element(address))
}

fn representative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let identifiers = cac(case.at, "PartyIdentification").flat_map(|one| cbc(one, "ID"));
    Ok(once(identifiers.count()))
}

/// A UUID of the shape; where it may be missing, only if it is there.
fn uuid<'d>(case: &Case<'_, 'd>, shape: &TaxDataShape, needed: bool) -> Outcome<'d> {
    let found = one(cbc(case.at, "UUID"))?;
    let holds = found.map_or(!needed, |found| fits(shape, &normalized(found)));
    Ok(wrong(holds, found.into_iter()))
}

fn invoice_uuid<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if is_of_1_1(case) { uuid(case, &UUID_5, false) } else { Ok(RuleVerdict::Holds) }
}

fn transmission<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let found = one(own(case.at, "TransmissionUUID"))?;
    let holds = found.is_none_or(|found| fits(&UUID, &normalize(found.string_value())));
    Ok(wrong(holds, found.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_their_zones() {
        for text in ["10:00:00Z", "23:59:59.123+05:30", "24:00:00-14:00"] {
            assert!(fits(&ZONED, text) && fits(&OPEN, text), "{text}");
        }
        assert!(fits(&OPEN, "10:00:00") && !fits(&ZONED, "10:00:00"));
        assert!(fits(&STRICT, "10:00:00.5Z") && !fits(&STRICT, "24:00:00Z"));
        assert!(!fits(&STRICT, "10:00:00+15:00") && fits(&STRICT, "10:00:00+14:00"));
        for text in ["", "10:00Z", "10:60:00Z", "10:00:00 Z"] {
            assert!(!fits(&OPEN, text) && !fits(&STRICT, text), "{text}");
        }
    }

    #[test]
    fn identifiers() {
        let fifth = "62fd54e5-8689-57a6-95a7-600c86734ea0";
        assert!(fits(&UUID_5, fifth) && fits(&UUID, fifth));
        let fourth = "793e3c75-2e50-42a2-ad45-5b5e8ac2af6d";
        assert!(!fits(&UUID_5, fourth) && fits(&UUID, fourth));
        assert!(!fits(&UUID, "793e3c75-2e50-92a2-ad45-5b5e8ac2af6d") && !fits(&UUID, ""));
        assert!(fits(&SCHEME, "0242") && !fits(&SCHEME, "242") && !fits(&SCHEME, "02420"));
    }
}
