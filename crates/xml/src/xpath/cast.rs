//! Casting atomic values, Functions and Operators section 17, and their canonical texts.

use std::sync::Arc;

use super::error::ErrorCode;
use super::number::{Integer, XPathDecimal, double_text, float_text, parse_double};
use super::temporal::{Moment, XPathDuration};
use super::types::{AtomicType, IntegerType};
use super::value::{Item, XPathText};

type CastResult<T> = Result<T, ErrorCode>;

/// Takes away white space of XML at both ends.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// Casts an atomic value. A node is never given here: atomize it first.
pub(crate) fn cast<'d>(item: &Item<'d>, kind: AtomicType) -> CastResult<Item<'d>> {
    match item {
        Item::Untyped(text) | Item::String(text) => from_text(text, kind),
        _ => from_typed(item, kind),
    }
}

/// Whether a value can be cast, without the work of making it where there is a shorter way.
pub(crate) fn castable(item: &Item<'_>, kind: AtomicType) -> bool {
    cast(item, kind).is_ok()
}

fn from_text<'d>(text: &XPathText<'d>, kind: AtomicType) -> CastResult<Item<'d>> {
    let lexical = trimmed(text.as_str());
    let wrong = ErrorCode::FORG0001;
    Ok(match kind {
        AtomicType::Any => Item::String(text.clone()),
        AtomicType::Untyped => Item::Untyped(text.clone()),
        AtomicType::String => Item::String(text.clone()),
        AtomicType::NormalizedString => Item::String(normalized(text)),
        AtomicType::Token => Item::String(collapsed(text)),
        AtomicType::NcName => {
            let mut characters = lexical.chars();
            let first = characters.next().is_some_and(crate::tree::is_name_start);
            if !first || !characters.all(crate::tree::is_name) {
                return Err(wrong);
            }
            Item::String(collapsed(text))
        }
        AtomicType::Uri => Item::Uri(collapsed(text)),
        AtomicType::Boolean => Item::Boolean(parse_boolean(lexical)?),
        AtomicType::Decimal => Item::Decimal(XPathDecimal::parse(lexical).ok_or(wrong)?),
        AtomicType::Integer(range) => {
            Item::Integer(in_range(Integer::parse(lexical).ok_or(wrong)?, range)?)
        }
        AtomicType::Double => Item::Double(parse_double(lexical).ok_or(wrong)?),
        AtomicType::Float => Item::Float(parse_float(lexical).ok_or(wrong)?),
        AtomicType::Date => Item::Date(Moment::parse_date(lexical)?),
        AtomicType::Time => Item::Time(Moment::parse_time(lexical)?),
        AtomicType::DateTime => Item::DateTime(Moment::parse_date_time(lexical)?),
        AtomicType::Duration => Item::Duration(XPathDuration::parse(lexical, true, true)?),
        AtomicType::YearMonth => Item::YearMonth(XPathDuration::parse(lexical, true, false)?),
        AtomicType::DayTime => Item::DayTime(XPathDuration::parse(lexical, false, true)?),
        AtomicType::QName => return Err(ErrorCode::XPTY0004),
    })
}

/// The lexical form of `xs:boolean`.
pub(crate) fn parse_boolean(text: &str) -> CastResult<bool> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(ErrorCode::FORG0001),
    }
}

/// The nearest float of the decimal text, not of the nearest double.
fn parse_float(text: &str) -> Option<f32> {
    let double = parse_double(text)?;
    if double.is_finite() { text.parse().ok() } else { Some(double as f32) }
}

fn normalized<'d>(text: &XPathText<'d>) -> XPathText<'d> {
    if text.as_str().contains(['\t', '\n', '\r']) {
        return text.as_str().replace(['\t', '\n', '\r'], " ").into();
    }
    text.clone()
}

