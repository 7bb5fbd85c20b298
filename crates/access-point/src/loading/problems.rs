//! Reading a TOML text so that all its mistakes come out at once: each setting is read by itself,
//! in a configuration that is otherwise the default, and what fails is noted with its line.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use quoin_model::text;
use serde::Deserialize;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::{LARGEST_FILE, parts, words};
use crate::config::{Config, ConfigSecret, UNREAD};

/// One mistake in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConfigProblem {
    /// The line in the file, from 1; `None` where several settings together are the mistake.
    pub line: Option<usize>,
    /// The setting, as in `listen.api.address`.
    pub setting: String,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.setting.is_empty() {
            write!(f, "{}: ", self.setting)?;
        }
        f.write_str(&self.message)
    }
}

/// Why a configuration was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no configuration by its size.
    #[error(
        "{}: {length} bytes is more than a configuration file may have ({LARGEST_FILE})",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        length: u64,
    },
    /// All mistakes of the file.
    #[error("the configuration has {}:{}", counted(.0.len()), list(.0))]
    Problems(Vec<ConfigProblem>),
}

fn counted(problems: usize) -> String {
    match problems {
        1 => "a problem".to_owned(),
        many => format!("{many} problems"),
    }
}

fn list(problems: &[ConfigProblem]) -> String {
    problems.iter().map(|problem| format!("\n  {problem}")).collect()
}

/// Reads what can be read, and names the rest; no configuration of a text that is no TOML.
pub(super) fn read(text: &str) -> (Option<Config>, Vec<ConfigProblem>) {
    let (spanned, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let problem = |error: &toml::de::Error| ConfigProblem {
            line: error.span().map(|span| line(text, span.start)),
            setting: doubled(text, error).unwrap_or_default(),
            message: error.message().to_owned(),
        };
        return (None, errors.iter().map(problem).collect());
    }
    let mut leaves = Leaves { text, good: Table::new(), problems: BTreeSet::new() };
    leaves.walk(spanned.get_ref(), &mut Vec::new());
    // Each setting was taken by itself. Where they are not taken together, nothing goes on with
    // another configuration than the one that is written.
    let config = Config::deserialize(Value::Table(leaves.good));
    let together = config.as_ref().err().map(|error| ConfigProblem {
        line: None,
        setting: String::new(),
        message: error.message().to_owned(),
    });
    leaves.problems.extend(together);
    (config.ok(), leaves.problems.into_iter().collect())
}

/// Characters of a key that are shown.
const KEY: usize = 80;

/// The key that stands there twice, where that is what is wrong with a text.
fn doubled(file: &str, error: &toml::de::Error) -> Option<String> {
    let is_key = error.message().contains("duplicate key");
    let key = file.get(error.span().filter(|_| is_key)?)?;
    Some(text::plain(key.trim(), KEY))
}

struct Leaves<'t> {
    text: &'t str,
    good: Table,
    problems: BTreeSet<ConfigProblem>,
}

/// Mistakes of one row that are told at most; what comes after them is told when they are mended.
const MOST_OF_A_ROW: usize = 32;

impl Leaves<'_> {
    fn walk(&mut self, table: &DeTable<'_>, path: &mut Vec<String>) {
        for (key, value) in table {
            path.push(key.get_ref().to_string());
            match value.get_ref() {
                DeValue::Table(inner) if !inner.is_empty() => self.walk(inner, path),
                DeValue::Array(items) if tables(items) => {
                    for item in items {
                        self.row(path, item.clone());
                    }
                }
                _ => self.leaf(path, value, key.span().start),
            }
            path.pop();
        }
    }

    fn leaf(&mut self, path: &[String], value: &Spanned<DeValue<'_>>, at: usize) {
        if names_nothing(path, value.get_ref()) {
            return self.note(
                at,
                path.join("."),
                "is empty: name a file, or leave the setting out",
            );
        }
        match alone(path, value) {
            Ok(()) => insert(&mut self.good, path, plain(value.get_ref())),
            Err(SettingRefused { message, span }) => {
                let way = span.map(|span| parts::way(value, &span)).unwrap_or_default();
                let said = words::told(&message, (value, &way), |other| of_reader(path, other));
                self.note(at, path.join("."), &said);
                if is_secret(value.get_ref(), &message) {
                    insert(&mut self.good, path, Value::String(UNREAD.to_owned()));
                }
            }
        }
    }

    /// A row of a list: all its mistakes are told, and the rest of it is taken, so that nothing
    /// else seems to be missing.
    fn row(&mut self, path: &[String], mut row: Spanned<DeValue<'_>>) {
        for _ in 0..MOST_OF_A_ROW {
            let list = listed(&row);
            let Err(SettingRefused { message, span }) = alone(path, &list) else {
                return insert(&mut self.good, path, plain(list.get_ref()));
            };
            let span = span.unwrap_or(row.span());
            let way = parts::way(&row, &span);
            let setting = path.join(".") + &parts::name(&row, &way);
            let at = if way.is_empty() { row.span().start } else { span.start };
            let said = words::told(&message, (&row, &way), |other| of_reader(path, &listed(other)));
            self.note(at, setting, &said);
            if !parts::mend(&mut row, &way, |value| is_secret(value, &message)) {
                return;
            }
        }
    }

    fn note(&mut self, at: usize, setting: String, message: &str) {
        let (line, message) = (Some(line(self.text, at)), message.to_owned());
        self.problems.insert(ConfigProblem { line, setting, message });
    }
}

