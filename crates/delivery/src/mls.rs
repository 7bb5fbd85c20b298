//! Message Level Status: what the receiving provider (corner 3) owes the sending one (corner 2)
//! about a document, and when. Exactly one status is given for a document, so it is given when the
//! outcome is final, or when the sender has waited long enough for one.
//!
//! Sources: Peppol MLS 1.0 with its rules SCH-MLS-19 to 31; Peppol Network Policy 1.0, MLS-3 and
//! MLS-4.

use jiff::{SignedDuration, Timestamp};
use quoin_identity::{StatusKind, is_report, status_of};
use quoin_peppol::identifiers::DocumentTypeId;

use crate::clock::still_counts;

/// Issues that one status tells at most; the rest are counted in the last one.
pub const ISSUES: usize = 100;
/// Characters of the text of one issue at most.
pub const TEXT: usize = 1_000;
/// Where an issue is about the document as a whole (MLS 1.0, `cbc:LineID`).
pub const WHOLE_DOCUMENT: &str = "NA";

/// Whether a document of this type is answered with a status at all. Never a status of either
/// generation, or two providers would answer each other for ever, nor a report of a provider about
/// itself.
pub fn is_answered(document_type: &DocumentTypeId) -> bool {
    status_of(document_type) != Some(StatusKind::MessageLevel) && !is_report(document_type)
}

/// What became of a document (MLS 1.0, code list of response codes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MlsCode {
    /// It is with its receiver, who took it.
    Accepted,
    /// It was handed over, and nobody can tell whether the receiver took it.
    HandedOver,
    /// It will not reach its receiver as it is.
    Rejected,
}

impl MlsCode {
    /// Every code.
    pub const ALL: [MlsCode; 3] = [MlsCode::Accepted, MlsCode::HandedOver, MlsCode::Rejected];

    /// The code as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            MlsCode::Accepted => "AP",
            MlsCode::HandedOver => "AB",
            MlsCode::Rejected => "RE",
        }
    }

    /// The code of this word, if there is one. Case counts.
    pub fn named(word: &str) -> Option<MlsCode> {
        MlsCode::ALL.into_iter().find(|code| code.as_str() == word)
    }

    /// What it means, one sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            MlsCode::Accepted => "The document is with its receiver.",
            MlsCode::HandedOver => "The document was handed over without a confirmation.",
            MlsCode::Rejected => "The document was rejected.",
        }
    }
}

/// What an issue is (MLS 1.0, code list of status reasons).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatusReason {
    /// The document does not have the structure of its type.
    Syntax,
    /// It breaks a rule.
    Rule,
    /// It is worth fixing.
    Warning,
    /// It could not be delivered to corner 4.
    Delivery,
}

impl StatusReason {
    /// Every reason.
    pub const ALL: [StatusReason; 4] =
        [StatusReason::Syntax, StatusReason::Rule, StatusReason::Warning, StatusReason::Delivery];

    /// The code as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            StatusReason::Syntax => "SV",
            StatusReason::Rule => "BV",
            StatusReason::Warning => "BW",
            StatusReason::Delivery => "FD",
        }
    }

    /// The reason of this code, if there is one. Case counts.
    pub fn named(word: &str) -> Option<StatusReason> {
        StatusReason::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Whether a document with such an issue is rejected (SCH-MLS-24, 25).
    pub const fn rejects(self) -> bool {
        !matches!(self, StatusReason::Warning)
    }
}

/// One issue of a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// What it is.
    pub reason: StatusReason,
    /// Where: an XPath; `None` for the document as a whole.
    pub place: Option<String>,
    /// The rule and what is wrong.
    pub text: String,
}

impl Issue {
    /// The issue of a rule at a place.
    pub fn of_rule(reason: StatusReason, rule: &str, place: Option<&str>, text: &str) -> Issue {
        let text = format!("[{rule}] {text}").chars().take(TEXT).collect();
        Issue { reason, place: place.filter(|place| !place.is_empty()).map(str::to_owned), text }
    }
}

