//! Lines (BG-25 to BG-31).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    AllowanceCharge, Derivation, DocumentReference, Identifier, Invoice, ItemInformation, Line,
    OrderLineReference, Price,
};

use super::super::codes::GTIN;
use super::{amount, id, made_amount, moment, one_amount, plain, quantity, tax, with, wrapped_id};
use crate::writing::{InvoiceOutput, LossKind};

/// Writes the inside of `InvoiceLine`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    line: &Line<'d>,
    at: usize,
) {
    if !plain(out, "cac:ID", &line.id) {
        let reason = "a line has an identifier in the target";
        let text = (at + 1).to_string();
        out.derived("cac:ID", &text, line.element, Some("BT-126"), reason);
    }
    if let Some(own) = line.quantity.filled() {
        quantity(out, "cbc:InvoicedQuantity", own, "C62", "BT-130");
    }
    if !amount(out, "cbc:LineExtensionAmount", &line.net_amount) {
        let what = "the net amount of a line (BT-131)";
        out.refuse_without(line.element, what, "LineExtensionAmount");
    }
    let empty = ItemInformation::new(line.element);
    let item = line.item.first().unwrap_or(&empty);
    note(out, line, item);
    order(out, invoice, line);
    more(out, line);
    changes(out, line);
    out.required_group("cac:Item", |out| one_item(out, line, item));
    if line.tax_category.is_absent() && !out.ledger.in_own_words {
        of_document(out, invoice, line);
    }
}

/// BG-30 of a line that says none: readers take that of the document, where it has one only.
fn of_document<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, line: &Line<'d>) {
    let [only] = invoice.vat_breakdown.as_slice() else { return };
    let Some(category) = only.category.one() else { return };
    let reason = "a line without a category has that of the document in the target";
    for (term, text) in [("BT-151", category.code.text()), ("BT-152", category.rate.text())] {
        if let Some(text) = text {
            out.implied("cac:TaxCategory", &text, line.element, Some(term), reason);
        }
    }
}

/// BT-127, and BT-154, for which the target has no other place.
fn note<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, item: &ItemInformation<'d>) {
    const NAME: &str = "cbc:Note";
    let notes: Vec<_> = line.note.iter().filter(|note| !note.is_blank()).copied().collect();
    let more: Vec<_> = item.description.iter().filter(|one| !one.is_blank()).copied().collect();
    match (notes.as_slice(), more.as_slice()) {
        ([], []) => {}
        ([one], []) => with(out, NAME, **one, &[]),
        (notes, more) => {
            let reason = "the target has one text for note and description of a line";
            let all = || more.iter().chain(notes);
            let texts: Vec<_> = all().map(|text| text.trimmed()).collect();
            for text in all() {
                out.told_otherwise(NAME, **text, LossKind::Merged, reason);
            }
            if notes.is_empty() {
                let text = texts.join("\n");
                out.implied(NAME, &text, line.element, Some("BT-127"), reason);
            }
            out.constant(NAME, &texts.join("\n"), &[]);
        }
    }
}

/// BT-132 and BT-13, which stands on each line.
fn order<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, line: &Line<'d>) {
    let filler = invoice.references.filler_of_order();
    if let Some(filler) = filler {
        out.ledger.regenerate(*filler);
    }
    let whole = invoice.references.purchase_order.first().filter(|_| filler.is_none());
    let whole = whole.and_then(|order| order.id.filled());
    let line_order = line.order_lines.first();
    out.group("cac:OrderLineReference", |out| {
        if let Some(own) = line_order {
            plain(out, "cac:BuyersLineID", &own.line_id);
        }
        let own = line_order.and_then(own_order);
        out.group("cac:OrderReference", |out| match (own, whole) {
            (Some(own), _) => with(out, "cac:BuyersID", *own, &[]),
            (None, Some(whole)) if !out.ledger.in_own_words => match out.ledger.is_told(*whole) {
                true => out.constant("cac:BuyersID", &whole.trimmed(), &[]),
                false => out.kept("cac:BuyersID", &whole.trimmed(), *whole),
            },
            _ => {}
        });
    });
}

/// BT-13, which readers take from the lines where it is one.
pub(super) fn order_of_all<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if out.ledger.in_own_words {
        return;
    }
    let reason = "readers of the target take the order of all lines for that of the document";
    let filler = invoice.references.filler_of_order();
    let whole = invoice.references.purchase_order.first().filter(|_| filler.is_none());
    let whole = whole.and_then(|order| order.id.filled());
    let own = |line: &Line<'d>| line.order_lines.first().and_then(own_order).or(whole);
    let mut all = invoice.lines.iter().filter_map(own);
    let Some(first) = all.next() else { return };
    let text = first.trimmed();
    let is_one = all.all(|other| other.is(&text));
    let name = "cac:OrderReference";
    match whole {
        Some(whole) if is_one && whole.is(&text) => {}
        Some(whole) => {
            let path = Some(out.path_of(name));
            out.ledger.list_as(Some("BT-13"), *whole, LossKind::Changed, path, reason);
        }
        None if is_one => out.implied(name, &text, first.element(), Some("BT-13"), reason),
        None => {}
    }
}

