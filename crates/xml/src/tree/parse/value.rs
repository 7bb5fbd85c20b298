//! Character data and attribute values: references, line ends, forbidden characters.

use super::super::scan::{self, IN_TEXT, IN_VALUE};
use super::{NodeContent, ParseErrorKind, ParseResult, RunEnd, Span, TreeReader};

impl TreeReader<'_> {
    /// Character data up to the next markup; CDATA sections are part of it.
    pub(super) fn characters(&mut self) -> ParseResult<RunEnd> {
        let offset = self.at;
        let mut value = ValueBuilder::new(self.at);
        // Between elements there is mostly a line end and an indent.
        self.at += scan::indent(self.bytes.get(self.at..).unwrap_or_default());
        let run = loop {
            self.skip_plain(IN_TEXT);
            if self.at >= self.bytes.len() {
                break RunEnd::End;
            }
            match self.peek() {
                b'<' if self.is_cdata() => self.cdata(&mut value)?,
                b'<' => break RunEnd::Markup,
                b'&' => self.reference(&mut value)?,
                b'\r' => self.line_end(&mut value, '\n'),
                b'\n' | b'\t' => self.at += 1,
                b']' if self.looking_at("]]>") => {
                    return Err(self.syntax("no ]]> in character data"));
                }
                b']' => self.at += 1,
                _ => self.check_character()?,
            }
        };
        let span = value.finish(self);
        if !span.is_empty() {
            self.push(NodeContent::Text(span), offset)?;
        }
        Ok(run)
    }

    fn is_cdata(&self) -> bool {
        self.bytes.get(self.at + 1) == Some(&b'!') && self.looking_at("<![CDATA[")
    }

    fn cdata(&mut self, value: &mut ValueBuilder) -> ParseResult<()> {
        value.copy_source(self, self.at);
        self.at += "<![CDATA[".len();
        let Some(length) = memchr::memmem::find(self.rest().as_bytes(), b"]]>") else {
            return Err(self.error(ParseErrorKind::Truncated("a CDATA section")));
        };
        let inside = self.rest().get(..length).unwrap_or_default();
        self.check_characters(inside)?;
        self.decoded.push_str(&inside.replace("\r\n", "\n").replace('\r', "\n"));
        self.at += length + "]]>".len();
        value.resume(self.at);
        Ok(())
    }

    /// A quoted attribute value, normalised as CDATA (XML 1.0 section 3.3.3).
    pub(super) fn attribute_value(&mut self) -> ParseResult<Span> {
        let quote = self.peek();
        if !matches!(quote, b'"' | b'\'') {
            return Err(self.syntax("a quoted attribute value"));
        }
        self.at += 1;
        let mut value = ValueBuilder::new(self.at);
        loop {
            self.skip_plain(IN_VALUE);
            if self.at >= self.bytes.len() {
                return Err(self.error(ParseErrorKind::Truncated("an attribute value")));
            }
            match self.peek() {
                byte if byte == quote => break,
                b'"' | b'\'' => self.at += 1,
                b'<' => return Err(self.syntax("no < in an attribute value")),
                b'&' => self.reference(&mut value)?,
                b'\r' | b'\n' | b'\t' => self.line_end(&mut value, ' '),
                _ => self.check_character()?,
            }
        }
        let span = value.finish(self);
        self.at += 1;
        Ok(span)
    }

    fn skip_plain(&mut self, special: u8) {
        self.at += scan::plain(self.bytes.get(self.at..).unwrap_or_default(), special);
    }

    /// A carriage return, alone or before a line feed (or, in an attribute, any white space),
    /// becomes one `replacement`.
    fn line_end(&mut self, value: &mut ValueBuilder, replacement: char) {
        value.copy_source(self, self.at);
        self.at += if self.looking_at("\r\n") { 2 } else { 1 };
        self.decoded.push(replacement);
        value.resume(self.at);
    }

    fn reference(&mut self, value: &mut ValueBuilder) -> ParseResult<()> {
        let start = self.at;
        value.copy_source(self, start);
        let rest = self.rest();
        let Some(length) = rest.bytes().take(64).position(|byte| byte == b';') else {
            return Err(self.syntax("a reference that ends with a semicolon"));
        };
        let name = rest.get(1..length).unwrap_or_default();
        let character = match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => self.character_reference(name)?,
        };
        self.decoded.push(character);
        self.at = start + length + 1;
        value.resume(self.at);
        Ok(())
    }

    fn character_reference(&self, name: &str) -> ParseResult<char> {
        let Some(number) = name.strip_prefix('#') else {
            return Err(self.error(ParseErrorKind::Entity(name.to_owned())));
        };
        let digits_only = |text: &str, radix| text.chars().all(|c| c.is_digit(radix));
        let code = match number.strip_prefix('x') {
            Some(hex) if digits_only(hex, 16) => u32::from_str_radix(hex, 16),
            None if digits_only(number, 10) => number.parse(),
            _ => return Err(self.syntax("a character reference")),
        };
        let Ok(code) = code else { return Err(self.syntax("a character reference")) };
        match char::from_u32(code) {
            Some(c) if scan::is_char(c) => Ok(c),
            _ => Err(self.error(ParseErrorKind::Character(code))),
        }
    }

    /// Steps over one character that needs a look.
    fn check_character(&mut self) -> ParseResult<()> {
        let Some(c) = self.rest().chars().next() else { return Ok(()) };
        if !scan::is_char(c) {
            return Err(self.error(ParseErrorKind::Character(c as u32)));
        }
        self.at += c.len_utf8();
        Ok(())
    }

    pub(super) fn check_characters(&self, text: &str) -> ParseResult<()> {
        match text.char_indices().find(|(_, c)| !scan::is_char(*c)) {
            None => Ok(()),
            Some((index, c)) => {
                Err(self.error_at(ParseErrorKind::Character(c as u32), self.at + index))
            }
        }
    }
}

/// A value under construction: one span of the source as long as nothing had to be changed.
struct ValueBuilder {
    source_start: usize,
    decoded_start: Option<usize>,
}

impl ValueBuilder {
    fn new(at: usize) -> Self {
        ValueBuilder { source_start: at, decoded_start: None }
    }

    /// Moves what was passed since the last change into the decoded text.
    fn copy_source(&mut self, reader: &mut TreeReader<'_>, end: usize) {
        let start = reader.decoded.len();
        self.decoded_start.get_or_insert(start);
        reader.decoded.push_str(reader.text.get(self.source_start..end).unwrap_or_default());
    }

    fn resume(&mut self, at: usize) {
        self.source_start = at;
    }

    fn finish(mut self, reader: &mut TreeReader<'_>) -> Span {
        let end = reader.at;
        if self.decoded_start.is_none() {
            return Span::of_source(self.source_start, end);
        }
        self.copy_source(reader, end);
        Span::of_decoded(self.decoded_start.unwrap_or_default(), reader.decoded.len())
    }
}
