//! The condition under which a hook wants an event (conventions A9): comparisons of details with
//! texts, joined by `&&` and `||`, such as `sender == "0106:12345678" && attempt != "1"`.

use std::collections::BTreeMap;
use std::str::FromStr;

use quoin_identity::distance;

use crate::details::{self, Compared, DETAILS};
use crate::topics::{FALLBACK, Topic, TopicPattern};

/// The longest filter we take, in bytes.
pub const FILTER_LIMIT: usize = 1_000;

/// What is known of a document when its channel is chosen.
pub const CHOSEN_BY: &[&str] =
    &["sender", "recipient", "id", "documentTypeId", "documentId", "topic"];
/// How the topics begin that ask for a document to be sent.
const SENDS: &str = "Send";

/// A filter, read and ready. `&&` binds tighter than `||`; there are no brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    text: String,
    any_of: Vec<Vec<FilterComparison>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FilterComparison {
    name: String,
    equal: bool,
    value: String,
}

/// A filter that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the filter has {found} at byte {at}, expected {expected}; an example: {EXAMPLE}")]
pub struct FilterError {
    /// Where, in bytes from the start.
    pub at: usize,
    /// What should stand there.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

/// A filter that can be read, and cannot do what it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterProblem {
    /// No event has a field of this name.
    #[error("the filter compares {name:?}, which no event has; {hint}")]
    Name {
        /// The name.
        name: String,
        /// What was probably meant, or all names.
        hint: String,
    },
    /// The field is never equal to that.
    #[error("the filter compares {name} with {value:?}, which it never is: expected {expected}")]
    Value {
        /// The name.
        name: String,
        /// What it is compared with.
        value: String,
        /// What it can be compared with.
        expected: String,
    },
    /// It compares the topic with one that the hook does not hear.
    #[error(
        "the filter compares topic with {value:?}, which the hook does not listen to: its topics \
         are {topics}"
    )]
    Unheard {
        /// What it is compared with.
        value: String,
        /// What the hook listens to.
        topics: String,
    },
    /// A channel does not ask for it.
    #[error(
        "the filter compares {name}, which is not known of a document that is to be sent; a \
         channel is chosen by {}",
        CHOSEN_BY.join(", ")
    )]
    Unasked {
        /// The name.
        name: String,
    },
    /// It has to be two things at once.
    #[error("the filter wants {name} to be two things at once, so that it takes nothing")]
    Never {
        /// The name.
        name: String,
    },
}

impl FilterComparison {
    fn check(&self) -> Result<(), FilterProblem> {
        let name = self.name.clone();
        let Some(row) = details::named(&name) else {
            let hint = hint(&name);
            return Err(FilterProblem::Name { name, hint });
        };
        let value = self.value.clone();
        let wrong = |expected| FilterProblem::Value { name, value, expected };
        row.compared.check(&self.value).map_err(wrong)
    }
}

/// What was probably meant by a name.
fn hint(name: &str) -> String {
    let mut near: Vec<(usize, &str)> = DETAILS
        .iter()
        .filter_map(|row| Some((distance(name, row.name).filter(|far| *far <= 2)?, row.name)))
        .collect();
    near.sort_unstable();
    match near.first() {
        Some((_, meant)) => format!("did you mean {meant}?"),
        None => {
            let all: Vec<&str> = DETAILS.iter().map(|row| row.name).collect();
            format!("events have {}", all.join(", "))
        }
    }
}

/// The name that has to be two different things for all of these to hold.
fn contradiction(all: &[FilterComparison]) -> Option<&str> {
    all.iter().enumerate().find_map(|(place, one)| {
        let row = details::named(&one.name)?;
        let other = |other: &&FilterComparison| other.name.eq_ignore_ascii_case(&one.name);
        all.iter().take(place).filter(other).find_map(|other| {
            let equal = row.compared.equal(&one.value, &other.value);
            let never = match (one.equal, other.equal) {
                (true, true) => !equal,
                (false, false) => false,
                _ => equal,
            };
            never.then_some(row.name)
        })
    })
}

const EXAMPLE: &str = r#"sender == "0106:12345678" && recipient != "0106:87654321""#;

