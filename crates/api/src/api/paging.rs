//! How much of a list one answer holds.

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
