//! The calls of web hooks: what this service asks of others.

use quoin_delivery::HookPayload;
use serde_json::{Value, json};

use crate::http::headers::PREFIX;

/// The name of the type of their body.
pub(super) const EVENT: &str = "HookEvent";

/// Headers of a call: name, whether each call has it, meaning, example. The prefix of one comes
/// before the name.
const HEADERS: &[(&str, bool, &str, &str)] = &[
    (
        "webhook-id",
        true,
        "The delivery id, the same on every try.",
        "0192f0c9-7a10-7b3e-8f21-5d0e9c4b1a72",
    ),
    ("webhook-timestamp", true, "When this try was made, in seconds since 1970.", "1763803800"),
    (
        "webhook-signature",
        false,
        "Where the hook has a secret: `v1,` and the HMAC-SHA256 of id, timestamp and raw body with \
         points between them, in base64; two while a secret is replaced (Standard Webhooks).",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
    (
        "Signature",
        false,
        "Where the hook has a secret: `sha256=` and the HMAC-SHA256 of the raw body, hexadecimal.",
        "sha256=d5f5b8f0a6c2b0d3f2e7c1a09a4f4be7c6a3d1e5b2f09c8d7e6f5a4b3c2d1e0f",
    ),
    (
        "Signature-Previous",
        false,
        "While a secret is replaced: the same under the one before.",
        "sha256=0f1e2d3c4b5a6f7e8d9c0fb2e5d1a3c6e74b4f9aa0c1e7f2d3b0c2a6f0b8f5d5",
    ),
];

/// The body of a call, as it is sent: what the type of the calls makes of it.
pub(in crate::api::openapi) fn example() -> Value {
    let payload = serde_json::from_value::<HookPayload>(json!({
        "topic": "InvoiceReceived",
        "partyId": "0106:12345678",
        "hookId": "erp",
        "documentId": "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
        "message": "An invoice arrived.",
        "details": { "sender": "0106:87654321", "recipient": "0106:12345678",
            "id": "INV-2026-17" },
        "createdOn": "2026-11-22T09:30:00Z",
        "sentOn": "2026-11-22T09:30:01Z",
    }));
    payload.and_then(serde_json::to_value).unwrap_or_default()
}

/// A text of the body.
fn text(of: &str, example: &str) -> Value {
    json!({ "type": "string", "description": of, "example": example })
}

/// The type of the body.
pub(super) fn event() -> Value {
    let time =
        |meaning: &str| json!({ "type": "string", "format": "date-time", "description": meaning });
    let id = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";
    json!({
        "type": "object",
        "description": "An event as a web hook is told of it.",
        "required": ["topic", "hookId", "message", "details", "createdOn", "sentOn"],
        "properties": {
            "topic": text("The topic.", "InvoiceReceived"),
            "partyId": text("The party; left out of what is about all of them.", "0106:12345678"),
            "hookId": text("The hook that is called.", "erp"),
            "documentId": text("The document; left out of what is about none.", id),
            "responseDocumentId": text(
                "The answer, where the event tells of one that arrived, or of one that is sent: then it \
                 is `documentId` as well.",
                "0192f0c9-51aa-7c3b-9d20-6c1f0e7b8a94",
            ),
            "message": text("One sentence for people.", "An invoice arrived."),
            "details": {
                "type": "object",
                "description": "Facts by name; docs/reference/events.md says what each tells.",
                "additionalProperties": { "type": "string" },
                "example": { "sender": "0106:87654321", "id": "INV-2026-17" },
            },
            "createdOn": time("When it happened."),
            "sentOn": time("When this try of the call was made."),
        },
        "example": example(),
    })
}

/// The calls.
pub(super) fn calls() -> Value {
    let header = |(name, always, meaning, example): &(&str, bool, &str, &str)| {
        let own = name.starts_with("Signature");
        json!({
            "name": if own { format!("{PREFIX}{name}") } else { (*name).to_owned() },
            "in": "header",
            "required": always,
            "description": meaning,
            "schema": { "type": "string" },
            "example": example,
        })
    };
    let headers: Vec<Value> = HEADERS.iter().map(header).collect();
    json!({ "event": { "post": {
        "operationId": "hookEvent",
        "summary": "An event, sent to a hook whose action is an https address.",
        "description": "Each try is signed anew; refuse what is more than five minutes old. \
            What is not taken is tried again (docs/operating/retries.md).",
        "tags": ["hook"],
        "parameters": headers,
        "requestBody": { "required": true, "content": { "application/json": {
            "schema": { "$ref": format!("#/components/schemas/{EVENT}") },
            "example": example(),
        } } },
        "responses": {
            "2XX": { "description": "It was taken." },
            "410": { "description": "The hook is switched off: no more calls." },
            "default": { "description": "It is tried again; after `Retry-After` of 429, 503." },
        },
        "security": [],
    } } })
}
