//! Codes of DICO and what they are in the lists of EN 16931.
//!
//! Source: the code lists of SALES005 (Ketenstandaard); UNTDID 1001, 4461, 5189, 7161; UN/ECE
//! recommendation 20; ISO 6523.

use crate::reading::CodeTable;

/// Scheme of a global location number.
pub(super) const GLN: &str = "0088";
/// Scheme of a global trade item number.
pub(super) const GTIN: &str = "0160";
/// Scheme of a number of the Dutch chamber of commerce.
pub(super) const KVK: &str = "0106";

/// `InvoiceType`: an invoice, and a correction, which is also how one credits.
pub(super) const INVOICE: &str = "380";
/// A correction.
pub(super) const CORRECTION: &str = "384";
/// What a correction below nought is.
pub(super) const CREDIT_NOTE: &str = "381";

/// Units of the list, by those of EN 16931; `PCE` is no code of recommendation 20.
pub(super) const UNITS: CodeTable = &[
    ("PCE", "H87"),
    ("PCE", "C62"),
    ("PCE", "EA"),
    ("PCE", "XPP"),
    ("MMT", "MMT"),
    ("CMT", "CMT"),
    ("MTR", "MTR"),
    ("MTK", "MTK"),
    ("DD", "DD"),
    ("MLT", "MLT"),
    ("LTR", "LTR"),
    ("MTQ", "MTQ"),
    ("GRM", "GRM"),
    ("KGM", "KGM"),
    ("TNE", "TNE"),
    ("MIN", "MIN"),
    ("HUR", "HUR"),
    ("DAY", "DAY"),
    ("WEE", "WEE"),
    ("MON", "MON"),
    ("ANN", "ANN"),
    ("SEC", "SEC"),
];

/// Ways of payment: in cash, to an account, by direct debit; and what else is one of them.
pub(super) const PAYMENT_MEANS: CodeTable = &[
    ("10", "10"),
    ("42", "42"),
    ("42", "30"),
    ("42", "31"),
    ("42", "57"),
    ("42", "58"),
    ("49", "49"),
    ("49", "59"),
];

/// Categories of VAT that the list has (`VATRateType`).
pub(super) const CATEGORIES: &[&str] = &["AE", "E", "G", "K", "L", "M", "O", "S", "Z"];

/// Reasons of allowances, all of which are discounts in UNTDID 5189.
pub(super) const ALLOWANCES: CodeTable = &[("ADR", "95"), ("ADO", "95")];

/// Reasons of charges, which are codes of UNTDID 7161, too.
pub(super) const CHARGES: &[&str] = &["AAT", "ADR", "ADZ", "AEM", "AEO", "FC", "MAC", "AEQ"];

/// What a charge without a reason of the list is: another service.
pub(super) const OTHER_SERVICE: &str = "ADR";

/// Types of an attached file, by media type. The first is the one that is read.
pub(super) const FILES: CodeTable = &[
    ("PDF", "application/pdf"),
    ("PNG", "image/png"),
    ("JPG", "image/jpeg"),
    ("JPEG", "image/jpeg"),
    ("CSV", "text/csv"),
];
