//! The function library: one row a function, and the modules that evaluate them.
//!
//! Sources: XQuery 1.0 and XPath 2.0 Functions and Operators (second edition); XSLT 2.0 for
//! `current`, `document`, `generate-id` and `key` (which is compiled apart).

mod aggregates;
mod dates;
mod deep_equal;
mod nodes;
mod numbers;
mod sequences;
mod strings;
mod texts;

use super::environment::{Environment, Focus, Frame};
use super::error::XPathResult;
use super::ir::Expr;
use super::value::Sequence;

/// What a function gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gives {
    Boolean,
    Text,
    Number,
    /// Dates, durations and names.
    Other,
    /// What its arguments are.
    Any,
    Nodes,
}

/// Whether the context item is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Uses {
    Nothing,
    /// The context item, when there are so many arguments.
    ContextWith(usize),
    /// The context item, position or size, always.
    Context,
    /// The document or its surroundings, so that it cannot be evaluated beforehand.
    Document,
}

macro_rules! functions {
    ($($name:ident $text:literal $min:literal $max:literal $gives:ident $uses:expr;)*) => {
        /// A built-in function.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Function { $($name,)* }

        /// Name, least and most arguments, result, use of the context.
        const TABLE: &[(Function, &str, usize, usize, Gives, Uses)] = &[
            $((Function::$name, $text, $min, $max, Gives::$gives, $uses),)*
        ];
    };
}

use Uses::{Context, ContextWith, Document, Nothing};

