//! Which rules judge a document: the built-in sets of its profile, the official sets that are
//! installed for it, and the policy that decides between them.

use std::sync::Arc;

use jiff::civil::Date;

use crate::detect::Detection;
use crate::language::Language;
use crate::official::{Kind, Library, OfficialSet, Policies};
use crate::report::Policy;
use crate::rules::RuleSet;

/// What a caller decides about validation. The default is our own rules alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'o> {
    /// The official sets that are installed.
    pub library: Option<&'o Library>,
    /// Whose rules decide; the built-in ones where nothing is said.
    pub policies: Option<&'o Policies>,
    /// Exactly these official sets, on any day, instead of a choice from the library; one that
    /// does not say what it applies to runs on anything. Without `policies` they run alone.
    pub exactly: Option<&'o [Arc<OfficialSet>]>,
    /// Whether to tell what the next release will find.
    pub coming: bool,
    /// In which language the built-in rules speak.
    pub language: Language,
}

/// The choice for one document.
pub(super) struct Plan<'o> {
    pub policy: Policy,
    /// XML Schemas.
    pub structure: Vec<&'o OfficialSet>,
    /// Schematron files.
    pub rules: Vec<&'o OfficialSet>,
    /// Releases after those in force.
    pub coming: Vec<&'o OfficialSet>,
    /// Our own sets.
    pub builtin: Vec<&'static RuleSet>,
    /// Our own sets after those in force.
    pub builtin_coming: Vec<&'static RuleSet>,
    /// In which language our own sets speak.
    pub language: Language,
    /// The day whose rules apply.
    pub on: Date,
}

impl<'o> Plan<'o> {
    pub(super) fn of(detection: &Detection, on: Date, options: &Options<'o>) -> Plan<'o> {
        let stated = options.policies.map(|policies| policies.of(detection));
        let usual = if options.exactly.is_some() { Policy::Official } else { Policy::Builtin };
        let policy = stated.unwrap_or(usual);
        let library = options.library.filter(|_| policy != Policy::Builtin);
        let sets: Vec<&OfficialSet> = match (options.exactly, library) {
            (Some(sets), _) => {
                let fits =
                    |set: &&OfficialSet| set.applies.is_empty() || set.applies.fits(detection);
                sets.iter().map(Arc::as_ref).filter(fits).collect()
            }
            (None, Some(library)) => library.in_force(detection, on),
            (None, None) => Vec::new(),
        };
        let (structure, rules) = sets.into_iter().partition(|set| set.kind == Kind::Structure);
        let asked = library.filter(|_| options.coming && options.exactly.is_none());
        let of_profile = detection.profile().map_or(&["en16931"][..], |own| own.rule_sets);
        let names = if detection.is_factur_x() { &["factur-x-en16931"] } else { of_profile };
        let families = || names.iter().copied().zip(std::iter::repeat(detection.syntax));
        let families = || families().filter_map(|(family, syntax)| Some((family, syntax?)));
        let now = |(family, syntax)| RuleSet::in_force(family, syntax, on);
        let next = |(family, syntax)| RuleSet::coming(family, syntax, on);
        Plan {
            policy,
            structure,
            rules,
            coming: asked.map(|library| library.coming(detection, on)).unwrap_or_default(),
            builtin: families().flat_map(now).collect(),
            builtin_coming: families().filter(|_| options.coming).flat_map(next).collect(),
            language: options.language,
            on,
        }
    }

    /// Whether an official file has something to say about the document.
    pub(super) fn is_official(&self) -> bool {
        !self.structure.is_empty() || !self.rules.is_empty()
    }

    /// Whether the built-in rules decide: by the policy, or because no official file is there.
    pub(super) fn builtin_decides(&self) -> bool {
        self.policy == Policy::Builtin || self.rules.is_empty()
    }

    /// Whether the built-in rules say something, be it beside official files.
    pub(super) fn has_own_word(&self) -> bool {
        self.builtin_decides() || self.policy == Policy::Both
    }

    /// Whether a built-in set has a rule.
    pub(super) fn has(&self, rule: &str) -> bool {
        self.builtin.iter().any(|set| set.ids().any(|known| known == rule))
    }
}
