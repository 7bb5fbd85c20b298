//! PINT and its jurisdictions against their official files.

use super::Parity;

mod emirates;
mod oman;
mod tuned;

/// Tells seeded changes of documents of a set whose rules differ by kinds of transaction.
pub fn tuned(
    set: &str,
    documents: &[(String, Vec<u8>)],
    count: u64,
    tell: &mut dyn FnMut(String, String),
) {
    match set {
        "pint-om" | "pint-om-sb" => oman::tuned(documents, count, tell),
        "pint-ae" => emirates::tuned(documents, count, tell),
        _ => {}
    }
}

/// Documents with other categories and codes than their own: each text that is replaced makes one.
fn varied(documents: &[(String, Vec<u8>)], changes: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let mut made = Vec::new();
    for (name, bytes) in documents {
        let text = String::from_utf8_lossy(bytes);
        for (from, to) in changes {
            if text.contains(from) {
                made.push((format!("{name} with {to}"), text.replace(from, to).into_bytes()));
            }
        }
    }
    made
}

/// Compares a set on the documents of some folders, those with changes, and mutants of all.
fn compare(
    coordinate: &str,
    official: &str,
    folders: &[&str],
    changes: &[(&str, &str)],
    (mutants, documents, hits): (u64, usize, usize),
) {
    let Some(mut parity) = Parity::new(coordinate, &format!("pint/{official}")) else { return };
    let mut all = Vec::new();
    for folder in folders {
        all.extend(parity.folder(folder));
    }
    for (name, bytes) in varied(&all, changes) {
        if let Ok(document) = super::Document::parse(&bytes, &super::Limits::default()) {
            parity.compare(&name, &document);
        }
        all.push((name, bytes));
    }
    parity.mutants(&all, mutants);
    parity.settle(documents, hits);
}

const SHARED: &str = "schematron/PINT-UBL-validation-preprocessed.sch";
const ALIGNED: &str = "schematron/PINT-jurisdiction-aligned-rules.sch";

/// Identifiers of the schemes that have check digits, right and wrong.
const SCHEMES: &[(&str, &str)] = &[
    ("schemeID=\"0151\">", "schemeID=\"0088\">7300010000001<!-- -->"),
    ("schemeID=\"0151\">", "schemeID=\"0007\">"),
    ("schemeID=\"0151\">", "schemeID=\"0192\">"),
    ("schemeID=\"0151\">", "schemeID=\"0184\">DK"),
    ("schemeID=\"0151\">", "schemeID=\"0208\">"),
    ("schemeID=\"0151\">", "schemeID=\"0201\">"),
    ("schemeID=\"0151\">", "schemeID=\"0210\">"),
    ("schemeID=\"0151\">", "schemeID=\"0211\">IT"),
    ("schemeID=\"0151\">", "schemeID=\"9906\">it"),
    (
        "<cbc:EndpointID schemeID=\"0151\">47555222000<",
        "<cbc:EndpointID schemeID=\"0192\">987654325<",
    ),
    (
        "<cbc:EndpointID schemeID=\"0151\">47555222000<",
        "<cbc:EndpointID schemeID=\"0208\">0202239951<",
    ),
    (
        "<cac:LegalMonetaryTotal>",
        "<cac:PrepaidPayment/><cac:PrepaidPayment><cbc:ID>1</cbc:ID></cac:PrepaidPayment><cac:LegalMonetaryTotal>",
    ),
    ("<cac:LegalMonetaryTotal>", "<cbc:IssueTime>25:00:00</cbc:IssueTime><cac:LegalMonetaryTotal>"),
    (
        "<cbc:DocumentCurrencyCode>",
        "<cbc:TaxCurrencyCode>AUD</cbc:TaxCurrencyCode><cbc:DocumentCurrencyCode>",
    ),
];

#[test]
fn every_pint_document() {
    let folders = &["pint/pint-aunz", "pint/pint-my", "pint/pint-eu", "pint/pint-jp"];
    compare(
        "org.peppol.pint:invoice:1.1.3",
        &format!("pint-base/trn-creditnote/{SHARED}"),
        folders,
        SCHEMES,
        (300, 300, 300),
    );
}

#[test]
fn australia_and_new_zealand() {
    let changes = &[
        (">S<", ">Z<"),
        (">S<", ">E<"),
        (">S<", ">G<"),
        (">S<", ">O<"),
        (">10<", ">0<"),
        (
            "<cbc:DocumentCurrencyCode>",
            "<cbc:TaxCurrencyCode>NZD</cbc:TaxCurrencyCode><cbc:DocumentCurrencyCode>",
        ),
    ];
    let folders = &["pint/pint-aunz"];
    let official = format!("pint-aunz/trn-creditnote/{ALIGNED}");
    compare("org.peppol.pint.aunz:invoice:1.1.3", &official, folders, changes, (200, 200, 200));
    let folders = &["pint/pint-aunz-sb"];
    let official = format!("pint-aunz-sb/trn-creditnote/{ALIGNED}");
    let coordinate = "org.peppol.pint.aunz:invoice-self-billing:1.1.3";
    compare(coordinate, &official, folders, changes, (100, 100, 100));
    let official = format!("pint-aunz-sb/trn-creditnote/{SHARED}");
    let coordinate = "org.peppol.pint.aunz:invoice-self-billing-shared:1.1.3";
    compare(coordinate, &official, folders, &[], (50, 50, 30));
}

