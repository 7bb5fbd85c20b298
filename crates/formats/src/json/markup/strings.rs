//! Texts of JSON, with their escapes (RFC 8259, section 7).

use std::borrow::Cow;

use quoin_model::text::is_allowed;
use quoin_xml::tree::ParseError;

use super::JsonWalk;

impl<'t> JsonWalk<'t> {
    /// A text between quotes, with its escapes replaced.
    pub(super) fn string(&mut self, expected: &'static str) -> Result<Cow<'t, str>, ParseError> {
        self.punctuation(b'"', expected)?;
        let mut text = Cow::Borrowed("");
        loop {
            let rest = self.rest();
            let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
            let length = rest.bytes().position(is_special).unwrap_or(rest.len());
            let part = rest.get(..length).unwrap_or_default();
            if let Some(other) = part.chars().find(|c| !is_allowed(*c)) {
                return Err(self.no_character(u32::from(other)));
            }
            self.at += length;
            match text.is_empty() {
                true => text = Cow::Borrowed(part),
                false => text.to_mut().push_str(part),
            }
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.at += 1;
                    let escaped = self.escape()?;
                    text.to_mut().push(escaped);
                }
                _ => return Err(self.refused("the end of a text", self.found())),
            }
        }
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> Result<char, ParseError> {
        let sign = self.peek();
        self.at += usize::from(sign.is_some_and(|sign| sign.is_ascii()));
        let plain = match sign {
            Some(sign @ (b'"' | b'\\' | b'/')) => char::from(sign),
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'b') => return Err(self.no_character(8)),
            Some(b'f') => return Err(self.no_character(12)),
            Some(b'u') => return self.code_point(),
            _ => return Err(self.refused("an escape of JSON", self.found())),
        };
        Ok(plain)
    }

    /// The character of `\u`, of which two may be one (UTF-16).
    fn code_point(&mut self) -> Result<char, ParseError> {
        let first = self.hexadecimal()?;
        let code = match first {
            0xd800..=0xdbff if self.word("\\u") => {
                let second = self.hexadecimal()?;
                let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400);
                low.map_or(first, |low| 0x1_0000 + ((first - 0xd800) << 10) + low)
            }
            _ => first,
        };
        match char::from_u32(code).filter(|c| is_allowed(*c)) {
            Some(found) => Ok(found),
            None => Err(self.no_character(code)),
        }
    }

    fn hexadecimal(&mut self) -> Result<u32, ParseError> {
        let digits = self.rest().get(..4);
        let digits = digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|text| u32::from_str_radix(text, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.refused("four hexadecimal digits", self.found())),
        }
    }

    fn no_character(&self, code: u32) -> ParseError {
        self.refused("characters that XML has", &format!("U+{code:04X}"))
    }
}
