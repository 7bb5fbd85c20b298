//! An explanation for people who read a terminal.

use std::fmt::{self, Display, Formatter};

use super::words;
use super::{Explanation, RuleMeaning, SetRelease, Tested};
use quoin_model::vocabulary::{self, Word};

/// Columns of a terminal.
const WIDTH: usize = 100;
/// Columns of a label and the space before it.
const LABEL: usize = 14;
/// Places that are named at most.
const PLACES: usize = 6;

/// An explanation, written for a terminal.
#[derive(Debug, Clone, Copy)]
pub struct ExplanationText<'e>(pub &'e Explanation);

impl Display for ExplanationText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let told = self.0;
        let word = |word: Word| word.in_language(told.language);
        writeln!(f, "{}", told.id)?;
        for meaning in &told.meanings {
            self.meaning(f, meaning)?;
        }
        writeln!(f)?;
        for (number, term) in told.terms.iter().enumerate() {
            let label = if number == 0 { word(words::TERMS) } else { "" };
            row(f, label, &term.name)?;
        }
        row(f, word(vocabulary::TO_FIX), word(vocabulary::fix_by(told.fix_by)))?;
        if told.patch {
            row(f, word(words::PATCH), word(words::HAS_PATCH))?;
        }
        Ok(())
    }
}

impl ExplanationText<'_> {
    fn meaning(&self, f: &mut Formatter<'_>, meaning: &RuleMeaning) -> fmt::Result {
        let word = |word: Word| word.in_language(self.0.language);
        writeln!(f)?;
        let flag = word(vocabulary::flag(meaning.flag));
        wrap(f, 2, 2, &format!("{flag}: {}", meaning.asks))?;
        let example = meaning.example.iter();
        for (label, text) in example
            .flat_map(|own| [(words::RIGHT, &own.holds), (words::WRONG, &own.breaks)])
            .filter_map(|(label, text)| Some((label, text.as_ref()?)))
        {
            row(f, word(label), text)?;
        }
        meaning.tested.iter().try_for_each(|tested| self.tested(f, tested))
    }

    fn tested(&self, f: &mut Formatter<'_>, tested: &Tested) -> fmt::Result {
        let word = |word: Word| word.in_language(self.0.language);
        for (number, release) in tested.sets.iter().enumerate() {
            let label = if number == 0 { word(words::IN) } else { "" };
            row(f, label, &self.release(release))?;
        }
        for (number, place) in tested.places.iter().take(PLACES).enumerate() {
            row(f, if number == 0 { word(words::AT) } else { "" }, place)?;
        }
        if tested.places.len() > PLACES {
            let rest = (tested.places.len() - PLACES).to_string();
            row(f, "", &word(words::MORE).replace("{}", &rest))?;
        }
        Ok(())
    }

    fn release(&self, release: &SetRelease) -> String {
        let word = |word: Word| word.in_language(self.0.language);
        let mut text = release.coordinate.to_owned();
        if let Some(day) = release.from {
            text.push_str(&format!(" {} {day}", word(words::FROM)));
        }
        if let Some(day) = release.until {
            text.push_str(&format!(" {} {day}", word(words::UNTIL)));
        }
        text
    }
}

fn row(f: &mut Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    let used = 2 + label.chars().count();
    write!(f, "  {label}{:1$}", "", LABEL.saturating_sub(used).max(1))?;
    wrap(f, 0, LABEL, text)
}

/// Writes words in lines of at most [`WIDTH`] columns.
fn wrap(f: &mut Formatter<'_>, first: usize, indent: usize, text: &str) -> fmt::Result {
    write!(f, "{:first$}", "")?;
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            write!(f, "\n{:indent$}", "")?;
            column = indent;
        }
        if column > indent {
            write!(f, " ")?;
            column += 1;
        }
        write!(f, "{word}")?;
        column += length;
    }
    writeln!(f)
}
