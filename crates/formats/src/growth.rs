//! Every parser of this crate that sees bytes from outside, and that its work grows as its input:
//! what tells formats apart, what opens containers and what reads invoices and orders.

use quoin_testing::files::nested_pdf;
use quoin_testing::growth::{Case, INVOICES, Parser, check, complete};

use crate::convert::{ConversionTarget, convert_at};
use crate::unwrap::UnwrapLimits;
use crate::{SYNTAXES, inside, unwrap};

mod files;
mod held;
mod json;
mod orders;

use files::{
    cms, distant_annotations, distant_names, empty_blocks, lost_objects, pdf, shared_kids,
    shared_names, zip,
};

pub(crate) fn repeat(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    format!("{head}{}{tail}", unit.repeat(bytes / unit.len())).into_bytes()
}

const TEXTS: &[Case] = &[
    ("JSON: brackets", |n| repeat("{\"a\":", "[", "", n)),
    ("JSON: members", |n| repeat("{", "\"a\":1,", "\"b\":2}", n)),
    ("JSON: escapes", |n| repeat("{\"a\":\"", "\\\\\\\"", "\"}", n)),
    ("EDIFACT", |n| repeat("UNA:+.? '", "UNH+1+INVOIC:D:96A:UN'", "", n)),
    ("broken XML", |n| repeat("<Invoice ", "a=\"<", "", n)),
    ("a DOCTYPE", |n| repeat("<!DOCTYPE a [", "<!ENTITY a 'b'>", "", n)),
    ("spaces", |n| repeat("", " \n", "", n)),
    ("nothing that is known", |n| repeat("", "hello ", "", n)),
];

fn read(bytes: &[u8]) {
    let parsed = crate::read(bytes);
    std::hint::black_box(crate::begins_like(bytes));
    std::hint::black_box((parsed.routing(), parsed.issue_date(), parsed.message_status()));
}

fn open(bytes: &[u8]) {
    std::hint::black_box(unwrap(bytes, &UnwrapLimits::default()).documents.len());
    std::hint::black_box(inside(bytes).is_some());
    std::hint::black_box(crate::may_hold_documents(bytes) && crate::unpacked(bytes, 1 << 20) > 0);
    std::hint::black_box(crate::opened(bytes).why_unread());
}

/// The readers of national syntaxes, and the list of what they leave unread.
pub(crate) fn invoices(bytes: &[u8]) {
    let limits = quoin_xml::tree::Limits::default();
    let Ok(document) = quoin_xml::tree::Document::parse(bytes, &limits) else { return };
    let readings = crate::readers::read_invoices_at(document.root());
    std::hint::black_box(readings.map(|all| all.len()));
    std::hint::black_box(crate::readers::unread(document.root()));
}

fn convert(bytes: &[u8]) {
    let parsed = crate::read(bytes);
    let Some(root) = parsed.root() else { return };
    for target in ConversionTarget::all() {
        std::hint::black_box(convert_at(root, target).is_ok());
    }
}

/// The sample with so many bytes of something before a place.
fn stuffed(place: &str, unit: &str, bytes: usize) -> Vec<u8> {
    const INVOICE: &str = include_str!("../samples/bis3-invoice.xml");
    INVOICE.replacen(place, &format!("{}{place}", unit.repeat(bytes / unit.len())), 1).into_bytes()
}

