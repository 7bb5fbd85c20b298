//! Names that people give: each of their characters can be seen, so that no two look the same for
//! having nothing between their letters, and none is read in another order than it is written.

use quoin_model::text::is_seen;

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
    name.chars().all(is_seen)
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
