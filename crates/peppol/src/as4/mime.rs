//! `multipart/related` packages: what AS4 puts a SOAP envelope and its attachments into.
//!
//! Sources: RFC 2045, RFC 2046, RFC 2387; SOAP Messages with Attachments.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use memchr::memmem;
use quoin_xml::base64;

/// Parts of one package at most.
pub(super) const PARTS: usize = 32;
/// Bytes of the headers of one part at most.
pub(super) const HEADER_BYTES: usize = 16 << 10;
/// Characters of a boundary at most (RFC 2046, section 5.1.1).
const BOUNDARY: usize = 70;
/// White space that may follow a boundary on its line, in bytes, with the line end.
const PADDING: usize = 80;

/// Something that goes over HTTP: a content type and a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpMessage {
    /// The value of `Content-Type`.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

/// One part of a package.
#[derive(Debug)]
pub struct MimePart<'a> {
    headers: Vec<(String, String)>,
    /// The content, with its transfer encoding undone.
    pub body: Cow<'a, [u8]>,
}

/// Why a package cannot be taken apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MimeError {
    /// Neither SOAP nor a package.
    #[error("expected multipart/related or application/soap+xml, found {0:?}")]
    ContentType(String),
    /// `boundary` is missing or not one.
    #[error("the content type names no usable boundary")]
    Boundary,
    /// The closing boundary is missing, or there is no part.
    #[error("the package is cut off: its closing boundary is missing")]
    Truncated,
    /// More parts than allowed.
    #[error("the package has more than {PARTS} parts")]
    TooManyParts,
    /// A part whose headers cannot be read.
    #[error("the headers of part {0} cannot be read")]
    Headers(usize),
    /// A transfer encoding that is not undone, or content that does not obey it.
    #[error("part {part} is not valid {encoding}")]
    TransferEncoding {
        /// The part, from 1.
        part: usize,
        /// Its `Content-Transfer-Encoding`.
        encoding: String,
    },
    /// `start` names a part that is not there.
    #[error("no part has the Content-ID {0:?} that start names")]
    Start(String),
}

impl MimePart<'_> {
    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// `Content-ID` without its angle brackets.
    pub fn content_id(&self) -> Option<&str> {
        self.header("content-id").map(|id| id.trim_matches(['<', '>']))
    }
}

/// Takes a message apart: the SOAP part comes first, whichever place `start` gives it.
///
/// # Errors
/// [`MimeError`].
pub fn parse<'a>(content_type: &str, body: &'a [u8]) -> Result<Vec<MimePart<'a>>, MimeError> {
    let Some(boundary) = package(content_type)? else {
        return Ok(vec![MimePart { headers: Vec::new(), body: Cow::Borrowed(body) }]);
    };
    let mut parts = split(&boundary, body)?
        .into_iter()
        .enumerate()
        .map(|(index, segment)| part(index + 1, segment))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(start) = parameter(content_type, "start") {
        let id = start.trim_matches(['<', '>']);
        let root = parts.iter().position(|part| part.content_id() == Some(id));
        let root = root.ok_or_else(|| MimeError::Start(id.to_owned()))?;
        parts.get_mut(..=root).unwrap_or_default().rotate_right(1);
    }
    Ok(parts)
}

/// The boundary of a package; `None` of a SOAP message alone.
fn package(content_type: &str) -> Result<Option<String>, MimeError> {
    let media = content_type.split(';').next().unwrap_or_default().trim();
    if media.eq_ignore_ascii_case("application/soap+xml") {
        return Ok(None);
    }
    if !media.eq_ignore_ascii_case("multipart/related") {
        return Err(MimeError::ContentType(media.chars().take(80).collect()));
    }
    let boundary = parameter(content_type, "boundary").ok_or(MimeError::Boundary)?;
    if boundary.is_empty() || boundary.len() > BOUNDARY {
        return Err(MimeError::Boundary);
    }
    Ok(Some(boundary))
}

/// A parameter of a header value: `; name=value` or `; name="value"`.
fn parameter(header: &str, name: &str) -> Option<String> {
    let mut rest = header;
    while let Some((_, after)) = rest.split_once(';') {
        let (key, value) = after.split_once('=')?;
        let value = value.trim_start();
        let (found, next) = match value.strip_prefix('"') {
            Some(quoted) => quoted_string(quoted)?,
            None => {
                let end = value.find(';').unwrap_or(value.len());
                let (token, next) = value.split_at(end);
                (token.trim_end().to_owned(), next)
            }
        };
        if key.trim().eq_ignore_ascii_case(name) {
            return Some(found);
        }
        rest = next;
    }
    None
}

/// What is quoted up to the next quotation mark, and what follows that. A backslash stands before a
/// character that is meant as it is (RFC 5322, section 3.2.4).
fn quoted_string(text: &str) -> Option<(String, &str)> {
    let mut found = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((found, text.get(at + 1..)?)),
            '\\' => found.push(characters.next()?.1),
            other => found.push(other),
        }
    }
    None
}

