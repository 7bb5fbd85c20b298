//! What all identifiers share as text: length and character checks, and serde by `Display` and
//! `FromStr`.

use super::IdentifierError;

/// Checks that `text` has 1 to `limit` characters, all of which pass `good`, which passes ASCII
/// characters only.
pub(super) fn checked(
    what: &'static str,
    text: &str,
    limit: usize,
    allowed: &'static str,
    good: impl Fn(char) -> bool,
) -> Result<(), IdentifierError> {
    // Bytes first: good text is ASCII, and every message brings a handful of identifiers.
    if !text.bytes().all(|byte| byte.is_ascii() && good(char::from(byte))) {
        let bad = text.chars().enumerate().find(|(_, character)| !good(*character));
        if let Some((index, character)) = bad {
            return Err(IdentifierError::Character { what, character, index: index + 1, allowed });
        }
    }
    let length = text.len();
    if length == 0 || length > limit {
        return Err(IdentifierError::Length { what, length, limit });
    }
    Ok(())
}

/// Gives a type that has `Display` and `FromStr` its serde form: the text, checked on the way in.
macro_rules! serde_as_text {
    ($($name:ty),+ $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}
pub(super) use serde_as_text;
