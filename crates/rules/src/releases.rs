//! The packages: what a publisher releases together to judge one kind of document in one syntax
//! (a validation artefact set; phive calls it a VES). One row a package, one line a release.
//!
//! ```text
//! profile, syntax ──► Package ── on(day) ──► Applied: the release in force, the one that may be
//!                                            used already, the one that is to come
//! ```
//! The sets of a release belong together: no set of one release stands beside a set of another.
//! Each release has the day of its publication and the day from which it is mandatory. Before the
//! oldest release the oldest one applies, so that on no day a package has nothing to say.
//!
//! Adding a release is a line here and its sets in [`crate::rules::RULE_SETS`]; the old one stays.

mod cen;
pub mod choice;
mod national;
mod peppol;
mod pint;
#[cfg(test)]
mod tests;

use jiff::civil::Date;
use quoin_formats::profiles::Profile;

use crate::rules::RuleSet;
use quoin_formats::Syntax;
use quoin_model::rows::join;

/// A row of [`PACKAGES`].
#[derive(Debug, Clone, Copy)]
pub struct Package {
    /// Its stable name: `peppol-bis3`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The syntaxes that it judges.
    pub syntaxes: &'static [Syntax],
    /// Its releases, the oldest first; there is at least one.
    pub releases: &'static [Release],
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
    /// The coordinates of its sets ([`crate::rules::RULE_SETS`]), in the order in which they judge.
    pub sets: &'static [&'static str],
}

/// The releases of a package on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The one that is mandatory.
    pub now: &'static Release,
    /// The newest one that is published and not yet mandatory: a document may pass it instead.
    pub allowed: Option<&'static Release>,
    /// The next one that is not published yet.
    pub coming: Option<&'static Release>,
}

/// Invoices and credit notes of UBL.
const UBL: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote];
/// Invoices of CII.
const CII: &[Syntax] = &[Syntax::Cii];
/// Every UBL document but an invoice and a credit note.
const MESSAGES: &[Syntax] = &[Syntax::UblOther];

/// The packages.
pub static PACKAGES: &[Package] =
    &join::<Package, COUNT>(&[cen::ROWS, peppol::ROWS, national::ROWS, pint::ROWS]);

const COUNT: usize = cen::ROWS.len() + peppol::ROWS.len() + national::ROWS.len() + pint::ROWS.len();

const fn package(
    id: &'static str,
    title: &'static str,
    syntaxes: &'static [Syntax],
    releases: &'static [Release],
) -> Package {
    Package { id, title, syntaxes, releases }
}

const fn release(
    version: &'static str,
    (published, mandatory): (Date, Date),
    sets: &'static [&'static str],
) -> Release {
    Release { version, published, mandatory, sets }
}

/// A release that has no other before it here: it applies to every day before the next one.
const fn first(version: &'static str, sets: &'static [&'static str]) -> Release {
    Release { version, published: Date::MIN, mandatory: Date::MIN, sets }
}

impl Package {
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
    pub fn on(&self, day: Date) -> Option<Applied> {
        let mandatory = |release: &&Release| release.mandatory <= day;
        let now = self.releases.iter().rev().find(mandatory).or(self.releases.first())?;
        let later =
            self.releases.iter().filter(|release| release.mandatory > day && *release != now);
        let (allowed, coming) = later.partition::<Vec<_>, _>(|release| release.published <= day);
        Some(Applied { now, allowed: allowed.last().copied(), coming: coming.first().copied() })
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
