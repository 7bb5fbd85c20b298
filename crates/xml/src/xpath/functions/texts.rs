//! Functions that make other strings, and regular expressions, Functions and Operators 7.

use super::super::cast::collapsed;
use super::super::error::{XPathResult, fail};
use super::super::ir::RegexCall;
use super::super::regexes::{self, Regex};
use super::super::value::{Item, Sequence, XPathText};
use super::{Function, FunctionCall};

/// Regular expressions that are kept compiled for one document.
const KEPT: usize = 200;

impl<'d> FunctionCall<'_, 'd> {
    pub(super) fn texts(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        Ok(match self.function {
            F::NormalizeSpace => Item::String(collapsed(&self.text_or_context()?)).into(),
            F::UpperCase => {
                let text = self.text(0)?;
                let upper = |c: char| !c.is_ascii() || c.is_ascii_lowercase();
                if text.as_str().contains(upper) {
                    self.made(text.as_str().to_uppercase())?
                } else {
                    Item::String(text).into()
                }
            }
            F::LowerCase => {
                let text = self.text(0)?;
                let lower = |c: char| !c.is_ascii() || c.is_ascii_uppercase();
                if text.as_str().contains(lower) {
                    // Code point by code point: the final sigma rule of `str::to_lowercase` is
                    // not part of the default case mappings that the function asks for.
                    self.made(text.as_str().chars().flat_map(char::to_lowercase).collect())?
                } else {
                    Item::String(text).into()
                }
            }
            F::Translate => self.translate()?,
            F::CodepointsToString => self.codepoints()?,
            F::StringToCodepoints => {
                let text = self.text(0)?;
                let count = text.as_str().chars().count();
                self.environment.check_items(count)?;
                self.environment.spend(count as u64)?;
                let points = text.as_str().chars().map(|c| Item::integer(u32::from(c).into()));
                points.collect::<Vec<_>>().into()
            }
            F::EncodeForUri => self.escaped(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~')
            })?,
            F::IriToUri => self.escaped(|byte| {
                byte.is_ascii_graphic()
                    && !matches!(
                        byte,
                        b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`'
                    )
            })?,
            F::EscapeHtmlUri => self.escaped(|byte| (0x20..0x7f).contains(&byte))?,
            F::Matches => self.with_regex(RegexCall::Matches, 2)?,
            F::Replace => self.with_regex(RegexCall::Replace, 3)?,
            _ => self.with_regex(RegexCall::Tokenize, 2)?,
        })
    }

    fn made(self, text: String) -> XPathResult<Sequence<'d>> {
        self.environment.check_text(text.len())?;
        Ok(Item::string(text).into())
    }

    fn escaped(self, keep: impl Fn(u8) -> bool) -> XPathResult<Sequence<'d>> {
        let text = self.text(0)?;
        let mut escaped = String::with_capacity(text.as_str().len());
        for character in text.as_str().chars() {
            let mut bytes = [0; 4];
            let encoded = character.encode_utf8(&mut bytes);
            if encoded.bytes().all(&keep) {
                escaped.push(character);
            } else {
                for byte in encoded.bytes() {
                    escaped.push_str(&format!("%{byte:02X}"));
                }
            }
        }
        self.made(escaped)
    }

    fn translate(self) -> XPathResult<Sequence<'d>> {
        let (text, from, to) = (self.text(0)?, self.text(1)?, self.text(2)?);
        let from: Vec<char> = from.as_str().chars().collect();
        let to: Vec<char> = to.as_str().chars().collect();
        if !text.as_str().contains(|c| from.contains(&c)) {
            return Ok(Item::String(text).into());
        }
        self.environment.spend((text.as_str().len() * (1 + from.len() / 16)) as u64 / 16)?;
        let mapped =
            text.as_str().chars().filter_map(|c| match from.iter().position(|known| *known == c) {
                None => Some(c),
                Some(at) => to.get(at).copied(),
            });
        self.made(mapped.collect())
    }

    fn codepoints(self) -> XPathResult<Sequence<'d>> {
        let Some(source) = self.arguments.first() else { return Ok(Sequence::Empty) };
        let mut text = String::new();
        self.environment.each_atomic(source, self.focus, self.frame, &mut |item| {
            use super::super::types::{AtomicType, IntegerType};
            let item = match item {
                Item::Untyped(_) => {
                    super::super::cast::cast(&item, AtomicType::Integer(IntegerType::Any))?
                }
                other => other,
            };
            let Item::Integer(point) = &item else {
                return fail!(XPTY0004, "codepoints-to-string() needs integers");
            };
            let character = point.to_i64().and_then(|point| u32::try_from(point).ok());
            match character.and_then(char::from_u32).filter(|c| crate::tree::is_char(*c)) {
                Some(character) => text.push(character),
                None => return fail!(FOCH0001, "{point} is no character of XML"),
            }
            self.environment.check_length(text.len())?;
            Ok(false)
        })?;
        Ok(Item::string(text).into())
    }

    /// A regular expression that is not known before, with its flags in the last argument.
    fn with_regex(self, call: RegexCall, flags_at: usize) -> XPathResult<Sequence<'d>> {
        let (text, pattern, flags) = (self.text(0)?, self.text(1)?, self.text(flags_at)?);
        let replacement = match call {
            RegexCall::Replace => self.text(2)?,
            _ => XPathText::Borrowed(""),
        };
        let regex = self.compiled(pattern.as_str(), flags.as_str())?;
        self.environment.apply_regex(call, &regex, &text, &replacement)
    }

    fn compiled(self, pattern: &str, flags: &str) -> XPathResult<std::sync::Arc<Regex>> {
        let key = (pattern.to_owned(), flags.to_owned());
        if let Some(known) = self.environment.regexes.borrow().get(&key) {
            return Ok(known.clone());
        }
        // Compiling costs far more than a step.
        self.environment.spend(2_000 + pattern.len() as u64 * 100)?;
        let regex = regexes::compile(pattern, flags)?;
        let mut kept = self.environment.regexes.borrow_mut();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, regex.clone());
        Ok(regex)
    }
}
