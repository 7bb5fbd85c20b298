//! Oman against its official file, in every kind of transaction.

use super::super::Parity;
use super::tuned::Tuned;
use super::{ALIGNED, SHARED, compare};

const FULL: &str = "name=\"10000000000000000000\"";

/// The type code of a document with these bits.
fn with(bits: &[usize]) -> String {
    let bits: String = (0..20).map(|at| if bits.contains(&at) { '1' } else { '0' }).collect();
    format!("name=\"{bits}\"")
}

/// Documents of each kind of transaction: full ones with one bit more, and simplified ones.
fn kinds() -> Vec<(String, String)> {
    let mut kinds: Vec<String> = (1..15).map(|bit| with(&[0, bit])).collect();
    kinds.extend((1..15).map(|bit| with(&[1, bit, (bit * 5) % 15, (bit * 7 + 3) % 15])));
    kinds.extend((2..15).map(|bit| with(&[0, bit, (bit * 5) % 15])));
    kinds.extend((2..15).map(|bit| with(&[0, bit, (bit + 9) % 15])));
    kinds.extend([with(&[]), with(&[2]), with(&[0, 2, 3]), with(&[0, 4, 12])]);
    kinds.into_iter().map(|kind| (FULL.to_owned(), kind)).collect()
}

/// The same document in dollars, with its tax in rials.
const IN_DOLLARS: (&str, &str) = (
    "<cbc:DocumentCurrencyCode>OMR</cbc:DocumentCurrencyCode>",
    "<cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode>\
     <cbc:TaxCurrencyCode>OMR</cbc:TaxCurrencyCode>",
);

/// Changes of texts wherever they stand.
const CHANGES: &[(&str, &str)] = &[
    (">S<", ">E<"),
    (">S<", ">Z<"),
    (">S<", ">O<"),
    (">OM<", ">IN<"),
    IN_DOLLARS,
    (">VATZR-OM-09<", ">VATZR-OM-12<"),
    (">VAT<", ">XXX<"),
    (">MO<", ">SZ<"),
    (">380<", ">383<"),
    (">380<", ">389<"),
    (">381<", ">261<"),
    ("0</cbc:TaxAmount>", "1</cbc:TaxAmount>"),
    ("0</cbc:TaxAmount>", "05</cbc:TaxAmount>"),
];

/// Values that some rule looks at.
const VALUES: &[&str] = &[
    "",
    "0",
    "-1",
    "5",
    "5.00",
    "5.005",
    "1.0005",
    "0.001",
    "15",
    "100.5",
    "abc",
    "S",
    "E",
    "Z",
    "O",
    "VAT",
    "OM",
    "IN",
    "OMR",
    "USD",
    "MO",
    "SHRFZ",
    "G",
    "MP",
    "HS",
    "CC",
    "SZLN",
    "ICID",
    "381",
    "383",
    "389",
    "261",
    "130",
    "PM_TOTAL",
    "2027-01-01",
    "2025-03-01",
    "2025-02-30",
    "2025-02-06Z",
    "997770000099",
    "OM1234567890",
    "OM 1234567890",
    "VATZR-OM-09",
    "VATZR-OM-12",
    "VATPM-OM-01",
    "710110000000",
    "840110000000",
    "011101",
    "true",
    "false",
    "119ff918-1944-453f-a138-99611f4873ea",
    "119ff918-1944-553f-a138-99611f4873ea",
];

/// Tells seeded changes of documents in every kind of transaction, and in two currencies.
pub fn tuned(documents: &[(String, Vec<u8>)], count: u64, tell: &mut dyn FnMut(String, String)) {
    let tuned = Tuned { kinds: &kinds(), values: VALUES };
    let dollars = super::varied(documents, &[IN_DOLLARS]);
    tuned.texts(documents, count).for_each(|(name, text)| tell(name, text));
    tuned.texts(&dollars, count).for_each(|(name, text)| tell(name, text));
}

#[test]
fn oman() {
    let kinds = kinds();
    let mut changes: Vec<(&str, &str)> =
        kinds.iter().map(|(from, to)| (from.as_str(), to.as_str())).step_by(3).collect();
    changes.extend(CHANGES);
    let folders = &["pint/pint-om"];
    let official = format!("pint-om/trn-creditnote/{ALIGNED}");
    compare("org.peppol.pint.om:invoice:1.0.1", &official, folders, &changes, (100, 400, 400));
    let folders = &["pint/pint-om-sb"];
    for (kind, file) in [("invoice-self-billing", ALIGNED), ("invoice-self-billing-shared", SHARED)]
    {
        let official = format!("pint-om-sb/trn-creditnote/{file}");
        let coordinate = format!("org.peppol.pint.om:{kind}:1.0.1");
        compare(&coordinate, &official, folders, &[], (50, 50, 20));
    }
}

#[test]
fn every_kind_of_transaction_of_oman() {
    let official = format!("pint/pint-om/trn-creditnote/{ALIGNED}");
    let Some(mut parity) = Parity::new("org.peppol.pint.om:invoice:1.0.1", &official) else {
        return;
    };
    let documents = parity.folder("pint/pint-om");
    let dollars = super::varied(&documents, &[IN_DOLLARS]);
    let tuned = Tuned { kinds: &kinds(), values: VALUES };
    tuned.compare(&mut parity, &documents, 400);
    tuned.compare(&mut parity, &dollars, 200);
    parity.settle(500, 1_000);
}