fn own_order<'d>(order_line: &OrderLineReference<'d>) -> Option<Identifier<'d>> {
    order_line.order.first().and_then(|order: &DocumentReference<'d>| order.id.filled())
}

/// The line of a delivery note, and the day of delivery of the line.
fn more<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    let Some(more) = line.extensions.as_deref() else { return };
    let despatch = more.despatch_lines.iter().find(|one| one.line_id.is_filled());
    if let Some(one) = despatch {
        out.group("cac:DespatchLineReference", |out| {
            plain(out, "cac:LineID", &one.line_id);
            if let Some(id) = one.id.filled() {
                wrapped_id(out, "cac:DocumentReference", id, "");
            }
        });
    }
    let delivery = more.deliveries.iter().find(|one| one.date.is_filled());
    if let Some(one) = delivery {
        out.group("cac:Delivery", |out| {
            moment(out, "cbc:ActualDeliveryDateTime", &one.date);
        });
        if out.ledger.in_own_words {
            one.time.iter().for_each(|time| out.ledger.carry(**time));
        }
    }
}

/// BG-27, BG-28: the target has one for a line.
fn changes<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    match line.allowance_charges.as_slice() {
        [] => {}
        [one] => {
            out.group("cac:AllowanceCharge", |out| {
                tax::indicator(out, one);
                amount(out, "cbc:Amount", &one.amount);
                amount(out, "cac:AllowanceChargeBaseAmount", &one.base_amount);
            });
            percentage(out, one);
        }
        several => together(out, line, several),
    }
}

/// BT-138, BT-143: the target has an amount only.
fn percentage<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    let Some(own) = one.percentage.filled() else { return };
    let term = if one.is_charge() { "BT-143" } else { "BT-138" };
    let reason = "an allowance or charge of a line has no percentage in the target";
    out.ledger.list_as(Some(term), *own, LossKind::Lost, None, reason);
}

fn together<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, several: &[AllowanceCharge<'d>]) {
    let reason = "the target has one allowance or charge for a line: all of them together";
    let signed = |one: &AllowanceCharge<'d>| {
        let value = one.amount.filled()?.value()?;
        Some(if one.is_charge() { value } else { value.negated() })
    };
    let all: Option<Vec<Decimal>> = several.iter().map(signed).collect();
    let Some(sum) = all.and_then(Decimal::sum) else {
        let what = "the amount of an allowance or charge of a line (BT-136, BT-141)";
        return out.refuse_without(line.element, what, "AllowanceCharge");
    };
    let is_charge = !sum.is_negative();
    let text = format!("{:.2}", sum.abs());
    out.group("cac:AllowanceCharge", |out| {
        out.constant("cbc:ChargeIndicator", if is_charge { "true" } else { "false" }, &[]);
        let term = if is_charge { "BT-141" } else { "BT-136" };
        out.implied("cbc:Amount", &text, line.element, Some(term), reason);
        made_amount(out, "cbc:Amount", &text);
        for one in several {
            percentage(out, one);
            one.indicator.iter().for_each(|own| out.ledger.regenerate(**own));
            if let Some(own) = one.amount.filled() {
                out.told_otherwise("cbc:Amount", *own, LossKind::Merged, reason);
                out.one_currency(own);
            }
        }
    });
}

/// BG-31, BG-30 and BG-29.
fn one_item<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, item: &ItemInformation<'d>) {
    plain(out, "cbc:Description", &item.name);
    if let Some(own) = item.buyer_id.filled() {
        wrapped_id(out, "cac:BuyersItemIdentification", own, "");
    }
    if let Some(own) = item.seller_id.filled() {
        wrapped_id(out, "cac:SellersItemIdentification", own, "");
    }
    if let Some(own) = item.standard_id.filled() {
        out.group("cac:StandardItemIdentification", |out| id(out, "cac:ID", own, GTIN));
    }
    for one in &line.tax_category {
        // What a line of Svefaktura does not say is that of the document.
        let is_implied = |code: quoin_model::en16931::VatCategoryCode<'d>| {
            code.derivation() == Some(Derivation::Implied)
        };
        let is_own = !(out.ledger.in_own_words && one.code.get().is_some_and(is_implied));
        if is_own {
            out.group("cac:TaxCategory", |out| tax::category(out, one, false));
        }
    }
    if let Some(price) = line.price.first() {
        out.group("cac:BasePrice", |out| base_price(out, line, price));
    }
}

fn base_price<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, price: &Price<'d>) {
    let Some(net) = price.net.filled() else { return };
    one_amount(out, "cbc:PriceAmount", net);
    if let Some(base) = price.base().filter(|base| !base.is_blank()) {
        let unit = line.quantity.filled().and_then(|own| own.unit());
        let usual = unit.map_or("C62".into(), |unit| unit.trimmed());
        quantity(out, "cbc:BaseQuantity", base, &usual, "BT-150");
    }
    if let Some(net) = price.base_quantity.filled() {
        for gross in price.gross_base_quantity.iter().filter(|one| one.value() == net.value()) {
            out.ledger.derive(**gross);
        }
    }
}
