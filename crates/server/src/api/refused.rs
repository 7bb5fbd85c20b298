//! What the store refuses, as problems with codes of their own.

use quoin_store::{Error, Refusal};

use crate::http::{Problem, codes};

/// The code of a refusal, for what is recorded of it.
pub(crate) fn code(refusal: &Refusal) -> &'static str {
    problem(&Error::Refusal(refusal.clone())).map_or(codes::FAULT.id, |problem| problem.code.id)
}

/// The problem of a refusal that says the same wherever it arises.
pub(super) fn problem(error: &Error) -> Option<Problem> {
    let Error::Refusal(refusal) = error else { return None };
    let code = match refusal {
        Refusal::NotFound { what: "user", .. } => &codes::NO_USER,
        Refusal::NotFound { what: "job", .. } => &codes::NO_JOB,
        Refusal::NotFound { what: "client", .. } => &codes::NO_CLIENT,
        Refusal::NotFound { what: "party", .. } => &codes::FORBIDDEN_PARTY,
        Refusal::NotFound { what: "registration", .. } => &codes::NOT_REGISTERED,
        Refusal::Taken { what: "participant" | "identifier", .. } => &codes::PARTICIPANT_TAKEN,
        Refusal::NotFound { what: "service group" | "document type" | "business card", .. } => {
            &codes::NO_RECORD
        }
        Refusal::Held { .. } => &codes::HELD_RECORD,
        Refusal::Taken { what: "hook", .. } => &codes::BAD_HOOK,
        Refusal::Taken { what: "job", .. } => &codes::JOB_CONFLICT,
        Refusal::NotNow(_) | Refusal::TooMany { .. } => &codes::JOB_CONFLICT,
        Refusal::Taken { .. } => &codes::NAME_TAKEN,
        Refusal::Unlinked { .. } => &codes::NO_LINKED_USER,
        Refusal::Unverified { .. } => &codes::NOT_VERIFIED,
        Refusal::Changed { .. } => &codes::CHANGED,
        _ => return None,
    };
    if let Refusal::Unverified { party } = refusal {
        let detail = format!(
            "there is no end-user verification of {party} on record: give one as \
             services.peppol.verification of an enrolment, or as verification of the configuration \
             of the party"
        );
        return Some(Problem::new(code, detail));
    }
    Some(Problem::new(code, refusal.to_string()))
}
