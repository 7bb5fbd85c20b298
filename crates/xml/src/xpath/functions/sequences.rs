//! Functions on sequences and truths, Functions and Operators sections 3, 9, 15 and 16.

use std::collections::HashSet;

use super::super::cast::text_of;
use super::super::compare;
use super::super::error::{DynamicError, ErrorCode, XPathResult, fail};
use super::super::ir::Comparison;
use super::super::number::Integer;
use super::super::value::{Item, Sequence};
use super::{Function, FunctionCall};

/// A distinct value, so that equal ones are the same key.
#[derive(PartialEq, Eq, Hash)]
enum Distinct {
    Text(String),
    Boolean(bool),
    /// Numbers that are equal have the same double; different ones may, and are compared.
    Number(u64),
    Date(i64, u32),
    Time(i64, u32),
    DateTime(i64, u32),
    Duration(i64, i128),
    Name(String, String),
}

fn distinct_key(item: &Item<'_>) -> Distinct {
    if let Some(number) = compare::double(item) {
        let number = if number == 0.0 { 0.0 } else { number };
        let bits = if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() };
        return Distinct::Number(bits);
    }
    match item {
        Item::Boolean(value) => Distinct::Boolean(*value),
        Item::Date(moment) => Distinct::Date(moment.key().0, moment.key().1),
        Item::Time(moment) => Distinct::Time(moment.key().0, moment.key().1),
        Item::DateTime(moment) => Distinct::DateTime(moment.key().0, moment.key().1),
        Item::Duration(value) | Item::YearMonth(value) | Item::DayTime(value) => {
            Distinct::Duration(value.months, value.total_nanos())
        }
        Item::QName(name) => {
            let [_, local, namespace] = &**name;
            Distinct::Name(namespace.to_string(), local.to_string())
        }
        other => Distinct::Text(text_of(other).as_str().to_owned()),
    }
}

