//! What the reader of DICO is tested with: its sample, and invoices that ask for much work.

use quoin_testing::growth::{Case, Parser};

use crate::growth::{invoices, repeat};
use crate::reading::ReaderProof;

/// What its reader is tested with.
pub(super) const PROOF: ReaderProof = ReaderProof {
    sample: include_str!("../../samples/dico.xml"),
    documents: 1,
    worst: Parser { name: "DICO", covers: &[], cases: FACTUREN, size: 16 << 10, run: invoices },
};

/// An invoice of DICO that has this again and again.
fn factuur(unit: &str, bytes: usize) -> Vec<u8> {
    let head = "<Invoice xmlns='http://www.ketenstandaard.nl/factuur/SALES/005'>";
    repeat(head, unit, "</Invoice>", bytes)
}

const FACTUREN: &[Case] = &[
    ("lines", |n| {
        let unit = "<InvoiceLine><DeliveredQuantity>1</DeliveredQuantity><NumberOfInvoicingUnits>1\
            </NumberOfInvoicingUnits><PriceInformation><PriceBase/></PriceInformation>\
            </InvoiceLine>";
        factuur(unit, n)
    }),
    ("parties", |n| {
        let unit = "<Invoicee><GLN>1</GLN><Name>a</Name><Name2>b</Name2></Invoicee><Invoicer>\
            <GLN>1</GLN><Name>c</Name></Invoicer><Buyer/><Supplier><Name>d</Name>\
            <AccountInformation><IBAN>1</IBAN></AccountInformation></Supplier>";
        factuur(unit, n)
    }),
    ("totals and charges", |n| {
        let unit = "<InvoiceTotals><TotalAmountInvoiceChargeAllowance>1\
            </TotalAmountInvoiceChargeAllowance><TotalVATAmount>1</TotalVATAmount></InvoiceTotals>";
        factuur(unit, n)
    }),
    ("charges and one total", |n| {
        let unit = "<InvoiceCharge><ChargeAmount>1</ChargeAmount></InvoiceCharge>";
        let text = format!("{}<InvoiceTotals/>", unit.repeat(n / unit.len()));
        factuur(&text, text.len())
    }),
    ("names of a party", |n| {
        let unit = "<Name>a</Name><Street>b</Street>";
        let text = format!("<Buyer>{}</Buyer>", unit.repeat(n / unit.len()));
        factuur(&text, text.len())
    }),
    ("hints", |n| {
        let unit = " xsi:x='1'";
        let text = format!(
            "<Invoice xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'{}><InvoiceNumber/>\
             <Buyer/><Supplier/></Invoice>",
            (0..n / 14).map(|at| unit.replace("x=", &format!("x{at}="))).collect::<String>()
        );
        text.into_bytes()
    }),
    ("files", |n| {
        factuur("<Attachment><FileName>a</FileName><FileType>b</FileType></Attachment>", n)
    }),
];
