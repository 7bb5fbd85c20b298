//! The samples: the files are what the functions write.

use super::*;

const FILES: &[(&str, SampleKind, &str, usize, &str)] = &[
    ("bis3-invoice", SampleKind::Invoice, "F2026-0001", 2, INVOICE),
    ("bis3-credit-note", SampleKind::CreditNote, "C2026-0001", 2, CREDIT_NOTE),
    ("nlcius-invoice", SampleKind::Nlcius, "F2026-0002", 2, NLCIUS_INVOICE),
    ("bis3-invoice-16-lines", SampleKind::Invoice, "F2026-0003", 16, INVOICE_16_LINES),
    (
        "bis3-self-billed-invoice",
        SampleKind::SelfBilledInvoice,
        "S2026-0001",
        2,
        SELF_BILLED_INVOICE,
    ),
    (
        "bis3-self-billed-credit-note",
        SampleKind::SelfBilledCreditNote,
        "S2026-0002",
        2,
        SELF_BILLED_CREDIT_NOTE,
    ),
];

#[test]
#[allow(clippy::disallowed_methods, reason = "UPDATE=1 writes the golden files anew")]
fn files_are_what_the_functions_write() {
    for (name, kind, number, lines, file) in FILES {
        let written = document(*kind, SENDER, RECEIVER, number, *lines);
        if quoin_testing::writes_anew() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
            std::fs::write(format!("{folder}/{name}.xml"), &written).unwrap();
        } else {
            assert!(written == *file, "{name}: run once with UPDATE=1");
        }
    }
}

#[test]
fn identifiers_are_of_their_version_and_never_the_same() {
    let of = |number| uuid_of(number, 5);
    let (one, other) = (of("F-1"), of("F-2"));
    assert_ne!(one, other);
    for uuid in [one, other] {
        let parts: Vec<&str> = uuid.split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert!(parts[2].starts_with('5') && "89ab".contains(&parts[3][..1]), "{uuid}");
    }
}
