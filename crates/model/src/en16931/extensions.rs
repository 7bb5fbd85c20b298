//! What a document has beyond EN 16931, as typed groups.
//!
//! Sources: PINT specialisations (A-NZ, AE, EU, JP, MY, OM, SG), XRechnung extension 3.0,
//! Factur-X 1.09 EXTENDED, NLCIUS with G account, UBL 2.1.

use super::group::group;
use super::{
    AllowanceCharge, Amount, Code, CurrencyCode, Date, Derivation, Field, Identifier, Indicator,
    Number, Party, TaxCategory, Text, Time, ValueSource, VatBreakdown,
};

/// Extension groups of the document level.
#[derive(Debug, Clone, Default)]
pub struct Extensions<'d> {
    /// UBL: the version of UBL (`UBLVersionID`).
    pub ubl_version: Field<Identifier<'d>>,
    /// PINT ae: the execution of the process (`ProfileExecutionID`).
    pub profile_execution: Field<Identifier<'d>>,
    /// PINT: the universally unique identifier.
    pub uuid: Field<Identifier<'d>>,
    /// PINT: the time of issue.
    pub issue_time: Field<Time<'d>>,
    /// Whether it is a copy (`CopyIndicator`).
    pub copy: Field<Indicator<'d>>,
    /// CII: whether it is a test (`TestIndicator`).
    pub test: Field<Indicator<'d>>,
    /// CII: the kind of document in words (`ExchangedDocument/Name`).
    pub document_name: Field<Text<'d>>,
    /// CII: the language of the document (`LanguageID`).
    pub language: Field<Code<'d>>,
    /// UBL: BT-19 as a code (`AccountingCostCode`).
    pub accounting_code: Field<Code<'d>>,
    /// UBL: currencies of prices and payment.
    pub currencies: Vec<CurrencyCode<'d>>,
    /// PINT, Factur-X: exchange rates.
    pub exchange_rates: Vec<ExchangeRate<'d>>,
    /// PINT, XRechnung extension (BG-DEX-09): prepayments and third-party payments.
    pub prepaid_payments: Vec<PrepaidPayment<'d>>,
    /// Withholding tax.
    pub withholding: Vec<WithholdingTax<'d>>,
    /// Factur-X: charges for logistics services.
    pub logistics_charges: Vec<LogisticsCharge<'d>>,
    /// Parties in roles that EN has not.
    pub parties: Vec<Party<'d>>,
    /// UBL, Factur-X: further periods, deliveries and the like beyond the first of BG-13.
    pub effective_period: Field<super::Period<'d>>,
    /// Factur-X: terms of delivery that stand with the agreement.
    pub delivery_terms: Vec<super::DeliveryTerms<'d>>,
    /// CII: the reference that who issued the invoice gives (`InvoiceIssuerReference`).
    pub issuer_reference: Field<Text<'d>>,
    /// FatturaPA: what only Italy has.
    pub italy: Option<Box<super::ItalianExtensions<'d>>>,
    /// ebInterface: what only Austria has.
    pub austria: Option<Box<super::AustrianExtensions<'d>>>,
    /// DICO, SETU: what only the Netherlands have.
    pub netherlands: Option<Box<super::DutchExtensions<'d>>>,
    /// FA: the whole of it, of which terms and extensions are views.
    pub poland: Option<Box<super::PolishInvoice<'d>>>,
}

group! {
    /// Extension (PINT, Factur-X): an exchange rate (`TaxExchangeRate`, …).
    ExchangeRate {
        /// From this currency.
        source: Field<CurrencyCode<'d>>,
        /// To this currency.
        target: Field<CurrencyCode<'d>>,
        /// One of the source in the target.
        rate: Field<Number<'d>>,
        /// On which day.
        date: Field<Date<'d>>,
        /// To how many of the source the rate belongs.
        source_base: Field<Number<'d>>,
        /// To how many of the target the rate belongs.
        target_base: Field<Number<'d>>,
        /// How to apply it (`MathematicOperatorCode`).
        operator: Field<Code<'d>>,
        /// ebInterface: in words.
        note: Field<Text<'d>>,
    }
}

group! {
    /// Extension: a prepayment (PINT, Factur-X) or third-party payment (XRechnung BG-DEX-09).
    PrepaidPayment {
        /// Its identifier; BT-DEX-001, the kind of third-party payment.
        id: Field<Identifier<'d>>,
        /// The amount; BT-DEX-002.
        amount: Field<Amount<'d>>,
        /// In words; BT-DEX-003 (`InstructionID`).
        instruction: Field<Identifier<'d>>,
        /// When it was received.
        received_on: Field<Date<'d>>,
        /// When it was paid.
        paid_on: Field<Date<'d>>,
        /// At what time it was paid.
        paid_at: Field<Time<'d>>,
        /// Factur-X: tax in it.
        taxes: Vec<VatBreakdown<'d>>,
        /// Factur-X: the invoice of the advance payment.
        invoices: Vec<super::DocumentReference<'d>>,
    }
}

group! {
    /// Extension: withholding tax (`WithholdingTaxTotal`).
    WithholdingTax {
        /// The total.
        amount: Field<Amount<'d>>,
        /// By category.
        breakdown: Vec<VatBreakdown<'d>>,
        /// FatturaPA: whose tax it is (`TipoRitenuta`).
        kind: Field<Code<'d>>,
        /// FatturaPA: how many percent.
        rate: Field<super::Percentage<'d>>,
        /// FatturaPA: for what is paid (`CausalePagamento`).
        reason: Field<Code<'d>>,
    }
}

group! {
    /// Extension (Factur-X): a charge for logistics (`SpecifiedLogisticsServiceCharge`).
    LogisticsCharge {
        /// What for.
        description: Field<Text<'d>>,
        /// How much.
        amount: Field<Amount<'d>>,
        /// Taxed how.
        tax_category: Field<TaxCategory<'d>>,
    }
}

impl<'d> LogisticsCharge<'d> {
    /// It as a charge of the document (BG-21), which the totals count it as.
    pub fn as_charge(&self) -> AllowanceCharge<'d> {
        let said = ValueSource::of(self.element).saying(Derivation::Named, "true");
        let mut charge = AllowanceCharge::new(self.element);
        charge.indicator.push(Indicator::from(said));
        charge.amount = self.amount.clone();
        charge.reason = self.description.clone();
        charge.tax_category = self.tax_category.clone();
        charge
    }
}
