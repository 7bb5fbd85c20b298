//! Files with several invoices.

use quoin_xml::tree::{Document, Limits};

use super::{ConversionRefusal, ConversionTarget, convert};
use crate::convert::InvoiceFile;
use crate::samples;

/// A FatturaPA with three invoices, in an encoding of its own.
fn file() -> String {
    let one = include_str!("../../../samples/fatturapa.xml");
    let start = one.find("<FatturaElettronicaBody>").expect("a body");
    let end = one.find("</FatturaElettronicaBody>").expect("a body");
    let body = &one[start..end + "</FatturaElettronicaBody>".len()];
    let numbered = |number: usize| {
        let from = body.find("<Numero>").expect("a number") + "<Numero>".len();
        let to = body.find("</Numero>").expect("a number");
        format!("{}{number}{}", &body[..from], &body[to..])
    };
    one.replacen(body, &(1..=3).map(numbered).collect::<Vec<_>>().join("\n  <!-- <x> -->\n"), 1)
}

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).expect("well formed")
}

#[test]
fn several_bodies_become_several_invoices() {
    let file = parse(&file());
    let invoices = InvoiceFile::of(file.root()).expect("a file");
    assert_eq!(invoices.count(), 3);
    let all = convert(&file, ConversionTarget::JSON);
    assert_eq!(all, Err(ConversionRefusal::SeveralInvoices { count: 3 }));
    for number in 1..=3 {
        let alone = parse(&invoices.alone(number).expect("there are three"));
        assert_eq!(InvoiceFile::of(alone.root()).map(|own| own.count()), Some(1));
        let converted = convert(&alone, ConversionTarget::JSON).expect("an invoice");
        let read: serde_json::Value = serde_json::from_str(&converted.document).expect("JSON");
        assert_eq!(read["number"], number.to_string(), "{}", converted.document);
        assert!(converted.document.contains("seller"));
    }
    assert_eq!((invoices.alone(0), invoices.alone(4)), (None, None));
}

#[test]
fn a_document_of_one_invoice_is_itself() {
    let invoice = parse(samples::INVOICE);
    let own = InvoiceFile::of(invoice.root()).expect("a file");
    assert_eq!(own.count(), 1);
    let alone = parse(&own.alone(1).expect("it is one"));
    assert_eq!(alone.root().descendants().count(), invoice.root().descendants().count());
}
