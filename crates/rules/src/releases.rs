//! The releases of rules, and the packages that they are releases of.
//!
//! ```text
//! PUBLISHERS ── a file each, releases/<publisher>/<release>.rs ──► RULE_SETS, PACKAGES
//! profile, syntax ──► Package ── on(day) ──► Applied: the release in force, the one that may be
//!                                            used already, the one that is to come
//! ```
//! A package is what a publisher releases together to judge one kind of document in one syntax (a
//! validation artefact set; phive calls it a VES). The sets of a release belong together: no set of
//! one release stands beside a set of another. Each release has the day of its publication and the
//! day from which it is mandatory. Before the oldest release of a package the oldest one applies,
//! so that on no day a package has nothing to say.
//!
//! Adding a release is a file and its row in the table of its publisher, which
//! `cargo xtask release PUBLISHER VERSION` writes; the one before it stays. A set that no release
//! had before has a line in [`order`], too.

/// A package of a release that has one set, which is new with it: the name of the package, the
/// coordinate of the set without its number, the number.
macro_rules! part {
    ($id:literal, $coordinate:literal, $version:literal) => {
        $crate::releases::Part {
            package: $id,
            version: $version,
            sets: &[concat!($coordinate, ":", $version)],
        }
    };
}

/// That set, with the syntaxes that it judges and what is tested by hand. Its table has the name of
/// the package and is that of the release (`TABLES` of the file).
macro_rules! set {
    ($id:literal, $coordinate:literal, $version:literal, $syntaxes:expr, $hand:expr) => {
        $crate::rules::RuleSetRow {
            id: $id,
            syntaxes: $syntaxes,
            coordinate: concat!($coordinate, ":", $version),
            tables: &[($id, TABLES)],
            hand: $hand,
        }
    };
}

mod cen;
pub mod choice;
mod facturx;
mod ksef;
mod nlcius;
mod order;
mod peppol;
mod pint;
mod tax_data;
#[cfg(test)]
mod tests;
mod xrechnung;

use std::sync::LazyLock;

use jiff::civil::Date;
use quoin_formats::Syntax;
use quoin_formats::profiles::Profile;

use crate::rules::{CII, RuleSet, RuleSetRow, UBL};

/// Who publishes rules, and the releases of it that are here.
#[derive(Debug, Clone, Copy)]
pub struct RulePublisher {
    /// Its name, which is that of its folder.
    pub name: &'static str,
    /// Its packages.
    pub packages: &'static [Named],
    /// Its releases; of each package the oldest first.
    pub publications: &'static [PublishedRelease],
}

/// A package without its releases: name, name for people, syntaxes.
pub type Named = (&'static str, &'static str, &'static [Syntax]);

/// What a publisher released together.
#[derive(Debug, Clone, Copy)]
pub struct PublishedRelease {
    /// The name of the release, which is that of its file: `2026-05`, `mls-1.0.1`.
    pub name: &'static str,
    /// The day from which documents may be made by it.
    pub published: Date,
    /// The day from which documents have to be made by it.
    pub mandatory: Date,
    /// The packages that it has.
    pub parts: &'static [Part],
    /// The sets that are new with it. The oldest release comes with its sets, too.
    pub sets: &'static [RuleSetRow],
}

/// A package in a release.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// The name of the package.
    pub package: &'static str,
    /// The release, as reports name it: `2026.5`.
    pub version: &'static str,
    /// The coordinates of its sets, in the order in which they judge: those that are new with the
    /// release, and those of other releases that it is published with.
    pub sets: &'static [&'static str],
}

/// The days of a release that has no other before it here.
pub const ALWAYS: Date = Date::MIN;
/// The days of a release whose days are not written down yet.
pub const NOT_KNOWN: Date = Date::MAX;

/// The publishers, in the order in which their packages are told.
pub const PUBLISHERS: &[RulePublisher] = &[
    cen::PUBLISHER,
    facturx::PUBLISHER,
    peppol::PUBLISHER,
    xrechnung::PUBLISHER,
    nlcius::PUBLISHER,
    pint::PUBLISHER,
    tax_data::PUBLISHER,
    ksef::PUBLISHER,
];

/// The rule sets: the releases of a set one after the other, the oldest first.
pub static RULE_SETS: LazyLock<Vec<RuleSet>> = LazyLock::new(|| {
    let rows = PUBLISHERS.iter().flat_map(|publisher| publisher.publications);
    let mut rows: Vec<&RuleSetRow> = rows.flat_map(|release| release.sets).collect();
    rows.sort_by_key(|row| order::SETS.iter().position(|id| *id == row.id));
    rows.into_iter().map(|row| RuleSet::new(*row)).collect()
});

