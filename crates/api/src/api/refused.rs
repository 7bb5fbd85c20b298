//! What enrolment and the store refuse, a disk without room and a store out of reach, as problems
//! with codes of their own.

use axum::http::header::RETRY_AFTER;
use quoin_access_point::disk::Disk;
use quoin_access_point::enrolment::{EnrolmentError, code_of, sentence_of};
use quoin_store::{Error, Fault};

use crate::http::{Problem, codes, sentences};

/// After how many seconds a caller may come again that found no room on the disk.
const AGAIN: &str = "60";
/// The same of one that found the store out of reach.
const SOON: &str = "10";

/// Asks whether something new may be taken.
///
/// # Errors
/// API503 with a time to come again.
pub(super) fn room(disk: &Disk) -> Result<(), Problem> {
    if disk.has_room() { Ok(()) } else { Err(full()) }
}

fn full() -> Problem {
    let problem = Problem::new(&codes::UNAVAILABLE, sentences::NO_DISK.with([]));
    problem.header(RETRY_AFTER, AGAIN)
}

/// Another process holds the store, it is not where it was, it has no memory, a file cannot be
/// written, or the service is ending.
fn out_of_reach(error: &Error) -> Problem {
    tracing::error!(%error, "a request found the store out of reach");
    Problem::new(&codes::UNAVAILABLE, sentences::NO_STORE.with([])).header(RETRY_AFTER, SOON)
}

/// The problem of a refusal that says the same wherever it arises.
pub(super) fn problem(error: &Error) -> Option<Problem> {
    let refusal = match error {
        Error::Refusal(refusal) => refusal,
        Error::Fault(Fault::Full { .. }) => return Some(full()),
        Error::Fault(
            Fault::Busy { .. } | Fault::Replaced { .. } | Fault::NoMemory { .. } | Fault::Closed,
        ) => return Some(out_of_reach(error)),
        Error::Fault(fault) if fault.is_unwritten() => return Some(out_of_reach(error)),
        Error::Fault(Fault::Lost { .. }) => {
            tracing::error!(%error, "a document cannot be read");
            return Some(Problem::new(&codes::FAULT, sentences::FILE_LOST.with([])));
        }
        Error::Fault(_) => return None,
    };
    let code = codes::find(code_of(refusal)?)?;
    Some(Problem::new(code, sentence_of(refusal)))
}

impl From<EnrolmentError> for Problem {
    fn from(error: EnrolmentError) -> Problem {
        match error {
            EnrolmentError::NoParticipant { found, cause } => {
                let detail = sentences::PARTY_ID.with([("found", &found), ("cause", &cause)]);
                Problem::new(&codes::BAD_PARTY_ID, detail)
            }
            EnrolmentError::Store(error) => error.into(),
            EnrolmentError::Fault(cause) => Problem::fault(cause),
            refused => match codes::find(refused.code()) {
                Some(code) => Problem::new(code, refused.to_string()),
                None => Problem::fault(refused),
            },
        }
    }
}
