//! Lines in CII: BG-25 to BG-30.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    AttributeName, DocumentReference, Invoice, Line, LineExtensions, LineTax, OrderLineReference,
    Price, ValueSource, VatBreakdown,
};

use super::{amount, indicator, party, period, product, quantity, references, settlement};
use crate::writing::InvoiceOutput;
use crate::writing::line_levels::{DETAIL, GROUP, INFORMATION, LineLevel, levels};

/// Quantities beside the billed one (Factur-X EXTENDED).
const QUANTITIES: &[&str] = &["ram:ChargeFreeQuantity", "ram:PackageQuantity"];
/// Sums of a line (Factur-X EXTENDED), before and after the tax.
const SUMS: [&[&str]; 2] =
    [&["ram:ChargeTotalAmount", "ram:AllowanceTotalAmount"], &["ram:TotalAllowanceChargeAmount"]];

/// Writes every line. Lines within lines are written behind theirs where the target has groups of
/// lines, each with the number of its parent; the rules of EN 16931 would count them twice.
pub(super) fn lines<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let name = "ram:IncludedSupplyChainTradeLineItem";
    if !out.is_extended() {
        for line in &invoice.lines {
            out.group(name, |out| write(out, line, None));
        }
        return;
    }
    for level in levels(&invoice.lines) {
        out.group(name, |out| write(out, level.line, Some(&level)));
    }
}

/// Writes the inside of `IncludedSupplyChainTradeLineItem`.
fn write<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, level: Option<&LineLevel<'_, 'd>>) {
    out.required_group("ram:AssociatedDocumentLineDocument", |out| head(out, line, level));
    if let Some(item) = line.item.first() {
        out.group("ram:SpecifiedTradeProduct", |out| product::write(out, item));
    }
    out.group("ram:SpecifiedLineTradeAgreement", |out| {
        if let Some(order_line) = line.order_lines.first() {
            out.group("ram:SellerOrderReferencedDocument", |out| {
                out.first("ram:LineID", &order_line.sales_line_id);
            });
            order(out, order_line);
        }
        if let Some(price) = line.price.first() {
            gross_price(out, price);
            net_price(out, price);
        }
    });
    out.group("ram:SpecifiedLineTradeDelivery", |out| delivery(out, line));
    out.required_group("ram:SpecifiedLineTradeSettlement", |out| line_settlement(out, line));
}

/// BT-126, BT-127, and the level of the line.
fn head<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, level: Option<&LineLevel<'_, 'd>>) {
    out.first("ram:LineID", &line.id);
    if let Some(level) = level {
        groups(out, line, level);
    }
    let codes = line.extensions.as_deref().map_or(&[][..], |more| &more.note_codes);
    for note in &line.note {
        out.group("ram:IncludedNote", |out| {
            let own = |local: &str| {
                let of_one = codes.iter().filter(|_| line.note.one().is_some());
                of_one.copied().find(|code| code.element().local() == local)
            };
            if let Some(code) = own("ContentCode") {
                out.text("ram:ContentCode", code);
            }
            out.text("ram:Content", *note);
            if let Some(code) = own("SubjectCode") {
                out.text("ram:SubjectCode", code);
            }
        });
    }
}

/// The parent of the line and what the line is for: what the source says, else what follows from
/// lines within lines.
fn groups<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, level: &LineLevel<'_, 'd>) {
    let more = line.extensions.as_deref();
    if let Some(more) = more
        && (more.parent.is_filled() || more.status_reason.is_filled())
    {
        out.first("ram:ParentLineID", &more.parent);
        out.first("ram:LineStatusCode", &more.status);
        out.first("ram:LineStatusReasonCode", &more.status_reason);
        return;
    }
    let Some(reason) = level.reason else { return };
    if let Some(parent) = level.parent.and_then(|parent| parent.id.filled()) {
        let path = out.path_of("ram:ParentLineID");
        let why = "a line within a line names its parent";
        out.ledger.invent(line.element, None, &parent.trimmed(), path, why);
        out.constant("ram:ParentLineID", &parent.trimmed(), &[]);
    }
    let path = out.path_of("ram:LineStatusReasonCode");
    let why = match reason {
        GROUP => "the net amounts of the lines in it add up to its own",
        DETAIL => "it is counted in the line that it is part of",
        INFORMATION => "the net amounts of such lines do not add up to that of their parent",
        _ => "it is a line of its own",
    };
    out.ledger.invent(line.element, None, reason, path, why);
    out.constant("ram:LineStatusReasonCode", reason, &[]);
}

