//! What can go wrong: while compiling, with a place in the text, and while evaluating, with a code.

use std::borrow::Cow;
use std::fmt;

use thiserror::Error;

/// Characters of an expression that a message shows at most.
const SHOWN: usize = 120;

/// What compiling gives.
pub(super) type CompileResult<T> = Result<T, CompileError>;

/// An expression that cannot be used, found before any document is read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{code} at character {offset}: {message}; in: {}", shown(.expression, *.offset))]
pub struct CompileError {
    /// The error code of XPath 2.0 appendix G, or one of ours that begins with `QX`.
    pub code: ErrorCode,
    /// The whole expression.
    pub expression: String,
    /// Where it is wrong, in characters from 0.
    pub offset: usize,
    /// What was expected and what was found.
    pub message: String,
}

/// The surroundings of the place, for a message.
fn shown(expression: &str, offset: usize) -> String {
    let start = offset.saturating_sub(SHOWN / 2);
    let piece: String = expression.chars().skip(start).take(SHOWN).collect();
    let head = if start > 0 { "…" } else { "" };
    let tail = if expression.chars().count() > start + SHOWN { "…" } else { "" };
    format!("{head}{}{tail}", piece.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// An error while evaluating, as XPath 2.0 section 2.3 names it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{code}: {message}")]
pub struct DynamicError {
    /// The code of the specification, or one of ours for a limit.
    pub code: ErrorCode,
    /// What was expected and what was found.
    pub message: Cow<'static, str>,
}

impl DynamicError {
    /// An error with a message that is known beforehand.
    pub(crate) fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> DynamicError {
        DynamicError { code, message: message.into() }
    }
}

impl From<ErrorCode> for DynamicError {
    fn from(code: ErrorCode) -> DynamicError {
        DynamicError { code, message: Cow::Borrowed(code.meaning()) }
    }
}

macro_rules! codes {
    ($($code:ident $meaning:literal,)*) => {
        /// Error codes of XPath 2.0, Functions and Operators and XSLT 2.0, and ours for limits.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $(#[doc = $meaning] $code,)*
        }

        impl ErrorCode {
            /// The code as the specification writes it.
            pub fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$code => stringify!($code),)* }
            }

            /// What the code means.
            pub fn meaning(self) -> &'static str {
                match self { $(ErrorCode::$code => $meaning,)* }
            }
        }
    };
}

codes! {
    XPST0003 "the expression is not valid XPath 2.0",
    XPST0008 "a name is not declared",
    XPST0010 "an axis is not supported",
    XPST0017 "there is no function of this name and number of arguments",
    XPST0051 "there is no such atomic type",
    XPST0080 "a value cannot be cast to this type",
    XPST0081 "a namespace prefix is not declared",
    XPDY0002 "there is no context item here",
    XPDY0050 "the value is not of the type that it is treated as",
    XPTY0004 "a value is not of the type that is needed",
    XPTY0018 "a path gives both nodes and atomic values",
    XPTY0019 "a step of a path is applied to an atomic value",
    XPTY0020 "an axis step is applied to an atomic value",
    FOAR0001 "division by zero",
    FOAR0002 "a number is too large or too small",
    FOCA0002 "a value is not a name, or not a number",
    FOCA0003 "an integer is too large",
    FOCA0005 "NaN as factor of a duration",
    FOCH0001 "a code point that is no character",
    FOCH0002 "an unsupported collation",
    FOCH0003 "an unsupported normalization form",
    FODC0002 "a document cannot be had",
    FODT0001 "a date or time is out of range",
    FODT0002 "a duration is out of range",
    FODT0003 "a time zone is out of range",
    FOER0000 "an error that the rules raise",
    FONS0004 "no namespace for this prefix",
    FORG0001 "a value is not in the lexical form of the type",
    FORG0003 "zero-or-one has more than one item",
    FORG0004 "one-or-more has no item",
    FORG0005 "exactly-one has not one item",
    FORG0006 "values of the wrong type for this function",
    FORG0008 "two time zones that differ",
    FORX0001 "unknown flags of a regular expression",
    FORX0002 "an invalid regular expression",
    FORX0003 "a regular expression that matches the empty string",
    FORX0004 "an invalid replacement string",
    FOTY0012 "an element without a typed value",
    XTDE0640 "a variable is defined by itself",
    XTDE1260 "there is no key of this name",
    XTDE1360 "current() without a current item",
    QX0001 "the limit of steps is reached",
    QX0002 "the limit of items is reached",
    QX0003 "the limit of text is reached",
    QX0004 "the limit of depth is reached",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ErrorCode {
    /// Whether it says that a limit of ours was reached, not that a rule or document is wrong.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            ErrorCode::QX0001 | ErrorCode::QX0002 | ErrorCode::QX0003 | ErrorCode::QX0004
        )
    }
}

/// The result of evaluating.
pub(crate) type XPathResult<T> = std::result::Result<T, DynamicError>;

/// Ends an evaluation with a code and a message that says what was found.
macro_rules! fail {
    ($code:ident, $($message:tt)+) => {
        Err($crate::xpath::error::DynamicError::new(
            $crate::xpath::error::ErrorCode::$code,
            format!($($message)+),
        ))
    };
}

pub(crate) use fail;
