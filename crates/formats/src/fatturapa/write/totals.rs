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
    one(out, invoice, "PrezzoTotale", &totals.line_net, net, "BT-106");
    one(out, invoice, "PrezzoTotale", &totals.allowances, None, "BT-107");
    one(out, invoice, "PrezzoTotale", &totals.charges, None, "BT-108");
    let summaries = || invoice.breakdown_in_document_currency();
    let taxable = sum(summaries().map(|one| one.taxable_amount.filled()?.value()));
    one(out, invoice, "ImponibileImporto", &totals.without_vat, taxable, "BT-109");
    let vat = sum(summaries().map(|one| one.tax_amount.filled()?.value()));
    let own: Field<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    one(out, invoice, "Imposta", &own, vat, "BT-110");
    due(out, invoice, totals, taxable, vat);
}

/// BT-115, which readers take for the total of the document.
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
    one(out, invoice, "ImportoTotaleDocumento", &totals.due, whole, "BT-115");
}

fn one<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    name: &'static str,
    field: &Field<Amount<'d>>,
    computed: Option<Decimal>,
    term: &'static str,
) {
    match (field.filled(), computed) {
        (Some(own), Some(computed)) if own.value() == Some(computed) => {
            out.ledger.derive(*own);
            out.one_currency(own);
        }
        (Some(own), _) => {
            out.told_otherwise(name, *own, LossKind::Changed, COMPUTED);
            out.one_currency(own);
        }
        (None, Some(computed)) => {
            out.implied(name, &format!("{computed:.2}"), invoice.element, Some(term), COMPUTED);
        }
        (None, None) => {}
    }
}

fn sum(amounts: impl Iterator<Item = Option<Decimal>>) -> Option<Decimal> {
    amounts.collect::<Option<Vec<_>>>().and_then(Decimal::sum)
}
