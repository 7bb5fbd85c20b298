//! Payment: instructions (BG-16 to BG-19), terms (BT-20) and the day it is due (BT-9).

use quoin_xml::tree::Element;

use super::group::group;
use super::{
    Amount, Code, Date, Field, Identifier, Party, PaymentMeansCode, Percentage, PostalAddress,
    Quantity, Text,
};

/// Everything about payment.
#[derive(Debug, Clone, Default)]
pub struct Payment<'d> {
    /// BG-16: one for each element; the standard's one group is repeated for each account.
    pub means: Vec<PaymentMeans<'d>>,
    /// BT-20: terms.
    pub terms: Vec<PaymentTerms<'d>>,
    /// BT-83: every remittance information, in UBL those of the means (`PaymentID`).
    pub remittance: Field<Identifier<'d>>,
    /// BT-89: every mandate reference (in the means in UBL, in the terms in CII).
    pub mandate_reference: Field<Identifier<'d>>,
    /// BT-90: the creditor identifier (in UBL the identifier of seller or payee with scheme
    /// `SEPA`, in CII `CreditorReferenceID`).
    pub creditor_identifier: Field<Identifier<'d>>,
}

group! {
    /// BG-16: one way to pay (`PaymentMeans`, `SpecifiedTradeSettlementPaymentMeans`).
    PaymentMeans {
        /// BT-81: the code.
        code: Field<PaymentMeansCode<'d>>,
        /// BT-82: in words (`PaymentMeansCode/@name`, `Information`).
        text: Field<Text<'d>>,
        /// BT-83 in UBL ([`Payment::remittance`] has it too).
        remittance: Field<Identifier<'d>>,
        /// BG-17: accounts to pay to.
        credit_transfers: Field<CreditTransfer<'d>>,
        /// BG-18: the card.
        card: Field<Card<'d>>,
        /// BG-19: the direct debit.
        direct_debit: Field<DirectDebit<'d>>,
        /// `PaymentDueDate` (UBL), which is BT-9 in a credit note ([`super::Invoice::due_date`]).
        due_date: Field<Date<'d>>,
        /// Extension (PINT my, om): identifier of the means.
        id: Field<Identifier<'d>>,
        /// Extension (UBL): the channel (`PaymentChannelCode`).
        channel: Field<Code<'d>>,
        /// Extension (UBL): instructions.
        instruction_id: Field<Identifier<'d>>,
        /// Extension (UBL): instructions in words (`InstructionNote`).
        instruction_note: Field<Text<'d>>,
        /// Extension (FatturaPA): what only Italy has.
        italy: Option<Box<super::ItalianPayment<'d>>>,
        /// Extension (ebInterface): what only Austria has.
        austria: Option<Box<super::AustrianPayment<'d>>>,
    }
}

impl PaymentMeans<'_> {
    /// Extension (NLCIUS with G account): whether the account is the blocked one, of which the
    /// identifier of the means says so. How much goes there is in the [`PaymentTerms`] that name
    /// the means.
    pub fn is_blocked_account(&self) -> bool {
        self.id.is("GACCOUNT")
    }
}

group! {
    /// BG-17: an account to pay to.
    CreditTransfer {
        /// BT-84: the account (`PayeeFinancialAccount/ID`, `IBANID` or `ProprietaryID`).
        account: Field<Identifier<'d>>,
        /// BT-85: the name of the account.
        name: Field<Text<'d>>,
        /// BT-86: the payment service provider (`FinancialInstitutionBranch/ID`, `BICID`).
        provider: Field<Identifier<'d>>,
        /// Extension (UBL): the name of the provider.
        provider_name: Field<Text<'d>>,
        /// Extension (UBL): the institution of the branch.
        institution: Field<Identifier<'d>>,
        /// Extension (PINT om): the address of the provider.
        provider_address: Field<PostalAddress<'d>>,
        /// Extension (UBL): currency of the account.
        currency: Field<super::CurrencyCode<'d>>,
        /// Extension (UBL): kind of account (`AccountTypeCode`); a blocked account (G account) of
        /// NLCIUS among them.
        account_type: Field<Code<'d>>,
        /// Extension (UBL): a note on the account (`PaymentNote`).
        note: Field<Text<'d>>,
    }
}

