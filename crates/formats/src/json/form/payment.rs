//! Payment: BG-16 to BG-19, BT-20, BT-83, BT-89, BT-90.

use quoin_model::en16931::Payment;

use super::{begin, form};
use crate::json::output::JsonOutput;

begin!(Card, CreditTransfer, DirectDebit, PaymentMeans);

form! { Payment {
    "terms": terms(*), "BT-20: the terms of payment.";
    "remittance": once(remittance), "BT-83: what to write on the payment.";
    "mandateReference": once(mandate_reference), "BT-89: the mandate of a direct debit.";
    "creditorIdentifier": once(creditor_identifier), "BT-90: who collects a direct debit.";
    "means": groups<PaymentMeans>(means), "BG-16: ways to pay.";
} tells tell_creditor }

form! { PaymentMeans {
    "code": text(code), "BT-81: how (UNTDID 4461).";
    "text": text(text), "BT-82: how, in words.";
    "creditTransfers": several<CreditTransfer>(credit_transfers), "BG-17: accounts to pay to.";
    "card": group<Card>(card), "BG-18: the card.";
    "debitedAccount": text(direct_debit => debited_account),
        "BT-91: the account that is debited.";
} }

form! { CreditTransfer {
    "account": text(account), "BT-84: the account.";
    "name": text(name), "BT-85: its name.";
    "provider": text(provider), "BT-86: the bank.";
} }

form! { Card {
    "number": text(number), "BT-87: the last digits of the number.";
    "network": text(network), "The network, which UBL asks for (an extension).";
    "holder": text(holder), "BT-88: the holder.";
} }

/// The scheme `SEPA` of BT-90 is a word of UBL.
fn tell_creditor<'d>(out: &mut JsonOutput<'d>, payment: &Payment<'d>) {
    let ids = payment.creditor_identifier.iter();
    for scheme in ids.filter_map(|id| id.scheme()).filter(|scheme| scheme.is("SEPA")) {
        out.ledger.carry(scheme);
    }
}
