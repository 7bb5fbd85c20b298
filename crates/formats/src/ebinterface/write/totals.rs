//! Totals (BG-22): those that the target has, and those that its readers compute.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Field, Invoice, Totals};

use super::CENTS;
use crate::writing::{InvoiceOutput, LossKind, sum_of};

/// Writes `TotalGrossAmount` to `PayableAmount`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    let place = invoice.element;
    if !out.first_amount_in("eb:TotalGrossAmount", &totals.with_vat, CENTS) {
        out.refuse_without(place, "the total with VAT (BT-112)", "TotalGrossAmount");
    }
    if let Some(paid) = totals.paid.filled() {
        self::paid(out, paid);
    }
    out.first_amount_in("eb:RoundingAmount", &totals.rounding, CENTS);
    match totals.due.filled() {
        // What 4.0 does not say is computed of the total.
        Some(due) if due.derivation().is_some() => {
            let text = due.value().and_then(|due| crate::writing::in_form(due, CENTS));
            out.constant("eb:PayableAmount", &text.unwrap_or_default(), &[]);
        }
        Some(due) => out.amount_in("eb:PayableAmount", due, CENTS),
        None => out.refuse_without(place, "the amount due (BT-115)", "PayableAmount"),
    }
    if !out.ledger.in_own_words {
        computed(out, invoice, totals);
    }
}

/// BT-113. What stands below the line in the source stands there again.
fn paid<'d>(out: &mut InvoiceOutput<'d>, paid: Amount<'d>) {
    const NAME: &str = "eb:PrepaidAmount";
    if !out.ledger.in_own_words || paid.derivation().is_none() {
        return out.amount_in(NAME, paid, CENTS);
    }
    let said = paid.parts().find(|part| part.element().local() == "PrepaidAmount");
    if let Some(said) = said {
        out.number_in(NAME, said, CENTS);
    }
}

fn computed<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, totals: &Totals<'d>) {
    let place = invoice.element;
    // As they are written: in cents.
    let cents = |amount: Amount<'d>| amount.value().map(Decimal::round_to_cents);
    let own = invoice.lines.iter().map(|line| line.net_amount.filled().and_then(cents));
    let lines = own.collect::<Option<Vec<_>>>().and_then(Decimal::sum);
    let less = sum_of(invoice.allowances().map(|one| one.amount.filled()));
    let less = less.filter(|_| invoice.allowances().next().is_some());
    let more = sum_of(invoice.charges().map(|one| one.amount.filled()));
    let more = more.filter(|_| invoice.charges().next().is_some());
    let (zero, name) = (Decimal::ZERO, "eb:LineItemAmount");
    let net = lines.and_then(|lines| {
        lines.checked_add(more.unwrap_or(zero))?.checked_sub(less.unwrap_or(zero))
    });
    out.computed_total(place, name, &totals.line_net, lines, "BT-106");
    out.computed_total(place, "eb:Reduction", &totals.allowances, less, "BT-107");
    out.computed_total(place, "eb:Surcharge", &totals.charges, more, "BT-108");
    out.computed_total(place, name, &totals.without_vat, net, "BT-109");
    let own = || invoice.breakdown_in_document_currency();
    let vat = sum_of(own().map(|one| one.tax_amount.filled()));
    let vat = vat.filter(|_| own().next().is_some());
    if invoice.tax_currency.text() == invoice.currency.text() {
        for total in invoice.vat_total_in_tax_currency() {
            let reason = "the target has one currency, and the total of VAT is in it";
            out.ledger.list_as(Some("BT-111"), *total, LossKind::Lost, None, reason);
        }
    }
    let said: Field<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    out.computed_total(place, "eb:TaxAmount", &said, vat, "BT-110");
}
