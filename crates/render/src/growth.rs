//! What a stranger's document costs to show grows as the document: the page, and its PDF.

use quoin_model::Language;
use quoin_testing::growth::{Case, Parser, check, complete};

use crate::{RenderForm, RenderRequest, render};

fn repeat(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    format!("{head}{}{tail}", unit.repeat(bytes / unit.len())).into_bytes()
}

const INVOICE: &str = "<Invoice \
    xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2' \
    xmlns:a='urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2' \
    xmlns:b='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'>";

fn invoice(unit: &str, bytes: usize) -> Vec<u8> {
    repeat(INVOICE, unit, "</Invoice>", bytes)
}

const ORDER: &str = "<Order xmlns='urn:oasis:names:specification:ubl:schema:xsd:Order-2'>";

const CASES: &[Case] = &[
    ("lines", |n| invoice("<a:InvoiceLine><b:ID>7</b:ID></a:InvoiceLine>", n)),
    ("notes", |n| invoice("<b:Note>a b c</b:Note>", n)),
    ("one note without a space", |n| {
        repeat(&format!("{INVOICE}<b:Note>"), "x", "</b:Note></Invoice>", n)
    }),
    ("one note of Arabic", |n| {
        repeat(&format!("{INVOICE}<b:Note>"), "شكرا ", "</b:Note></Invoice>", n)
    }),
    ("what nobody reads", |n| invoice("<b:Odd>1</b:Odd>", n)),
    ("attachments", |n| {
        invoice("<a:AdditionalDocumentReference><b:ID>1</b:ID></a:AdditionalDocumentReference>", n)
    }),
    ("groups of an order", |n| repeat(ORDER, "<A><B>1</B></A>", "</Order>", n)),
    ("lines of many names", |n| {
        let lines = (0..n / 24).map(|one| format!("<x{one}Line><ID>1</ID></x{one}Line>"));
        format!("{ORDER}{}</Order>", lines.collect::<String>()).into_bytes()
    }),
    ("a tree", |n| repeat("<x>", "<y z='1'>2</y>", "</x>", n)),
    ("a deep tree", |n| {
        let deep = format!("{}1{}", "<y>".repeat(60), "</y>".repeat(60));
        repeat("<x>", &deep, "</x>", n)
    }),
];

/// What breaks lines and sheets; setting text costs much more than laying out a page.
const ON_PAPER: &[Case] = &[
    ("lines", |n| invoice("<a:InvoiceLine><b:ID>7</b:ID></a:InvoiceLine>", n)),
    ("one note without a space", |n| {
        repeat(&format!("{INVOICE}<b:Note>"), "x", "</b:Note></Invoice>", n)
    }),
    ("one note of Arabic", |n| {
        repeat(&format!("{INVOICE}<b:Note>"), "شكرا ", "</b:Note></Invoice>", n)
    }),
    ("a tree", |n| repeat("<x>", "<y z='1'>2</y>", "</x>", n)),
];

fn html(bytes: &[u8]) {
    shown(bytes, RenderForm::Html);
}

fn pdf(bytes: &[u8]) {
    shown(bytes, RenderForm::Pdf);
}

fn shown(bytes: &[u8], form: RenderForm) {
    let request = RenderRequest { language: Language::Fr, form, level: None, findings: &[] };
    std::hint::black_box(render(&quoin_formats::read(bytes), &request).is_ok());
}

const PARSERS: &[Parser] = &[
    Parser { name: "a page", covers: &[], cases: CASES, size: 4 << 10, run: html },
    Parser { name: "a PDF", covers: &[], cases: ON_PAPER, size: 2 << 10, run: pdf },
];

/// Functions that take bytes which are not a stranger's.
const EXEMPT: &[(&str, &str)] = &[
    ("numbers.rs remainder", "at most 34 letters"),
    ("pdf/file.rs deflated", "what was drawn; a row of the table draws it"),
    ("supplements.rs of", "the data that was written here for the same PDF, read once"),
];

#[test]
fn every_page_grows_as_its_document() {
    check(PARSERS);
}

#[test]
fn every_function_that_takes_bytes_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, EXEMPT);
}
