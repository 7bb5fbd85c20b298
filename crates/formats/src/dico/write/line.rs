//! Lines (BG-25 to BG-32).

use quoin_model::en16931::{
    DutchLine, ItemAttribute, ItemInformation, Line, Price, Quantity, Text,
};

use super::super::codes::GTIN;
use super::{amount, one_amount, tax, unit, write_unit};
use crate::writing::{InvoiceOutput, LossKind, WrittenSign, cut_at, pieces, tell_gross_base};

/// Characters of a free text, and of the description of an item.
const TEXT: usize = 70;
/// Characters of most other texts of an item.
const SHORT: usize = 35;

/// Writes the inside of `InvoiceLine`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    at: usize,
    sign: WrittenSign,
) {
    let more = line.extensions.as_deref().and_then(|more| more.netherlands.as_deref());
    number(out, line, at);
    quantities(out, line, more, sign);
    if !amount(out, "NetLineAmount", &line.net_amount, sign) && !out.ledger.in_own_words {
        out.refuse_without(line.element, "the net amount of a line (BT-131)", "NetLineAmount");
    }
    let empty = ItemInformation::new(line.element);
    let item = line.item.first().unwrap_or(&empty);
    out.group("TradeItemIdentification", |out| identification(out, item, more));
    if let Some(more) = more {
        processing(out, more);
    }
    if let Some(price) = line.price.first() {
        out.group("PriceInformation", |out| self::price(out, line, price, more));
    }
    for one in &line.allowance_charges {
        tax::of_line(out, one, sign);
    }
    match line.tax_category.first() {
        Some(category) => tax::information(out, category, None),
        None if out.ledger.in_own_words => {}
        None => out.refuse_without(
            line.element,
            "the VAT category of a line (BT-151)",
            "VATInformation",
        ),
    }
    references(out, line);
    note(out, line, item);
}

/// BT-126, which is a number in the target.
fn number<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, at: usize) {
    const NAME: &str = "LineNumber";
    let reason = "lines are numbered in the target";
    let own = (at + 1).to_string();
    match line.id.filled() {
        Some(id) => {
            let text = id.trimmed();
            let is_number = text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
            match is_number || out.ledger.in_own_words {
                true => out.kept(NAME, &text, *id),
                false => out.changed(NAME, &own, *id, reason),
            }
        }
        None => out.derived(NAME, &own, line.element, Some("BT-126"), reason),
    }
}

/// BT-129 and BT-130: what is invoiced is what was delivered, but for those who say otherwise.
fn quantities<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    more: Option<&DutchLine<'d>>,
    sign: WrittenSign,
) {
    let Some(own) = line.quantity.filled() else {
        if !out.ledger.in_own_words {
            out.refuse_without(line.element, "the quantity (BT-129)", "NumberOfInvoicingUnits");
        }
        return;
    };
    if own.value().is_none() {
        return out.refuse_value(*own, "a quantity is a number");
    }
    let text = out.signed("NumberOfInvoicingUnits", *own, sign);
    match more.and_then(|more| more.delivered.filled()) {
        Some(delivered) => {
            let text = out.signed("DeliveredQuantity", *delivered, sign);
            out.constant("DeliveredQuantity", &text, &[]);
            write_unit(out, "DeliveredQuantityUoM", delivered);
        }
        None => {
            out.constant("DeliveredQuantity", &text, &[]);
            write_unit(out, "DeliveredQuantityUoM", own);
        }
    }
    out.ledger.implied_unit_list(own);
    out.constant("NumberOfInvoicingUnits", &text, &[]);
}

/// BG-31: the numbers of the item, its name, and the attributes that have an element.
fn identification<'d>(
    out: &mut InvoiceOutput<'d>,
    item: &ItemInformation<'d>,
    more: Option<&DutchLine<'d>>,
) {
    gtin(out, item);
    if let Some(id) = item.seller_id.filled() {
        out.limited("SuppliersTradeItemId", *id, SHORT);
    }
    out.group("AdditionalItemIdentification", |out| {
        if let Some(name) = item.name.filled() {
            out.shortened("TradeItemDescription", *name, TEXT);
        }
        for name in ["Colour", "Size", "SerialNumber"] {
            let is_it = |one: &&ItemAttribute<'d>| one.name.is(name) && one.value.is_filled();
            if let Some(one) = item.attributes.iter().find(is_it) {
                attribute(out, name, one);
            }
        }
        if let Some(more) = more {
            dimensions(out, more);
        }
    });
}

/// BT-160 and BT-161, where the name is that of an element.
fn attribute<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, one: &ItemAttribute<'d>) {
    let (Some(value), Some(own)) = (one.value.filled(), one.name.filled()) else { return };
    if out.limited(name, *value, SHORT) {
        out.ledger.carry(*own);
    }
}

/// BT-157 of scheme 0160: fourteen digits.
fn gtin<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    let is_gtin = |id: &&quoin_model::en16931::Identifier<'d>| {
        let text = id.trimmed();
        let is_number = matches!(text.len(), 8 | 12 | 13 | 14);
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        is_number && digits && id.scheme().is_some_and(|scheme| scheme.is(GTIN))
    };
    let own = item.standard_id.iter().find(is_gtin);
    let any = item.standard_id.first().filter(|_| out.ledger.in_own_words);
    let Some(id) = own.or(any) else { return };
    let text = id.trimmed();
    match text.len() == 14 || out.ledger.in_own_words {
        true => out.kept("GTIN", &text, **id),
        false => {
            let reason = "a trade item number has fourteen digits in the target";
            out.changed("GTIN", &format!("{text:0>14}"), **id, reason);
        }
    }
    if let Some(scheme) = id.scheme() {
        out.ledger.carry(scheme);
    }
}

