//! The parts of a table row in memory: tests, paths, steps, names.

use std::borrow::Cow;

use quoin_model::codes::CodeList;
use quoin_model::text::SPACE;

/// What a row asks of the element that its rule matched.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RowTest {
    /// Holds never: that the element is there is what is wrong.
    Never,
    Always,
    /// To be tested by a function of its own.
    Hand,
    Has(Vec<TablePath>),
    Not(Box<RowTest>),
    And(Vec<RowTest>),
    Or(Vec<RowTest>),
    /// At least, at most, of.
    Count(u32, u32, Vec<TablePath>),
    /// Some value is a code of the list.
    In(Normalization, ListRef, Vec<TablePath>),
    /// Some value is one of these.
    Is(Normalization, Vec<&'static str>, Vec<TablePath>),
    /// Some value is none of these.
    Isnt(Normalization, Vec<&'static str>, Vec<TablePath>),
    /// Some value stands in this text with a space on either side.
    Within(Normalization, &'static str, Vec<TablePath>),
    /// Some value here is some value there.
    Same(Vec<TablePath>, Vec<TablePath>),
    /// Characters at most, without surrounding space.
    Length(u32, Vec<TablePath>),
    /// Characters after the point at most.
    Decimals(u32, Vec<TablePath>),
    /// Ten characters that are a date.
    Date(Vec<TablePath>),
    /// How the value starts, without surrounding space.
    Starts(&'static str, Vec<TablePath>),
    /// How the local name of the element ends.
    Ends(&'static str),
}

/// A list, compared by its key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListRef(pub(crate) &'static CodeList);

impl PartialEq for ListRef {
    fn eq(&self, other: &ListRef) -> bool {
        self.0.key == other.0.key
    }
}

/// What is done to a value before it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Normalization {
    Exact,
    /// White space as `normalize-space` leaves it.
    Trim,
    Upper,
    TrimUpper,
    /// `true`, `1`, `false`, `0` with white space around.
    Boolean,
    /// The same of the argument of a function: several are an error.
    ExactOne,
    TrimOne,
    UpperOne,
    TrimUpperOne,
}

impl Normalization {
    /// Whether several values are an error.
    pub(crate) fn is_one(self) -> bool {
        matches!(
            self,
            Normalization::ExactOne
                | Normalization::TrimOne
                | Normalization::UpperOne
                | Normalization::TrimUpperOne
        )
    }

    /// A value as it is compared.
    pub(crate) fn of(self, value: Cow<'_, str>) -> Cow<'_, str> {
        match self {
            Normalization::Exact | Normalization::ExactOne => value,
            Normalization::Trim | Normalization::Boolean | Normalization::TrimOne => trimmed(value),
            Normalization::Upper | Normalization::UpperOne => upper(value),
            Normalization::TrimUpper | Normalization::TrimUpperOne => upper(trimmed(value)),
        }
    }
}

fn upper(value: Cow<'_, str>) -> Cow<'_, str> {
    match value.chars().any(char::is_lowercase) {
        true => Cow::Owned(value.to_uppercase()),
        false => value,
    }
}

/// `normalize-space`: none around, single spaces inside.
pub(crate) fn trimmed(value: Cow<'_, str>) -> Cow<'_, str> {
    // A space at the start is one too many, as is a second one.
    let mut before = b' ';
    let is_plain = value.bytes().all(|byte| {
        let is_right = !matches!(byte, b'\t' | b'\n' | b'\r') && (byte != b' ' || before != b' ');
        before = byte;
        is_right
    });
    if value.is_empty() || (is_plain && before != b' ') {
        return value;
    }
    let words: Vec<&str> = value.split(SPACE).filter(|word| !word.is_empty()).collect();
    Cow::Owned(words.join(" "))
}

/// A path from the root, or from the element.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TablePath {
    pub(crate) from_root: bool,
    pub(crate) steps: Vec<TableStep>,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableStep {
    pub(crate) axis: TableAxis,
    pub(crate) name: NameTest,
    pub(crate) predicates: Vec<RowTest>,
}

/// Where a step leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableAxis {
    Child,
    Descendant,
    Attribute,
    DescendantAttribute,
    Parent,
    Ancestor,
    Itself,
    /// The text of the element itself, without that of elements inside.
    Text,
}

/// Which names a step takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameTest {
    Any,
    /// Any name of a namespace.
    AnyIn(&'static str),
    /// A local name in any namespace.
    AnyNamespace(&'static str),
    /// A name of the table, by its number there.
    Is(u16),
}