impl Filter {
    /// Whether an event with these details is wanted. A name that the event does not have compares
    /// as the empty text; participants and document types are compared as such.
    pub fn wants(&self, details: &BTreeMap<String, String>) -> bool {
        let holds = |c: &FilterComparison| {
            let row = details::named(&c.name);
            let name = row.map_or(c.name.as_str(), |row| row.name);
            let found = details.get(name).or_else(|| details.get(row?.also?));
            let compared = row.map_or(Compared::Text, |row| row.compared);
            compared.equal(found.map(String::as_str).unwrap_or_default(), &c.value) == c.equal
        };
        self.any_of.iter().any(|all| all.iter().all(holds))
    }

    /// Whether it can ever do what it says: its names are known, each is compared with something
    /// that it can be, and no alternative contradicts itself. Filters that were taken before this
    /// was asked go on working.
    ///
    /// # Errors
    /// [`FilterProblem`].
    pub fn check(&self) -> Result<(), FilterProblem> {
        for comparison in self.any_of.iter().flatten() {
            comparison.check()?;
        }
        let never = self.any_of.iter().find_map(|all| contradiction(all));
        never.map_or(Ok(()), |name| Err(FilterProblem::Never { name: name.to_owned() }))
    }

    /// Whether the hook that has it ever hears what it asks for: a topic that is compared with is
    /// among those of the hook, and one that is used as a channel alone compares nothing that is
    /// known later.
    ///
    /// # Errors
    /// [`FilterProblem::Unheard`], [`FilterProblem::Unasked`].
    pub fn check_topics(&self, topics: &[TopicPattern]) -> Result<(), FilterProblem> {
        let is_channel = topics.iter().all(|own| own.as_str().starts_with(SENDS));
        for one in self.any_of.iter().flatten().filter(|one| one.equal) {
            let name = details::named(&one.name).map_or(one.name.as_str(), |row| row.name);
            let heard = |topic| topics.iter().any(|own| own.matches(topic));
            // What comes behind the network is asked for by the same topic.
            let behind = Topic::named(&format!("{}{FALLBACK}", one.value)).is_some_and(heard);
            let is_heard = behind || Topic::named(&one.value).is_none_or(heard);
            if name == "topic" && !is_heard {
                let topics: Vec<&str> = topics.iter().map(TopicPattern::as_str).collect();
                let topics = topics.join(", ");
                return Err(FilterProblem::Unheard { value: one.value.clone(), topics });
            }
            if is_channel && !CHOSEN_BY.contains(&name) {
                return Err(FilterProblem::Unasked { name: name.to_owned() });
            }
        }
        Ok(())
    }

    /// Whether it compares a field, by its name of the table.
    pub fn compares(&self, name: &str) -> bool {
        self.any_of.iter().flatten().any(|one| one.name.eq_ignore_ascii_case(name))
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Filter {
    type Err = FilterError;
    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let mut reader = FilterReader { text, at: 0 };
        if text.len() > FILTER_LIMIT {
            return Err(reader.wrong("at most 1000 bytes"));
        }
        let mut any_of = vec![vec![reader.comparison()?]];
        loop {
            if reader.takes("&&") {
                let next = reader.comparison()?;
                if let Some(all) = any_of.last_mut() {
                    all.push(next);
                }
            } else if reader.takes("||") {
                any_of.push(vec![reader.comparison()?]);
            } else if reader.rest().trim_start().is_empty() {
                return Ok(Filter { text: text.to_owned(), any_of });
            } else {
                return Err(reader.wrong("&&, || or the end"));
            }
        }
    }
}

struct FilterReader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> FilterReader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn comparison(&mut self) -> Result<FilterComparison, FilterError> {
        self.skip_space();
        let name = self.run(|c| c.is_ascii_alphanumeric(), "the name of a detail")?;
        let equal = self.takes("==");
        if !equal && !self.takes("!=") {
            return Err(self.wrong("== or !="));
        }
        if !self.takes("\"") {
            return Err(self.wrong("a text in double quotes"));
        }
        let (value, _) =
            self.rest().split_once('"').ok_or_else(|| self.wrong("a closing quote"))?;
        self.at += value.len() + 1;
        Ok(FilterComparison { name, equal, value: value.to_owned() })
    }

    fn run(&mut self, of: fn(char) -> bool, what: &'static str) -> Result<String, FilterError> {
        let rest = self.rest();
        let end = rest.find(|c| !of(c)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        if word.is_empty() {
            return Err(self.wrong(what));
        }
        self.at += end;
        Ok(word.to_owned())
    }

    fn wrong(&self, expected: &'static str) -> FilterError {
        let found: String = self.rest().chars().take(20).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("{found:?}") };
        FilterError { at: self.at, expected, found }
    }
}

#[cfg(test)]
mod tests;