/// White space collapsed as `xs:token` wants it.
pub(crate) fn collapsed<'d>(text: &XPathText<'d>) -> XPathText<'d> {
    let bytes = text.as_str().as_bytes();
    let space = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let outer = bytes.first().is_some_and(|&byte| space(byte))
        || bytes.last().is_some_and(|&byte| space(byte));
    let mut before = false;
    let inner = bytes.iter().any(|&byte| {
        let bad = space(byte) && (before || byte != b' ');
        before = space(byte);
        bad
    });
    if !outer && !inner {
        return text.clone();
    }
    if !inner || !trimmed_has_inner(text.as_str()) {
        let whole = text.as_str();
        let start = whole.len() - whole.trim_start_matches([' ', '\t', '\n', '\r']).len();
        return text.slice(start, start + trimmed(whole).len());
    }
    let words = text.as_str().split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let mut collapsed = String::with_capacity(text.as_str().len());
    for word in words {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed.into()
}

/// Whether something is to be collapsed between the first and the last word.
fn trimmed_has_inner(text: &str) -> bool {
    let mut before = false;
    trimmed(text).bytes().any(|byte| {
        let space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let bad = space && (before || byte != b' ');
        before = space;
        bad
    })
}

fn in_range(value: Integer, range: IntegerType) -> CastResult<Integer> {
    if range.contains(&value) { Ok(value) } else { Err(ErrorCode::FORG0001) }
}

fn from_typed<'d>(item: &Item<'d>, kind: AtomicType) -> CastResult<Item<'d>> {
    let no = Err(ErrorCode::XPTY0004);
    Ok(match kind {
        AtomicType::Any => item.clone(),
        AtomicType::Untyped => Item::Untyped(text_of(item)),
        AtomicType::String | AtomicType::NormalizedString | AtomicType::Token => {
            Item::String(text_of(item))
        }
        AtomicType::NcName => return from_text(&text_of(item), kind),
        AtomicType::Uri => match item {
            Item::Uri(_) => item.clone(),
            _ => return no,
        },
        AtomicType::Boolean => Item::Boolean(to_boolean(item)?),
        AtomicType::Decimal => Item::Decimal(to_decimal(item)?),
        AtomicType::Integer(range) => Item::Integer(in_range(to_integer(item)?, range)?),
        AtomicType::Double => Item::Double(to_double(item)?),
        AtomicType::Float => Item::Float(match item {
            Item::Float(value) => *value,
            Item::Decimal(_) | Item::Integer(_) => {
                text_of(item).as_str().parse().unwrap_or(f32::NAN)
            }
            _ => to_double(item)? as f32,
        }),
        AtomicType::Date => match item {
            Item::Date(moment) => Item::Date(*moment),
            Item::DateTime(moment) => Item::Date(moment.date()),
            _ => return no,
        },
        AtomicType::Time => match item {
            Item::Time(moment) => Item::Time(*moment),
            Item::DateTime(moment) => Item::Time(moment.time()),
            _ => return no,
        },
        AtomicType::DateTime => match item {
            Item::Date(moment) | Item::DateTime(moment) => Item::DateTime(*moment),
            _ => return no,
        },
        AtomicType::Duration => Item::Duration(to_duration(item)?),
        AtomicType::YearMonth => {
            Item::YearMonth(XPathDuration { seconds: 0, nanos: 0, ..to_duration(item)? })
        }
        AtomicType::DayTime => Item::DayTime(XPathDuration { months: 0, ..to_duration(item)? }),
        AtomicType::QName => match item {
            Item::QName(_) => item.clone(),
            _ => return no,
        },
    })
}

fn to_boolean(item: &Item<'_>) -> CastResult<bool> {
    Ok(match item {
        Item::Boolean(value) => *value,
        Item::Integer(value) => !value.is_zero(),
        Item::Decimal(value) => !value.is_zero(),
        Item::Double(value) => *value != 0.0 && !value.is_nan(),
        Item::Float(value) => *value != 0.0 && !value.is_nan(),
        _ => return Err(ErrorCode::XPTY0004),
    })
}

