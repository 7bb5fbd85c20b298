//! Every parser of this crate that sees bytes from outside, and that its work grows as its input.

use quoin_testing::growth::{Case, Parser, check, complete};

use crate::{api, export, package, upo};

const ANSWERS: &[Case] = &[
    ("members", |n| format!("{{{}\"z\":0}}", "\"a\":1,".repeat(n / 6)).into_bytes()),
    ("errors", |n| {
        format!("{{\"errors\":[{}{{\"code\":1}}]}}", "{\"code\":2},".repeat(n / 11)).into_bytes()
    }),
    ("brackets", |n| "[".repeat(n).into_bytes()),
    ("invoices", |n| {
        let one = "{\"ordinalNumber\":1,\"referenceNumber\":\"r\",\"invoiceHash\":\"h\",\
                   \"invoicingDate\":\"2026-01-01T00:00:00Z\",\"status\":{\"code\":200}}";
        format!("{{\"invoices\":[{}{one}]}}", format!("{one},").repeat(n / one.len())).into_bytes()
    }),
];

fn answer(bytes: &[u8]) {
    std::hint::black_box(api::read_problem(bytes));
    std::hint::black_box(api::read::<api::SessionInvoices>(bytes).ok());
}

const RECEIPTS: &[Case] = &[
    ("documents", |n| {
        receipt(&"<Dokument><NipSprzedawcy>1</NipSprzedawcy></Dokument>".repeat(n / 53))
    }),
    ("elements", |n| receipt(&"<Nic/>".repeat(n / 6))),
    ("a signature", |n| {
        receipt(&format!(
            "<ds:Signature xmlns:ds='http://www.w3.org/2000/09/xmldsig#'><ds:SignedInfo>{}\
             </ds:SignedInfo></ds:Signature>",
            "<ds:Reference/>".repeat(n / 15)
        ))
    }),
];

fn receipt(content: &str) -> Vec<u8> {
    format!("<Potwierdzenie xmlns='{}'>{content}</Potwierdzenie>", upo::UPO_4_3).into_bytes()
}

fn read_receipt(bytes: &[u8]) {
    std::hint::black_box(upo::read_upo(bytes).ok());
}

const ARCHIVES: &[Case] = &[
    ("ends of directories", |n| b"PK\x05\x06".repeat(n / 4)),
    ("zeros", |n| vec![0; n]),
    ("entries that overlap", |n| {
        // One local file, named again and again by the directory.
        let mut out = b"PK\x03\x04".to_vec();
        out.extend([0; 22]);
        out.extend([0; 4]);
        let count = u16::try_from((n / 46).min(9_999)).unwrap();
        let start = u32::try_from(out.len()).unwrap();
        for _ in 0..count {
            out.extend(b"PK\x01\x02");
            out.extend([0; 42]);
        }
        out.extend(b"PK\x05\x06\0\0\0\0");
        out.extend(count.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend((u32::from(count) * 46).to_le_bytes());
        out.extend(start.to_le_bytes());
        out.extend([0; 2]);
        out
    }),
];

fn read_package(bytes: &[u8]) {
    std::hint::black_box(package::read_archive(bytes, 10_000, 1 << 20).ok());
}

const PACKAGES: &[Case] = &[
    ("an archive of zeros", |n| vec![0; n]),
    ("ends of directories", |n| b"PK\x05\x06".repeat(n / 4)),
    ("metadata of invoices that are not there", |n| {
        let told = format!("{{\"invoices\":[{}1]}}", "{\"a\":1},".repeat(n / 8));
        let file = package::PackageInvoice { name: export::METADATA, xml: told.as_bytes() };
        let packed = package::pack(&[file], &key(), 1 << 20).unwrap();
        key().open(&packed.parts[0]).unwrap()
    }),
    ("files that are not named", |n| {
        let names: Vec<String> = (0..(n / 120).max(1)).map(|at| format!("{at}.xml")).collect();
        let files: Vec<package::PackageInvoice<'_>> =
            names.iter().map(|name| package::PackageInvoice { name, xml: b"<a/>" }).collect();
        let packed = package::pack(&files, &key(), 1 << 20).unwrap();
        key().open(&packed.parts[0]).unwrap()
    }),
];

fn key() -> package::SessionKey {
    package::SessionKey::from_random([7; 48])
}

/// What the system gave as a package of one part, with digests that are right.
fn open_package(bytes: &[u8]) {
    let sealed = key().seal(bytes).unwrap();
    let part = api::ExportPart {
        ordinal_number: 1,
        part_name: String::new(),
        method: "GET".to_owned(),
        url: String::new(),
        part_size: bytes.len() as u64,
        part_hash: package::digest(bytes),
        encrypted_part_size: sealed.len() as u64,
        encrypted_part_hash: package::digest(&sealed),
        expiration_date: jiff::Timestamp::UNIX_EPOCH,
    };
    let told = api::ExportPackage {
        invoice_count: 1,
        size: bytes.len() as u64,
        compression_type: None,
        parts: vec![part],
        is_truncated: false,
        last_permanent_storage_date: None,
        permanent_storage_hwm_date: None,
    };
    std::hint::black_box(export::opened_package(&told, &[sealed], &key()).ok());
}

const PARSERS: &[Parser] = &[
    Parser {
        name: "answers",
        covers: &["api.rs read", "api/problem.rs read_problem"],
        cases: ANSWERS,
        size: 16 << 10,
        run: answer,
    },
    Parser {
        name: "receipts",
        covers: &["upo.rs read_upo", "upo.rs check_upo"],
        cases: RECEIPTS,
        size: 16 << 10,
        run: read_receipt,
    },
    Parser {
        name: "archives",
        covers: &["package/zip.rs read_archive"],
        cases: ARCHIVES,
        size: 16 << 10,
        run: read_package,
    },
    Parser {
        name: "packages",
        covers: &["export.rs opened_package"],
        cases: PACKAGES,
        size: 16 << 10,
        run: open_package,
    },
];

/// Functions that take bytes which are not a stranger's, or of which only a few are looked at.
const EXEMPT: &[(&str, &str)] = &[
    ("certificate.rs from_parts", "a certificate, read once by x509-cert"),
    ("certificate.rs open", "a file that pkcs12 opens"),
    ("certificate.rs public_key_of", "a certificate, read once by x509-cert"),
    ("certificate.rs subject_of", "a certificate, read once by x509-cert"),
    ("certificate/name.rs decimal", "a serial number of at most 20 bytes"),
    ("package.rs digest", "a digest: one pass by aws-lc"),
    ("package.rs open", "a cipher: one pass by aws-lc"),
    ("package.rs seal", "a cipher: one pass by aws-lc"),
    ("package.rs send_request", "a cipher and digests: a pass each by aws-lc"),
];

#[test]
fn every_parser_grows_as_its_input() {
    check(PARSERS);
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, EXEMPT);
}