group! {
    /// BG-18: a payment card.
    Card {
        /// BT-87: the last digits of the number.
        number: Field<Identifier<'d>>,
        /// BT-88: the holder.
        holder: Field<Text<'d>>,
        /// Extension: the network, which UBL requires (`NetworkID`).
        network: Field<Identifier<'d>>,
    }
}

group! {
    /// BG-19: a direct debit.
    DirectDebit {
        /// BT-89 in UBL ([`Payment::mandate_reference`] has it too).
        mandate_reference: Field<Identifier<'d>>,
        /// BT-91: the account that is debited.
        debited_account: Field<Identifier<'d>>,
        /// Extension: its name.
        debited_account_name: Field<Text<'d>>,
        /// Extension: the payer's payment service provider.
        provider: Field<Identifier<'d>>,
    }
}

group! {
    /// BT-20, and what extensions say in structure.
    PaymentTerms {
        /// BT-20: the terms in words; XRechnung puts `#SKONTO#` lines here.
        text: Field<Text<'d>>,
        /// BT-9 in CII ([`super::Invoice::due_date`] has it too); the day of an instalment.
        due_date: Field<Date<'d>>,
        /// Extension: the amount of an instalment (`Amount`, `PartialPaymentAmount`).
        amount: Field<Amount<'d>>,
        /// Extension (PINT om): the means of this instalment.
        means_id: Field<Identifier<'d>>,
        /// Extension: identifier of the terms.
        id: Field<Identifier<'d>>,
        /// Extension: its percentage of the whole (`PaymentPercent`).
        percentage: Field<Percentage<'d>>,
        /// Extension: discounts for early payment.
        discounts: Vec<TermsAdjustment<'d>>,
        /// Extension: penalties for late payment.
        penalties: Vec<TermsAdjustment<'d>>,
        /// Extension (UBL): for how long the terms hold.
        validity: Vec<super::Period<'d>>,
        /// Extension (Factur-X): who is paid under these terms.
        payee: Field<Party<'d>>,
        /// Extension (FatturaPA, ebInterface): from which day the term counts.
        basis_date: Field<Date<'d>>,
        /// Extension (FatturaPA): how many days the term is.
        days: Field<super::Number<'d>>,
    }
}

group! {
    /// Extension: a discount for early or a penalty for late payment
    /// (`ApplicableTradePaymentDiscountTerms`, `SettlementDiscountPercent`, …).
    TermsAdjustment {
        /// From when it counts.
        basis_date: Field<Date<'d>>,
        /// For how long.
        basis_period: Field<Quantity<'d>>,
        /// Between which days (UBL).
        periods: Vec<super::Period<'d>>,
        /// Of what.
        basis_amount: Field<Amount<'d>>,
        /// How many percent.
        percentage: Field<Percentage<'d>>,
        /// How much.
        amount: Field<Amount<'d>>,
        /// ebInterface: in words.
        note: Field<Text<'d>>,
    }
}

impl<'d> Payment<'d> {
    /// BT-20: every text that says something.
    pub fn texts(&self) -> impl Iterator<Item = Text<'d>> {
        let texts = self.terms.iter().flat_map(|terms| terms.text.iter().copied());
        texts.filter(|text| !text.is_blank())
    }

    /// BT-20 as one text, a line for each.
    pub fn joined_texts(&self) -> String {
        let mut joined = String::new();
        for text in self.texts() {
            if !joined.is_empty() && !joined.ends_with('\n') {
                joined.push('\n');
            }
            joined.push_str(&text.text());
        }
        joined
    }

    /// BG-17: all accounts, each with the element of its means.
    pub fn credit_transfers(&self) -> impl Iterator<Item = (Element<'d>, &CreditTransfer<'d>)> {
        self.means
            .iter()
            .flat_map(|means| means.credit_transfers.iter().map(|one| (means.element, one)))
    }
}
