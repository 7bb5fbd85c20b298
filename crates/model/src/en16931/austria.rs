//! What ebInterface has beyond EN 16931, as typed groups.
//!
//! Source: ebInterface 4.0 to 6.1 (AUSTRIAPRO).

use super::group::group;
use super::{Amount, Code, Date, Field, Identifier, Indicator, ItemAttribute, Text};

group! {
    /// What an Austrian invoice says of itself.
    AustrianExtensions {
        /// The system that made it (`GeneratingSystem`).
        generating_system: Field<Text<'d>>,
        /// Whether somebody has to look at it (`ManualProcessing`).
        manual_processing: Field<Indicator<'d>>,
        /// Facts with a key (`AdditionalInformation`).
        facts: Vec<ItemAttribute<'d>>,
        /// Lists of lines with their texts (`ItemList`).
        groups: Vec<LineGroup<'d>>,
        /// What is paid besides, and is in no total (`BelowTheLineItem`).
        below_the_line: Vec<BelowTheLine<'d>>,
        /// The least to be paid (`MinimumPayment`).
        minimum_payment: Field<Amount<'d>>,
    }
}

group! {
    /// `ItemList`: lines that belong together, and what is said before and after them.
    LineGroup {
        /// What is said before (`HeaderDescription`).
        header: Field<Text<'d>>,
        /// What is said after (`FooterDescription`).
        footer: Field<Text<'d>>,
        /// Which of [`super::Invoice::lines`] they are.
        lines: std::ops::Range<usize>,
    }
}

group! {
    /// `BelowTheLineItem`.
    BelowTheLine {
        /// What it is.
        description: Field<Text<'d>>,
        /// How much.
        amount: Field<Amount<'d>>,
        /// Why.
        reason: Field<Text<'d>>,
        /// Since when (`Reason/@Date`).
        date: Field<Date<'d>>,
    }
}

/// What a payment of ebInterface has beyond BG-16.
#[derive(Debug, Clone, Default)]
pub struct AustrianPayment<'d> {
    /// Whether the consolidator may pay it (`ConsolidatorPayable`).
    pub consolidator_payable: Field<Indicator<'d>>,
    /// The check sum of the payment reference.
    pub check_sum: Field<Text<'d>>,
    /// The bank by its national code, and the country of that code.
    pub bank_code: Field<Identifier<'d>>,
    /// `B2C` or `B2B`.
    pub debit_type: Field<Code<'d>>,
    /// When the money is collected.
    pub collected_on: Field<Date<'d>>,
}
