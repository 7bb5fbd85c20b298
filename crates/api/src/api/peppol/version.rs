//! Entity tags of configurations, and the conditions of requests that change them (RFC 9110
//! section 13.1).

use axum::http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use quoin_store::Expected;

use crate::http::{Problem, codes};

/// The entity tag of a version, as a header.
pub(super) fn etag(version: u64) -> HeaderMap {
    let value = HeaderValue::from_str(&format!("\"v{version}\"")).ok();
    value.map(|value| (ETAG, value)).into_iter().collect()
}

/// What a request demands of the record that it changes.
///
/// # Errors
/// API400 for a header that cannot be read.
pub(super) fn expected(headers: &HeaderMap) -> Result<Expected, Problem> {
    let (matches, none) = (joined(headers, &IF_MATCH)?, joined(headers, &IF_NONE_MATCH)?);
    match (matches.as_deref().map(str::trim), none.as_deref().map(str::trim)) {
        (None, None) => Ok(Expected::Any),
        (Some("*"), None) => Ok(Expected::Present),
        (Some(tags), None) => Ok(Expected::Versions(tags.split(',').filter_map(version).collect())),
        (None, Some("*")) => Ok(Expected::Absent),
        _ => {
            let detail = "expected If-Match with entity tags or *, or If-None-Match: *";
            Err(Problem::new(&codes::BAD_REQUEST, detail))
        }
    }
}

fn joined(headers: &HeaderMap, name: &HeaderName) -> Result<Option<String>, Problem> {
    let mut values = Vec::new();
    for value in headers.get_all(name) {
        let text = value.to_str().map_err(|_| {
            Problem::new(&codes::BAD_REQUEST, format!("the header {name} is not ASCII"))
        })?;
        values.push(text);
    }
    Ok((!values.is_empty()).then(|| values.join(",")))
}

/// The version of a strong entity tag of ours; any other tag matches nothing.
fn version(tag: &str) -> Option<u64> {
    tag.trim().strip_prefix("\"v")?.strip_suffix('"')?.parse().ok()
}
