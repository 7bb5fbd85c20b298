//! Texts of documents: without the white space around them, read as a day, cut to a length.

use std::borrow::Cow;

use jiff::civil::Date;
use quoin_xml::tree::Element;

/// What takes no room or changes the order of what stands beside it (general category Cf of Unicode
/// 16, separators of lines and paragraphs, and letters that are blank).
const INVISIBLE: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e007f}'),
];

/// Characters of an offending value, of a namespace and of one name in an XPath that a report
/// repeats at most. Without it one long name, shared by many elements, would fill the memory.
pub const MAX_VALUE: usize = 200;

/// The white space of XML.
pub const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The text of an element without the white space around it.
pub fn trimmed(element: Element<'_>) -> Cow<'_, str> {
    match element.text() {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(SPACE)),
        Cow::Owned(text) => Cow::Owned(text.trim_matches(SPACE).to_owned()),
    }
}

/// An `xs:date` without time zone: exactly `YYYY-MM-DD`, and a day of the calendar.
pub fn date(text: &str) -> Option<Date> {
    let shape = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    if text.len() != 10 || !text.bytes().enumerate().all(shape) {
        return None;
    }
    text.parse().ok()
}

/// An `xs:date`, with or without a time zone (XML Schema part 2, section 3.2.9).
pub fn zoned_date(text: &str) -> Option<Date> {
    let (day, zone) = text.split_at_checked(10)?;
    let is_offset = |zone: &str| {
        let digits = |at: usize| zone.get(at..at + 2).and_then(|text| text.parse::<u8>().ok());
        let plain = zone.len() == 6 && zone.starts_with(['+', '-']) && zone.get(3..4) == Some(":");
        match (digits(1), digits(4)) {
            (Some(14), Some(0)) => plain,
            (Some(0..=13), Some(0..=59)) => plain,
            _ => false,
        }
    };
    (zone.is_empty() || zone == "Z" || is_offset(zone)).then(|| date(day)).flatten()
}

/// A text cut to [`MAX_VALUE`] characters, with an ellipsis where something is missing.
pub fn shortened(text: &str) -> Cow<'_, str> {
    cut(text, MAX_VALUE)
}

/// A text cut to a number of characters, with an ellipsis where something is missing.
pub fn cut(text: &str, characters: usize) -> Cow<'_, str> {
    // No text has more characters than bytes.
    if text.len() <= characters {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(characters) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// A text in quotes as people are shown it: at most so many characters of it, then an ellipsis;
/// what cannot be seen is escaped. (The precision of a format, `{:.40?}`, cuts no text.)
pub fn quoted(text: impl AsRef<str>, most: usize) -> String {
    format!("{:?}", cut(text.as_ref(), most))
}

/// Words of a stranger as people are shown them: at most so many characters, each of which
/// [`is_plain`] or is a blank.
pub fn plain(words: &str, most: usize) -> String {
    words.chars().take(most).map(|c| if is_plain(c) { c } else { ' ' }).collect()
}

/// Whether a character stays where it is: no control character, no separator of lines or
/// paragraphs, none that turns the direction of writing (Unicode UAX 9, section 2).
pub fn is_plain(c: char) -> bool {
    let turns = matches!(c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}

/// Whether a character of a name that people give can be seen, so that no two names look the same
/// for having nothing between their letters, and none is read in another order than it is written:
/// neither control nor invisible.
pub fn is_seen(c: char) -> bool {
    !(c.is_control() || INVISIBLE.iter().any(|(from, to)| (*from..=*to).contains(&c)))
}

/// The characters that XML 1.0 allows; the others cannot be written at all.
pub fn allowed(text: &str) -> String {
    text.chars().filter(|c| is_allowed(*c)).collect()
}

/// Whether XML 1.0 allows a character (section 2.2, `Char`).
pub fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_short_however_long_it_is() {
        assert_eq!(quoted("a\u{ad}\"b", 40), "\"a\\u{ad}\\\"b\"");
        assert_eq!(quoted("x".repeat(1_000_000), 3), "\"xxx…\"");
    }

    #[test]
    fn words_of_a_stranger_stand_in_one_line_from_left_to_right() {
        assert_eq!(plain("no\r\n\u{1b}[2Jroom\u{202e}, ש\u{200f}", 100), "no   [2Jroom , ש ");
        assert_eq!(plain("ééé", 2), "éé");
        for turns in ['\u{61c}', '\u{200e}', '\u{2028}', '\u{2066}', '\u{2069}', '\u{85}', '\0'] {
            assert!(!is_plain(turns), "{turns:?}");
        }
    }
}
