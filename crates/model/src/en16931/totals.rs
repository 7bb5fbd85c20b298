//! Document totals (BG-22) and the totals of tax (BT-110, BT-111).

use super::group::group;
use super::{Amount, Field, Indicator};

group! {
    /// BG-22: `LegalMonetaryTotal`, `SpecifiedTradeSettlementHeaderMonetarySummation`.
    Totals {
        /// BT-106: sum of the line net amounts.
        line_net: Field<Amount<'d>>,
        /// BT-107: sum of the document allowances.
        allowances: Field<Amount<'d>>,
        /// BT-108: sum of the document charges.
        charges: Field<Amount<'d>>,
        /// BT-109: total without VAT.
        without_vat: Field<Amount<'d>>,
        /// BT-112: total with VAT.
        with_vat: Field<Amount<'d>>,
        /// BT-113: paid amount.
        paid: Field<Amount<'d>>,
        /// BT-114: rounding amount.
        rounding: Field<Amount<'d>>,
        /// BT-115: amount due.
        due: Field<Amount<'d>>,
    }
}

group! {
    /// A total of tax: BT-110 where its currency is BT-5, BT-111 where it is BT-6.
    ///
    /// In UBL its element is `TaxTotal`, in CII each `TaxTotalAmount`.
    TaxTotal {
        /// BT-110 or BT-111, by its currency.
        amount: Field<Amount<'d>>,
        /// Which of [`super::Invoice::vat_breakdown`] stand inside it (UBL); empty in CII, where
        /// the breakdown stands beside it.
        breakdown: std::ops::Range<usize>,
        /// Extension (UBL): what rounding the tax made (`RoundingAmount`).
        rounding: Field<Amount<'d>>,
        /// Extension (PINT ae, om): whether the line amounts include the tax.
        tax_included: Field<Indicator<'d>>,
    }
}
