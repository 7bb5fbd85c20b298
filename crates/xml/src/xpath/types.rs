//! Types as rules may name them: atomic types and sequence types, XPath 2.0 section 2.5.

use super::number::Integer;

/// The atomic types that can be named, XML Schema part 2 and the data model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomicType {
    /// `xs:anyAtomicType`.
    Any,
    /// `xs:untypedAtomic`.
    Untyped,
    /// `xs:string`.
    String,
    /// `xs:normalizedString`.
    NormalizedString,
    /// `xs:token`.
    Token,
    /// `xs:NCName`.
    NcName,
    /// `xs:anyURI`.
    Uri,
    /// `xs:boolean`.
    Boolean,
    /// `xs:decimal`.
    Decimal,
    /// `xs:integer` and the types derived from it by a range.
    Integer(IntegerType),
    /// `xs:double`.
    Double,
    /// `xs:float`.
    Float,
    /// `xs:date`.
    Date,
    /// `xs:time`.
    Time,
    /// `xs:dateTime`.
    DateTime,
    /// `xs:duration`.
    Duration,
    /// `xs:yearMonthDuration`.
    YearMonth,
    /// `xs:dayTimeDuration`.
    DayTime,
    /// `xs:QName`.
    QName,
}

/// The built-in types derived from `xs:integer`, XML Schema part 2 section 3.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntegerType {
    Any,
    NonPositive,
    Negative,
    NonNegative,
    Positive,
    Long,
    Int,
    Short,
    Byte,
    UnsignedLong,
    UnsignedInt,
    UnsignedShort,
    UnsignedByte,
}

const NAMES: &[(&str, AtomicType)] = &[
    ("anyAtomicType", AtomicType::Any),
    ("untypedAtomic", AtomicType::Untyped),
    ("string", AtomicType::String),
    ("normalizedString", AtomicType::NormalizedString),
    ("token", AtomicType::Token),
    ("NCName", AtomicType::NcName),
    ("anyURI", AtomicType::Uri),
    ("boolean", AtomicType::Boolean),
    ("decimal", AtomicType::Decimal),
    ("integer", AtomicType::Integer(IntegerType::Any)),
    ("nonPositiveInteger", AtomicType::Integer(IntegerType::NonPositive)),
    ("negativeInteger", AtomicType::Integer(IntegerType::Negative)),
    ("nonNegativeInteger", AtomicType::Integer(IntegerType::NonNegative)),
    ("positiveInteger", AtomicType::Integer(IntegerType::Positive)),
    ("long", AtomicType::Integer(IntegerType::Long)),
    ("int", AtomicType::Integer(IntegerType::Int)),
    ("short", AtomicType::Integer(IntegerType::Short)),
    ("byte", AtomicType::Integer(IntegerType::Byte)),
    ("unsignedLong", AtomicType::Integer(IntegerType::UnsignedLong)),
    ("unsignedInt", AtomicType::Integer(IntegerType::UnsignedInt)),
    ("unsignedShort", AtomicType::Integer(IntegerType::UnsignedShort)),
    ("unsignedByte", AtomicType::Integer(IntegerType::UnsignedByte)),
    ("double", AtomicType::Double),
    ("float", AtomicType::Float),
    ("date", AtomicType::Date),
    ("time", AtomicType::Time),
    ("dateTime", AtomicType::DateTime),
    ("duration", AtomicType::Duration),
    ("yearMonthDuration", AtomicType::YearMonth),
    ("dayTimeDuration", AtomicType::DayTime),
    ("QName", AtomicType::QName),
];

impl AtomicType {
    /// The type of a local name in the XML Schema namespace; `None` for one that is not supported.
    pub fn named(local: &str) -> Option<AtomicType> {
        NAMES.iter().find(|(name, _)| *name == local).map(|&(_, kind)| kind)
    }

    /// The local name of the type.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|&&(_, kind)| kind == self).map_or("anyAtomicType", |&(name, _)| name)
    }
}

impl IntegerType {
    /// Whether an integer is in the value space of the type.
    pub(crate) fn contains(self, value: &Integer) -> bool {
        let (low, high): (Option<i128>, Option<i128>) = match self {
            IntegerType::Any => return true,
            IntegerType::NonPositive => (None, Some(0)),
            IntegerType::Negative => (None, Some(-1)),
            IntegerType::NonNegative => (Some(0), None),
            IntegerType::Positive => (Some(1), None),
            IntegerType::Long => (Some(i64::MIN.into()), Some(i64::MAX.into())),
            IntegerType::Int => (Some(i32::MIN.into()), Some(i32::MAX.into())),
            IntegerType::Short => (Some(i16::MIN.into()), Some(i16::MAX.into())),
            IntegerType::Byte => (Some(i8::MIN.into()), Some(i8::MAX.into())),
            IntegerType::UnsignedLong => (Some(0), Some(u64::MAX.into())),
            IntegerType::UnsignedInt => (Some(0), Some(u32::MAX.into())),
            IntegerType::UnsignedShort => (Some(0), Some(u16::MAX.into())),
            IntegerType::UnsignedByte => (Some(0), Some(u8::MAX.into())),
        };
        low.is_none_or(|low| *value >= Integer::from(low))
            && high.is_none_or(|high| *value <= Integer::from(high))
    }
}

/// What an item may be, XPath 2.0 section 2.5.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemType {
    Any,
    Node,
    Document,
    Element(Option<u32>),
    Attribute(Option<u32>),
    Text,
    Comment,
    Instruction(Option<Box<str>>),
    Atomic(AtomicType),
}

/// How many items there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occurrence {
    Zero,
    One,
    Optional,
    Some,
    Many,
}

impl Occurrence {
    /// Whether so many items are allowed.
    pub(crate) fn allows(self, count: usize) -> bool {
        match self {
            Occurrence::Zero => count == 0,
            Occurrence::One => count == 1,
            Occurrence::Optional => count <= 1,
            Occurrence::Some => count >= 1,
            Occurrence::Many => true,
        }
    }
}

/// A sequence type: `xs:decimal?`, `element()*`, `item()+`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequenceType {
    pub(crate) item: ItemType,
    pub(crate) occurrence: Occurrence,
}
