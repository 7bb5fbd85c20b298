//! Lines of DICO: `OrderLine`, `OrderResponseLine`.

use quoin_model::en16931::{
    AllowanceCharge, Identifier, ItemAttribute, ItemInformation, Price, Quantity, UnitCode,
};
use quoin_model::order::{OrderKind, OrderedLine, PartialDelivery};

use super::super::codes::{COMMON_UNITS, DIFFERENT_PRICE, LINE_STATES, UNITS};
use super::{amount, code_of, instruction, notes, period, reference};
use crate::reading::lookup_back;
use crate::writing::InvoiceOutput;

/// Characters of the name of an item, and of the seller's number of it.
const NAME: usize = 70;
const ITEM_NUMBER: usize = 35;

/// Writes a line, which is so many in the message.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &OrderedLine<'d>,
    place: usize,
    kind: OrderKind,
) {
    match kind {
        OrderKind::Response => out.group("OrderResponseLine", |out| answer(out, one, place)),
        _ => out.group("OrderLine", |out| order(out, one, place)),
    };
}

fn order<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>, place: usize) {
    position(out, one, place);
    let Some(quantity) = one.quantity.filled() else {
        let what = "quantity of the line (tir01-132)";
        return out.refuse_without(one.element, what, "OrderedQuantity");
    };
    counted(out, ["OrderedQuantity", "OrderedQuantityMeasureUnitCode"], quantity);
    match one.id.filled() {
        Some(id) => {
            out.text("LineIdentification", id);
        }
        None => {
            let what = "identifier of the line (tir01-120)";
            out.refuse_without(one.element, what, "LineIdentification");
        }
    }
    if let Some(item) = one.item.first() {
        out.group("TradeItemIdentification", |out| self::item(out, item));
    }
    let more = one.extensions.as_deref();
    for own in more.iter().flat_map(|more| &more.instructions) {
        instruction(out, own);
    }
    notes(out, &one.notes);
    if let Some(own) = one.delivery.first().and_then(|own| own.requested.first()) {
        period(out, own, false);
    }
    different_price(out, one);
    if let Some(more) = more {
        let names = ["ContractReference", "ContractNumber", "ContractDate"];
        reference(out, names, &more.contract);
    }
}

fn answer<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>, place: usize) {
    position(out, one, place);
    match one.status.filled() {
        None => {
            out.refuse_without(one.element, "state of the line (tir76-202)", "StatusCode");
        }
        Some(code) => match lookup_back(LINE_STATES, &code.trimmed()) {
            Some(own) => out.kept("StatusCode", own, *code),
            None => out.refuse_value(*code, "a line of DICO is in state 4, 27 or 29"),
        },
    }
    let unit = one.quantity.filled();
    if let Some(quantity) = unit {
        out.number("PlannedDeliveryQuantity", quantity, &[]);
    }
    let difference = one.extensions.as_deref().and_then(|more| more.difference.filled());
    if let Some(difference) = difference {
        out.number("DifferenceWithOrderedQuantity", difference, &[]);
    }
    if let Some(code) = unit.or(difference).and_then(Quantity::unit) {
        self::unit(out, "QuantityMeasureUnitCode", code);
    }
    amount(out, "NetLineAmount", &one.net_amount);
    notes(out, &one.notes);
    for charge in &one.allowance_charges {
        self::charge(out, charge, ["LineCharge", "LineAllowance"]);
    }
    if let Some(item) = one.item.first() {
        out.group("TradeItemIdentification", |out| self::item(out, item));
    }
    out.group("OrderLineReference", |out| {
        out.first("OrderLineIdentification", &one.order_line);
    });
    told_again(out, one);
    if let Some(own) = one.price.first().filter(|price| price.net.is_filled()) {
        out.group("PriceInformation", |out| price_information(out, own, one));
    }
    for part in one.extensions.iter().flat_map(|more| &more.parts) {
        out.group("PartialDelivery", |out| partial(out, part));
    }
    promised(out, one);
}

/// The place of the line: the message counts its lines.
fn position<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>, place: usize) {
    let text = place.to_string();
    out.constant("LineNumber", &text, &[]);
    let own = one.extensions.as_deref().and_then(|more| more.position.filled());
    if let Some(own) = own.filter(|own| own.is(&text)) {
        out.ledger.carry(*own);
    }
    if let Some(id) = one.id.filled().filter(|id| id.is(&text)) {
        out.ledger.carry(*id);
    }
}

