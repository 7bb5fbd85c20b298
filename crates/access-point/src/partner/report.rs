//! What was seen of an attempt; kept with it as JSON. It holds no secret, nor what a network said
//! of one.

use quoin_store::{Attempt, Secret};
use serde::Serialize;

use super::fault::PartnerFaultKind;
use super::receipt::decoded;
use crate::net::HttpAnswer;
use crate::oauth::ShownLogin;

/// Characters of an answer that are kept.
const EXCERPT: usize = 2_000;

/// What was seen of an attempt.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartnerReport {
    /// The address that was called.
    pub endpoint: String,
    /// The environment: `production` or `test`.
    pub mode: &'static str,
    /// Who sends, as the network knows it.
    pub from: String,
    /// Who receives, as the network knows it.
    pub to: String,
    /// By which id a repeat is known: the same on every attempt.
    pub message_id: String,
    /// The form in which the document went.
    pub format: &'static str,
    /// How many bytes went.
    pub bytes: usize,
    /// The SHA-256 of the document in the form in which it went, in hexadecimal, without what lets
    /// us in.
    pub sha256: String,
    /// How many files went beside it.
    pub files: usize,
    /// What the network is to do with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// The HTTP status of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// The code in the answer, where the network has codes of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    /// The beginning of the answer.
    pub answer: String,
    /// Whether the call was made twice within the attempt, since a kept connection was lost.
    pub repeated: bool,
    /// Whether this attempt, or one before it that a crash kept from being recorded, may have
    /// reached the network without our hearing of it.
    pub unheard: bool,
    /// How long the network took, in milliseconds.
    pub elapsed_ms: u32,
    /// What went wrong; empty where nothing did.
    pub fault: String,
}

impl PartnerReport {
    /// Notes an answer, without its body.
    pub(crate) fn heard(&mut self, answer: &HttpAnswer) {
        self.http_status = Some(answer.status);
        self.repeated = answer.repeated;
        self.elapsed_ms = u32::try_from(answer.elapsed.as_millis()).unwrap_or(u32::MAX);
    }

    /// Whether an attempt may have reached the network without our hearing of it.
    pub(crate) fn may_be_there(attempt: &Attempt) -> bool {
        let Some(report) = attempt.report.get("partner") else { return false };
        let text = |name| report.get(name).and_then(serde_json::Value::as_str);
        match report.get("unheard").and_then(serde_json::Value::as_bool) {
            Some(is_unheard) => is_unheard,
            // An earlier release kept what went wrong, and not what that means.
            None => {
                let is_told = report.get("httpStatus").is_some_and(|status| !status.is_null());
                let fault = text("fault").unwrap_or_default();
                let is_said = !fault.starts_with("no connection");
                let unavailable = PartnerFaultKind::Unavailable.code();
                let is_repeated = report.get("repeated") == Some(&serde_json::Value::Bool(true));
                let is_silent = attempt.code.as_deref() == Some(unavailable) && !is_told;
                is_repeated || is_silent && is_said
            }
        }
    }

    /// A body of the network as it may be kept and shown.
    pub fn body_shown(body: &[u8], secret: &Secret) -> String {
        let text = decoded(body).unwrap_or_else(|| String::from_utf8_lossy(body));
        PartnerReport::shown(&text, secret)
    }

    /// A text of the network as it may be kept and shown: its beginning, on lines that can be
    /// printed, without the secret that it may repeat.
    pub fn shown(text: &str, secret: &Secret) -> String {
        ShownLogin::secret(secret.reveal()).hidden(text, EXCERPT).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use quoin_store::AttemptOutcome;
    use serde_json::{Value, json};

    use super::*;

    fn attempt(code: Option<&str>, report: &Value) -> Attempt {
        Attempt {
            attempt: 1,
            started_on: Timestamp::UNIX_EPOCH,
            ended_on: Timestamp::UNIX_EPOCH,
            outcome: AttemptOutcome::Later,
            endpoint: None,
            protocol: None,
            report: json!({ "partner": report }),
            receipt: None,
            receipt_blob: None,
            code: code.map(str::to_owned),
            elapsed_ms: None,
            breaker: None,
            evidence: Vec::new(),
        }
    }

    #[test]
    fn only_what_was_said_and_not_heard_may_be_there() {
        for (code, report, expected) in [
            ("partner-unavailable", json!({ "unheard": true, "httpStatus": 200 }), true),
            ("partner-unavailable", json!({ "unheard": false }), false),
            // Those of an earlier release.
            ("partner-unavailable", json!({ "fault": "no answer within 2 s" }), true),
            ("partner-unavailable", json!({ "fault": "no connection: refused" }), false),
            ("partner-unavailable", json!({ "httpStatus": 503, "fault": "503" }), false),
            ("partner-unavailable", json!({ "httpStatus": 503, "repeated": true }), true),
            ("partner-tls", json!({ "fault": "TLS failed" }), false),
            ("partner-hook", json!({ "fault": "gone" }), false),
        ] {
            let made = attempt(Some(code), &report);
            assert_eq!(PartnerReport::may_be_there(&made), expected, "{code} {report}");
        }
        let other = Attempt { report: Value::Null, ..attempt(None, &Value::Null) };
        assert!(!PartnerReport::may_be_there(&other));
    }

    #[test]
    fn a_body_in_another_encoding_is_shown_without_the_secret() {
        let body: Vec<u8> = "no: hush!".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(PartnerReport::body_shown(&body, &Secret::new("hush")), "no: ***!");
        let body = [b"\xef\xbb\xbfno: hush".as_slice(), b"\xff"].concat();
        assert!(!PartnerReport::body_shown(&body, &Secret::new("hush")).contains("hush"));
    }
}
