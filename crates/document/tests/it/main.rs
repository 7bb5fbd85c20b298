//! The room from outside: official documents, and our own broken ones.

mod corpora;
mod samples;