/// The first part of a package of which the rest is still to come; `None` where the part is not
/// whole yet. A message that is no package has no first part before it is whole.
///
/// # Errors
/// [`MimeError`]; [`MimeError::Start`] where the first part is not the one to begin with.
pub(super) fn first_part<'a>(
    content_type: &str,
    start: &'a [u8],
) -> Result<Option<MimePart<'a>>, MimeError> {
    let Some(boundary) = package(content_type)? else { return Ok(None) };
    let mut lines = delimiter_lines(&boundary, start);
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return Ok(None) };
    let Some(from) = first.next else { return Err(MimeError::Truncated) };
    let segment = start.get(from..before_line_end(start, second.at)).unwrap_or_default();
    let part = part(1, segment)?;
    match parameter(content_type, "start") {
        Some(root) if part.content_id() != Some(root.trim_matches(['<', '>'])) => {
            Err(MimeError::Start(root))
        }
        _ => Ok(Some(part)),
    }
}

/// The segments between delimiter lines.
fn split<'a>(boundary: &str, body: &'a [u8]) -> Result<Vec<&'a [u8]>, MimeError> {
    let mut segments = Vec::new();
    let mut open: Option<usize> = None;
    for line in delimiter_lines(boundary, body) {
        if let Some(start) = open {
            segments.push(body.get(start..before_line_end(body, line.at)).unwrap_or_default());
            if segments.len() > PARTS {
                return Err(MimeError::TooManyParts);
            }
        }
        open = line.next;
        if open.is_none() {
            return if segments.is_empty() { Err(MimeError::Truncated) } else { Ok(segments) };
        }
    }
    Err(MimeError::Truncated)
}

/// A line that divides parts.
struct DelimiterLine {
    /// Where it begins.
    at: usize,
    /// Where the part after it begins; `None` where it closes the package.
    next: Option<usize>,
}

/// The delimiter lines of a body, in one pass: what follows a delimiter is looked at for
/// [`PADDING`] bytes and no further, however often it occurs.
fn delimiter_lines(boundary: &str, body: &[u8]) -> impl Iterator<Item = DelimiterLine> {
    let delimiter = format!("--{boundary}");
    let finder = memmem::Finder::new(delimiter.as_bytes()).into_owned();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + finder.find(body.get(from..)?)?;
            from = at + delimiter.len();
            if at > 0 && body.get(at - 1) != Some(&b'\n') {
                continue;
            }
            let rest = body.get(from..).unwrap_or_default();
            if rest.starts_with(b"--") {
                return Some(DelimiterLine { at, next: None });
            }
            if let Some(line) = padding(rest) {
                return Some(DelimiterLine { at, next: Some(from + line) });
            }
        }
    })
}

/// The length of the rest of a delimiter line with its line end, where that is white space only.
fn padding(rest: &[u8]) -> Option<usize> {
    let window = rest.get(..rest.len().min(PADDING)).unwrap_or_default();
    let end = window.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))?;
    (window.get(end) == Some(&b'\n')).then_some(end + 1)
}

/// The line end before a delimiter belongs to the delimiter (RFC 2046, section 5.1.1).
fn before_line_end(body: &[u8], at: usize) -> usize {
    let before = body.get(..at).unwrap_or_default();
    match before {
        [.., b'\r', b'\n'] => at - 2,
        [.., b'\n'] => at - 1,
        _ => at,
    }
}

fn part(number: usize, segment: &[u8]) -> Result<MimePart<'_>, MimeError> {
    let (head, body) = split_head(segment).ok_or(MimeError::Headers(number))?;
    let head = std::str::from_utf8(head).map_err(|_| MimeError::Headers(number))?;
    let headers = headers(head).ok_or(MimeError::Headers(number))?;
    let mut part = MimePart { headers, body: Cow::Borrowed(body) };
    let encoding = part.header("content-transfer-encoding").unwrap_or("binary");
    match encoding.to_ascii_lowercase().as_str() {
        "binary" | "8bit" | "7bit" => {}
        "base64" => match base64::decode(body) {
            Ok(decoded) => part.body = Cow::Owned(decoded),
            Err(_) => {
                let encoding = "base64".to_owned();
                return Err(MimeError::TransferEncoding { part: number, encoding });
            }
        },
        other => {
            let encoding = other.to_owned();
            return Err(MimeError::TransferEncoding { part: number, encoding });
        }
    }
    Ok(part)
}

/// Headers and content, divided by the first empty line.
fn split_head(segment: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(rest) = segment.strip_prefix(b"\r\n").or(segment.strip_prefix(b"\n")) {
        return Some((&[], rest));
    }
    let window = segment.get(..segment.len().min(HEADER_BYTES))?;
    let crlf = memmem::find(window, b"\r\n\r\n").map(|at| (at, at + 4));
    let lf = memmem::find(window, b"\n\n").map(|at| (at, at + 2));
    let (end, next) = match (crlf, lf) {
        (Some(a), Some(b)) => a.min(b),
        (a, b) => a.or(b)?,
    };
    Some((segment.get(..end)?, segment.get(next..)?))
}

/// Header fields with their names in lower case; folded lines are joined (RFC 5322, 2.2.3).
fn headers(head: &str) -> Option<Vec<(String, String)>> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in head.lines().filter(|line| !line.is_empty()) {
        if line.starts_with([' ', '\t']) {
            let (_, value) = fields.last_mut()?;
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(line.trim());
        } else {
            let (name, value) = line.split_once(':')?;
            fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    Some(fields)
}
