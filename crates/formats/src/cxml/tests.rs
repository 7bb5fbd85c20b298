//! What the reader of cXML is tested with: its sample, and invoices that ask for much work.

use quoin_testing::growth::{Case, Parser};

use crate::convert::{ConversionTarget, convert_at};
use crate::growth::repeat;
use crate::reading::ReaderProof;

/// What its reader is tested with.
pub(super) const PROOF: ReaderProof = ReaderProof {
    sample: include_str!("../../samples/cxml.xml"),
    documents: 3,
    worst: Parser {
        name: "cXML",
        covers: &["cxml/tree.rs tree"],
        cases: CXML,
        size: 16 << 10,
        run: read,
    },
};

fn read(bytes: &[u8]) {
    let parsed = crate::read(bytes);
    let Some(root) = parsed.root() else { return };
    std::hint::black_box(crate::readers::unread(root));
    std::hint::black_box(convert_at(root, ConversionTarget::JSON).is_ok());
}

const HEAD: &str = "<?xml version='1.0'?><!DOCTYPE cXML SYSTEM 'InvoiceDetail.dtd'><cXML><Request>\
    <InvoiceDetailRequest>";
const TAIL: &str = "</InvoiceDetailRequest></Request></cXML>";

/// An invoice that has this again and again.
fn invoice(unit: &str, bytes: usize) -> Vec<u8> {
    repeat(HEAD, unit, TAIL, bytes)
}

const CXML: &[Case] = &[
    ("lines of one order", |n| {
        let line = "<InvoiceDetailItem quantity='1'><UnitOfMeasure>EA</UnitOfMeasure>\
            <InvoiceDetailItemReference lineNumber='1'/><NetAmount><Money>1</Money></NetAmount>\
            </InvoiceDetailItem>";
        let head = "<InvoiceDetailOrder><InvoiceDetailOrderInfo><OrderIDInfo orderID='1'/>\
            </InvoiceDetailOrderInfo>";
        let text = format!("{head}{}</InvoiceDetailOrder>", line.repeat(n / line.len()));
        invoice(&text, text.len())
    }),
    ("orders", |n| {
        let unit = "<InvoiceDetailOrder><InvoiceDetailOrderInfo><OrderIDInfo orderID='1'/>\
            </InvoiceDetailOrderInfo><InvoiceDetailItem><InvoiceDetailItemReference/>\
            </InvoiceDetailItem></InvoiceDetailOrder>";
        invoice(unit, n)
    }),
    ("heads", |n| invoice("<InvoiceDetailRequestHeader operation='new'/>", n)),
    ("operations that are not new", |n| {
        invoice("<InvoiceDetailRequestHeader operation='x' y='1'/>", n)
    }),
    ("partners", |n| {
        let unit = "<InvoicePartner><Contact role='remitTo'><Name>a</Name></Contact>\
            <IdReference identifier='1' domain='ibanID'/></InvoicePartner>";
        let text = format!(
            "<InvoiceDetailRequestHeader>{}</InvoiceDetailRequestHeader>",
            unit.repeat(n / unit.len())
        );
        invoice(&text, text.len())
    }),
    ("totals and taxes of a line", |n| {
        let unit = "<NetAmount><Money>1</Money></NetAmount><Tax><Money>1</Money>\
            <TaxDetail category='vat'/></Tax>";
        let text = format!(
            "<InvoiceDetailOrder><InvoiceDetailItem>{}</InvoiceDetailItem></InvoiceDetailOrder>",
            unit.repeat(n / unit.len())
        );
        invoice(&text, text.len())
    }),
    ("telephone numbers", |n| {
        let unit = "<CountryCode>1</CountryCode>";
        let text = format!(
            "<InvoiceDetailRequestHeader><InvoicePartner><Contact><Phone><TelephoneNumber>{}\
             </TelephoneNumber></Phone></Contact></InvoicePartner></InvoiceDetailRequestHeader>",
            unit.repeat(n / unit.len())
        );
        invoice(&text, text.len())
    }),
    ("declarations", |n| repeat("<!DOCTYPE cXML ", "<!DOCTYPE ", "><cXML/>", n)),
];
