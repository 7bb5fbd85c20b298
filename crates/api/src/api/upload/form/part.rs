//! The headers of a part of a form (RFC 7578): its name, and what was done to its content.

use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_ENCODING, HeaderName};
use bytes::Bytes;
use data_encoding::BASE64_MIME_PERMISSIVE;
use quoin_model::text::quoted;

const TRANSFER: HeaderName = HeaderName::from_static("content-transfer-encoding");
/// Codings that leave the bytes as they are (RFC 2045 section 6.2).
const PLAIN: &[&str] = &["", "7bit", "8bit", "binary"];

/// The name of a part. That of a parameter is read in any case (RFC 2045 section 5.1).
pub(super) fn name(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_DISPOSITION)?.as_bytes();
    let text = std::str::from_utf8(value).ok()?;
    parameters(text).into_iter().find(|(name, _)| name == "name").map(|(_, value)| value)
}

/// The parameters behind the first word of a value, their names in lower case.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let (mut part, mut quoted, mut escaped) = (String::new(), false, false);
    for c in text.chars().chain([';']) {
        match c {
            _ if escaped => {
                // Paths of Windows stand in quotes without being escaped.
                if !matches!(c, '"' | '\\') {
                    part.push('\\');
                }
                part.push(c);
                escaped = false;
            }
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                if let Some((name, value)) = part.split_once('=') {
                    let name = name.trim().to_ascii_lowercase();
                    all.push((name, value.trim().to_owned()));
                }
                part.clear();
            }
            c => part.push(c),
        }
    }
    all
}

/// The content of a part as it was before it was made fit for the way.
///
/// # Errors
/// What was found, and what to do instead.
pub(super) fn decoded(headers: &HeaderMap, content: Bytes) -> Result<Bytes, String> {
    let said = |name: &HeaderName| {
        let value = headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
        value.unwrap_or_default().trim().to_ascii_lowercase()
    };
    match said(&CONTENT_ENCODING).as_str() {
        "" | "identity" => {}
        other => {
            return Err(format!(
                "it has Content-Encoding {other}: send it as it is, and compress the whole \
                 body with gzip, if at all",
                other = quoted(other, 40)
            ));
        }
    }
    match said(&TRANSFER).as_str() {
        plain if PLAIN.contains(&plain) => Ok(content),
        "base64" => BASE64_MIME_PERMISSIVE.decode(&content).map(Bytes::from).map_err(|error| {
            format!("it is not the base64 that Content-Transfer-Encoding says: {error}")
        }),
        other => Err(format!(
            "it has Content-Transfer-Encoding {other}, expected 7bit, 8bit, binary or base64: \
             send it as it is, without that header",
            other = quoted(other, 40)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), value.parse().unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_name_is_read_in_any_case_and_in_quotes() {
        for (text, wanted) in [
            ("form-data; name=\"file\"", Some("file")),
            ("Form-Data; Name=\"file\"; FileName=\"a;b.xml\"", Some("file")),
            ("form-data; filename=\"x; name=y\"; name = file", Some("file")),
            ("form-data; name=\"a\\\"b\"", Some("a\"b")),
            ("form-data; filename=\"C:\\docs\\a.xml\"; name=\"file\"", Some("file")),
            ("form-data; filename=\"name\"", None),
        ] {
            let found = name(&headers(&[("content-disposition", text)]));
            assert_eq!(found.as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn a_part_is_taken_as_it_was_or_refused() {
        let read = |name, value, content: &'static str| {
            decoded(&headers(&[(name, value)]), Bytes::from_static(content.as_bytes()))
        };
        let transfer = "content-transfer-encoding";
        for plain in ["7bit", "8BIT", "binary"] {
            assert_eq!(read(transfer, plain, "<a/>").unwrap(), "<a/>", "{plain}");
        }
        assert_eq!(read(transfer, "Base64", "PGEv\r\nPg==\r\n").unwrap(), "<a/>");
        assert!(read(transfer, "base64", "<a/>").unwrap_err().contains("base64"));
        let refused = read(transfer, "quoted-printable", "<a/>").unwrap_err();
        assert!(refused.contains("without that header"), "{refused}");
        assert_eq!(read("content-encoding", "identity", "<a/>").unwrap(), "<a/>");
        assert!(read("content-encoding", "gzip", "<a/>").unwrap_err().contains("whole body"));
    }
}
