//! The United Arab Emirates against their official files, in every kind of transaction.

use super::super::Parity;
use super::tuned::Tuned;
use super::{ALIGNED, SHARED, compare};

#[test]
fn the_emirates() {
    let changes = &[
        (">S<", ">E<"),
        (">S<", ">Z<"),
        (">S<", ">AE<"),
        (">S<", ">N<"),
        (">S<", ">O<"),
        (">380<", ">480<"),
        (">381<", ">81<"),
        (">00000000<", ">10000000<"),
        (">00000000<", ">01000000<"),
        (">00000000<", ">00100000<"),
        (">00000000<", ">00010000<"),
        (">00000000<", ">00000100<"),
        (">00000000<", ">00000010<"),
        (">00000000<", ">00000001<"),
        (">00000000<", ">00010100<"),
        ("schemeAgencyID=\"TL\"", "schemeAgencyID=\"PAS\""),
        ("schemeAgencyID=\"TL\"", "schemeAgencyID=\"PAS\" schemeAgencyName=\"XI\""),
        ("schemeAgencyID=\"TL\"", "schemeAgencyID=\"XX\""),
    ];
    let folders = &["pint/pint-ae", "pint/pint-ae-sb"];
    let official = format!("pint-ae/trn-creditnote/{ALIGNED}");
    compare("org.peppol.pint.ae:invoice:1.0.4", &official, folders, changes, (300, 300, 300));
    for (kind, folder) in [("invoice", "pint-ae"), ("invoice-self-billing", "pint-ae-sb")] {
        let official = format!("{folder}/trn-creditnote/{SHARED}");
        let coordinate = format!("org.peppol.pint.ae:{kind}-shared:1.0.4");
        compare(&coordinate, &official, folders, &[], (50, 50, 30));
    }
}

/// Values that some rule looks at.
const VALUES: &[&str] = &[
    "",
    "0",
    "-1",
    "5",
    "5.00",
    "5.5",
    "1.0000001",
    "abc",
    "S",
    "E",
    "Z",
    "O",
    "AE",
    "N",
    "VAT",
    "TIN",
    "PAS",
    "TL",
    "EID",
    "XX",
    "XI",
    "IN",
    "0235",
    "0088",
    "380",
    "381",
    "480",
    "81",
    "261",
    "VD",
    "DL8.61.1.A",
    "AED",
    "USD",
    "2027-01-01",
    "2020-01-01",
    "1234567890",
    "9234567890",
    "2234567890",
    "123456789012303",
    "100000000000003",
    "true",
    "false",
    "10",
];

fn kinds() -> Vec<(String, String)> {
    let bits = |at: usize| {
        format!(">{}<", (0..8).map(|own| u8::from(own == at).to_string()).collect::<String>())
    };
    let mut kinds: Vec<(String, String)> = (0..9).map(|at| (bits(8), bits(at))).collect();
    kinds.extend(
        [(">380<", ">480<"), (">381<", ">81<"), (">S<", ">N<"), (">S<", ">AE<")]
            .map(|(from, to)| (from.to_owned(), to.to_owned())),
    );
    kinds
}

/// Tells seeded changes of documents in every kind of transaction.
pub fn tuned(documents: &[(String, Vec<u8>)], count: u64, tell: &mut dyn FnMut(String, String)) {
    let tuned = Tuned { kinds: &kinds(), values: VALUES };
    tuned.texts(documents, count).for_each(|(name, text)| tell(name, text));
}

#[test]
fn every_kind_of_transaction_of_the_emirates() {
    let official = format!("pint/pint-ae/trn-creditnote/{ALIGNED}");
    let Some(mut parity) = Parity::new("org.peppol.pint.ae:invoice:1.0.4", &official) else {
        return;
    };
    let mut documents = parity.folder("pint/pint-ae");
    documents.extend(parity.folder("pint/pint-ae-sb"));
    Tuned { kinds: &kinds(), values: VALUES }.compare(&mut parity, &documents, 300);
    parity.settle(300, 500);
}
