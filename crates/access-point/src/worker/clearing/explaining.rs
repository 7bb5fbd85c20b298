//! What the codes of the system mean, as it is recorded: in Polish and English, and behind it what
//! the system said. Whoever reads it in another language is told in that one
//! (`quoin_ksef::explain::in_language`).

use quoin_ksef::explain::{CodePlace, recorded};
use quoin_ksef::steps::{Trouble, is_our_defect};

use crate::ksef::explained_own;

/// The reason under which a status of a package is explained.
pub(in crate::worker) const EXPORT_REASON: &str = "export.";

/// The reason under which a status of a session is explained.
pub(super) const SESSION_REASON: &str = "session.";

/// The code of a refusal of everything that was handed over: whose doing it is.
pub(super) fn refusal_code(trouble: &Trouble) -> &'static str {
    let Trouble::Refused(_, problem) = trouble else { return "ksef-refused" };
    let session = problem.reason.as_deref().and_then(|reason| reason.strip_prefix(SESSION_REASON));
    let session = session.and_then(|code| code.parse().ok());
    let is_ours = session.is_some_and(|code| is_our_defect(CodePlace::Session, code))
        || problem.errors.iter().any(|error| is_our_defect(CodePlace::Call, error.code));
    if is_ours { "ksef-defect" } else { "ksef-refused" }
}

/// A code with its meaning, Polish first, and what the system said.
pub(super) fn explained(place: CodePlace, code: &str, said: &str) -> String {
    let out = recorded(place, code).unwrap_or_default();
    match (out.is_empty(), said.is_empty()) {
        (_, true) => out,
        (true, false) => said.to_owned(),
        (false, false) => format!("{out} KSeF {code}: {said}"),
    }
}

/// The same for a trouble before anything was handed over. A system that goes on like that is done
/// without: only then a document goes out in the offline mode.
pub(super) fn explained_upload(trouble: &Trouble) -> String {
    match trouble {
        Trouble::NoAnswer => explained(CodePlace::Http, "500", ""),
        Trouble::Server(status) => explained(CodePlace::Http, "500", &format!("HTTP {status}")),
        other => explained_trouble(other),
    }
}

/// The same for a trouble at any other time.
pub(in crate::worker) fn explained_trouble(trouble: &Trouble) -> String {
    match trouble {
        Trouble::NoAnswer | Trouble::Unreadable => explained_own("unanswered", ""),
        Trouble::Gateway(status) => explained_own("gateway", &format!("HTTP {status}")),
        Trouble::Server(status) => explained_own("unanswered", &format!("HTTP {status}")),
        Trouble::Limited(_) => explained(CodePlace::Http, "429", ""),
        Trouble::Unauthorized => explained(CodePlace::Http, "401", ""),
        Trouble::Refused(status, problem) => {
            let reason = problem.reason.as_deref().unwrap_or_default();
            let line = problem.line();
            if let Some(code) = reason.strip_prefix("auth.") {
                return explained(CodePlace::Auth, code, &problem.detail);
            }
            if let Some(word) = reason.strip_prefix("own.") {
                return explained_own(word, &problem.detail);
            }
            if let Some(code) = reason.strip_prefix(EXPORT_REASON) {
                return explained(CodePlace::Export, code, &problem.detail);
            }
            if let Some(code) = reason.strip_prefix(SESSION_REASON) {
                return explained(CodePlace::Session, code, &problem.detail);
            }
            if !reason.is_empty() {
                return explained(CodePlace::Call, reason, &line);
            }
            match problem.errors.first() {
                Some(error) => explained(CodePlace::Call, &error.code.to_string(), &line),
                None => explained(CodePlace::Http, &status.to_string(), &line),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quoin_ksef::api::{KsefProblem, ProblemError};

    use super::*;

    #[test]
    fn what_this_service_did_wrong_is_not_told_as_the_senders() {
        let session = |code: u16| {
            let reason = Some(format!("{SESSION_REASON}{code}"));
            Trouble::Refused(code, KsefProblem { reason, ..KsefProblem::default() })
        };
        let call = |code: u32| {
            let (description, details) = (String::new(), Vec::new());
            let errors = vec![ProblemError { code, description, details }];
            Trouble::Refused(400, KsefProblem { errors, ..KsefProblem::default() })
        };
        for (trouble, code) in [
            (session(435), "ksef-defect"),
            (session(440), "ksef-refused"),
            (call(21_401), "ksef-defect"),
            (call(21_155), "ksef-refused"),
            (Trouble::Gateway(404), "ksef-refused"),
        ] {
            assert_eq!(refusal_code(&trouble), code, "{trouble:?}");
        }
        assert!(explained_trouble(&session(435)).contains("This service is at fault"));
    }

    /// The offline mode is promised only where it comes.
    #[test]
    fn only_an_upload_that_nobody_answers_is_promised_the_offline_mode() {
        let promises = |text: String| text.contains("offline mode");
        for trouble in [Trouble::NoAnswer, Trouble::Server(500)] {
            let told = explained_upload(&trouble);
            assert!(told.contains("if that goes on, the invoice goes out"), "{told}");
            assert!(promises(told), "{trouble:?}");
            assert!(!promises(explained_trouble(&trouble)), "{trouble:?}");
        }
        for trouble in [Trouble::Unreadable, Trouble::Gateway(404), Trouble::Limited(None)] {
            assert!(!promises(explained_upload(&trouble)), "{trouble:?}");
            assert!(!promises(explained_trouble(&trouble)), "{trouble:?}");
        }
    }
}
