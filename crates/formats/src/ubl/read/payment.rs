//! Payment in UBL: BT-9, BT-20, BG-16 to BG-19.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{delivery, name, party};
use crate::reading::Pass;
use quoin_model::en16931::{
    AttributeName, Card, CreditTransfer, DirectDebit, Invoice, PaymentMeans, PaymentTerms,
    PrepaidPayment, Root, TermsAdjustment, Text, ValueSource,
};

/// Reads `PaymentMeans`, and what of it the document level has too (BT-9, BT-83, BT-89).
pub(super) fn means<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut means = PaymentMeans::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("PaymentMeansCode") => {
                pass.take(&mut means.code, child);
                let text = ValueSource::attribute_of(child, AttributeName::Name);
                means.text.extend(text.map(Text::from));
            }
            Basic("PaymentID") => pass.take(&mut means.remittance, child),
            Basic("PaymentDueDate") => pass.take(&mut means.due_date, child),
            Aggregate("PayeeFinancialAccount") => {
                means.credit_transfers.push(account(pass, child));
            }
            Aggregate("CardAccount") => means.card.push(card(pass, child)),
            Aggregate("PaymentMandate") => means.direct_debit.push(mandate(pass, child)),
            Basic("ID") => pass.take(&mut means.id, child),
            Basic("PaymentChannelCode") => pass.take(&mut means.channel, child),
            Basic("InstructionID") => pass.take(&mut means.instruction_id, child),
            Basic("InstructionNote") => pass.take(&mut means.instruction_note, child),
            _ => pass.unread(child),
        }
    }
    invoice.payment.remittance.extend(means.remittance.iter().copied());
    let mandates = means.direct_debit.iter().flat_map(|debit| debit.mandate_reference.iter());
    invoice.payment.mandate_reference.extend(mandates.copied());
    if invoice.root == Root::CreditNote {
        invoice.due_date.extend(means.due_date.iter().copied());
    }
    invoice.payment.means.push(means);
}

fn account<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> CreditTransfer<'d> {
    let mut account = CreditTransfer::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut account.account, child),
            Basic("Name") => pass.take(&mut account.name, child),
            Basic("CurrencyCode") => pass.take(&mut account.currency, child),
            Basic("AccountTypeCode") => pass.take(&mut account.account_type, child),
            Basic("PaymentNote") => pass.take(&mut account.note, child),
            Aggregate("FinancialInstitutionBranch") => branch(pass, &mut account, child),
            _ => pass.unread(child),
        }
    }
    account
}

fn branch<'d>(pass: &mut Pass<'d>, account: &mut CreditTransfer<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut account.provider, child),
            Basic("Name") => pass.take(&mut account.provider_name, child),
            Aggregate("Address") => account.provider_address.push(party::address(pass, child)),
            Aggregate("FinancialInstitution") => {
                pass.open(child);
                for part in child.elements() {
                    match name(part) {
                        Basic("ID") => pass.take(&mut account.institution, part),
                        Basic("Name") => pass.take(&mut account.provider_name, part),
                        Aggregate("Address") => {
                            account.provider_address.push(party::address(pass, part));
                        }
                        _ => pass.unread(part),
                    }
                }
            }
            _ => pass.unread(child),
        }
    }
}

fn card<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Card<'d> {
    let mut card = Card::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("PrimaryAccountNumberID") => pass.take(&mut card.number, child),
            Basic("HolderName") => pass.take(&mut card.holder, child),
            Basic("NetworkID") => pass.take(&mut card.network, child),
            _ => pass.unread(child),
        }
    }
    card
}

fn mandate<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DirectDebit<'d> {
    let mut debit = DirectDebit::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut debit.mandate_reference, child),
            Aggregate("PayerFinancialAccount") => {
                pass.open(child);
                for part in child.elements() {
                    match name(part) {
                        Basic("ID") => pass.take(&mut debit.debited_account, part),
                        Basic("Name") => pass.take(&mut debit.debited_account_name, part),
                        Aggregate("FinancialInstitutionBranch") => {
                            super::wrapped(pass, &mut debit.provider, part, "ID");
                        }
                        _ => pass.unread(part),
                    }
                }
            }
            _ => pass.unread(child),
        }
    }
    debit
}

/// Reads `PaymentTerms`.
pub(super) fn terms<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PaymentTerms<'d> {
    let mut terms = PaymentTerms::new(element);
    let mut discount = TermsAdjustment::new(element);
    let mut penalty = TermsAdjustment::new(element);
    let (mut has_discount, mut has_penalty) = (false, false);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("Note") => pass.take(&mut terms.text, child),
            Basic("InstallmentDueDate" | "PaymentDueDate") => {
                pass.take(&mut terms.due_date, child);
            }
            Basic("Amount") => pass.take(&mut terms.amount, child),
            Basic("PaymentMeansID") => pass.take(&mut terms.means_id, child),
            Basic("ID") => pass.take(&mut terms.id, child),
            Basic("PaymentPercent") => pass.take(&mut terms.percentage, child),
            Basic("SettlementDiscountPercent") => pass.take(&mut discount.percentage, child),
            Basic("SettlementDiscountAmount") => pass.take(&mut discount.amount, child),
            Aggregate("SettlementPeriod") => {
                discount.periods.push(delivery::period(pass, child));
            }
            Basic("PenaltySurchargePercent") => pass.take(&mut penalty.percentage, child),
            Basic("PenaltyAmount") => pass.take(&mut penalty.amount, child),
            Aggregate("PenaltyPeriod") => penalty.periods.push(delivery::period(pass, child)),
            Aggregate("ValidityPeriod") => terms.validity.push(delivery::period(pass, child)),
            _ => pass.unread(child),
        }
        has_discount |= child.local().starts_with("Settlement");
        has_penalty |= child.local().starts_with("Penalty");
    }
    terms.discounts.extend(has_discount.then_some(discount));
    terms.penalties.extend(has_penalty.then_some(penalty));
    terms
}

/// Reads `PrepaidPayment`.
pub(super) fn prepaid<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PrepaidPayment<'d> {
    let mut payment = PrepaidPayment::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut payment.id, child),
            Basic("PaidAmount") => pass.take(&mut payment.amount, child),
            Basic("InstructionID") => pass.take(&mut payment.instruction, child),
            Basic("ReceivedDate") => pass.take(&mut payment.received_on, child),
            Basic("PaidDate") => pass.take(&mut payment.paid_on, child),
            Basic("PaidTime") => pass.take(&mut payment.paid_at, child),
            _ => pass.unread(child),
        }
    }
    payment
}