/// How settings are called that name a file, or several.
const FILES: [&str; 4] = ["_file", "_files", "_anchors", "_intermediates"];

/// Whether a setting that is to name a file names none.
fn names_nothing(path: &[String], value: &DeValue<'_>) -> bool {
    let is_file = path.last().is_some_and(|name| FILES.iter().any(|end| name.ends_with(end)));
    is_file
        && match value {
            DeValue::String(text) => text.is_empty(),
            DeValue::Array(items) => items.iter().any(|one| names_nothing(path, one.get_ref())),
            _ => false,
        }
}

/// Why a value is not taken, and which part of it.
struct SettingRefused {
    message: String,
    span: Option<Range<usize>>,
}

/// A list with this row alone.
fn listed<'i>(row: &Spanned<DeValue<'i>>) -> Spanned<DeValue<'i>> {
    let one: DeArray<'_> = std::iter::once(row.clone()).collect();
    Spanned::new(row.span(), DeValue::Array(one))
}

/// Whether a value is taken at a path, in a configuration that is otherwise the default.
fn alone(path: &[String], value: &Spanned<DeValue<'_>>) -> Result<(), SettingRefused> {
    strange(value).map_or(Ok(()), Err)?;
    read_alone(path, value)?;
    let Some(way) = words::in_place_of_a_section(value, |other| of_reader(path, other)) else {
        return Ok(());
    };
    let mut value = value.clone();
    let span = parts::part_mut(&mut value, &way).map(|part| part.span());
    let message = "expected a table, which names its settings, found a list".to_owned();
    Err(SettingRefused { message, span })
}

/// What the reader says of a value at a path, where it does not take it.
fn of_reader(path: &[String], value: &Spanned<DeValue<'_>>) -> Option<String> {
    read_alone(path, value).err().map(|refused| refused.message)
}

/// The same without a look at what the reader takes and should not.
fn read_alone(path: &[String], value: &Spanned<DeValue<'_>>) -> Result<(), SettingRefused> {
    let span = value.span();
    let mut value = value.clone();
    for folder in path.iter().skip(1).rev() {
        let mut table = DeTable::new();
        table.insert(Spanned::new(span.clone(), folder.as_str().into()), value);
        value = Spanned::new(span.clone(), DeValue::Table(table));
    }
    let mut whole = DeTable::new();
    let first = path.first().map(String::as_str).unwrap_or_default();
    whole.insert(Spanned::new(span.clone(), first.into()), value);
    let text = toml::Deserializer::from(Spanned::new(span, whole));
    let taken = Config::deserialize(text).map(|_| ());
    taken
        .map_err(|error| SettingRefused { message: error.message().to_owned(), span: error.span() })
}

/// What TOML has and no setting takes: dates without quotes, and numbers beyond 64 bits.
fn strange(value: &Spanned<DeValue<'_>>) -> Option<SettingRefused> {
    let refused = |message| Some(SettingRefused { message, span: Some(value.span()) });
    match value.get_ref() {
        DeValue::Datetime(time) => {
            refused(format!("no setting is a date of TOML: write it in quotes, \"{time}\""))
        }
        DeValue::Integer(number) if integer(number).is_none() => {
            refused(format!("{number} is more than a setting may be, which is {}", i64::MAX))
        }
        DeValue::Array(items) => items.iter().find_map(strange),
        DeValue::Table(table) => table.values().find_map(strange),
        _ => None,
    }
}

/// A number as it is written: in digits, or as `0x`, `0o` or `0b`.
fn integer(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// Whether a value is a secret that cannot be read, by what was said of it.
fn is_secret(value: &DeValue<'_>, message: &str) -> bool {
    let DeValue::String(written) = value else { return false };
    ConfigSecret::resolve(written).is_err_and(|why| why == message)
}

fn tables(items: &[Spanned<DeValue<'_>>]) -> bool {
    !items.is_empty() && items.iter().all(|item| matches!(item.get_ref(), DeValue::Table(_)))
}

/// Puts a value at a path; tables of an array are appended to those already there.
fn insert(table: &mut Table, path: &[String], value: Value) {
    let Some((last, folders)) = path.split_last() else { return };
    let mut here = table;
    for folder in folders {
        let entry = here.entry(folder.clone()).or_insert_with(|| Value::Table(Table::new()));
        let Value::Table(inner) = entry else { return };
        here = inner;
    }
    match (here.get_mut(last), value) {
        (Some(Value::Array(items)), Value::Array(more)) => items.extend(more),
        (_, value) => {
            here.insert(last.clone(), value);
        }
    }
}

fn plain(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            integer(number).map_or_else(|| Value::String(number.to_string()), Value::Integer)
        }
        DeValue::Float(number) => number
            .to_string()
            .parse()
            .map_or_else(|_| Value::String(number.to_string()), Value::Float),
        DeValue::Boolean(yes) => Value::Boolean(*yes),
        DeValue::Datetime(time) => Value::Datetime(*time),
        DeValue::Array(items) => Value::Array(items.iter().map(|i| plain(i.get_ref())).collect()),
        DeValue::Table(table) => Value::Table(
            table.iter().map(|(k, v)| (k.get_ref().to_string(), plain(v.get_ref()))).collect(),
        ),
    }
}

fn line(text: &str, at: usize) -> usize {
    1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
}
