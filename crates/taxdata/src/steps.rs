//! What becomes of a report: states, events, and what is to be done. Total: an event that does not
//! belong to a state changes nothing.
//!
//! ```text
//!              sent            accepted
//! Unreported ──────► Sent ───────────────► Accepted ── invoice refused, asked ──► Disregarding
//!                      │ rejected                                                      │ sent
//!                      ▼            asked             sent                             ▼
//!                  Rejected ──────────► Resubmitting ──────► Resubmitted          DisregardSent
//!                      ▲                                  │ rejected                   │ accepted
//!                      └──────────────────────────────────┘                            ▼
//!                                                                                 Disregarded
//! ```
//! Sources: solution architecture of Oman (the most explicit text on refusals and silence); ViDA
//! pilot methodology; Peppol message level status 1.0.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::assumed::REPEATS;
use crate::regime::{Regime, TaxSubmission};

/// Where a report stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaxReportState {
    /// The invoice was exchanged, and nothing of it has been told yet.
    Unreported,
    /// The invoice lacks what a report has to have; it has to be corrected by its issuer.
    Unreportable,
    /// A report was sent, and the authority has not answered.
    Sent,
    /// The authority took it.
    Accepted,
    /// The authority did not take it.
    Rejected,
    /// A report that replaces a rejected one is to be sent.
    Resubmitting,
    /// It was sent.
    Resubmitted,
    /// The invoice did not take effect, and the report is to be taken back.
    Disregarding,
    /// The taking back was sent.
    DisregardSent,
    /// The authority knows that there is nothing to report.
    Disregarded,
}

impl TaxReportState {
    /// Every state.
    pub const ALL: [TaxReportState; 10] = [
        TaxReportState::Unreported,
        TaxReportState::Unreportable,
        TaxReportState::Sent,
        TaxReportState::Accepted,
        TaxReportState::Rejected,
        TaxReportState::Resubmitting,
        TaxReportState::Resubmitted,
        TaxReportState::Disregarding,
        TaxReportState::DisregardSent,
        TaxReportState::Disregarded,
    ];

