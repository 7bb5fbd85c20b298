//! The built-in datatypes: which texts they allow, how their values compare, and when two texts
//! are the same value.
//!
//! Source: XML Schema 1.0 part 2 (second edition), section 3.

mod binary;
mod decimal;
mod duration;
mod temporal;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Ordering;

pub(super) use binary::octets;
pub(super) use decimal::LexicalDecimal;

/// What the text of a value must look like. Types derived from these by facets only, such as
/// `xs:long`, share the entry of their base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Primitive {
    AnySimple,
    String,
    Language,
    Name,
    NcName,
    NmToken,
    Id,
    IdRef,
    Entity,
    Boolean,
    Decimal,
    Integer,
    Float,
    Double,
    Duration,
    DateTime,
    Time,
    Date,
    YearMonth,
    Year,
    MonthDay,
    Day,
    Month,
    HexBinary,
    Base64Binary,
    AnyUri,
    QName,
    Notation,
}

impl Primitive {
    const ALL: [Primitive; 28] = {
        use Primitive::*;
        [
            AnySimple,
            String,
            Language,
            Name,
            NcName,
            NmToken,
            Id,
            IdRef,
            Entity,
            Boolean,
            Decimal,
            Integer,
            Float,
            Double,
            Duration,
            DateTime,
            Time,
            Date,
            YearMonth,
            Year,
            MonthDay,
            Day,
            Month,
            HexBinary,
            Base64Binary,
            AnyUri,
            QName,
            Notation,
        ]
    };

    pub(super) fn from_code(code: u32) -> Option<Primitive> {
        Primitive::ALL.get(code as usize).copied()
    }

    /// What a text of it looks like, for messages.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Primitive::AnySimple | Primitive::String => "text",
            Primitive::Language => "a language tag such as en-GB",
            Primitive::Name => "an XML name",
            Primitive::NcName | Primitive::Id | Primitive::IdRef | Primitive::Entity => {
                "an XML name without a colon"
            }
            Primitive::NmToken => "a name token",
            Primitive::Boolean => "true, false, 1 or 0",
            Primitive::Decimal => "a decimal number such as 12.50",
            Primitive::Integer => "a whole number",
            Primitive::Float | Primitive::Double => "a number such as 1.5E3",
            Primitive::Duration => "a duration such as P1Y2M3DT4H",
            Primitive::DateTime => "a date and time such as 2026-11-21T10:00:00Z",
            Primitive::Time => "a time such as 10:00:00",
            Primitive::Date => "a date such as 2026-11-21",
            Primitive::YearMonth => "a year and month such as 2026-11",
            Primitive::Year => "a year such as 2026",
            Primitive::MonthDay => "a month and day such as --11-21",
            Primitive::Day => "a day such as ---21",
            Primitive::Month => "a month such as --11",
            Primitive::HexBinary => "pairs of hexadecimal digits",
            Primitive::Base64Binary => "base64",
            Primitive::AnyUri => "a URI",
            Primitive::QName | Primitive::Notation => "a name whose prefix is declared",
        }
    }

    /// Whether a text, its white space normalised, is one of the type. The prefix of a qualified
    /// name is not looked up here.
    pub(super) fn allows(self, text: &str) -> bool {
        match self {
            Primitive::AnySimple | Primitive::String => true,
            Primitive::Language => is_language(text),
            Primitive::Name => is_name(text, true),
            Primitive::NcName | Primitive::Id | Primitive::IdRef | Primitive::Entity => {
                is_name(text, false)
            }
            Primitive::NmToken => !text.is_empty() && text.chars().all(is_name_char),
            Primitive::Boolean => matches!(text, "true" | "false" | "1" | "0"),
            Primitive::Decimal => LexicalDecimal::read(text).is_some(),
            Primitive::Integer => LexicalDecimal::read(text).is_some() && !text.contains('.'),
            Primitive::Float | Primitive::Double => is_float(text),
            Primitive::Duration => duration::read(text).is_some(),
            Primitive::HexBinary => {
                text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
            }
            Primitive::Base64Binary => binary::base64_octets(text).is_some(),
            Primitive::AnyUri => is_uri(text),
            Primitive::QName | Primitive::Notation => match text.split_once(':') {
                Some((prefix, local)) => is_name(prefix, false) && is_name(local, false),
                None => is_name(text, false),
            },
            temporal => temporal::read(temporal, text).is_some(),
        }
    }

    /// Compares two values; `None` where they have no order.
    pub(super) fn compare(self, left: &str, right: &str) -> Option<Ordering> {
        match self {
            Primitive::Decimal | Primitive::Integer => {
                Some(LexicalDecimal::read(left)?.cmp(&LexicalDecimal::read(right)?))
            }
            Primitive::Float => (float(left)? as f32).partial_cmp(&(float(right)? as f32)),
            Primitive::Double => float(left)?.partial_cmp(&float(right)?),
            Primitive::Duration => duration::read(left)?.compare(&duration::read(right)?),
            Primitive::DateTime
            | Primitive::Time
            | Primitive::Date
            | Primitive::YearMonth
            | Primitive::Year
            | Primitive::MonthDay
            | Primitive::Day
            | Primitive::Month => {
                temporal::read(self, left)?.compare(&temporal::read(self, right)?)
            }
            _ => None,
        }
    }

    /// A text that is the same for two texts of the same value, and differs otherwise.
    pub(super) fn key(self, text: &str) -> Cow<'_, str> {
        match self {
            Primitive::Boolean => Cow::Borrowed(match text {
                "1" => "true",
                "0" => "false",
                other => other,
            }),
            Primitive::Decimal | Primitive::Integer => match LexicalDecimal::read(text) {
                Some(decimal) => Cow::Owned(decimal.to_string()),
                None => Cow::Borrowed(text),
            },
            Primitive::Float => {
                float(text).map_or(Cow::Borrowed(text), |n| Cow::Owned((n as f32).to_string()))
            }
            Primitive::Double => {
                float(text).map_or(Cow::Borrowed(text), |n| Cow::Owned(n.to_string()))
            }
            Primitive::Duration => {
                duration::read(text).map_or(Cow::Borrowed(text), |it| Cow::Owned(it.key()))
            }
            Primitive::HexBinary => Cow::Owned(text.to_ascii_uppercase()),
            Primitive::Base64Binary => {
                Cow::Owned(text.chars().filter(|char| *char != ' ').collect())
            }
            Primitive::DateTime
            | Primitive::Time
            | Primitive::Date
            | Primitive::YearMonth
            | Primitive::Year
            | Primitive::MonthDay
            | Primitive::Day
            | Primitive::Month => {
                temporal::read(self, text).map_or(Cow::Borrowed(text), |it| Cow::Owned(it.key()))
            }
            _ => Cow::Borrowed(text),
        }
    }
}

