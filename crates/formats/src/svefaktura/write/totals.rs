//! Totals (BG-22): the target has what is due, rounded, where EN 16931 has the total with VAT.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Invoice, Totals};

use super::{amount, made_amount, one_amount};
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, sum_of, without_place};

const WHOLE: &str = "the target has what is due, rounded, for the total with VAT";

/// A prepaid amount has no place, and the total is not below nought.
pub(super) fn refuse(invoice: &Invoice<'_>, in_own_words: bool) -> Result<(), ConversionRefusal> {
    let Some(totals) = invoice.totals.first().filter(|_| !in_own_words) else { return Ok(()) };
    let paid = totals.paid.filled();
    if let Some(paid) = paid.filter(|paid| paid.value().is_none_or(|value| !value.is_zero())) {
        let why = "the target has no prepaid amount, and what is due would not be the total";
        return Err(without_place(*paid, why));
    }
    let due = totals.due.filled().or_else(|| totals.with_vat.filled());
    match due.filter(|due| due.value().is_some_and(Decimal::is_negative)) {
        Some(due) => Err(without_place(*due, "the total of the target is not below nought")),
        None => Ok(()),
    }
}

/// Writes `LegalTotal`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    out.group("cac:LegalTotal", |out| {
        lines(out, invoice, totals);
        amount(out, "cbc:TaxExclusiveTotalAmount", &totals.without_vat);
        whole(out, invoice, totals);
        amount(out, "cac:RoundOffAmount", &totals.rounding);
    });
    if out.ledger.in_own_words {
        return;
    }
    for paid in totals.paid.iter().filter(|paid| !paid.is_blank()) {
        out.lost(**paid, "it is nought, and the target has no prepaid amount");
    }
    let place = invoice.element;
    let less = sum_of(invoice.allowances().map(|one| one.amount.filled()));
    let less = less.filter(|_| invoice.allowances().next().is_some());
    let more = sum_of(invoice.charges().map(|one| one.amount.filled()));
    let more = more.filter(|_| invoice.charges().next().is_some());
    out.computed_total(place, "AllowanceCharge", &totals.allowances, less, "BT-107");
    out.computed_total(place, "AllowanceCharge", &totals.charges, more, "BT-108");
}

/// BT-106.
fn lines<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, totals: &Totals<'d>) {
    const NAME: &str = "cbc:LineExtensionTotalAmount";
    if amount(out, NAME, &totals.line_net) {
        return;
    }
    let reason = "the target asks for the sum of the lines";
    let sum = sum_of(invoice.lines.iter().map(|line| line.net_amount.filled()));
    match sum.map(|sum| format!("{sum:.2}")) {
        Some(text) => {
            out.implied(NAME, &text, invoice.element, Some("BT-106"), reason);
            made_amount(out, NAME, &text);
        }
        None => out.refuse_without(invoice.element, "the sum of the lines (BT-106)", NAME),
    }
}

/// `TaxInclusiveTotalAmount` is BT-115. BT-112 is what is left of it without the rounding.
fn whole<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, totals: &Totals<'d>) {
    const NAME: &str = "cbc:TaxInclusiveTotalAmount";
    let rounding = totals.rounding.filled().map_or(Some(Decimal::ZERO), Amount::value);
    match (totals.due.filled(), totals.with_vat.filled()) {
        (Some(due), with_vat) => {
            one_amount(out, NAME, due);
            let Some(own) = with_vat.filter(|own| own.derivation().is_none() && **own != *due)
            else {
                return;
            };
            let exact = due.value().zip(rounding).and_then(|(due, off)| due.checked_sub(off));
            out.one_currency(own);
            match exact.is_some() && exact == own.value() {
                true => out.ledger.derive(*own),
                false => out.told_otherwise(NAME, *own, LossKind::Changed, WHOLE),
            }
        }
        (None, Some(own)) => {
            let due = own.value().zip(rounding).and_then(|(own, off)| own.checked_add(off));
            match due.map(|due| format!("{due:.2}")) {
                Some(text) => {
                    out.implied(NAME, &text, invoice.element, Some("BT-115"), WHOLE);
                    made_amount(out, NAME, &text);
                    out.ledger.derive(*own);
                    out.one_currency(own);
                }
                None => out.refuse_value(*own, "an amount is a number"),
            }
        }
        (None, None) => out.refuse_without(invoice.element, "the amount due (BT-115)", NAME),
    }
}
