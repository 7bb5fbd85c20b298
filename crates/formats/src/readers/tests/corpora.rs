//! Every invoice of the corpora: the fates of its leaves add up, and the residue is known.

use std::collections::BTreeMap;

use super::{leaves, parse, plain};
use crate::Syntax;
use crate::readers::{Reading, read_invoice};

/// Files over this size are left to the benches.
const MAX_BYTES: usize = 2_000_000;

/// The XML files below a folder of the corpora, by the manifest.
pub(super) fn files(folder: &str) -> Vec<String> {
    let Some(manifest) = quoin_testing::shared_text("corpora/MANIFEST.tsv") else {
        return Vec::new();
    };
    let path = |line: &str| line.split('\t').next().map(str::to_owned);
    let wanted = |path: &String| path.starts_with(folder) && path.ends_with(".xml");
    manifest.lines().filter_map(path).filter(wanted).collect()
}

/// The bytes of a file of the corpora.
#[allow(clippy::disallowed_methods, reason = "official artefacts, not all of them UTF-8")]
pub(super) fn bytes(file: &str) -> Option<Vec<u8>> {
    std::fs::read(quoin_testing::shared("corpora")?.join(file)).ok()
}

/// Whether an invoice is in UBL or CII. What national readers leave unread is a list of its own.
fn is_core(reading: &Reading<'_>) -> bool {
    reading.syntax.is_ubl_invoice() || reading.syntax == Syntax::Cii
}

/// Calls back for every invoice below a folder; how many there were.
fn every_invoice(folder: &str, found: &mut dyn FnMut(&str, &Reading<'_>)) -> usize {
    let mut documents = 0;
    for file in files(folder) {
        let Some(bytes) = bytes(&file).filter(|bytes| bytes.len() < MAX_BYTES) else { continue };
        let Some(document) = parse(&bytes) else { continue };
        let Some(reading) = read_invoice(&document) else { continue };
        documents += 1;
        found(&file, &reading);
    }
    documents
}

#[test]
fn leaves_are_read_derived_regenerated_or_unread() {
    let (mut all, mut unread) = (0, 0);
    let documents = every_invoice("", &mut |file, reading| {
        let tally = reading.tally;
        let expected = leaves(reading.invoice.element);
        assert_eq!(tally.unread, reading.residue.len());
        let sum = tally.read + tally.derived + tally.regenerated + tally.unread;
        assert_eq!(sum, expected, "{file}");
        // What national readers leave unread: signatures, mostly.
        if is_core(reading) {
            (all, unread) = (all + expected, unread + tally.unread);
        }
    });
    println!("{documents} documents, {all} leaves, {unread} unread");
    assert!(documents == 0 || documents > 1300, "{documents}");
    assert!(unread * 100 <= all, "{unread} of {all}");
}

/// What the documents of a profile have that the model has not, by folder: paths from the root.
const RESIDUE: &[(&str, &[&str])] = &[
    ("en16931/", &[]),
    ("peppol-bis-billing/", &[]),
    ("peppol-selfbilling/", &[]),
    ("setu/", &[]),
    // Documents that test that these elements are refused.
    ("xrechnung/", &["/CreditNote/PaymentMeans/CreditAccount/AccountID"]),
    // The reason of a self-billed credit note, and an element that UBL 2.1 does not have there.
    ("pint/", &["/CreditNote/DiscrepancyResponse/ResponseCode", "/CreditNote/DueDate"]),
    // SI-UBL 1 and its tests.
    (
        "nlcius-si-ubl/",
        &[
            "/Invoice/AccountingCostCode/@listName",
            "/Invoice/InvoiceLine/AccountingCostCode/@listName",
        ],
    ),
];

#[test]
fn the_residue_of_the_profiles_is_what_they_exclude() {
    for (folder, known) in RESIDUE {
        let mut paths: BTreeMap<String, String> = BTreeMap::new();
        every_invoice(folder, &mut |file, reading| {
            if !is_core(reading) {
                return;
            }
            for one in &reading.residue {
                let path = plain(&one.path());
                // An extension is for who knows it.
                let foreign = path.contains("/UBLExtensions/");
                if !foreign && !known.contains(&path.as_str()) {
                    paths.insert(path, file.to_owned());
                }
            }
        });
        assert_eq!(paths, BTreeMap::new(), "{folder}");
    }
}
