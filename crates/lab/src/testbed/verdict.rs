//! What came of a case: passed, failed with everything that helps to fix it, or left out.

use serde::Serialize;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
pub enum Verdict {
    /// What the case asks for was seen.
    Pass {
        /// What was seen, in a few words.
        seen: String,
    },
    /// Something else was seen.
    Fail(Failure),
    /// The case could not be tried.
    Skip {
        /// What is missing for it.
        reason: String,
    },
}

/// What is wrong, and who can fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What should have been seen.
    pub expected: String,
    /// What was seen.
    pub found: String,
    /// Where: an address, a message id, the variant of the message.
    #[serde(rename = "where")]
    pub place: String,
    /// Who can fix it.
    pub fixer: Fixer,
}

/// Who can fix a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fixer {
    /// Whoever operates the access point under test.
    AccessPoint,
    /// Whoever operates its SMP.
    Smp,
    /// Whoever operates its web server or load balancer.
    WebServer,
    /// Whoever runs this testbed: its settings, certificates or addresses.
    Testbed,
}

impl Fixer {
    /// The same in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Fixer::AccessPoint => "the operator of the access point under test",
            Fixer::Smp => "the operator of its SMP",
            Fixer::WebServer => "the operator of its web server or load balancer",
            Fixer::Testbed => "whoever runs this testbed",
        }
    }
}

impl Verdict {
    /// What was seen is what the case asks for.
    pub fn pass(seen: impl Into<String>) -> Verdict {
        Verdict::Pass { seen: seen.into() }
    }

    /// The case could not be tried.
    pub fn skip(reason: impl Into<String>) -> Verdict {
        Verdict::Skip { reason: reason.into() }
    }
}

/// What is wrong on the side of the access point under test.
pub fn wrong(
    expected: impl Into<String>,
    found: impl Into<String>,
    place: impl Into<String>,
) -> Failure {
    let (expected, found, place) = (expected.into(), found.into(), place.into());
    Failure { expected, found, place, fixer: Fixer::AccessPoint }
}

impl Failure {
    /// The same, to be fixed by somebody else.
    #[must_use]
    pub fn by(self, fixer: Fixer) -> Failure {
        Failure { fixer, ..self }
    }
}

impl From<Result<String, Failure>> for Verdict {
    fn from(result: Result<String, Failure>) -> Verdict {
        match result {
            Ok(seen) => Verdict::Pass { seen },
            Err(failure) => Verdict::Fail(failure),
        }
    }
}
