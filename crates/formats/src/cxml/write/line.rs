//! Lines: BG-25 to BG-32.

use quoin_model::en16931::{Classification, ItemInformation, Line, Price, Text, ValueSource};

use super::super::codes::{CLASSIFICATIONS, ITEMS};
use super::money::{amount, computed_tax, modification, money, signed};
use super::{basis, changed, made, spoken};
use crate::reading::{cents, lookup};
use crate::writing::{InvoiceOutput, OutputAttribute, tell_gross_base};

/// One, in the recommendation 20 of UN/ECE.
pub(super) const ONE: &str = "C62";

/// Writes `InvoiceDetailItem`, which is so many in the document.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    place: usize,
    is_credit: bool,
) {
    let name = "InvoiceDetailItem";
    let id = whole(out, line.id.filled().map(|id| *id), place, "BT-126", line);
    let quantity = line.quantity.filled();
    let count = match quantity {
        Some(quantity) => signed(out, "InvoiceDetailItem/@quantity", *quantity, is_credit),
        None => {
            let path = out.path_of("InvoiceDetailItem/@quantity");
            let reason = "the definition asks for a quantity";
            out.ledger.invent(line.element, Some("BT-129"), "1", path, reason);
            "1".to_owned()
        }
    };
    let attributes = [
        ("invoiceLineNumber", Some(OutputAttribute::Constant(&id))),
        ("quantity", Some(OutputAttribute::Constant(&count))),
    ];
    out.tagged(name, &attributes, |out| {
        let unit = quantity.and_then(|quantity| quantity.unit()).map(|unit| *unit);
        self::unit(out, unit, line, "BT-130");
        let price = line.price.first();
        out.group("UnitPrice", |out| unit_price(out, price));
        if let Some(price) = price {
            price_basis(out, price, line);
        }
        reference(out, line, place);
        if let Some(category) = line.tax_category.first() {
            computed_tax(out, category, line.net_amount.value(), is_credit, "BT-151");
        }
        out.group("InvoiceItemModifications", |out| {
            for one in &line.allowance_charges {
                modification(out, one, ["BT-139", "BT-144"], is_credit);
            }
        });
        amount(out, "TotalAmountWithoutTax", &line.net_amount, is_credit);
        if line.note.is_filled() {
            spoken(out, "Comments", line.note.filled());
        }
        for attribute in line.item.iter().take(1).flat_map(|item| &item.attributes) {
            let Some(value) = attribute.value.filled() else { continue };
            let name = attribute.name.filled().map(|name| OutputAttribute::Carried(*name));
            if name.is_some() {
                out.attributed("Extrinsic", value, &[("name", name)]);
            }
        }
    });
}

/// A number that is whole: the one of the source, else the place of the line.
fn whole<'d>(
    out: &mut InvoiceOutput<'d>,
    source: Option<ValueSource<'d>>,
    place: usize,
    term: &'static str,
    line: &Line<'d>,
) -> String {
    let is_line = term == "BT-126";
    let name = if is_line { "InvoiceDetailItem" } else { "InvoiceDetailItemReference" };
    let text = source.map(|source| source.trimmed()).unwrap_or_default();
    if !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        source.into_iter().for_each(|source| out.ledger.carry(source));
        return text.into_owned();
    }
    let reason = "the definition asks for a whole number: the place of the line";
    match source.filter(|source| !source.is_blank()) {
        Some(source) => changed(out, source, name, reason),
        None => {
            let path = out.path_of(name);
            out.ledger.invent(line.element, Some(term), &place.to_string(), path, reason);
        }
    }
    place.to_string()
}

fn unit<'d>(
    out: &mut InvoiceOutput<'d>,
    unit: Option<ValueSource<'d>>,
    line: &Line<'d>,
    term: &'static str,
) {
    let is_written = unit.is_some_and(|unit| out.text("UnitOfMeasure", Text::from(unit)));
    if !is_written {
        let path = out.path_of("UnitOfMeasure");
        let reason = "the definition asks for a unit: one";
        out.ledger.invent(line.element, Some(term), ONE, path, reason);
        out.constant("UnitOfMeasure", ONE, &[]);
    }
}

/// BT-146 to BT-148. Prices have no sign.
pub(in crate::cxml) fn unit_price<'d>(out: &mut InvoiceOutput<'d>, price: Option<&Price<'d>>) {
    let currency = out.currency.clone().into_owned();
    let Some(price) = price else {
        return out.constant("Money", "", &[("currency", &currency)]);
    };
    match price.net.filled() {
        Some(net) => money(out, net, false, &[]),
        None => out.constant("Money", "", &[("currency", &currency)]),
    }
    if price.discount_indicator.value() == Some(true) {
        return;
    }
    let difference = || price.gross.value()?.checked_sub(price.net.value()?);
    let difference = difference().filter(|one| !one.is_negative());
    if price.discount.filled().is_none() && difference.is_none() {
        return;
    }
    out.group("Modifications", |out| {
        out.group("Modification", |out| {
            amount(out, "OriginalPrice", &price.gross, false);
            out.group("AdditionalDeduction", |out| {
                if amount(out, "DeductionAmount", &price.discount, false) {
                    return;
                }
                let text = difference.map(cents).unwrap_or_default();
                let path = out.path_of("DeductionAmount");
                let reason = "the gross price stands beside a discount only: gross less net price";
                out.ledger.invent(price.element, Some("BT-147"), &text, path, reason);
                out.group("DeductionAmount", |out| {
                    out.constant("Money", &text, &[("currency", &currency)]);
                });
            });
        });
    });
    if let Some(indicator) = price.discount_indicator.filled() {
        out.ledger.carry(*indicator);
    }
}

