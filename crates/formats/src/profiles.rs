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
mod levels;
mod messages;
mod pint;
mod postaward;
mod processes;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::Date;

use crate::{DocumentKind, Syntax};
use quoin_model::Flag;
use quoin_model::rows::join;

pub use identifier::{Identified, Spelling, identify};
pub(crate) use identifier::{members, usual};
pub(crate) use processes::is_french;
pub use processes::{BusinessProcess, PROCESSES};

use Match::{Contains, Exact, OneOf, Pattern, Prefix, PrefixIn};

/// What CustomizationID tells a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// Exactly this.
    Exact(&'static str),
    /// Exactly one of these.
    OneOf(&'static [&'static str]),
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
pub enum ProfileStatus {
    /// In force.
    Current,
    /// Out of use, and not forbidden: a warning.
    Legacy,
    /// Not allowed on the Peppol network from this day on.
    RefusedSince(Date),
}

/// Which documents of a profile the buyer issues for the seller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelfBilling {
    /// Those whose type code says so.
    ByTypeCode,
    /// All of them, whatever their type code.
    Always,
    /// None: the profile has a sister for that, and a type code of self-billing is a mistake.
    Never,
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
    /// The syntaxes that it is published in.
    pub syntaxes: &'static [Syntax],
    /// The local names of the document elements it is for; empty for any of its syntaxes.
    pub roots: &'static [&'static str],
    /// What its documents are for, where the profile decides and not the document element.
    pub kind: Option<DocumentKind>,
    /// Which of its documents the buyer issues for the seller.
    pub self_billing: SelfBilling,
    /// BT-23 (ProfileID) of its documents is not the process in which they are exchanged.
    pub process_elsewhere: bool,
    /// Whether it may still be exchanged.
    pub standing: ProfileStatus,
    /// The structure of its documents, where it is not the usual one of the syntax. One that is not
    /// among [`crate::structure_tables::STRUCTURES`] leaves the structure to the rules.
    pub structure: Option<&'static str>,
    /// Other structures that its documents may have as well.
    pub other_structures: &'static [&'static str],
    /// The packages that judge it, at most one for each of its syntaxes
    /// (`PACKAGES` of the room `rules`); none for a profile that is known to be no EN 16931 and no
    /// other one whose rules are here.
    pub packages: &'static [&'static str],
    /// Rules of those sets that weigh otherwise in this profile, as its authority publishes it:
    /// the identifier, or set and identifier (`en16931-ubl/BR-CO-16`).
    pub levels: &'static [(&'static str, Flag)],
}

/// Base of every EN 16931 identifier.
pub const EN16931: &str = "urn:cen.eu:en16931:2017";
/// Base of every PINT identifier.
pub const PINT: &str = "urn:peppol:pint:";

/// Whether documents of a specification (already without white space) are of PINT.
pub fn is_pint(specification: &str) -> bool {
    specification.starts_with(PINT)
}

/// Whether documents of a specification have rules, codes and taxes of their own: PINT, but for its
/// European form, which has the rules of EN 16931.
pub fn has_other_taxes(specification: &str) -> bool {
    is_pint(specification) && !specification.contains("@eu-")
}

/// Invoices and credit notes of UBL.
const UBL: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote];
/// Invoices of CII.
const CII: &[Syntax] = &[Syntax::Cii];
/// Both.
const UBL_AND_CII: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote, Syntax::Cii];
/// Every document of UBL but an invoice and a credit note.
const MESSAGES: &[Syntax] = &[Syntax::UblOther];
/// Every document of UBL.
const ANY_UBL: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote, Syntax::UblOther];

const UBL_INVOICES: &[&str] = &["Invoice", "CreditNote"];
const CROSS_INDUSTRY: &[&str] = &["CrossIndustryInvoice"];
const INVOICES: &[&str] = &["Invoice", "CreditNote", "CrossIndustryInvoice"];

