//! The table of packages holds together, and its releases apply on the days they should.

use std::collections::BTreeSet;

use jiff::civil::date;

use super::*;

#[test]
fn every_package_has_sets_that_are_there_in_all_of_its_syntaxes() {
    let ids: BTreeSet<_> = PACKAGES.iter().map(|package| package.id).collect();
    assert_eq!(ids.len(), PACKAGES.len());
    for package in PACKAGES.iter() {
        assert!(!package.releases.is_empty() && !package.syntaxes.is_empty(), "{}", package.id);
        for release in &package.releases {
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
        .flat_map(|package| &package.releases)
        .flat_map(|release| release.sets.iter().copied())
        .collect();
    let all: BTreeSet<_> = RULE_SETS.iter().map(|set| set.coordinate).collect();
    assert_eq!(used, all);
}

#[test]
fn releases_follow_each_other() {
    for package in PACKAGES.iter() {
        for pair in package.releases.windows(2) {
            let [one, next] = pair else { unreachable!() };
            assert!(one.mandatory < next.mandatory, "{}", package.id);
            assert!(one.published <= next.published, "{}", package.id);
        }
        for release in &package.releases {
            assert!(release.published <= release.mandatory, "{}", package.id);
        }
    }
}

/// Before the oldest release the oldest applies; on no day nothing does.
#[test]
fn on_every_day_all_sets_of_one_release_apply() {
    for package in PACKAGES.iter() {
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

fn peppol() -> &'static RulePublisher {
    PUBLISHERS.iter().find(|own| own.name == "peppol").unwrap()
}

/// The package of billing as it was when May 2026 was its newest release: what is tested of that
/// release stays as it is when the next one comes.
fn as_of_2026_05() -> &'static Package {
    let named = peppol().packages.iter().find(|named| named.0 == "peppol-bis3").unwrap();
    let at = peppol().publications.iter().position(|own| own.name == "2026-05").unwrap();
    Box::leak(Box::new(Package::of_rows(*named, &peppol().publications[..=at])))
}

#[test]
fn the_release_of_may_2026_is_allowed_before_it_is_mandatory() {
    let billing = as_of_2026_05();
    let on = |year, month, day| {
        let applied = billing.on(date(year, month, day)).unwrap();
        let version = |release: Option<&'static Release>| release.map(|release| release.version);
        (applied.now.version, version(applied.allowed), version(applied.coming))
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
    assert_eq!(span("eu.peppol.bis3:invoice-core:2025.11"), (None, day(2026, 8, 17)));
    // The release of May is the newest, until there is one after it.
    let after = peppol().publications.iter().find(|own| own.mandatory > date(2026, 8, 17));
    let after = after.map(|own| own.mandatory);
    assert_eq!(span("eu.peppol.bis3:invoice-core:2026.5"), (day(2026, 5, 18), after));
    assert_eq!(span("eu.cen.en16931:ubl:1.3.16"), (None, None));
}

/// The table of releases: each has a name, days, packages and sets that are there, and no set is of
/// two releases.
#[test]
fn the_table_of_releases_holds_together() {
    let mut sets = BTreeSet::new();
    for publisher in PUBLISHERS {
        let names: BTreeSet<_> = publisher.publications.iter().map(|own| own.name).collect();
        assert_eq!(names.len(), publisher.publications.len(), "{}", publisher.name);
        for release in publisher.publications {
            let told = format!("{} {}", publisher.name, release.name);
            assert!(release.published != NOT_KNOWN, "{told}: write down when it is published");
            assert!(release.mandatory != NOT_KNOWN, "{told}: write down when it is mandatory");
            assert!(release.published <= release.mandatory, "{told}: mandatory too early");
            assert!(!release.parts.is_empty() && !release.sets.is_empty(), "{told}: is empty");
            let parts: BTreeSet<_> = release.parts.iter().map(|part| part.package).collect();
            assert_eq!(parts.len(), release.parts.len(), "{told}: a package twice");
            for part in release.parts {
                let is_named = publisher.packages.iter().any(|named| named.0 == part.package);
                assert!(is_named, "{told}: {} is no package of it", part.package);
                assert!(!part.sets.is_empty(), "{told}: {} has no set", part.package);
                for coordinate in part.sets {
                    assert!(RuleSet::of(coordinate).is_some(), "{told}: there is no {coordinate}");
                }
            }
            for row in release.sets {
                assert!(sets.insert(row.coordinate), "{told}: {} is there twice", row.coordinate);
                assert!(order::SETS.contains(&row.id), "{told}: {} has no place", row.id);
                let used = release.parts.iter().any(|part| part.sets.contains(&row.coordinate));
                assert!(used || row.id.ends_with("-shared"), "{told}: {} is unused", row.id);
            }
        }
    }
    assert_eq!(sets.len(), RULE_SETS.len());
    let told: BTreeSet<_> = order::SETS.iter().collect();
    assert_eq!(told.len(), order::SETS.len());
    assert!(order::SETS.iter().all(|id| RULE_SETS.iter().any(|set| set.id == *id)));
}

/// Releases of a set follow each other in the order of their days.
#[test]
fn the_releases_of_a_set_stand_together_and_in_order() {
    let mut seen: Vec<&str> = RULE_SETS.iter().map(|set| set.id).collect();
    seen.dedup();
    assert_eq!(seen, order::SETS);
    for pair in RULE_SETS.windows(2) {
        let [one, next] = pair else { unreachable!() };
        let in_order = span(one.coordinate).0 <= span(next.coordinate).0;
        assert!(one.id != next.id || in_order, "{}", next.coordinate);
    }
}