/// BT-129; where and when it was delivered, by which despatch and receiving advice.
fn delivery<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    if let Some(billed) = line.quantity.filled() {
        quantity(out, "ram:BilledQuantity", billed);
    }
    let Some(more) = line.extensions.as_deref() else { return };
    for name in QUANTITIES {
        let own = more.quantities.iter().find(|own| name.ends_with(own.element().local()));
        if let Some(own) = own {
            quantity(out, name, *own);
        }
    }
    if let Some(one) = more.deliveries.first() {
        party::ship_to(out, one);
        references::delivered(out, one);
    }
    document_line(out, "ram:DespatchAdviceReferencedDocument", more.despatch_lines.first());
    document_line(out, "ram:ReceivingAdviceReferencedDocument", more.receipt_lines.first());
    let is_note =
        |one: &&DocumentReference<'d>| one.element.local() == "DeliveryNoteReferencedDocument";
    document_line(
        out,
        "ram:DeliveryNoteReferencedDocument",
        more.billing_references.iter().find(is_note),
    );
}

/// A line of another document.
fn document_line<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    reference: Option<&DocumentReference<'d>>,
) {
    let Some(reference) = reference else { return };
    out.group(name, |out| {
        out.first("ram:IssuerAssignedID", &reference.id);
        out.first("ram:LineID", &reference.line_id);
        references::issued(out, name, reference);
    });
}

/// BT-132, and the order where the source names it beside.
fn order<'d>(out: &mut InvoiceOutput<'d>, order_line: &OrderLineReference<'d>) {
    out.group("ram:BuyerOrderReferencedDocument", |out| {
        let order = order_line.order.first();
        if let Some(order) = order {
            out.first("ram:IssuerAssignedID", &order.id);
        }
        out.first("ram:LineID", &order_line.line_id);
        if let Some(order) = order {
            references::issued(out, "ram:BuyerOrderReferencedDocument", order);
        }
    });
}

fn net_price<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    out.group("ram:NetPriceProductTradePrice", |out| {
        amount(out, "ram:ChargeAmount", &price.net);
        if let Some(base) = price.base_quantity.filled() {
            quantity(out, "ram:BasisQuantity", base);
        }
        if let Some(more) = &price.extensions {
            out.first("ram:OrderUnitConversionFactorNumeric", &more.unit_factor);
        }
    });
}

/// BT-147, BT-148. CII has the discount within the gross price only. What is no discount but a
/// charge has no place in EN 16931.
fn gross_price<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    if price.discount_indicator.value() == Some(true) {
        return;
    }
    let sum = || price.net.value()?.checked_add(price.discount.value()?);
    let gross = price.gross.filled().map_or_else(sum, |_| None);
    if price.gross.filled().is_none() && gross.is_none() {
        return;
    }
    out.group("ram:GrossPriceProductTradePrice", |out| {
        match gross {
            None => amount(out, "ram:ChargeAmount", &price.gross),
            Some(sum) => derived_gross(out, price, sum),
        }
        if let Some(base) =
            price.gross_base_quantity.filled().or_else(|| price.base_quantity.filled())
        {
            quantity(out, "ram:BasisQuantity", base);
        }
        if price.discount.is_filled() {
            out.group("ram:AppliedTradeAllowanceCharge", |out| discount(out, price));
        }
    });
}

/// BT-147.
fn discount<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    let more = price.extensions.as_deref();
    indicator(out, &price.discount_indicator, "false");
    if let Some(more) = more {
        out.first("ram:CalculationPercent", &more.percentage);
        amount(out, "ram:BasisAmount", &more.base_amount);
    }
    amount(out, "ram:ActualAmount", &price.discount);
    if let Some(more) = more {
        out.first("ram:ReasonCode", &more.reason_code);
        out.first("ram:Reason", &more.reason);
        if let Some(tax) = more.tax_category.first() {
            settlement::taxed_category(out, "ram:CategoryTradeTax", tax, &more.tax);
        }
    }
}

fn derived_gross<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>, sum: Decimal) {
    let path = out.path_of("ram:ChargeAmount");
    let reason = "the discount stands in a gross price only: net price and discount together";
    out.ledger.invent(price.element, Some("BT-148"), &sum.to_string(), path, reason);
    out.constant("ram:ChargeAmount", &sum.to_string(), &[]);
}

