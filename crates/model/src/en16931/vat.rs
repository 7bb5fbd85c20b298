//! VAT: the breakdown by category and rate (BG-23), and the category of a line or an allowance.

use super::group::group;
use super::{
    Amount, Code, Date, Field, Percentage, TaxPointDateCode, TaxSchemeCode, Text, VatCategoryCode,
    VatexCode,
};

group! {
    /// Category and rate, and why no VAT is due: in BG-20, BG-21, BG-23 and BG-30.
    ///
    /// In UBL its element is `TaxCategory` or `ClassifiedTaxCategory`; in CII the terms stand
    /// directly in `ApplicableTradeTax` or `CategoryTradeTax`, which is the element then.
    TaxCategory {
        /// BT-95, BT-102, BT-118, BT-151: the category.
        code: Field<VatCategoryCode<'d>>,
        /// BT-96, BT-103, BT-119, BT-152: the rate in percent.
        rate: Field<Percentage<'d>>,
        /// BT-120: why no VAT is due, in words. PINT has it on lines too.
        exemption_reason: Field<Text<'d>>,
        /// BT-121: why no VAT is due, as a code. PINT has it on lines too.
        exemption_reason_code: Field<VatexCode<'d>>,
        /// `VAT` in EN 16931 (`TaxScheme/ID`, `TypeCode`); kept, because PINT has others.
        scheme: Field<TaxSchemeCode<'d>>,
        /// Extension (UBL): the name of the category (`cbc:Name`), which SI-UBL 1 and others write.
        name: Field<Text<'d>>,
        /// Extension: the name of the tax scheme (`TaxScheme/Name`).
        scheme_name: Field<Text<'d>>,
        /// Extension: the kind of tax (`TaxScheme/TaxTypeCode`).
        scheme_type: Field<Code<'d>>,
        /// Extension (PINT): an amount for each unit instead of a rate (`PerUnitAmount`).
        per_unit_amount: Field<Amount<'d>>,
    }
}

impl<'d> TaxCategory<'d> {
    /// Whether the tax scheme is `VAT`, in any case of letters, as the official rules compare it.
    pub fn is_vat(&self) -> bool {
        self.scheme.iter().any(|scheme| scheme.trimmed().eq_ignore_ascii_case("VAT"))
    }

    /// Whether the category is this code.
    pub fn is(&self, code: &str) -> bool {
        self.code.is(code)
    }
}

group! {
    /// BG-23: what is taxed, and how much, in one category at one rate.
    VatBreakdown {
        /// BT-116: the taxable amount.
        taxable_amount: Field<Amount<'d>>,
        /// BT-117: the VAT amount.
        tax_amount: Field<Amount<'d>>,
        /// BT-118 to BT-121: category, rate, exemption reason and its code.
        category: Field<TaxCategory<'d>>,
        /// BT-7 in CII: the VAT point date ([`super::Invoice::tax_point_date`] has all of them).
        point_date: Field<Date<'d>>,
        /// BT-8 in CII: the code ([`super::Invoice::tax_point_date_code`] has all of them).
        point_date_code: Field<TaxPointDateCode<'d>>,
        /// Extension (CII): sum of the line amounts of the category (`LineTotalBasisAmount`).
        line_total: Field<Amount<'d>>,
        /// Extension (CII): allowances and charges in it (`AllowanceChargeBasisAmount`).
        allowance_charge_total: Field<Amount<'d>>,
        /// Extension (UBL): the VAT in the tax currency (`TransactionCurrencyTaxAmount`).
        tax_currency_amount: Field<Amount<'d>>,
        /// Extension (UBL): a rate outside the category (`cbc:Percent`), which UBL 2.0 had.
        percent: Field<Percentage<'d>>,
        /// Extension (PINT my): what a unit is (`BaseUnitMeasure`).
        base_unit_measure: Field<super::Quantity<'d>>,
        /// Extension (PINT my): an amount for each unit (`PerUnitAmount`).
        per_unit_amount: Field<Amount<'d>>,
        /// Extension (FatturaPA): accessory expenses in it (`SpeseAccessorie`).
        accessory: Field<Amount<'d>>,
        /// Extension (FatturaPA): what rounding the taxable amount made (`Arrotondamento`).
        rounding: Field<Amount<'d>>,
        /// Extension (FatturaPA): when the VAT is due: at once, deferred, or paid by the buyer
        /// (`EsigibilitaIVA`: `I`, `D`, `S`).
        payability: Field<Code<'d>>,
    }
}
