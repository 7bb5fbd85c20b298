//! Reads a table of patterns. The tables are part of the program and generated, and a test reads
//! every one of them; a line that is not understood ends the reading with `None`.
//!
//! ```text
//! = peppol-t71/1                               a pattern
//! @ /a:A/cac:B | //cac:C                       a rule: where; ^2/x is the last place's 2 steps, /x
//! f RULE-ID (count 0 1 cac:D[(is t 'x' @y)])   a row: flag, identifier, test
//! ```

use std::collections::HashMap;

use super::TableRow;
use super::notation::{ListRef, NameTest, Normalization, RowTest, TableAxis, TablePath, TableStep};
use super::sets::{PREFIXES, TABLES};
use quoin_model::Flag;
use quoin_model::codes;

/// A rule set as read: its patterns with their rules, and its names.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    pub(super) rules: Vec<TableRule>,
    /// How many rows the rules have.
    rows: u32,
    /// Namespace and local name.
    pub(super) names: Vec<(&'static str, &'static str)>,
    pub(super) numbers: HashMap<(&'static str, &'static str), u16>,
}

/// A rule of a pattern.
#[derive(Debug)]
pub(super) struct TableRule {
    /// The number of its pattern in the set.
    pub(super) pattern: u16,
    pub(super) places: Vec<TablePath>,
    pub(super) rows: Vec<TableRow>,
}

impl Patterns {
    /// The number of a name, where some row or rule names it.
    pub(super) fn number(&self, (namespace, local): (&str, &str)) -> Option<u16> {
        self.numbers.get(&(namespace, local)).copied()
    }

    /// Every place of every rule: number of the rule, number of the place in it.
    pub(super) fn places(&self) -> impl Iterator<Item = (u32, u32, &TablePath)> {
        self.rules.iter().enumerate().flat_map(|(rule, own)| {
            let places = own.places.iter().enumerate();
            places.map(move |(place, path)| (rule as u32, place as u32, path))
        })
    }
}

/// Reads the patterns of a set, each by its name (`peppol-t71/1`).
pub(super) fn read(patterns: &[&str]) -> Option<Patterns> {
    let mut read = Patterns::default();
    for (number, name) in patterns.iter().enumerate() {
        let (table, _) = name.rsplit_once('/')?;
        let (_, text) = TABLES.iter().find(|(id, _)| *id == table)?;
        let from = text.split("\n= ").find(|part| part.lines().next() == Some(*name))?;
        read_pattern(&mut read, number as u16, from)?;
    }
    Some(read)
}

fn read_pattern(read: &mut Patterns, number: u16, text: &'static str) -> Option<()> {
    let mut before = TablePath::default();
    for line in text.lines().skip(1) {
        let (sign, rest) = line.split_once(' ')?;
        if sign == "@" {
            let mut reader = SubsetReader { rest, read: &mut *read };
            let places = reader.places(&before)?;
            if let [place] = places.as_slice() {
                before = place.clone();
            }
            read.rules.push(TableRule { pattern: number, places, rows: Vec::new() });
            continue;
        }
        let flag = match sign {
            "f" => Flag::Fatal,
            "w" => Flag::Warning,
            "i" => Flag::Information,
            _ => return None,
        };
        let (id, rest) = rest.split_once(' ')?;
        let mut reader = SubsetReader { rest, read: &mut *read };
        let test = reader.test()?;
        if !reader.rest.is_empty() {
            return None;
        }
        let number = read.rows;
        read.rows += 1;
        read.rules.last_mut()?.rows.push(TableRow { id, flag, number, test });
    }
    Some(())
}

struct SubsetReader<'r> {
    rest: &'static str,
    read: &'r mut Patterns,
}

