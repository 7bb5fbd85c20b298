//! XML Schema 1.0: loads schema documents, compiles them, and checks elements of a document
//! against them; every violation is reported, not only the first.
//!
//! A [`Schema`] is immutable and shared between threads. It can be written as a compact table and
//! read back, so that a standard's structure can be embedded without its files. Names of a
//! document are resolved once; the rest of a check compares integers.
//!
//! Source: XML Schema 1.0 part 1 and part 2 (second editions). What is not supported fails at
//! load: `xs:redefine`, and everything that only XML Schema 1.1 has.

mod builtin;
mod identity;
mod load;
mod model;
mod places;
mod schema;
mod select;
mod simple;
mod table;
#[cfg(test)]
mod tests;
mod text;

mod validate;
mod value;
mod violation;

pub use load::{SchemaFiles, SchemaLoadError, SchemaResolver};
pub use places::SchemaPlace;
pub use schema::Schema;
pub use table::TableError;

pub use violation::{SchemaVerdict, Violation};

/// Schema documents read for one schema at most.
pub const MAX_SCHEMA_DOCUMENTS: usize = 512;
/// Components of one kind in a schema at most: elements, types, particles, strings.
pub const MAX_COMPONENTS: usize = 1 << 20;
/// Positions of one content model at most.
pub const MAX_POSITIONS: usize = 4_096;
/// Violations reported for one element that is checked at most; what follows is not listed.
pub const MAX_VIOLATIONS: usize = 1_000;
/// Elements inside one another that are checked at most.
pub const MAX_CHECKED_DEPTH: usize = 512;
