//! What the codes of the system mean, as it is recorded: in Polish and English, and behind it what
//! the system said. Whoever reads it in another language is told in that one
//! (`quoin_ksef::explain::in_language`).

use quoin_ksef::explain::{CodePlace, recorded};
use quoin_ksef::steps::Trouble;

use crate::ksef::explained_own;

/// The reason under which a status of a package is explained.
pub(in crate::worker) const EXPORT_REASON: &str = "export.";

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
    use super::*;

    /// The offline mode is promised only where it comes.
    #[test]
    fn only_an_upload_that_nobody_answers_is_promised_the_offline_mode() {
        let promises = |text: String| text.contains("offline mode");
        for trouble in [Trouble::NoAnswer, Trouble::Server(500)] {
            assert!(promises(explained_upload(&trouble)), "{trouble:?}");
            assert!(!promises(explained_trouble(&trouble)), "{trouble:?}");
        }
        for trouble in [Trouble::Unreadable, Trouble::Gateway(404), Trouble::Limited(None)] {
            assert!(!promises(explained_upload(&trouble)), "{trouble:?}");
            assert!(!promises(explained_trouble(&trouble)), "{trouble:?}");
        }
    }
}
