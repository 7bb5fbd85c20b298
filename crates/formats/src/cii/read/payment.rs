//! Payment in CII: BT-9, BT-20, BG-16 to BG-19.

use quoin_xml::tree::Element;

use super::{date, party, ram};
use crate::reading::Pass;
use quoin_model::en16931::{
    Card, CreditTransfer, DirectDebit, Field, Invoice, PartyRole, PaymentMeans, PaymentTerms,
    TermsAdjustment,
};

/// Reads `SpecifiedTradeSettlementPaymentMeans`.
pub(super) fn means<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PaymentMeans<'d> {
    let mut means = PaymentMeans::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "TypeCode" => pass.take(&mut means.code, child),
            "Information" => pass.take(&mut means.text, child),
            "PayeePartyCreditorFinancialAccount" => account(pass, &mut means, child),
            "PayeeSpecifiedCreditorFinancialInstitution" => institution(pass, &mut means, child),
            "ApplicableTradeSettlementFinancialCard" => means.card.push(card(pass, child)),
            "PayerPartyDebtorFinancialAccount" => means.direct_debit.push(debit(pass, child)),
            "PayerSpecifiedDebtorFinancialInstitution" => {
                if means.direct_debit.is_absent() {
                    means.direct_debit.push(DirectDebit::new(child));
                }
                if let Some(debit) = means.direct_debit.all_mut().last_mut() {
                    super::wrapped(pass, &mut debit.provider, child, "BICID");
                }
            }
            "ID" => pass.take(&mut means.id, child),
            "PaymentChannelCode" => pass.take(&mut means.channel, child),
            _ => pass.unread(child),
        }
    }
    means
}

fn account<'d>(pass: &mut Pass<'d>, means: &mut PaymentMeans<'d>, element: Element<'d>) {
    let mut account = CreditTransfer::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "IBANID" | "ProprietaryID" => pass.take(&mut account.account, child),
            "AccountName" => pass.take(&mut account.name, child),
            _ => pass.unread(child),
        }
    }
    means.credit_transfers.push(account);
}

/// The provider (BT-86) stands beside the account, and belongs to the one before it. Without an
/// account it is a credit transfer of its own.
fn institution<'d>(pass: &mut Pass<'d>, means: &mut PaymentMeans<'d>, element: Element<'d>) {
    if means.credit_transfers.is_absent() {
        means.credit_transfers.push(CreditTransfer::new(element));
    }
    let (mut provider, mut name) = (Field::default(), Field::default());
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "BICID" => pass.take(&mut provider, child),
            "Name" => pass.take(&mut name, child),
            _ => pass.unread(child),
        }
    }
    if let Some(transfer) = means.credit_transfers.all_mut().last_mut() {
        transfer.provider.append(&mut provider);
        transfer.provider_name.append(&mut name);
    }
}

fn card<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Card<'d> {
    let mut card = Card::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" => pass.take(&mut card.number, child),
            "CardholderName" => pass.take(&mut card.holder, child),
            "TypeCode" => pass.take(&mut card.network, child),
            _ => pass.unread(child),
        }
    }
    card
}

fn debit<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DirectDebit<'d> {
    let mut debit = DirectDebit::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "IBANID" | "ProprietaryID" => pass.take(&mut debit.debited_account, child),
            "AccountName" => pass.take(&mut debit.debited_account_name, child),
            _ => pass.unread(child),
        }
    }
    debit
}

/// Reads `SpecifiedTradePaymentTerms`, and what of it the document level has (BT-9, BT-89).
pub(super) fn terms<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut terms = PaymentTerms::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "Description" => pass.take(&mut terms.text, child),
            "DueDateDateTime" => date(pass, &mut terms.due_date, child),
            "DirectDebitMandateID" => {
                pass.take(&mut invoice.payment.mandate_reference, child);
            }
            "PartialPaymentAmount" => pass.take(&mut terms.amount, child),
            "PartialPaymentPercent" => pass.take(&mut terms.percentage, child),
            "ID" => pass.take(&mut terms.id, child),
            "ApplicableTradePaymentDiscountTerms" => {
                terms.discounts.push(adjustment(pass, child));
            }
            "ApplicableTradePaymentPenaltyTerms" => {
                terms.penalties.push(adjustment(pass, child));
            }
            "PayeeTradeParty" => terms.payee.push(party::read(pass, PartyRole::Payee, child)),
            _ => pass.unread(child),
        }
    }
    invoice.due_date.extend(terms.due_date.iter().copied());
    invoice.payment.terms.push(terms);
}

fn adjustment<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TermsAdjustment<'d> {
    let mut adjustment = TermsAdjustment::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "BasisDateTime" => date(pass, &mut adjustment.basis_date, child),
            "BasisPeriodMeasure" => pass.take(&mut adjustment.basis_period, child),
            "BasisAmount" => pass.take(&mut adjustment.basis_amount, child),
            "CalculationPercent" => pass.take(&mut adjustment.percentage, child),
            "ActualDiscountAmount" | "ActualPenaltyAmount" => {
                pass.take(&mut adjustment.amount, child);
            }
            _ => pass.unread(child),
        }
    }
    adjustment
}
