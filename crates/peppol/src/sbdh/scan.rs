//! A scanner for tags: enough of XML to find where elements begin and end, in one pass and without
//! a tree. It checks that tags nest and match; it does not look into text, attribute values or
//! prefixes, which only a parser proves right.

use memchr::{memchr, memchr3, memmem};

/// Deepest nesting that is followed.
const DEPTH_LIMIT: usize = 64;

/// U+FEFF in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether the XML declaration at the start of `bytes`, if any, names no encoding, or UTF-8, or the
/// part of it that is ASCII.
pub(super) fn is_utf_8_by_declaration(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"<?xml") else { return true };
    let end = memmem::find(rest, b"?>").unwrap_or(rest.len());
    let attributes = rest.get(..end).unwrap_or_default();
    let declaration = StartTag { name: b"xml", attributes, from: 0, to: 0, empty: true };
    declaration.pairs().find(|(name, _)| *name == b"encoding").is_none_or(|(_, encoding)| {
        encoding.eq_ignore_ascii_case(b"utf-8") || encoding.eq_ignore_ascii_case(b"us-ascii")
    })
}

/// A place and a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScanError {
    pub(super) offset: usize,
    pub(super) why: &'static str,
}

/// A start tag: its qualified name, its attributes as they are written, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartTag<'a> {
    pub(super) name: &'a [u8],
    pub(super) attributes: &'a [u8],
    /// Offset of `<`.
    pub(super) from: usize,
    /// Offset after `>`.
    pub(super) to: usize,
    pub(super) empty: bool,
}

/// What comes next at one level of nesting.
#[derive(Debug, Clone, Copy)]
pub(super) enum MarkupToken<'a> {
    Start(StartTag<'a>),
    /// An end tag: its name and the offsets of `<` and after `>`.
    End {
        name: &'a [u8],
        from: usize,
        to: usize,
    },
    /// Text that is not only white space, or a CDATA section.
    Text {
        offset: usize,
    },
    /// The end of the input.
    Nothing,
}

