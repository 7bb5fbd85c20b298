//! Comparing two atomic values, XPath 2.0 section 3.5 and appendix B.2.
//!
//! Strings are compared by code points, which is the order of their bytes in UTF-8.

use std::cmp::Ordering;

use super::cast::{cast, type_name};
use super::error::{DynamicError, ErrorCode, XPathResult};
use super::ir::Comparison;
use super::number::XPathDecimal;
use super::types::{AtomicType, IntegerType};
use super::value::Item;

impl Comparison {
    /// Whether it holds; `None` is an unordered pair, such as NaN and anything.
    pub(crate) fn holds(self, ordering: Option<Ordering>) -> bool {
        match (self, ordering) {
            (Comparison::NotEqual, ordering) => ordering != Some(Ordering::Equal),
            (_, None) => false,
            (Comparison::Equal, Some(ordering)) => ordering.is_eq(),
            (Comparison::Less, Some(ordering)) => ordering.is_lt(),
            (Comparison::LessOrEqual, Some(ordering)) => ordering.is_le(),
            (Comparison::Greater, Some(ordering)) => ordering.is_gt(),
            (Comparison::GreaterOrEqual, Some(ordering)) => ordering.is_ge(),
        }
    }

    fn is_equality(self) -> bool {
        matches!(self, Comparison::Equal | Comparison::NotEqual)
    }

    fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

/// One pair of a general comparison: an untyped value takes the type of the other one.
pub(crate) fn general(comparison: Comparison, a: &Item<'_>, b: &Item<'_>) -> XPathResult<bool> {
    match (a, b) {
        (Item::Untyped(a), Item::Untyped(b) | Item::String(b) | Item::Uri(b))
        | (Item::String(a) | Item::Uri(a), Item::Untyped(b)) => {
            Ok(comparison.holds(Some(a.as_str().cmp(b.as_str()))))
        }
        (Item::Untyped(_), other) => single(comparison, &like(a, other, comparison)?, other),
        (other, Item::Untyped(_)) => single(comparison, other, &like(b, other, comparison)?),
        _ => single(comparison, a, b),
    }
}

/// An untyped value cast to the type of the other, numbers to double.
fn like<'d>(untyped: &Item<'d>, other: &Item<'_>, comparison: Comparison) -> XPathResult<Item<'d>> {
    let kind = match other {
        Item::Integer(_) | Item::Decimal(_) | Item::Double(_) | Item::Float(_) => {
            AtomicType::Double
        }
        other => type_of(other),
    };
    cast(untyped, kind).map_err(|code| {
        let message = format!(
            "{:?} cannot be compared by {} with {}",
            super::cast::text_of(untyped).as_str(),
            comparison.sign(),
            type_name(other)
        );
        DynamicError::new(code, message)
    })
}

/// A value comparison: an untyped value is a string.
pub(crate) fn single(comparison: Comparison, a: &Item<'_>, b: &Item<'_>) -> XPathResult<bool> {
    Ok(comparison.holds(order(comparison, a, b)?))
}

fn order(comparison: Comparison, a: &Item<'_>, b: &Item<'_>) -> XPathResult<Option<Ordering>> {
    use Item as I;
    Ok(match (a, b) {
        (I::Untyped(a) | I::String(a) | I::Uri(a), I::Untyped(b) | I::String(b) | I::Uri(b)) => {
            Some(a.as_str().cmp(b.as_str()))
        }
        (I::Boolean(a), I::Boolean(b)) => Some(a.cmp(b)),
        (I::Date(a), I::Date(b)) | (I::Time(a), I::Time(b)) | (I::DateTime(a), I::DateTime(b)) => {
            Some(a.compare(*b))
        }
        (I::YearMonth(a), I::YearMonth(b)) => Some(a.months.cmp(&b.months)),
        (I::DayTime(a), I::DayTime(b)) => Some(a.total_nanos().cmp(&b.total_nanos())),
        (
            I::Duration(a) | I::YearMonth(a) | I::DayTime(a),
            I::Duration(b) | I::YearMonth(b) | I::DayTime(b),
        ) if comparison.is_equality() => (a == b).then_some(Ordering::Equal),
        (I::QName(a), I::QName(b)) if comparison.is_equality() => {
            (a.iter().skip(1).eq(b.iter().skip(1))).then_some(Ordering::Equal)
        }
        _ => match numeric(a, b) {
            Some(ordering) => ordering,
            None => {
                let message = format!(
                    "{} cannot be compared by {} with {}",
                    type_name(a),
                    comparison.sign(),
                    type_name(b)
                );
                return Err(DynamicError::new(ErrorCode::XPTY0004, message));
            }
        },
    })
}

/// Two numbers, promoted to the wider type; `None` where one of them is no number.
fn numeric(a: &Item<'_>, b: &Item<'_>) -> Option<Option<Ordering>> {
    use Item as I;
    Some(match (a, b) {
        (I::Integer(a), I::Integer(b)) => Some(a.cmp(b)),
        (I::Decimal(a), I::Decimal(b)) => Some(a.cmp(b)),
        (I::Decimal(a), I::Integer(b)) => Some(a.cmp(&b.to_decimal())),
        (I::Integer(a), I::Decimal(b)) => Some(a.to_decimal().cmp(b)),
        (I::Float(a), I::Float(b)) => a.partial_cmp(b),
        (I::Float(a), I::Decimal(_) | I::Integer(_)) => a.partial_cmp(&float(b)?),
        (I::Decimal(_) | I::Integer(_), I::Float(b)) => float(a)?.partial_cmp(b),
        _ => double(a)?.partial_cmp(&double(b)?),
    })
}

/// A number as double.
pub(crate) fn double(item: &Item<'_>) -> Option<f64> {
    Some(match item {
        Item::Double(value) => *value,
        Item::Float(value) => (*value).into(),
        Item::Decimal(value) => value.to_f64(),
        Item::Integer(value) => value.to_f64(),
        _ => return None,
    })
}

/// A number as float.
pub(crate) fn float(item: &Item<'_>) -> Option<f32> {
    match cast(item, AtomicType::Float) {
        Ok(Item::Float(value)) => Some(value),
        _ => None,
    }
}

/// A decimal or integer as decimal.
pub(crate) fn decimal(item: &Item<'_>) -> Option<XPathDecimal> {
    match item {
        Item::Decimal(value) => Some(value.clone()),
        Item::Integer(value) => Some(value.to_decimal()),
        _ => None,
    }
}

/// The type of an atomic value.
pub(crate) fn type_of(item: &Item<'_>) -> AtomicType {
    match item {
        Item::Node(_) | Item::Untyped(_) => AtomicType::Untyped,
        Item::String(_) => AtomicType::String,
        Item::Uri(_) => AtomicType::Uri,
        Item::Boolean(_) => AtomicType::Boolean,
        Item::Integer(_) => AtomicType::Integer(IntegerType::Any),
        Item::Decimal(_) => AtomicType::Decimal,
        Item::Double(_) => AtomicType::Double,
        Item::Float(_) => AtomicType::Float,
        Item::Date(_) => AtomicType::Date,
        Item::Time(_) => AtomicType::Time,
        Item::DateTime(_) => AtomicType::DateTime,
        Item::Duration(_) => AtomicType::Duration,
        Item::YearMonth(_) => AtomicType::YearMonth,
        Item::DayTime(_) => AtomicType::DayTime,
        Item::QName(_) => AtomicType::QName,
    }
}
