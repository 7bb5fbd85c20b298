//! Texts that are hidden however their letters are written: as they are, as entities of XML and
//! HTML, percent-encoded, or escaped as in JSON; one of these alone or all of them mixed. A text is
//! read once for each, whatever stands in it.

use std::ops::Range;

/// What stands for what is hidden.
const HIDDEN: &str = "***";
/// Bytes of an entity.
const ENTITY: usize = 16;
/// Bytes of a beginning that is hidden at the end of a text that is not whole; fewer are in any
/// text.
const BEGINNING: usize = 6;

/// How the letters of a text may be written.
#[derive(Clone, Copy)]
struct LetterSpelling {
    /// `&amp;`.
    entities: bool,
    /// `%26`, and `+` for a blank.
    percent: bool,
    /// `\u0026`.
    escapes: bool,
}

const SPELLINGS: [LetterSpelling; 5] = [
    LetterSpelling { entities: false, percent: false, escapes: false },
    LetterSpelling { entities: true, percent: false, escapes: false },
    LetterSpelling { entities: false, percent: true, escapes: false },
    LetterSpelling { entities: false, percent: false, escapes: true },
    LetterSpelling { entities: true, percent: true, escapes: true },
];

/// A text without any of the others, which are not empty; of one that is not whole, without what
/// may be the beginning of one of them at its end.
pub(super) fn hidden(text: &str, forms: &[String], is_cut: bool) -> String {
    let mut found: Vec<Range<usize>> = Vec::new();
    for spelling in SPELLINGS {
        let read = SpelledText::read(text, spelling);
        found.extend(forms.iter().flat_map(|form| read.places_of(form)));
        if is_cut {
            found.extend(forms.iter().filter_map(|form| read.beginning_of(form)));
        }
    }
    // Where two begin at the same place the longer one comes first.
    found.sort_unstable_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
    let mut out = String::with_capacity(text.len());
    let mut until = 0;
    for place in found {
        if place.start >= until {
            out.push_str(text.get(until..place.start).unwrap_or_default());
            out.push_str(HIDDEN);
        }
        until = until.max(place.end);
    }
    out.push_str(text.get(until..).unwrap_or_default());
    out
}

/// A text as it is meant.
struct SpelledText {
    spelling: LetterSpelling,
    /// Its letters.
    letters: String,
    /// Where each byte of them is written, and where the text ends.
    places: Vec<usize>,
}

impl SpelledText {
    fn read(text: &str, spelling: LetterSpelling) -> SpelledText {
        let mut letters = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len() + 1);
        let mut left = text;
        while let Some(first) = left.chars().next() {
            let (letter, rest) = spelling
                .letter(left)
                .unwrap_or_else(|| (first, left.strip_prefix(first).unwrap_or_default()));
            letters.push(spelling.meant(letter));
            places.resize(letters.len(), text.len() - left.len());
            left = rest;
        }
        places.push(text.len());
        SpelledText { spelling, letters, places }
    }

    /// Where a form is written.
    fn places_of(&self, form: &str) -> Vec<Range<usize>> {
        let form = self.spelling.all_meant(form);
        let place = |(at, found): (usize, &str)| {
            Some(*self.places.get(at)?..*self.places.get(at + found.len())?)
        };
        self.letters.match_indices(&form).filter_map(place).collect()
    }

    /// Where the text ends with the longest beginning of a form.
    fn beginning_of(&self, form: &str) -> Option<Range<usize>> {
        let form = self.spelling.all_meant(form);
        let form = form.as_bytes();
        let begins = |end: &usize| {
            let text = self.letters.as_bytes().get(..*end).unwrap_or_default();
            let tail = text.get(end.saturating_sub(form.len())..).unwrap_or_default();
            let longest = longest_beginning(form, tail);
            (longest >= BEGINNING).then(|| end - longest)
        };
        let begin = self.spelling.ends_of(&self.letters).iter().filter_map(begins).min()?;
        Some(*self.places.get(begin)?..*self.places.last()?)
    }
}