/// Walks over `bytes` from tag to tag.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    /// A scanner that stands before the byte at `at`.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn error<T>(&self, why: &'static str) -> Result<T, ScanError> {
        Err(ScanError { offset: self.at, why })
    }

    /// The next start tag, end tag or text; comments and processing instructions are skipped.
    pub(super) fn next(&mut self) -> Result<MarkupToken<'a>, ScanError> {
        loop {
            let rest = self.rest();
            let text = memchr(b'<', rest).unwrap_or(rest.len());
            let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
            let before = rest.get(..text).unwrap_or_default();
            if let Some(solid) = before.iter().position(|b| !blank(b)) {
                let offset = self.at + solid;
                self.at += text;
                return Ok(MarkupToken::Text { offset });
            }
            self.at += text;
            let rest = self.rest();
            match rest.get(1) {
                None if rest.is_empty() => return Ok(MarkupToken::Nothing),
                Some(b'?') => {
                    self.skip_past(2, b"?>", "a processing instruction does not end")?;
                }
                Some(b'!') if rest.starts_with(b"<!--") => {
                    self.skip_past(4, b"-->", "a comment does not end")?;
                }
                Some(b'!') if rest.starts_with(b"<![CDATA[") => {
                    let offset = self.at;
                    self.skip_past(9, b"]]>", "a CDATA section does not end")?;
                    return Ok(MarkupToken::Text { offset });
                }
                Some(b'!') => {
                    return self.error("a document type declaration (DOCTYPE) is not allowed");
                }
                _ => return self.tag(),
            }
        }
    }

    fn skip_past(&mut self, from: usize, end: &[u8], why: &'static str) -> Result<(), ScanError> {
        let inside = self.rest().get(from..).unwrap_or_default();
        match memmem::find(inside, end) {
            Some(found) => {
                self.at += from + found + end.len();
                Ok(())
            }
            None => self.error(why),
        }
    }

    fn tag(&mut self) -> Result<MarkupToken<'a>, ScanError> {
        let from = self.at;
        let closing = self.rest().get(1) == Some(&b'/');
        let start = from + 1 + usize::from(closing);
        let mut end = start;
        loop {
            let rest = self.bytes.get(end..).unwrap_or_default();
            let Some(found) = memchr3(b'>', b'"', b'\'', rest) else {
                return self.error("a tag does not end");
            };
            end += found;
            match rest.get(found) {
                Some(b'>') => break,
                Some(quote) => {
                    let value = self.bytes.get(end + 1..).unwrap_or_default();
                    let Some(length) = memchr(*quote, value) else {
                        return self.error("an attribute value does not end");
                    };
                    end += length + 2;
                }
                None => return self.error("a tag does not end"),
            }
        }
        let inside = self.bytes.get(start..end).unwrap_or_default();
        let to = end + 1;
        self.at = to;
        let (inside, empty) = match inside.strip_suffix(b"/") {
            Some(inside) if !closing => (inside, true),
            _ => (inside, false),
        };
        let name_end = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len());
        let (name, attributes) = inside.split_at_checked(name_end).unwrap_or((inside, b""));
        let first = name.first().copied().unwrap_or(b'<');
        let letter = first.is_ascii_alphabetic() || matches!(first, b'_' | b':') || first >= 0x80;
        if !letter || name.iter().any(|b| matches!(b, b'<' | b'=' | b'"' | b'\'' | b'&')) {
            return Err(ScanError { offset: from, why: "a tag has no name" });
        }
        if closing {
            if !attributes.trim_ascii().is_empty() {
                return Err(ScanError { offset: from, why: "an end tag has attributes" });
            }
            return Ok(MarkupToken::End { name, from, to });
        }
        Ok(MarkupToken::Start(StartTag { name, attributes, from, to, empty }))
    }

    /// Skips to the end of an element whose start tag was just read, and returns the offset after
    /// its end tag.
    pub(super) fn skip_element(&mut self, start: &StartTag<'a>) -> Result<usize, ScanError> {
        if start.empty {
            return Ok(start.to);
        }
        let mut open: Vec<&[u8]> = vec![start.name];
        loop {
            match self.next()? {
                MarkupToken::Start(child) if child.empty => {}
                MarkupToken::Start(child) => {
                    if open.len() >= DEPTH_LIMIT {
                        let why = "elements are nested deeper than 64 levels";
                        return Err(ScanError { offset: child.from, why });
                    }
                    open.push(child.name);
                }
                MarkupToken::End { name, from, to } => {
                    if open.pop() != Some(name) {
                        let why = "an end tag does not match its start tag";
                        return Err(ScanError { offset: from, why });
                    }
                    if open.is_empty() {
                        return Ok(to);
                    }
                }
                MarkupToken::Text { .. } => {}
                MarkupToken::Nothing => return self.error("an element is not closed"),
            }
        }
    }
}

impl<'a> StartTag<'a> {
    /// Prefix (empty if none) and local name.
    pub(super) fn split(&self) -> (&'a [u8], &'a [u8]) {
        match memchr(b':', self.name) {
            Some(colon) => (
                self.name.get(..colon).unwrap_or_default(),
                self.name.get(colon + 1..).unwrap_or_default(),
            ),
            None => (b"", self.name),
        }
    }

    /// The attributes as name and raw value, in their order; stops at the first that is malformed.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let mut rest = self.attributes;
        std::iter::from_fn(move || {
            let equals = memchr(b'=', rest)?;
            let name = rest.get(..equals)?.trim_ascii();
            let after = rest.get(equals + 1..)?.trim_ascii_start();
            let quote = *after.first()?;
            let value = after.get(1..)?;
            let end = memchr(quote, value)?;
            rest = value.get(end + 1..)?;
            Some((name, value.get(..end)?))
        })
    }

    /// The namespaces the tag declares: prefix (empty for the default) and raw name.
    pub(super) fn declarations(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.pairs().filter_map(|(name, value)| match name {
            b"xmlns" => Some((&b""[..], value)),
            _ => name.strip_prefix(b"xmlns:").map(|prefix| (prefix, value)),
        })
    }
}
