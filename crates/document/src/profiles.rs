//! The profiles, one row each, told by the specification identifier (CustomizationID, BT-24).
//! Adding one is a row in `profiles/`.
//!
//! Grammar of the identifiers of EN 16931: `urn:cen.eu:en16931:2017`, then any number of
//! `#compliant#ID` (a CIUS: tighter rules) or `#conformant#ID` (an extension). The identifiers of
//! Peppol post-award documents add `:extended:ID`, `:restrictive:ID` or `@ID`, those of PINT
//! `@jurisdiction`. White space inside an identifier is passed over; case counts, except in the
//! words between the signs, which are written `#Conformant#` in the wild.

mod billing;
mod identifier;
mod legacy;
mod messages;
mod pint;
mod postaward;
mod processes;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::Date;

use crate::formats::{DocumentKind, join};
use crate::report::Flag;

pub use identifier::{Identified, Spelling, identify};
pub(crate) use identifier::{members, usual};
pub(crate) use processes::is_french;
pub use processes::{PROCESSES, Process};

use Match::{Contains, Exact, Pattern, Prefix, PrefixIn};

/// What CustomizationID tells a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// Exactly this.
    Exact(&'static str),
    /// This, where each `{}` stands for a version number: digits and dots.
    Pattern(&'static str),
    /// Anything that starts like this.
    Prefix(&'static str),
    /// Anything that starts like the first text, in a document whose ProfileID is the second.
    PrefixIn(&'static str, &'static str),
    /// Anything that has one of these inside.
    Contains(&'static [&'static str]),
}

/// Whether documents of a profile may still be exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// In force.
    Current,
    /// Out of use, and not forbidden: a warning.
    Legacy,
    /// Not allowed on the Peppol network from this day on.
    RefusedSince(Date),
}

/// A row of [`PROFILES`].
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Its stable name: `peppol-bis3`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What tells it.
    pub customization: Match,
    /// A specification identifier that is one of this profile.
    pub example: &'static str,
    /// The local names of the document elements it is for; empty for any.
    pub roots: &'static [&'static str],
    /// What its documents are for, where the profile decides and not the document element.
    pub kind: Option<DocumentKind>,
    /// The buyer issues the document for the seller, whatever its type code.
    pub self_billing: bool,
    /// Whether it may still be exchanged.
    pub standing: Standing,
    /// The structure of its documents, where it is not the usual one of the syntax. One that is not
    /// among [`crate::structure_tables::STRUCTURES`] leaves the structure to the rules.
    pub structure: Option<&'static str>,
    /// The identifiers of the rule sets that apply ([`crate::rules::RULE_SETS`]).
    pub rule_sets: &'static [&'static str],
    /// Rules of those sets that weigh otherwise in this profile, as its authority publishes it:
    /// the identifier, or set and identifier (`en16931-ubl/BR-CO-16`).
    pub levels: &'static [(&'static str, Flag)],
}

/// Base of every EN 16931 identifier.
pub const EN16931: &str = "urn:cen.eu:en16931:2017";

const fn row(
    id: &'static str,
    title: &'static str,
    roots: &'static [&'static str],
    customization: Match,
) -> Profile {
    let example = match customization {
        Exact(whole) => whole,
        _ => "",
    };
    Profile {
        id,
        title,
        customization,
        example,
        roots,
        kind: None,
        self_billing: false,
        standing: Standing::Current,
        structure: None,
        rule_sets: &[],
        levels: &[],
    }
}

const fn message(
    id: &'static str,
    title: &'static str,
    roots: &'static [&'static str],
    kind: DocumentKind,
    customization: Match,
) -> Profile {
    row(id, title, roots, customization).kind(kind)
}

impl Profile {
    const fn rules(self, rule_sets: &'static [&'static str]) -> Profile {
        Profile { rule_sets, ..self }
    }

    const fn self_billed(self) -> Profile {
        Profile { self_billing: true, ..self }
    }

    const fn levels(self, levels: &'static [(&'static str, Flag)]) -> Profile {
        Profile { levels, ..self }
    }

    const fn structure(self, structure: &'static str) -> Profile {
        Profile { structure: Some(structure), ..self }
    }

    const fn legacy(self) -> Profile {
        Profile { standing: Standing::Legacy, ..self }
    }

    const fn refused(self, since: Date) -> Profile {
        Profile { standing: Standing::RefusedSince(since), ..self }
    }

    const fn kind(self, kind: DocumentKind) -> Profile {
        Profile { kind: Some(kind), ..self }
    }

    const fn example(self, example: &'static str) -> Profile {
        Profile { example, ..self }
    }
}

