//! What the invoices of the Netherlands have beyond EN 16931, as typed groups: DICO of building and
//! installation, SETU of staffing.
//!
//! Sources: DICO SALES005, INSBOU003 and INSBOU004 (Ketenstandaard Bouw en Techniek); SETU Standard
//! for Invoicing 1.0 to 1.4 (HR-XML 2.5).

use super::group::group;
use super::{
    AllowanceCharge, Amount, Code, Field, Identifier, ItemAttribute, Number, Percentage, Quantity,
    Text,
};

group! {
    /// What a Dutch invoice says of itself.
    DutchExtensions {
        /// DICO `ChainLiabilityIndicator`: whether the chain is liable for wage taxes (Wka), `J` or
        /// `N`.
        chain_liability: Field<Code<'d>>,
        /// DICO `PaymentOnBlockedAccount`, SETU `FinancialGuarantee`: what is paid to the blocked
        /// account (G account).
        blocked_account: Vec<BlockedAccount<'d>>,
        /// DICO `TotalAmountSubjectToPaymentDiscount`: of what a discount for early payment is.
        discountable_total: Field<Amount<'d>>,
        /// DICO `TotalAmountInvoiceChargeAllowance`, where it is not what the charges and
        /// allowances are together.
        charge_allowance_total: Field<Amount<'d>>,
        /// DICO `EndCustomerOrderNumber`: the order of the buyer's own customer.
        end_customer_order: Field<Identifier<'d>>,
        /// SETU `Description` of the header: what the document is for.
        description: Field<Text<'d>>,
        /// SETU `ReasonCode` of the header: services, hours or both.
        reason_code: Field<Code<'d>>,
        /// SETU `Reason`: regular, pro forma or self-billing.
        reasons: Field<Text<'d>>,
        /// SETU `Charge` of the header that sums the lines of VAT which is charged on
        /// (`TotalOnChargedVAT`); it is in the sum of the lines.
        on_charged_vat: Vec<AllowanceCharge<'d>>,
        /// SETU `CustomerReportingRequirements` of the header.
        requirements: Vec<StaffingRequirements<'d>>,
        /// SETU `ReferenceInformation`: numbers of parties and assignments, each with who gave it.
        references: Vec<StaffingReference<'d>>,
        /// SETU: lines with lines in them.
        groups: Vec<StaffingGroup<'d>>,
    }
}

group! {
    /// What is paid to a blocked account.
    BlockedAccount {
        /// SETU: what it is called (`G-account`).
        name: Field<Text<'d>>,
        /// How much.
        amount: Field<Amount<'d>>,
        /// SETU: how many percent.
        percentage: Field<Percentage<'d>>,
    }
}

group! {
    /// SETU `CustomerReportingRequirements`: what the customer wants to be told. What is a term of
    /// EN 16931 there (BT-10, BT-11, BT-13, BT-19, BT-132, BT-133) is not in it.
    StaffingRequirements {
        /// Managers, departments, locations, cost centres and jobs, in order; the element says
        /// which.
        values: Vec<Text<'d>>,
        /// What else, with its title (`AdditionalRequirement`).
        others: Vec<ItemAttribute<'d>>,
    }
}

group! {
    /// SETU: a number of a party, an order or an assignment. Its element says of what.
    StaffingReference {
        /// The number.
        id: Field<Identifier<'d>>,
        /// Who gave it (`@idOwner`).
        owner: Field<Code<'d>>,
    }
}

group! {
    /// SETU: a line that has lines in it. Its amounts are those of its lines together.
    StaffingGroup {
        /// Its number.
        id: Field<Identifier<'d>>,
        /// Its text. Each of its lines has it as its note (BT-127).
        description: Field<Text<'d>>,
        /// What was charged (`ReasonCode`).
        reason_code: Field<Code<'d>>,
        /// Its total, where it is not that of its lines.
        total: Field<Amount<'d>>,
        /// The rate of VAT of its lines.
        rate: Field<Percentage<'d>>,
        /// The VAT of its lines, and of how much.
        taxes: Vec<Amount<'d>>,
        /// What the customer wants to be told.
        requirements: Vec<StaffingRequirements<'d>>,
        /// The industry of the customer (`IndustryCode`).
        industry: Field<Code<'d>>,
        /// Which of [`super::Invoice::lines`] they are.
        lines: std::ops::Range<usize>,
    }
}

/// What a line of a Dutch invoice has beyond BG-25.
#[derive(Debug, Clone, Default)]
pub struct DutchLine<'d> {
    /// DICO `FurtherIdentifyingCharacteristics`: labour or material.
    pub kind: Field<Code<'d>>,
    /// DICO `DeliveredQuantity`, where it is not the quantity that is invoiced.
    pub delivered: Field<Quantity<'d>>,
    /// DICO `PhysicalDimensions`: width, length and height, each with the unit.
    pub dimensions: Vec<Quantity<'d>>,
    /// DICO `GrossPriceProcessingCharge`: what processing costs.
    pub processing_charge: Field<Amount<'d>>,
    /// DICO `PriceBaseDescription`: to what the price belongs, in words.
    pub price_basis: Field<Text<'d>>,
    /// DICO `TradeItemProcessing`: what was done with the item.
    pub processing: Vec<DutchProcessing<'d>>,
    /// SETU `CustomerReportingRequirements` of the line.
    pub requirements: Vec<StaffingRequirements<'d>>,
    /// SETU `TaxAmount` and `TaxBaseAmount` of the line.
    pub taxes: Vec<Amount<'d>>,
}

group! {
    /// DICO `TradeItemProcessing`.
    DutchProcessing {
        /// The trade item number of the work (`ProcessingGTIN`).
        id: Field<Identifier<'d>>,
        /// When in the order of several.
        sequence: Field<Number<'d>>,
        /// What, in words.
        description: Field<Text<'d>>,
    }
}
