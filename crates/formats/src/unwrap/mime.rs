//! The parts of a MIME body: multipart/related as cXML and AS2 send it, and form-data.
//!
//! Sources: RFC 2046 section 5.1 (multipart), RFC 2045 (headers, base64, quoted-printable).

use std::borrow::Cow;

use quoin_xml::base64;

use super::{ContainerItem, UnopenedReason, UnwrapBudget, Wrapper};

/// Header lines of a message, or of one part, that are read: mail servers add many.
const MAX_HEADERS: usize = 256;
/// Bytes of all of them.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// The longest boundary of RFC 2046.
const MAX_BOUNDARY: usize = 70;
/// Characters of a file name or media type that are kept.
const MAX_NAME: usize = 255;

/// The parts; each can fail on its own. A message that is not multipart is one part.
///
/// # Errors
/// [`Reason`] where there are no parts or too many.
pub(super) fn parts<'c>(
    bytes: &'c [u8],
    budget: &mut UnwrapBudget,
) -> Result<Vec<Result<ContainerItem<'c>, UnopenedReason>>, UnopenedReason> {
    let bytes = bytes.trim_ascii_start();
    let (boundary, body) = match bytes.strip_prefix(b"--") {
        Some(rest) => (line(rest).0.trim_ascii_end().to_vec(), bytes),
        None => {
            let (headers, body) = headers(bytes);
            let content_type = value(&headers, "content-type").unwrap_or_default();
            match parameter(&content_type, "boundary") {
                Some(boundary) => (boundary.into_bytes(), body),
                None => return Ok(vec![part(1, bytes, budget)]),
            }
        }
    };
    if boundary.is_empty() || boundary.len() > MAX_BOUNDARY {
        return Err(UnopenedReason::Damaged("the parts have no boundary"));
    }
    let mut parts = Vec::new();
    for text in split(body, &boundary) {
        if parts.len() >= budget.limits.documents {
            return Err(UnopenedReason::TooMany(budget.limits.documents));
        }
        parts.push(part(parts.len() + 1, text, budget));
    }
    Ok(parts)
}

/// What stands between the boundary lines.
fn split<'c>(body: &'c [u8], boundary: &[u8]) -> impl Iterator<Item = &'c [u8]> {
    let mark = [b"--", boundary].concat();
    let finder = memchr::memmem::Finder::new(&mark).into_owned();
    let at_line = move |from: usize| {
        let mut from = from;
        loop {
            let at = from + finder.find(body.get(from..)?)?;
            if at == 0 || body.get(at - 1) == Some(&b'\n') {
                return Some((at, at + mark.len()));
            }
            from = at + mark.len();
        }
    };
    let mut open = at_line(0);
    std::iter::from_fn(move || {
        let (_, after) = open?;
        let rest = body.get(after..)?;
        if rest.starts_with(b"--") {
            return None;
        }
        let start = after + memchr::memchr(b'\n', rest)? + 1;
        open = at_line(start);
        let end = open.map_or(body.len(), |(at, _)| at);
        let part = body.get(start..end)?;
        let part = part.strip_suffix(b"\n").filter(|_| open.is_some()).unwrap_or(part);
        Some(part.strip_suffix(b"\r").filter(|_| open.is_some()).unwrap_or(part))
    })
}

fn part<'c>(
    number: usize,
    text: &'c [u8],
    budget: &mut UnwrapBudget,
) -> Result<ContainerItem<'c>, UnopenedReason> {
    let (headers, body) = headers(text);
    let content_type = value(&headers, "content-type");
    let disposition = value(&headers, "content-disposition").unwrap_or_default();
    let name = parameter(&disposition, "filename")
        .or_else(|| parameter(content_type.as_deref().unwrap_or_default(), "name"));
    let encoding = value(&headers, "content-transfer-encoding").unwrap_or_default();
    let bytes = match encoding.to_ascii_lowercase().as_str() {
        "base64" => {
            budget.spend(body.len())?;
            let damaged = UnopenedReason::Damaged("a part is not valid base64");
            Cow::Owned(base64::decode(body.trim_ascii()).map_err(|_| damaged)?)
        }
        "quoted-printable" => {
            budget.spend(body.len())?;
            Cow::Owned(quoted_printable(body))
        }
        _ => Cow::Borrowed(body),
    };
    let media = content_type.map(|text| media_type(&text));
    Ok(ContainerItem {
        name,
        bytes,
        wrapper: Wrapper::Multipart { part: number, content_type: media },
    })
}

fn line(text: &[u8]) -> (&[u8], &[u8]) {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let (line, rest) = text.split_at_checked(end).unwrap_or((text, b""));
    (line, rest.get(1..).unwrap_or_default())
}

/// Header lines, folded ones joined, and the body after the empty line. Where the text does not
/// begin with a header, all of it is the body.
fn headers(text: &[u8]) -> (Vec<(String, String)>, &[u8]) {
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut rest = text;
    while headers.len() < MAX_HEADERS && text.len() - rest.len() < MAX_HEADER_BYTES {
        let (raw, after) = line(rest);
        let plain = String::from_utf8_lossy(raw.get(..raw.len().min(4096)).unwrap_or_default());
        if plain.trim().is_empty() {
            let body =
                if headers.is_empty() && !raw.trim_ascii().is_empty() { text } else { after };
            return (headers, body);
        }
        match (plain.starts_with([' ', '\t']), headers.last_mut(), plain.split_once(':')) {
            (true, Some((_, value)), _) => value.push_str(plain.trim_end()),
            (false, _, Some((name, value))) if name.chars().all(|c| c.is_ascii_graphic()) => {
                headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
            _ => return (Vec::new(), text),
        }
        rest = after;
    }
    (headers, rest)
}

/// The media type without its parameters; it goes with everything that is in the part.
fn media_type(value: &str) -> String {
    value.split(';').next().unwrap_or_default().trim().chars().take(MAX_NAME).collect()
}

fn value(headers: &[(String, String)], name: &str) -> Option<String> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
}

/// A parameter after the first `;`, without its quotes.
fn parameter(value: &str, name: &str) -> Option<String> {
    value.split(';').skip(1).find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        key.trim().eq_ignore_ascii_case(name).then(|| value.chars().take(MAX_NAME).collect())
    })
}

/// RFC 2045 section 6.7; an `=` that begins nothing is kept.
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'=' {
            out.push(byte);
            continue;
        }
        let digit = |at: usize| Some(char::from(*after.get(at)?).to_digit(16)? as u8);
        match after {
            [b'\r', b'\n', next @ ..] | [b'\n', next @ ..] => rest = next,
            _ => match (digit(0), digit(1)) {
                (Some(high), Some(low)) => {
                    out.push(high << 4 | low);
                    rest = after.get(2..).unwrap_or_default();
                }
                _ => out.push(byte),
            },
        }
    }
    out
}
