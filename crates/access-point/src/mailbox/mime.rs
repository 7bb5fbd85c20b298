//! A mail taken apart: its headers and its parts, as they were written (RFC 5322, RFC 2045 to 2047,
//! RFC 2231, RFC 2183). What mails of strangers can cost is bounded before anything is kept, and
//! everything is read once for each level.

mod decode;
mod fields;

use bytes::Bytes;

pub(super) use fields::MailHeaders;
use fields::MimeFields;
pub(super) use fields::pieces as field_pieces;

/// Bytes of the head of a mail, and of a part of it.
const HEAD: usize = 256 << 10;
/// Headers of one head.
const HEADERS: usize = 1_000;
/// Parts of a mail, those included that hold others.
const PARTS: usize = 200;
/// How deep parts lie in each other.
const DEPTH: usize = 10;
/// Bytes of what stands between parts (RFC 2046, section 5.1.1, allows 70).
const BOUNDARY: usize = 200;

/// Why a mail is not read. A refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LetterError {
    /// A head is too long.
    #[error("a head in it has more than {HEAD} bytes or {HEADERS} headers")]
    Head,
    /// It has too many parts.
    #[error("it has more than {PARTS} parts")]
    Parts,
    /// Parts lie too deep in each other.
    #[error("its parts lie more than {DEPTH} deep in each other")]
    Depth,
    /// What stands between its parts is not told.
    #[error("it has parts, and does not say what stands between them")]
    Boundary,
}

/// A part that holds no others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MailPart {
    /// Its media type, in lower case and without parameters.
    pub media_type: String,
    /// The name of the file, where it has one.
    pub name: Option<String>,
    /// Whether it is said to be an attachment.
    pub is_attachment: bool,
    /// Its bytes, decoded.
    pub content: Bytes,
    /// Where its bytes begin in the mail, as written.
    pub begins_at: usize,
}

/// A mail, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedMail {
    /// Its headers.
    pub headers: MailHeaders,
    /// Its media type, in lower case and without parameters.
    pub media_type: String,
    /// The parts that hold no others, in their order. A mail inside the mail is one.
    pub parts: Vec<MailPart>,
}

impl ParsedMail {
    /// Takes a mail apart.
    ///
    /// # Errors
    /// [`LetterError`].
    pub(super) fn read(mail: &[u8]) -> Result<ParsedMail, LetterError> {
        let mut reading = MimeWalk { whole: mail, parts: Vec::new(), seen: 0 };
        let (headers, body) = headed(mail)?;
        let kind = headers.content_type();
        reading.part(&headers, body, 0)?;
        Ok(ParsedMail { headers, media_type: kind.value, parts: reading.parts })
    }
}

/// The headers of a head alone, as a mail that came back may hold them; as many as are allowed.
pub(super) fn head_of(text: &[u8]) -> MailHeaders {
    let text = text.get(..HEAD).unwrap_or(text);
    let (head, _) = parted(text);
    MailHeaders::read(head, HEADERS).unwrap_or_default()
}

/// How many bytes a head has, with the empty line behind it.
pub(super) fn head_length(text: &[u8]) -> usize {
    let (head, body) = parted(text.get(..HEAD).unwrap_or(text));
    match body.is_empty() {
        true => head.len(),
        false => text.get(..HEAD).unwrap_or(text).len() - body.len(),
    }
}

struct MimeWalk<'m> {
    whole: &'m [u8],
    parts: Vec<MailPart>,
    seen: usize,
}

impl<'m> MimeWalk<'m> {
    fn part(
        &mut self,
        headers: &MailHeaders,
        body: &'m [u8],
        depth: usize,
    ) -> Result<(), LetterError> {
        self.seen += 1;
        if self.seen > PARTS {
            return Err(LetterError::Parts);
        }
        let kind = headers.content_type();
        if kind.value.starts_with("multipart/") {
            return self.inside(&kind, body, depth);
        }
        let shown = headers.disposition();
        let name = shown.parameter("filename").or_else(|| kind.parameter("name"));
        let encoding = headers.first("content-transfer-encoding").unwrap_or_default();
        self.parts.push(MailPart {
            media_type: kind.value,
            name: name.filter(|name| !name.is_empty()),
            is_attachment: shown.value == "attachment",
            content: decode::content(encoding, body),
            begins_at: self.whole.len() - self.behind(body),
        });
        Ok(())
    }

    /// How many bytes of the mail there are from the beginning of a piece of it on.
    fn behind(&self, piece: &[u8]) -> usize {
        let (whole, piece) = (self.whole.as_ptr_range(), piece.as_ptr());
        (whole.end as usize).saturating_sub(piece as usize).min(self.whole.len())
    }

    fn inside(
        &mut self,
        kind: &MimeFields,
        body: &'m [u8],
        depth: usize,
    ) -> Result<(), LetterError> {
        if depth >= DEPTH {
            return Err(LetterError::Depth);
        }
        let boundary = kind.parameter("boundary").unwrap_or_default();
        if boundary.is_empty() || boundary.len() > BOUNDARY {
            return Err(LetterError::Boundary);
        }
        let line = format!("--{boundary}");
        for piece in pieces(body, line.as_bytes()) {
            let (headers, content) = headed(piece)?;
            self.part(&headers, content, depth + 1)?;
        }
        Ok(())
    }
}

/// What stands between the lines of a boundary; what comes before the first and behind the last is
/// for programs that know no parts. A last line that is missing is missing.
fn pieces<'m>(body: &'m [u8], boundary: &[u8]) -> Vec<&'m [u8]> {
    let mut found = Vec::new();
    let (mut at, mut begun) = (0, None);
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let own = line.trim_ascii_end();
        let rest = own.strip_prefix(boundary);
        let is_last = rest == Some(b"--".as_slice());
        if is_last || rest.is_some_and(<[u8]>::is_empty) {
            found.extend(begun.and_then(|begun| body.get(begun..at)).map(without_line_end));
            begun = (!is_last).then_some(at + line.len());
            // One more than is allowed is enough to refuse it.
            if is_last || found.len() > PARTS {
                return found;
            }
        }
        at += line.len();
    }
    found.extend(begun.and_then(|begun| body.get(begun..)));
    found
}

fn without_line_end(piece: &[u8]) -> &[u8] {
    let piece = piece.strip_suffix(b"\n").unwrap_or(piece);
    piece.strip_suffix(b"\r").unwrap_or(piece)
}

fn headed(text: &[u8]) -> Result<(MailHeaders, &[u8]), LetterError> {
    let (head, body) = parted(text);
    if head.len() > HEAD {
        return Err(LetterError::Head);
    }
    let headers = MailHeaders::read(head, HEADERS).ok_or(LetterError::Head)?;
    Ok((headers, body))
}

/// Head and body: the first empty line is between them.
fn parted(text: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if matches!(line, b"\n" | b"\r\n") {
            let (head, body) = text.split_at_checked(at).unwrap_or((text, b""));
            return (head, body.get(line.len()..).unwrap_or_default());
        }
        at += line.len();
        if at > HEAD {
            break;
        }
    }
    (text, b"")
}

#[cfg(test)]
mod tests;
