//! The registers with a known rule: shape and check digits of each.

use super::digits;

/// What a register expects of a value.
pub(super) struct RegisterRule {
    pub(super) icd: &'static str,
    pub(super) shape: &'static str,
    pub(super) fits: fn(&str) -> bool,
    pub(super) rule: &'static str,
    pub(super) adds_up: fn(&str) -> bool,
}

/// The registers with a known rule. Values reach the functions in upper case.
pub(super) static REGISTERS: &[RegisterRule] = &[
    RegisterRule {
        icd: "0002",
        shape: "9 digits (SIREN) or 14 digits (SIRET)",
        fits: |v| digits::all(v, 9) || digits::all(v, 14),
        rule: "Luhn",
        adds_up: digits::luhn,
    },
    RegisterRule {
        icd: "0007",
        shape: "10 digits",
        fits: |v| digits::all(v, 10),
        rule: "Luhn",
        adds_up: digits::luhn,
    },
    RegisterRule {
        icd: "0009",
        shape: "14 digits",
        fits: |v| digits::all(v, 14),
        rule: "Luhn",
        adds_up: digits::luhn,
    },
    RegisterRule {
        icd: "0088",
        shape: "13 digits",
        fits: |v| digits::all(v, 13),
        rule: "modulus 10 with weights 1 and 3",
        adds_up: digits::gln,
    },
    RegisterRule {
        icd: "0106",
        shape: "8 digits",
        fits: |v| digits::all(v, 8),
        rule: "none",
        adds_up: |_| true,
    },
    RegisterRule {
        icd: "0151",
        shape: "11 digits",
        fits: |v| digits::all(v, 11),
        rule: "modulus 89",
        adds_up: digits::abn,
    },
    RegisterRule {
        icd: "0183",
        shape: "'CHE' and 9 digits",
        fits: |v| digits::after(v, "CHE", 9),
        rule: "modulus 11 with weights 5 4 3 2 7 6 5 4",
        adds_up: digits::uidb,
    },
    RegisterRule {
        icd: "0184",
        shape: "8 digits, the first not 0",
        fits: |v| digits::all(v, 8) && !v.starts_with('0'),
        rule: "modulus 11 with weights 2 7 6 5 4 3 2 1",
        adds_up: digits::cvr,
    },
    RegisterRule {
        icd: "0190",
        shape: "20 digits",
        fits: |v| digits::all(v, 20),
        rule: "none",
        adds_up: |_| true,
    },
    RegisterRule {
        icd: "0191",
        shape: "8 digits",
        fits: |v| digits::all(v, 8),
        rule: "two-step modulus 11",
        adds_up: digits::two_step,
    },
    RegisterRule {
        icd: "0192",
        shape: "9 digits",
        fits: |v| digits::all(v, 9),
        rule: "modulus 11 with weights 3 2 7 6 5 4 3 2",
        adds_up: digits::orgnr,
    },
    RegisterRule {
        icd: "0199",
        shape: "18 letters or digits and 2 digits",
        fits: digits::lei_shape,
        rule: "ISO 7064 modulus 97-10",
        adds_up: digits::iso_97_10,
    },
    RegisterRule {
        icd: "0204",
        shape: "2 to 12 digits, optionally '-' and up to 30 letters or digits, '-', 2 digits",
        fits: digits::leitweg_shape,
        rule: "ISO 7064 modulus 97-10",
        adds_up: digits::iso_97_10,
    },
    RegisterRule {
        icd: "0208",
        shape: "10 digits that start with 0 or 1",
        fits: |v| digits::all(v, 10) && v.starts_with(['0', '1']),
        rule: "97 minus (first eight digits modulo 97) are the last two",
        adds_up: digits::kbo,
    },
    RegisterRule {
        icd: "0211",
        shape: "'IT' and 11 digits",
        fits: |v| digits::after(v, "IT", 11),
        rule: "Luhn",
        adds_up: |v| digits::luhn(v.get(2..).unwrap_or_default()),
    },
    RegisterRule {
        icd: "0242",
        shape: "6 digits, optionally '-' and a use case of 3 to 12 letters, digits or '_'",
        fits: digits::spis_shape,
        rule: "none",
        adds_up: |_| true,
    },
    RegisterRule {
        icd: "9925",
        shape: "'BE' and 10 digits that start with 0 or 1",
        fits: |v| {
            digits::after(v, "BE", 10) && v.get(2..).is_some_and(|n| n.starts_with(['0', '1']))
        },
        rule: "97 minus (first eight digits modulo 97) are the last two",
        adds_up: |v| digits::kbo(v.get(2..).unwrap_or_default()),
    },
    RegisterRule {
        icd: "9930",
        shape: "'DE' and 9 digits",
        fits: |v| digits::after(v, "DE", 9),
        rule: "ISO 7064 modulus 11,10",
        adds_up: |v| digits::iso_11_10(v.get(2..).unwrap_or_default()),
    },
    RegisterRule {
        icd: "9944",
        shape: "'NL', 9 digits, 'B' and 2 digits",
        fits: digits::btw_shape,
        rule: "modulus 11 over the nine digits, or ISO 7064 modulus 97-10 over all",
        adds_up: digits::btw,
    },
];
