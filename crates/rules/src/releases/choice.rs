//! By what a document is validated: its profile, the package of that profile in its syntax, and the
//! release of the day. It is decided here, once; validation and everything above ask.
//!
//! ```text
//! Detection (what the document says, or what it came as) + day ──► Choice
//! ```
//! The day is that of sending or of arrival, never one that the document claims. An invoice in
//! UBL or CII is never judged by less than the core of EN 16931, one of PINT by less than the rules
//! that all its jurisdictions share, unless its profile is known to be neither. An invoice of a
//! national system has no profile; what it is told by has a package of its own.

#[cfg(test)]
mod tests;

use jiff::civil::Date;
use quoin_model::Flag;

use crate::releases::{CurrentReleases, Package, RULE_SETS};
use quoin_formats::Detection;
use quoin_formats::Syntax;
use quoin_formats::profiles::{PINT, Profile, ProfileStatus};

/// Why a package was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChoiceBasis {
    /// It is that of the profile.
    Profile,
    /// The profile has none, or is not known; the package is the least for a document of its
    /// syntax.
    Floor,
    /// Nothing is known by which the document could be judged.
    Nothing,
}

/// By what a document is validated on a day.
#[derive(Debug, Clone, Copy)]
pub struct PackageChoice {
    /// The profile that the document is of.
    pub profile: Option<&'static Profile>,
    /// What judges it.
    pub package: Option<&'static Package>,
    /// Why that.
    pub basis: ChoiceBasis,
    /// The releases of the package on the day.
    pub applied: Option<CurrentReleases>,
    /// The structure of the document, where it is not the usual one of its syntax.
    pub structure: Option<&'static str>,
}

impl PackageChoice {
    /// The choice for a document on a day.
    pub fn of(detection: &Detection, on: Date) -> PackageChoice {
        let profile = detection.profile();
        let is_factur_x = detection.is_factur_x();
        let own = profile.zip(detection.syntax).and_then(|(profile, syntax)| {
            let factur_x = is_factur_x.then(|| Package::by_id(FACTUR_X)).flatten();
            factur_x.or_else(|| Package::of(profile, syntax))
        });
        let floor = || floor(detection).filter(|_| profile.is_none());
        let (package, basis) = match own.or_else(floor) {
            Some(package) if own.is_some() => (Some(package), ChoiceBasis::Profile),
            Some(package) => (Some(package), ChoiceBasis::Floor),
            None => (None, ChoiceBasis::Nothing),
        };
        PackageChoice {
            profile,
            package,
            basis,
            applied: package.and_then(|package| package.on(on)),
            structure: is_factur_x
                .then_some(FACTUR_X_STRUCTURE)
                .or_else(|| profile.and_then(|profile| profile.structure)),
        }
    }

    /// Whether documents of the profile are refused on a day, whatever is in them.
    pub fn is_refused(&self, on: Date) -> bool {
        self.profile.is_some_and(|profile| profile.is_refused(on))
    }

    /// Whether the profile may still be exchanged.
    pub fn standing(&self) -> ProfileStatus {
        self.profile.map_or(ProfileStatus::Current, |profile| profile.standing)
    }

    /// Whether an official set, by its `group:artifact`, may judge the document: not where it is
    /// one of ours that the package of the profile leaves out, such as the rules of EN 16931 for an
    /// extension that changes them.
    pub fn admits(&self, line: &str) -> bool {
        let is_ours = RULE_SETS.iter().any(|set| line_of(set.coordinate) == line);
        let is_known = self.package.is_some() || self.profile.is_some();
        let mut own = self.package.into_iter().flat_map(|package| &package.releases);
        !is_ours
            || !is_known
            || own.any(|release| release.sets.iter().any(|own| line_of(own) == line))
    }
}

/// The package of EN 16931 as a profile of Factur-X, which only the PDF around it tells.
const FACTUR_X: &str = "factur-x-en16931";
/// The structure of such a document.
const FACTUR_X_STRUCTURE: &str = "factur-x-1.09-en16931";

/// The least by which a document is judged whose profile is not known.
fn floor(detection: &Detection) -> Option<&'static Package> {
    let is_pint = detection.customization_id.as_deref().is_some_and(|id| id.starts_with(PINT));
    let id = match detection.syntax? {
        Syntax::UblInvoice | Syntax::UblCreditNote if is_pint => "pint",
        Syntax::UblInvoice | Syntax::UblCreditNote => "en16931-ubl",
        Syntax::Cii => "en16931-cii",
        Syntax::Ksef if detection.format.as_deref().is_some_and(is_fa3) => "ksef-fa3",
        _ => own_schema(detection)?,
    };
    Package::by_id(id)
}

/// Document elements that one rule set has of its own: that set says what their CustomizationID
/// has to be.
const OWN_SCHEMAS: &[(&str, &str)] = &[
    ("urn:fdc:peppol:transaction-statistics-report:1.0", "peppol-tsr"),
    ("urn:fdc:peppol:end-user-statistics-report:1.1", "peppol-eusr"),
    ("urn:peppol:schema:taxdata:1.0", "tax-data-ae"),
    ("urn:peppol:schema:om-taxdata:1.0", "tax-data-om"),
    ("urn:peppol:schema:sk-taxdata:1.0", "tax-data-sk"),
    ("urn:peppol:schema:vida-taxdata:1.0", "tax-data-vida"),
];

/// The package that a document element tells, or, of a status in UBL, its process.
fn own_schema(detection: &Detection) -> Option<&'static str> {
    let root = detection.root.as_ref()?;
    if root.local == "ApplicationResponse" && detection.process.as_deref() == Some(STATUS) {
        return Some(STATUS);
    }
    OWN_SCHEMAS.iter().find(|(namespace, _)| root.namespace == *namespace).map(|(_, id)| *id)
}

/// The process and the package of Message Level Statuses.
const STATUS: &str = "peppol-mls";

/// Whether a format of the Polish system is FA(3), be it without its namespace, which is then told.
fn is_fa3(format: &str) -> bool {
    ["ksef-fa3", "ksef-no-namespace"].contains(&format)
}

/// `eu.cen.en16931:ubl` of `eu.cen.en16931:ubl:1.3.16`.
fn line_of(coordinate: &str) -> &str {
    coordinate.rsplit_once(':').map_or(coordinate, |(line, _)| line)
}

/// The weight of a rule of an official file, by its `group:artifact`, in a profile, where it is
/// another than the file's.
pub(crate) fn level_in_line(profile: &Profile, line: &str, rule: &str) -> Option<Flag> {
    let own = RULE_SETS.iter().find(|set| line_of(set.coordinate) == line)?;
    profile.level(own.id, rule)
}
