//! How a document stands in the body of a call: as it is, in a form with its facts as this
//! interface takes uploads, or in JSON. The body of a document is the same bytes on every attempt.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use data_encoding::{BASE64, HEXLOWER};
use jiff::Timestamp;
use serde::Serialize;

use super::action::DocumentForm;

/// A document that is handed to somebody, and what is known of it.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandedDocument {
    /// Its id in the service.
    pub document_id: String,
    /// The party that it belongs to, `scheme:identifier`.
    pub party_id: String,
    /// What is done with it: `SendInvoice`, `InvoiceReceived`.
    pub topic: String,
    /// The kind of business: `Invoice`, `Order`.
    pub family: String,
    /// The format by name; empty where nobody knows it.
    pub format: String,
    /// Its own number.
    pub number: String,
    /// Who sends it.
    pub sender: String,
    /// Who receives it.
    pub recipient: String,
    /// What it is on the network, `scheme::value`.
    pub document_type_id: String,
    /// When the service took it.
    pub created_on: Option<Timestamp>,
    /// Facts of the event, where an event tells of it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
    /// The name of its file.
    pub file_name: String,
    /// Its media type.
    pub content_type: String,
}

/// The same with the document, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonEnvelope<'a> {
    #[serde(flatten)]
    document: &'a HandedDocument,
    size: usize,
    sha256: &'a str,
    content: String,
}

/// The body of a call.
#[derive(Debug, Clone)]
pub struct WrappedDocument {
    /// Its media type.
    pub content_type: String,
    /// Its bytes.
    pub body: Bytes,
    /// The SHA-256 of the document in it, in hexadecimal.
    pub sha256: String,
    /// The SHA-256 of the body as `Content-Digest` has it (RFC 9530).
    pub content_digest: String,
    /// The document that is in it.
    pub document: HandedDocument,
}

/// Makes the body.
pub fn wrap(form: DocumentForm, document: HandedDocument, content: &Bytes) -> WrappedDocument {
    let of_content = digest(&SHA256, content);
    let sha256 = HEXLOWER.encode(of_content.as_ref());
    let (content_type, body) = match form {
        DocumentForm::Raw => (document.content_type.clone(), content.clone()),
        DocumentForm::Multipart => multipart(&document, content, &sha256),
        DocumentForm::Json => {
            let text = BASE64.encode(content);
            let (size, sha256) = (content.len(), sha256.as_str());
            let envelope = JsonEnvelope { document: &document, size, sha256, content: text };
            let body = serde_json::to_vec(&envelope).unwrap_or_default();
            ("application/json".to_owned(), Bytes::from(body))
        }
    };
    let of_body = if body == content { of_content } else { digest(&SHA256, &body) };
    let content_digest = format!("sha-256=:{}:", BASE64.encode(of_body.as_ref()));
    WrappedDocument { content_type, body, sha256, content_digest, document }
}

/// RFC 7578. The boundary is the digest of the document, which does not stand in it.
fn multipart(document: &HandedDocument, content: &Bytes, sha256: &str) -> (String, Bytes) {
    let facts = document.meta_attributes(content.len(), sha256);
    let facts = serde_json::to_string(&facts).unwrap_or_default();
    let (name, kind) = (&document.file_name, &document.content_type);
    let mut body = format!(
        "--{sha256}\r\nContent-Disposition: form-data; name=\"metaAttributes\"\r\n\
         Content-Type: application/json\r\n\r\n{facts}\r\n--{sha256}\r\n\
         Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: {kind}\r\n\r\n"
    )
    .into_bytes();
    body.reserve(content.len() + sha256.len() + 8);
    body.extend_from_slice(content);
    body.extend_from_slice(format!("\r\n--{sha256}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={sha256}"), body.into())
}

impl HandedDocument {
    /// What is known of it as texts by name, as `metaAttributes` are.
    fn meta_attributes(&self, size: usize, sha256: &str) -> BTreeMap<String, String> {
        let created_on = self.created_on.map(|at| at.to_string()).unwrap_or_default();
        let known = [
            ("documentId", self.document_id.as_str()),
            ("partyId", &self.party_id),
            ("topic", &self.topic),
            ("family", &self.family),
            ("format", &self.format),
            ("number", &self.number),
            ("sender", &self.sender),
            ("recipient", &self.recipient),
            ("documentTypeId", &self.document_type_id),
            ("createdOn", &created_on),
            ("size", &size.to_string()),
            ("sha256", sha256),
        ];
        let known = known.into_iter().filter(|(_, value)| !value.is_empty());
        known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// What is known of it as headers, behind a prefix.
    pub(super) fn headers(&self) -> [(&'static str, &str); 6] {
        [
            ("DocumentId", &self.document_id),
            ("PartyId", &self.party_id),
            ("Topic", &self.topic),
            ("Sender", &self.sender),
            ("Recipient", &self.recipient),
            ("DocumentTypeId", &self.document_type_id),
        ]
    }
}

#[cfg(test)]
mod tests;