/// BT-149, BT-150.
fn price_basis<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>, line: &Line<'d>) {
    let Some(base) = price.base_quantity.filled() else { return };
    let of_line = line.quantity.filled().and_then(|own| own.unit()).map(|unit| *unit);
    if !basis::is_one_to_one(base, of_line) {
        let (count, net) = (line.quantity.value(), price.net.value());
        let each = basis::priced(count, net, &line.allowance_charges);
        let is_same = each.is_some() && each == line.net_amount.value();
        basis::leave_out(out, base, is_same);
        return tell_gross_base(&mut out.ledger, price, base);
    }
    let count = signed(out, "PriceBasisQuantity/@quantity", *base, false);
    let attributes = [
        ("quantity", Some(OutputAttribute::Constant(&count))),
        ("conversionFactor", Some(OutputAttribute::Constant("1"))),
    ];
    out.tagged("PriceBasisQuantity", &attributes, |out| {
        let own = base.unit().map(|unit| *unit).filter(|unit| !unit.is_blank());
        match (own, of_line.filter(|unit| !unit.is_blank())) {
            (None, Some(of_line)) => basis::unit_of_quantity(out, price, of_line, "BT-150"),
            _ => unit(out, own, line, "BT-150"),
        }
    });
    tell_gross_base(&mut out.ledger, price, base);
}

/// BT-132, BG-31.
fn reference<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, place: usize) {
    let order_line = line.order_lines.first().and_then(|one| one.line_id.filled());
    let number = whole(out, order_line.map(|id| *id), place, "BT-132", line);
    let attributes = [("lineNumber", Some(OutputAttribute::Constant(&number)))];
    out.tagged("InvoiceDetailItemReference", &attributes, |out| {
        let Some(item) = line.item.first() else { return };
        numbers(out, item);
        description(out, item);
        for one in &item.classifications {
            classification(out, one);
        }
        if let Some(origin) = item.origin.filled() {
            let attributes = [("isoCountryCode", Some(OutputAttribute::Carried(*origin)))];
            out.tagged("Country", &attributes, |_| {});
        }
    });
}

/// BT-155 to BT-157, of which the definition has no second without the first.
pub(in crate::cxml) fn numbers<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    let own = |text: &str| ITEMS.iter().find(|(_, ours)| *ours == text).map(|(own, _)| *own);
    let standard = item.standard_id.filled().and_then(|id| {
        let scheme = id.scheme()?;
        Some((id, scheme, own(&scheme.trimmed())?))
    });
    if !item.seller_id.is_filled() && !item.buyer_id.is_filled() && standard.is_none() {
        return;
    }
    out.group("ItemID", |out| {
        if !out.first("SupplierPartID", &item.seller_id) {
            out.constant("SupplierPartID", "", &[]);
        }
        out.first("BuyerPartID", &item.buyer_id);
        let Some((id, scheme, domain)) = standard else { return };
        let attributes = [
            ("identifier", Some(OutputAttribute::Carried(*id))),
            ("domain", Some(OutputAttribute::Constant(domain))),
        ];
        out.tagged("IdReference", &attributes, |_| {});
        out.ledger.carry(scheme);
    });
}

/// BT-153, BT-154: a description has the name in it.
pub(in crate::cxml) fn description<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    let (name, long) = (item.name.filled(), item.description.filled());
    let attributes = [super::language(long)];
    match (name, long) {
        (None, None) => {}
        (Some(name), None) => spoken(out, "Description", Some(name)),
        (None, Some(long)) => {
            let reason = "the definition has a description that is the name";
            changed(out, *long, "Description", reason);
            let path = out.path_of("Description");
            let text = long.trimmed().into_owned();
            out.ledger.invent(item.element, Some("BT-153"), &text, path, reason);
            made(out, "Description", &long.text());
        }
        (Some(name), Some(long)) => out.mixed("Description", &attributes, |out| {
            out.own_text(long);
            out.text("ShortName", name);
        }),
    }
}

/// BT-158. The definition asks for a list.
pub(in crate::cxml) fn classification<'d>(out: &mut InvoiceOutput<'d>, one: &Classification<'d>) {
    let Some(code) = one.code.filled() else { return };
    let list = code.list().filter(|list| !list.is_blank());
    let own = list.map(|list| list.trimmed().into_owned());
    let named = own.as_deref().and_then(|own| {
        CLASSIFICATIONS.iter().find(|(_, ours)| *ours == own).map(|(cxml, _)| *cxml)
    });
    let domain = named.or(own.as_deref()).unwrap_or("custom");
    match list {
        // A domain that is a word of cXML would come back as another list.
        Some(list) if named.is_some() || lookup(CLASSIFICATIONS, domain).is_none() => {
            out.ledger.carry(list);
        }
        Some(list) => changed(out, list, "Classification/@domain", "it is a word of cXML"),
        None => {
            let path = out.path_of("Classification/@domain");
            let reason = "the definition asks for the list of a classification";
            out.ledger.invent(one.element, Some("BT-158-1"), domain, path, reason);
        }
    }
    out.attributed("Classification", code, &[("domain", Some(OutputAttribute::Constant(domain)))]);
}
