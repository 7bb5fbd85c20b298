//! Regular expressions as XML Schema and XPath write them, run by the linear-time `regex` crate.
//!
//! Both dialects are translated while they are read, so a construct that the dialect does not
//! have is refused at load and never means something else at run time. A pattern that is a plain
//! sequence of character classes, as most schema facets are, is matched without an automaton.
//!
//! Sources: XML Schema 1.0 part 2 appendix F; XQuery 1.0 and XPath 2.0 Functions and Operators
//! sections 7.6.1 to 7.6.4.

mod blocks;
mod class;
mod replacement;
mod sequence;
#[cfg(test)]
mod tests;
mod translate;

use regex::{Regex, RegexBuilder};

pub use replacement::Replacement;
use sequence::ClassSequence;
use translate::{PatternDialect, translate};

/// Bytes of a pattern at most.
pub const MAX_PATTERN_BYTES: usize = 64 << 10;
/// Groups inside one another at most.
pub const MAX_GROUP_DEPTH: usize = 64;
/// Bytes that a compiled pattern may take.
pub const MAX_COMPILED_BYTES: usize = 4 << 20;
/// Bytes that the states found while matching may take, for each thread.
const MAX_CACHE_BYTES: usize = 1 << 20;
/// The highest number in a quantifier `{n,m}`.
pub const MAX_REPETITIONS: u32 = 1_000_000;

/// A regular expression that was checked and compiled.
#[derive(Debug)]
pub struct Pattern {
    matcher: Matcher,
    groups: usize,
}

#[derive(Debug)]
enum Matcher {
    /// A sequence of classes; matches the whole text only.
    Sequence(ClassSequence),
    Regex(Regex),
}

/// Why a pattern, its flags or its replacement cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The text is not an expression of the dialect (XPath: `FORX0002`).
    #[error("pattern, character {at}: {problem}")]
    Syntax {
        /// Which character, from 1.
        at: usize,
        /// What was expected and found.
        problem: String,
    },
    /// A back-reference: it cannot be matched in linear time (XPath: `FORX0002`).
    #[error("pattern, character {at}: a back-reference is not supported")]
    BackReference {
        /// Which character, from 1.
        at: usize,
    },
    /// A limit of this module was passed.
    #[error("pattern: {what} is over the limit of {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How large it may be.
        limit: usize,
    },
    /// A flag that is none of `s`, `m`, `i`, `x` (XPath: `FORX0001`).
    #[error("flags: expected some of \"smix\", found {0:?}")]
    Flag(char),
    /// `fn:replace` and `fn:tokenize` refuse a pattern that matches nothing at all (`FORX0003`).
    #[error("the pattern matches the empty string")]
    MatchesEmpty,
    /// A replacement with a stray `$` or `\` (XPath: `FORX0004`).
    #[error("replacement: expected a digit after '$', and '$' or '\\' after '\\'")]
    Replacement,
}

impl Pattern {
    /// A pattern facet of XML Schema: it always matches the whole text, `^` and `$` are ordinary
    /// characters, and there are no flags, reluctant quantifiers or back-references.
    ///
    /// # Errors
    /// [`PatternError`] where the text is not an expression of XML Schema 1.0 part 2 appendix F.
    pub fn xsd(text: &str) -> Result<Pattern, PatternError> {
        let translated = translate(text, &PatternDialect::xsd())?;
        if let Some(sequence) = ClassSequence::of(&translated.text) {
            return Ok(Pattern { matcher: Matcher::Sequence(sequence), groups: translated.groups });
        }
        let anchored = format!(r"\A(?:{})\z", translated.text);
        Ok(Pattern { matcher: Matcher::Regex(compile(&anchored)?), groups: translated.groups })
    }

    /// A pattern of `fn:matches`, `fn:replace` or `fn:tokenize` with its flags (F&O 7.6.1.1).
    ///
    /// The dot stands for any character but a line feed or carriage return unless `s` is set.
    /// White space is removed under `x` except inside a class.
    ///
    /// # Errors
    /// [`PatternError`]; the variants name the XPath error code.
    pub fn xpath(text: &str, flags: &str) -> Result<Pattern, PatternError> {
        let dialect = PatternDialect::xpath(flags)?;
        let translated = translate(text, &dialect)?;
        let whole = format!("(?{}){}", dialect.engine_flags(), translated.text);
        Ok(Pattern { matcher: Matcher::Regex(compile(&whole)?), groups: translated.groups })
    }

    /// Whether it matches: the whole text for a schema pattern, some part of it for XPath.
    pub fn is_match(&self, text: &str) -> bool {
        match &self.matcher {
            Matcher::Sequence(sequence) => sequence.is_match(text),
            Matcher::Regex(regex) => regex.is_match(text),
        }
    }

    /// Whether it matches the empty string.
    pub fn matches_empty(&self) -> bool {
        self.is_match("")
    }

    /// How many capturing groups it has.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// `fn:replace`: every match in turn is replaced (F&O 7.6.3).
    ///
    /// # Errors
    /// [`PatternError::MatchesEmpty`]; [`PatternError::Replacement`] for a wrong replacement.
    pub fn replace(&self, text: &str, replacement: &str) -> Result<String, PatternError> {
        let replacement = Replacement::parse(replacement, self.groups)?;
        self.replace_with(text, &replacement)
    }

    /// As [`Pattern::replace`] with a replacement that was read before.
    ///
    /// # Errors
    /// [`PatternError::MatchesEmpty`].
    pub fn replace_with(
        &self,
        text: &str,
        replacement: &Replacement,
    ) -> Result<String, PatternError> {
        if self.matches_empty() {
            return Err(PatternError::MatchesEmpty);
        }
        let Matcher::Regex(regex) = &self.matcher else { return Ok(text.to_owned()) };
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for captures in regex.captures_iter(text) {
            let Some(whole) = captures.get(0) else { continue };
            out.push_str(text.get(from..whole.start()).unwrap_or_default());
            replacement.append(&captures, &mut out);
            from = whole.end();
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Ok(out)
    }

    /// `fn:tokenize`: what lies between the matches; nothing at all for an empty text (F&O 7.6.4).
    ///
    /// # Errors
    /// [`PatternError::MatchesEmpty`].
    pub fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<&'t str>, PatternError> {
        if self.matches_empty() {
            return Err(PatternError::MatchesEmpty);
        }
        Ok(match &self.matcher {
            _ if text.is_empty() => Vec::new(),
            Matcher::Regex(regex) => regex.split(text).collect(),
            Matcher::Sequence(_) => vec![text],
        })
    }
}

fn compile(text: &str) -> Result<Regex, PatternError> {
    RegexBuilder::new(text)
        .size_limit(MAX_COMPILED_BYTES)
        .dfa_size_limit(MAX_CACHE_BYTES)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => {
                PatternError::TooLarge { what: "the compiled pattern in bytes", limit }
            }
            other => PatternError::Syntax { at: 1, problem: other.to_string() },
        })
}
