//! Text put into XML and HTML.

use std::fmt::{self, Write};

/// A text with the five characters of markup replaced, and those that XML 1.0 does not allow
/// (section 2.2) shown as U+FFFD. Fits element content and quoted attribute values.
pub(super) struct EscapedText<'t>(pub &'t str);

impl fmt::Display for EscapedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(is_special) {
            let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
            f.write_str(plain)?;
            let mut characters = tail.chars();
            match characters.next() {
                Some('&') => f.write_str("&amp;")?,
                Some('<') => f.write_str("&lt;")?,
                Some('>') => f.write_str("&gt;")?,
                Some('"') => f.write_str("&quot;")?,
                Some('\'') => f.write_str("&#39;")?,
                Some(_) => f.write_char('\u{fffd}')?,
                None => {}
            }
            rest = characters.as_str();
        }
        f.write_str(rest)
    }
}

fn is_special(c: char) -> bool {
    let control = c < ' ' && !matches!(c, '\t' | '\n' | '\r');
    matches!(c, '&' | '<' | '>' | '"' | '\'' | '\u{fffe}' | '\u{ffff}') || control
}
