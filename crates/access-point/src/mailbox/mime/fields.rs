//! The headers of a mail or of a part, and what a structured one says: a value with parameters.

use super::decode;

/// Parameters of one header.
const PARAMETERS: usize = 50;
/// Bytes of a header that has parameters.
const LONGEST: usize = 8 << 10;

/// Headers in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::mailbox) struct MailHeaders(Vec<(String, String)>);

impl MailHeaders {
    /// Reads a head; none where it has more than so many headers. A line that is none is passed
    /// over.
    pub(super) fn read(head: &[u8], most: usize) -> Option<MailHeaders> {
        let mut found: Vec<(String, String)> = Vec::new();
        for line in head.split(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = String::from_utf8_lossy(line);
            if text.starts_with([' ', '\t']) {
                if let Some((_, value)) = found.last_mut() {
                    value.push_str(&text);
                }
                continue;
            }
            let Some((name, value)) = text.split_once(':') else { continue };
            if name.is_empty() || !name.trim_end().bytes().all(|byte| byte.is_ascii_graphic()) {
                continue;
            }
            if found.len() >= most {
                return None;
            }
            found.push((name.trim_end().to_ascii_lowercase(), value.trim_start().to_owned()));
        }
        Some(MailHeaders(found))
    }

    /// The values of a header, whose name is given in lower case, from the top down.
    pub(in crate::mailbox) fn all<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h str> {
        let own = move |(found, _): &&(String, String)| found == name;
        self.0.iter().filter(own).map(|(_, value)| value.trim())
    }

    /// The first of them.
    pub(in crate::mailbox) fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, value)| value.trim())
    }

    /// The first of them as people read it.
    pub(in crate::mailbox) fn text(&self, name: &str) -> Option<String> {
        self.first(name).map(decode::words)
    }

    /// Whether one of the names begins like this.
    pub(in crate::mailbox) fn has_any(&self, beginning: &str) -> bool {
        self.0.iter().any(|(name, _)| name.starts_with(beginning))
    }

    /// The media type; plain text where none is told.
    pub(super) fn content_type(&self) -> MimeFields {
        let mut kind = MimeFields::read(self.first("content-type").unwrap_or_default());
        if !kind.value.contains('/') {
            kind.value = "text/plain".to_owned();
        }
        kind
    }

    pub(super) fn disposition(&self) -> MimeFields {
        MimeFields::read(self.first("content-disposition").unwrap_or_default())
    }
}

/// A value and its parameters: `text/plain; charset="utf-8"`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MimeFields {
    /// What stands before the parameters, in lower case.
    pub(super) value: String,
    parameters: Vec<(String, String)>,
}

impl MimeFields {
    fn read(text: &str) -> MimeFields {
        let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST);
        let mut pieces = pieces(text.get(..end.unwrap_or(text.len())).unwrap_or_default());
        let value = pieces.next().unwrap_or_default().trim().to_ascii_lowercase();
        let parameter = |piece: String| {
            let (name, value) = piece.split_once('=')?;
            Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        };
        MimeFields { value, parameters: pieces.take(PARAMETERS).filter_map(parameter).collect() }
    }

    /// A parameter, in one piece or in several, in ASCII or not (RFC 2231, sections 3 and 4).
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        let find = |wanted: &str| {
            self.parameters.iter().find(|(own, _)| own == wanted).map(|(_, value)| value.as_str())
        };
        if let Some(value) = find(&format!("{name}*")) {
            let (charset, value) = charset_of(value);
            return Some(decode::text(charset, &decode::percent(value)));
        }
        if let Some(value) = find(name) {
            return Some(decode::words(value));
        }
        let (mut bytes, mut charset, mut pieces) = (Vec::new(), "utf-8", 0);
        for number in 0..PARAMETERS {
            if let Some(value) = find(&format!("{name}*{number}*")) {
                let (said, value) = if number == 0 { charset_of(value) } else { (charset, value) };
                charset = said;
                bytes.extend(decode::percent(value));
            } else if let Some(value) = find(&format!("{name}*{number}")) {
                bytes.extend(value.as_bytes());
            } else {
                break;
            }
            pieces += 1;
        }
        (pieces > 0).then(|| decode::text(charset, &bytes))
    }
}

/// `charset'language'value`.
fn charset_of(text: &str) -> (&str, &str) {
    let mut parts = text.splitn(3, '\'');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(charset), Some(_), Some(value)) => (charset, value),
        _ => ("utf-8", text),
    }
}

/// What stands between semicolons, without quotes and comments.
pub(in crate::mailbox) fn pieces(text: &str) -> impl Iterator<Item = String> {
    let (mut found, mut piece) = (Vec::new(), String::new());
    let (mut quoted, mut comments) = (false, 0_usize);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted || comments > 0 => {
                let escaped = letters.next().filter(|_| comments == 0);
                piece.extend(escaped);
            }
            '"' if comments == 0 => quoted = !quoted,
            '(' if !quoted => comments += 1,
            ')' if !quoted && comments > 0 => comments -= 1,
            ';' if !quoted && comments == 0 => found.push(std::mem::take(&mut piece)),
            other if comments == 0 => piece.push(other),
            _ => {}
        }
    }
    found.push(piece);
    found.into_iter()
}
