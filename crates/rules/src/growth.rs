//! Every parser of this crate that sees bytes from outside, and that its work grows as its input:
//! what validates.

use jiff::civil::date;
use quoin_testing::growth::{INVOICES, Parser, check, complete};

fn validate(bytes: &[u8]) {
    let parsed = quoin_formats::read(bytes);
    std::hint::black_box(crate::validate(&parsed, date(2026, 11, 22)));
}

const PARSERS: &[Parser] = &[Parser {
    name: "rules",
    covers: &["validate/file.rs validate_file"],
    cases: INVOICES,
    size: 48 << 10,
    run: validate,
}];

/// Functions that take bytes which are not a stranger's.
const EXEMPT: &[(&str, &str)] =
    &[("official/unit_tests/instructed.rs instructed", "test documents of the publisher of rules")];

#[test]
fn every_parser_grows_as_its_input() {
    check(PARSERS);
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, EXEMPT);
}
