//! Reading orders and order responses of DICO.
//!
//! Source: INSBOU003 as documents have it, of which SALES005 has the structure; wrappers that some
//! senders leave out (`OrderReference`, `AdditionalInformation`, …) are read with and without.

mod line;
mod party;

use quoin_model::en16931::{
    AllowanceCharge, AttributeName, Derivation, DocumentReference, Field, PartyRole, Quantity,
    TaxCategory, Totals, ValueSource, ValueType,
};
use quoin_model::order::{Order, OrderKind, OrderPeriod, OrderSyntax, TransportInstruction};
use quoin_xml::tree::Element;

use super::codes::{ANSWERS, UNITS};
use crate::reading::{
    CodeTable, DocumentLeaf, LeafKind, OrderReading, Pass, XSI, implied, leaf, mapped,
};

/// Reads the document element.
pub(super) fn read(kind: OrderKind, element: Element<'_>) -> OrderReading<'_> {
    let mut pass = Pass::default();
    let mut order = Order::new(OrderSyntax::Dico, kind, element);
    root(&mut pass, element);
    for child in element.elements() {
        let known = head(&mut pass, &mut order, child)
            || reference(&mut pass, &mut order, child)
            || group(&mut pass, &mut order, child);
        if !known {
            pass.unread(child);
        }
    }
    pass.order(order)
}

/// Hints where to find the schema are no content.
fn root<'d>(pass: &mut Pass<'d>, element: Element<'d>) {
    for attribute in element.attributes() {
        let one = DocumentLeaf::attribute_of(element, attribute);
        match attribute.namespace == XSI {
            true => pass.regenerated.push(one),
            false => pass.residue.push(one),
        }
    }
    match leaf(element) {
        LeafKind::Branch => {}
        LeafKind::Empty => pass.read += 1,
        LeafKind::Text => pass.residue.push(DocumentLeaf::text_of(element)),
    }
}

/// What the message says of itself. Whether it was that.
fn head<'d>(pass: &mut Pass<'d>, order: &mut Order<'d>, child: Element<'d>) -> bool {
    match (order.kind, child.local()) {
        (OrderKind::Order, "OrderType") => pass.take(&mut order.type_code, child),
        (OrderKind::Order, "OrderNumber") | (OrderKind::Response, "OrderResponseNumber") => {
            pass.take(&mut order.number, child);
        }
        (OrderKind::Order, "OrderDate") | (OrderKind::Response, "OrderResponseDate") => {
            pass.take(&mut order.issue_date, child);
        }
        (OrderKind::Order, "OrderTime") | (OrderKind::Response, "OrderResponseTime") => {
            pass.take(&mut order.issue_time, child);
        }
        (OrderKind::Response, "StatusCode") => take_code(pass, &mut order.response, child, ANSWERS),
        (OrderKind::Response, "TotalAmount") => {
            let mut totals = Totals::new(child);
            pass.take(&mut totals.line_net, child);
            order.totals.push(totals);
        }
        (_, "Currency") => pass.take(&mut order.currency, child),
        (_, "FreeText") => pass.take(&mut order.notes, child),
        (
            OrderKind::Order,
            "ScenarioTypeCode" | "DraftOrderIndicator" | "DeliveryOnDemandIndicator",
        ) => order.extensions.codes.push(pass.value(child)),
        _ => return false,
    }
    true
}

/// References, each in a wrapper or without. Whether it was one.
fn reference<'d>(pass: &mut Pass<'d>, order: &mut Order<'d>, child: Element<'d>) -> bool {
    let all = &mut order.references;
    match child.local() {
        "BuyersOrderNumber" => bare(pass, &mut all.order, child),
        "EndCustomerOrderNumber" => bare(pass, &mut all.originator, child),
        "ContractNumber" => bare(pass, &mut all.contract, child),
        "ProjectNumber" => bare(pass, &mut all.project, child),
        "OrderReference" => {
            wrapper(pass, &mut all.order, child, ["BuyersOrderNumber", "BuyersOrderDate"]);
        }
        "CustomerOrderReference" => {
            let names = ["EndCustomerOrderNumber", "EndCustomerOrderDate"];
            wrapper(pass, &mut all.originator, child, names);
        }
        "ContractReference" => {
            wrapper(pass, &mut all.contract, child, ["ContractNumber", "ContractDate"]);
        }
        "ProjectReference" => {
            wrapper(pass, &mut all.project, child, ["ProjectNumber", "ProjectDate"]);
        }
        _ => return false,
    }
    true
}

fn bare<'d>(pass: &mut Pass<'d>, field: &mut Field<DocumentReference<'d>>, element: Element<'d>) {
    let mut one = DocumentReference::new(element);
    pass.take(&mut one.id, element);
    field.push(one);
}

/// A reference in its wrapper: a number, and perhaps a day.
fn wrapper<'d>(
    pass: &mut Pass<'d>,
    field: &mut Field<DocumentReference<'d>>,
    element: Element<'d>,
    [number, day]: [&str; 2],
) {
    let mut one = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            local if local == number => pass.take(&mut one.id, child),
            local if local == day => pass.take(&mut one.issue_date, child),
            _ => pass.unread(child),
        }
    }
    field.push(one);
}

