//! `OrderRequestHeader`.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    AllowanceCharge, DeliveryTerms, Field, Identifier, Party, PartyRole, Totals,
};
use quoin_model::order::{Order, OrderDelivery, OrderKind, OrderedLine};

use super::super::codes::ORDER_TYPES;
use super::{carried, comments, extrinsic, moment, party, when};
use crate::cxml::write::made;
use crate::cxml::write::money::{amount, modification, tax_name};
use crate::reading::{cents, lookup_back};
use crate::writing::{InvoiceOutput, OutputAttribute};

/// The terms of the reasons of allowances and charges.
const REASONS: [&str; 2] = ["tir01-112", "tir01-112"];

/// Writes the head.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let name = "OrderRequestHeader";
    let all = &order.references;
    let is_order = order.kind == OrderKind::Order;
    let of_order = all.order.first().and_then(|one| one.id.filled());
    let number = if is_order { order.number.filled() } else { of_order };
    let at = |attribute: &str| format!("{name}/@{attribute}");
    let date = moment(out, &at("orderDate"), &order.issue_date, &order.issue_time);
    let kind = match order.kind {
        OrderKind::Change => "update",
        OrderKind::Cancellation => "delete",
        _ => "new",
    };
    let validity = order.validity.first();
    let from = validity.map(|one| moment(out, &at("effectiveDate"), &one.start, &one.start_time));
    let until = validity.map(|one| moment(out, &at("expirationDate"), &one.end, &one.end_time));
    let delivery = order.delivery.first();
    let wanted = delivery.filter(|one| period_of(one).is_none());
    let wanted = wanted.and_then(|one| one.requested.first());
    let wanted = when(out, &at("requestedDeliveryDate"), wanted);
    let order_type = order_type(out, order);
    let id = |field: &Field<quoin_model::en16931::DocumentReference<'d>>| {
        carried(field.first().and_then(|one| one.id.filled()))
    };
    let sequence = order.sequence.filled().filter(|own| is_number(&own.trimmed()));
    let attributes = [
        ("orderID", carried(number)),
        ("orderDate", Some(OutputAttribute::Constant(&date))),
        ("orderType", order_type.map(OutputAttribute::Constant)),
        ("type", Some(OutputAttribute::Constant(kind))),
        ("orderVersion", carried(sequence)),
        ("effectiveDate", from.as_deref().map(OutputAttribute::Constant)),
        ("expirationDate", until.as_deref().map(OutputAttribute::Constant)),
        ("agreementID", id(&all.contract)),
        ("requisitionID", id(&all.originator)),
        ("requestedDeliveryDate", Some(OutputAttribute::Constant(&wanted))),
    ];
    out.tagged(name, &attributes, |out| inside(out, order));
    identifiers(out, order);
}

fn inside<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    total(out, order);
    let delivery = order.delivery.first();
    if let Some(delivery) = delivery {
        ship_to(out, delivery);
    }
    parties(out, order);
    notes(out, order);
    let sales = order.sales_order.filled();
    if sales.is_some() {
        out.tagged("SupplierOrderInfo", &[("orderID", carried(sales))], |_| {});
    }
    if let Some(period) = delivery.and_then(period_of) {
        let at = |attribute: &str| format!("DeliveryPeriod/Period/@{attribute}");
        let start = moment(out, &at("startDate"), &period.start, &period.start_time);
        let end = moment(out, &at("endDate"), &period.end, &period.end_time);
        out.group("DeliveryPeriod", |out| {
            let attributes = [
                ("startDate", Some(OutputAttribute::Constant(&start))),
                ("endDate", Some(OutputAttribute::Constant(&end))),
            ];
            out.tagged("Period", &attributes, |_| {});
        });
    }
    facts(out, order);
}

/// The specification and the process are those of a syntax.
pub(super) fn identifiers<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    out.identifiers_without_place(order);
    let has_total = order.totals.iter().any(|own| own.line_net.is_filled());
    let has_price = |line: &OrderedLine<'d>| line.price.iter().any(|own| own.net.is_filled());
    let is_said = order.kind != OrderKind::Response || has_total;
    let own = order.totals.first().and_then(|own| own.line_net.get()?.currency());
    let is_other = own.is_some_and(|own| !order.currency.is(&own.trimmed()));
    if let Some(currency) = order.currency.filled().filter(|_| !is_other)
        && (is_said || order.lines.iter().any(has_price))
    {
        // Each amount says it.
        out.ledger.carry(*currency);
    }
}

/// A period with both of its ends, that is more than one day or a part of one.
fn period_of<'o, 'd>(
    delivery: &'o OrderDelivery<'d>,
) -> Option<&'o quoin_model::order::OrderPeriod<'d>> {
    let period = delivery.requested.first()?;
    let is_whole = period.start.is_filled() && period.end.is_filled();
    let is_part = period.start_time.is_filled() && period.end_time.is_filled();
    (is_whole && (is_part || period.one_day().is_none())).then_some(period)
}

/// The kind of order; one without a word here would be another order.
fn order_type<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) -> Option<&'static str> {
    let code = order.type_code.filled()?;
    let word = lookup_back(ORDER_TYPES, &code.trimmed());
    match word {
        Some(_) => out.ledger.carry(*code),
        None => out.refuse_value(*code, "cXML has regular, blanket and release orders only"),
    }
    word
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The total without tax: what the order says, else the sum of the lines where all say theirs.
fn total<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let own = order.totals.first().filter(|own| own.line_net.is_filled());
    out.group("Total", |out| {
        match own {
            Some(own) => amounts(out, order, own),
            None => sum(out, order),
        }
        out.group("Modifications", |out| {
            for one in &order.allowance_charges {
                modification(out, one, REASONS, false);
            }
        });
    });
}

