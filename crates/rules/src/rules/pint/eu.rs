//! Europe: the rules of Peppol BIS Billing 3 of November 2025, under another process and without
//! what was new in them then.

use crate::rules::Rule;
use crate::rules::peppol::numbers;
use crate::rules::peppol::ubl::document::{CREDIT_NOTE_CODES, numbered_at, type_code};
use crate::rules::peppol::ubl::{
    denmark, document, germany, greece, iceland, italy, lines, netherlands, norway, sweden,
};

/// All of them.
#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
pub(super) const RULES: &[&[Rule]] = &[
    OWN,
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    norway::RULES,
    denmark::RULES,
    italy::RULES,
    sweden::RULES,
    sweden::ACCOUNTS,
    greece::RULES,
    iceland::RULES,
    netherlands::RULES,
    germany::RULES[0],
    germany::RULES[1],
    germany::RULES[2],
    germany::UNTIL_2026_05[0],
    germany::UNTIL_2026_05[1],
    germany::UNTIL_2026_05[2],
];

const OWN: &[Rule] = &[
    denmark::CLASSIFICATION,
    Rule::new("PEPPOL-EN16931-P0101", |case| type_code(case, process, &["01"], CREDIT_NOTE_CODES)),
];

/// The number of a process. The official test takes the seventh part of an identifier that has
/// six, and compares nothing with `01`: that is as if it were.
fn process(id: &str) -> Option<&str> {
    numbered_at(id, "urn:peppol:bis:billing:##:1.0", "01")
}

#[cfg(test)]
mod tests {
    use super::process;

    #[test]
    fn the_number_is_where_the_official_test_looks_for_it() {
        assert_eq!(process("urn:peppol:bis:billing:02:1.0"), Some("01"));
        assert_eq!(process("urn:peppol:bis:billing:02:1.0:03"), Some("03"));
        assert_eq!(process("urn:peppol:bis:billing"), None);
    }
}
