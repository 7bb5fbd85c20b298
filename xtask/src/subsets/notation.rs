//! The notation of the subset tables: what the product reads in `document::subset::table`.
//!
//! A test is written head first in parentheses, `(count 0 1 cac:A/cbc:B)`; a path as XPath writes
//! it, with tests of this notation as predicates.

use std::fmt;

/// What a row asks of the node that its rule matched.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Holds never: the context itself is what is wrong.
    Never,
    /// Holds always.
    Always,
    Has(Vec<Path>),
    /// So many nodes, no upper bound where it is `None`.
    Count(u32, Option<u32>, Vec<Path>),
    /// Some node's value is a code of a list.
    In(How, String, Vec<Path>),
    /// Some node's value is one of these.
    Is(How, Vec<String>, Vec<Path>),
    /// Some node's value is none of these.
    Isnt(How, Vec<String>, Vec<Path>),
    /// Some node's value stands in this text between spaces, spaces of its own included.
    Within(How, String, Vec<Path>),
    /// Some node here has the same value as some node there.
    Same(Vec<Path>, Vec<Path>),
    And(Vec<Test>),
    Or(Vec<Test>),
    Not(Box<Test>),
    /// The value, without surrounding space, has so many characters at most.
    Length(u32, Vec<Path>),
    /// The value has so many digits after the point at most.
    Decimals(u32, Vec<Path>),
    /// The value is a date of ten characters.
    Date(Vec<Path>),
    /// The value, without surrounding space, starts with this.
    Starts(String, Vec<Path>),
    /// The local name of the node ends with this.
    Ends(String),
}

/// What is done to a value before it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Exact,
    Trim,
    Upper,
    TrimUpper,
    Boolean,
    /// The same of the argument of a function, of which there may be one.
    ExactOne,
    TrimOne,
    UpperOne,
    TrimUpperOne,
}

impl How {
    /// As the argument of a function.
    pub fn one(self) -> How {
        match self {
            How::Exact => How::ExactOne,
            How::Trim => How::TrimOne,
            How::Upper => How::UpperOne,
            How::TrimUpper => How::TrimUpperOne,
            other => other,
        }
    }
}

/// A path from the root or from the node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Path {
    pub from_root: bool,
    pub steps: Vec<Step>,
}

/// A step; the words of `axis` are the ones that are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub axis: Axis,
    /// `cbc:ID`, `*`, `cbc:*` or `*:schemaLocation`; empty for `..` and `.`.
    pub name: String,
    pub predicates: Vec<Test>,
}

pub use super::xpath::Axis;

impl Test {
    /// `not` of it, without two in a row.
    pub fn negated(self) -> Test {
        match self {
            Test::Not(inner) => *inner,
            Test::Never => Test::Always,
            Test::Always => Test::Never,
            other => Test::Not(Box::new(other)),
        }
    }

    /// The kind of row, as counted in reports.
    pub fn kind(&self) -> &'static str {
        match self {
            Test::Never => "not used (context)",
            Test::Always => "always",
            Test::Has(paths) if is_attribute(paths) => "attribute required",
            Test::Has(_) => "required",
            Test::Count(..) => "occurs",
            Test::In(..) | Test::Within(..) => "code in list",
            Test::Is(..) => "fixed value",
            Test::Isnt(..) => "not empty",
            Test::Length(..) => "length",
            Test::Decimals(..) => "decimals",
            Test::Date(_) => "date",
            Test::Starts(..) => "prefix",
            Test::Not(inner) => match &**inner {
                Test::Has(paths) if is_attribute(paths) => "attribute not used",
                Test::Has(_) => "not used",
                _ => "combination",
            },
            Test::Or(parts) if parts.iter().all(|part| matches!(part, Test::Has(_))) => {
                "one of required"
            }
            Test::Or(parts) => match parts.as_slice() {
                [Test::Not(unless), Test::In(..)] if matches!(**unless, Test::Has(_)) => {
                    "code in list"
                }
                parts if parts.iter().all(|part| matches!(part, Test::In(..))) => "code in list",
                _ => "combination",
            },
            Test::Same(..) | Test::Ends(_) | Test::And(_) => "combination",
        }
    }
}

