//! What of the payment is asked for beside something else that a document says of it.

use quoin_model::amount::Decimal;
use quoin_model::en16931::Invoice;

use super::super::ConversionTarget;
use super::terms::{MandatoryTerm, TermGroup, term};

/// Ways to pay by card, and by direct debit (UNTDID 4461).
const CARDS: &[&str] = &["48", "54", "55"];
const DEBITS: &[&str] = &["49", "59"];
const SEPA_DEBIT: &[&str] = &["59"];

/// What XRechnung asks for.
pub(super) const OF_XRECHNUNG: &[MandatoryTerm] = &[
    term(
        "BT-87",
        TermGroup::Document,
        |own| own.payment.means.iter().any(|one| one.card.is_present()),
        "XRechnung asks for the card (BG-18) where that is how to pay (BR-DE-24-a)",
    )
    .of(|own| is_paid_by(own, CARDS)),
    MANDATE,
    term(
        "BT-90",
        TermGroup::Document,
        has_creditor,
        "XRechnung asks for who collects a direct debit, in the words of a bank (BR-DE-30)",
    )
    .of(|own| has_mandate(own) || has_account(own)),
    term(
        "BT-91",
        TermGroup::Document,
        has_account,
        "XRechnung asks for the account that a direct debit is collected from (BR-DE-31)",
    )
    .of(has_mandate),
    // In UBL a creditor alone is no direct debit.
    term(
        "BT-91",
        TermGroup::Document,
        has_account,
        "XRechnung asks for the account that a direct debit is collected from (BR-DE-31)",
    )
    .of(|own| has_creditor(own) && !has_mandate(own))
    .only(ConversionTarget::CII),
    term(
        "BT-91",
        TermGroup::Document,
        |own| has_mandate(own) || has_account(own) || has_creditor(own),
        "XRechnung asks for the direct debit (BG-19) where that is how to pay (BR-DE-25-a)",
    )
    .of(|own| is_paid_by(own, SEPA_DEBIT)),
];

/// What Peppol asks for.
pub(super) const MANDATE: MandatoryTerm = term(
    "BT-89",
    TermGroup::Document,
    has_mandate,
    "the mandate is asked for where a direct debit is how to pay (PEPPOL-EN16931-R061)",
)
.of(|own| is_paid_by(own, DEBITS));

/// When to pay, which EN 16931 asks for in UBL, and Factur-X in EXTENDED.
pub(super) const DAY: MandatoryTerm = term(
    "BT-9",
    TermGroup::Document,
    |own| own.due_date.is_filled() || own.payment.texts().next().is_some(),
    "where something is due, a day or terms of payment (BT-20) are asked for (BR-CO-25)",
)
.of(|own| own.totals.iter().any(|totals| totals.due.value().is_some_and(is_payable)));

fn is_payable(due: Decimal) -> bool {
    !due.is_zero() && !due.is_negative()
}

fn is_paid_by(invoice: &Invoice<'_>, codes: &[&str]) -> bool {
    let mut all = invoice.payment.means.iter().flat_map(|one| one.code.iter());
    all.any(|code| codes.iter().any(|own| code.is(own)))
}

fn has_mandate(invoice: &Invoice<'_>) -> bool {
    let mut debits = invoice.payment.means.iter().flat_map(|one| one.direct_debit.iter());
    let is_said = invoice.payment.mandate_reference.is_filled();
    is_said || debits.any(|debit| debit.mandate_reference.is_filled())
}

fn has_account(invoice: &Invoice<'_>) -> bool {
    let mut debits = invoice.payment.means.iter().flat_map(|one| one.direct_debit.iter());
    debits.any(|debit| debit.debited_account.is_filled())
}

fn has_creditor(invoice: &Invoice<'_>) -> bool {
    invoice.payment.creditor_identifier.is_filled()
}
