//! What was seen of an attempt; kept with it as JSON, and in the dossier. It holds no secret.

use std::collections::BTreeMap;

use serde::Serialize;

/// What was seen of an attempt.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HttpsReport {
    /// The address, without its query.
    pub url: String,
    /// `POST` or `PUT`.
    pub method: String,
    /// How the document stood in the body.
    pub form: &'static str,
    /// How the call was authorised: `none`, `basic`, `bearer` or `oauth2`.
    pub authentication: &'static str,
    /// Whether it was signed under the hook's secret.
    pub signed: bool,
    /// The SHA-256 of the client certificate, where the hook has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_certificate: Option<String>,
    /// Where the token came from, without a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_url: Option<String>,
    /// Whether the server refused a token, so that another one was fetched and the call made again.
    pub token_renewed: bool,
    /// The key by which the server knows the document again.
    pub idempotency_key: String,
    /// How many bytes the body had.
    pub bytes: usize,
    /// The digest of the body as the header `Content-Digest` had it.
    pub content_digest: String,
    /// The SHA-256 of the document, in hexadecimal.
    pub sha256: String,
    /// The status of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The headers of the answer, those that set cookies aside.
    pub headers: BTreeMap<String, String>,
    /// The beginning of the answer's body.
    pub answer: String,
    /// Whether the body went out twice, since a kept connection ended without an answer.
    pub repeated: bool,
    /// How long the attempt took, in milliseconds.
    pub elapsed_ms: u32,
    /// What went wrong; empty where nothing did.
    pub fault: String,
}
