//! Writes the lists as text: what is known about each, and its codes in order.
//!
//! A line begins where the first character of a code changes, so that a code that is added changes
//! a line or two and not the rest of its list.

use std::fmt::Write as _;

use super::{List, Lists, MARK};

/// Characters of a line at most.
const WIDTH: usize = 100;
/// How a code is written that has no characters.
const EMPTY: &str = "''";

const HEAD: &str = "\
# The code lists of all releases; `model::codes` reads them when a code is first looked up.
# = key, name, title, agency and version as far as they are known, releases, and the codes.
";

/// All lists.
///
/// # Errors
/// Where a code or a name could not be read again.
pub fn text(lists: &Lists) -> Result<String, String> {
    let mut out = format!("{}{HEAD}", MARK.replace("//", "#"));
    for list in &lists.lists {
        let family = lists.families.get(&list.name).cloned().unwrap_or_default();
        let _ = writeln!(out, "\n= {}", list.key);
        let facts = [
            ("name", &list.name),
            ("title", &family.title),
            ("agency", &family.agency),
            ("version", &list.version),
        ];
        for (fact, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
            if value.lines().count() > 1 || value.trim() != value {
                return Err(format!("{}: {fact} {value:?} is no line", list.key));
            }
            let _ = writeln!(out, "{fact} {value}");
        }
        let mut line = Line::new("releases ");
        list.releases.iter().for_each(|release| line.word(release, false, &mut out));
        line.end(&mut out);
        codes(list, &mut out)?;
    }
    Ok(out)
}

fn codes(list: &List, out: &mut String) -> Result<(), String> {
    let mut line = Line::new("  ");
    let mut first = None;
    for code in &list.codes {
        if code.contains(char::is_whitespace) || code == EMPTY {
            return Err(format!("{}: {code:?} cannot be written as a word", list.key));
        }
        let begins = code.chars().next();
        line.word(if code.is_empty() { EMPTY } else { code }, begins != first, out);
        first = begins;
    }
    line.end(out);
    Ok(())
}

/// Words that are wrapped, each line behind the same beginning.
struct Line {
    start: &'static str,
    text: String,
}

impl Line {
    fn new(start: &'static str) -> Line {
        Line { start, text: String::new() }
    }

    fn word(&mut self, word: &str, is_new: bool, out: &mut String) {
        let signs = |text: &str| text.chars().count();
        if is_new || signs(self.start) + signs(&self.text) + signs(word) + 1 > WIDTH {
            self.end(out);
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    fn end(&mut self, out: &mut String) {
        if !self.text.is_empty() {
            let _ = writeln!(out, "{}{}", self.start, self.text);
            self.text.clear();
        }
    }
}
