//! Invoices with much of something, for the rooms that read them and the rooms that judge them.

use super::Case;

const INVOICE: &str = include_str!("../../../formats/samples/bis3-invoice.xml");

/// The sample with so many bytes of something before a place.
fn stuffed(sample: &str, place: &str, unit: &str, bytes: usize) -> Vec<u8> {
    assert!(sample.contains(place), "the sample has no {place}");
    sample.replacen(place, &format!("{}{place}", unit.repeat(bytes / unit.len())), 1).into_bytes()
}

const LINE: &str = "<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode=\"C62\">1\
    </cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID=\"EUR\">1.00\
    </cbc:LineExtensionAmount><cac:Item><cbc:Name>a</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S\
    </cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>\
    </cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID=\"EUR\">1.00\
    </cbc:PriceAmount></cac:Price></cac:InvoiceLine>";
const SUBTOTAL: &str = "<cac:TaxSubtotal><cbc:TaxableAmount currencyID=\"EUR\">1.00\
    </cbc:TaxableAmount><cbc:TaxAmount currencyID=\"EUR\">0.21</cbc:TaxAmount><cac:TaxCategory>\
    <cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID>\
    </cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>";
const ALLOWANCE: &str = "<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>\
    <cbc:AllowanceChargeReason>a</cbc:AllowanceChargeReason><cbc:Amount currencyID=\"EUR\">1.00\
    </cbc:Amount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme>\
    <cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:AllowanceCharge>";

/// Invoices with much of something.
pub const INVOICES: &[Case] = &[
    ("lines", |n| stuffed(INVOICE, "<cac:InvoiceLine>", LINE, n)),
    ("empty lines", |n| stuffed(INVOICE, "<cac:InvoiceLine>", "<cac:InvoiceLine/>", n)),
    ("unknown elements", |n| stuffed(INVOICE, "<cac:InvoiceLine>", "<z/>", n)),
    ("namespaces", |n| {
        let many: String = (0..n / 24).map(|at| format!("<z xmlns='urn:x:{at}'>12</z>")).collect();
        stuffed(INVOICE, "<cac:InvoiceLine>", &many, many.len())
    }),
    ("subtotals", |n| stuffed(INVOICE, "<cac:TaxSubtotal>", SUBTOTAL, n)),
    ("allowances", |n| stuffed(INVOICE, "<cac:TaxTotal>", ALLOWANCE, n)),
    ("notes", |n| stuffed(INVOICE, "<cbc:DocumentCurrencyCode>", "<cbc:Note>a</cbc:Note>", n)),
    ("a long number", |n| {
        let number = format!("{}.00</cbc:PayableAmount>", "9".repeat(n));
        let (head, rest) =
            INVOICE.split_once("<cbc:PayableAmount currencyID=\"EUR\">").unwrap_or_default();
        let (_, tail) = rest.split_once("</cbc:PayableAmount>").unwrap_or_default();
        format!("{head}<cbc:PayableAmount currencyID=\"EUR\">{number}{tail}").into_bytes()
    }),
    ("references", |n| {
        stuffed(
            INVOICE,
            "<cac:AccountingSupplierParty>",
            "<cac:AdditionalDocumentReference><cbc:ID>a</cbc:ID></cac:AdditionalDocumentReference>",
            n,
        )
    }),
];