/// Documents of which much has no place, or is said again and again.
const UNPLACED: &[Case] = &[
    ("unread leaves", |n| stuffed("<cac:InvoiceLine>", "<z>1</z>", n)),
    ("unread attributes", |n| stuffed("<cac:InvoiceLine>", "<z a='1' b='2'/>", n)),
    ("preceding invoices", |n| {
        let one = "<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>a</cbc:ID>\
            </cac:InvoiceDocumentReference></cac:BillingReference>";
        stuffed("<cac:AccountingSupplierParty>", one, n)
    }),
    ("payment means", |n| {
        let one = "<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>\
            a</cbc:PaymentID><cbc:PaymentID/></cac:PaymentMeans>";
        stuffed("<cac:TaxTotal>", one, n)
    }),
    ("terms of payment", |n| {
        let one = "<cac:PaymentTerms><cbc:Note>a</cbc:Note></cac:PaymentTerms>";
        stuffed("<cac:TaxTotal>", one, n)
    }),
    ("totals in other currencies", |n| {
        let one = "<cac:TaxTotal><cbc:TaxAmount currencyID=\"XTS\">1</cbc:TaxAmount>\
            <cac:TaxSubtotal><cbc:TaxAmount currencyID=\"XTS\">1</cbc:TaxAmount>\
            </cac:TaxSubtotal></cac:TaxTotal>";
        stuffed("<cac:TaxTotal>", one, n)
    }),
    ("rates of VAT", |n| {
        let one = "<cac:TaxSubtotal><cbc:TaxableAmount>1</cbc:TaxableAmount><cac:TaxCategory>\
            <cbc:ID>E</cbc:ID><cbc:Percent>0</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>";
        stuffed("<cac:TaxSubtotal>", one, n)
    }),
    ("allowances of the document", |n| {
        let one = "<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>\
            <cbc:Amount>1</cbc:Amount></cac:AllowanceCharge>";
        stuffed("<cac:TaxTotal>", one, n)
    }),
    ("notes", |n| stuffed("<cbc:DocumentCurrencyCode>", "<cbc:Note>a b</cbc:Note>", n)),
    ("codes of the tax point", |n| {
        let one = "<cac:InvoicePeriod><cbc:DescriptionCode>3</cbc:DescriptionCode>\
            </cac:InvoicePeriod>";
        stuffed("<cac:AccountingSupplierParty>", one, n)
    }),
];

/// All parsers: those of this table, and the readers, which bring their worst inputs themselves.
fn parsers() -> Vec<Parser> {
    let proofs = SYNTAXES.iter().filter_map(|row| row.reader?.proof);
    PARSERS.iter().copied().chain(proofs.map(|proof| proof.worst)).collect()
}

