//! Refusals in the description: the codes that a handler names, sorted by status, each with an
//! example of its body.

use serde_json::{Map, Value, json};

use crate::http::codes::{CODES, ProblemCode, UNAVAILABLE, find};
use crate::http::members::{MEMBERS, ProblemMember};

/// Headers that tell more about a refusal: status, name, meaning.
const HEADERS: &[(&str, &str, &str)] = &[
    ("401", "WWW-Authenticate", "The scheme that is expected."),
    ("429", "Retry-After", "Seconds until the next request can be taken."),
];

/// An example of a body for each code, for the components of the description.
pub(super) fn examples() -> Map<String, Value> {
    CODES.iter().map(|code| (code.id.to_owned(), example(code))).collect()
}

fn example(code: &ProblemCode) -> Value {
    let page = format!("https://api.example.org/docs/errors/{}", code.id);
    let mut example = json!({ "summary": code.title, "value": {
        "type": page,
        "title": code.title,
        "status": code.status,
        "detail": code.example,
        "instance": "/api/v1/0106:12345678/salesInvoice/send",
        "helpLink": page,
        "message": code.example,
        "code": code.id,
        "requestId": "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
        "dateTime": "2026-11-22T09:30:00Z",
    } });
    // Only the operations about health tell more of a service that is not available.
    let own = MEMBERS.iter().filter(|one| one.code.id == code.id && code.id != UNAVAILABLE.id);
    for member in own {
        example["value"][member.name] = value(member);
    }
    example
}

/// The example of a member.
fn value(member: &ProblemMember) -> Value {
    serde_json::from_str(member.example).unwrap_or_default()
}

/// Describes the members that only some problems have; those about health are as in its answer.
pub(super) fn members(schemas: &mut Map<String, Value>) {
    let standing = schemas.get("Standing").map(|of| of["properties"].clone()).unwrap_or_default();
    for member in MEMBERS {
        let ProblemMember { name, code, meaning, .. } = member;
        let mut schema = match standing.get(name) {
            Some(known) if code.id == UNAVAILABLE.id => known.clone(),
            _ => json!({ "type": member.kind, "example": value(member) }),
        };
        schema["description"] = json!(format!("Of `{}`: {meaning}", code.id));
        schemas["Problem"]["properties"][*name] = schema;
    }
}

/// Puts the codes among the responses of an operation where they belong: under their statuses.
pub(super) fn sort(responses: &mut Map<String, Value>) {
    let mut codes: Vec<&'static ProblemCode> = Vec::new();
    responses.retain(|key, _| match find(key) {
        Some(code) => {
            codes.push(code);
            false
        }
        None => true,
    });
    for code in &codes {
        let status = code.status.to_string();
        let response = responses.entry(status.as_str()).or_insert_with(|| refusal(&status));
        let line = format!("- `{}`: {}.", code.id, code.title);
        let text = response["description"].as_str().unwrap_or_default();
        response["description"] = json!(format!("{text}\n{line}"));
        let reference = json!({ "$ref": format!("#/components/examples/{}", code.id) });
        response["content"]["application/problem+json"]["examples"][code.id] = reference;
    }
    responses.sort_keys();
}

fn refusal(status: &str) -> Value {
    let failed = status.starts_with('5');
    let text = if failed { "Failed; `code` tells why:" } else { "Refused; `code` tells why:" };
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    let mut refusal = json!({
        "description": format!("{text}\n"),
        "content": { "application/problem+json": { "schema": schema, "examples": {} } },
    });
    for (_, name, meaning) in HEADERS.iter().filter(|(of, ..)| *of == status) {
        refusal["headers"][*name] =
            json!({ "description": meaning, "schema": { "type": "string" } });
    }
    refusal
}
