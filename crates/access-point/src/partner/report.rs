//! What was seen of an attempt; kept with it as JSON. It holds no secret, nor what a network said
//! of one.

use quoin_model::text::plain;
use quoin_store::Secret;
use quoin_xml::write::escape_text;
use serde::Serialize;

use crate::net::HttpAnswer;

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

    /// A text of the network as it may be kept and shown: its beginning, on lines that can be
    /// printed, without the secret that it may repeat.
    pub fn shown(text: &str, secret: &Secret) -> String {
        let mut escaped = String::new();
        escape_text(secret.reveal(), &mut escaped);
        let mut text = text.to_owned();
        for secret in [secret.reveal(), &escaped] {
            if !secret.is_empty() {
                text = text.replace(secret, "***");
            }
        }
        plain(&text, EXCERPT).trim().to_owned()
    }
}
