//! Lines in UBL: BG-25 to BG-32.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Classification, ItemInformation, Line, OrderLineReference, Price};

use super::{amount, id, made_amount, period, quantity, references, totals, wrapped};
use crate::writing::{InvoiceOutput, OutputAttribute, tell_gross_base};

/// Writes the inside of `InvoiceLine` or `CreditNoteLine`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, is_credit: bool) {
    out.first("cbc:ID", &line.id);
    out.each("cbc:Note", &line.note);
    if let Some(value) = line.quantity.filled() {
        let name = if is_credit { "cbc:CreditedQuantity" } else { "cbc:InvoicedQuantity" };
        quantity(out, name, value);
    }
    amount(out, "cbc:LineExtensionAmount", &line.net_amount);
    out.first("cbc:AccountingCost", &line.accounting_reference);
    if let Some(one) = line.period.first() {
        period(out, one);
    }
    for one in &line.order_lines {
        order_line(out, one);
    }
    for object in line.invoiced_objects() {
        out.group("cac:DocumentReference", |out| references::typed(out, object, "130"));
    }
    for one in &line.allowance_charges {
        totals::allowance_charge(out, one);
    }
    if let Some(one) = line.item.first() {
        out.group("cac:Item", |out| item(out, one, line));
    }
    if let Some(one) = line.price.first() {
        out.group("cac:Price", |out| price(out, one));
    }
}

/// BT-132; the order only beside a line of it, which the schema asks for.
fn order_line<'d>(out: &mut InvoiceOutput<'d>, one: &OrderLineReference<'d>) {
    out.group("cac:OrderLineReference", |out| {
        if !out.first("cbc:LineID", &one.line_id) {
            return;
        }
        if let Some(order) = one.order.first() {
            out.group("cac:OrderReference", |out| {
                if out.first("cbc:ID", &order.id) {
                    super::date(out, "cbc:IssueDate", &order.issue_date);
                }
            });
        }
    });
}

/// BG-29. The base quantity of the net price is the one of both.
pub(in crate::ubl) fn price<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    amount(out, "cbc:PriceAmount", &price.net);
    let base = price.base_quantity.filled().or_else(|| price.gross_base_quantity.filled());
    if let Some(base) = base {
        quantity(out, "cbc:BaseQuantity", base);
        tell_gross_base(&mut out.ledger, price, base);
    }
    discount(out, price);
}

/// BT-147, BT-148: UBL has the gross price as the base of a discount only. What is no discount but
/// a charge has no place in EN 16931.
fn discount<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    if price.discount_indicator.value() == Some(true) || price.discount.is_repeated() {
        return;
    }
    let difference = || price.gross.value()?.checked_sub(price.net.value()?);
    let made = match price.discount.filled() {
        Some(_) => None,
        None => match difference().filter(|one| !one.is_negative()) {
            Some(difference) => Some(difference),
            None => return,
        },
    };
    out.group("cac:AllowanceCharge", |out| {
        if !out.first("cbc:ChargeIndicator", &price.discount_indicator) {
            out.constant("cbc:ChargeIndicator", "false", &[]);
        }
        if let Some(more) = &price.extensions {
            out.first("cbc:AllowanceChargeReasonCode", &more.reason_code);
            out.first("cbc:AllowanceChargeReason", &more.reason);
            out.first("cbc:MultiplierFactorNumeric", &more.percentage);
        }
        match made {
            None => amount(out, "cbc:Amount", &price.discount),
            Some(difference) => derived_discount(out, price, difference),
        }
        amount(out, "cbc:BaseAmount", &price.gross);
    });
}

fn derived_discount<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>, difference: Decimal) {
    let text = difference.to_string();
    let path = out.path_of("cbc:Amount");
    let reason = "the gross price stands beside a discount only: gross price less net price";
    out.ledger.invent(price.element, Some("BT-147"), &text, path, reason);
    made_amount(out, "cbc:Amount", &text);
}

/// BG-31, BG-32, BG-30.
fn item<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>, line: &Line<'d>) {
    out.first("cbc:Description", &item.description);
    out.first("cbc:Name", &item.name);
    wrapped(out, "cac:BuyersItemIdentification", "cbc:ID", &item.buyer_id);
    wrapped(out, "cac:SellersItemIdentification", "cbc:ID", &item.seller_id);
    out.group("cac:StandardItemIdentification", |out| {
        if let Some(standard) = item.standard_id.filled() {
            id(out, "cbc:ID", standard);
        }
    });
    wrapped(out, "cac:OriginCountry", "cbc:IdentificationCode", &item.origin);
    for one in &item.classifications {
        classification(out, one);
    }
    if let Some(category) = line.tax_category.first() {
        totals::category(out, "cac:ClassifiedTaxCategory", category);
    }
    for attribute in &item.attributes {
        out.group("cac:AdditionalItemProperty", |out| {
            out.first("cbc:Name", &attribute.name);
            out.first("cbc:Value", &attribute.value);
        });
    }
}

pub(in crate::ubl) fn classification<'d>(out: &mut InvoiceOutput<'d>, one: &Classification<'d>) {
    out.group("cac:CommodityClassification", |out| {
        let Some(code) = one.code.filled() else { return };
        let attributes = [
            ("listID", code.list().map(OutputAttribute::Carried)),
            ("listVersionID", code.list_version().map(OutputAttribute::Carried)),
        ];
        out.attributed("cbc:ItemClassificationCode", code, &attributes);
    });
}
