//! The parts of a table row in memory: tests, paths, steps, names.

use std::borrow::Cow;

use quoin_model::codes::List;

/// What a row asks of the element that its rule matched.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    /// Holds never: that the element is there is what is wrong.
    Never,
    Always,
    /// To be tested by a function of its own.
    Hand,
    Has(Vec<Path>),
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
    /// At least, at most, of.
    Count(u32, u32, Vec<Path>),
    /// Some value is a code of the list.
    In(How, ListRef, Vec<Path>),
    /// Some value is one of these.
    Is(How, Vec<&'static str>, Vec<Path>),
    /// Some value is none of these.
    Isnt(How, Vec<&'static str>, Vec<Path>),
    /// Some value stands in this text with a space on either side.
    Within(How, &'static str, Vec<Path>),
    /// Some value here is some value there.
    Same(Vec<Path>, Vec<Path>),
    /// Characters at most, without surrounding space.
    Length(u32, Vec<Path>),
    /// Characters after the point at most.
    Decimals(u32, Vec<Path>),
    /// Ten characters that are a date.
    Date(Vec<Path>),
    /// How the value starts, without surrounding space.
    Starts(&'static str, Vec<Path>),
    /// How the local name of the element ends.
    Ends(&'static str),
}

/// A list, compared by its key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListRef(pub(crate) &'static List);

impl PartialEq for ListRef {
    fn eq(&self, other: &ListRef) -> bool {
        self.0.key == other.0.key
    }
}

/// What is done to a value before it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
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

impl How {
    /// Whether several values are an error.
    pub(crate) fn is_one(self) -> bool {
        matches!(self, How::ExactOne | How::TrimOne | How::UpperOne | How::TrimUpperOne)
    }

    /// A value as it is compared.
    pub(crate) fn of(self, value: Cow<'_, str>) -> Cow<'_, str> {
        match self {
            How::Exact | How::ExactOne => value,
            How::Trim | How::Boolean | How::TrimOne => trimmed(value),
            How::Upper | How::UpperOne => upper(value),
            How::TrimUpper | How::TrimUpperOne => upper(trimmed(value)),
        }
    }
}

fn upper(value: Cow<'_, str>) -> Cow<'_, str> {
    match value.chars().any(char::is_lowercase) {
        true => Cow::Owned(value.to_uppercase()),
        false => value,
    }
}

/// White space of XML, which `str::trim` would take more than.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

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
pub(crate) struct Path {
    pub(crate) from_root: bool,
    pub(crate) steps: Vec<Step>,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) axis: Axis,
    pub(crate) name: Name,
    pub(crate) predicates: Vec<Test>,
}

/// Where a step leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
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
pub(crate) enum Name {
    Any,
    /// Any name of a namespace.
    AnyIn(&'static str),
    /// A local name in any namespace.
    AnyNamespace(&'static str),
    /// A name of the table, by its number there.
    Is(u16),
}
