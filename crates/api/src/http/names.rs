//! Names that people give: each of their characters can be seen, so that no two look the same for
//! having nothing between their letters, and none is read in another order than it is written.

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

/// Characters of the name of an account at most.
pub(crate) const NAME: usize = 128;

/// Whether an account may have this name: it can stand in a path and in the form of a token
/// request. It is the same for one that signs in at another issuer.
pub(crate) fn is_account(name: &str) -> bool {
    let fits = (1..=NAME).contains(&name.chars().count()) && name.trim() == name;
    fits && !name.contains('/') && is_visible(name) && !matches!(name, "." | "..")
}

/// Whether every character of a name can be seen.
pub(crate) fn is_visible(name: &str) -> bool {
    let hidden = |c: char| INVISIBLE.iter().any(|(from, to)| (*from..=*to).contains(&c));
    !name.chars().any(|c| c.is_control() || hidden(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_in_no_name() {
        for name in ["alice@example.org", "Zoë Müller-Łęcka", "会社 名", "محمد", "ERP 2", "🙂"]
        {
            assert!(is_visible(name), "{name}");
        }
        for hidden in ['\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{ad}', '\u{e0041}', '\n']
        {
            assert!(!is_visible(&format!("al{hidden}ice")), "{hidden:?}");
        }
    }
}
