//! Invoices of DICO and SETU that ask for much work.

use super::{Case, Parser, invoices, repeat};

/// The row of DICO.
pub(super) const DICO: Parser =
    Parser { name: "DICO", covers: &[], cases: DICO_CASES, size: 16 << 10, run: invoices };
/// The row of SETU.
pub(super) const SETU: Parser =
    Parser { name: "SETU", covers: &[], cases: SETU_CASES, size: 16 << 10, run: invoices };

/// An invoice of DICO that has this again and again.
fn factuur(unit: &str, bytes: usize) -> Vec<u8> {
    let head = "<Invoice xmlns='http://www.ketenstandaard.nl/factuur/SALES/005'>";
    repeat(head, unit, "</Invoice>", bytes)
}

const DICO_CASES: &[Case] = &[
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

const SETU_CASES: &[Case] = &[
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
