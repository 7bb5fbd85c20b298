//! The table of packages holds together, and its releases apply on the days they should.

use std::collections::BTreeSet;

use jiff::civil::date;

use super::*;
use crate::rules::RULE_SETS;

#[test]
fn every_package_has_sets_that_are_there_in_all_of_its_syntaxes() {
    let ids: BTreeSet<_> = PACKAGES.iter().map(|package| package.id).collect();
    assert_eq!(ids.len(), PACKAGES.len());
    for package in PACKAGES {
        assert!(!package.releases.is_empty() && !package.syntaxes.is_empty(), "{}", package.id);
        for release in package.releases {
            assert_eq!(release.rule_sets().count(), release.sets.len(), "{}", package.id);
            for set in release.rule_sets() {
                let covers = package.syntaxes.iter().all(|own| set.syntaxes.contains(own));
                assert!(covers, "{}: {}", package.id, set.coordinate);
            }
        }
    }
}

/// A set that no package has would never judge.
#[test]
fn every_set_is_in_a_package() {
    let used: BTreeSet<_> = PACKAGES
        .iter()
        .flat_map(|package| package.releases)
        .flat_map(|release| release.sets.iter().copied())
        .collect();
    let all: BTreeSet<_> = RULE_SETS.iter().map(|set| set.coordinate).collect();
    assert_eq!(used, all);
}

#[test]
fn releases_follow_each_other() {
    for package in PACKAGES {
        for pair in package.releases.windows(2) {
            let [one, next] = pair else { unreachable!() };
            assert!(one.mandatory < next.mandatory, "{}", package.id);
            assert!(one.published <= next.published, "{}", package.id);
        }
        for release in package.releases {
            assert!(release.published <= release.mandatory, "{}", package.id);
        }
    }
}

/// Before the oldest release the oldest applies; on no day nothing does.
#[test]
fn on_every_day_all_sets_of_one_release_apply() {
    for package in PACKAGES {
        let borders = package.releases.iter().flat_map(|own| [own.published, own.mandatory]);
        let around = borders.flat_map(|day| [day.yesterday().unwrap_or(day), day]);
        let edges = [
            Date::MIN,
            date(-1, 1, 1),
            date(0, 1, 1),
            date(1, 1, 1),
            date(1999, 12, 31),
            date(2000, 1, 1),
            Date::MAX,
        ];
        for day in around.chain(edges) {
            let applied = package.on(day).unwrap();
            assert!(package.releases.contains(applied.now), "{} {day}", package.id);
            assert!(applied.now.mandatory <= day || applied.now == &package.releases[0]);
            assert!(applied.allowed.is_none_or(|own| own.published <= day && own.mandatory > day));
            assert!(applied.coming.is_none_or(|own| own.published > day));
        }
    }
}

#[test]
fn the_release_of_may_2026_is_allowed_before_it_is_mandatory() {
    let billing = Package::by_id("peppol-bis3").unwrap();
    let on = |year, month, day| {
        let applied = billing.on(date(year, month, day)).unwrap();
        let version = |release: &'static Release| release.version;
        (applied.now.version, applied.allowed.map(version), applied.coming.map(version))
    };
    assert_eq!(on(1999, 12, 31), ("2025.11", None, Some("2026.5")));
    assert_eq!(on(2026, 5, 17), ("2025.11", None, Some("2026.5")));
    assert_eq!(on(2026, 5, 18), ("2025.11", Some("2026.5"), None));
    assert_eq!(on(2026, 8, 16), ("2025.11", Some("2026.5"), None));
    assert_eq!(on(2026, 8, 17), ("2026.5", None, None));
    assert_eq!(on(9999, 12, 31), ("2026.5", None, None));
}

/// BO-14: no pair of sets judges together that nobody published together.
#[test]
fn sets_of_a_release_stay_together() {
    let billing = Package::by_id("peppol-bis3").unwrap();
    for day in [date(2025, 11, 14), date(2026, 5, 15), date(2026, 5, 17)] {
        let sets = billing.on(day).unwrap().now.sets;
        assert_eq!(sets, ["eu.cen.en16931:ubl:1.3.15", "eu.peppol.bis3:invoice-core:2025.11"]);
    }
}

#[test]
fn the_span_of_a_set_is_that_of_the_releases_it_is_in() {
    let day = |year, month, day| Some(date(year, month, day));
    assert_eq!(span("eu.peppol.bis3:invoice-core:2025.11"), (None, day(2026, 8, 17)),);
    assert_eq!(span("eu.peppol.bis3:invoice-core:2026.5"), (day(2026, 5, 18), None));
    assert_eq!(span("eu.cen.en16931:ubl:1.3.16"), (None, None));
}