functions! {
    Abs "abs" 1 1 Number Nothing;
    AdjustDateTimeToTimezone "adjust-dateTime-to-timezone" 1 2 Other Nothing;
    AdjustDateToTimezone "adjust-date-to-timezone" 1 2 Other Nothing;
    AdjustTimeToTimezone "adjust-time-to-timezone" 1 2 Other Nothing;
    Avg "avg" 1 1 Number Nothing;
    Boolean "boolean" 1 1 Boolean Nothing;
    Ceiling "ceiling" 1 1 Number Nothing;
    CodepointEqual "codepoint-equal" 2 2 Boolean Nothing;
    CodepointsToString "codepoints-to-string" 1 1 Text Nothing;
    Compare "compare" 2 3 Number Nothing;
    Concat "concat" 2 65535 Text Nothing;
    Contains "contains" 2 3 Boolean Nothing;
    Count "count" 1 1 Number Nothing;
    Current "current" 0 0 Any Context;
    CurrentDate "current-date" 0 0 Other Document;
    CurrentDateTime "current-dateTime" 0 0 Other Document;
    CurrentTime "current-time" 0 0 Other Document;
    Data "data" 1 1 Number Nothing;
    DateTime "dateTime" 2 2 Other Nothing;
    DayFromDate "day-from-date" 1 1 Number Nothing;
    DayFromDateTime "day-from-dateTime" 1 1 Number Nothing;
    DaysFromDuration "days-from-duration" 1 1 Number Nothing;
    DeepEqual "deep-equal" 2 3 Boolean Nothing;
    DefaultCollation "default-collation" 0 0 Text Nothing;
    DistinctValues "distinct-values" 1 2 Number Nothing;
    Doc "doc" 1 1 Nodes Document;
    DocAvailable "doc-available" 1 1 Boolean Document;
    Document "document" 1 2 Nodes Document;
    Empty "empty" 1 1 Boolean Nothing;
    EncodeForUri "encode-for-uri" 1 1 Text Nothing;
    EndsWith "ends-with" 2 3 Boolean Nothing;
    Error "error" 0 3 Any Document;
    EscapeHtmlUri "escape-html-uri" 1 1 Text Nothing;
    ExactlyOne "exactly-one" 1 1 Any Nothing;
    Exists "exists" 1 1 Boolean Nothing;
    False "false" 0 0 Boolean Nothing;
    Floor "floor" 1 1 Number Nothing;
    GenerateId "generate-id" 0 1 Text ContextWith(0);
    HoursFromDateTime "hours-from-dateTime" 1 1 Number Nothing;
    HoursFromDuration "hours-from-duration" 1 1 Number Nothing;
    HoursFromTime "hours-from-time" 1 1 Number Nothing;
    ImplicitTimezone "implicit-timezone" 0 0 Other Nothing;
    IndexOf "index-of" 2 3 Number Nothing;
    InScopePrefixes "in-scope-prefixes" 1 1 Text Nothing;
    InsertBefore "insert-before" 3 3 Any Nothing;
    IriToUri "iri-to-uri" 1 1 Text Nothing;
    Lang "lang" 1 2 Boolean ContextWith(1);
    Last "last" 0 0 Number Context;
    LocalName "local-name" 0 1 Text ContextWith(0);
    LocalNameFromQName "local-name-from-QName" 1 1 Text Nothing;
    LowerCase "lower-case" 1 1 Text Nothing;
    Matches "matches" 2 3 Boolean Nothing;
    Max "max" 1 2 Number Nothing;
    Min "min" 1 2 Number Nothing;
    MinutesFromDateTime "minutes-from-dateTime" 1 1 Number Nothing;
    MinutesFromDuration "minutes-from-duration" 1 1 Number Nothing;
    MinutesFromTime "minutes-from-time" 1 1 Number Nothing;
    MonthFromDate "month-from-date" 1 1 Number Nothing;
    MonthFromDateTime "month-from-dateTime" 1 1 Number Nothing;
    MonthsFromDuration "months-from-duration" 1 1 Number Nothing;
    Name "name" 0 1 Text ContextWith(0);
    NamespaceUri "namespace-uri" 0 1 Text ContextWith(0);
    NamespaceUriForPrefix "namespace-uri-for-prefix" 2 2 Text Nothing;
    NamespaceUriFromQName "namespace-uri-from-QName" 1 1 Text Nothing;
    NodeName "node-name" 1 1 Other Nothing;
    NormalizeSpace "normalize-space" 0 1 Text ContextWith(0);
    Not "not" 1 1 Boolean Nothing;
    Number "number" 0 1 Number ContextWith(0);
    OneOrMore "one-or-more" 1 1 Any Nothing;
    Position "position" 0 0 Number Context;
    PrefixFromQName "prefix-from-QName" 1 1 Text Nothing;
    QName "QName" 2 2 Other Nothing;
    Remove "remove" 2 2 Any Nothing;
    Replace "replace" 3 4 Text Nothing;
    Reverse "reverse" 1 1 Any Nothing;
    Root "root" 0 1 Nodes ContextWith(0);
    Round "round" 1 1 Number Nothing;
    RoundHalfToEven "round-half-to-even" 1 2 Number Nothing;
    SecondsFromDateTime "seconds-from-dateTime" 1 1 Number Nothing;
    SecondsFromDuration "seconds-from-duration" 1 1 Number Nothing;
    SecondsFromTime "seconds-from-time" 1 1 Number Nothing;
    StartsWith "starts-with" 2 3 Boolean Nothing;
    String "string" 0 1 Text ContextWith(0);
    StringJoin "string-join" 1 2 Text Nothing;
    StringLength "string-length" 0 1 Number ContextWith(0);
    StringToCodepoints "string-to-codepoints" 1 1 Number Nothing;
    Subsequence "subsequence" 2 3 Any Nothing;
    Substring "substring" 2 3 Text Nothing;
    SubstringAfter "substring-after" 2 3 Text Nothing;
    SubstringBefore "substring-before" 2 3 Text Nothing;
    Sum "sum" 1 2 Number Nothing;
    TimezoneFromDate "timezone-from-date" 1 1 Other Nothing;
    TimezoneFromDateTime "timezone-from-dateTime" 1 1 Other Nothing;
    TimezoneFromTime "timezone-from-time" 1 1 Other Nothing;
    Tokenize "tokenize" 2 3 Text Nothing;
    Trace "trace" 2 2 Any Nothing;
    Translate "translate" 3 3 Text Nothing;
    True "true" 0 0 Boolean Nothing;
    Unordered "unordered" 1 1 Any Nothing;
    UpperCase "upper-case" 1 1 Text Nothing;
    YearFromDate "year-from-date" 1 1 Number Nothing;
    YearFromDateTime "year-from-dateTime" 1 1 Number Nothing;
    YearsFromDuration "years-from-duration" 1 1 Number Nothing;
    ZeroOrOne "zero-or-one" 1 1 Any Nothing;
}

impl Function {
    /// The function of a name and a number of arguments.
    pub(crate) fn find(name: &str, arity: usize) -> Option<Function> {
        let fits = |row: &&(Function, &str, usize, usize, Gives, Uses)| {
            row.1 == name && (row.2..=row.3).contains(&arity)
        };
        TABLE.iter().find(fits).map(|row| row.0)
    }

