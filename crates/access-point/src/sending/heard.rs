//! What an answer says, as the room `delivery` decides about it, and the words for it.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::fate::{Fate, Heard, Signal, fate};
use quoin_peppol::as4::{Answer, AnswerRefusal, Disposition, EbmsError};
use reqwest::header::RETRY_AFTER;

use super::Failure;
use crate::net;

/// What an answer comes to, where the receiver has the document: the id of its receipt, or nothing
/// where it only says that it has it.
///
/// `unanswered` says whether an earlier attempt with the same identifiers may have arrived.
pub(super) fn judged(
    answer: &net::Answer,
    read: Result<Answer, AnswerRefusal>,
    unanswered: bool,
    now: Timestamp,
) -> Result<String, Failure> {
    let heard = Heard { status: answer.status, signal: signal(&read) };
    let fate = fate(heard, unanswered);
    match (fate, read) {
        (Fate::Delivered, Ok(Answer::Receipt { message_id, .. })) => Ok(message_id),
        (Fate::HeldWithoutReceipt, _) => Ok(String::new()),
        (fate, read) => {
            let again = fate == Fate::Again;
            let retry_after = retry_after(answer, now).filter(|_| again);
            Err(Failure { again, retry_after, ..said(answer.status, read) })
        }
    }
}

fn signal(read: &Result<Answer, AnswerRefusal>) -> Signal {
    let Ok(answer) = read else { return Signal::None };
    match answer.disposition() {
        Disposition::Delivered => Signal::Receipt,
        Disposition::Duplicate => Signal::HadBefore,
        Disposition::NotServiced => Signal::NotServiced,
        Disposition::Retry => Signal::Passing,
        Disposition::Permanent => Signal::Refused,
    }
}

/// What is told of an answer that is no delivery.
fn said(status: u16, read: Result<Answer, AnswerRefusal>) -> Failure {
    match read {
        Ok(Answer::Errors(errors)) => refused(&errors),
        Ok(Answer::Receipt { .. }) => Failure::default(),
        Err(_) if (400..500).contains(&status) => {
            let message =
                format!("The receiver's access point refused the message with HTTP {status}.");
            Failure::new("AP-REFUSED", message)
        }
        Err(_) if !(200..300).contains(&status) => {
            let message = format!("The receiver's access point answered HTTP {status}.");
            Failure::new("AP-STATUS", message)
        }
        Err(refusal) => {
            let ebms = Some(refusal.code().code().to_owned());
            let message = format!("Whether the message arrived is not known: {refusal}.");
            Failure { ebms, ..Failure::new("NO-RECEIPT", message) }
        }
    }
}

fn refused(errors: &[EbmsError]) -> Failure {
    let texts: Vec<String> = errors.iter().map(text).collect();
    let not_serviced = errors.iter().any(EbmsError::is_not_serviced);
    let code = if not_serviced { "NOT-SERVICED" } else { "AP-ERROR" };
    let message = format!("The receiver's access point answered: {}.", texts.join("; "));
    let ebms = errors.first().map(|error| error.code.clone());
    Failure { ebms, ..Failure::new(code, message) }
}

/// An error in words: what it says twice stands once, and no mark at its end.
fn text(error: &EbmsError) -> String {
    let mut text = format!("{} {}", error.code, error.short_description);
    let mut seen: Vec<&str> = Vec::new();
    for words in [&error.description, &error.detail] {
        let words = words.trim().trim_end_matches([':', '.', ' ']);
        if !words.is_empty() && !seen.contains(&words) {
            text.push_str(": ");
            text.push_str(words);
            seen.push(words);
        }
    }
    text
}

/// `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3).
fn retry_after(answer: &net::Answer, now: Timestamp) -> Option<SignedDuration> {
    let value = answer.headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(SignedDuration::from_secs(seconds.into()));
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(date.duration_since(now)).filter(|wait| wait.is_positive())
}
