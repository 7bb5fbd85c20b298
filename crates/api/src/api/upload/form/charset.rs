//! The encoding that a request tells of its XML (RFC 7303 section 3). A document that has neither a
//! byte order mark nor an encoding of its own gets the declaration that it needs, so that it says
//! the same wherever it goes.

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use bytes::Bytes;

use super::XML;

/// How a declaration begins, and how it ends.
const DECLARATION: (&[u8], &[u8]) = (b"<?xml", b"?>");
/// The longest declaration that is looked at, in bytes.
const LONGEST: usize = 200;

/// The charset of a body of XML, where it is one that a document does not have by itself.
fn charset<'h>(headers: &'h HeaderMap, kind: &str) -> Option<&'h str> {
    if !XML.contains(&kind) {
        return None;
    }
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let pairs = value.split(';').skip(1).filter_map(|pair| pair.split_once('='));
    let mut named = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    let name = named.next()?.1.trim().trim_matches('"');
    let begins = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    let is_name = begins && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    let starts = |with: &str| name.get(..with.len()).is_some_and(|n| n.eq_ignore_ascii_case(with));
    // Of these, bytes tell themselves.
    let tells_itself = ["utf-8", "utf8", "us-ascii", "utf-16", "utf-32"].into_iter().any(starts);
    (is_name && !tells_itself).then_some(name)
}

/// Whether a body may have to be given a declaration.
pub(super) fn is_needed(headers: &HeaderMap, kind: &str) -> bool {
    charset(headers, kind).is_some()
}

/// The document with the encoding that its headers tell, where it tells none itself.
pub(super) fn declared(headers: &HeaderMap, kind: &str, document: Bytes) -> Bytes {
    let Some(charset) = charset(headers, kind) else { return document };
    let has_mark = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"];
    if has_mark.into_iter().any(|mark| document.starts_with(mark)) {
        return document;
    }
    let head = document.get(..LONGEST).unwrap_or(&document);
    let end = memchr::memmem::find(head, DECLARATION.1);
    match end.filter(|_| head.starts_with(DECLARATION.0)) {
        None if head.starts_with(DECLARATION.0) => document,
        None => {
            let start = format!("<?xml version=\"1.0\" encoding=\"{charset}\"?>");
            [start.as_bytes(), &document].concat().into()
        }
        Some(end) => {
            let (own, rest) = document.split_at(end);
            if memchr::memmem::find(own, b"encoding").is_some() {
                return document;
            }
            let at = memchr::memmem::find(own, b"standalone").unwrap_or(own.len());
            let (before, after) = own.split_at(at);
            let name = format!(" encoding=\"{charset}\" ");
            [before.trim_ascii_end(), name.as_bytes(), after, rest].concat().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_charset_stands_in_a_document_that_names_no_encoding() {
        let read = |kind: &str, text: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, kind.parse().unwrap());
            let kind = super::super::media_type(&headers);
            let found = declared(&headers, &kind, Bytes::copy_from_slice(text));
            String::from_utf8_lossy(&found).into_owned()
        };
        let latin = "application/xml; charset=\"ISO-8859-1\"";
        let with = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>";
        assert_eq!(read(latin, b"<a/>"), with);
        assert_eq!(read("text/xml;charset=ISO-8859-1", b"<a/>"), with);
        let spaced = with.replace("\"?>", "\" ?>");
        assert_eq!(read(latin, b"<?xml version=\"1.0\"?><a/>"), spaced);
        let alone = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\" standalone=\"yes\"?><a/>";
        assert_eq!(read(latin, b"<?xml version=\"1.0\" standalone=\"yes\"?><a/>"), alone);
        // What says it itself stays as it is.
        let own = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>";
        for (kind, text) in [
            (latin, own),
            (latin, "\u{feff}<a/>"),
            (latin, "<?xml version"),
            ("application/xml", "<a/>"),
            ("application/xml; charset=utf-8", "<a/>"),
            ("application/xml; charset=\"a\\\"b\"", "<a/>"),
            ("application/json; charset=ISO-8859-1", "{}"),
        ] {
            assert_eq!(read(kind, text.as_bytes()), text, "{kind}");
        }
    }
}
