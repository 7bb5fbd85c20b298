//! Texts in the types of FatturaPA: a length, and Basic Latin or Latin-1.

use std::borrow::Cow;

use quoin_model::en16931::{Field, ValueSource, ValueType};

pub(super) use super::latin::letters;
use crate::writing::InvoiceOutput;

/// Why an identifier is lost.
const NO_FORM: &str =
    "it is longer than the target allows, or has other characters or another form";
/// Why a text is lost.
pub(super) const NOT_LATIN: &str =
    "most of its letters are of another script, and the target has the characters of Latin-1 only";
/// Why a text is another.
pub(super) const REWRITTEN: &str =
    "the target has the characters of Latin-1 only, and a greatest length";

/// Whether a text is of Basic Latin and has between 1 and `most` characters.
pub(super) fn is_code(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// A text in Latin-1, with single blanks for white space, cut at `most` characters; `None` where
/// most of it is of another script, or nothing is left.
pub(super) fn latin(text: &str, most: usize) -> Option<String> {
    let whole = letters(text)?;
    let cut: String = whole.chars().take(most).collect();
    let cut = cut.trim().to_owned();
    (!cut.is_empty()).then_some(cut)
}

/// Writes an identifier or a code: as it is, or not at all. Whether it is written.
pub(super) fn code<'d, T: ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<T>,
    most: usize,
) -> bool {
    field.filled().is_some_and(|value| one_code(out, name, value.source(), most))
}

/// As [`code`], of one value.
pub(super) fn one_code<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
    most: usize,
) -> bool {
    code_that(out, name, source, |text| is_code(text, most))
}

/// Writes an identifier or a code that has a form: as it is, or not at all. Whether it is written.
pub(super) fn code_that<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
    fits: impl FnOnce(&str) -> bool,
) -> bool {
    let words = out.words(source);
    if !fits(&words) {
        out.lost(source, NO_FORM);
        return false;
    }
    out.kept(name, &words, source);
    true
}

/// Writes a text, cut and in other letters where it must be. Whether it is written.
pub(super) fn free<'d, T: ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<T>,
    most: usize,
) -> bool {
    field.filled().is_some_and(|value| one_free(out, name, value.source(), most))
}

/// As [`free`], of one value.
pub(super) fn one_free<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
    most: usize,
) -> bool {
    let words: Cow<'d, str> = out.words(source);
    match latin(&words, most) {
        Some(text) => {
            out.fitted(name, &text, source, REWRITTEN);
            true
        }
        None => {
            out.lost(source, NOT_LATIN);
            false
        }
    }
}

/// A text in pieces of at most `most` characters, cut at blanks where there are any.
pub(super) fn pieces(text: &str, most: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut own = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        let mut rest = word;
        let wanted = rest.chars().count() + usize::from(length > 0);
        if length > 0 && length + wanted > most {
            pieces.push(std::mem::take(&mut own));
            length = 0;
        }
        if length > 0 {
            own.push(' ');
            length += 1;
        }
        while let Some((at, _)) = rest.char_indices().nth(most) {
            let (head, tail) = rest.split_at(at);
            pieces.push(head.to_owned());
            rest = tail;
        }
        own.push_str(rest);
        length += rest.chars().count();
    }
    if !own.is_empty() {
        pieces.push(own);
    }
    pieces
}
