//! `ItemOut`: a line of an order.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{ItemInformation, Price, Text, ValueSource};
use quoin_model::order::OrderedLine;

use super::super::codes::ACCOUNT;
use super::{carried, comments, when};
use crate::cxml::write::basis;
use crate::cxml::write::line::{classification, description, numbers, unit_price};
use crate::cxml::write::spoken;
use crate::writing::{InvoiceOutput, OutputAttribute, tell_gross_base};

/// One, in the recommendation 20 of UN/ECE.
const ONE: &str = "C62";

/// Writes a line, which is so many in the order.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>, place: usize) {
    let name = "ItemOut";
    let Some(quantity) = one.quantity.filled() else {
        return out.refuse_without(one.element, "quantity of the line (tir01-132)", "ItemOut");
    };
    let number = whole(out, one.id.filled().map(|id| *id), place, one);
    let wanted = one.delivery.first().and_then(|own| own.requested.first());
    let wanted = when(out, "ItemOut/@requestedDeliveryDate", wanted);
    let attributes = [
        ("quantity", Some(OutputAttribute::Carried(*quantity))),
        ("lineNumber", Some(OutputAttribute::Constant(&number))),
        ("requestedDeliveryDate", Some(OutputAttribute::Constant(&wanted))),
    ];
    let item = one.item.first();
    out.tagged(name, &attributes, |out| {
        item_id(out, one, item);
        out.group("ItemDetail", |out| detail(out, one, item));
        distribution(out, one);
        comments(out, &one.notes);
    });
}

/// A number that is whole: the identifier of the line, else its place.
pub(super) fn whole<'d>(
    out: &mut InvoiceOutput<'d>,
    source: Option<ValueSource<'d>>,
    place: usize,
    one: &OrderedLine<'d>,
) -> String {
    let text = source.map(|source| source.trimmed()).unwrap_or_default();
    if !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        source.into_iter().for_each(|source| out.ledger.carry(source));
        return text.into_owned();
    }
    let reason = "the definition asks for a whole number: the place of the line";
    match source.filter(|source| !source.is_blank()) {
        Some(source) => crate::cxml::write::changed(out, source, "@lineNumber", reason),
        None => {
            let path = out.path_of("@lineNumber");
            let term = Some("tir01-120");
            out.ledger.invent(one.element, term, &place.to_string(), path, reason);
        }
    }
    place.to_string()
}

/// The numbers of the item, the first of which the definition asks for.
fn item_id<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &OrderedLine<'d>,
    item: Option<&ItemInformation<'d>>,
) {
    let auxiliary = one.extensions.as_deref().and_then(|more| more.auxiliary_id.filled());
    let before = out.position();
    if let Some(item) = item.filter(|_| auxiliary.is_none()) {
        numbers(out, item);
    }
    if out.position() != before {
        return;
    }
    out.group("ItemID", |out| {
        let own = item.is_some_and(|item| out.first("SupplierPartID", &item.seller_id));
        if !own {
            out.constant("SupplierPartID", "", &[]);
        }
        if let Some(auxiliary) = auxiliary {
            out.text("SupplierPartAuxiliaryID", auxiliary);
        }
        if let Some(item) = item {
            out.first("BuyerPartID", &item.buyer_id);
        }
    });
}

/// `ItemDetail`: price, name, unit, classifications.
fn detail<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &OrderedLine<'d>,
    item: Option<&ItemInformation<'d>>,
) {
    let price = one.price.first().filter(|price| price.net.is_filled());
    if price.is_none() {
        return out.refuse_without(one.element, "price of the line (tir01-130)", "UnitPrice");
    }
    out.group("UnitPrice", |out| unit_price(out, price));
    let has_words = item.is_some_and(|item| item.name.is_filled() || item.description.is_filled());
    match item.filter(|_| has_words) {
        Some(item) => description(out, item),
        None => spoken(out, "Description", None),
    }
    unit(out, one.quantity.get().and_then(|own| own.unit()).map(|unit| *unit), one);
    if let Some(price) = price {
        price_basis(out, price, one);
    }
    let classes = item.map(|item| item.classifications.as_slice()).unwrap_or_default();
    for class in classes {
        classification(out, class);
    }
    if classes.iter().all(|class| !class.code.is_filled()) {
        // The definition asks for one.
        out.constant("Classification", "", &[("domain", "custom")]);
    }
    let Some(item) = item else { return };
    if let Some(more) = item.extensions.as_deref() {
        out.first("ManufacturerPartID", &more.other_ids);
        if let Some(brand) = more.brand.filled() {
            spoken(out, "ManufacturerName", Some(brand));
        }
    }
    for attribute in &item.attributes {
        let Some(value) = attribute.value.filled() else { continue };
        let name = attribute.name.filled().map(|name| OutputAttribute::Carried(*name));
        if name.is_some() {
            out.attributed("Extrinsic", value, &[("name", name)]);
        }
    }
}

/// The unit, which the definition asks for.
pub(super) fn unit<'d>(
    out: &mut InvoiceOutput<'d>,
    unit: Option<ValueSource<'d>>,
    one: &OrderedLine<'d>,
) {
    let is_written = unit.is_some_and(|unit| out.text("UnitOfMeasure", Text::from(unit)));
    if !is_written {
        let path = out.path_of("UnitOfMeasure");
        let reason = "the definition asks for a unit: one";
        out.ledger.invent(one.element, Some("tir01-132"), ONE, path, reason);
        out.constant("UnitOfMeasure", ONE, &[]);
    }
}

/// tir01-131: what the price is of.
fn price_basis<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>, one: &OrderedLine<'d>) {
    let Some(base) = price.base_quantity.filled() else { return };
    let of_line = one.quantity.filled().and_then(|own| own.unit()).map(|unit| *unit);
    if !basis::is_one_to_one(base, of_line) {
        let each = one.priced_for(Decimal::new(1, 0));
        basis::leave_out(out, base, each.is_some() && each == one.net());
        return tell_gross_base(&mut out.ledger, price, base);
    }
    let attributes = [
        ("quantity", Some(OutputAttribute::Carried(*base))),
        ("conversionFactor", Some(OutputAttribute::Constant("1"))),
    ];
    out.tagged("PriceBasisQuantity", &attributes, |out| {
        let own = base.unit().map(|unit| *unit).filter(|unit| !unit.is_blank());
        match (own, of_line.filter(|unit| !unit.is_blank())) {
            (None, Some(of_line)) => basis::unit_of_quantity(out, price, of_line, "tir01-131"),
            _ => unit(out, own, one),
        }
    });
    tell_gross_base(&mut out.ledger, price, base);
}

/// The account that the buyer books the line to. What it costs there is what the line costs.
fn distribution<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>) {
    let net = one.net_amount.filled();
    let Some((account, net)) = one.accounting_reference.filled().zip(net) else {
        // Whoever reads the line computes it.
        if let Some(net) = net.filter(|net| net.value().is_some() && net.value() == one.priced()) {
            out.ledger.derive(*net);
            out.one_currency(net);
        }
        return;
    };
    out.group("Distribution", |out| {
        let name = [("name", Some(OutputAttribute::Constant(ACCOUNT)))];
        out.tagged("Accounting", &name, |out| {
            let attributes = [
                ("type", Some(OutputAttribute::Constant(ACCOUNT))),
                ("id", carried(Some((*account).into()))),
                ("description", Some(OutputAttribute::Constant(ACCOUNT))),
            ];
            out.tagged("Segment", &attributes, |_| {});
        });
        out.group("Charge", |out| crate::cxml::write::money::money(out, net, false, &[]));
    });
}
