//! Allowances and charges of a document (BG-20, BG-21) or of a line (BG-27, BG-28).

use super::group::group;
use super::{
    Amount, Field, Identifier, Indicator, Number, Percentage, ReasonCode, TaxCategory, Text,
};

group! {
    /// One allowance (the indicator is false) or charge (it is true): BG-20, BG-21, BG-27, BG-28.
    AllowanceCharge {
        /// Which of the two it is; the sign of the amount says nothing about it.
        indicator: Field<Indicator<'d>>,
        /// BT-92, BT-99, BT-136, BT-141: the amount without VAT.
        amount: Field<Amount<'d>>,
        /// BT-93, BT-100, BT-137, BT-142: what the percentage is of.
        base_amount: Field<Amount<'d>>,
        /// BT-94, BT-101, BT-138, BT-143: the percentage.
        percentage: Field<Percentage<'d>>,
        /// BT-95 and BT-96, BT-102 and BT-103: VAT category and rate (EN: document level only).
        tax_category: Field<TaxCategory<'d>>,
        /// BT-97, BT-104, BT-139, BT-144: the reason in words.
        reason: Field<Text<'d>>,
        /// BT-98, BT-105, BT-140, BT-145: the reason as a code.
        reason_code: Field<ReasonCode<'d>>,
        /// Extension: in which order several are applied (`SequenceNumeric`).
        sequence: Field<Number<'d>>,
        /// Extension (CII): to how many the amount belongs.
        base_quantity: Field<super::Quantity<'d>>,
        /// Extension (UBL): the tax on it (`TaxTotal/TaxAmount`), which SI-UBL 1 writes.
        tax: Field<Amount<'d>>,
        /// Extension: its identifier (`cbc:ID` in UBL).
        id: Field<Identifier<'d>>,
        /// Extension (ebInterface): the tax on it, with what is taxed.
        taxes: Vec<super::VatBreakdown<'d>>,
    }
}

impl AllowanceCharge<'_> {
    /// Whether it is an allowance: the indicator is false.
    pub fn is_allowance(&self) -> bool {
        self.indicator.value() == Some(false)
    }

    /// Whether it is a charge: the indicator is true.
    pub fn is_charge(&self) -> bool {
        self.indicator.value() == Some(true)
    }
}