    /// Its stable name, as the interface and the store write it.
    pub fn as_str(self) -> &'static str {
        match self {
            TaxReportState::Unreported => "unreported",
            TaxReportState::Unreportable => "unreportable",
            TaxReportState::Sent => "sent",
            TaxReportState::Accepted => "accepted",
            TaxReportState::Rejected => "rejected",
            TaxReportState::Resubmitting => "resubmitting",
            TaxReportState::Resubmitted => "resubmitted",
            TaxReportState::Disregarding => "disregarding",
            TaxReportState::DisregardSent => "disregardSent",
            TaxReportState::Disregarded => "disregarded",
        }
    }

    /// The state of a name.
    pub fn named(name: &str) -> Option<TaxReportState> {
        TaxReportState::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Whether the authority has not (yet) taken what it has to be told: what a list of the
    /// unreported has, and whose deadline is watched.
    pub fn is_open(self) -> bool {
        !matches!(self, TaxReportState::Accepted | TaxReportState::Disregarded)
    }

    /// Whether an answer of the authority is awaited.
    pub fn awaits_answer(self) -> bool {
        matches!(
            self,
            TaxReportState::Sent | TaxReportState::Resubmitted | TaxReportState::DisregardSent
        )
    }

    /// What is to be sent in this state, if something is.
    pub fn to_send(self) -> Option<TaxSubmission> {
        match self {
            TaxReportState::Unreported => Some(TaxSubmission::Submit),
            TaxReportState::Resubmitting => Some(TaxSubmission::Resubmit),
            TaxReportState::Disregarding => Some(TaxSubmission::Disregard),
            _ => None,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaxReportEvent {
    /// The message is with corner 5 (its receipt is here).
    Transmitted,
    /// It could not be brought there for good: no registration, or all attempts failed.
    NotTransmitted,
    /// The invoice lacks terms.
    LacksTerms,
    /// The answer is `AP`: accepted.
    AnsweredAccepted,
    /// The answer is `AB`: the message is there, and what becomes of it will be told.
    AnsweredAcknowledged,
    /// The answer is `RE`: rejected.
    AnsweredRejected,
    /// There was no answer in time. The number of repeats so far.
    Silence {
        /// How often the message was repeated.
        repeats: u32,
    },
    /// The provider of the receiver refused the invoice (corner 3's negative status), or it could
    /// not be delivered.
    InvoiceRefused,
    /// Somebody asks that it is sent again.
    ResubmitAsked,
    /// Somebody asks that it is taken back.
    DisregardAsked,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaxReportStep {
    /// Make a report of this kind, with a UUID of its own, and send it.
    Send(TaxSubmission),
    /// Send the same message again: the same bytes, in another envelope.
    Repeat,
    /// The event TaxReportSent.
    TellSent,
    /// The event TaxReportAccepted.
    TellAccepted,
    /// The event TaxReportRejected.
    TellRejected,
    /// Somebody has to look: it is not reported, and nothing will happen by itself.
    Alarm,
}

/// Why something that was asked is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepRefusal {
    /// An answer is awaited: what is under way cannot be overtaken.
    UnderWay,
    /// The authority took it: there is nothing to send again.
    AlreadyAccepted,
    /// It was taken back.
    AlreadyDisregarded,
    /// Nothing was told, so nothing can be taken back.
    NothingTold,
}

/// A state that follows, and what is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepDecision {
    /// The state from now on.
    pub state: TaxReportState,
    /// What is to be done, in this order.
    pub steps: Vec<TaxReportStep>,
    /// Why what was asked is not done; the state is then as it was.
    pub refusal: Option<StepRefusal>,
}

impl StepDecision {
    fn new(state: TaxReportState, steps: &[TaxReportStep]) -> StepDecision {
        StepDecision { state, steps: steps.to_vec(), refusal: None }
    }

    fn refused(state: TaxReportState, refusal: StepRefusal) -> StepDecision {
        StepDecision { state, steps: Vec::new(), refusal: Some(refusal) }
    }
}

/// What follows from an event in a state.
pub fn decide(regime: Regime, state: TaxReportState, event: TaxReportEvent) -> StepDecision {
    match event {
        TaxReportEvent::Transmitted => transmitted(state),
        TaxReportEvent::NotTransmitted => match state.to_send() {
            Some(_) => StepDecision::new(state, &[TaxReportStep::Alarm]),
            None => StepDecision::new(state, &[]),
        },
        TaxReportEvent::LacksTerms => match state {
            TaxReportState::Unreported | TaxReportState::Resubmitting => StepDecision::new(
                TaxReportState::Unreportable,
                &[TaxReportStep::TellRejected, TaxReportStep::Alarm],
            ),
            _ => StepDecision::new(state, &[]),
        },
        TaxReportEvent::AnsweredAccepted => accepted(state),
        TaxReportEvent::AnsweredAcknowledged => StepDecision::new(state, &[]),
        TaxReportEvent::AnsweredRejected => rejected(state),
        TaxReportEvent::Silence { repeats } => match state.awaits_answer() {
            true if repeats < REPEATS => StepDecision::new(state, &[TaxReportStep::Repeat]),
            true => StepDecision::new(state, &[TaxReportStep::Alarm]),
            false => StepDecision::new(state, &[]),
        },
        TaxReportEvent::InvoiceRefused => invoice_refused(regime, state),
        TaxReportEvent::ResubmitAsked => resubmit(state),
        TaxReportEvent::DisregardAsked => disregard(state),
    }
}

fn transmitted(state: TaxReportState) -> StepDecision {
    let next = match state {
        TaxReportState::Unreported => TaxReportState::Sent,
        TaxReportState::Resubmitting => TaxReportState::Resubmitted,
        TaxReportState::Disregarding => TaxReportState::DisregardSent,
        // A repeated message.
        other => return StepDecision::new(other, &[]),
    };
    StepDecision::new(next, &[TaxReportStep::TellSent])
}

/// An answer may overtake the receipt of its own message, so it counts in the state before, too.
fn accepted(state: TaxReportState) -> StepDecision {
    let tell = &[TaxReportStep::TellAccepted];
    match state {
        TaxReportState::Unreported | TaxReportState::Resubmitting => StepDecision::new(
            TaxReportState::Accepted,
            &[TaxReportStep::TellSent, TaxReportStep::TellAccepted],
        ),
        TaxReportState::Sent | TaxReportState::Resubmitted => {
            StepDecision::new(TaxReportState::Accepted, tell)
        }
        TaxReportState::DisregardSent | TaxReportState::Disregarding => {
            StepDecision::new(TaxReportState::Disregarded, tell)
        }
        // After no, a yes to the same message: the authority looked again.
        TaxReportState::Rejected => StepDecision::new(TaxReportState::Accepted, tell),
        TaxReportState::Unreportable | TaxReportState::Accepted | TaxReportState::Disregarded => {
            StepDecision::new(state, &[])
        }
    }
}

fn rejected(state: TaxReportState) -> StepDecision {
    let tell = &[TaxReportStep::TellRejected];
    match state {
        TaxReportState::Unreported | TaxReportState::Resubmitting => StepDecision::new(
            TaxReportState::Rejected,
            &[TaxReportStep::TellSent, TaxReportStep::TellRejected],
        ),
        TaxReportState::Sent | TaxReportState::Resubmitted => {
            StepDecision::new(TaxReportState::Rejected, tell)
        }
        // What was told stands; that it does not hold was not taken.
        TaxReportState::DisregardSent | TaxReportState::Disregarding => StepDecision::new(
            TaxReportState::Rejected,
            &[TaxReportStep::TellRejected, TaxReportStep::Alarm],
        ),
        TaxReportState::Unreportable
        | TaxReportState::Rejected
        | TaxReportState::Accepted
        | TaxReportState::Disregarded => StepDecision::new(state, &[]),
    }
}

/// The invoice did not take effect: what was told is taken back; what was not told never is. The
/// Emirates want to know of a transmission that failed in every case.
fn invoice_refused(regime: Regime, state: TaxReportState) -> StepDecision {
    match state {
        TaxReportState::Unreported | TaxReportState::Unreportable => {
            let steps: &[TaxReportStep] = match regime {
                Regime::Emirates => &[TaxReportStep::Send(TaxSubmission::FailedTransmission)],
                _ => &[],
            };
            StepDecision::new(TaxReportState::Disregarded, steps)
        }
        TaxReportState::Sent
        | TaxReportState::Accepted
        | TaxReportState::Resubmitting
        | TaxReportState::Resubmitted => StepDecision::new(
            TaxReportState::Disregarding,
            &[TaxReportStep::Send(TaxSubmission::Disregard)],
        ),
        // The authority has not taken it, so there is nothing to take back.
        TaxReportState::Rejected => StepDecision::new(TaxReportState::Disregarded, &[]),
        TaxReportState::Disregarding
        | TaxReportState::DisregardSent
        | TaxReportState::Disregarded => StepDecision::new(state, &[]),
    }
}

fn resubmit(state: TaxReportState) -> StepDecision {
    match state {
        TaxReportState::Unreported | TaxReportState::Unreportable => StepDecision::new(
            TaxReportState::Unreported,
            &[TaxReportStep::Send(TaxSubmission::Submit)],
        ),
        TaxReportState::Rejected => StepDecision::new(
            TaxReportState::Resubmitting,
            &[TaxReportStep::Send(TaxSubmission::Resubmit)],
        ),
        TaxReportState::Resubmitting => {
            StepDecision::new(state, &[TaxReportStep::Send(TaxSubmission::Resubmit)])
        }
        TaxReportState::Sent | TaxReportState::Resubmitted => {
            StepDecision::refused(state, StepRefusal::UnderWay)
        }
        TaxReportState::Disregarding | TaxReportState::DisregardSent => {
            StepDecision::refused(state, StepRefusal::UnderWay)
        }
        TaxReportState::Accepted => StepDecision::refused(state, StepRefusal::AlreadyAccepted),
        TaxReportState::Disregarded => {
            StepDecision::refused(state, StepRefusal::AlreadyDisregarded)
        }
    }
}

fn disregard(state: TaxReportState) -> StepDecision {
    match state {
        TaxReportState::Accepted | TaxReportState::Sent | TaxReportState::Resubmitted => {
            StepDecision::new(
                TaxReportState::Disregarding,
                &[TaxReportStep::Send(TaxSubmission::Disregard)],
            )
        }
        TaxReportState::Disregarding => {
            StepDecision::new(state, &[TaxReportStep::Send(TaxSubmission::Disregard)])
        }
        TaxReportState::Rejected | TaxReportState::Resubmitting => StepDecision::new(
            TaxReportState::Disregarding,
            &[TaxReportStep::Send(TaxSubmission::Disregard)],
        ),
        TaxReportState::DisregardSent => StepDecision::refused(state, StepRefusal::UnderWay),
        TaxReportState::Disregarded => {
            StepDecision::refused(state, StepRefusal::AlreadyDisregarded)
        }
        TaxReportState::Unreported | TaxReportState::Unreportable => {
            StepDecision::refused(state, StepRefusal::NothingTold)
        }
    }
}
