//! What the environment sets of a bench.

use std::str::FromStr;

/// The value of a variable, or the usual one where it is not set or cannot be read.
pub(super) fn setting<T: FromStr>(name: &str, usual: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
