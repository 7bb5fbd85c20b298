//! The room from outside: official documents, and our own broken ones.

mod bad_input;
mod conversion;
mod corpora;
mod golden;
mod mutants;
mod national;
mod parity;
mod reference;
mod rule_pages;
mod samples;
mod statuses_and_reports;
mod subset;
mod written;
