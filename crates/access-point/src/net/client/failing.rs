//! What an error of the libraries below means for a call.

use std::error::Error;

use hyper_util::client::legacy;
use rustls::AlertDescription;

use super::heads::InformationalStorm;
use super::wire::WireUse;
use super::{AddressRefusal, CallError};

/// What broke off before the head of an answer was read was closed before it answered, unless
/// something was heard: then it is an answer that is broken. Where TLS ended it, that is why.
pub(super) fn unanswered(error: CallError, used: &WireUse) -> CallError {
    match (error, used.broke()) {
        (CallError::Broken(_), Some(tls)) if !used.heard() => classify(tls),
        (CallError::Broken(what), _) if !used.heard() => CallError::Closed(what),
        (other, _) => other,
    }
}

/// What became of a call that failed.
pub(super) fn classify(error: &(dyn Error + 'static)) -> CallError {
    if let Some(refusal) = find::<AddressRefusal>(error) {
        return match refusal {
            AddressRefusal::Unresolved(_) => CallError::Connect(refusal.to_string()),
            other => CallError::Refused(other.clone()),
        };
    }
    if let Some(tls) = find::<rustls::Error>(error) {
        return match tls {
            // Whoever serves shows a certificate, and tells what is wrong with that of who calls.
            rustls::Error::AlertReceived(alert) if is_about_ours(*alert) => {
                CallError::Unwelcome(format!("{alert:?}"))
            }
            tls => CallError::Tls(tls.to_string()),
        };
    }
    if let Some(storm) = find::<InformationalStorm>(error) {
        return CallError::Unreadable(storm.to_string());
    }
    if find::<hyper::Error>(error).is_some_and(hyper::Error::is_parse_too_large) {
        let large = "its head has more than 100 headers or 400 kB".to_owned();
        return CallError::Unreadable(large);
    }
    match error.downcast_ref::<legacy::Error>() {
        Some(error) if error.is_connect() => CallError::Connect(last(error)),
        _ => CallError::Broken(last(error)),
    }
}

/// Whether an alert is about the certificate of the client (RFC 8446, section 6.2).
fn is_about_ours(alert: AlertDescription) -> bool {
    matches!(
        alert,
        AlertDescription::BadCertificate
            | AlertDescription::UnsupportedCertificate
            | AlertDescription::CertificateRevoked
            | AlertDescription::CertificateExpired
            | AlertDescription::CertificateUnknown
            | AlertDescription::UnknownCA
            | AlertDescription::CertificateRequired
    )
}

/// The first error of a type in a chain. An input/output error does not name what it wraps as its
/// source, so that is looked into first.
fn find<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        let wrapped = error.downcast_ref::<std::io::Error>().and_then(|io| io.get_ref());
        next = match wrapped {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

/// The innermost cause in words, without the page of a library that it may name.
pub(super) fn last(error: &(dyn Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    let text = error.to_string();
    let words = text.split(": http").next().unwrap_or_default();
    words.trim_end_matches([':', ' ']).to_owned()
}