const PARSERS: &[Parser] = &[
    json::FORM,
    orders::READER,
    Parser { name: "conversion", covers: &[], cases: INVOICES, size: 32 << 10, run: convert },
    Parser {
        name: "conversion of what has no place",
        covers: &[],
        cases: UNPLACED,
        size: 16 << 10,
        run: convert,
    },
    Parser {
        name: "reading",
        covers: &["detect.rs detect", "detect.rs read", "table.rs of_bytes"],
        cases: INVOICES,
        size: 32 << 10,
        run: read,
    },
    Parser {
        name: "JSON and other texts",
        covers: &[
            "detect/json.rs look",
            "detect/interchange.rs look",
            "detect/sniff.rs of_unreadable",
            "detect/sniff.rs is_pdf",
            "detect/sniff.rs begins_like",
        ],
        cases: TEXTS,
        size: 16 << 10,
        run: read,
    },
    Parser {
        name: "multipart",
        covers: &[
            "detect.rs unwrap",
            "detect.rs inside",
            "detect.rs opened",
            "detect.rs may_hold_documents",
            "detect.rs unpacked",
            "unwrap.rs open",
            "unwrap.rs measured",
            "unwrap/mime.rs parts",
        ],
        cases: &[
            ("delimiters inside a line", |n| repeat("--a\n\nx", "--a", "", n)),
            ("delimiters", |n| repeat("--a\n\n", "\n--a x", "", n.min(7_000))),
            ("header lines", |n| repeat("--a\n", "A: b\n", "\nx\n--a--", n)),
            ("quoted", |n| {
                repeat(
                    "--a\nContent-Transfer-Encoding: quoted-printable\n\n",
                    "=3D=\n=",
                    "\n--a--",
                    n,
                )
            }),
            ("parameters", |n| repeat("Content-Type: multipart/related", ";a=b", "\n\nx", n)),
        ],
        size: 8 << 10,
        run: open,
    },
    Parser {
        name: "ZIP",
        covers: &["unwrap/zip.rs entries", "unwrap/inflate.rs inflate"],
        cases: &[
            ("entries", |n| zip(n / 120, b"<a/>", false)),
            ("entries over one another", |n| zip(n / 120, &[b' '; 4096], true)),
            ("empty blocks over one another", |n| empty_blocks(n / 100, n / 10)),
            ("signatures", |n| b"PK\x05\x06".repeat(n / 4)),
        ],
        size: 16 << 10,
        run: open,
    },
    Parser {
        name: "p7m",
        covers: &["unwrap/cms.rs content", "unwrap/cms.rs looks_like"],
        cases: &[
            ("pieces", |n| cms(&[0x04, 0x01, b'<'].repeat(n / 3))),
            ("empty pieces", |n| cms(&[0x04, 0x00].repeat(n / 2))),
            ("nested pieces", |n| cms(&[0x24, 0x80].repeat(n / 2))),
            ("base64", |n| repeat("MIIB", "QUJD\n", "", n)),
        ],
        size: 16 << 10,
        run: open,
    },
    Parser {
        name: "PDF",
        covers: &[
            "unwrap/pdf.rs embedded",
            "unwrap/pdf/file.rs open",
            "unwrap/pdf/object.rs new",
            "unwrap/pdf/object.rs take",
            "unwrap/pdf/scan.rs after_space",
            "unwrap/pdf/scan.rs number_before",
            "unwrap/pdf/scan.rs raw_stream",
            "unwrap/pdf/xmp.rs level",
        ],
        cases: &[
            ("kids that are one string", |n| nested_pdf(n, 100)),
            ("kids that share their kids", |n| shared_kids(n / 35, 4)),
            ("kids that share their names", |n| shared_names(n / 35, n / 4)),
            ("kids that share their names by way of others", |n| distant_names(n / 90, n / 4)),
            ("pages that share their annotations", |n| distant_annotations(n / 90, n / 80)),
            ("objects", |n| {
                pdf((0..n / 40)
                    .map(|at| format!("{} 0 obj\n<</Type/Font>>\nendobj\n", at + 10))
                    .collect())
            }),
            ("streams without an end", |n| {
                pdf((0..n / 60)
                    .map(|at| format!("{} 0 obj\n<</Length 9>>\nstream\nxx\n", at + 10))
                    .collect())
            }),
            ("brackets", |n| pdf("[".repeat(n))),
            ("comments", |n| pdf("%\n".repeat(n / 2))),
            ("objects in a comment", |n| pdf("1 0 obj%".repeat(n / 8))),
            ("places in a comment", |n| lost_objects(n / 90, n / 4)),
            ("trailers", |n| pdf("trailer<<".repeat(n / 9))),
            ("streams of the cross-reference", |n| pdf("1 0 obj <</XRef".repeat(n / 15))),
            ("references", |n| pdf(format!("4 0 obj\n[{}]\nendobj\n", "5 0 R ".repeat(n / 6)))),
        ],
        size: 16 << 10,
        run: open,
    },
];

/// Functions that take bytes which are not a stranger's, or of which only a few are looked at.
const EXEMPT: &[(&str, &str)] =
    &[("structure_tables.rs new", "a table of ours, made when the crate is built")];

#[test]
fn every_parser_grows_as_its_input() {
    check(&parsers());
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), &parsers(), EXEMPT);
}

#[test]
fn b4_a_name_tree_that_leads_to_one_string_again_and_again_is_read_once() {
    // What was measured: 1.44 MB, twenty kids, a string of 200 MB: 22 s and 483 MB. A quarter of
    // the string here, and a hundred kids.
    let file = nested_pdf(50 << 20, 100);
    assert!(file.len() < 1 << 20, "{} bytes", file.len());
    let opened = unwrap(&file, &UnwrapLimits::default());
    assert!(opened.documents.len() + opened.closed.len() > 0);
}
