//! Lines in CII: BG-25 to BG-32.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Classification, ItemInformation, Line, OrderLineReference, Price, Quantity,
};

use super::{amount, id, indicator, period, references, settlement, wrapped};
use crate::writing::{InvoiceOutput, OutputAttribute};

/// Writes the inside of `IncludedSupplyChainTradeLineItem`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    out.required_group("ram:AssociatedDocumentLineDocument", |out| {
        out.first("ram:LineID", &line.id);
        for note in &line.note {
            out.group("ram:IncludedNote", |out| {
                out.text("ram:Content", *note);
            });
        }
    });
    if let Some(item) = line.item.first() {
        out.group("ram:SpecifiedTradeProduct", |out| product(out, item));
    }
    out.group("ram:SpecifiedLineTradeAgreement", |out| {
        if let Some(order_line) = line.order_lines.first() {
            order(out, order_line);
        }
        if let Some(price) = line.price.first() {
            gross_price(out, price);
            net_price(out, price);
        }
    });
    out.group("ram:SpecifiedLineTradeDelivery", |out| {
        if let Some(billed) = line.quantity.filled() {
            quantity(out, "ram:BilledQuantity", billed);
        }
    });
    out.required_group("ram:SpecifiedLineTradeSettlement", |out| line_settlement(out, line));
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
            references::issued(out, order);
        }
    });
}

fn net_price<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    out.group("ram:NetPriceProductTradePrice", |out| {
        amount(out, "ram:ChargeAmount", &price.net);
        if let Some(base) = price.base_quantity.filled() {
            quantity(out, "ram:BasisQuantity", base);
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
        if let Some(base) = price.base_quantity.filled() {
            quantity(out, "ram:BasisQuantity", base);
        }
        if price.discount.is_filled() {
            out.group("ram:AppliedTradeAllowanceCharge", |out| {
                indicator(out, &price.discount_indicator, "false");
                if let Some(more) = &price.extensions {
                    out.first("ram:CalculationPercent", &more.percentage);
                }
                amount(out, "ram:ActualAmount", &price.discount);
                if let Some(more) = &price.extensions {
                    out.first("ram:ReasonCode", &more.reason_code);
                    out.first("ram:Reason", &more.reason);
                }
            });
        }
    });
}

fn derived_gross<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>, sum: Decimal) {
    let path = out.path_of("ram:ChargeAmount");
    let reason = "the discount stands in a gross price only: net price and discount together";
    out.ledger.invent(price.element, Some("BT-148"), &sum.to_string(), path, reason);
    out.constant("ram:ChargeAmount", &sum.to_string(), &[]);
}

fn quantity<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, value: Quantity<'d>) {
    let unit = value.unit().map(|unit| OutputAttribute::Carried(*unit));
    out.number(name, value, &[("unitCode", unit)]);
}

/// BG-26 to BG-28, BG-30, BT-128, BT-131, BT-133.
fn line_settlement<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    if let Some(category) = line.tax_category.first() {
        settlement::category(out, "ram:ApplicableTradeTax", category);
    }
    if let Some(one) = line.period.first() {
        period(out, one);
    }
    for one in &line.allowance_charges {
        settlement::allowance_charge(out, one);
    }
    out.group("ram:SpecifiedTradeSettlementLineMonetarySummation", |out| {
        amount(out, "ram:LineTotalAmount", &line.net_amount);
    });
    for object in line.invoiced_objects() {
        out.group("ram:AdditionalReferencedDocument", |out| {
            references::typed(out, object, "130");
        });
    }
    out.group("ram:ReceivableSpecifiedTradeAccountingAccount", |out| {
        out.first("ram:ID", &line.accounting_reference);
    });
}

/// BG-31, BG-32.
fn product<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    if let Some(standard) = item.standard_id.filled() {
        id(out, "ram:GlobalID", standard);
    }
    out.first("ram:SellerAssignedID", &item.seller_id);
    out.first("ram:BuyerAssignedID", &item.buyer_id);
    out.first("ram:Name", &item.name);
    out.first("ram:Description", &item.description);
    for attribute in &item.attributes {
        out.group("ram:ApplicableProductCharacteristic", |out| {
            out.first("ram:Description", &attribute.name);
            out.first("ram:Value", &attribute.value);
        });
    }
    for one in &item.classifications {
        classification(out, one);
    }
    wrapped(out, "ram:OriginTradeCountry", "ram:ID", &item.origin);
}

fn classification<'d>(out: &mut InvoiceOutput<'d>, one: &Classification<'d>) {
    out.group("ram:DesignatedProductClassification", |out| {
        let Some(code) = one.code.filled() else { return };
        let attributes = [
            ("listID", code.list().map(OutputAttribute::Carried)),
            ("listVersionID", code.list_version().map(OutputAttribute::Carried)),
        ];
        out.attributed("ram:ClassCode", code, &attributes);
    });
}