/// An answer has the identifier of the line of the order; its own is most often the same.
fn told_again<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>) {
    if let (Some(own), Some(of_order)) = (one.id.filled(), one.order_line.filled())
        && !out.ledger.is_told(*own)
        && own.is(&of_order.trimmed())
    {
        out.ledger.derive(*own);
    }
}

/// When it is promised has a place in a part of the line only.
fn promised<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>) {
    let Some(own) = one.delivery.first().and_then(|own| own.promised.first()) else { return };
    let Some(quantity) = one.quantity.filled() else { return };
    out.group("PartialDelivery", |out| {
        let reason = "a day stands with a delivery of a part: it is the whole line";
        let text = quantity.trimmed().into_owned();
        let name = "PlannedPartialDeliveryQuantity";
        out.derived(name, &text, one.element, None, reason);
        if let Some(code) = quantity.unit() {
            self::unit(out, "QuantityMeasureUnitCode", code);
        }
        period(out, own, true);
    });
}

fn partial<'d>(out: &mut InvoiceOutput<'d>, part: &PartialDelivery<'d>) {
    if let Some(quantity) = part.quantity.filled() {
        let names = ["PlannedPartialDeliveryQuantity", "QuantityMeasureUnitCode"];
        counted(out, names, quantity);
    }
    if let Some(own) = part.delivery.first().and_then(|own| own.promised.first()) {
        period(out, own, true);
    }
}

fn counted<'d>(
    out: &mut InvoiceOutput<'d>,
    [name, unit_name]: [&'static str; 2],
    quantity: Quantity<'d>,
) {
    out.number(name, quantity, &[]);
    if let Some(code) = quantity.unit() {
        unit(out, unit_name, code);
    }
}

/// A unit of the list of DICO, which is short.
fn unit<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, code: UnitCode<'d>) {
    let text = code.trimmed().into_owned();
    if text.is_empty() {
        return;
    }
    if COMMON_UNITS.contains(&text.as_str()) {
        return out.kept(name, &text, *code);
    }
    let is_piece = UNITS.first().is_some_and(|(_, piece)| *piece == text);
    match lookup_back(UNITS, &text) {
        Some(own) if is_piece => out.kept(name, own, *code),
        Some(own) => out.changed(name, own, *code, "DICO counts in pieces"),
        None if text == "PCE" => out.kept(name, &text, *code),
        None => out.refuse_value(*code, "the list of units of DICO does not have it"),
    }
}

/// The price: an order of DICO has one only where it is another than agreed.
fn different_price<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>) {
    let Some(own) = one.price.first().filter(|price| price.net.is_filled()) else { return };
    let codes = one.extensions.as_deref().map(|more| more.codes.as_slice()).unwrap_or_default();
    let name = "DifferentPriceAgreementIndicator";
    out.group("DifferentPriceAgreement", |out| {
        match codes.iter().any(|code| code.element().local() == name) {
            true => code_of(out, name, codes),
            false => {
                let reason = "a price stands in an order of DICO as one that is agreed for it";
                out.derived(name, DIFFERENT_PRICE, own.element, None, reason);
            }
        }
        amount(out, "DifferentPrice", &own.net);
        price_base(out, own);
    });
}

fn price_information<'d>(out: &mut InvoiceOutput<'d>, own: &Price<'d>, one: &OrderedLine<'d>) {
    amount(out, "GrossPrice", &own.gross);
    amount(out, "NetPrice", &own.net);
    if price_base(out, own) {
        return;
    }
    let Some(code) = one.quantity.get().and_then(Quantity::unit) else { return };
    out.group("PriceBase", |out| {
        let reason = "a price must say of how much it is: of one, in the unit of the line";
        let term = Some("tir76-131");
        out.derived("NumberOfUnitsInPriceBasis", "1", own.element, term, reason);
        unit(out, "MeasureUnitPriceBasis", code);
    });
}

/// What the price is of. Whether it says so.
fn price_base<'d>(out: &mut InvoiceOutput<'d>, own: &Price<'d>) -> bool {
    let Some(base) = own.base_quantity.filled() else { return false };
    out.group("PriceBase", |out| {
        counted(out, ["NumberOfUnitsInPriceBasis", "MeasureUnitPriceBasis"], base);
    })
}