/// Parties, delivery, charges and lines. Whether it was one of these.
fn group<'d>(pass: &mut Pass<'d>, order: &mut Order<'d>, child: Element<'d>) -> bool {
    match (order.kind, child.local()) {
        (_, "Buyer") => order.buyer.push(party::read(pass, PartyRole::Buyer, child)),
        (_, "Supplier") => order.seller.push(party::read(pass, PartyRole::Seller, child)),
        (_, "Invoicee") => order.invoicee.push(party::read(pass, PartyRole::Buyer, child)),
        (_, "DeliveryParty") => party::delivery(pass, order, child),
        (_, "UltimateConsignee" | "ShipFrom" | "PurchasingOrganisation" | "Carrier") => {
            let role = match child.local() {
                "UltimateConsignee" => PartyRole::UltimateShipTo,
                "ShipFrom" => PartyRole::ShipFrom,
                _ => PartyRole::Other,
            };
            order.parties.push(party::read(pass, role, child));
        }
        (_, "DeliveryDateTimeInformation") => {
            let is_promise = order.kind == OrderKind::Response;
            let period = period(pass, child);
            if let Some(delivery) = order.delivery_at(child) {
                match is_promise {
                    true => delivery.promised.push(period),
                    false => delivery.requested.push(period),
                }
            }
        }
        (_, "AdditionalInformation") => texts(pass, &mut order.notes, child),
        (_, "TransportInstruction") => {
            order.extensions.instructions.push(instruction(pass, child));
        }
        (OrderKind::Order, "DeliveryConditions") => {
            pass.open(child);
            for part in child.elements() {
                match part.local() {
                    "BackhaulingIndicator" => order.extensions.codes.push(pass.value(part)),
                    _ => pass.unread(part),
                }
            }
        }
        (OrderKind::Response, "Charge" | "Allowance") => {
            order.allowance_charges.push(charge(pass, child));
        }
        (OrderKind::Order, "OrderLine") | (OrderKind::Response, "OrderResponseLine") => {
            order.lines.push(line::read(pass, child));
        }
        _ => return false,
    }
    true
}

/// `AdditionalInformation`: free texts.
fn texts<'d, T: ValueType<'d>>(pass: &mut Pass<'d>, field: &mut Field<T>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "FreeText" => pass.take(field, child),
            _ => pass.unread(child),
        }
    }
}

fn instruction<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TransportInstruction<'d> {
    let mut one = TransportInstruction::new(element);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "TransportInstructionTypeCode" => pass.take(&mut one.code, child),
            "DeliveryNoteText" => pass.take(&mut one.text, child),
            _ => pass.unread(child),
        }
    }
    one
}

/// `DeliveryDateTimeInformation`: a day, or the first and the last.
fn period<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderPeriod<'d> {
    let mut period = OrderPeriod::new(element);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "RequiredDeliveryDate" | "ScheduledDeliveryDate" => pass.take(&mut period.day, child),
            "RequiredDeliveryTime" | "ScheduledDeliveryTime" => pass.take(&mut period.time, child),
            "DeliveryTimeFrame" => {
                pass.open(child);
                for part in child.elements() {
                    match part.local() {
                        "DeliveryDateEarliest" => pass.take(&mut period.start, part),
                        "DeliveryTimeEarliest" | "DeliveryTimeEarlies" => {
                            pass.take(&mut period.start_time, part);
                        }
                        "DeliveryDateLatest" => pass.take(&mut period.end, part),
                        "DeliveryTimeLatest" => pass.take(&mut period.end_time, part),
                        _ => pass.unread(part),
                    }
                }
            }
            _ => pass.unread(child),
        }
    }
    period
}

/// `Charge`, `Allowance`, `LineCharge`, `LineAllowance`.
fn charge<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> AllowanceCharge<'d> {
    let mut one = AllowanceCharge::new(element);
    let is_charge = element.local().ends_with("Charge");
    let word = if is_charge { "true" } else { "false" };
    let indicator = ValueSource::of(element).saying(Derivation::Named, word);
    one.indicator.push(indicator.into());
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "ChargeTypeCode" | "AllowanceTypeCode" => pass.take(&mut one.reason_code, child),
            "ChargeAmount" | "AllowanceAmount" => pass.take(&mut one.amount, child),
            "AllowancePercentage" | "ChargePercentage" => pass.take(&mut one.percentage, child),
            "ChargeDescription" | "AllowanceDescription" => pass.take(&mut one.reason, child),
            "VATInformation" => one.tax_category.push(category(pass, child)),
            _ => pass.unread(child),
        }
    }
    one
}

/// `VATInformation`.
fn category<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    category.scheme.push(implied(element, "VAT"));
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "VATRate" => pass.take(&mut category.code, child),
            "VATPercentage" | "VATpercentage" => pass.take(&mut category.rate, child),
            _ => pass.unread(child),
        }
    }
    category
}

fn take_code<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    field: &mut Field<T>,
    element: Element<'d>,
    table: CodeTable,
) {
    let own: T = pass.value(element);
    field.push(mapped(own.source(), table));
}

/// A quantity with the unit that stands in another element.
fn with_unit<'d>(quantity: Quantity<'d>, unit: Option<ValueSource<'d>>) -> Quantity<'d> {
    let Some(unit) = unit else { return quantity };
    let unit: Quantity<'d> = mapped(unit, UNITS);
    quantity.with(&[(AttributeName::UnitCode, *unit)]).into()
}
