//! Functions that look at strings and cut pieces out, Functions and Operators 7.3 to 7.5.

use std::cmp::Ordering;

use super::super::cast::text_of;
use super::super::compare::double;
use super::super::error::{XPathResult, fail};
use super::super::ir::Expr;
use super::super::number::round_double;
use super::super::value::{Item, Sequence, XPathText};
use super::{Function, FunctionCall};

/// The only collation: by code points.
pub(super) const CODEPOINTS: &str = "http://www.w3.org/2005/xpath-functions/collation/codepoint";

impl<'d> FunctionCall<'_, 'd> {
    /// An argument as text; the empty sequence and a missing argument are the empty string.
    pub(super) fn text(self, at: usize) -> XPathResult<XPathText<'d>> {
        match self.arguments.get(at) {
            Some(argument) => self.environment.text(argument, self.focus, self.frame),
            None => Ok(XPathText::Borrowed("")),
        }
    }

    fn optional(self, at: usize) -> XPathResult<Option<XPathText<'d>>> {
        match self.arguments.get(at) {
            Some(argument) => self.environment.optional_text(argument, self.focus, self.frame),
            None => Ok(None),
        }
    }

    /// The argument, or the string value of the context item where there is none.
    pub(super) fn text_or_context(self) -> XPathResult<XPathText<'d>> {
        if self.arguments.is_empty() {
            return Ok(self.environment.text_of_item(&self.context_item()?));
        }
        self.text(0)
    }

    /// Refuses a collation that is not the one of code points.
    pub(super) fn check_collation(self, at: usize) -> XPathResult<()> {
        match self.arguments.get(at) {
            Some(_) if self.text(at)?.as_str() != CODEPOINTS => {
                fail!(FOCH0002, "only the collation {CODEPOINTS} is supported")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn strings(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        Ok(match self.function {
            F::String => self.string()?.into(),
            F::Concat => self.concat()?.into(),
            F::StringJoin => self.join()?.into(),
            F::StringLength => {
                let text = self.text_or_context()?;
                Item::integer(text.as_str().chars().count() as i64).into()
            }
            F::Substring => Item::String(self.substring()?).into(),
            F::Compare | F::CodepointEqual => {
                self.check_collation(2)?;
                let (Some(a), Some(b)) = (self.optional(0)?, self.optional(1)?) else {
                    return Ok(Sequence::Empty);
                };
                let order = a.as_str().cmp(b.as_str());
                match self.function {
                    F::Compare => Item::integer(match order {
                        Ordering::Less => -1,
                        Ordering::Equal => 0,
                        Ordering::Greater => 1,
                    }),
                    _ => Item::Boolean(order.is_eq()),
                }
                .into()
            }
            F::DefaultCollation => Item::String(XPathText::Borrowed(CODEPOINTS)).into(),
            _ => self.search()?.into(),
        })
    }

    /// `contains` and its like, `substring-before` and `substring-after`.
    fn search(self) -> XPathResult<Item<'d>> {
        self.check_collation(2)?;
        let (text, part) = (self.text(0)?, self.text(1)?);
        let (whole, wanted) = (text.as_str(), part.as_str());
        self.environment.spend(whole.len() as u64 / 64)?;
        Ok(match self.function {
            Function::Contains => Item::Boolean(whole.contains(wanted)),
            Function::StartsWith => Item::Boolean(whole.starts_with(wanted)),
            Function::EndsWith => Item::Boolean(whole.ends_with(wanted)),
            Function::SubstringBefore => {
                Item::String(text.slice(0, whole.find(wanted).unwrap_or(0)))
            }
            _ => Item::String(match whole.find(wanted) {
                Some(at) => text.slice(at + wanted.len(), whole.len()),
                None => XPathText::Borrowed(""),
            }),
        })
    }

    fn string(self) -> XPathResult<Item<'d>> {
        let Some(argument) = self.arguments.first() else {
            return Ok(Item::String(self.environment.text_of_item(&self.context_item()?)));
        };
        let value = self.environment.sequence(argument, self.focus, self.frame)?;
        Ok(Item::String(match value.items() {
            [] => XPathText::Borrowed(""),
            [item] => self.environment.text_of_item(item),
            items => return fail!(XPTY0004, "string() of {} items", items.len()),
        }))
    }

    fn concat(self) -> XPathResult<Item<'d>> {
        let mut whole = String::new();
        for argument in self.arguments {
            if let Some(item) = self.environment.single(argument, self.focus, self.frame)? {
                whole.push_str(text_of(&item).as_str());
            }
        }
        self.environment.check_text(whole.len())?;
        Ok(Item::string(whole))
    }

    fn join(self) -> XPathResult<Item<'d>> {
        let Some(source) = self.arguments.first() else { return Ok(Item::string(String::new())) };
        let separator = self.text(1)?;
        let (mut whole, mut first) = (String::new(), true);
        self.environment.each_atomic(source, self.focus, self.frame, &mut |item| {
            if !std::mem::take(&mut first) {
                whole.push_str(separator.as_str());
            }
            // Any atomic value, as in version 3.1 of the function, which processors of today have.
            whole.push_str(text_of(&item).as_str());
            self.environment.check_length(whole.len())?;
            Ok(false)
        })?;
        Ok(Item::string(whole))
    }

    /// A rounded argument of `substring` or `subsequence`.
    pub(super) fn rounded(self, at: usize) -> XPathResult<f64> {
        let argument: Option<&'d Expr> = self.arguments.get(at);
        let number = match argument {
            Some(argument) => self.environment.number(argument, self.focus, self.frame)?,
            None => None,
        };
        match number.as_ref().and_then(double) {
            Some(number) => Ok(round_double(number)),
            None => fail!(XPTY0004, "{}() needs a number", self.function.name()),
        }
    }

    fn substring(self) -> XPathResult<XPathText<'d>> {
        let text = self.text(0)?;
        let first = self.rounded(1)?;
        let end = if self.arguments.len() > 2 { first + self.rounded(2)? } else { f64::INFINITY };
        let whole = text.as_str();
        if whole.is_ascii() {
            // Positions are bytes; NaN compares false and gives nothing.
            let from = (first - 1.0).max(0.0);
            let to = (end - 1.0).min(whole.len() as f64);
            let any = first <= whole.len() as f64 && !end.is_nan() && to > from;
            return Ok(if any {
                text.slice(from as usize, to as usize)
            } else {
                XPathText::Borrowed("")
            });
        }
        let inside = |at: usize| {
            let position = (at + 1) as f64;
            position >= first && position < end
        };
        let mut bounds: Option<(usize, usize)> = None;
        for (count, (at, character)) in whole.char_indices().enumerate() {
            if inside(count) {
                let start = bounds.map_or(at, |(start, _)| start);
                bounds = Some((start, at + character.len_utf8()));
            }
        }
        Ok(bounds.map_or(XPathText::Borrowed(""), |(start, end)| text.slice(start, end)))
    }
}