/// How far a document is on its way from corner 3 to corner 4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandOver {
    /// It lies ready, and nobody has taken it yet.
    Ready,
    /// It left by a way that does not confirm, such as mail.
    Left,
    /// Its receiver took it: a webhook answered yes, or it was downloaded.
    Taken,
    /// It will not get there; the sentence says why.
    Failed(String),
}

/// What there is to decide on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusQuestion {
    /// Whether the sender wants positive statuses too (`MLS_TYPE` is `ALWAYS_SEND`).
    pub wants_positive: bool,
    /// M1, the `eb:Timestamp` of the message that brought the document.
    pub sent_on: Timestamp,
    /// When the message came.
    pub arrived_on: Timestamp,
    /// What the document was found to have.
    pub issues: Vec<Issue>,
    /// Whether a rule set has judged it. Without one it is never said to be accepted: what was
    /// handed over unseen is AB ("acknowledging"; MLS 1.0, code list of response codes).
    pub is_judged: bool,
    /// How far it is.
    pub hand_over: HandOver,
    /// How long after M1 a confirmation is waited for.
    pub patience: SignedDuration,
}

impl StatusQuestion {
    /// Until when a confirmation is waited for. No message was made after it came: where it says so
    /// its sender's clock is ahead, and the time of its arrival stands in.
    fn until(&self) -> Timestamp {
        let sent_on = self.sent_on.min(self.arrived_on);
        sent_on.saturating_add(self.patience).unwrap_or(Timestamp::MAX)
    }
}

/// A status that is to be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwedStatus {
    /// What became of the document.
    pub code: MlsCode,
    /// The issues; at least one that rejects where the code is RE, and none otherwise.
    pub issues: Vec<Issue>,
}

/// What to do about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusDecision {
    /// Give this status, now and for good.
    Give(OwedStatus),
    /// Look again at this time, or when something happens.
    Wait(Option<Timestamp>),
    /// Nothing is owed any more: it arrived, and the sender asked for failures only.
    Settled,
}

/// Decides about a document that has no status yet.
pub fn decide(question: &StatusQuestion, now: Timestamp) -> StatusDecision {
    let StatusQuestion { wants_positive, issues, hand_over, is_judged, .. } = question;
    if issues.iter().any(|issue| issue.reason.rejects()) {
        return StatusDecision::Give(given(MlsCode::Rejected, issues));
    }
    let positive = |code| match wants_positive {
        true => StatusDecision::Give(given(code, issues)),
        false => StatusDecision::Settled,
    };
    match hand_over {
        HandOver::Failed(why) => {
            let text = why.chars().take(TEXT).collect();
            let failure = Issue { reason: StatusReason::Delivery, place: None, text };
            let mut all = vec![failure];
            all.extend(issues.iter().cloned());
            StatusDecision::Give(given(MlsCode::Rejected, &all))
        }
        HandOver::Taken if *is_judged => positive(MlsCode::Accepted),
        HandOver::Taken => positive(MlsCode::HandedOver),
        HandOver::Left => positive(MlsCode::HandedOver),
        HandOver::Ready if !wants_positive => StatusDecision::Wait(None),
        // What came by a clock of ours that was ahead is not waited for until then.
        HandOver::Ready => match question.until() {
            until if still_counts(until, now, question.patience) => {
                StatusDecision::Wait(Some(until))
            }
            _ => positive(MlsCode::HandedOver),
        },
    }
}

/// The issues that fit, those that reject first.
fn given(code: MlsCode, issues: &[Issue]) -> OwedStatus {
    let mut issues = issues.to_vec();
    issues.sort_by_key(|issue| !issue.reason.rejects());
    let more = issues.len().saturating_sub(ISSUES);
    issues.truncate(ISSUES);
    if let (Some(last), true) = (issues.last_mut(), more > 0) {
        last.text = format!("{} (and {more} more)", last.text);
    }
    OwedStatus { code, issues }
}

#[cfg(test)]
mod tests;
