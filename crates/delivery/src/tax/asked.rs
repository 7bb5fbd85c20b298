//! What people may ask of a report: another one in its place, or that it is taken back.

use quoin_taxdata::assumed::REPEATS;

use super::{TaxAct, TaxState};

/// A report of which something is asked, as far as that depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedReport {
    /// What it is to the authority.
    pub act: TaxAct,
    /// Where it is.
    pub state: TaxState,
    /// Messages that carried it so far.
    pub messages: u32,
    /// Whether it is on record that the time for an answer to the last of them is over.
    pub told_unanswered: bool,
}

impl AskedReport {
    /// Whether its authority has answered none of its messages in its time, and no other one is
    /// sent. Until that time is over, the last one may still be taken.
    pub fn is_unanswered(&self) -> bool {
        self.state == TaxState::Sent && self.messages > REPEATS && self.told_unanswered
    }

    /// What a report has to be that takes the place of this one, where a person asks for another
    /// one; `None` where the authority may still take it, or has taken it.
    pub fn again(&self) -> Option<TaxAct> {
        match (self.state, self.act) {
            (TaxState::Rejected, TaxAct::Undelivered) => Some(TaxAct::Undelivered),
            (TaxState::Rejected, _) => Some(TaxAct::Resubmit),
            // The authority never saw it: it is what it was.
            (TaxState::Failed, act) => Some(act),
            // Nobody knows whether the authority saw it, and it did not reject it.
            (TaxState::Sent, act) => self.is_unanswered().then_some(act),
            _ => None,
        }
    }

    /// Whether what was reported can be taken back.
    pub fn can_be_disregarded(&self) -> bool {
        let is_there = matches!(self.state, TaxState::Sent | TaxState::Accepted);
        is_there && !self.act.is_without_invoice()
    }
}

/// Why a wish about a report of an act cannot be fulfilled: what would have to be so.
pub fn why_not(wish: TaxAct, of: TaxAct) -> &'static str {
    match (wish, of) {
        (TaxAct::Disregard, TaxAct::Disregard) => {
            "it takes back another report, and nothing takes that back: an invoice that counts \
             after all is a new one"
        }
        (TaxAct::Disregard, TaxAct::Undelivered) => {
            "it says that the invoice could not be sent, and nothing takes that back"
        }
        (TaxAct::Disregard, _) => "only what was sent or accepted can",
        _ => {
            "only one that is rejected or failed can, or one that is sent and whose authority \
             answered none of its messages in its time, however often it was sent"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(state: TaxState, act: TaxAct) -> AskedReport {
        AskedReport { act, state, messages: 1, told_unanswered: true }
    }

    #[test]
    fn what_a_person_may_ask_for_depends_on_what_the_authority_has() {
        let again = |state, act| report(state, act).again();
        assert_eq!(again(TaxState::Rejected, TaxAct::Submit), Some(TaxAct::Resubmit));
        assert_eq!(again(TaxState::Failed, TaxAct::Submit), Some(TaxAct::Submit));
        assert_eq!(again(TaxState::Failed, TaxAct::Disregard), Some(TaxAct::Disregard));
        for state in [TaxState::Due, TaxState::Sending, TaxState::Sent, TaxState::Accepted] {
            assert_eq!(again(state, TaxAct::Submit), None);
        }
        let can = |state, act| report(state, act).can_be_disregarded();
        assert!(can(TaxState::Accepted, TaxAct::Submit));
        assert!(!can(TaxState::Accepted, TaxAct::Disregard));
        assert!(!can(TaxState::Rejected, TaxAct::Submit));
    }

    #[test]
    fn one_that_nobody_answers_can_be_made_once_more_after_its_last_message() {
        for act in TaxAct::ALL {
            let last = AskedReport { messages: REPEATS + 1, ..report(TaxState::Sent, act) };
            assert_eq!(last.again(), Some(act));
            let may_be_answered = AskedReport { told_unanswered: false, ..last };
            let repeated = AskedReport { messages: REPEATS, ..last };
            let accepted = AskedReport { state: TaxState::Accepted, ..last };
            assert_eq!([may_be_answered, repeated, accepted].map(|one| one.again()), [None; 3]);
        }
    }

    #[test]
    fn each_no_says_what_would_have_to_be_so() {
        let why = |act| why_not(TaxAct::Disregard, act);
        assert!(why(TaxAct::Disregard).starts_with("it takes back another report"));
        assert!(why(TaxAct::Undelivered).contains("could not be sent"));
        assert!(why(TaxAct::Submit).contains("sent or accepted"));
        let again = why_not(TaxAct::Resubmit, TaxAct::Submit);
        assert!(again.contains("rejected or failed"));
    }
}
