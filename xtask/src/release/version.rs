//! What a release is called: a month (`2026-11`) or a number (`1.3.17`), where a publisher has
//! several kinds of releases behind the name of the kind (`my-1.4.0`).

use std::fmt;

/// The name of a release, in parts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd)]
pub struct Version {
    /// The kind; empty where there is no name before the number.
    line: String,
    /// Whether it is a month.
    is_month: bool,
    /// The numbers, as they are compared.
    numbers: Vec<u32>,
    /// The number as written: `1.09.2`.
    written: String,
}

impl Version {
    /// Reads a name.
    ///
    /// # Errors
    /// A sentence that says what a name looks like.
    pub fn parse(name: &str) -> Result<Version, String> {
        let fault = || {
            format!(
                "{name:?} is no version: a month such as 2026-11, a number such as 1.3.17, or a \
                 kind and a number such as my-1.4.0"
            )
        };
        let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase());
        let (line, written) = match name.split_once('-') {
            Some((line, rest)) if is_word(line) => (line, rest),
            _ => ("", name),
        };
        let is_month = written.len() == 7 && written.as_bytes().get(4) == Some(&b'-');
        let sign = if is_month { '-' } else { '.' };
        let number = |part: &str| {
            let is_number =
                (1..=5).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit());
            is_number.then(|| part.parse::<u32>().ok()).flatten()
        };
        let numbers: Option<Vec<u32>> = written.split(sign).map(number).collect();
        let numbers = numbers.ok_or_else(fault)?;
        let is_right = match numbers.as_slice() {
            [year, month] if is_month => *year >= 2000 && (1..=12).contains(month),
            numbers => !is_month && numbers.len() >= 2,
        };
        let (line, written) = (line.to_owned(), written.to_owned());
        if is_right { Ok(Version { line, is_month, numbers, written }) } else { Err(fault()) }
    }

    /// Whether another is a release of the same kind.
    pub fn is_like(&self, other: &Version) -> bool {
        self.line == other.line && self.is_month == other.is_month
    }

    /// The number in coordinates: `2026.5`, `1.09.2`.
    pub fn number(&self) -> String {
        match self.numbers.as_slice() {
            [year, month] if self.is_month => format!("{year}.{month}"),
            _ => self.written.clone(),
        }
    }

    /// The name of its module: `r2026_11`, `my_1_4_0`.
    pub fn module(&self) -> String {
        let number = self.written.replace(['.', '-'], "_");
        if self.line.is_empty() { format!("r{number}") } else { format!("{}_{number}", self.line) }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.line.is_empty() { "" } else { "-" };
        write!(f, "{}{sign}{}", self.line, self.written)
    }
}
