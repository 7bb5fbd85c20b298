//! Which rules judge a document: the sets of the release that was chosen, the official sets that
//! are installed for it, and the policy that decides between them.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

use super::Until;
use crate::official::{OfficialLibrary, OfficialSet, OfficialSetKind, Policies};
use crate::releases::Release;
use crate::releases::choice::PackageChoice;
use crate::report::ValidationPolicy;
use crate::rules::RuleSet;
use quoin_formats::Detection;
use quoin_formats::profiles::Profile;
use quoin_model::Language;

use super::Objection;

/// What a caller decides about validation. The default is our own rules alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'o> {
    /// The official sets that are installed.
    pub library: Option<&'o OfficialLibrary>,
    /// Whose rules decide; the built-in ones where nothing is said.
    pub policies: Option<&'o Policies>,
    /// Exactly these official sets, on any day, instead of a choice from the library; one that
    /// does not say what it applies to runs on anything. Without `policies` they run alone.
    pub exactly: Option<&'o [Arc<OfficialSet>]>,
    /// Whether to tell what the next release will find.
    pub coming: bool,
    /// In which language the built-in rules speak.
    pub language: Language,
    /// The moment, where the day whose rules apply is that of a clock: what may not be of a later
    /// day is told by the day of its country then.
    pub at: Option<Timestamp>,
    /// What the document is judged as, where that is not what it says of itself: it came in an
    /// envelope that announces another type.
    pub judged_as: Option<&'o Detection>,
    /// What is wrong between the document and what was announced of it.
    pub objections: &'o [Objection],
    /// For how long it may go on.
    pub until: Until<'o>,
}

/// The choice for one document.
pub(super) struct ValidationPlan<'o> {
    pub policy: ValidationPolicy,
    /// The profile, the package, the releases.
    pub choice: PackageChoice,
    /// XML Schemas.
    pub structure: Vec<&'o OfficialSet>,
    /// Schematron files.
    pub rules: Vec<&'o OfficialSet>,
    /// The built-in sets, by their coordinates, whose rules the official files have, or which do
    /// not stand beside them since exactly these files are to run.
    stood_for: Vec<&'static str>,
    /// Releases after those in force.
    pub coming: Vec<&'o OfficialSet>,
    /// Our own sets.
    pub builtin: Vec<&'static RuleSet>,
    /// Whether to tell what our next release finds.
    pub tells_coming: bool,
    /// In which language our own sets speak.
    pub language: Language,
    /// The day whose rules apply.
    pub on: Date,
    /// The moment, where it is known.
    pub at: Option<Timestamp>,
    /// What is wrong between the document and what was announced of it.
    pub objections: &'o [Objection],
    /// For how long it may go on.
    pub until: Until<'o>,
}

impl<'o> ValidationPlan<'o> {
    pub(super) fn of(detection: &Detection, on: Date, options: &Options<'o>) -> ValidationPlan<'o> {
        let detection = options.judged_as.unwrap_or(detection);
        let choice = PackageChoice::of(detection, on);
        let stated = options.policies.map(|policies| policies.of(detection));
        let usual = if options.exactly.is_some() {
            ValidationPolicy::Official
        } else {
            ValidationPolicy::Builtin
        };
        let policy = stated.unwrap_or(usual);
        let library = options.library.filter(|_| policy != ValidationPolicy::Builtin);
        let admitted = |sets: Vec<&'o OfficialSet>| -> Vec<&'o OfficialSet> {
            sets.into_iter().filter(|set| choice.admits(set.coordinate.line())).collect()
        };
        let sets: Vec<&OfficialSet> = match (options.exactly, library) {
            (Some(sets), _) => {
                let fits =
                    |set: &&OfficialSet| set.applies.is_empty() || set.applies.fits(detection);
                sets.iter().map(Arc::as_ref).filter(fits).collect()
            }
            (None, Some(library)) => admitted(library.in_force(detection, on)),
            (None, None) => Vec::new(),
        };
        let (structure, rules): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|set| set.kind == OfficialSetKind::Structure);
        let is_exact = options.exactly.is_some();
        let stood_for = releases(&choice).filter(|set| is_exact || stand_for(&rules, set));
        let stood_for = stood_for.map(|set| set.coordinate).collect();
        let asked = library.filter(|_| options.coming && options.exactly.is_none());
        let now = choice.applied.map(|applied| applied.now);
        ValidationPlan {
            policy,
            choice,
            structure,
            rules,
            stood_for,
            coming: asked
                .map(|library| admitted(library.coming(detection, on)))
                .unwrap_or_default(),
            builtin: now.into_iter().flat_map(Release::rule_sets).collect(),
            tells_coming: options.coming,
            language: options.language,
            on,
            at: options.at,
            objections: options.objections,
            until: options.until,
        }
    }

    /// The profile that the document is judged as.
    pub(super) fn profile(&self) -> Option<&'static Profile> {
        self.choice.profile
    }

    /// The release that may be used already, though another one is still in force.
    pub(super) fn allowed(&self) -> Option<&'static Release> {
        self.choice.applied?.allowed
    }

    /// Whether exactly these official files are to run, whatever the profile is.
    pub(super) fn is_official(&self) -> bool {
        !self.structure.is_empty() || !self.rules.is_empty()
    }

    /// Whether the built-in rules decide: by the policy, or because no official file is there.
    pub(super) fn builtin_decides(&self) -> bool {
        self.policy == ValidationPolicy::Builtin || self.rules.is_empty()
    }

    /// Whether a built-in set decides beside the official files: none of them has its rules.
    pub(super) fn is_left_to_us(&self, set: &'static RuleSet) -> bool {
        self.builtin_decides() || !self.stood_for.contains(&set.coordinate)
    }

    /// The built-in sets that decide.
    pub(super) fn ours(&self) -> impl Iterator<Item = &'static RuleSet> {
        self.builtin.iter().copied().filter(|set| self.is_left_to_us(set))
    }

    /// Whether all built-in sets decide: no official file has the rules of one of them. What is
    /// registered are rules of the house then, which stand beside the others.
    pub(super) fn decide_all_ours(&self) -> bool {
        !self.builtin.is_empty() && self.builtin.iter().all(|set| self.is_left_to_us(set))
    }

    /// Whether the built-in rules say something, be it beside official files.
    pub(super) fn has_own_word(&self) -> bool {
        self.builtin_decides() || self.policy == ValidationPolicy::Both || self.decide_all_ours()
    }

    /// Whether a built-in set has a rule.
    pub(super) fn has(&self, rule: &str) -> bool {
        self.builtin.iter().any(|set| set.ids().any(|known| known == rule))
    }

    /// Whether a built-in set that decides has a rule.
    pub(super) fn decides(&self, rule: &str) -> bool {
        self.ours().any(|set| set.ids().any(|known| known == rule))
    }
}

/// The built-in sets of a choice: those in force, those that may be used already, those that come.
fn releases(choice: &PackageChoice) -> impl Iterator<Item = &'static RuleSet> + use<> {
    let all = choice.applied.map(|own| [Some(own.now), own.allowed, own.coming]);
    all.into_iter().flatten().flatten().flat_map(Release::rule_sets)
}

/// Whether official files have the rules of a built-in set: most of them, by their identifiers,
/// since releases differ in a few, and some rules have none.
fn stand_for(files: &[&OfficialSet], set: &'static RuleSet) -> bool {
    if files.is_empty() {
        return false;
    }
    let ids: BTreeSet<&str> = set.tested().collect();
    let has = |id: &&&str| files.iter().any(|own| own.engine.has_rule(id));
    2 * ids.iter().filter(has).count() >= ids.len()
}
