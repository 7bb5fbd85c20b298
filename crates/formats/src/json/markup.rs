//! A JSON text as markup, so that the values of an invoice stand in a tree as those of any other
//! syntax.
//!
//! One element a member, named like it; an item of a list has the prefix `a`; what the form does
//! not know has items called `n:i` inside. One pass over the text, as deep as [`MAX_DEPTH`]; what
//! is no JSON, is said twice or is of another type than the form has is refused with its place.
//!
//! Source: RFC 8259 for the grammar, RFC 6901 for the places.

mod skim;
mod strings;

use std::borrow::Cow;
use std::collections::HashSet;

use quoin_model::text::{SPACE, cut};
use quoin_xml::tree::{ParseError, ParseErrorKind, Position};
use quoin_xml::write::escape_text;

use super::form::{Member, MemberContent, TextForm, required};
use super::{lexical, pointer};

pub(crate) use skim::{SkimmedInvoice, skim};

/// How deep objects and lists may stand in each other.
pub(super) const MAX_DEPTH: usize = 32;
/// Characters that the name of a member may have.
pub(super) const MAX_NAME: usize = 100;
/// Characters of a name that a refusal repeats.
const TOLD: usize = 60;

/// The namespace of the tree, and the name of the schema.
pub(crate) const NAMESPACE: &str = "urn:quoin:json:invoice:1";
/// The document element of the tree.
pub(super) const ROOT: &str = "invoice";

/// One walk over a text.
pub(super) struct JsonWalk<'t> {
    text: &'t str,
    at: usize,
    markup: String,
    max_bytes: usize,
    pointer: String,
    depth: usize,
    /// A member that the document must have and has not.
    missing: Option<&'static str>,
}