/// What the item is: numbers, name, and what can be seen of it.
fn item<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    if let Some(id) = item.standard_id.iter().copied().find(is_gtin) {
        gtin(out, id);
    }
    if let Some(id) = item.seller_id.filled() {
        match id.trimmed().chars().count() > ITEM_NUMBER {
            true => out.refuse_value(*id, "a number of an item has at most 35 characters in DICO"),
            false => {
                out.text("SuppliersTradeItemIdentification", id);
            }
        }
    }
    out.group("AdditionalItemIdentification", |out| {
        if let Some(name) = item.name.filled().or_else(|| item.description.filled()) {
            out.shortened("TradeItemDescription", *name, NAME);
        }
        for name in ["Colour", "Size"] {
            if let Some(own) = attribute(item, name) {
                said(out, name, own);
            }
        }
        let instances = item.extensions.as_deref().map(|more| more.instances.as_slice());
        if let Some(one) = instances.unwrap_or_default().first() {
            out.first("SerialNumber", &one.serial);
        }
        dimensions(out, item);
    });
}

fn attribute<'o, 'd>(item: &'o ItemInformation<'d>, name: &str) -> Option<&'o ItemAttribute<'d>> {
    item.attributes.iter().find(|one| one.name.is(name) && one.value.is_filled())
}

fn said<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, own: &ItemAttribute<'d>) {
    out.first(name, &own.value);
    if let Some(name) = own.name.filled() {
        // The element says it.
        out.ledger.carry(*name);
    }
}

/// Sizes, where all of them have one unit.
fn dimensions<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    let all: Vec<_> = ["Width", "Length", "Height"]
        .into_iter()
        .filter_map(|name| Some((name, attribute(item, name)?)))
        .filter(|(_, own)| own.quantity.is_filled())
        .collect();
    out.group("PhysicalDimensions", |out| {
        for (name, own) in &all {
            if let Some(value) = own.quantity.filled() {
                out.number(name, value, &[]);
            }
            // The element says the name; words that are not the number have no place.
            own.name.filled().iter().for_each(|name| out.ledger.carry(**name));
            let number = own.quantity.filled().map(|value| value.trimmed());
            let same = own.value.iter().filter(|one| number.as_deref().is_some_and(|n| one.is(n)));
            same.for_each(|one| out.ledger.carry(**one));
        }
        let codes = all.iter().filter_map(|(_, own)| own.quantity.get()?.unit());
        let codes: Vec<UnitCode<'d>> = codes.collect();
        if let Some(code) = codes.first() {
            unit(out, "MeasurementUnitCode", *code);
            for other in codes.iter().filter(|other| other.is(&code.trimmed())) {
                out.ledger.derive(**other);
            }
        }
    });
}

fn is_gtin(id: &Identifier<'_>) -> bool {
    let text = id.trimmed();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_long = matches!(text.len(), 8 | 12 | 13 | 14);
    is_number && is_long && id.scheme().is_some_and(|scheme| scheme.is("0160"))
}

/// A GTIN has fourteen digits here, of which the first are noughts where it has fewer.
fn gtin<'d>(out: &mut InvoiceOutput<'d>, id: Identifier<'d>) {
    let text = id.trimmed().into_owned();
    let whole = format!("{text:0>14}");
    match whole == text {
        true => out.kept("GTIN", &text, *id),
        false => out.changed("GTIN", &whole, *id, "a GTIN of DICO has fourteen digits"),
    }
    if let Some(scheme) = id.scheme() {
        out.ledger.carry(scheme);
    }
}

/// A charge or an allowance of an answer.
pub(super) fn charge<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &AllowanceCharge<'d>,
    [of_charge, of_allowance]: [&'static str; 2],
) {
    let is_charge = one.is_charge();
    let name = if is_charge { of_charge } else { of_allowance };
    let (code, own, percentage, reason) = match is_charge {
        true => ("ChargeTypeCode", "ChargeAmount", "", "ChargeDescription"),
        false => ("AllowanceTypeCode", "AllowanceAmount", "AllowancePercentage", ""),
    };
    out.group(name, |out| {
        out.first(code, &one.reason_code);
        amount(out, own, &one.amount);
        if !percentage.is_empty() {
            out.first(percentage, &one.percentage);
        }
        if !reason.is_empty() {
            out.first(reason, &one.reason);
        }
        let Some(category) = one.tax_category.first() else { return };
        out.group("VATInformation", |out| {
            out.first("VATRate", &category.code);
            out.first("VATPercentage", &category.rate);
        });
        if let Some(scheme) = category.scheme.filled().filter(|scheme| scheme.is("VAT")) {
            out.ledger.carry(*scheme);
        }
    });
    if let Some(indicator) = one.indicator.filled() {
        out.ledger.carry(*indicator);
    }
}