/// What happens to white space before a text is looked at (section 4.3.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum WhiteSpace {
    Preserve,
    Replace,
    Collapse,
}

impl WhiteSpace {
    pub(super) fn normalise(self, text: &str) -> Cow<'_, str> {
        let is_other_space = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r');
        match self {
            WhiteSpace::Preserve => Cow::Borrowed(text),
            WhiteSpace::Replace if !text.bytes().any(is_other_space) => Cow::Borrowed(text),
            WhiteSpace::Replace => Cow::Owned(text.replace(['\t', '\n', '\r'], " ")),
            WhiteSpace::Collapse => {
                let trimmed = text.trim_matches(is_space);
                let mut last = 0;
                let is_plain = trimmed.bytes().all(|byte| {
                    let is_double = byte == b' ' && last == b' ';
                    last = byte;
                    !is_double && !is_other_space(byte)
                });
                if is_plain {
                    return Cow::Borrowed(trimmed);
                }
                let parts: Vec<_> = trimmed.split(is_space).filter(|it| !it.is_empty()).collect();
                Cow::Owned(parts.join(" "))
            }
        }
    }
}

/// White space of XML: space, tab, line feed, carriage return.
pub(super) fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

fn is_language(text: &str) -> bool {
    text.split('-').enumerate().all(|(at, part)| {
        (1..=8).contains(&part.len())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || (at > 0 && byte.is_ascii_digit()))
    })
}

/// Whether it is a name of XML 1.0 (fifth edition), with or without colons.
pub(super) fn is_name(text: &str, allows_colon: bool) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|char| is_name_start(char) || (allows_colon && char == ':'))
        && chars.all(|char| is_name_char(char) && (allows_colon || char != ':'))
}

fn is_name_start(char: char) -> bool {
    matches!(char, 'A'..='Z' | 'a'..='z' | '_')
        || matches!(char as u32,
            0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x2FF | 0x370..=0x37D | 0x37F..=0x1FFF
            | 0x200C..=0x200D | 0x2070..=0x218F | 0x2C00..=0x2FEF | 0x3001..=0xD7FF
            | 0xF900..=0xFDCF | 0xFDF0..=0xFFFD | 0x10000..=0xEFFFF)
}

fn is_name_char(char: char) -> bool {
    is_name_start(char)
        || matches!(char, '0'..='9' | '-' | '.' | ':' | '\u{B7}')
        || matches!(char as u32, 0x300..=0x36F | 0x203F..=0x2040)
}

fn is_float(text: &str) -> bool {
    if matches!(text, "INF" | "-INF" | "NaN") {
        return true;
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    LexicalDecimal::read(mantissa).is_some()
        && exponent.is_none_or(|it| LexicalDecimal::read(it).is_some() && !it.contains('.'))
}

fn float(text: &str) -> Option<f64> {
    match text {
        "INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        _ => text.parse().ok(),
    }
}

/// A URI reference after the escaping of XLink 1.0 section 5.4: nearly everything is one. What
/// escaping does not fix is a stray `%`, a second `#`, and a colon where a scheme cannot end.
fn is_uri(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let is_escaped = |at: usize| is_hex(at + 1) && is_hex(at + 2);
    let has_stray_percent =
        bytes.iter().enumerate().any(|(at, byte)| *byte == b'%' && !is_escaped(at));
    let has_second_hash = bytes.iter().filter(|byte| **byte == b'#').count() > 1;
    let head = text.split(['/', '?', '#']).next().unwrap_or_default();
    let has_scheme = head.split_once(':').is_none_or(|(scheme, _)| {
        scheme.starts_with(|char: char| char.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    !has_stray_percent && !has_second_hash && has_scheme
}
