//! The shape of a migration key (SML 1.3.0, section 3.1): long enough and of enough kinds of
//! characters that nobody guesses it.

/// Characters of a key.
pub const MIGRATION_KEY_LENGTH: std::ops::RangeInclusive<usize> = 8..=24;
/// The characters besides letters and digits that a key may have.
pub const MIGRATION_KEY_SIGNS: &str = "@#$%()[]{}*^-!~|+=";
/// Characters of each kind at least: small letters, capital letters, digits, signs.
const OF_EACH: usize = 2;

/// A text that is no migration key. It does not repeat the text, which may be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefusal {
    /// Too short or too long.
    #[error("a migration key has 8 to 24 characters, this one has {0}")]
    Length(usize),
    /// A character that no key has.
    #[error("a migration key has letters, digits and {MIGRATION_KEY_SIGNS} only, found {0:?}")]
    Character(char),
    /// A kind of which there are too few.
    #[error("a migration key has at least two {kind}, this one has {found}")]
    TooFew {
        /// The kind.
        kind: &'static str,
        /// How many there are.
        found: usize,
    },
}

/// Checks the shape of a migration key.
///
/// # Errors
/// [`KeyRefusal`] names the rule.
pub fn check_migration_key(key: &str) -> Result<(), KeyRefusal> {
    let length = key.chars().count();
    if !MIGRATION_KEY_LENGTH.contains(&length) {
        return Err(KeyRefusal::Length(length));
    }
    let sign = |c: char| MIGRATION_KEY_SIGNS.contains(c);
    if let Some(other) = key.chars().find(|c| !c.is_ascii_alphanumeric() && !sign(*c)) {
        return Err(KeyRefusal::Character(other));
    }
    let count = |kind: &dyn Fn(char) -> bool| key.chars().filter(|c| kind(*c)).count();
    for (kind, found) in [
        ("small letters", count(&|c| c.is_ascii_lowercase())),
        ("capital letters", count(&|c| c.is_ascii_uppercase())),
        ("digits", count(&|c| c.is_ascii_digit())),
        ("signs", count(&sign)),
    ] {
        if found < OF_EACH {
            return Err(KeyRefusal::TooFew { kind, found });
        }
    }
    Ok(())
}
