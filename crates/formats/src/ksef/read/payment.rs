//! Payment: BT-9, BT-20, BG-16, BG-17; what is paid and due: BT-113 to BT-115.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Agreement, Amount, CreditTransfer, Invoice, PaymentMeans, PaymentTerms, PolishAccount,
    PolishBody, PolishDue, PolishPayment, PolishSettlement, PolishSettlementEntry, PolishSkonto,
    Text,
};

use super::super::codes::{PAYMENT_FORMS, ROUNDING};
use super::signed_amount;
use crate::reading::{RunningSum, agreement, implied, joined, mapped, summed};

/// Says everything about payment.
pub(super) fn tell<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>, is_credit: bool) {
    for own in &body.payment {
        means(invoice, own);
        own.due.iter().for_each(|one| due(invoice, one));
        own.skonto.iter().for_each(|one| skonto(invoice, one));
    }
    match body.settlement.first() {
        Some(own) => settlement(invoice, own, is_credit),
        None => paid(invoice, body),
    }
}

/// BG-16.
fn means<'d>(invoice: &mut Invoice<'d>, own: &PolishPayment<'d>) {
    let mut means = PaymentMeans::new(own.element);
    means.code.extend(own.form.iter().map(|form| mapped(**form, PAYMENT_FORMS)));
    if own.is_other.is("1") {
        means.code.push(implied(own.element, "ZZZ"));
    }
    means.text = own.text.clone();
    for account in own.accounts.iter().chain(&own.factor_accounts) {
        means.credit_transfers.push(transfer(account));
    }
    let has_more = means.credit_transfers.is_present() || means.text.is_present();
    if means.code.is_present() || has_more {
        invoice.payment.means.push(means);
    }
}

fn transfer<'d>(own: &PolishAccount<'d>) -> CreditTransfer<'d> {
    let mut one = CreditTransfer::new(own.element);
    one.account = own.number.clone();
    one.provider = own.swift.clone();
    one.provider_name = own.bank.clone();
    one.name = own.text.clone();
    one
}

/// BT-9, and what is due so long after an event (BT-20).
fn due<'d>(invoice: &mut Invoice<'d>, own: &PolishDue<'d>) {
    let mut terms = PaymentTerms::new(own.element);
    terms.due_date = own.day.clone();
    invoice.due_date.extend(own.day.iter().copied());
    for event in &own.event {
        let count = event.count.iter().map(|count| Text::from(**count));
        let parts: Vec<Text<'d>> =
            count.chain(event.unit.iter().copied()).chain(event.from.iter().copied()).collect();
        if !parts.is_empty() {
            terms.text.push(joined(event.element, &[], &parts, " "));
        }
        terms.text.extend(event.words.iter().copied());
    }
    invoice.payment.terms.push(terms);
}

/// BT-20: a discount for early payment, in words.
fn skonto<'d>(invoice: &mut Invoice<'d>, own: &PolishSkonto<'d>) {
    let mut terms = PaymentTerms::new(own.element);
    let parts: Vec<Text<'d>> = own.amount.iter().chain(&own.condition).copied().collect();
    terms.text.push(joined(own.element, &["Skonto:"], &parts, " "));
    invoice.payment.terms.push(terms);
}

/// From the total to what is due: deductions are paid, less charges; rounding is told by its
/// reason.
fn settlement<'d>(invoice: &mut Invoice<'d>, own: &PolishSettlement<'d>, is_credit: bool) {
    let currency = invoice.currency.get();
    let is_rounding = |one: &&PolishSettlementEntry<'d>| one.reason.is(ROUNDING);
    let Some(totals) = invoice.totals.all_mut().first_mut() else { return };
    for (entries, is_charge) in [(&own.charges, true), (&own.deductions, false)] {
        for one in entries.iter().filter(is_rounding) {
            let is_other = is_charge == is_credit;
            let amounts = one.amount.iter().map(|amount| signed_amount(*amount, is_other));
            totals.rounding.extend(amounts);
        }
    }
    let [mut more, mut less] = [RunningSum::default(); 2];
    let mut only: Vec<(Amount<'d>, bool)> = Vec::new();
    for (entries, is_charge) in [(&own.charges, true), (&own.deductions, false)] {
        for one in entries.iter().filter(|one| !is_rounding(one)) {
            if is_charge { &mut more } else { &mut less }.add(&one.amount);
            only.extend(one.amount.get().map(|amount| (amount, is_charge)));
        }
    }
    match only.as_slice() {
        [] => {}
        [(amount, is_charge)] => totals.paid.push(signed_amount(*amount, *is_charge != is_credit)),
        _ => {
            let sum = if is_credit { more.minus(less) } else { less.minus(more) };
            let how = agreement(less.value(), &[own.deductions_total.value()]);
            summed(&mut totals.paid, own.element, sum, how, currency);
        }
    }
    totals.due.extend(own.due.iter().map(|one| signed_amount(*one, is_credit)));
    totals.due.extend(own.to_settle.iter().map(|one| signed_amount(*one, !is_credit)));
    if totals.due.is_absent() {
        totals.due = totals.with_vat.clone();
    }
}

/// Without a settlement the total is due, or what is left of it.
fn paid<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>) {
    let currency = invoice.currency.get();
    let payments = || body.payment.iter();
    let Some(totals) = invoice.totals.all_mut().first_mut() else { return };
    if let Some(mark) = payments().find(|one| one.is_paid.is("1")) {
        // The mark says so much, and no amount does.
        let mut whole = RunningSum::default();
        whole.add(&totals.with_vat);
        summed(&mut totals.paid, mark.element, whole, Agreement::Unsaid, currency);
        totals.due.push(implied(body.element, "0.00"));
        return;
    }
    let mut parts = RunningSum::default();
    for part in payments().flat_map(|one| &one.parts) {
        parts.add(&part.amount);
    }
    if parts.value().is_none_or(|sum| sum.is_zero()) {
        totals.due = totals.with_vat.clone();
        return;
    }
    let mut whole = RunningSum::default();
    whole.add(&totals.with_vat);
    let left = whole.minus(parts);
    let count = payments().map(|one| one.parts.len()).sum::<usize>();
    let first = payments().flat_map(|one| &one.parts).find_map(|one| one.amount.get());
    match first.filter(|_| count == 1) {
        Some(first) => totals.paid.push(first),
        None => summed(&mut totals.paid, body.element, parts, Agreement::Unsaid, currency),
    }
    let how = ends(payments(), left.value());
    summed(&mut totals.due, body.element, left, how, currency);
}

/// Whether what is left is what the mark says: nothing, or something.
fn ends<'p, 'd: 'p>(
    mut payments: impl Iterator<Item = &'p PolishPayment<'d>>,
    left: Option<Decimal>,
) -> Agreement {
    let Some(left) = left else { return Agreement::Unsaid };
    let is_all = payments.any(|one| one.part_mark.is("2"));
    match is_all == left.is_zero() {
        true => Agreement::Agrees,
        false => Agreement::Differs,
    }
}