impl SubsetReader<'_> {
    fn take(&mut self, sign: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    /// A word of letters and what numbers, keys and names are made of.
    fn word(&mut self) -> Option<&'static str> {
        self.skip();
        let end = self.rest.find([' ', ')', '(', '[', ']', '/', '\'']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn literal(&mut self) -> Option<&'static str> {
        self.skip();
        let (text, rest) = self.rest.strip_prefix('\'')?.split_once('\'')?;
        self.rest = rest;
        Some(text)
    }

    fn literals(&mut self) -> Option<Vec<&'static str>> {
        let mut found = Vec::new();
        while self.rest.trim_start_matches(' ').starts_with('\'') {
            found.push(self.literal()?);
        }
        Some(found)
    }

    fn how(&mut self) -> Option<Normalization> {
        Some(match self.word()? {
            "e" => Normalization::Exact,
            "t" => Normalization::Trim,
            "u" => Normalization::Upper,
            "tu" => Normalization::TrimUpper,
            "b" => Normalization::Boolean,
            "e1" => Normalization::ExactOne,
            "t1" => Normalization::TrimOne,
            "u1" => Normalization::UpperOne,
            "tu1" => Normalization::TrimUpperOne,
            _ => return None,
        })
    }

    fn number(&mut self) -> Option<u32> {
        match self.word()? {
            "*" => Some(u32::MAX),
            digits => digits.parse().ok(),
        }
    }

    fn test(&mut self) -> Option<RowTest> {
        self.skip();
        self.take("(")?;
        let test = match self.word()? {
            "never" => RowTest::Never,
            "always" => RowTest::Always,
            "hand" => RowTest::Hand,
            "has" => RowTest::Has(self.paths()?),
            "no" => RowTest::Not(Box::new(RowTest::Has(self.paths()?))),
            "not" => RowTest::Not(Box::new(self.test()?)),
            "and" => RowTest::And(self.tests()?),
            "or" => RowTest::Or(self.tests()?),
            "count" => RowTest::Count(self.number()?, self.number()?, self.paths()?),
            "in" => {
                let how = self.how()?;
                RowTest::In(how, ListRef(codes::by_key(self.word()?)?), self.paths()?)
            }
            "is" => RowTest::Is(self.how()?, self.literals()?, self.paths()?),
            "isnt" => RowTest::Isnt(self.how()?, self.literals()?, self.paths()?),
            "within" => RowTest::Within(self.how()?, self.literal()?, self.paths()?),
            "same" => RowTest::Same(self.paths()?, self.paths_after_equals()?),
            "length" => RowTest::Length(self.number()?, self.paths()?),
            "decimals" => RowTest::Decimals(self.number()?, self.paths()?),
            "date" => RowTest::Date(self.paths()?),
            "starts" => RowTest::Starts(self.literal()?, self.paths()?),
            "ends" => RowTest::Ends(self.literal()?),
            _ => return None,
        };
        self.take(")")?;
        Some(test)
    }

    fn tests(&mut self) -> Option<Vec<RowTest>> {
        let mut found = Vec::new();
        while !self.rest.starts_with(')') {
            found.push(self.test()?);
        }
        Some(found)
    }

    fn paths(&mut self) -> Option<Vec<TablePath>> {
        let mut found = Vec::new();
        loop {
            self.skip();
            if self.rest.starts_with([')', '=']) {
                return Some(found);
            }
            found.push(self.path()?);
        }
    }

    fn paths_after_equals(&mut self) -> Option<Vec<TablePath>> {
        self.take("=")?;
        self.paths()
    }

    /// The alternatives of a rule.
    fn places(&mut self, before: &TablePath) -> Option<Vec<TablePath>> {
        let mut found = Vec::new();
        loop {
            self.skip();
            let mut path = TablePath::default();
            if let Some(rest) = self.rest.strip_prefix('^') {
                let (count, rest) = rest.split_at_checked(rest.find('/')?)?;
                path.from_root = before.from_root;
                path.steps = before.steps.get(..count.parse().ok()?)?.to_vec();
                self.rest = rest;
                self.steps(&mut path)?;
            } else {
                path = self.path()?;
            }
            found.push(path);
            self.skip();
            if self.rest.is_empty() {
                return Some(found);
            }
            self.take("|")?;
        }
    }

    fn path(&mut self) -> Option<TablePath> {
        let mut path = TablePath::default();
        if self.rest.starts_with(".//") {
            self.take(".")?;
        } else if self.rest.starts_with('/') {
            path.from_root = true;
            if matches!(self.rest.as_bytes().get(1), None | Some(b' ' | b')')) {
                self.take("/")?;
                return Some(path);
            }
        } else if self.rest.starts_with('.')
            && matches!(self.rest.as_bytes().get(1), None | Some(b' ' | b')'))
        {
            self.take(".")?;
            return Some(path);
        } else {
            let step = self.step(false)?;
            path.steps.push(step);
        }
        self.steps(&mut path)?;
        Some(path)
    }

    /// The steps that follow, each after `/` or `//`.
    fn steps(&mut self, path: &mut TablePath) -> Option<()> {
        while self.take("/").is_some() {
            let deep = self.take("/").is_some();
            let step = self.step(deep)?;
            path.steps.push(step);
        }
        Some(())
    }

    fn step(&mut self, deep: bool) -> Option<TableStep> {
        let axis = if self.rest.starts_with("..") || self.take("parent::").is_some() {
            TableAxis::Parent
        } else if self.take("ancestor::").is_some() {
            TableAxis::Ancestor
        } else if self.take("self::").is_some() || self.rest.starts_with('.') {
            TableAxis::Itself
        } else if self.take("text()").is_some() {
            return Some(TableStep {
                axis: TableAxis::Text,
                name: NameTest::Any,
                predicates: Vec::new(),
            });
        } else if self.take("@").is_some() {
            if deep { TableAxis::DescendantAttribute } else { TableAxis::Attribute }
        } else if deep {
            TableAxis::Descendant
        } else {
            TableAxis::Child
        };
        let bare = self.take("..").is_some() || self.take(".").is_some();
        let name = if bare { NameTest::Any } else { self.name()? };
        let mut predicates = Vec::new();
        while self.take("[").is_some() {
            predicates.push(self.test()?);
            self.take("]")?;
        }
        Some(TableStep { axis, name, predicates })
    }

    fn name(&mut self) -> Option<NameTest> {
        let word = self.word()?;
        let Some((prefix, local)) = word.split_once(':') else {
            return Some(if word == "*" { NameTest::Any } else { self.numbered("", word) });
        };
        if prefix == "*" {
            return Some(NameTest::AnyNamespace(local));
        }
        let (_, namespace) = PREFIXES.iter().find(|(known, _)| *known == prefix)?;
        Some(if local == "*" {
            NameTest::AnyIn(namespace)
        } else {
            self.numbered(namespace, local)
        })
    }

    fn numbered(&mut self, namespace: &'static str, local: &'static str) -> NameTest {
        let Patterns { names, numbers, .. } = &mut *self.read;
        NameTest::Is(*numbers.entry((namespace, local)).or_insert_with(|| {
            names.push((namespace, local));
            (names.len() - 1) as u16
        }))
    }
}
