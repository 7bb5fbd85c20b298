//! Lines (BG-25 to BG-32).

use std::collections::HashSet;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Derivation, DocumentReference, Invoice, ItemAttribute, ItemInformation, Line,
    OrderLineReference, Price,
};

use super::{CENTS, MAX_ID, PRICE, delivery, fact, kept_with, reduction, tax};
use crate::writing::{InvoiceOutput, LossKind, documents, in_form};

/// The number of each line: BT-126 where all of them are different numbers above nought, else they
/// are counted; `None` where the source of ebInterface has none.
pub(super) fn numbers(invoice: &Invoice<'_>) -> Vec<Option<u32>> {
    let mut seen = HashSet::new();
    let number = |text: &str| {
        let plain = !text.starts_with(['0', '+']);
        text.parse::<u32>().ok().filter(|_| plain)
    };
    let own: Option<Vec<Option<u32>>> = invoice
        .lines
        .iter()
        .map(|line| number(&line.id.text()?).filter(|number| seen.insert(*number)).map(Some))
        .collect();
    own.unwrap_or_else(|| (1..).take(invoice.lines.len()).map(Some).collect())
}

/// Writes the inside of `ListLineItem`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    line: &Line<'d>,
    number: Option<u32>,
) {
    position(out, line, number);
    let empty = ItemInformation::new(line.element);
    let item = line.item.first().unwrap_or(&empty);
    descriptions(out, line, item);
    articles(out, item);
    quantity(out, line);
    unit_price(out, line);
    reduction::of_line(out, line);
    delivery::of_line(out, line);
    orders(out, invoice, line);
    for one in &item.classifications {
        let Some(code) = one.code.filled() else { continue };
        let list = code.list().filter(|list| !list.is_blank());
        let name = list.map(|list| list.trimmed());
        let attributes = name.as_deref().map(|name| ("ClassificationSchema", name));
        kept_with(out, "eb:Classification", *code, attributes.as_slice());
        list.iter().for_each(|list| out.ledger.carry(*list));
    }
    for one in &item.attributes {
        keyed(out, one);
    }
    others(out, line, item);
    tax::of_line(out, line);
    if !out.first_amount_in("eb:LineItemAmount", &line.net_amount, CENTS) {
        out.refuse_without(line.element, "the net amount of a line (BT-131)", "LineItemAmount");
    }
}

/// BT-126.
fn position<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, number: Option<u32>) {
    let name = "eb:PositionNumber";
    let reason = "positions are numbers above nought in the target";
    let Some(number) = number else { return };
    match line.id.filled() {
        Some(id) if id.derivation() == Some(Derivation::Implied) => {}
        Some(id) => out.fitted(name, &number.to_string(), *id, reason),
        None => out.derived(name, &number.to_string(), line.element, Some("BT-126"), reason),
    }
}

/// BT-153, BT-154, BT-127: one after the other.
fn descriptions<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, item: &ItemInformation<'d>) {
    let name = "eb:Description";
    if !out.first(name, &item.name) {
        out.refuse_without(line.element, "the name of an item (BT-153)", "Description");
    }
    let has_description = out.first(name, &item.description);
    let mut is_first = true;
    for note in line.note.iter().filter(|note| !note.is_blank()) {
        if is_first && !has_description {
            let reason = "readers of the target take the second text of a line for its description";
            out.told_otherwise(name, **note, LossKind::Merged, reason);
            out.implied(name, &note.trimmed(), line.element, Some("BT-154"), reason);
            out.constant(name, &note.text(), &[]);
        } else {
            out.text(name, *note);
        }
        is_first = false;
    }
}

/// BT-155, BT-156, BT-157, and identifiers that are no terms.
fn articles<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    const NAME: &str = "eb:ArticleNumber";
    let attribute = "ArticleNumberType";
    let kinds = [
        ("BillersArticleNumber", &item.seller_id),
        ("InvoiceRecipientsArticleNumber", &item.buyer_id),
    ];
    for (kind, field) in kinds {
        for id in field.iter().filter(|id| !id.is_blank()) {
            kept_with(out, NAME, **id, &[(attribute, kind)]);
            own_kind(out, **id);
        }
    }
    for id in item.standard_id.iter().filter(|id| !id.is_blank()) {
        let reason = "the target has article numbers of GTIN and PZN only: it has no kind";
        match id.scheme().filter(|scheme| scheme.is("0160")) {
            Some(scheme) => {
                kept_with(out, NAME, **id, &[(attribute, "GTIN")]);
                out.ledger.carry(scheme);
                own_kind(out, **id);
            }
            None => {
                out.constant(NAME, &id.trimmed(), &[]);
                out.told_otherwise(NAME, **id, LossKind::CarriedAsText, reason);
            }
        }
    }
    let more = item.extensions.as_deref().filter(|_| out.ledger.in_own_words);
    for id in more.iter().flat_map(|more| more.other_ids.iter()) {
        let kind = id.scheme().map(|kind| (kind, kind.trimmed()));
        let attributes = kind.as_ref().map(|(_, text)| (attribute, text.as_ref()));
        kept_with(out, NAME, **id, attributes.as_slice());
        kind.iter().for_each(|(kind, _)| out.ledger.carry(*kind));
    }
}

