//! What came of a case: passed, failed with everything that helps to fix it, or left out.

use serde::Serialize;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
pub enum CaseVerdict {
    /// What the case asks for was seen.
    Pass {
        /// What was seen, in a few words.
        seen: String,
    },
    /// Something else was seen.
    Fail(CaseFailure),
    /// The case could not be tried.
    Skip {
        /// What is missing for it.
        reason: String,
    },
}

/// What is wrong, and who can fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseFailure {
    /// What should have been seen.
    pub expected: String,
    /// What was seen.
    pub found: String,
    /// Where: an address, a message id, the variant of the message.
    #[serde(rename = "where")]
    pub place: String,
    /// Who can fix it.
    pub fixer: CaseFixer,
}

/// Who can fix a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseFixer {
    /// Whoever operates the access point under test.
    AccessPoint,
    /// Whoever operates its SMP.
    Smp,
    /// Whoever operates its web server or load balancer.
    WebServer,
    /// Whoever runs this testbed: its settings, certificates or addresses.
    Testbed,
}

impl CaseFixer {
    /// The same in words.
    pub fn as_str(self) -> &'static str {
        match self {
            CaseFixer::AccessPoint => "the operator of the access point under test",
            CaseFixer::Smp => "the operator of its SMP",
            CaseFixer::WebServer => "the operator of its web server or load balancer",
            CaseFixer::Testbed => "whoever runs this testbed",
        }
    }
}

impl CaseVerdict {
    /// What was seen is what the case asks for.
    pub fn pass(seen: impl Into<String>) -> CaseVerdict {
        CaseVerdict::Pass { seen: seen.into() }
    }

    /// The case could not be tried.
    pub fn skip(reason: impl Into<String>) -> CaseVerdict {
        CaseVerdict::Skip { reason: reason.into() }
    }
}

/// What is wrong on the side of the access point under test.
pub fn wrong(
    expected: impl Into<String>,
    found: impl Into<String>,
    place: impl Into<String>,
) -> CaseFailure {
    let (expected, found, place) = (expected.into(), found.into(), place.into());
    CaseFailure { expected, found, place, fixer: CaseFixer::AccessPoint }
}

impl CaseFailure {
    /// The same, to be fixed by somebody else.
    #[must_use]
    pub fn by(self, fixer: CaseFixer) -> CaseFailure {
        CaseFailure { fixer, ..self }
    }
}

impl From<Result<String, CaseFailure>> for CaseVerdict {
    fn from(result: Result<String, CaseFailure>) -> CaseVerdict {
        match result {
            Ok(seen) => CaseVerdict::Pass { seen },
            Err(failure) => CaseVerdict::Fail(failure),
        }
    }
}
