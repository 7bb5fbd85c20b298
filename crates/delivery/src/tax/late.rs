//! What the timeline tells of an authority that does not answer, or answers once more.

use jiff::Timestamp;

use super::{TIMELINE, TaxState, TaxSubject, named};
use crate::decision::TimelineEntry;
use crate::mls::MlsCode;

/// The line that tells that a report was sent as often as it is sent by itself, and nobody
/// answered. `why` says how often.
pub fn unanswered(subject: &TaxSubject, why: &str, now: Timestamp) -> TimelineEntry {
    let to = subject.authority.as_deref().unwrap_or("the authority");
    let what = named(subject);
    line(format!("{what} is with {to}. {why} It can be made once more."), now)
}

/// Whether an answer says something else than the one that put a report into this state.
pub const fn contradicts(state: TaxState, code: MlsCode) -> bool {
    match state {
        TaxState::Accepted => matches!(code, MlsCode::Rejected),
        TaxState::Rejected => !matches!(code, MlsCode::Rejected),
        TaxState::Replaced => true,
        _ => false,
    }
}

/// The line that tells of an answer that came after another one, and says something else. It
/// changes nothing.
pub fn contradicted(
    subject: &TaxSubject,
    state: TaxState,
    (code, words): (MlsCode, &str),
    now: Timestamp,
) -> TimelineEntry {
    let from = subject.authority.as_deref().unwrap_or("the authority");
    let what = named(subject);
    let words = match words.trim().trim_end_matches('.') {
        "" => String::new(),
        words => format!(": {words}"),
    };
    let code = code.as_str();
    let counts = match state {
        TaxState::Replaced => "It changes nothing: another report took its place.".to_owned(),
        state => {
            format!("It changes nothing: the first answer counts, and it is {}.", state.as_str())
        }
    };
    line(format!("{what} was answered once more by {from}, with {code}{words}. {counts}"), now)
}

fn line(description: String, now: Timestamp) -> TimelineEntry {
    TimelineEntry { name: TIMELINE.to_owned(), description, code: None, created_on: now }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_answer_contradicts() {
        for code in MlsCode::ALL {
            let is_refusal = code == MlsCode::Rejected;
            assert_eq!(contradicts(TaxState::Accepted, code), is_refusal);
            assert_eq!(contradicts(TaxState::Rejected, code), !is_refusal);
            assert!(contradicts(TaxState::Replaced, code));
            assert!(!contradicts(TaxState::Sent, code));
        }
    }
}
