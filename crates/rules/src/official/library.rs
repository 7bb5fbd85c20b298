//! All sets that are installed, and the choice among them by document and day.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{
    Applies, Coordinate, Description, Engine, OfficialFileError, OfficialSetKind, SetFiles, compile,
};
use crate::report::ValidationPolicy;
use quoin_formats::Detection;

#[cfg(test)]
mod tests;

/// A compiled set.
#[derive(Debug)]
pub struct OfficialSet {
    /// Its name.
    pub coordinate: Coordinate,
    /// Its title for people.
    pub title: String,
    /// What it checks.
    pub kind: OfficialSetKind,
    /// The first day on which it is in force.
    pub from: Option<Date>,
    /// The last day on which it is in force.
    pub until: Option<Date>,
    /// What it applies to.
    pub applies: Applies,
    /// When it was registered, where it is.
    pub added_on: Option<jiff::Timestamp>,
    /// What runs it.
    pub engine: Box<dyn Engine>,
}

impl OfficialSet {
    /// Compiles a set.
    ///
    /// # Errors
    /// [`CompileError`].
    pub fn new(
        description: Description,
        files: &SetFiles,
    ) -> Result<OfficialSet, OfficialFileError> {
        let engine = compile(&description, files)?;
        let Description { coordinate, title, kind, from, until, applies, .. } = description;
        Ok(OfficialSet { coordinate, title, kind, from, until, applies, added_on: None, engine })
    }

    /// Whether it is in force on a day, as far as its own dates say.
    pub fn is_in_force(&self, on: Date) -> bool {
        self.from.is_none_or(|from| from <= on) && self.until.is_none_or(|until| on <= until)
    }
}

/// All sets that are installed, several releases side by side. Cheap to copy.
#[derive(Debug, Clone, Default)]
pub struct OfficialLibrary {
    /// In the order of their coordinates.
    sets: Arc<[Arc<OfficialSet>]>,
}

impl OfficialLibrary {
    /// A library of these sets.
    pub fn new(sets: impl IntoIterator<Item = Arc<OfficialSet>>) -> OfficialLibrary {
        let mut sets: Vec<_> = sets.into_iter().collect();
        sets.sort_by(|one, other| one.coordinate.cmp(&other.coordinate));
        OfficialLibrary { sets: sets.into() }
    }

    /// All sets, by their coordinates.
    pub fn sets(&self) -> &[Arc<OfficialSet>] {
        &self.sets
    }

    /// The sets of a coordinate, or of all releases of `group:artifact`.
    pub fn named<'l>(&'l self, name: &'l str) -> impl Iterator<Item = &'l Arc<OfficialSet>> {
        let fits = move |set: &&Arc<OfficialSet>| {
            set.coordinate.as_str() == name || set.coordinate.line() == name
        };
        self.sets.iter().filter(fits)
    }

    /// The sets that judge a document on a day: of each `group:artifact` the release that came into
    /// force last.
    pub fn in_force(&self, detection: &Detection, on: Date) -> Vec<&OfficialSet> {
        self.choose(detection, |set| set.is_in_force(on), |set| set.from)
    }

    /// The releases after those in force: of each `group:artifact` the next one.
    pub fn coming(&self, detection: &Detection, on: Date) -> Vec<&OfficialSet> {
        let later = |set: &OfficialSet| set.from.is_some_and(|from| from > on);
        self.choose(detection, later, |set| std::cmp::Reverse(set.from))
    }

    /// Of each `group:artifact` the set with the highest rank; the later release where ranks tie.
    fn choose<Rank: Ord>(
        &self,
        detection: &Detection,
        wanted: impl Fn(&OfficialSet) -> bool,
        rank: impl Fn(&OfficialSet) -> Rank,
    ) -> Vec<&OfficialSet> {
        let mut chosen: BTreeMap<&str, &OfficialSet> = BTreeMap::new();
        let fit = self.sets.iter().filter(|set| set.applies.fits(detection));
        for set in fit.map(Arc::as_ref).filter(|set| wanted(set)) {
            let best = chosen.entry(set.coordinate.line()).or_insert(set);
            if rank(best) <= rank(set) {
                *best = set;
            }
        }
        chosen.into_values().collect()
    }
}

/// Whose rules decide, by profile.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Policies {
    /// For profiles that are not named.
    pub default: ValidationPolicy,
    /// For single profiles, by the identifier of the profile.
    pub by_profile: BTreeMap<String, ValidationPolicy>,
}

impl Policies {
    /// The same policy for every document.
    pub fn all(policy: ValidationPolicy) -> Policies {
        Policies { default: policy, by_profile: BTreeMap::new() }
    }

    /// The policy for a document.
    pub fn of(&self, detection: &Detection) -> ValidationPolicy {
        let named = detection.profile.as_deref().and_then(|profile| self.by_profile.get(profile));
        named.copied().unwrap_or(self.default)
    }
}