/// The profiles, in the order of the test: a row with a whole identifier before all others, and
/// among those the first that fits.
pub static PROFILES: &[Profile] = &join::<Profile, COUNT>(&[
    billing::ROWS,
    pint::ROWS,
    messages::ROWS,
    postaward::ROWS,
    legacy::ROWS,
]);

const COUNT: usize = billing::ROWS.len()
    + pint::ROWS.len()
    + messages::ROWS.len()
    + postaward::ROWS.len()
    + legacy::ROWS.len();

struct Index {
    exact: HashMap<&'static str, &'static Profile>,
    open: Vec<&'static Profile>,
    by_id: HashMap<&'static str, &'static Profile>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { exact: HashMap::new(), open: Vec::new(), by_id: HashMap::new() };
    for profile in PROFILES {
        index.by_id.insert(profile.id, profile);
        match profile.customization {
            Exact(whole) => {
                index.exact.insert(whole, profile);
            }
            _ => index.open.push(profile),
        }
    }
    index
});

impl Profile {
    /// The row with this name.
    pub fn by_id(id: &str) -> Option<&'static Profile> {
        INDEX.by_id.get(id).copied()
    }

    /// The row that a CustomizationID (already without white space) names.
    pub fn of(customization: &str) -> Option<&'static Profile> {
        Profile::of_pair(customization, "")
    }

    /// As [`Profile::of`], with the ProfileID beside it.
    pub fn of_pair(customization: &str, profile_id: &str) -> Option<&'static Profile> {
        let exact = INDEX.exact.get(customization).copied();
        let fits = |profile: &&&Profile| profile.customization.fits(customization, profile_id);
        exact.or_else(|| INDEX.open.iter().find(fits).copied())
    }

    /// As [`Profile::of`], and where the whole chain is not known, the longest known beginning of
    /// it; the second value is the unknown rest, such as `#conformant#urn:example:ours:1`.
    pub fn of_chain(customization: &str) -> Option<(&'static Profile, &str)> {
        identifier::longest(customization, "")
    }

    /// The weight of a rule of a set in this profile, where it is another than the set's.
    pub fn level(&self, set: &str, rule: &str) -> Option<Flag> {
        let is = |key: &str| match key.split_once('/') {
            Some((own, id)) => own == set && id == rule,
            None => key == rule,
        };
        self.levels.iter().find(|(key, _)| is(key)).map(|(_, flag)| *flag)
    }

    /// Whether its documents are refused on a day.
    pub fn is_refused(&self, on: Date) -> bool {
        matches!(self.standing, Standing::RefusedSince(day) if on >= day)
    }

    /// Whether documents with this document element can be of the profile.
    pub fn is_for(&self, local: &str) -> bool {
        self.roots.is_empty() || self.roots.contains(&local)
    }
}

impl Match {
    fn fits(self, customization: &str, profile_id: &str) -> bool {
        match self {
            Exact(whole) => customization == whole,
            Pattern(pattern) => identifier::version_in(pattern, customization).is_some(),
            Prefix(start) => customization.starts_with(start),
            PrefixIn(start, process) => profile_id == process && customization.starts_with(start),
            Contains(parts) => parts.iter().any(|part| customization.contains(part)),
        }
    }

    /// The version that a customization has where the row leaves it open: `2.3` of XRechnung,
    /// `1.2` of SI-UBL.
    pub fn version(self, customization: &str) -> Option<&str> {
        let end = |rest: &str| {
            let open = |c: char| !(c.is_ascii_digit() || c == '.');
            rest.find(open).unwrap_or(rest.len())
        };
        let head = |rest| Some(str::get(rest, ..end(rest))?.trim_end_matches('.'));
        let version = match self {
            Exact(_) => None,
            Pattern(pattern) => identifier::version_in(pattern, customization),
            Prefix(start) => head(customization.strip_prefix(start)?),
            PrefixIn(..) => Some(customization),
            Contains(parts) => {
                let (_, rest) = parts.iter().find_map(|part| customization.split_once(part))?;
                head(rest.split_once("ver").map_or(rest, |(_, version)| version))
            }
        };
        version.filter(|version| !version.is_empty())
    }
}