fn to_decimal(item: &Item<'_>) -> CastResult<XPathDecimal> {
    match item {
        Item::Boolean(value) => Ok(XPathDecimal::small((*value).into(), 0)),
        Item::Integer(value) => Ok(value.to_decimal()),
        Item::Decimal(value) => Ok(value.clone()),
        Item::Double(value) => XPathDecimal::from_f64(*value).ok_or(ErrorCode::FOCA0002),
        Item::Float(value) => XPathDecimal::from_f64((*value).into()).ok_or(ErrorCode::FOCA0002),
        _ => Err(ErrorCode::XPTY0004),
    }
}

fn to_integer(item: &Item<'_>) -> CastResult<Integer> {
    match item {
        Item::Integer(value) => Ok(value.clone()),
        _ => Ok(to_decimal(item)?.to_integer()),
    }
}

/// A numeric value or boolean as double.
pub(crate) fn to_double(item: &Item<'_>) -> CastResult<f64> {
    Ok(match item {
        Item::Boolean(value) => f64::from(u8::from(*value)),
        Item::Integer(value) => value.to_f64(),
        Item::Decimal(value) => value.to_f64(),
        Item::Double(value) => *value,
        Item::Float(value) => (*value).into(),
        Item::Untyped(text) | Item::String(text) => {
            parse_double(trimmed(text.as_str())).ok_or(ErrorCode::FORG0001)?
        }
        _ => return Err(ErrorCode::XPTY0004),
    })
}

fn to_duration(item: &Item<'_>) -> CastResult<XPathDuration> {
    match item {
        Item::Duration(value) | Item::YearMonth(value) | Item::DayTime(value) => Ok(*value),
        _ => Err(ErrorCode::XPTY0004),
    }
}

/// The value as `xs:string`; a node has none here.
pub(crate) fn text_of<'d>(item: &Item<'d>) -> XPathText<'d> {
    match item {
        Item::Node(_) => XPathText::Borrowed(""),
        Item::Untyped(text) | Item::String(text) | Item::Uri(text) => text.clone(),
        Item::Boolean(true) => XPathText::Borrowed("true"),
        Item::Boolean(false) => XPathText::Borrowed("false"),
        Item::Integer(value) => value.to_string().into(),
        Item::Decimal(value) => value.to_string().into(),
        Item::Double(value) => double_text(*value).into(),
        Item::Float(value) => float_text(*value).into(),
        Item::Date(moment) => moment.date_text().into(),
        Item::Time(moment) => moment.time_text().into(),
        Item::DateTime(moment) => moment.date_time_text().into(),
        Item::Duration(value) | Item::DayTime(value) => value.text("PT0S").into(),
        Item::YearMonth(value) => value.text("P0M").into(),
        Item::QName(name) => {
            let [prefix, local, _] = &**name;
            if prefix.is_empty() {
                XPathText::Shared(Arc::from(&**local))
            } else {
                format!("{prefix}:{local}").into()
            }
        }
    }
}

/// The name of the type of a value, for messages.
pub(crate) fn type_name(item: &Item<'_>) -> &'static str {
    match item {
        Item::Node(_) => "a node",
        Item::Untyped(_) => "xs:untypedAtomic",
        Item::String(_) => "xs:string",
        Item::Uri(_) => "xs:anyURI",
        Item::Boolean(_) => "xs:boolean",
        Item::Integer(_) => "xs:integer",
        Item::Decimal(_) => "xs:decimal",
        Item::Double(_) => "xs:double",
        Item::Float(_) => "xs:float",
        Item::Date(_) => "xs:date",
        Item::Time(_) => "xs:time",
        Item::DateTime(_) => "xs:dateTime",
        Item::Duration(_) => "xs:duration",
        Item::YearMonth(_) => "xs:yearMonthDuration",
        Item::DayTime(_) => "xs:dayTimeDuration",
        Item::QName(_) => "xs:QName",
    }
}