/// BG-26 to BG-28, BG-30, BT-128, BT-131, BT-133.
fn line_settlement<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    category(out, line);
    if let Some(one) = line.period.first() {
        period(out, one);
    }
    for one in &line.allowance_charges {
        settlement::allowance_charge(out, one);
    }
    out.group("ram:SpecifiedTradeSettlementLineMonetarySummation", |out| sums(out, line));
    if let Some(more) = line.extensions.as_deref() {
        out.group("ram:InvoiceReferencedDocument", |out| invoice_line(out, more));
    }
    for object in line.invoiced_objects() {
        out.group("ram:AdditionalReferencedDocument", |out| {
            references::typed(out, object, "130");
        });
    }
    out.group("ram:ReceivableSpecifiedTradeAccountingAccount", |out| {
        out.first("ram:ID", &line.accounting_reference);
    });
}

/// BG-30, with what the line says of the tax itself, where that is of the same category.
fn category<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    let Some(category) = line.tax_category.first() else { return };
    let taxed = line.extensions.as_deref().and_then(|more| only_breakdown(&more.taxes));
    let taxed = taxed.filter(|one| match one.category.first() {
        Some(own) => own.code.text() == category.code.text(),
        None => true,
    });
    settlement::line_category(out, category, taxed, |out| {
        let due = line.extensions.as_deref().map(|more| &more.tax_point_date_code);
        if let Some(due) = due {
            out.first("ram:DueDateTypeCode", due);
        }
    });
}

/// The one breakdown of the tax of a line.
fn only_breakdown<'l, 'd>(taxes: &'l [LineTax<'d>]) -> Option<&'l VatBreakdown<'d>> {
    match taxes {
        [LineTax { breakdown, .. }] => match breakdown.as_slice() {
            [one] => Some(one),
            _ => None,
        },
        _ => None,
    }
}

/// BT-131, the tax of the line and the amount with it.
fn sums<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    amount(out, "ram:LineTotalAmount", &line.net_amount);
    let Some(more) = line.extensions.as_deref() else { return };
    let others = |out: &mut InvoiceOutput<'d>, names: &[&'static str]| {
        for name in names {
            if let Some(own) = more.totals.iter().find(|own| name.ends_with(own.element().local()))
            {
                super::one_amount(out, name, *own);
            }
        }
    };
    others(out, SUMS[0]);
    let tax = more.taxes.first().map_or(&more.gross_tax, |tax| &tax.amount);
    match tax.filled().filter(|_| out.is_extended()) {
        // The profile uses one that says its currency.
        Some(tax) => settlement::tax_total(out, tax),
        None => amount(out, "ram:TaxTotalAmount", tax),
    }
    if let Some(tax) = tax.filled() {
        told_again(out, more, *tax);
    }
    amount(out, "ram:GrandTotalAmount", &more.gross_amount);
    others(out, SUMS[1]);
}

/// The tax of the line that stands a second time beside the amount with it (PINT).
fn told_again<'d>(out: &mut InvoiceOutput<'d>, more: &LineExtensions<'d>, tax: ValueSource<'d>) {
    let same = more.gross_tax.filled().filter(|own| **own != tax && own.is(&tax.trimmed()));
    if let Some(same) = same.filter(|_| out.ledger.is_told(tax)) {
        out.ledger.derive(*same);
        out.told_elsewhere(*same, AttributeName::CurrencyId);
    }
}

/// The preceding invoice of the line, and the line in it.
fn invoice_line<'d>(out: &mut InvoiceOutput<'d>, more: &LineExtensions<'d>) {
    let is_invoice = |one: &&DocumentReference<'d>| {
        matches!(one.element.local(), "InvoiceDocumentReference" | "InvoiceReferencedDocument")
    };
    let Some(invoice) = more.billing_references.iter().find(is_invoice) else { return };
    let is_line = |one: &&DocumentReference<'d>| {
        one.element.local() == "BillingReferenceLine"
            && one.element.parent() == invoice.element.parent()
    };
    let line = more.billing_references.iter().find(is_line);
    out.first("ram:IssuerAssignedID", &invoice.id);
    out.first("ram:LineID", line.map_or(&invoice.line_id, |line| &line.line_id));
    if out.is_extended() {
        out.first("ram:TypeCode", &invoice.type_code);
    }
    references::issued(out, "ram:InvoiceReferencedDocument", invoice);
}
