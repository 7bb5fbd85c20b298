//! Codes of cXML and what they are in the lists of the model.
//!
//! Source: cXML 1.2 user's guide (InvoiceDetailRequest); UNTDID 1001, 5305, 7143; ISO 6523.

use crate::reading::CodeTable;

/// `@purpose`, and the kind of document (UNTDID 1001).
pub(super) const PURPOSES: CodeTable = &[
    ("standard", "380"),
    ("creditMemo", "381"),
    ("lineLevelCreditMemo", "381"),
    ("debitMemo", "383"),
    ("lineLevelDebitMemo", "383"),
];

/// Which purposes are credit notes, whose amounts and quantities are negative.
pub(super) const CREDITS: &[&str] = &["creditMemo", "lineLevelCreditMemo"];

/// `Request/@deploymentMode`, and whether it is a test.
pub(super) const MODES: CodeTable = &[("production", "false"), ("test", "true")];

/// Domains of classifications, and the lists that they are (UNTDID 7143).
pub(super) const CLASSIFICATIONS: CodeTable = &[("UNSPSC", "TST"), ("CPV", "STI")];

/// Domains of item numbers, and the schemes that they are (ISO 6523).
pub(super) const ITEMS: CodeTable = &[("EAN-13", "0160"), ("EANID", "0160"), ("GTIN", "0160")];

/// Categories of `TaxDetail`, and the taxes that they are (UNTDID 5153).
pub(super) const TAXES: CodeTable = &[("vat", "VAT"), ("VAT", "VAT"), ("gst", "GST")];

/// `TaxDetail/@exemptDetail`, and the category of VAT (UNTDID 5305).
pub(super) const EXEMPTIONS: CodeTable = &[("zeroRated", "Z"), ("exempt", "E")];

/// Roles of a contact that are the seller.
pub(super) const SELLERS: &[&str] = &["from", "billFrom", "issuerOfInvoice", "invoiceFrom"];
/// Roles of a contact that are the buyer.
pub(super) const BUYERS: &[&str] = &["billTo", "soldTo"];

/// Domains of an identifier of a partner that is a number for VAT.
pub(super) const VAT_NUMBERS: &[&str] = &["vatID", "supplierVatID", "buyerVatID"];
/// Domains that are another registration for tax.
pub(super) const TAX_NUMBERS: &[&str] = &["taxID", "supplierTaxID", "taxNumber"];
