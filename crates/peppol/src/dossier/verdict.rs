//! What was checked, and what came of it.

use super::DossierManifest;

/// Whether something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// It was checked and holds.
    Yes,
    /// It was checked and does not hold.
    No,
    /// There is nothing to check: the part is not in the dossier.
    Absent,
}

impl Holds {
    /// One word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Holds::Yes => "holds",
            Holds::No => "FAILS",
            Holds::Absent => "absent",
        }
    }
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DossierCheck {
    /// A stable name: `manifest-signature`, `part document.xml`, `receipt-digests`, …
    pub name: String,
    /// Whether it holds.
    pub holds: Holds,
    /// What was found, one sentence.
    pub detail: String,
}

/// All checks of a dossier.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DossierVerdict {
    /// Its manifest, where it can be read.
    pub manifest: Option<DossierManifest>,
    /// The checks, in the order in which they were made.
    pub checks: Vec<DossierCheck>,
}

impl DossierVerdict {
    /// Whether everything that can be checked holds, and the manifest is among it.
    pub fn holds(&self) -> bool {
        self.manifest.is_some() && !self.checks.iter().any(|check| check.holds == Holds::No)
    }

    /// What does not hold.
    pub fn failing(&self) -> impl Iterator<Item = &DossierCheck> {
        self.checks.iter().filter(|check| check.holds == Holds::No)
    }

    /// The check of a name.
    pub fn check(&self, name: &str) -> Option<&DossierCheck> {
        self.checks.iter().find(|check| check.name == name)
    }

    pub(super) fn add(&mut self, name: impl Into<String>, result: Result<String, String>) -> bool {
        let (holds, detail) = match result {
            Ok(detail) => (Holds::Yes, detail),
            Err(detail) => (Holds::No, detail),
        };
        self.checks.push(DossierCheck { name: name.into(), holds, detail });
        holds == Holds::Yes
    }

    pub(super) fn absent(&mut self, name: &str, detail: &str) {
        let detail = detail.to_owned();
        self.checks.push(DossierCheck { name: name.to_owned(), holds: Holds::Absent, detail });
    }
}
