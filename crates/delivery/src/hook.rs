//! What follows a try of a webhook call: delivered, tried again, or given up. Calls have their own
//! schedule and their own rules; a document's status never depends on them (conventions A8, D).

use jiff::{SignedDuration, Timestamp};

use crate::retry::Schedule;

/// How a webhook call was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAnswer {
    /// The destination answered with this HTTP status; redirects are not followed.
    Http {
        /// The status.
        status: u16,
        /// `Retry-After`, if the answer had one.
        retry_after: Option<SignedDuration>,
    },
    /// No answer: name, connection, TLS, time-out, or an address the SSRF guard does not allow.
    None {
        /// What happened.
        cause: String,
    },
}

/// What to do after a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookDecision {
    /// Any 2xx: the event was taken.
    Delivered,
    /// Try again then, with a fresh `sentOn` and signature.
    Retry {
        /// When.
        at: Timestamp,
    },
    /// Given up.
    Stopped {
        /// Why, one sentence.
        reason: String,
        /// 410 Gone: the hook itself is switched off.
        disable_hook: bool,
    },
}

/// Decides what follows try `attempt` (from 1) of a hook call. 2xx is delivered, 410 switches the
/// hook off, anything else is tried again as long as the schedule lasts; 429 and 503 may ask for a
/// longer wait. `spread` in `0..1` places the next try in the jitter band.
pub fn decide_hook(
    attempt: u32,
    answer: &HookAnswer,
    schedule: &Schedule,
    now: Timestamp,
    spread: f64,
) -> HookDecision {
    let (seen, asked) = match answer {
        HookAnswer::Http { status: 200..=299, .. } => return HookDecision::Delivered,
        HookAnswer::Http { status: 410, .. } => {
            let reason = "the destination answered 410 Gone and asks for no more calls".to_owned();
            return HookDecision::Stopped { reason, disable_hook: true };
        }
        HookAnswer::Http { status, retry_after } => {
            let asked = retry_after.filter(|_| matches!(status, 429 | 503));
            (format!("the destination answered {status}"), asked)
        }
        HookAnswer::None { cause } => (cause.clone(), None),
    };
    match schedule.next(attempt, now, spread, asked) {
        Some(at) => HookDecision::Retry { at },
        None => HookDecision::Stopped {
            reason: format!("given up after {attempt} tries; at the last, {seen}"),
            disable_hook: false,
        },
    }
}

#[cfg(test)]
mod tests;