fn is_attribute(paths: &[Path]) -> bool {
    paths.iter().all(|path| {
        path.steps
            .last()
            .is_some_and(|step| matches!(step.axis, Axis::Attribute | Axis::DescendantAttribute))
    })
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            How::Exact => "e",
            How::Trim => "t",
            How::Upper => "u",
            How::TrimUpper => "tu",
            How::Boolean => "b",
            How::ExactOne => "e1",
            How::TrimOne => "t1",
            How::UpperOne => "u1",
            How::TrimUpperOne => "tu1",
        })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return f.write_str(if self.from_root { "/" } else { "." });
        }
        for (at, step) in self.steps.iter().enumerate() {
            let deep = matches!(step.axis, Axis::Descendant | Axis::DescendantAttribute);
            if deep {
                // `.//a` from the node, `//a` from the root.
                f.write_str(if at == 0 && !self.from_root { ".//" } else { "//" })?;
            } else if at > 0 || self.from_root {
                f.write_str("/")?;
            }
            f.write_str(match step.axis {
                Axis::Child | Axis::Descendant => "",
                Axis::Attribute | Axis::DescendantAttribute => "@",
                Axis::Parent if step.name.is_empty() => "..",
                Axis::Parent => "parent::",
                Axis::Ancestor => "ancestor::",
                Axis::Itself if step.name.is_empty() => ".",
                Axis::Itself => "self::",
                Axis::Text => "text()",
            })?;
            f.write_str(&step.name)?;
            for predicate in &step.predicates {
                write!(f, "[{predicate}]")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Never => f.write_str("(never)"),
            Test::Always => f.write_str("(always)"),
            Test::Has(paths) => list(f, "has", paths),
            Test::Count(min, None, paths) => list(f, &format!("count {min} *"), paths),
            Test::Count(min, Some(max), paths) => list(f, &format!("count {min} {max}"), paths),
            Test::In(how, key, paths) => list(f, &format!("in {how} {key}"), paths),
            Test::Is(how, values, paths) => list(f, &format!("is {how}{}", quoted(values)), paths),
            Test::Isnt(how, values, paths) => {
                list(f, &format!("isnt {how}{}", quoted(values)), paths)
            }
            Test::Within(how, text, paths) => list(f, &format!("within {how} '{text}'"), paths),
            Test::Same(here, there) => {
                f.write_str("(same")?;
                here.iter().try_for_each(|path| write!(f, " {path}"))?;
                f.write_str(" =")?;
                there.iter().try_for_each(|path| write!(f, " {path}"))?;
                f.write_str(")")
            }
            Test::And(parts) => list(f, "and", parts),
            Test::Or(parts) => list(f, "or", parts),
            Test::Not(inner) => match &**inner {
                Test::Has(paths) => list(f, "no", paths),
                inner => write!(f, "(not {inner})"),
            },
            Test::Length(max, paths) => list(f, &format!("length {max}"), paths),
            Test::Decimals(max, paths) => list(f, &format!("decimals {max}"), paths),
            Test::Date(paths) => list(f, "date", paths),
            Test::Starts(text, paths) => list(f, &format!("starts '{text}'"), paths),
            Test::Ends(text) => write!(f, "(ends '{text}')"),
        }
    }
}

fn quoted(values: &[String]) -> String {
    values.iter().map(|value| format!(" '{value}'")).collect()
}

fn list(f: &mut fmt::Formatter<'_>, head: &str, items: &[impl fmt::Display]) -> fmt::Result {
    write!(f, "({head}")?;
    for item in items {
        write!(f, " {item}")?;
    }
    f.write_str(")")
}
