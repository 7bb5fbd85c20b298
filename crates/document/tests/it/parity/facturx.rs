//! The profiles of Factur-X.

use super::Parity;

const BASE: &str = "facturx-zugferd/phive-rules/rule-source/2.5.2";

type Documents = Vec<(String, Vec<u8>)>;

/// The documents in CII of the corpora; those of all profiles are compared with each.
fn documents(parity: &mut Parity) -> Documents {
    let folders = [
        "facturx-zugferd/phive-rules/test-files",
        "facturx-zugferd/horstoeko-zugferd",
        "facturx-zugferd/mustangproject",
        "facturx-zugferd/corpus",
        "en16931/eInvoicing-EN16931/cii/examples",
    ];
    let mut documents = Vec::new();
    for folder in folders {
        documents.extend(parity.folder(folder));
    }
    documents.retain(|(_, bytes)| bytes.windows(23).any(|own| own == b":CrossIndustryInvoice:1"));
    documents
}

fn profile(name: &str, mutants: u64) -> Option<Parity> {
    let official = format!("{BASE}/FACTUR-X_{}.sch", name.to_uppercase());
    let mut parity = Parity::new(&format!("org.factur-x:{name}:1.09.2"), &official)?;
    let documents = documents(&mut parity);
    parity.folder("en16931/eInvoicing-EN16931/test/cii");
    parity.mutants(&documents, mutants);
    Some(parity)
}

#[test]
fn factur_x_minimum() {
    if let Some(parity) = profile("minimum", 100) {
        parity.settle(100, 100);
    }
}

#[test]
fn factur_x_basic_wl() {
    if let Some(parity) = profile("basic-wl", 100) {
        parity.settle(100, 100);
    }
}

#[test]
fn factur_x_basic() {
    if let Some(parity) = profile("basic", 100) {
        parity.settle(100, 100);
    }
}

#[test]
fn factur_x_en_16931() {
    if let Some(parity) = profile("en16931", 100) {
        parity.settle(100, 100);
    }
}

#[test]
fn factur_x_extended() {
    if let Some(parity) = profile("extended", 100) {
        parity.settle(100, 100);
    }
}
