//! `null` in a body: what is `null` is not given.

use serde::{Deserialize, Deserializer};

/// For members that may be left out: `null` is the same.
///
/// # Errors
/// Those of the member.
pub fn null_is_default<'de, D: Deserializer<'de>, T>(from: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}
