//! Allowances, tax and anticipated totals: tir01-112 to tir01-118.

use quoin_model::amount::Decimal;
use quoin_model::order::{Order, OrderedLine};

use crate::reading::cents;
use crate::ubl::write::invoice::{amount, made_amount, totals};
use crate::writing::InvoiceOutput;

/// Writes them. Totals that Peppol BIS would call wrong are left out, with a row.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    for one in &order.allowance_charges {
        totals::allowance_charge(out, one);
    }
    out.group("cac:TaxTotal", |out| amount(out, "cbc:TaxAmount", &order.tax));
    let Some(own) = order.totals.first() else { return };
    let Some(net) = own.line_net.value() else { return };
    let sums = OrderTotals::of(order);
    let Some(due) = sums.due(net).filter(|_| sums.lines == Some(net)) else {
        let reason = "it is not the sum of the net amounts of the lines, which the target asks for";
        if let Some(amount) = own.line_net.filled() {
            out.lost(*amount, reason);
        }
        return;
    };
    out.group("cac:AnticipatedMonetaryTotal", |out| {
        amount(out, "cbc:LineExtensionAmount", &own.line_net);
        for (name, sum, term) in [
            ("cbc:AllowanceTotalAmount", sums.allowances, "tir01-116"),
            ("cbc:ChargeTotalAmount", sums.charges, "tir01-117"),
        ] {
            let Some(sum) = sum.filter(|sum| !sum.is_zero()) else { continue };
            derived(out, order, (name, term), sum, "it is the sum of those of the document");
        }
        let reason = "the schema asks for it: the lines with allowances, charges and tax";
        derived(out, order, ("cbc:PayableAmount", "tir01-118"), due, reason);
    });
}

fn derived<'d>(
    out: &mut InvoiceOutput<'d>,
    order: &Order<'d>,
    (name, term): (&'static str, &'static str),
    sum: Decimal,
    reason: &'static str,
) {
    let text = cents(sum);
    let path = out.path_of(name);
    out.ledger.invent(order.element, Some(term), &text, path, reason);
    made_amount(out, name, &text);
}

/// What is added up over the document; `None` where something is no number.
struct OrderTotals {
    lines: Option<Decimal>,
    allowances: Option<Decimal>,
    charges: Option<Decimal>,
    tax: Option<Decimal>,
}

impl OrderTotals {
    fn of(order: &Order<'_>) -> OrderTotals {
        let sum = |charges: bool| {
            let wanted = order.allowance_charges.iter().filter(|one| one.is_charge() == charges);
            let all: Option<Vec<Decimal>> = wanted.map(|one| one.amount.value()).collect();
            all.and_then(Decimal::sum)
        };
        let lines: Option<Vec<Decimal>> = order.lines.iter().map(OrderedLine::net).collect();
        let tax = match order.tax.is_filled() {
            true => order.tax.value(),
            false => Some(Decimal::ZERO),
        };
        OrderTotals {
            lines: lines.and_then(Decimal::sum),
            allowances: sum(false),
            charges: sum(true),
            tax,
        }
    }

    /// What is to be paid.
    fn due(&self, net: Decimal) -> Option<Decimal> {
        let less = net.checked_sub(self.allowances?)?;
        less.checked_add(self.charges?)?.checked_add(self.tax?)
    }
}
