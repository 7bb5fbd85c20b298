//! From bytes to text: UTF-8, UTF-16 with a byte order mark or an XML declaration, and the one-byte
//! encodings of western and central Europe that older systems still write, where the XML
//! declaration names them.

mod one_byte;

use std::borrow::Cow;

use one_byte::{ByteTable, ONE_BYTE};

use super::markup::pseudo_attribute;
use super::{ParseError, ParseErrorKind, ParseResult, at_start, position};

/// Bytes in which an XML declaration is looked for.
const MAX_DECLARATION: usize = 256;

/// Whether an encoding that an XML declaration names is read.
pub(super) fn is_known(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let whole = ["utf-8", "utf8", "utf-16", "us-ascii", "utf-16le", "utf-16be"];
    whole.contains(&name.as_str())
        || ONE_BYTE.iter().any(|(names, _)| names.contains(&name.as_str()))
}

/// The text of a document, of which nothing tells the encoding but the bytes themselves.
///
/// # Errors
/// Bytes that are not text in the encoding, or a declaration that names another one (XML 1.0,
/// section 4.3.3). Who knows the encoding from the transport (RFC 7303) takes [`text`], which does
/// not ask what is declared.
pub(super) fn decode(bytes: &[u8]) -> ParseResult<String> {
    // Of an encoding that is not read, the bytes say nothing.
    let text = text(bytes).map_err(|error| unread_encoding(bytes).unwrap_or(error))?;
    let found = match bytes {
        [0xEF, 0xBB, 0xBF, ..] => "UTF-8",
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'<', 0, ..] | [0, ..] => "UTF-16",
        // Bytes of any of the others are read as what is declared.
        _ if declared(bytes).is_some() => return Ok(text.into_owned()),
        _ => "UTF-8",
    };
    match declared_name(&text).filter(|name| is_known(name) && !is_of(found, name, &text)) {
        Some(declared) => {
            let declared = declared.to_owned();
            Err(at_start(ParseErrorKind::OtherEncoding { declared, found }))
        }
        None => Ok(text.into_owned()),
    }
}

/// Whether text that was found in an encoding may be declared so: ASCII is UTF-8 too.
fn is_of(found: &str, declared: &str, text: &str) -> bool {
    let declared = declared.to_ascii_lowercase();
    match found {
        "UTF-16" => declared.starts_with("utf-16"),
        _ if declared == "us-ascii" => text.is_ascii(),
        _ => ["utf-8", "utf8"].contains(&declared.as_str()),
    }
}

/// As [`super::super::text`].
pub(in crate::tree) fn text(bytes: &[u8]) -> ParseResult<Cow<'_, str>> {
    let utf16 = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let odd = !rest.len().is_multiple_of(2);
        let units = rest.chunks_exact(2).filter_map(|pair| Some(unit(pair.try_into().ok()?)));
        let text: std::result::Result<String, _> = char::decode_utf16(units).collect();
        match text {
            Ok(text) if !odd => Ok(Cow::Owned(text)),
            _ => Err(at_start(ParseErrorKind::Encoding("UTF-16".to_owned()))),
        }
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        // Without a byte order mark, the XML declaration tells (XML 1.0, appendix F.1).
        [b'<', 0, b'?', 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, b'<', 0, b'?', ..] => utf16(bytes, u16::from_be_bytes),
        _ => match declared(bytes) {
            Some(_) if bytes.is_ascii() => utf8(bytes),
            Some(table) => Ok(bytes.iter().map(|&byte| table(byte)).collect()),
            None => utf8(bytes),
        },
    }
}

/// The table of the declared encoding, where that has one byte a character.
///
/// Such a declaration is itself ASCII, and stands at the very beginning (XML 1.0, section 2.8).
fn declared(bytes: &[u8]) -> Option<ByteTable> {
    let name = name_of(bytes)?.to_ascii_lowercase();
    let (_, table) = ONE_BYTE.iter().find(|(names, _)| names.contains(&name.as_str()))?;
    Some(*table)
}

/// Characters of the name of an encoding.
const MAX_NAME: usize = 40;

/// The refusal of bytes whose declaration, in ASCII, names an encoding that is not read.
fn unread_encoding(bytes: &[u8]) -> Option<ParseError> {
    let name = name_of(bytes).filter(|name| !is_known(name))?;
    Some(at_start(unsupported(name)))
}

/// The refusal of an encoding by its name, of which no more is told than a name may have (RFC 2978,
/// section 2.3).
pub(super) fn unsupported(name: &str) -> ParseErrorKind {
    let told: String = name.chars().take(MAX_NAME).collect();
    let more = if told.len() < name.len() { "…" } else { "" };
    ParseErrorKind::UnsupportedEncoding(told + more)
}

/// The encoding that is named at the very beginning of bytes.
fn name_of(bytes: &[u8]) -> Option<&str> {
    let start = bytes.get(..bytes.len().min(MAX_DECLARATION)).unwrap_or_default();
    let end = memchr::memmem::find(start, b"?>")?;
    declared_name(std::str::from_utf8(start.get(..end + 2)?).ok()?)
}

/// The encoding that an XML declaration at the beginning of a text names.
fn declared_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("<?xml")?;
    let end = memchr::memmem::find(rest.as_bytes(), b"?>")?;
    pseudo_attribute(rest.get(..end)?, "encoding")
}

fn utf8(bytes: &[u8]) -> ParseResult<Cow<'_, str>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let before = String::from_utf8_lossy(valid);
            let kind = ParseErrorKind::Encoding("UTF-8".to_owned());
            Err(ParseError { kind, position: position(&before, before.len()) })
        }
    }
}
