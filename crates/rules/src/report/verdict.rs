//! What a report comes to, and how many documents came to what.

use serde::{Deserialize, Serialize};

use super::words;
use quoin_model::Language;

/// What a report comes to, one of four words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It keeps every rule of at least one rule set, and can be routed.
    Valid,
    /// It keeps them, and cannot be routed by what it says: an electronic address is missing or
    /// wrong.
    Unroutable,
    /// No rule set that is here judges such a document: nobody can say whether it is valid.
    NotJudged,
    /// It is wrong.
    NotValid,
}

impl Verdict {
    /// Every verdict, from the best to the worst.
    pub const ALL: [Verdict; 4] =
        [Verdict::Valid, Verdict::Unroutable, Verdict::NotJudged, Verdict::NotValid];

    /// The verdict as one word of an interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Unroutable => "unroutable",
            Verdict::NotJudged => "notJudged",
            Verdict::NotValid => "notValid",
        }
    }
}

/// How many documents came to which verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VerdictTally {
    /// Documents by verdict, in the order of [`Verdict::ALL`].
    counts: [usize; 4],
}

impl VerdictTally {
    /// Counts a document.
    pub fn add(&mut self, verdict: Verdict) {
        let at = Verdict::ALL.iter().position(|own| *own == verdict);
        if let Some(count) = at.and_then(|at| self.counts.get_mut(at)) {
            *count += 1;
        }
    }

    /// Takes over what another one has counted.
    pub fn join(&mut self, other: VerdictTally) {
        self.counts.iter_mut().zip(other.counts).for_each(|(own, more)| *own += more);
    }

    /// How many came to a verdict.
    pub fn of(&self, verdict: Verdict) -> usize {
        Verdict::ALL
            .iter()
            .zip(self.counts)
            .filter(|(own, _)| **own == verdict)
            .map(|(_, n)| n)
            .sum()
    }

    /// How many there were.
    pub fn documents(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The worst verdict; `None` where nothing was counted.
    pub fn worst(&self) -> Option<Verdict> {
        Verdict::ALL.into_iter().rev().find(|verdict| self.of(*verdict) > 0)
    }
}

impl std::fmt::Display for VerdictTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} documents, {} valid", self.documents(), self.of(Verdict::Valid))?;
        let rest = [Verdict::Unroutable, Verdict::NotJudged, Verdict::NotValid];
        for verdict in rest.into_iter().filter(|verdict| self.of(*verdict) > 0) {
            let word = words::verdict(verdict, Language::En);
            write!(f, ", {} {word}", self.of(verdict))?;
        }
        Ok(())
    }
}
