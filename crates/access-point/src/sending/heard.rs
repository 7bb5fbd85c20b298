//! What an answer says, as the room `delivery` decides about it, and the words for it.

use hyper::header::{CONTENT_ENCODING, HeaderMap};
use jiff::Timestamp;
use quoin_delivery::fate::{Fate, Heard, SignalMeaning, fate};
use quoin_model::text::quoted;
use quoin_peppol::as4::{AnswerRefusal, As4Answer, Disposition, EbmsError};

use super::SendFailure;
use crate::net;

/// What an answer comes to, where the receiver has the document: the id of its receipt, or nothing
/// where it only says that it has it.
///
/// `unanswered` says whether an earlier attempt with the same identifiers may have arrived.
pub(super) fn judged(
    answer: &net::HttpAnswer,
    read: Result<As4Answer, AnswerRefusal>,
    unanswered: bool,
    now: Timestamp,
) -> Result<String, SendFailure> {
    let heard = Heard { status: answer.status, signal: signal(&read) };
    let fate = fate(heard, unanswered);
    match (fate, read) {
        (Fate::Delivered, Ok(As4Answer::Receipt { message_id, .. })) => Ok(message_id),
        (Fate::HeldWithoutReceipt, _) => Ok(String::new()),
        (fate, read) => {
            let again = fate == Fate::Again;
            let retry_after = answer.retry_after(now).filter(|_| again);
            Err(SendFailure { again, retry_after, ..said(answer.status, read, again) })
        }
    }
}

/// That an answer is not packed: it was asked for as it is (`Accept-Encoding: identity`, RFC 9110
/// 12.5.3).
///
/// # Errors
/// It is in a content coding, which is named.
pub(super) fn plain(headers: &HeaderMap) -> Result<(), AnswerRefusal> {
    let codings = headers.get_all(CONTENT_ENCODING).iter();
    let mut codings = codings.map(|coding| String::from_utf8_lossy(coding.as_bytes()));
    let packed = |coding: &str| !["", "identity"].iter().any(|no| coding.eq_ignore_ascii_case(no));
    match codings.find(|coding| packed(coding.trim())) {
        None => Ok(()),
        Some(coding) => Err(AnswerRefusal::Unreadable(format!(
            "it came with Content-Encoding {}, which was not asked for",
            quoted(&coding, 40)
        ))),
    }
}

/// What the access point reported, whether it took the message or not.
pub(super) fn errors(read: &Result<As4Answer, AnswerRefusal>) -> &[EbmsError] {
    match read {
        Ok(As4Answer::Errors(errors)) => errors,
        Ok(As4Answer::Receipt { warnings, .. }) => warnings,
        Err(refusal) => refusal.warnings(),
    }
}

fn signal(read: &Result<As4Answer, AnswerRefusal>) -> SignalMeaning {
    let Ok(answer) = read else { return SignalMeaning::None };
    match answer.disposition() {
        Disposition::Delivered => SignalMeaning::Receipt,
        Disposition::Duplicate => SignalMeaning::HadBefore,
        Disposition::NotServiced => SignalMeaning::NotServiced,
        Disposition::Retry => SignalMeaning::Passing,
        Disposition::Permanent => SignalMeaning::Refused,
    }
}

/// What is told of an answer that is no delivery. A status of 4xx that is tried `again` is no
/// refusal.
fn said(status: u16, read: Result<As4Answer, AnswerRefusal>, again: bool) -> SendFailure {
    match read {
        Ok(As4Answer::Errors(errors)) => refused(&errors),
        Ok(As4Answer::Receipt { .. }) => SendFailure::default(),
        Err(_) if (300..400).contains(&status) => {
            let message = format!(
                "The receiver's access point answered HTTP {status}; redirects are not followed."
            );
            SendFailure::new("AP-REFUSED", message)
        }
        Err(_) if (400..500).contains(&status) && !again => {
            let message =
                format!("The receiver's access point refused the message with HTTP {status}.");
            SendFailure::new("AP-REFUSED", message)
        }
        Err(_) if !(200..300).contains(&status) => {
            let message = format!("The receiver's access point answered HTTP {status}.");
            SendFailure::new("AP-STATUS", message)
        }
        Err(refusal) => {
            let ebms = Some(refusal.code().code().to_owned());
            let message = format!("Whether the message arrived is not known: {refusal}.");
            SendFailure { ebms, ..SendFailure::new("NO-RECEIPT", message) }
        }
    }
}

fn refused(errors: &[EbmsError]) -> SendFailure {
    let texts: Vec<String> = errors.iter().map(text).collect();
    let not_serviced = errors.iter().any(EbmsError::is_not_serviced);
    let code = if not_serviced { "NOT-SERVICED" } else { "AP-ERROR" };
    let message = format!("The receiver's access point answered: {}.", texts.join("; "));
    let ebms = errors.first().map(|error| error.code.clone());
    SendFailure { ebms, ..SendFailure::new(code, message) }
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

#[cfg(test)]
mod tests {
    use quoin_delivery::fate::may_have_arrived;

    use super::*;

    #[test]
    fn a_coding_that_was_not_asked_for_is_named() {
        let coded = |coding: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_ENCODING, coding.parse().unwrap());
            plain(&headers)
        };
        assert_eq!(plain(&HeaderMap::new()), Ok(()));
        for none in ["", "identity", " Identity"] {
            assert_eq!(coded(none), Ok(()), "{none:?}");
        }
        for coding in ["gzip", "deflate", "br", "gzip, identity"] {
            let packed = coded(coding).unwrap_err();
            assert!(packed.to_string().contains(&format!("Content-Encoding {coding:?}")));
            // Its status still says what it says.
            let busy = said(503, Err(packed.clone()), true);
            assert_eq!(busy.code, "AP-STATUS");
            let told = said(200, Err(packed), true);
            assert_eq!(told.code, "NO-RECEIPT");
            assert!(told.message.contains(coding), "{}", told.message);
        }
    }

    #[test]
    fn a_status_that_is_tried_again_is_no_refusal() {
        let told = |status| {
            let heard = Heard { status, signal: SignalMeaning::None };
            let again = fate(heard, false) == Fate::Again;
            said(status, Err(AnswerRefusal::Missing), again)
        };
        for status in [408, 425, 429, 503] {
            let failure = told(status);
            assert_eq!(failure.code, "AP-STATUS", "{status}");
            assert!(failure.message.contains(&format!("answered HTTP {status}")));
            // One of 5xx leaves open whether the message was taken, the others do not.
            assert_eq!(may_have_arrived(failure.code, Some(status)), status == 503);
        }
        assert_eq!(told(403).code, "AP-REFUSED");
        let redirected = told(302);
        assert_eq!(redirected.code, "AP-REFUSED");
        assert!(redirected.message.contains("302; redirects are not followed"));
        assert!(!may_have_arrived("AP-REFUSED", Some(302)));
    }
}
