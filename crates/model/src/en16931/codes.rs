//! Codes: newtypes over what the document says. A code outside its list is a value as any other.

use super::source::{AttributeName, ValueSource};
use super::value::value;

value! {
    /// A code of a list that has no type of its own here.
    Code: ListId, ListVersionId, ListAgencyId, Name
}

impl<'d> Code<'d> {
    /// The list (`@listID`), if it is given.
    pub fn list(self) -> Option<ValueSource<'d>> {
        self.attribute(AttributeName::ListId)
    }

    /// The version of the list (`@listVersionID`), if it is given.
    pub fn list_version(self) -> Option<ValueSource<'d>> {
        self.attribute(AttributeName::ListVersionId)
    }
}

/// Declares the code types, each with its list. Where UBL writes a code as an identifier it has
/// the attributes of one.
macro_rules! codes {
    ($($name:ident: $list:literal;)*) => {$(
        value! {
            #[doc = $list]
            $name: ListId, ListVersionId, ListAgencyId, Name, SchemeId, SchemeAgencyId,
                SchemeVersionId
        }

        impl<'d> From<$name<'d>> for Code<'d> {
            fn from(code: $name<'d>) -> Self {
                Code(code.0)
            }
        }
    )*};
}

codes! {
    InvoiceTypeCode: "Kind of document: UNTDID 1001 (BT-3).";
    CurrencyCode: "Currency: ISO 4217 (BT-5, BT-6, `@currencyID`).";
    CountryCode: "Country: ISO 3166-1 alpha-2 (BT-40 and its like).";
    TaxPointDateCode: "When VAT falls due: UNTDID 2005 in UBL, 2475 in CII (BT-8).";
    NoteSubjectCode: "What a note is about: UNTDID 4451 (BT-21).";
    PaymentMeansCode: "How is paid: UNTDID 4461 (BT-81).";
    VatCategoryCode: "VAT category: UNTDID 5305 (BT-95, BT-102, BT-118, BT-151).";
    TaxSchemeCode: "Tax scheme: `VAT`, and in PINT `GST`, `SST` and others.";
    VatexCode: "Why no VAT is due: CEF VATEX (BT-121).";
    ReasonCode: "Why an allowance (UNTDID 5189) or a charge (UNTDID 7161) is made.";
    UnitCode: "Unit: UN/ECE recommendations 20 and 21 (BT-130, BT-150).";
    ReferenceTypeCode: "Scheme of an object identifier: UNTDID 1153 (BT-18-1, BT-128-1).";
    DocumentTypeCode: "Kind of a referenced document: UNTDID 1001 (50, 130, 916).";
}
