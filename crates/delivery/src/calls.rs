//! What follows a try of a hook's call: delivered, tried again, or given up, and what is told of
//! it. Calls have their own schedule and their own rules; a document's status never depends on them
//! (conventions A8, D).

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::decision::Notice;
use crate::hook::{ActionKind, Output, published};
use crate::retry::RetryPolicy;
use crate::topics::Topic;

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
    /// A final no without an HTTP status, such as that of a mail server.
    Refused {
        /// Who said what.
        cause: String,
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
        /// Whether it steps aside, so that later calls of its lane go first.
        aside: bool,
    },
    /// Given up.
    Stopped {
        /// Why, one sentence.
        reason: String,
        /// Whether the hook itself is switched off: 410 Gone, or days without one success.
        disable_hook: bool,
    },
}

/// A try of a call, as far as decisions look at it.
#[derive(Debug, Clone, Copy)]
pub struct CallAttempt<'a> {
    /// Which try of the call, from 1.
    pub attempt: u32,
    /// Since when the hook fails without one success in between; none: its last call succeeded.
    pub failing_since: Option<Timestamp>,
    /// How it was answered.
    pub answer: &'a HookAnswer,
}

/// Decides what follows a try. 2xx is delivered, 410 switches the hook off, anything else is tried
/// again as long as the schedule lasts; 429 and 503 may ask for a longer wait. While a hook fails
/// for a short time only, its calls wait for each other; a call whose next try comes later than
/// [`Policy::hook_hold`] after the failing began steps aside, and after [`Policy::hook_patience`]
/// the hook is switched off. `jitter` in `0..1` places the next try in the jitter band.
pub fn decide_hook(
    tried: &CallAttempt<'_>,
    policy: &RetryPolicy,
    now: Timestamp,
    jitter: f64,
) -> HookDecision {
    let attempt = tried.attempt;
    let (seen, asked) = match tried.answer {
        HookAnswer::Http { status: 200..=299, .. } => return HookDecision::Delivered,
        HookAnswer::Http { status: 410, .. } => {
            let reason = "the destination answered 410 Gone and asks for no more calls".to_owned();
            return HookDecision::Stopped { reason, disable_hook: true };
        }
        HookAnswer::Refused { cause } => {
            return HookDecision::Stopped { reason: cause.clone(), disable_hook: false };
        }
        HookAnswer::Http { status, retry_after } => {
            let asked = retry_after.filter(|_| matches!(status, 429 | 503));
            (format!("the destination answered {status}"), asked)
        }
        HookAnswer::None { cause } => (cause.clone(), None),
    };
    let began = tried.failing_since.unwrap_or(now);
    let failing = now.duration_since(began);
    if failing >= policy.hook_patience {
        let days = failing.as_hours() / 24;
        let reason = format!("no call succeeded for {days} days; at the last, {seen}");
        return HookDecision::Stopped { reason, disable_hook: true };
    }
    match policy.hooks.next(attempt, now, jitter, asked) {
        Some(at) => HookDecision::Retry { at, aside: at.duration_since(began) > policy.hook_hold },
        None => HookDecision::Stopped {
            reason: format!("given up after {attempt} tries; at the last, {seen}"),
            disable_hook: false,
        },
    }
}

/// Whether a success shows that a destination is back after so long that calls stepped aside: they
/// take their place again, at once. A single event that is never taken does not look like that.
pub fn recovers(
    tried: &CallAttempt<'_>,
    decision: &HookDecision,
    policy: &RetryPolicy,
    now: Timestamp,
) -> bool {
    let long = |since: Timestamp| now.duration_since(since) > policy.hook_hold;
    *decision == HookDecision::Delivered && tried.failing_since.is_some_and(long)
}

/// What a hook is and was told, as far as what it publishes depends on it.
#[derive(Debug, Clone, Copy)]
pub struct HookContext<'a> {
    /// Its kind.
    pub kind: ActionKind,
    /// Its id.
    pub hook: &'a str,
    /// Where it leads to.
    pub destination: &'a str,
    /// What it publishes when its processing ends.
    pub output: &'a [Output],
    /// The topic it was told.
    pub topic: Topic,
    /// The facts it was told.
    pub details: &'a BTreeMap<String, String>,
}

/// What a try is told of in turn: the output of a hook that is done, `HookSent…` of a mail hook,
/// and that a hook was switched off.
pub fn aftermath(
    told: &HookContext<'_>,
    tried: &CallAttempt<'_>,
    decision: &HookDecision,
) -> Vec<Notice> {
    let (word, reason) = match decision {
        HookDecision::Delivered => (Topic::HOOK_SENT, "The hook took the event.".to_owned()),
        HookDecision::Retry { at, .. } => {
            (Topic::HOOK_SENT_RETRY, format!("{} Next try: {at}.", why(tried.answer)))
        }
        HookDecision::Stopped { reason, .. } => (Topic::HOOK_SENT_ERROR, sentence(reason)),
    };
    let mut details = told.details.clone();
    details.insert("hook".to_owned(), told.hook.to_owned());
    details.insert("hookTopic".to_owned(), told.topic.to_string());
    details.insert("hookAttempt".to_owned(), tried.attempt.to_string());
    let notice = |topic| Notice::new(topic, reason.clone(), details.clone());
    let mut notices = Vec::new();
    // A ping asks whether a hook is reached; nothing happened that others could be told.
    if !matches!(decision, HookDecision::Retry { .. }) && told.topic != Topic::PING {
        let code = status_code(tried.answer, decision);
        notices.extend(published(told.output, &code).map(notice).map(Notice::output));
    }
    if told.kind.reports() {
        notices.push(notice(word));
    }
    if let HookDecision::Stopped { disable_hook: true, .. } = decision {
        let mut off = notice(Topic::HOOK_DISABLED);
        // Where the document went to says nothing of the hook.
        off.details.insert("endpoint".to_owned(), told.destination.to_owned());
        notices.push(off);
    }
    notices
}

/// A reason as a sentence.
fn sentence(reason: &str) -> String {
    let mut letters = reason.trim_end_matches('.').chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// Why a try did not do, in a sentence.
fn why(answer: &HookAnswer) -> String {
    match answer {
        HookAnswer::Http { status, .. } => format!("The destination answered {status}."),
        HookAnswer::Refused { cause } | HookAnswer::None { cause } => sentence(cause),
    }
}

/// The status code with which a hook's processing ended: that of its answer, else 200, 400 or 504.
fn status_code(answer: &HookAnswer, decision: &HookDecision) -> String {
    match (answer, decision) {
        (HookAnswer::Http { status, .. }, _) => status.to_string(),
        (_, HookDecision::Delivered) => "200".to_owned(),
        (HookAnswer::Refused { .. }, _) => "400".to_owned(),
        (HookAnswer::None { .. }, _) => "504".to_owned(),
    }
}

#[cfg(test)]
mod tests;
