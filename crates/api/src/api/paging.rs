//! How much of a list one answer holds, and of which period.

use std::fmt::Display;

use crate::http::{Problem, codes, sentences};

/// Items in a page, unless told otherwise and at most.
pub(super) const PAGE: (usize, usize) = (100, 500);

/// The number of items that a caller asks for.
///
/// # Errors
/// API400.Query where it is none, or more than a page can hold.
pub(super) fn size(asked: Option<usize>) -> Result<usize, Problem> {
    within(asked, PAGE)
}

/// The same for a list whose pages have another usual and another largest size.
///
/// # Errors
/// As [`size`].
pub(super) fn within(
    asked: Option<usize>,
    (usual, most): (usize, usize),
) -> Result<usize, Problem> {
    let limit = asked.unwrap_or(usual);
    if (1..=most).contains(&limit) {
        return Ok(limit);
    }
    let detail = sentences::PAGE_SIZE.with([("found", &limit), ("most", &most)]);
    Err(Problem::new(&codes::BAD_QUERY, detail))
}

/// Refuses a period of a query that ends before it begins: nothing can be in it.
///
/// # Errors
/// API400.Query with both ends.
pub(super) fn period<T: PartialOrd + Display>(from: &T, to: &T) -> Result<(), Problem> {
    in_order(from, to).map_err(|detail| Problem::new(&codes::BAD_QUERY, detail))
}

/// Whether a period does not end before it begins.
///
/// # Errors
/// What is to be said of it.
pub(super) fn in_order<T: PartialOrd + Display>(from: &T, to: &T) -> Result<(), String> {
    let wrong = || format!("from is {from} and to is {to}, which is before it: expected a period");
    (from <= to).then_some(()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_does_not_end_before_it_begins() {
        assert!(period(&"2026-10", &"2026-10").is_ok() && period(&"2026-10", &"2026-11").is_ok());
        let refused = period(&"2026-11", &"2026-10").unwrap_err();
        assert_eq!(refused.code.id, "API400.Query");
    }
}
