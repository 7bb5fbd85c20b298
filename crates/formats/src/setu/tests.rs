//! What the reader of SETU is tested with: its sample, and invoices that ask for much work.

use quoin_testing::growth::{Case, Parser};

use crate::growth::{invoices, repeat};
use crate::reading::ReaderProof;

/// What its reader is tested with.
pub(super) const PROOF: ReaderProof = ReaderProof {
    sample: include_str!("../../samples/setu.xml"),
    documents: 12,
    worst: Parser {
        name: "SETU",
        covers: &[],
        cases: SPECIFICATIES,
        size: 16 << 10,
        run: invoices,
    },
};

/// An invoice of SETU whose header has this again and again.
fn specificatie(unit: &str, bytes: usize) -> Vec<u8> {
    let head = "<Invoice xmlns='http://www.openapplications.org/oagis'><Header>";
    repeat(head, unit, "</Header></Invoice>", bytes)
}

/// An invoice of SETU whose lines are these.
fn regels(unit: &str, bytes: usize) -> Vec<u8> {
    let head = "<Invoice xmlns='http://www.openapplications.org/oagis'>";
    repeat(head, unit, "</Invoice>", bytes)
}

const SPECIFICATIES: &[Case] = &[
    ("lines", |n| {
        let unit = "<Line><Description>a</Description><Charges><TotalCharge><Total currency='EUR'>1\
            </Total></TotalCharge></Charges><ItemQuantity uom='Regular'>1</ItemQuantity></Line>";
        regels(unit, n)
    }),
    ("lines of one group", |n| {
        let line = "<Line><Charges><TotalCharge><Total>1</Total></TotalCharge></Charges></Line>";
        let total = "<Charges><TotalCharge><Total>1</Total></TotalCharge></Charges>";
        let text = format!("<Line>{total}{}</Line>", line.repeat(n / line.len()));
        regels(&text, text.len())
    }),
    ("totals of one group", |n| {
        let total = "<Charges><TotalCharge><Total>1</Total></TotalCharge></Charges>";
        let line = "<Line><LineNumber>1</LineNumber></Line>";
        let half = n / 2;
        let text = format!(
            "<Line>{}{}</Line>",
            total.repeat(half / total.len()),
            line.repeat(half / line.len())
        );
        regels(&text, text.len())
    }),
    ("lines within lines", |n| {
        let deep = format!("{}{}", "<Line>".repeat(60), "</Line>".repeat(60));
        regels(&deep, n)
    }),
    ("who bills", |n| {
        let unit = "<BillToParty><Name>a</Name></BillToParty>";
        let text = format!(
            "<Parties><CustomerParty><Name>b</Name></CustomerParty>{}</Parties>",
            unit.repeat(n / unit.len())
        );
        specificatie(&text, text.len())
    }),
    ("addresses", |n| {
        let unit = "<PrimaryAddress><AddressLine>a</AddressLine></PrimaryAddress>";
        let text = format!(
            "<Parties><CustomerParty><Addresses>{}</Addresses></CustomerParty></Parties>",
            unit.repeat(n / unit.len())
        );
        specificatie(&text, text.len())
    }),
    ("charges and taxes", |n| {
        let unit = "<Charges><Charge><Total>1</Total></Charge></Charges><Tax><PercentQuantity>1\
            </PercentQuantity></Tax>";
        specificatie(unit, n)
    }),
    ("percentages", |n| specificatie("<Tax><PercentQuantity uom='BTW'/></Tax>", n)),
];
