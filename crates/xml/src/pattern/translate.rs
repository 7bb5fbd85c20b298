//! Reads an expression of one dialect and writes the same expression for the `regex` crate.

use super::class::{self, Escape};
use super::{MAX_GROUP_DEPTH, MAX_PATTERN_BYTES, MAX_REPETITIONS, PatternError};

/// Which language is read, and with which flags.
#[derive(Debug, Clone, Default)]
pub(super) struct PatternDialect {
    is_xpath: bool,
    dot_all: bool,
    multi_line: bool,
    pub(super) ignore_case: bool,
    free_spacing: bool,
}

impl PatternDialect {
    pub(super) fn xsd() -> PatternDialect {
        PatternDialect::default()
    }

    pub(super) fn xpath(flags: &str) -> Result<PatternDialect, PatternError> {
        let mut dialect = PatternDialect { is_xpath: true, ..PatternDialect::default() };
        for flag in flags.chars() {
            match flag {
                's' => dialect.dot_all = true,
                'm' => dialect.multi_line = true,
                'i' => dialect.ignore_case = true,
                'x' => dialect.free_spacing = true,
                other => return Err(PatternError::Flag(other)),
            }
        }
        Ok(dialect)
    }

    /// The flags that the engine is asked for; dot and white space are translated.
    pub(super) fn engine_flags(&self) -> &'static str {
        match (self.multi_line, self.ignore_case) {
            (true, true) => "mi",
            (true, false) => "m",
            (false, true) => "i",
            (false, false) => "-s",
        }
    }
}

/// The expression for the engine, without anchors and flags.
pub(super) struct Translated {
    pub(super) text: String,
    pub(super) groups: usize,
}

pub(super) fn translate(text: &str, dialect: &PatternDialect) -> Result<Translated, PatternError> {
    if text.len() > MAX_PATTERN_BYTES {
        let limit = MAX_PATTERN_BYTES;
        return Err(PatternError::TooLarge { what: "its length in bytes", limit });
    }
    let mut reader = PatternReader {
        chars: text.chars().collect(),
        at: 0,
        dialect: dialect.clone(),
        out: String::with_capacity(text.len() * 2),
        groups: 0,
    };
    reader.expression(0)?;
    match reader.peek() {
        None => Ok(Translated { text: reader.out, groups: reader.groups }),
        Some(char) => Err(reader.problem(format!("expected the end, found {char:?}"))),
    }
}

/// A cursor over the characters of an expression.
pub(super) struct PatternReader {
    chars: Vec<char>,
    at: usize,
    pub(super) dialect: PatternDialect,
    pub(super) out: String,
    groups: usize,
}

impl PatternReader {
    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn peek_second(&self) -> Option<char> {
        self.chars.get(self.at + 1).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += 1;
        Some(char)
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn problem(&self, problem: impl Into<String>) -> PatternError {
        PatternError::Syntax { at: self.at + 1, problem: problem.into() }
    }

    pub(super) fn allows_dollar_escape(&self) -> bool {
        self.dialect.is_xpath
    }

    fn skip_space(&mut self) {
        while self.dialect.free_spacing && self.peek().is_some_and(class::is_space) {
            self.at += 1;
        }
    }

    /// Branches up to the end or a closing parenthesis.
    fn expression(&mut self, depth: usize) -> Result<(), PatternError> {
        if depth > MAX_GROUP_DEPTH {
            let limit = MAX_GROUP_DEPTH;
            return Err(PatternError::TooLarge { what: "the depth of groups", limit });
        }
        loop {
            self.skip_space();
            match self.peek() {
                None | Some(')') => return Ok(()),
                Some('|') => {
                    self.at += 1;
                    self.out.push('|');
                }
                Some(_) => {
                    if self.atom(depth)? {
                        self.quantifier()?;
                    }
                }
            }
        }
    }

    /// One atom; answers whether a quantifier may follow.
    fn atom(&mut self, depth: usize) -> Result<bool, PatternError> {
        let Some(char) = self.next() else { return Ok(false) };
        match char {
            '(' => self.group(depth)?,
            '[' => {
                let class = class::class(self, 0)?;
                self.out.push_str(&class);
            }
            '.' if self.dialect.dot_all => self.out.push_str("(?s:.)"),
            '.' => self.out.push_str(r"[^\n\r]"),
            '\\' => self.escape()?,
            '^' | '$' if self.dialect.is_xpath => {
                self.out.push(char);
                return Ok(false);
            }
            '?' | '*' | '+' | '{' | '}' | ']' => {
                self.at -= 1;
                return Err(self.problem(format!("expected an atom, found {char:?}")));
            }
            other => class::push_literal(other, &mut self.out),
        }
        Ok(true)
    }

    fn group(&mut self, depth: usize) -> Result<(), PatternError> {
        if self.dialect.is_xpath && self.peek() == Some('?') && self.peek_second() == Some(':') {
            self.at += 2;
            self.out.push_str("(?:");
        } else {
            self.groups += 1;
            self.out.push('(');
        }
        self.expression(depth + 1)?;
        if !self.eat(')') {
            return Err(self.problem("expected ')', found the end"));
        }
        self.out.push(')');
        Ok(())
    }

    fn escape(&mut self) -> Result<(), PatternError> {
        if self.dialect.is_xpath && self.peek().is_some_and(|char| char.is_ascii_digit()) {
            return Err(PatternError::BackReference { at: self.at });
        }
        match class::escape(self)? {
            Escape::Char(char) => class::push_literal(char, &mut self.out),
            Escape::Set(set) if self.dialect.ignore_case => {
                self.out.push_str(&format!("(?-i:{set})"));
            }
            Escape::Set(set) => self.out.push_str(&set),
        }
        Ok(())
    }

    fn quantifier(&mut self) -> Result<(), PatternError> {
        self.skip_space();
        match self.peek() {
            Some(char @ ('?' | '*' | '+')) => {
                self.at += 1;
                self.out.push(char);
            }
            Some('{') => {
                self.at += 1;
                self.bounds()?;
            }
            _ => return Ok(()),
        }
        if self.dialect.is_xpath && self.eat('?') {
            self.out.push('?');
        }
        Ok(())
    }

    fn bounds(&mut self) -> Result<(), PatternError> {
        let least = self.number()?;
        let text = if self.eat(',') {
            if self.peek() == Some('}') {
                format!("{{{least},}}")
            } else {
                let most = self.number()?;
                if most < least {
                    return Err(self.problem(format!("{{{least},{most}}} ends before it begins")));
                }
                format!("{{{least},{most}}}")
            }
        } else {
            format!("{{{least}}}")
        };
        if !self.eat('}') {
            return Err(self.problem("expected '}' at the end of a quantity"));
        }
        self.out.push_str(&text);
        Ok(())
    }

    fn number(&mut self) -> Result<u32, PatternError> {
        let mut digits = String::new();
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.at += 1;
        }
        if digits.is_empty() {
            return Err(self.problem("expected a number in a quantity"));
        }
        let number = digits.parse().unwrap_or(u32::MAX);
        if number > MAX_REPETITIONS {
            let limit = MAX_REPETITIONS as usize;
            return Err(PatternError::TooLarge { what: "a quantity", limit });
        }
        Ok(number)
    }
}