/// The attribute that decides which term an article number is.
fn own_kind<'d>(out: &mut InvoiceOutput<'d>, id: quoin_model::en16931::ValueSource<'d>) {
    if !out.ledger.in_own_words {
        return;
    }
    let element = id.element();
    for namespace in ["", element.namespace()] {
        let kind = quoin_model::en16931::ValueSource::attribute_called(
            element,
            namespace,
            "ArticleNumberType",
        );
        kind.iter().for_each(|kind| out.ledger.carry(*kind));
    }
}

/// BT-129, BT-130, which the target must have.
fn quantity<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    const NAME: &str = "eb:Quantity";
    let Some(quantity) = line.quantity.filled() else {
        return out.refuse_without(line.element, "the quantity of a line (BT-129)", "Quantity");
    };
    let unit = quantity.unit().filter(|unit| !unit.is_blank());
    let code = match unit {
        Some(unit) => {
            let words = out.words(*unit).into_owned();
            out.ledger.carry(*unit);
            words
        }
        None => {
            let reason = "the target asks for a unit: a number";
            out.implied(NAME, "C62", quantity.element(), Some("BT-130"), reason);
            "C62".to_owned()
        }
    };
    out.ledger.implied_unit_list(quantity);
    let text = quantity.value().and_then(|value| in_form(value, PRICE));
    let reason = "a quantity has four decimals in the target";
    match text {
        Some(text) if quantity.value() != Decimal::parse(&text).ok() => {
            out.told_otherwise(NAME, *quantity, LossKind::Changed, reason);
            out.constant(NAME, &text, &[("Unit", &code)]);
        }
        Some(text) => {
            let words = out.words(*quantity);
            let is_short = quantity.decimals() <= 4;
            out.constant(NAME, if is_short { &words } else { &text }, &[("Unit", &code)]);
            out.ledger.carry(*quantity);
        }
        None => out.refuse_value(*quantity, "a quantity is a number"),
    }
}

/// BT-146 with BT-149. A price of more than four decimals is that of more pieces.
fn unit_price<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    const NAME: &str = "eb:UnitPrice";
    let empty = Price::new(line.element);
    let price = line.price.first().unwrap_or(&empty);
    let Some(net) = price.net.filled() else {
        return out.refuse_without(line.element, "the price of an item (BT-146)", "UnitPrice");
    };
    let (Some(value), base) = (net.value(), price.base().filter(|base| !base.is_blank())) else {
        return out.refuse_value(*net, "a price is a number");
    };
    let more = value.decimals().saturating_sub(4);
    let times = Decimal::new(10_i64.checked_pow(more).unwrap_or(1), 0);
    let count = base.map_or(Some(Decimal::new(1, 0)), |base| base.value());
    let scaled = value.checked_mul(times).zip(count.and_then(|count| count.checked_mul(times)));
    let written = scaled.and_then(|(value, count)| {
        let fits = count.decimals() <= 4 && value.decimals() <= 4;
        Some((in_form(value, PRICE)?, in_form(count, PRICE)?)).filter(|_| fits)
    });
    let Some((text, count)) = written else {
        let why = "a price and what it is for have four decimals in the target";
        return out.refuse_value(*net, why);
    };
    let reason = "a price has four decimals in the target: it is that of more pieces";
    let is_same = more == 0;
    let words = out.words(*net);
    let attributes = [("BaseQuantity", count.as_str())];
    match is_same {
        true => {
            let text = if net.decimals() <= 4 { words.as_ref() } else { &text };
            let own = base.map(|base| base.trimmed()).filter(|_| count_fits(base));
            let own = own.as_deref().unwrap_or(&count).trim_start_matches('+');
            let attributes = [("BaseQuantity", own)];
            out.constant(NAME, text, if base.is_some() { &attributes } else { &[] });
            out.ledger.carry(*net);
            base.iter().for_each(|base| out.ledger.carry(**base));
        }
        false => {
            out.constant(NAME, &text, &attributes);
            out.told_otherwise(NAME, *net, LossKind::Changed, reason);
            match base {
                Some(base) => out.told_otherwise(NAME, *base, LossKind::Changed, reason),
                None => out.implied(NAME, &count, net.element(), Some("BT-149"), reason),
            }
        }
    }
    out.one_currency(net);
    same_base(out, price);
}

