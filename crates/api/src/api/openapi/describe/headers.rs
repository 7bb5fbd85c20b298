//! Headers of answers in the description: those that every answer has, and those of some, each kept
//! once among the components.

use serde_json::{Map, Value, json};

use crate::http::rate::UNCOUNTED;

/// A header: its name among the components, its own, its meaning, and an example.
struct DescribedHeader(&'static str, &'static str, &'static str, &'static str);

const REQUEST_ID: DescribedHeader = DescribedHeader(
    "RequestId",
    "X-Request-Id",
    "The id of the request: the one that the caller gave in the same header, or a new one. It is in \
     the log of the service.",
    "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
);
const RATE_LIMIT: DescribedHeader = DescribedHeader(
    "RateLimit",
    "RateLimit",
    "Of a client whose requests are limited: how many are left (`r`), and in how many seconds the \
     count begins anew (`t`).",
    "\"client\";r=599;t=60",
);
const RATE_LIMIT_POLICY: DescribedHeader = DescribedHeader(
    "RateLimitPolicy",
    "RateLimit-Policy",
    "Of a client whose requests are limited: how many it may make (`q`) in how many seconds (`w`).",
    "\"client\";q=600;w=60",
);
const STATUS_PLACE: DescribedHeader = DescribedHeader(
    "StatusLocation",
    "Location",
    "Where the status of the document is asked for; of a document whose id was taken before, that \
     of the one which has it, where it is a document of the same party.",
    "https://api.example.org/api/v1/0106:12345678/salesInvoice/0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6/status",
);
const CLIENT_PLACE: DescribedHeader = DescribedHeader(
    "ClientLocation",
    "Location",
    "Where the client is read.",
    "https://api.example.org/api/v1/client/acme-erp",
);
const FILE_NAME: DescribedHeader = DescribedHeader(
    "FileName",
    "Content-Disposition",
    "Under which name the file is kept, and that it is one: `inline` for a page of HTML.",
    "attachment; filename=\"0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6.xml\"",
);

const ALL: [DescribedHeader; 6] =
    [REQUEST_ID, RATE_LIMIT, RATE_LIMIT_POLICY, STATUS_PLACE, CLIENT_PLACE, FILE_NAME];

/// Ends of the paths of operations that record a document to be sent.
const SENDING: &[&str] = &["/send", "/cancel", "/response", "/salesInvoice/recognize"];
/// Ends of the paths of operations that answer a file.
const FILES: &[&str] =
    &["/download", "/dossier", "/sentDossier", "/form", "/upo", "/page", "/document/render"];
/// The operation that makes a client.
const NEW_CLIENT: (&str, &str) = ("post", "/api/v1/client");

/// The headers for the components of the description.
pub(super) fn components() -> Map<String, Value> {
    let row = |DescribedHeader(key, _, text, example): &DescribedHeader| {
        let header =
            json!({ "description": text, "schema": { "type": "string" }, "example": example });
        ((*key).to_owned(), header)
    };
    let mut all: Map<String, Value> = ALL.iter().map(row).collect();
    all.sort_keys();
    all
}

/// Describes the headers of the answers of an operation.
pub(super) fn give((method, path): (&str, &str), operation: &mut Value) {
    let ends = |list: &[&str]| list.iter().any(|end| path.ends_with(end));
    let is_of_documents = path.contains("{documentId}") || path == "/api/v1/document/render";
    let is_of_files = path.contains("/batch/") || is_of_documents;
    let is_file = ends(FILES) && is_of_files;
    let sends = method == "post" && path.contains("{partyId}") && ends(SENDING);
    let is_counted = operation["security"] == json!([{ "token": [] }]) && !ends(UNCOUNTED);
    let responses = operation["responses"].as_object_mut().into_iter().flatten();
    for (status, response) in responses {
        let mut give = |DescribedHeader(key, name, ..): DescribedHeader| {
            response["headers"][name] = json!({ "$ref": format!("#/components/headers/{key}") });
        };
        let status = status.as_str();
        give(REQUEST_ID);
        // Nobody is counted who is not known.
        if is_counted && status != "401" {
            give(RATE_LIMIT);
            give(RATE_LIMIT_POLICY);
        }
        match status {
            "200" | "409" if sends => give(STATUS_PLACE),
            "200" if (method, path) == NEW_CLIENT => give(CLIENT_PLACE),
            "200" if is_file => give(FILE_NAME),
            _ => {}
        }
    }
}