    /// Whether there is a function of this name with any number of arguments.
    pub(crate) fn exists(name: &str) -> bool {
        TABLE.iter().any(|row| row.1 == name)
    }

    fn properties(self) -> (Gives, Uses) {
        // The table is written in the order of the variants.
        TABLE.get(self as usize).map_or((Gives::Any, Uses::Document), |row| (row.4, row.5))
    }

    /// The name as rules write it.
    pub(crate) fn name(self) -> &'static str {
        TABLE.get(self as usize).map_or("", |row| row.1)
    }

    /// Whether the value is surely no number.
    pub(crate) fn is_never_number(self) -> bool {
        !matches!(self.properties().0, Gives::Number | Gives::Any)
    }

    /// Whether the value is surely atomic.
    pub(crate) fn is_atomic(self) -> bool {
        !matches!(self.properties().0, Gives::Any | Gives::Nodes)
    }

    /// Whether the context item is used.
    pub(crate) fn uses_context(self, arity: usize) -> bool {
        match self.properties().1 {
            Uses::Context => true,
            Uses::ContextWith(count) => count == arity,
            Uses::Nothing | Uses::Document => false,
        }
    }

    /// Whether it may be evaluated beforehand when its arguments are constants.
    pub(crate) fn is_foldable(self, arity: usize) -> bool {
        self.properties().1 != Uses::Document && !self.uses_context(arity)
    }
}

/// The arguments of one call with what they are evaluated in.
#[derive(Clone, Copy)]
pub(crate) struct FunctionCall<'a, 'd> {
    pub(crate) environment: &'a Environment<'d>,
    pub(crate) function: Function,
    pub(crate) arguments: &'d [Expr],
    pub(crate) focus: &'a Focus<'d>,
    pub(crate) frame: &'a Frame<'d>,
}

impl<'d> Environment<'d> {
    /// Calls a built-in function.
    pub(crate) fn call(
        &self,
        function: Function,
        arguments: &'d [Expr],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        FunctionCall { environment: self, function, arguments, focus, frame }.evaluate()
    }
}

impl<'d> FunctionCall<'_, 'd> {
    fn evaluate(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        match self.function {
            F::Abs | F::Ceiling | F::Floor | F::Round | F::RoundHalfToEven | F::Number => {
                self.numbers()
            }
            F::Avg | F::Count | F::Max | F::Min | F::Sum => self.aggregates(),
            F::Current
            | F::Doc
            | F::DocAvailable
            | F::Document
            | F::GenerateId
            | F::InScopePrefixes
            | F::Lang
            | F::LocalName
            | F::LocalNameFromQName
            | F::Name
            | F::NamespaceUri
            | F::NamespaceUriForPrefix
            | F::NamespaceUriFromQName
            | F::NodeName
            | F::PrefixFromQName
            | F::QName
            | F::Root => self.nodes(),
            F::Boolean
            | F::Data
            | F::DeepEqual
            | F::DistinctValues
            | F::Empty
            | F::Error
            | F::ExactlyOne
            | F::Exists
            | F::False
            | F::IndexOf
            | F::InsertBefore
            | F::Last
            | F::Not
            | F::OneOrMore
            | F::Position
            | F::Remove
            | F::Reverse
            | F::Subsequence
            | F::Trace
            | F::True
            | F::Unordered
            | F::ZeroOrOne => self.sequences(),
            _ => self.evaluate_text_or_date(),
        }
    }

    fn evaluate_text_or_date(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        match self.function {
            F::CodepointEqual
            | F::Compare
            | F::Concat
            | F::Contains
            | F::EndsWith
            | F::StartsWith
            | F::String
            | F::StringJoin
            | F::StringLength
            | F::Substring
            | F::SubstringAfter
            | F::SubstringBefore
            | F::DefaultCollation => self.strings(),
            F::CodepointsToString
            | F::EncodeForUri
            | F::EscapeHtmlUri
            | F::IriToUri
            | F::LowerCase
            | F::Matches
            | F::NormalizeSpace
            | F::Replace
            | F::StringToCodepoints
            | F::Tokenize
            | F::Translate
            | F::UpperCase => self.texts(),
            _ => self.dates(),
        }
    }
}