/// The tax, of which the definition asks for words: what the parts of the order call it.
fn tax<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    if order.tax.is_filled() {
        let of_changes = |all: &'_ [AllowanceCharge<'d>]| {
            all.iter().find_map(|one| one.tax_category.first().map(tax_name))
        };
        let of_line = |line: &OrderedLine<'d>| {
            let own = line.tax_category.first().map(tax_name);
            own.or_else(|| of_changes(&line.allowance_charges))
        };
        let name = of_changes(&order.allowance_charges);
        let name = name.or_else(|| order.lines.iter().find_map(of_line));
        out.group("Tax", |out| {
            money(out, &order.tax);
            made(out, "Description", name.as_deref().unwrap_or("VAT"));
        });
    }
}

fn money<'d>(out: &mut InvoiceOutput<'d>, field: &Field<quoin_model::en16931::Amount<'d>>) {
    if let Some(value) = field.filled() {
        crate::cxml::write::money::money(out, value, false, &[]);
    }
}

/// The sum of the lines. What is to be paid follows where it is the same; other totals are lost, as
/// no reader makes them of it.
fn amounts<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>, own: &Totals<'d>) {
    money(out, &own.line_net);
    let has_tax = order.tax.value().is_some_and(|tax| !tax.is_zero());
    let is_whole = order.allowance_charges.is_empty() && !has_tax;
    let net = own.line_net.value().filter(|_| is_whole);
    for other in [&own.without_vat, &own.with_vat].into_iter().filter_map(|own| own.filled()) {
        out.lost(*other, "the target has one total, and readers make no other of it");
        out.one_currency(other);
    }
    if let Some(due) = own.due.filled().filter(|due| net.is_some() && due.value() == net) {
        out.ledger.derive(*due);
        out.one_currency(due);
    }
}

fn sum<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let own = |line: &OrderedLine<'d>| line.net_amount.value().or_else(|| line.priced());
    let all: Option<Vec<Decimal>> = order.lines.iter().map(own).collect();
    let Some(sum) = all.and_then(Decimal::sum) else {
        return out.refuse_without(order.element, "total of the order (tir01-115)", "Total");
    };
    let path = out.path_of("Money");
    let text = cents(sum);
    let reason = "the definition asks for a total: the sum of the net amounts of the lines";
    out.ledger.invent(order.element, Some("tir01-115"), &text, path, reason);
    let currency = out.currency.clone().into_owned();
    out.constant("Money", &text, &[("currency", &currency)]);
}

/// Who receives the goods, and where.
fn ship_to<'d>(out: &mut InvoiceOutput<'d>, delivery: &OrderDelivery<'d>) {
    let is_said = delivery.party.is_present()
        || delivery.address.is_present()
        || delivery.location.is_filled();
    if !is_said {
        return;
    }
    let mut receiver = match delivery.party.first() {
        Some(party) => party.clone(),
        None => Party::new(PartyRole::DeliverTo, delivery.element),
    };
    // What is told of the place is of one place: the address of the party is another one.
    if delivery.address.is_present() {
        receiver.address = delivery.address.clone();
    }
    if !receiver.name.is_filled() {
        receiver.name = delivery.location_name.clone();
    }
    let location = delivery.location.filled();
    out.group("ShipTo", |out| match location {
        Some(location) => {
            party::addressed(out, &receiver, Some(location));
            party::further(out, &receiver.identifiers);
        }
        None => party::placed(out, &receiver),
    });
}

/// Who gets the invoice, who ordered if that is somebody else, who sells, for whom it is.
fn parties<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let (buyer, invoicee) = (order.buyer.first(), order.invoicee.first());
    if let Some(party) = invoicee.or(buyer) {
        out.group("BillTo", |out| {
            party::addressed(out, party, None);
            party::references(out, party);
        });
    }
    tax(out, order);
    if invoicee.is_some() {
        party::contact(out, "buyerCorporate", buyer);
    }
    party::contact(out, "supplierCorporate", order.seller.first());
    party::contact(out, super::super::codes::END_USER, order.originator.first());
}

/// Notes, and documents by their address.
fn notes<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    comments(out, &order.notes);
    for document in order.references.documents.iter().filter(|one| one.uri.is_filled()) {
        out.group("Comments", |out| {
            out.group("Attachment", |out| {
                out.first("URL", &document.uri);
            });
        });
    }
}

/// Terms under a name.
fn facts<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let all = &order.references;
    if order.kind != OrderKind::Order {
        extrinsic(out, "messageID", &order.number);
    }
    for (name, field) in [
        ("quotationReference", &all.quotation),
        ("catalogueReference", &all.catalogue),
        ("projectReference", &all.project),
    ] {
        if let Some(one) = field.first() {
            extrinsic::<Identifier<'d>>(out, name, &one.id);
        }
    }
    if order.kind == OrderKind::Order
        && let Some(one) = all.order.first()
    {
        extrinsic::<Identifier<'d>>(out, "replacedOrder", &one.id);
    }
    extrinsic(out, "buyerReference", &order.buyer_reference);
    extrinsic(out, "accountingCost", &order.accounting_reference);
    extrinsic(out, "paymentTerms", &order.payment_terms);
    extrinsic(out, "cancellationNote", &order.cancellation);
    if let Some(terms) = order.delivery_terms.first() {
        delivery_terms(out, terms);
    }
}

fn delivery_terms<'d>(out: &mut InvoiceOutput<'d>, terms: &DeliveryTerms<'d>) {
    extrinsic(out, "deliveryTerms", &terms.id);
    extrinsic(out, "deliveryTermsText", &terms.text);
}

/// The tax and the like of an answer are written as those of an order.
pub(super) fn total_of<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    if let Some(own) = order.totals.first() {
        amount(out, "Total", &own.line_net, false);
    }
}