impl<'d> FunctionCall<'_, 'd> {
    /// The value of an argument.
    pub(super) fn argument(self, at: usize) -> XPathResult<Sequence<'d>> {
        match self.arguments.get(at) {
            Some(argument) => self.environment.sequence(argument, self.focus, self.frame),
            None => Ok(Sequence::Empty),
        }
    }

    pub(super) fn sequences(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        Ok(match self.function {
            F::True => Item::Boolean(true).into(),
            F::False => Item::Boolean(false).into(),
            F::Not => Item::Boolean(!self.truth()?).into(),
            F::Boolean => Item::Boolean(self.truth()?).into(),
            F::Exists => Item::Boolean(self.exists()?).into(),
            F::Empty => Item::Boolean(!self.exists()?).into(),
            F::Position => self.place(self.focus.position)?,
            F::Last => self.place(self.focus.size)?,
            F::Data => {
                let items = self.argument(0)?.into_items();
                let data = items.into_iter().map(|item| self.environment.atomized(item));
                data.collect::<Vec<_>>().into()
            }
            F::DeepEqual => {
                self.check_collation(2)?;
                let (a, b) = (self.argument(0)?, self.argument(1)?);
                Item::Boolean(self.environment.deep_equal(a.items(), b.items())?).into()
            }
            F::DistinctValues => self.distinct_values()?,
            F::IndexOf => self.index_of()?,
            F::InsertBefore => self.insert_before()?,
            F::Remove => self.remove()?,
            F::Reverse => {
                let mut items = self.argument(0)?.into_items();
                items.reverse();
                items.into()
            }
            F::Subsequence => self.subsequence()?,
            F::Unordered | F::Trace => self.argument(0)?,
            F::ZeroOrOne => self.counted(ErrorCode::FORG0003, |count| count <= 1)?,
            F::OneOrMore => self.counted(ErrorCode::FORG0004, |count| count >= 1)?,
            F::ExactlyOne => self.counted(ErrorCode::FORG0005, |count| count == 1)?,
            _ => return self.raise(),
        })
    }

    fn truth(self) -> XPathResult<bool> {
        match self.arguments.first() {
            Some(argument) => self.environment.boolean(argument, self.focus, self.frame),
            None => Ok(false),
        }
    }

    fn exists(self) -> XPathResult<bool> {
        match self.arguments.first() {
            Some(argument) => self.environment.exists(argument, self.focus, self.frame),
            None => Ok(false),
        }
    }

    fn place(self, place: usize) -> XPathResult<Sequence<'d>> {
        if self.focus.item.is_none() {
            return fail!(XPDY0002, "{}() has no context item here", self.function.name());
        }
        Ok(Item::integer(place as i64).into())
    }

    fn counted(self, code: ErrorCode, fits: fn(usize) -> bool) -> XPathResult<Sequence<'d>> {
        let value = self.argument(0)?;
        if fits(value.len()) {
            return Ok(value);
        }
        let message = format!("{}() of {} items", self.function.name(), value.len());
        Err(DynamicError::new(code, message))
    }

    fn raise(self) -> XPathResult<Sequence<'d>> {
        let code = match self.arguments.first() {
            Some(_) => self.argument(0)?.items().first().map(|item| text_of(item).into_static()),
            None => None,
        };
        let message = self.text(1)?;
        let code = code.as_ref().map_or("FOER0000", |code| code.as_str());
        fail!(FOER0000, "{code} {}", message.as_str())
    }

    fn distinct_values(self) -> XPathResult<Sequence<'d>> {
        self.check_collation(1)?;
        let Some(source) = self.arguments.first() else { return Ok(Sequence::Empty) };
        let mut seen = HashSet::new();
        let mut kept: Vec<Item<'d>> = Vec::new();
        self.environment.each_atomic(source, self.focus, self.frame, &mut |item| {
            self.environment.step()?;
            let key = distinct_key(&item);
            let exact = matches!(item, Item::Integer(_) | Item::Decimal(_));
            let is_new = seen.insert(key);
            // Two exact numbers may differ and have the same double.
            let twin = |known: &Item<'d>| {
                compare::single(Comparison::Equal, known, &item).unwrap_or(false)
            };
            if is_new || (exact && !kept.iter().any(twin)) {
                kept.push(item);
                self.environment.check_items(kept.len())?;
            }
            Ok(false)
        })?;
        Ok(kept.into())
    }

    fn index_of(self) -> XPathResult<Sequence<'d>> {
        self.check_collation(2)?;
        let (Some(source), Some(wanted)) = (self.arguments.first(), self.arguments.get(1)) else {
            return Ok(Sequence::Empty);
        };
        let Some(wanted) = self.environment.single(wanted, self.focus, self.frame)? else {
            return fail!(XPTY0004, "index-of() needs one value to look for");
        };
        let (mut position, mut found) = (0, Vec::new());
        self.environment.each_atomic(source, self.focus, self.frame, &mut |item| {
            position += 1;
            // Values that cannot be compared are distinct (section 15.1.3).
            if compare::single(Comparison::Equal, &item, &wanted).unwrap_or(false) {
                found.push(Item::integer(position));
            }
            Ok(false)
        })?;
        Ok(found.into())
    }

    /// A position that must be one integer, as an index from 0.
    fn position(self, at: usize) -> XPathResult<Integer> {
        let argument = self.arguments.get(at);
        let position = match argument {
            Some(argument) => self.environment.integer(argument, self.focus, self.frame)?,
            None => None,
        };
        match position {
            Some(position) => Ok(position),
            None => fail!(XPTY0004, "{}() needs a position", self.function.name()),
        }
    }

    fn insert_before(self) -> XPathResult<Sequence<'d>> {
        let mut items = self.argument(0)?.into_items();
        let position = self.position(1)?.to_i64().unwrap_or(i64::MAX);
        let at = usize::try_from(position.max(1) - 1).unwrap_or(usize::MAX).min(items.len());
        let inserted = self.argument(2)?.into_items();
        self.environment.check_items(items.len() + inserted.len())?;
        items.splice(at..at, inserted);
        Ok(items.into())
    }

    fn remove(self) -> XPathResult<Sequence<'d>> {
        let mut items = self.argument(0)?.into_items();
        let position = self.position(1)?.to_i64().and_then(|position| position.checked_sub(1));
        if let Some(at) = position.and_then(|at| usize::try_from(at).ok())
            && at < items.len()
        {
            items.remove(at);
        }
        Ok(items.into())
    }

    fn subsequence(self) -> XPathResult<Sequence<'d>> {
        let items = self.argument(0)?.into_items();
        let first = self.rounded(1)?;
        let end = if self.arguments.len() > 2 { first + self.rounded(2)? } else { f64::INFINITY };
        let inside = |at: usize| {
            let position = (at + 1) as f64;
            position >= first && position < end
        };
        let kept = items.into_iter().enumerate().filter(|(at, _)| inside(*at));
        Ok(kept.map(|(_, item)| item).collect::<Vec<_>>().into())
    }
}