const fn row(
    id: &'static str,
    title: &'static str,
    syntaxes: &'static [Syntax],
    roots: &'static [&'static str],
    customization: Match,
) -> Profile {
    let example = match customization {
        Exact(whole) => whole,
        OneOf([first, ..]) => first,
        _ => "",
    };
    Profile {
        id,
        title,
        customization,
        example,
        syntaxes,
        roots,
        kind: None,
        self_billing: SelfBilling::ByTypeCode,
        process_elsewhere: false,
        standing: ProfileStatus::Current,
        structure: None,
        other_structures: &[],
        packages: &[],
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
    row(id, title, MESSAGES, roots, customization).kind(kind)
}

impl Profile {
    const fn judged_by(self, packages: &'static [&'static str]) -> Profile {
        Profile { packages, ..self }
    }

    const fn written_in(self, syntaxes: &'static [Syntax]) -> Profile {
        Profile { syntaxes, ..self }
    }

    const fn also(self, syntaxes: &'static [Syntax], roots: &'static [&'static str]) -> Profile {
        Profile { syntaxes, roots, ..self }
    }

    const fn self_billed(self) -> Profile {
        Profile { self_billing: SelfBilling::Always, ..self }
    }

    const fn never_self_billed(self) -> Profile {
        Profile { self_billing: SelfBilling::Never, ..self }
    }

    const fn process_elsewhere(self) -> Profile {
        Profile { process_elsewhere: true, ..self }
    }

    const fn levels(self, levels: &'static [(&'static str, Flag)]) -> Profile {
        Profile { levels, ..self }
    }

    const fn structure(self, structure: &'static str) -> Profile {
        Profile { structure: Some(structure), ..self }
    }

    const fn or_structures(self, other_structures: &'static [&'static str]) -> Profile {
        Profile { other_structures, ..self }
    }

    const fn legacy(self) -> Profile {
        Profile { standing: ProfileStatus::Legacy, ..self }
    }

    const fn refused(self, since: Date) -> Profile {
        Profile { standing: ProfileStatus::RefusedSince(since), ..self }
    }

    const fn kind(self, kind: DocumentKind) -> Profile {
        Profile { kind: Some(kind), ..self }
    }

    const fn example(self, example: &'static str) -> Profile {
        Profile { example, ..self }
    }
}

/// The profiles. Of a row with the whole identifier, the longest known beginning of the chain and
/// a row with a pattern, the one that knows most of the identifier counts; a row with a mere part
/// of it ([`Contains`]) only where nothing else is known, and of those the first one.
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

struct ProfileIndex {
    exact: HashMap<&'static str, &'static Profile>,
    open: Vec<&'static Profile>,
    by_id: HashMap<&'static str, &'static Profile>,
}

static INDEX: LazyLock<ProfileIndex> = LazyLock::new(|| {
    let mut index = ProfileIndex { exact: HashMap::new(), open: Vec::new(), by_id: HashMap::new() };
    for profile in PROFILES {
        index.by_id.insert(profile.id, profile);
        match profile.customization {
            Exact(whole) => {
                index.exact.insert(whole, profile);
            }
            OneOf(all) => index.exact.extend(all.iter().map(|whole| (*whole, profile))),
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

    /// The row that a CustomizationID (already without white space) names as a whole.
    pub fn of(customization: &str) -> Option<&'static Profile> {
        let known = identifier::longest(customization, "")?;
        known.rest.is_empty().then_some(known.profile)
    }

    /// As [`Profile::of`], and where the whole chain is not known, the longest known beginning of
    /// it; the second value is the unknown rest, such as `#conformant#urn:example:ours:1`.
    pub fn of_chain(customization: &str) -> Option<(&'static Profile, &str)> {
        identifier::longest(customization, "").map(|known| (known.profile, known.rest))
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
        matches!(self.standing, ProfileStatus::RefusedSince(day) if on >= day)
    }

    /// Whether documents of a syntax with this document element can be of the profile.
    pub fn is_for(&self, syntax: Syntax, local: &str) -> bool {
        self.syntaxes.contains(&syntax) && (self.roots.is_empty() || self.roots.contains(&local))
    }
}

impl Match {
    /// How many bytes of an identifier the row knows; `None` where it does not fit.
    fn knows(self, customization: &str, profile_id: &str) -> Option<usize> {
        let whole = customization.len();
        match self {
            Exact(exact) => (customization == exact).then_some(whole),
            OneOf(all) => all.contains(&customization).then_some(whole),
            Pattern(pattern) => identifier::version_in(pattern, customization).map(|_| whole),
            Prefix(start) => customization.starts_with(start).then_some(start.len()),
            PrefixIn(start, process) => {
                let fits = profile_id == process && customization.starts_with(start);
                fits.then_some(start.len())
            }
            Contains(parts) => parts.iter().any(|part| customization.contains(part)).then_some(0),
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
            OneOf(_) => {
                let is_number = |c: char| c.is_ascii_digit() || c == '.';
                customization.get(customization.trim_end_matches(is_number).len()..)
            }
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
