//! The request headers of our own. They are taken under the configured prefix, and always under the
//! prefix of the specification besides it, so that nobody who reads either loses what he sent.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The prefix of the specification (interface specification 4.1).
pub(crate) const PREFIX: &str = "X-Service-";
/// What the header is called in which a caller names a document, behind the prefix.
pub(crate) const DOCUMENT_ID: &str = "DocumentId";

/// The values of a header of our own with the names under which they came, the configured prefix
/// first.
pub(crate) fn own<'h>(
    headers: &'h HeaderMap,
    prefix: &str,
    name: &str,
) -> Vec<(HeaderName, &'h HeaderValue)> {
    let mut names: Vec<HeaderName> = Vec::new();
    for prefix in [prefix, PREFIX] {
        let name = HeaderName::from_bytes(format!("{prefix}{name}").as_bytes()).ok();
        names.extend(name.filter(|name| !names.contains(name)));
    }
    let values = |name: HeaderName| {
        headers.get_all(&name).iter().map(move |value| (name.clone(), value)).collect::<Vec<_>>()
    };
    names.into_iter().flat_map(values).collect()
}

/// A header that means to name a document, and is none of ours: its sender believes that repeats
/// are recognised by it.
pub(crate) fn foreign_document_id<'h>(headers: &'h HeaderMap, prefix: &str) -> Option<&'h str> {
    let means = |name: &&str| name.replace('-', "").ends_with("documentid");
    let ours = |name: &&str| {
        [prefix, PREFIX]
            .iter()
            .any(|prefix| name.eq_ignore_ascii_case(&format!("{prefix}{DOCUMENT_ID}")))
    };
    headers.keys().map(HeaderName::as_str).find(|name| means(name) && !ours(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_23_both_prefixes_are_ours_and_others_are_foreign() {
        let mut headers = HeaderMap::new();
        headers.insert("x-service-documentid", HeaderValue::from_static("1"));
        headers.insert("x-econnect-documentid", HeaderValue::from_static("2"));
        let found =
            |prefix| own(&headers, prefix, DOCUMENT_ID).iter().map(|(_, v)| *v).collect::<Vec<_>>();
        assert_eq!(found("X-EConnect-"), ["2", "1"]);
        assert_eq!(found("X-Service-"), ["1"]);
        assert_eq!(foreign_document_id(&headers, "X-EConnect-"), None);
        assert_eq!(foreign_document_id(&headers, "X-Service-"), Some("x-econnect-documentid"));
        for name in ["x-document-id", "documentid", "x-service-document-id"] {
            let headers = HeaderMap::from_iter([(
                HeaderName::from_static(name),
                HeaderValue::from_static("1"),
            )]);
            assert_eq!(foreign_document_id(&headers, PREFIX), Some(name));
        }
        let other = HeaderMap::from_iter([(
            HeaderName::from_static("x-econnect-domainid"),
            HeaderValue::from_static("1"),
        )]);
        assert_eq!(foreign_document_id(&other, PREFIX), None);
    }
}