/// The packages.
pub static PACKAGES: LazyLock<Vec<Package>> = LazyLock::new(|| {
    let packages = PUBLISHERS.iter().flat_map(|publisher| {
        publisher.packages.iter().map(|named| Package::of_rows(*named, publisher.publications))
    });
    packages.collect()
});

/// A row of [`PACKAGES`].
#[derive(Debug)]
pub struct Package {
    /// Its stable name: `peppol-bis3`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The syntaxes that it judges.
    pub syntaxes: &'static [Syntax],
    /// Its releases, the oldest first; there is at least one.
    pub releases: Vec<Release>,
}

/// A release of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// As its publisher numbers it: `2026.5`.
    pub version: &'static str,
    /// The day from which documents may be made by it.
    pub published: Date,
    /// The day from which documents have to be made by it; the releases before it end there.
    pub mandatory: Date,
    /// The coordinates of its sets ([`RULE_SETS`]), in the order in which they judge.
    pub sets: &'static [&'static str],
}

/// The releases of a package on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentReleases {
    /// The one that is mandatory.
    pub now: &'static Release,
    /// The newest one that is published and not yet mandatory: a document may pass it instead.
    pub allowed: Option<&'static Release>,
    /// The next one that is not published yet.
    pub coming: Option<&'static Release>,
}

/// Invoices of the Polish national system.
const FA: &[Syntax] = &[Syntax::Ksef];
/// Every UBL document but an invoice and a credit note.
const MESSAGES: &[Syntax] = &[Syntax::UblOther];

/// A row of a publisher's packages.
const fn named(id: &'static str, title: &'static str, syntaxes: &'static [Syntax]) -> Named {
    (id, title, syntaxes)
}

impl Package {
    /// A package with its releases out of all releases of its publisher. The first one applies
    /// before its days, too.
    fn of_rows((id, title, syntaxes): Named, publications: &'static [PublishedRelease]) -> Package {
        let mut releases: Vec<Release> = Vec::new();
        for release in publications {
            for part in release.parts.iter().filter(|part| part.package == id) {
                let (published, mandatory) = match releases.is_empty() {
                    true => (ALWAYS, ALWAYS),
                    false => (release.published, release.mandatory),
                };
                let (version, sets) = (part.version, part.sets);
                releases.push(Release { version, published, mandatory, sets });
            }
        }
        Package { id, title, syntaxes, releases }
    }

    /// The row with this name.
    pub fn by_id(id: &str) -> Option<&'static Package> {
        PACKAGES.iter().find(|package| package.id == id)
    }

    /// The package that judges the documents of a profile in a syntax.
    pub fn of(profile: &Profile, syntax: Syntax) -> Option<&'static Package> {
        let mut packages = profile.packages.iter().filter_map(|id| Package::by_id(id));
        packages.find(|package| package.syntaxes.contains(&syntax))
    }

    /// What applies on a day; `None` only for a row without releases, which no row is.
    pub fn on(&'static self, day: Date) -> Option<CurrentReleases> {
        let mandatory = |release: &&Release| release.mandatory <= day;
        let now = self.releases.iter().rev().find(mandatory).or(self.releases.first())?;
        let later =
            self.releases.iter().filter(|release| release.mandatory > day && *release != now);
        let (allowed, coming) = later.partition::<Vec<_>, _>(|release| release.published <= day);
        Some(CurrentReleases {
            now,
            allowed: allowed.last().copied(),
            coming: coming.first().copied(),
        })
    }
}

impl RuleSet {
    /// The release with a coordinate.
    pub fn of(coordinate: &str) -> Option<&'static RuleSet> {
        RULE_SETS.iter().find(|set| set.coordinate == coordinate)
    }
}

impl Release {
    /// Its sets.
    pub fn rule_sets(&self) -> impl Iterator<Item = &'static RuleSet> + use<> {
        self.sets.iter().filter_map(|coordinate| RuleSet::of(coordinate))
    }
}

/// From which day, and until which (the first on which it does not), some package uses a set; the
/// first value is `None` for a set that applies to every day before, or that no package has.
pub fn span(coordinate: &str) -> (Option<Date>, Option<Date>) {
    let uses = PACKAGES.iter().flat_map(|package| {
        package.releases.iter().enumerate().filter_map(move |(at, release)| {
            let end = package.releases.get(at + 1).map_or(Date::MAX, |next| next.mandatory);
            release.sets.contains(&coordinate).then_some((release.published, end))
        })
    });
    let (from, until) = uses
        .reduce(|(from, until), (begin, end)| (from.min(begin), until.max(end)))
        .unwrap_or((Date::MIN, Date::MAX));
    (Some(from).filter(|day| *day > Date::MIN), Some(until).filter(|day| *day < Date::MAX))
}
