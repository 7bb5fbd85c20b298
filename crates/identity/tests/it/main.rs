//! The tables as pages.

mod reference;
