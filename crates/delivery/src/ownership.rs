//! Whose an identifier is, and who may act under it.
//!
//! An identifier has at most one holder among the organisations of this service: the one that
//! verified its end user, or for which the operator declared it. The holder changes only when it
//! lets the identifier go: by giving it up, or to whoever shows the very key of its migration. An
//! organisation that only recorded an identifier holds nothing (interface specification 5.4; Peppol
//! policy for transport security and identifiers, end-user identification).

use std::fmt;

/// Why an organisation holds an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoldingBasis {
    /// A verification of the end user is on record.
    Verified,
    /// The operator declared it in the configuration.
    Declared,
    /// It is the provider itself.
    Provider,
}

impl HoldingBasis {
    const ALL: [HoldingBasis; 3] =
        [HoldingBasis::Verified, HoldingBasis::Declared, HoldingBasis::Provider];

    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            HoldingBasis::Verified => "verified",
            HoldingBasis::Declared => "declared",
            HoldingBasis::Provider => "provider",
        }
    }

    /// The basis of this word, if there is one.
    pub fn named(word: &str) -> Option<HoldingBasis> {
        HoldingBasis::ALL.into_iter().find(|basis| basis.as_str() == word)
    }
}

impl fmt::Display for HoldingBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who holds an identifier, seen by somebody who asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// Nobody of this service.
    Nobody,
    /// The one who asks.
    Asker,
    /// Another organisation.
    Other {
        /// Whether it lets the identifier go to who has its migration key, and the asker has it.
        lets_go: bool,
    },
}

/// What a claim comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// The asker holds it from now on, and nobody did before.
    New,
    /// The asker holds it already.
    Kept,
    /// It moves from its holder to the asker.
    Moved,
    /// It stays with its holder.
    Refused,
}

/// Decides a claim.
pub fn claim(holder: Holder) -> Claimed {
    match holder {
        Holder::Nobody => Claimed::New,
        Holder::Asker => Claimed::Kept,
        Holder::Other { lets_go: true } => Claimed::Moved,
        Holder::Other { lets_go: false } => Claimed::Refused,
    }
}

/// Whether an organisation may act under an identifier: send, and answer, in its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActingRight {
    /// It may.
    Speaks,
    /// Nobody verified the identifier for it.
    Unverified,
    /// Another organisation of this service holds it.
    Elsewhere,
}

/// Decides whether an organisation may act under an identifier. `verified` says whether a
/// verification of its own covers it: one that gave the identifier up may go on sending under it,
/// until another organisation of this service holds it.
pub fn standing(holder: Holder, verified: bool) -> ActingRight {
    match holder {
        Holder::Asker => ActingRight::Speaks,
        Holder::Other { .. } => ActingRight::Elsewhere,
        Holder::Nobody if verified => ActingRight::Speaks,
        Holder::Nobody => ActingRight::Unverified,
    }
}

#[cfg(test)]
mod tests;
