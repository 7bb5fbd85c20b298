//! Text of a document made harmless: no control characters, nothing that turns the direction of
//! what follows, and no more than a reader can want to see.

use std::borrow::Cow;

use crate::words::PageWord;
use quoin_model::Language;

/// Characters of one text that a page shows. What is longer is cut with a sentence that says so.
pub const MAX_TEXT: usize = 20_000;

/// A text as a page shows it: characters that cannot be seen, and those that turn the direction of
/// the text around them (Unicode UAX 9, explicit formatting), are written as their number; a very
/// long text is cut, and says so.
pub(crate) fn harmless(text: &str, language: Language) -> String {
    let kept = match text.char_indices().nth(MAX_TEXT) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            let all = text.chars().count();
            let word = PageWord::Shortened.text(language);
            Cow::Owned(format!("{start} … [{word}: {all}]"))
        }
    };
    if kept.chars().all(|one| !is_odd(one)) {
        return kept.into_owned();
    }
    let mut shown = String::with_capacity(kept.len());
    for one in kept.chars() {
        match one {
            '\r' => {}
            one if is_odd(one) => shown.push_str(&format!("[U+{:04X}]", u32::from(one))),
            one => shown.push(one),
        }
    }
    shown
}

/// Whether a character cannot be seen, or turns the direction of others.
pub(crate) fn is_odd(one: char) -> bool {
    matches!(one,
        '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
        | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_as_its_number() {
        let shown = harmless("a\u{202e}b\u{0007}c\u{200b}\r\nd", Language::En);
        assert_eq!(shown, "a[U+202E]b[U+0007]c[U+200B]\nd");
        assert_eq!(harmless("Żółć 日本 שלום", Language::En), "Żółć 日本 שלום");
    }

    #[test]
    fn an_endless_text_is_cut_and_says_so() {
        let shown = harmless(&"x".repeat(MAX_TEXT + 5), Language::De);
        assert!(shown.ends_with(&format!("[{}: 20005]", PageWord::Shortened.text(Language::De))));
    }
}