fn dimensions<'d>(out: &mut InvoiceOutput<'d>, more: &DutchLine<'d>) {
    const NAMES: &[&str] = &["Width", "Length", "Height"];
    let named = |one: &&Quantity<'d>| NAMES.contains(&one.element().local());
    out.group("PhysicalDimensions", |out| {
        for name in NAMES {
            let mut all = more.dimensions.iter().filter(named);
            if let Some(one) = all.find(|one| one.element().local() == *name) {
                out.kept(name, &one.trimmed(), **one);
            }
        }
        if let Some(first) = more.dimensions.first() {
            write_unit(out, "MeasurementUnitCode", *first);
        }
    });
}

fn processing<'d>(out: &mut InvoiceOutput<'d>, more: &DutchLine<'d>) {
    for one in &more.processing {
        out.group("TradeItemProcessing", |out| {
            out.first("ProcessingGTIN", &one.id);
            out.first("ProcessingSequence", &one.sequence);
            out.each("ProcessingDescription", &one.description);
        });
    }
    if let Some(kind) = more.kind.filled() {
        out.kept("FurtherIdentifyingCharacteristics", &kind.trimmed(), *kind);
    }
}

/// BG-29. The target asks to how many a price belongs.
fn price<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    price: &Price<'d>,
    more: Option<&DutchLine<'d>>,
) {
    let same = WrittenSign::Same;
    if let Some(net) = price.net.filled() {
        one_amount(out, "Price", net, same);
    }
    if let Some(gross) = price.gross.filled() {
        one_amount(out, "GrossPrice", gross, same);
    }
    if let Some(more) = more {
        amount(out, "GrossPriceProcessingCharge", &more.processing_charge, same);
    }
    out.group("PriceBase", |out| {
        base(out, line, price);
        if let Some(text) = more.and_then(|more| more.price_basis.filled()) {
            out.kept("PriceBaseDescription", &text.trimmed(), *text);
        }
    });
}

/// BT-149 and BT-150.
fn base<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, price: &Price<'d>) {
    const NUMBER: &str = "NumberOfUnitsInPriceBasis";
    const UNIT: &str = "PriceBasisUoM";
    let reason = "the target asks to how many a price belongs";
    // Without a unit of its own the price is for the unit of the line.
    let usual = line.quantity.filled().and_then(unit);
    match price.base().filter(|base| !base.is_blank()) {
        Some(base) => {
            out.kept(NUMBER, &base.trimmed(), *base);
            if base.unit().is_some_and(|unit| !unit.is_blank()) || out.ledger.in_own_words {
                write_unit(out, UNIT, base);
            } else if let Some((own, read)) = usual {
                out.constant(UNIT, own, &[]);
                out.implied(UNIT, read, price.element, Some("BT-150"), reason);
            }
            tell_gross_base(&mut out.ledger, price, base);
        }
        None if out.ledger.in_own_words => {}
        None => {
            let Some((own, read)) = usual else { return };
            out.derived(NUMBER, "1", price.element, Some("BT-149"), reason);
            out.constant(UNIT, own, &[]);
            out.implied(UNIT, read, price.element, Some("BT-150"), reason);
        }
    }
}

/// BT-132, and the line of the despatch advice.
fn references<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    if let Some(id) = line.order_lines.first().and_then(|one| one.line_id.filled()) {
        out.limited("OrderLineIdentification", *id, SHORT);
    }
    let Some(more) = line.extensions.as_deref() else { return };
    if let Some(id) = more.despatch_lines.first().and_then(|one| one.line_id.filled()) {
        out.limited("DespatchAdviceLineIdentification", *id, SHORT);
    }
}

/// BT-127, and BT-154, for which the target has no other place.
fn note<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, item: &ItemInformation<'d>) {
    const NAME: &str = "FreeText";
    let said = |texts: &[Text<'d>]| -> Vec<Text<'d>> {
        texts.iter().copied().filter(|text| !text.is_blank()).collect()
    };
    let (notes, more) = (said(line.note.all()), said(item.description.all()));
    if more.is_empty()
        && notes.iter().all(|note| {
            let words = note.trimmed();
            cut_at(&words, TEXT).len() == words.len() || out.ledger.in_own_words
        })
    {
        for note in notes {
            out.kept(NAME, &note.trimmed(), *note);
        }
        return;
    }
    let reason = "the target has one text for note and description of a line, of 70 characters";
    let all: Vec<Text<'d>> = more.iter().chain(&notes).copied().collect();
    for text in &all {
        out.told_otherwise(NAME, **text, LossKind::Merged, reason);
    }
    if notes.is_empty() {
        let text = all.first().map(|text| text.trimmed().into_owned()).unwrap_or_default();
        out.implied(NAME, &text, line.element, Some("BT-127"), reason);
    }
    for text in &all {
        let words = text.trimmed();
        pieces(&words, TEXT).iter().for_each(|piece| out.constant(NAME, piece, &[]));
    }
}
