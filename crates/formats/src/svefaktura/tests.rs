//! What the reader of Svefaktura is tested with: its sample, and invoices that ask for much work.

use quoin_testing::growth::{Case, Parser};

use crate::growth::{invoices, repeat};
use crate::reading::ReaderProof;

/// What its reader is tested with.
pub(super) const PROOF: ReaderProof = ReaderProof {
    sample: include_str!("../../samples/svefaktura.xml"),
    documents: 5,
    worst: Parser {
        name: "Svefaktura",
        covers: &[],
        cases: FAKTUROR,
        size: 16 << 10,
        run: invoices,
    },
};

/// A Svefaktura that has this again and again.
fn faktura(unit: &str, bytes: usize) -> Vec<u8> {
    let head = "<Invoice xmlns='urn:sfti:documents:BasicInvoice:1:0'>";
    repeat(head, unit, "</Invoice>", bytes)
}

const FAKTUROR: &[Case] = &[
    ("lines", |n| {
        let unit = "<InvoiceLine><OrderLineReference><OrderReference><BuyersID>1</BuyersID>\
                    </OrderReference></OrderLineReference></InvoiceLine>";
        faktura(unit, n)
    }),
    ("totals of tax", |n| {
        faktura("<TaxTotal><TaxSubTotal><TaxCategory/></TaxSubTotal></TaxTotal>", n)
    }),
    ("totals", |n| {
        let unit = "<LegalTotal><RoundOffAmount>1</RoundOffAmount></LegalTotal><AllowanceCharge/>\
                    <LineItemCountNumeric>1</LineItemCountNumeric>";
        faktura(unit, n)
    }),
    ("names and lines of an address", |n| {
        let one = "<PartyName><Name>a</Name></PartyName><Address><AddressLine><Line/></AddressLine>\
                   </Address><PartyTaxScheme><RegistrationName>b</RegistrationName></PartyTaxScheme>";
        let text = format!("<SellerParty><Party>{}</Party></SellerParty>", one.repeat(n / 165));
        faktura(&text, text.len())
    }),
    ("groups in groups", |n| {
        let deep = format!("{}{}", "<Delivery>".repeat(40), "</Delivery>".repeat(40));
        faktura(&deep, n)
    }),
];
