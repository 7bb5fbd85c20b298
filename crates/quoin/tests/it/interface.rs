//! The interface as its callers meet it. The names begin with the item or the finding that asked
//! for the story.

mod codings;
mod headers;
mod hooks;
mod lookups;
