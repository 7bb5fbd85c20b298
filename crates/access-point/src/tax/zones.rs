//! Which day it is where a tax authority is: a duty begins on a day of its country.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The hours of the union, by the rule that changes them on the last Sundays of March and October.
const WEST: &str = "WET0WEST,M3.5.0/1,M10.5.0";
const MIDDLE: &str = "CET-1CEST,M3.5.0,M10.5.0/3";
const EAST: &str = "EET-2EEST,M3.5.0/3,M10.5.0/4";
/// The Emirates and Oman.
const GULF: &str = "<+04>-4";

/// Countries with their hours, as POSIX writes them.
const HOURS: &[(&str, &[&str])] = &[
    (WEST, &["IE", "PT"]),
    (
        MIDDLE,
        &[
            "AT", "BE", "CZ", "DE", "DK", "ES", "FR", "HR", "HU", "IT", "LU", "MT", "NL", "PL",
            "SE", "SI", "SK",
        ],
    ),
    (EAST, &["BG", "CY", "EE", "FI", "GR", "LT", "LV", "RO"]),
    (GULF, &["AE", "OM"]),
];

/// The day in a country at a moment; of another country that of UTC.
pub(super) fn day_in(country: &str, at: Timestamp) -> Date {
    let hours = HOURS.iter().find(|(_, countries)| countries.contains(&country));
    let zone = hours.and_then(|(hours, _)| TimeZone::posix(hours).ok());
    at.to_zoned(zone.unwrap_or(TimeZone::UTC)).date()
}

#[cfg(test)]
mod tests {
    use quoin_taxdata::assess::UNION;

    use super::*;

    #[test]
    fn a_day_begins_where_the_authority_is() {
        for (country, at, day) in [
            ("SK", "2026-12-31T22:59:59Z", "2026-12-31"),
            ("SK", "2026-12-31T23:00:00Z", "2027-01-01"),
            ("SK", "2027-06-30T22:00:00Z", "2027-07-01"),
            ("AE", "2026-12-31T20:00:00Z", "2027-01-01"),
            ("OM", "2027-06-30T19:59:59Z", "2027-06-30"),
            ("RO", "2027-06-30T21:00:00Z", "2027-07-01"),
            ("IE", "2026-12-31T23:59:59Z", "2026-12-31"),
            ("GB", "2026-12-31T23:59:59Z", "2026-12-31"),
        ] {
            assert_eq!(day_in(country, at.parse().unwrap()).to_string(), day, "{country} {at}");
        }
    }

    #[test]
    fn every_country_of_the_union_has_its_hours() {
        for country in UNION.iter().chain(&["AE", "OM"]) {
            let found = HOURS.iter().filter(|(_, countries)| countries.contains(country)).count();
            assert_eq!(found, 1, "{country}");
        }
        for (hours, _) in HOURS {
            TimeZone::posix(hours).unwrap();
        }
    }
}
