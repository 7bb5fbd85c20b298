//! Reading a TOML text so that all its mistakes come out at once: each setting is read by itself,
//! in a configuration that is otherwise the default, and what fails is noted with its line.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;
use toml::{Spanned, Table, Value, de::DeTable, de::DeValue};

use crate::config::{Config, ConfigSecret};

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
    #[error("{}: {length} bytes is more than a configuration file may have", path.display())]
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

/// Reads what can be read, and names the rest.
pub(super) fn read(text: &str) -> (Config, Vec<ConfigProblem>) {
    let (spanned, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let problem = |error: &toml::de::Error| ConfigProblem {
            line: error.span().map(|span| line(text, span.start)),
            setting: String::new(),
            message: error.message().to_owned(),
        };
        return (Config::default(), errors.iter().map(problem).collect());
    }
    let mut leaves = Leaves { text, good: Table::new(), problems: BTreeSet::new() };
    leaves.walk(spanned.get_ref(), &mut Vec::new());
    let config = Config::deserialize(Value::Table(leaves.good)).unwrap_or_default();
    (config, leaves.problems.into_iter().collect())
}

struct Leaves<'t> {
    text: &'t str,
    good: Table,
    problems: BTreeSet<ConfigProblem>,
}

impl Leaves<'_> {
    fn walk(&mut self, table: &DeTable<'_>, path: &mut Vec<String>) {
        for (key, value) in table {
            path.push(key.get_ref().to_string());
            match value.get_ref() {
                DeValue::Table(inner) if !inner.is_empty() => self.walk(inner, path),
                DeValue::Array(items) if tables(items) => {
                    for item in items {
                        let one = Value::Array(vec![plain(item.get_ref())]);
                        self.leaf(path, one, item.span().start);
                    }
                }
                leaf => self.leaf(path, plain(leaf), key.span().start),
            }
            path.pop();
        }
    }

    fn leaf(&mut self, path: &[String], value: Value, at: usize) {
        let mut alone = Table::new();
        insert(&mut alone, path, value.clone());
        match Config::deserialize(Value::Table(alone)) {
            Ok(_) => insert(&mut self.good, path, value),
            Err(error) => {
                let mut setting = path.join(".");
                let message = error.message().to_owned();
                if let Some(place) = secret(&value, &message) {
                    setting.push_str(&place);
                }
                let line = Some(line(self.text, at));
                self.problems.insert(ConfigProblem { line, setting, message });
            }
        }
    }
}

/// Where in a table or list the secret is that could not be read: `, clients "erp", secret`.
fn secret(value: &Value, message: &str) -> Option<String> {
    match value {
        Value::Array(items) => items.iter().find_map(|item| secret(item, message)),
        Value::Table(table) => {
            let id = table.get("id").and_then(Value::as_str);
            let id = id.map(|id| format!(" {id:?}")).unwrap_or_default();
            table.iter().find_map(|(key, inner)| {
                let is_it = match inner {
                    Value::String(written) => {
                        ConfigSecret::resolve(written).is_err_and(|why| why == message)
                    }
                    _ => false,
                };
                let place = if is_it { String::new() } else { secret(inner, message)? };
                Some(format!("{id}, {key}{place}"))
            })
        }
        _ => None,
    }
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
        DeValue::Integer(number) => number
            .to_string()
            .parse()
            .map_or_else(|_| Value::String(number.to_string()), Value::Integer),
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