#[test]
fn singapore() {
    let changes = &[
        (">SR<", ">NG<"),
        (">SR<", ">ZR<"),
        (">GST<", ">gst<"),
        (
            "<cbc:DocumentCurrencyCode>",
            "<cbc:TaxCurrencyCode>SGD</cbc:TaxCurrencyCode><cbc:DocumentCurrencyCode>",
        ),
        ("<cbc:Note>", "<cbc:Note>#AAI#"),
        ("<cbc:Note>", "<cbc:Note>#XXX#"),
    ];
    let folders = &["pint/pint-sg", "peppol-bis-anz-sg/phive-rules/test-files/sg-peppol/2024.12"];
    let official = format!("pint-sg/trn-creditnote/{ALIGNED}");
    compare("org.peppol.pint.sg:invoice:1.4.1", &official, folders, changes, (300, 300, 300));
}

#[test]
fn malaysia() {
    let changes = &[
        (">SA<", ">E<"),
        (">SA<", ">O<"),
        (">SA<", ">SE<"),
        (">SA<", ">HVG<"),
        (">TTX<", ">LVG<"),
        (">AAL<", ">VAT<"),
        ("<cbc:Percent>", "<cbc:Percent>5</cbc:Percent><cbc:Percent>"),
    ];
    let folders = &["pint/pint-my", "pint/phive-rules"];
    let official = format!("pint-my/trn-creditnote/{ALIGNED}");
    compare("org.peppol.pint.my:invoice:1.3.1", &official, folders, changes, (200, 200, 200));
    let folders = &["pint/pint-my-sb"];
    let official = format!("pint-my-sb/trn-creditnote/{ALIGNED}");
    let coordinate = "org.peppol.pint.my:invoice-self-billing:1.3.1";
    compare(coordinate, &official, folders, changes, (100, 100, 100));
    let official = format!("pint-my-sb/trn-creditnote/{SHARED}");
    let coordinate = "org.peppol.pint.my:invoice-self-billing-shared:1.3.1";
    compare(coordinate, &official, folders, &[], (50, 50, 30));
}

#[test]
fn japan() {
    let changes = &[
        (">S<", ">E<"),
        (">S<", ">G<"),
        (">S<", ">O<"),
        (">S<", ">o<"),
        ("<cbc:Percent>10</cbc:Percent>", ""),
        ("billing</cbc:ProfileID>", "x</cbc:ProfileID>"),
    ];
    let folders = &["pint/pint-jp"];
    let official = format!("pint-jp/trn-invoice/{ALIGNED}");
    compare("org.peppol.pint.jp:invoice:1.1.3", &official, folders, changes, (200, 200, 200));
    let folders = &["pint/pint-jp-ntr"];
    for (kind, hits) in [("ntr-invoice", ALIGNED), ("ntr-invoice-shared", SHARED)] {
        let official = format!("pint-jp-ntr/trn-invoice/{hits}");
        let coordinate = format!("org.peppol.pint.jp:{kind}:1.1.3");
        compare(&coordinate, &official, folders, changes, (100, 100, 100));
    }
    let folders = &["pint/pint-jp-sb"];
    for (kind, hits) in [("invoice-self-billing", ALIGNED), ("invoice-self-billing-shared", SHARED)]
    {
        let official = format!("pint-jp-sb/trn-invoice/{hits}");
        let coordinate = format!("org.peppol.pint.jp:{kind}:1.1.3");
        compare(&coordinate, &official, folders, changes, (100, 100, 50));
    }
}

#[test]
fn europe() {
    let changes = &[
        (">S<", ">E<"),
        (">S<", ">Z<"),
        (">S<", ">AE<"),
        (">S<", ">K<"),
        (">S<", ">G<"),
        (">S<", ">O<"),
        (">S<", ">L<"),
        (">S<", ">M<"),
    ];
    let folders = &[
        "pint/pint-eu",
        "en16931/eInvoicing-EN16931/ubl/examples",
        "en16931/eInvoicing-EN16931/test/Invoice-unit-UBL",
        "en16931/eInvoicing-EN16931/test/CreditNote-unit-UBL",
    ];
    let official = "pint-eu/trn-creditnote/schematron/PINT-EN16931-aligned-rules.sch";
    let coordinate = "org.peppol.pint.eu:invoice-en16931:1.1.1";
    compare(coordinate, official, folders, changes, (200, 200, 200));
}

#[test]
fn europe_with_its_nations() {
    let official = format!("pint/pint-eu/trn-creditnote/{ALIGNED}");
    let Some(mut parity) = Parity::new("org.peppol.pint.eu:invoice:1.1.1", &official) else {
        return;
    };
    let mut documents = parity.folder("pint/pint-eu");
    let changes = [
        (">urn:peppol:bis:billing<", ">urn:peppol:bis:billing:01:1.0<"),
        (">urn:peppol:bis:billing<", ">urn:peppol:bis:billing:01:1.0:01<"),
        (">urn:peppol:bis:billing<", ">urn:peppol:bis:billing:01:1.0:02<"),
        (">381<", ">380<"),
    ];
    documents.extend(varied(&documents, &changes));
    documents.extend(varied(&documents, &changes[3..]));
    parity.mutants(&documents, 100);
    super::peppol::documents(&mut parity);
    super::peppol::national(&mut parity, &documents, 100);
    parity.settle(300, 300);
}
