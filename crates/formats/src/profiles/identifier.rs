//! Taking a specification identifier apart: odd spellings, the chain, versions.

use std::borrow::Cow;

use super::{EN16931, INDEX, Profile};

/// Members of a chain that are tried; identifiers of the field have three at most.
const MAX_MEMBERS: usize = 16;

/// Where one member of a chain ends and the next begins.
const JOINTS: &[&str] = &["#", "@", ":extended:", ":restrictive:", ":restricted:"];

/// How an identifier is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As its specification writes it.
    Usual,
    /// With colons where number signs belong: `:compliant:`.
    Colons,
    /// As a Peppol document type identifier: namespace, `##`, identifier, `::`, version.
    DocumentType,
    /// `compliant` where the specification says `conformant`, or the other way round.
    Relation,
}

/// What an identifier was found to be.
#[derive(Debug, Clone, Copy)]
pub struct Identified<'i> {
    /// The row of the longest known beginning.
    pub profile: &'static Profile,
    /// What follows it, such as `#conformant#urn:example:ours:1`; empty where all is known.
    pub rest: &'i str,
    /// How it is written.
    pub spelling: Spelling,
}

/// The usual spelling of an identifier (without white space), and how it was spelled.
pub(crate) fn usual(customization: &str) -> (Cow<'_, str>, Spelling) {
    if let Some((outer, inner)) = customization.split_once("##")
        && outer.starts_with("urn:")
        && outer.contains("::")
    {
        let inner = inner.rsplit_once("::").map_or(inner, |(inner, _)| inner);
        return (Cow::Borrowed(inner), Spelling::DocumentType);
    }
    for relation in ["compliant", "conformant"] {
        let member = customization
            .strip_prefix(EN16931)
            .and_then(|rest| rest.strip_prefix(':')?.strip_prefix(relation)?.strip_prefix(':'));
        if let Some(member) = member {
            let urn = if member.starts_with("urn") { "" } else { "urn:" };
            let usual = format!("{EN16931}#{relation}#{urn}{member}");
            return (Cow::Owned(usual), Spelling::Colons);
        }
    }
    // A `*` at the end is of the network's document types; here it is one character more.
    let mut usual = Cow::Borrowed(customization);
    // A member that says nothing is none.
    while usual.contains("##") {
        usual = Cow::Owned(usual.replace("##", "#"));
    }
    for word in ["#Conformant#", "#Compliant#", "#CONFORMANT#", "#COMPLIANT#", "#Extended#"] {
        if usual.contains(word) {
            usual = Cow::Owned(usual.replace(word, &word.to_ascii_lowercase()));
        }
    }
    (usual, Spelling::Usual)
}

/// The profile of an identifier (already in its [`usual`] spelling), or of the longest known
/// beginning of it.
pub fn identify<'i>(customization: &'i str, profile_id: &str) -> Option<Identified<'i>> {
    let known = longest(customization, profile_id);
    let is_whole = known.is_some_and(|known| known.rest.is_empty());
    let other = || other_relation(customization).filter(|_| !is_whole);
    other().or(known)
}

/// The row that is meant where the last member is named by the other relation.
fn other_relation(customization: &str) -> Option<Identified<'_>> {
    let (start, member) = customization.rsplit_once('#')?;
    let (start, relation) = start.rsplit_once('#')?;
    let other = match relation {
        "compliant" => "conformant",
        "conformant" => "compliant",
        _ => return None,
    };
    let profile = Profile::of(&format!("{start}#{other}#{member}"))?;
    Some(Identified { profile, rest: "", spelling: Spelling::Relation })
}

/// The row that knows most of an identifier, and the rest that it does not know: a row with the
/// whole, with a pattern for the whole or with a beginning, or the row of a beginning of the chain.
/// A row that fits by a part somewhere inside counts where nothing else is known.
pub(super) fn longest<'i>(customization: &'i str, profile_id: &str) -> Option<Identified<'i>> {
    let found = |profile, rest| Identified { profile, rest, spelling: Spelling::Usual };
    if let Some(profile) = INDEX.exact.get(customization) {
        return Some(found(profile, ""));
    }
    let open = INDEX.open.iter().filter_map(|profile| {
        let known = profile.customization.knows(customization, profile_id)?;
        Some((known, *profile))
    });
    // Of equals the first row counts.
    let open = open.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let base = beginning(customization, profile_id);
    match (open, base) {
        (Some((known, profile)), base) if known >= base.map_or(0, |(_, at)| at) => {
            Some(found(profile, ""))
        }
        (_, Some((profile, at))) => Some(found(profile, customization.get(at..)?)),
        (open, None) => open.map(|(_, profile)| found(profile, "")),
    }
}

/// The row of the longest beginning of a chain that is known as a whole, and where that ends.
fn beginning(customization: &str, profile_id: &str) -> Option<(&'static Profile, usize)> {
    let mut cuts: Vec<usize> = JOINTS
        .iter()
        .flat_map(|joint| customization.match_indices(joint).take(MAX_MEMBERS))
        .map(|(at, _)| at)
        .collect();
    cuts.sort_unstable();
    cuts.truncate(MAX_MEMBERS);
    cuts.into_iter().rev().find_map(|at| {
        let base = customization.get(..at)?;
        let exact = INDEX.exact.get(base).copied();
        let whole =
            |profile: &&&Profile| profile.customization.knows(base, profile_id) == Some(base.len());
        Some((exact.or_else(|| INDEX.open.iter().find(whole).copied())?, at))
    })
}

/// The members of the unknown end of a chain: `urn:x:y` of `#conformant#urn:x:y`.
pub(crate) fn members(rest: &str) -> Vec<String> {
    const WORDS: &[&str] = &["", "compliant", "conformant", "extended"];
    rest.split(['#', '@'])
        .filter(|part| !WORDS.contains(part))
        .map(|part| {
            let plain = JOINTS.iter().find_map(|joint| part.strip_prefix(joint));
            plain.unwrap_or(part).to_owned()
        })
        .take(MAX_MEMBERS)
        .collect()
}

/// The version in an identifier that fits a pattern, in which each `{}` stands for digits and
/// dots.
pub(super) fn version_in<'i>(pattern: &str, customization: &'i str) -> Option<&'i str> {
    let mut literals = pattern.split("{}");
    let mut rest = customization.strip_prefix(literals.next()?)?;
    let mut version = None;
    for literal in literals {
        let open = |c: char| !(c.is_ascii_digit() || c == '.');
        let end = rest.find(open).unwrap_or(rest.len());
        let (number, after) =
            rest.split_at_checked(end).filter(|(number, _)| !number.is_empty())?;
        version = version.or(Some(number));
        rest = after.strip_prefix(literal)?;
    }
    rest.is_empty().then_some(version)?
}