fn count_fits(base: Option<quoin_model::en16931::Quantity<'_>>) -> bool {
    base.is_some_and(|base| base.decimals() <= 4)
}

/// The base beside a gross price, which says the same.
fn same_base<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    let Some(net) = price.base_quantity.filled() else { return };
    for gross in &price.gross_base_quantity {
        if gross.value() == net.value() {
            out.ledger.derive(**gross);
        }
    }
}

/// BT-132 with its order, and the line of the sales order.
fn orders<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, line: &Line<'d>) {
    let is_sellers = |one: &&OrderLineReference<'d>| one.element.local() == "BillersOrderReference";
    let sellers = line.order_lines.iter().find(is_sellers);
    if let Some((own, order)) = sellers.and_then(|own| Some((own, own.order.first()?))) {
        party_order(out, "eb:BillersOrderReference", order, |out| {
            out.first("eb:OrderPositionNumber", &own.sales_line_id);
        });
    }
    let Some(own) = line.order_lines.iter().find(|one| !is_sellers(one)) else { return };
    let order = own.order.iter().find(|order| order.id.is_filled());
    let filler = invoice.references.filler_of_order();
    let whole = invoice.references.purchase_order.first().filter(|_| filler.is_none());
    let of_document = whole.and_then(|order| order.id.filled());
    if order.is_none() && of_document.is_none() {
        if let Some(id) = own.line_id.filled() {
            out.lost(*id, "a line of an order has a place beside its order only");
        }
        return;
    }
    const NAME: &str = "eb:InvoiceRecipientsOrderReference";
    match (order, of_document) {
        (Some(order), _) => party_order(out, NAME, order, |out| {
            out.first("eb:OrderPositionNumber", &own.line_id);
        }),
        (None, Some(id)) if out.is_short(*id, MAX_ID) => {
            out.group(NAME, |out| {
                out.constant("eb:OrderID", &id.trimmed(), &[]);
                out.first("eb:OrderPositionNumber", &own.line_id);
            });
        }
        _ => {}
    }
}

/// Writes `OrderID`, `ReferenceDate` and `Description`, and what is inside after them. An order
/// without a number that fits has no place.
pub(super) fn party_order<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    order: &DocumentReference<'d>,
    inside: impl FnOnce(&mut InvoiceOutput<'d>),
) {
    let Some(id) = order.id.filled() else { return };
    out.headed((name, "eb:OrderID"), *id, MAX_ID, |out| {
        out.plain_day("eb:ReferenceDate", &order.issue_date);
        out.first("eb:Description", &order.description);
        inside(out);
    });
}

/// BG-32, and facts of the document: a text with a key.
pub(super) fn keyed<'d>(out: &mut InvoiceOutput<'d>, one: &ItemAttribute<'d>) {
    let Some(value) = one.value.filled() else { return };
    let name = one.name.filled();
    let key = name.map(|name| name.trimmed());
    let attributes = key.as_deref().map(|key| ("Key", key));
    kept_with(out, "eb:AdditionalInformation", *value, attributes.as_slice());
    name.iter().for_each(|name| out.ledger.carry(**name));
}

/// BT-128, BT-133, BT-159: texts with a key, which readers take for attributes (BG-32).
fn others<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, item: &ItemInformation<'d>) {
    let objects = line.invoiced_objects().filter_map(|one| one.id.filled());
    let objects = objects.map(|id| ("InvoicedObjectIdentifier", *id));
    let costs = line.accounting_reference.filled().map(|own| ("CostCenter", *own));
    let origin = item.origin.filled().map(|own| ("CountryOfOrigin", *own));
    let all: Vec<_> = objects.chain(costs).chain(origin).collect();
    for (key, source) in all {
        if out.ledger.is_told(source) {
            continue;
        }
        fact(out, key, source);
        let reason = "readers of the target take a text with a key for an attribute of the item";
        let name = "eb:AdditionalInformation";
        out.implied(name, key, line.element, Some("BT-160"), reason);
        out.implied(name, &source.trimmed(), line.element, Some("BT-161"), reason);
    }
    for one in line.invoiced_objects() {
        out.ledger.implied_document(one, documents::OBJECT);
    }
}
