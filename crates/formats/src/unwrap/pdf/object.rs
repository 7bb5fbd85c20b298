//! Objects of a PDF file and reading them from bytes.
//!
//! What an object holds is shared by its clones: the objects of a hostile file lead to one array
//! from a thousand places, and each of them takes hold of its members.
//!
//! Source: ISO 32000-1 section 7.3.

use std::rc::Rc;

/// Arrays and dictionaries inside one another.
const MAX_DEPTH: usize = 32;
/// Members of one array or dictionary.
const MAX_MEMBERS: usize = 100_000;
/// Objects that are made in one go, those inside others included: each takes some thirty bytes,
/// however short it is written.
const MAX_MADE: usize = 500_000;
/// Digits of a number that is read as one.
const MAX_DIGITS: usize = 18;
/// Bytes of a string or a name that are kept: what is read here are names of files.
const MAX_KEPT: usize = 16 << 10;

/// An object; what is not needed here is [`Object::Null`].
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Object {
    Null,
    Number(i64),
    Name(Rc<str>),
    Text(Rc<[u8]>),
    Array(Rc<[Object]>),
    Dict(Dict),
    Reference(u32),
}

/// A dictionary, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Dict(Rc<[(Rc<str>, Object)]>);

impl Dict {
    pub(super) fn get(&self, key: &str) -> Option<&Object> {
        self.0.iter().find(|(known, _)| **known == *key).map(|(_, object)| object)
    }

