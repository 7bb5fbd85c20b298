//! The replacement text of `fn:replace`: `$N`, `\$` and `\\` (F&O 7.6.3).

use regex::Captures;

use super::PatternError;

/// A replacement that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    parts: Vec<ReplacementPart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ReplacementPart {
    Text(String),
    Group(usize),
}

impl Replacement {
    /// Reads a replacement for a pattern with this many groups.
    ///
    /// `$12` is group 12 where there are as many, otherwise group 1 and the digit 2; a group that
    /// does not exist stands for nothing.
    ///
    /// # Errors
    /// [`PatternError::Replacement`] (`FORX0004`).
    pub fn parse(text: &str, groups: usize) -> Result<Replacement, PatternError> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        while let Some(char) = rest.next() {
            match char {
                '\\' => match rest.next() {
                    Some(escaped @ ('\\' | '$')) => plain.push(escaped),
                    _ => return Err(PatternError::Replacement),
                },
                '$' => {
                    let digit = rest.next().and_then(|digit| digit.to_digit(10));
                    let mut group = digit.ok_or(PatternError::Replacement)? as usize;
                    while let Some(digit) = rest.peek().and_then(|next| next.to_digit(10)) {
                        let longer = group.saturating_mul(10).saturating_add(digit as usize);
                        if longer > groups {
                            break;
                        }
                        group = longer;
                        rest.next();
                    }
                    parts.push(ReplacementPart::Text(std::mem::take(&mut plain)));
                    parts.push(ReplacementPart::Group(group));
                }
                other => plain.push(other),
            }
        }
        parts.push(ReplacementPart::Text(plain));
        Ok(Replacement { parts })
    }

    pub(super) fn append(&self, captures: &Captures<'_>, out: &mut String) {
        for part in &self.parts {
            match part {
                ReplacementPart::Text(text) => out.push_str(text),
                ReplacementPart::Group(group) => {
                    out.push_str(captures.get(*group).map_or("", |found| found.as_str()));
                }
            }
        }
    }
}
