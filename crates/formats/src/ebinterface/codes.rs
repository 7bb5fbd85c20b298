//! Codes of ebInterface in the lists of EN 16931.
//!
//! Source: the schemas of ebInterface 4.0 to 6.1. A code that is not in a table is kept as written.

use crate::reading::CodeTable;

/// `DocumentType` in UNTDID 1001 (BT-3).
pub(super) const DOCUMENT_TYPES: CodeTable = &[
    ("Invoice", "380"),
    ("CreditMemo", "381"),
    ("FinalSettlement", "218"),
    ("InvoiceForAdvancePayment", "386"),
    ("InvoiceForPartialDelivery", "326"),
    ("SelfBilling", "389"),
    ("SubsequentCredit", "381"),
    ("SubsequentDebit", "383"),
];

/// UNTDID 1001 (BT-3) in `DocumentType`; every other type is an invoice or a credit memo.
pub(super) const DOCUMENT_TYPES_WRITTEN: CodeTable = &[
    ("380", "Invoice"),
    ("381", "CreditMemo"),
    ("383", "SubsequentDebit"),
    ("386", "InvoiceForAdvancePayment"),
    ("326", "InvoiceForPartialDelivery"),
    ("875", "InvoiceForPartialDelivery"),
    ("218", "FinalSettlement"),
    ("876", "FinalSettlement"),
    ("877", "FinalSettlement"),
    ("389", "SelfBilling"),
];

/// What stands for a party without an identifier for VAT, whose element is mandatory.
pub(super) const NO_VAT: &str = "00000000";

/// Whether an identifier for VAT is that filler, be it behind the country.
pub(super) fn is_no_vat(text: &str) -> bool {
    text.strip_prefix("ATU").unwrap_or(text) == NO_VAT
}

/// `AddressIdentifierType` in ISO 6523 (BT-29-1, BT-46-1).
pub(super) const ADDRESS_SCHEMES: CodeTable = &[("GLN", "0088"), ("DUNS", "0060")];

/// Units that are no codes of UN/ECE recommendation 20.
pub(super) const UNITS: CodeTable =
    &[("Stk", "C62"), ("STK", "C62"), ("Stk.", "C62"), ("kg", "KGM"), ("Std", "HUR")];

/// The way of payment, as the element or the type of 4.0 says it, in UNTDID 4461 (BT-81).
pub(super) const PAYMENT_MEANS: CodeTable = &[
    ("UniversalBankTransaction", "30"),
    ("UniversalBankTransactionType", "30"),
    ("SEPADirectDebit", "59"),
    ("DirectDebit", "49"),
    ("DirectDebitType", "49"),
    ("PaymentCard", "48"),
    ("OtherPayment", "ZZZ"),
    ("NoPayment", "ZZZ"),
    ("NoPaymentType", "ZZZ"),
];

/// `TaxExemptionCode` of 4.x that is a category; any other exemption is `E`.
pub(super) const EXEMPTIONS: CodeTable = &[("RCH", "AE")];

/// Languages of ISO 639-2, by both of its codes, and those of ISO 639-1 that version 6 has.
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("bul", "bg"),
    ("ces", "cs"),
    ("cze", "cs"),
    ("dan", "da"),
    ("deu", "de"),
    ("dut", "nl"),
    ("ell", "el"),
    ("eng", "en"),
    ("est", "et"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("ger", "de"),
    ("gle", "ga"),
    ("gre", "el"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("ita", "it"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mlt", "mt"),
    ("nld", "nl"),
    ("nor", "no"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("slk", "sk"),
    ("slo", "sk"),
    ("slv", "sl"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tur", "tr"),
];
