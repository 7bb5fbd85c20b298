//! How what callers write is read: JSON by the names of its members alone, and times.

mod kinds;
mod object;
pub mod time;
mod told;

pub use kinds::other_value;
pub use object::{json, json_value, without_mark};
pub use told::told;