    pub(super) fn number(&self, key: &str) -> Option<i64> {
        match self.get(key)? {
            Object::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl Object {
    pub(super) fn dict(&self) -> Option<&Dict> {
        match self {
            Object::Dict(dict) => Some(dict),
            _ => None,
        }
    }

    /// Its members; empty where it is no array.
    pub(super) fn array(&self) -> &[Object] {
        match self {
            Object::Array(members) => members,
            _ => &[],
        }
    }

    pub(super) fn reference(&self) -> Option<u32> {
        match self {
            Object::Reference(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Object::Name(name) => Some(name),
            _ => None,
        }
    }

    /// A text string: UTF-16 with a byte order mark, UTF-8 with one, else one character a byte.
    pub(super) fn text(&self) -> Option<String> {
        let Object::Text(bytes) = self else { return None };
        Some(match &**bytes {
            [0xFE, 0xFF, rest @ ..] => {
                let unit = |pair: &[u8]| Some(u16::from_be_bytes(pair.try_into().ok()?));
                let units: Vec<u16> = rest.chunks_exact(2).filter_map(unit).collect();
                String::from_utf16_lossy(&units)
            }
            [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
            bytes => bytes.iter().copied().map(char::from).collect(),
        })
    }
}

/// Reads objects from bytes, forward only.
#[derive(Clone)]
pub(super) struct PdfLexer<'b> {
    bytes: &'b [u8],
    pub(super) at: usize,
    /// Objects that were made so far.
    pub(super) made: usize,
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

impl<'b> PdfLexer<'b> {
    pub(super) fn new(bytes: &'b [u8], at: usize) -> PdfLexer<'b> {
        PdfLexer { bytes, at, made: 0 }
    }

    fn rest(&self) -> &'b [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Passes over white space and comments.
    pub(super) fn space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                let end = self.rest().iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                self.at += end.unwrap_or(self.rest().len());
            } else if is_space(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Takes these bytes after white space, if they come next.
    pub(super) fn take(&mut self, word: &[u8]) -> bool {
        self.space();
        let is_next = self.rest().starts_with(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Digits that are a number of at most [`MAX_DIGITS`].
    pub(super) fn unsigned(&mut self) -> Option<u64> {
        self.space();
        let rest = self.rest();
        let count =
            rest.iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
        let digits = rest.get(..count).filter(|digits| (1..=MAX_DIGITS).contains(&digits.len()))?;
        self.at += count;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    fn word(&mut self) -> &'b [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|byte| is_space(*byte) || is_delimiter(*byte));
        let (word, _) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        word
    }

    /// The next object; `None` where there is none.
    pub(super) fn object(&mut self) -> Option<Object> {
        self.nested(MAX_DEPTH)
    }

    fn nested(&mut self, depth: usize) -> Option<Object> {
        self.space();
        let depth = depth.checked_sub(1)?;
        self.made += 1;
        if self.made > MAX_MADE {
            return None;
        }
        match self.peek()? {
            b'/' => {
                self.at += 1;
                Some(Object::Name(unescaped(self.word()).into()))
            }
            b'(' => Some(Object::Text(self.literal()?.into())),
            b'<' if self.rest().starts_with(b"<<") => {
                self.at += 2;
                self.dict(depth).map(Object::Dict)
            }
            b'<' => Some(Object::Text(self.hexadecimal()?.into())),
            b'[' => {
                self.at += 1;
                let mut members = Vec::new();
                while !self.take(b"]") {
                    members.push(self.nested(depth)?);
                    if members.len() > MAX_MEMBERS {
                        return None;
                    }
                }
                Some(Object::Array(members.into()))
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => Some(self.number()),
            byte if is_delimiter(byte) => None,
            _ => {
                self.word();
                Some(Object::Null)
            }
        }
    }

    fn dict(&mut self, depth: usize) -> Option<Dict> {
        let mut members = Vec::new();
        while !self.take(b">>") {
            let Object::Name(key) = self.nested(depth)? else { return None };
            members.push((key, self.nested(depth)?));
            if members.len() > MAX_MEMBERS {
                return None;
            }
        }
        Some(Dict(members.into()))
    }

    /// A number, or a reference `12 0 R`.
    fn number(&mut self) -> Object {
        let mut ahead = self.clone();
        if let (Some(number), Some(_)) = (ahead.unsigned(), ahead.unsigned()) {
            ahead.space();
            if ahead.word() == b"R"
                && let Ok(number) = u32::try_from(number)
            {
                self.at = ahead.at;
                return Object::Reference(number);
            }
        }
        let word = self.word();
        let text = std::str::from_utf8(word).unwrap_or_default();
        let whole = text.split('.').next().unwrap_or_default();
        Object::Number(whole.parse().unwrap_or_default())
    }

    /// `(...)` with balanced brackets and escapes (section 7.3.4.2).
    fn literal(&mut self) -> Option<Vec<u8>> {
        self.at += 1;
        let (mut out, mut open) = (Vec::new(), 1);
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        return Some(out);
                    }
                }
                b'\\' => {
                    self.escape(&mut out)?;
                    continue;
                }
                _ => {}
            }
            push(&mut out, byte);
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'n' => push(out, b'\n'),
            b'r' => push(out, b'\r'),
            b't' => push(out, b'\t'),
            b'b' => push(out, 8),
            b'f' => push(out, 12),
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                push(out, code as u8);
            }
            other => push(out, other),
        }
        Some(())
    }

    fn hexadecimal(&mut self) -> Option<Vec<u8>> {
        self.at += 1;
        let end = memchr::memchr(b'>', self.rest())?;
        let digits = self.rest().get(..end)?;
        self.at += end + 1;
        let mut digits = digits.iter().filter_map(|byte| char::from(*byte).to_digit(16));
        let mut out = Vec::new();
        while let Some(high) = digits.next() {
            push(&mut out, (high << 4 | digits.next().unwrap_or(0)) as u8);
        }
        Some(out)
    }
}

/// Keeps a byte of a string, up to a length.
fn push(out: &mut Vec<u8>, byte: u8) {
    if out.len() < MAX_KEPT {
        out.push(byte);
    }
}

/// A name with `#20` and the like resolved.
fn unescaped(word: &[u8]) -> String {
    let word = word.get(..word.len().min(MAX_KEPT)).unwrap_or_default();
    let mut out = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        match (byte, digit(0), digit(1)) {
            (b'#', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
