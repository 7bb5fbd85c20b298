//! Totals (BG-22): what the target has no element for is compared with what readers compute.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Field, Invoice, Totals};

use super::plan::extra;
use crate::writing::{InvoiceOutput, LossKind};

const COMPUTED: &str = "readers of the target compute it of the lines and the summary";

/// Gives each total its fate: it follows from what is written, or it has a row.
pub(super) fn told<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if out.ledger.in_own_words {
        return;
    }
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    let lines = invoice.lines.iter().map(|line| line.net_amount.filled()?.value());
    let others = extra(invoice).map(|one| {
        let amount = one.amount.filled()?.value()?;
        Some(if one.is_charge() { amount } else { amount.negated() })
    });
    let net = sum(lines.chain(others));
    out.computed_total(invoice.element, "PrezzoTotale", &totals.line_net, net, "BT-106");
    out.computed_total(invoice.element, "PrezzoTotale", &totals.allowances, None, "BT-107");
    out.computed_total(invoice.element, "PrezzoTotale", &totals.charges, None, "BT-108");
    let summaries = || invoice.breakdown_in_document_currency();
    let taxable = sum(summaries().map(|one| one.taxable_amount.filled()?.value()));
    out.computed_total(
        invoice.element,
        "ImponibileImporto",
        &totals.without_vat,
        taxable,
        "BT-109",
    );
    let vat = sum(summaries().map(|one| one.tax_amount.filled()?.value()));
    in_tax_currency(out, invoice);
    let own: Field<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    out.computed_total(invoice.element, "Imposta", &own, vat, "BT-110");
    due(out, invoice, totals, taxable, vat);
}

/// BT-111, where BT-6 is BT-5 and the amount is BT-110, too.
fn in_tax_currency<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if invoice.tax_currency.text() != invoice.currency.text() {
        return;
    }
    for total in invoice.vat_total_in_tax_currency() {
        let reason = "the target has one currency, and the total of VAT is in it";
        out.ledger.list_as(Some("BT-111"), *total, LossKind::Lost, None, reason);
    }
}

/// BT-115, which readers take for the total of the document with its rounding.
fn due<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    totals: &Totals<'d>,
    taxable: Option<Decimal>,
    vat: Option<Decimal>,
) {
    let gross = taxable.zip(vat).and_then(|(taxable, vat)| taxable.checked_add(vat));
    let whole = totals.with_vat.filled().map_or(gross, Amount::value);
    if totals.with_vat.filled().is_none()
        && let Some(gross) = gross
    {
        let text = format!("{gross:.2}");
        out.implied("Imposta", &text, invoice.element, Some("BT-112"), COMPUTED);
    }
    if totals.due.filled().is_some_and(|due| out.ledger.is_told(*due)) {
        return;
    }
    let is_exact = whole.map(Decimal::round_to_cents) == gross.map(Decimal::round_to_cents);
    let rounding = totals.rounding.filled().and_then(Amount::value).filter(|_| is_exact);
    let due = match rounding {
        Some(rounding) => whole.and_then(|whole| whole.checked_add(rounding)),
        None => whole,
    };
    out.computed_total(invoice.element, "ImportoTotaleDocumento", &totals.due, due, "BT-115");
}

fn sum(amounts: impl Iterator<Item = Option<Decimal>>) -> Option<Decimal> {
    amounts.collect::<Option<Vec<_>>>().and_then(Decimal::sum)
}
