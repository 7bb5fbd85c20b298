//! Yes and no in a query, as clients of this interface family write them: `true` in any case, or
//! `1`.

use quoin_model::text::quoted;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Yes or no; `None` for anything else.
pub(super) fn read(text: &str) -> Option<bool> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ if is("true") => Some(true),
        _ if is("false") => Some(false),
        _ => None,
    }
}

/// For parameters that may be left out.
pub(super) fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    let text = String::deserialize(from)?;
    let wrong =
        || D::Error::custom(format!("{text} is neither true nor false", text = quoted(&text, 20)));
    read(&text).map(Some).ok_or_else(wrong)
}

/// For parameters that are `false` where they are left out.
pub(super) fn given<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(optional(from)?.unwrap_or_default())
}
