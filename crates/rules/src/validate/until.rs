//! The end of the time that a validation has: a caller with a clock says when it is over, and the
//! steps look at it between one another.

use std::fmt;

/// Says whether the time is over; the default is that it never is.
#[derive(Clone, Copy, Default)]
pub struct Until<'u>(Option<&'u (dyn Fn() -> bool + Sync)>);

impl<'u> Until<'u> {
    /// Until this answers yes.
    pub fn of(is_over: &'u (dyn Fn() -> bool + Sync)) -> Until<'u> {
        Until(Some(is_over))
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|is_over| is_over())
    }
}

impl fmt::Debug for Until<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Until(..)" } else { "Until(ever)" })
    }
}