/// How many bytes the longest beginning of a form has with which a text ends (Knuth, Morris and
/// Pratt: each byte is looked at once or twice).
fn longest_beginning(form: &[u8], text: &[u8]) -> usize {
    let mut falls: Vec<usize> = Vec::with_capacity(form.len());
    let step = |falls: &[usize], mut matched: usize, byte: u8| loop {
        match form.get(matched) {
            Some(next) if *next == byte => break matched + 1,
            _ if matched == 0 => break 0,
            _ => matched = falls.get(matched - 1).copied().unwrap_or_default(),
        }
    };
    for (place, byte) in form.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| falls.get(before).copied());
        let matched = before.map_or(0, |before| step(&falls, before, *byte));
        falls.push(matched);
    }
    text.iter().fold(0, |matched, byte| step(&falls, matched, *byte))
}

impl LetterSpelling {
    /// A text with each letter as what it counts as.
    fn all_meant(self, text: &str) -> String {
        text.chars().map(|letter| self.meant(letter)).collect()
    }

    /// Where the last whole letter of a text may end that is not whole: a letter that is written
    /// in several may lack some of them.
    fn ends_of(self, letters: &str) -> Vec<usize> {
        let letters = letters.trim_end_matches('\u{fffd}').as_bytes();
        let begins = |byte: u8| match byte {
            b'&' => self.entities,
            b'%' => self.percent,
            b'\\' => self.escapes,
            _ => false,
        };
        let tail = letters.iter().enumerate().rev().take(ENTITY);
        let unfinished = tail.filter(|(_, byte)| begins(**byte)).map(|(place, _)| place);
        unfinished.chain([letters.len()]).collect()
    }

    /// What a letter counts as: where `+` may stand for a blank, both are the same.
    fn meant(self, letter: char) -> char {
        if self.percent && letter == '+' { ' ' } else { letter }
    }

    /// The letter that is written in this way at the beginning of a text, and what follows it.
    fn letter(self, text: &str) -> Option<(char, &str)> {
        match text.bytes().next()? {
            b'&' if self.entities => entity(text),
            b'%' if self.percent => percent(text),
            b'\\' if self.escapes => escape(text),
            _ => None,
        }
    }
}

/// `&amp;`, `&#38;`, `&#x26;`.
fn entity(text: &str) -> Option<(char, &str)> {
    let end = text.bytes().take(ENTITY).position(|byte| byte == b';')?;
    let (name, rest) = text.strip_prefix('&')?.split_at_checked(end.checked_sub(1)?)?;
    let letter = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((letter, rest.strip_prefix(';')?))
}

/// `%26`, of each byte in UTF-8.
fn percent(text: &str) -> Option<(char, &str)> {
    let mut bytes = Vec::with_capacity(4);
    let mut left = text;
    while bytes.len() < 4 {
        let (code, rest) = left.strip_prefix('%')?.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        left = rest;
        if let Ok(letter) = std::str::from_utf8(&bytes) {
            return Some((letter.chars().next()?, left));
        }
    }
    None
}

/// `\/`, `\u0026`, of each unit in UTF-16.
fn escape(text: &str) -> Option<(char, &str)> {
    let plain = text.strip_prefix('\\')?;
    let first = plain.chars().next()?;
    if first != 'u' {
        let is_escape = !first.is_alphanumeric();
        return is_escape.then_some((first, plain.strip_prefix(first)?));
    }
    let (one, rest) = unit(text)?;
    if let Some(letter) = char::from_u32(one.into()) {
        return Some((letter, rest));
    }
    let (other, rest) = unit(rest)?;
    Some((char::decode_utf16([one, other]).next()?.ok()?, rest))
}

fn unit(text: &str) -> Option<(u16, &str)> {
    let (code, rest) = text.strip_prefix("\\u")?.split_at_checked(4)?;
    Some((u16::from_str_radix(code, 16).ok()?, rest))
}
