//! The host that a request names. One of HTTP/1.1 has one `Host` line, whatever its version names
//! no two, and what stands in it is a host (RFC 9112 section 3.2): a proxy and a service that
//! each take another of two lines would see two requests in one.

use std::fmt;

use axum::body::Body;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use hyper::http::uri::Authority;
use hyper::{Response, StatusCode, Version};

/// Why the `Host` of a request is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HostFault {
    Missing,
    /// So many lines.
    Several(usize),
    NoHost,
}

/// What is wrong with the `Host` lines of a request. HTTP/2 says it in its own way, which the
/// connection checks.
pub(super) fn host_fault(version: Version, headers: &HeaderMap) -> Option<HostFault> {
    if version >= Version::HTTP_2 {
        return None;
    }
    let lines = headers.get_all(HOST);
    match (lines.iter().count(), lines.iter().next()) {
        (_, None) => (version == Version::HTTP_11).then_some(HostFault::Missing),
        (1, Some(host)) => (!is_host(host)).then_some(HostFault::NoHost),
        (several, Some(_)) => Some(HostFault::Several(several)),
    }
}

/// Whether it is a host with or without a port, or nothing, which a request without one may say.
fn is_host(line: &HeaderValue) -> bool {
    let named = |text: &str| {
        let authority = text.parse::<Authority>();
        authority.is_ok_and(|_| !text.contains('@'))
    };
    line.to_str().is_ok_and(|text| text.is_empty() || named(text))
}

impl HostFault {
    /// The answer, after which the connection ends.
    pub(super) fn answer(&self) -> Response<Body> {
        let mut response = Response::new(Body::from(format!("{self}\n")));
        *response.status_mut() = StatusCode::BAD_REQUEST;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        response
    }
}

impl fmt::Display for HostFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("A request names its host in one Host line (RFC 9112 section 3.2): ")?;
        match self {
            HostFault::Missing => f.write_str("this one has none"),
            HostFault::Several(count) => write!(f, "this one has {count}"),
            HostFault::NoHost => f.write_str("what stands in that of this one is no host"),
        }?;
        f.write_str(". Who can fix it: whoever made the request, or a proxy on its way.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(version: Version, hosts: &[&'static str]) -> Option<HostFault> {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_static(host));
        }
        host_fault(version, &headers)
    }

    #[test]
    fn a_request_names_one_host() {
        for host in ["ap.example", "ap.example:8443", "127.0.0.1:1", "[::1]:8443", "x", ""] {
            assert_eq!(fault(Version::HTTP_11, &[host]), None, "{host}");
            assert_eq!(fault(Version::HTTP_10, &[host]), None, "{host}");
        }
        assert_eq!(fault(Version::HTTP_11, &[]), Some(HostFault::Missing));
        assert_eq!(fault(Version::HTTP_10, &[]), None, "HTTP/1.0 knows no such line");
        for version in [Version::HTTP_10, Version::HTTP_11] {
            assert_eq!(fault(version, &["a", "a"]), Some(HostFault::Several(2)));
            for host in ["a b", "a/b", "me@a", "http://a", "a?b", "a,b c", "[::1", "a:b:c"] {
                assert_eq!(fault(version, &[host]), Some(HostFault::NoHost), "{host}");
            }
        }
        assert_eq!(fault(Version::HTTP_2, &[]), None);
    }

    #[test]
    fn the_answer_says_what_was_found() {
        let said = HostFault::Several(3).to_string();
        assert!(said.contains("one Host line") && said.contains("has 3."), "{said}");
        assert_eq!(HostFault::Missing.answer().status(), StatusCode::BAD_REQUEST);
    }
}