impl<'t> JsonWalk<'t> {
    /// A walk that begins.
    fn over(text: &'t str, max_bytes: usize) -> JsonWalk<'t> {
        let (markup, pointer, depth, missing) = (String::new(), String::new(), 0, None);
        JsonWalk { text, at: 0, markup, max_bytes, pointer, depth, missing }
    }

    /// The markup of a text that is one object with these members; at most so many bytes.
    pub(super) fn of(
        text: &'t str,
        members: &'static [Member],
        max_bytes: usize,
    ) -> Result<String, ParseError> {
        let mut walk = JsonWalk::over(text, max_bytes);
        walk.markup.reserve(text.len().min(max_bytes));
        walk.markup.push_str(&format!(
            "<{ROOT} xmlns=\"{NAMESPACE}\" xmlns:a=\"{NAMESPACE}\" xmlns:n=\"{NAMESPACE}\">"
        ));
        walk.space();
        walk.object(members)?;
        walk.space();
        if walk.peek().is_some() {
            return Err(walk.refused("the end", "more"));
        }
        if let Some(name) = walk.missing {
            return Err(walk.without(name));
        }
        walk.end("", ROOT)?;
        Ok(walk.markup)
    }

    /// An object, whose members are these and others.
    fn object(&mut self, members: &'static [Member]) -> Result<(), ParseError> {
        self.open(b'{', "an object")?;
        let mut names = HashSet::new();
        let mut missing = required(members, self.depth == 1).to_vec();
        self.space();
        let mut has_more = !self.take(b'}');
        while has_more {
            self.space();
            let name = self.string("the name of a member")?;
            if self.pair(&name, members, !names.insert(name.clone()))? {
                missing.retain(|wanted| *wanted != name);
            }
            self.space();
            has_more = !self.take(b'}');
            if has_more {
                self.punctuation(b',', "a comma or the end of the object")?;
            }
        }
        match missing.first() {
            // Of the document it is told once the text is known to be one object.
            Some(name) if self.depth == 1 => self.missing = Some(name),
            Some(name) => return Err(self.without(name)),
            None => {}
        }
        self.close()
    }

    /// What follows the name of a member. Whether it is there and says something.
    fn pair(
        &mut self,
        name: &str,
        members: &'static [Member],
        is_again: bool,
    ) -> Result<bool, ParseError> {
        if name.chars().nth(MAX_NAME).is_some() {
            return Err(self.refused("a name of at most 100 characters", "a longer one"));
        }
        self.space();
        self.punctuation(b':', "a colon")?;
        self.space();
        let length = self.pointer.len();
        pointer::push(&mut self.pointer, name);
        if is_again {
            return Err(self.refused("each member once", "it again"));
        }
        // `$schema` says of what form the object is, and is no content of it.
        let is_schema = self.depth == 1 && name == "$schema";
        let known = members.iter().find(|member| member.name == name);
        let is_said = match known.map(|member| member.content) {
            None if is_schema => self.schema().map(|()| true),
            content => self.member(name, content),
        };
        self.pointer.truncate(length);
        is_said
    }

    /// Of what form the object is: of another one, a later one for example, it would be misread.
    fn schema(&mut self) -> Result<(), ParseError> {
        let named = self.string("a text")?;
        let refused = || self.refused(NAMESPACE, &format!("{:?}", cut(&named, TOLD)));
        if named == NAMESPACE { Ok(()) } else { Err(refused()) }
    }

    /// The value of a member. `null` is no value; of a document it says that there is none, which a
    /// blank text does not.
    fn member(&mut self, name: &str, content: Option<MemberContent>) -> Result<bool, ParseError> {
        if self.word("null") {
            return Ok(self.depth == 1);
        }
        match content {
            None => self.unknown("", &pointer::element_name(name))?,
            Some(MemberContent::Text(form)) => {
                return Ok(!self.text_element(name, form)? || self.depth > 1);
            }
            Some(MemberContent::Object(members)) => self.group("", name, members)?,
            Some(MemberContent::Objects(members)) => {
                self.list(|walk| walk.group("a:", name, members))?;
            }
        }
        Ok(true)
    }

    fn group(
        &mut self,
        prefix: &str,
        name: &str,
        members: &'static [Member],
    ) -> Result<(), ParseError> {
        self.start(prefix, name);
        self.object(members)?;
        self.end(prefix, name)
    }

    /// A text of a form. Whether it is blank.
    fn text_element(&mut self, name: &str, form: TextForm) -> Result<bool, ParseError> {
        let begin = self.at;
        let text = self.string("a text")?;
        if let Some(expected) = lexical::unlike(form, &text) {
            self.at = begin;
            return Err(self.refused(expected, &format!("{:?}", cut(&text, TOLD))));
        }
        self.start("", name);
        escape_text(&text, &mut self.markup);
        self.end("", name)?;
        Ok(text.trim_matches(SPACE).is_empty())
    }

    /// A list, of which each item is an element.
    fn list(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        self.open(b'[', "a list")?;
        self.space();
        if self.take(b']') {
            return self.close();
        }
        for number in 0_usize.. {
            let length = self.pointer.len();
            pointer::push(&mut self.pointer, &number.to_string());
            self.space();
            item(self)?;
            self.pointer.truncate(length);
            self.space();
            if self.take(b']') {
                break;
            }
            self.punctuation(b',', "a comma or the end of the list")?;
        }
        self.close()
    }

    /// What the form does not know: of any type, and kept to be told.
    fn unknown(&mut self, prefix: &str, name: &str) -> Result<(), ParseError> {
        self.start(prefix, name);
        match self.peek() {
            Some(b'{') => self.object(&[])?,
            Some(b'[') => self.list(|walk| walk.unknown("n:", "i"))?,
            Some(b'"') => {
                let text = self.string("a text")?;
                escape_text(&text, &mut self.markup);
            }
            _ => {
                let word = ["true", "false", "null"].into_iter().find(|word| self.word(word));
                let number = if word.is_some() { None } else { Some(self.number()?) };
                self.markup.push_str(word.filter(|word| *word != "null").unwrap_or_default());
                self.markup.push_str(number.unwrap_or_default());
            }
        }
        self.end(prefix, name)
    }

    fn start(&mut self, prefix: &str, name: &str) {
        for part in ["<", prefix, name, ">"] {
            self.markup.push_str(part);
        }
    }

    fn end(&mut self, prefix: &str, name: &str) -> Result<(), ParseError> {
        for part in ["</", prefix, name, ">"] {
            self.markup.push_str(part);
        }
        match self.markup.len() <= self.max_bytes {
            true => Ok(()),
            false => Err(self.failed(ParseErrorKind::TooLarge(self.max_bytes))),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn word(&mut self, word: &str) -> bool {
        let is_there = self.rest().starts_with(word);
        self.at += if is_there { word.len() } else { 0 };
        is_there
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn punctuation(&mut self, byte: u8, expected: &'static str) -> Result<(), ParseError> {
        match self.take(byte) {
            true => Ok(()),
            false => Err(self.refused(expected, self.found())),
        }
    }

    fn open(&mut self, byte: u8, expected: &'static str) -> Result<(), ParseError> {
        self.punctuation(byte, expected)?;
        self.depth += 1;
        match self.depth <= MAX_DEPTH {
            true => Ok(()),
            false => Err(self.refused("at most 32 objects and lists in each other", "more")),
        }
    }

    fn close(&mut self) -> Result<(), ParseError> {
        self.depth -= 1;
        Ok(())
    }

    /// A number, as it is written.
    fn number(&mut self) -> Result<&'t str, ParseError> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let digits = |from: usize| {
            let of = bytes.get(from..).unwrap_or_default();
            of.iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let mut at = usize::from(bytes.first() == Some(&b'-'));
        let whole = digits(at);
        let has_zero = whole > 1 && bytes.get(at) == Some(&b'0');
        at += whole;
        let mut is_number = whole > 0 && !has_zero;
        if bytes.get(at) == Some(&b'.') {
            let count = digits(at + 1);
            is_number &= count > 0;
            at += 1 + count;
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            let count = digits(at);
            is_number &= count > 0;
            at += count;
        }
        match rest.get(..at).filter(|_| is_number) {
            Some(number) => {
                self.at += at;
                Ok(number)
            }
            None => Err(self.refused("a value", self.found())),
        }
    }

    /// What stands here, in words.
    fn found(&self) -> &'static str {
        match self.peek() {
            None => "the end",
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a text",
            Some(b'-' | b'0'..=b'9') => "a number",
            Some(b't' | b'f') => "a truth value",
            Some(b'n') => "null",
            Some(b'}' | b']') => "an end",
            Some(_) => "another character",
        }
    }

    /// A refusal with the place: what the form has here, and what is there.
    fn refused(&self, expected: &'static str, found: &str) -> ParseError {
        let place = match self.pointer.is_empty() {
            true => Cow::Borrowed("the top"),
            false => cut(&self.pointer, TOLD * 4),
        };
        let found = format!("{found} at {place}");
        self.failed(ParseErrorKind::Syntax { expected, found })
    }

    /// A refusal of an object that lacks a member.
    fn without(&mut self, name: &str) -> ParseError {
        pointer::push(&mut self.pointer, name);
        self.refused("a member that must be there", "none")
    }

    fn failed(&self, kind: ParseErrorKind) -> ParseError {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        ParseError { kind, position: Position { line: number(line), column: number(column) } }
    }
}
