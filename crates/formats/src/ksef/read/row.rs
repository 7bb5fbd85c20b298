//! Lines: BG-25 to BG-31.

use std::borrow::Cow;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Agreement, AllowanceCharge, Amount, AttributeName, Classification, Code, Derivation, Field,
    Invoice, ItemAttribute, ItemInformation, Line, Period, PolishBody, PolishInvoiceRow,
    PolishOrderRow, Price, Quantity, TaxCategory, Text, ValueSource,
};

use super::super::codes::{CATEGORIES, NOMENCLATURE, UNITS};
use super::{party, signed, signed_amount};
use crate::reading::{RunningSum, implied, lookup, mapped, summed};

/// The rows of an invoice. Of an advance payment for the whole of an order they are those of the
/// order.
pub(super) fn of<'b, 'd>(body: &'b PolishBody<'d>) -> Cow<'b, [PolishInvoiceRow<'d>]> {
    let ordered = body.order.iter().flat_map(|order| &order.rows);
    if !body.rows.is_empty() || !body.kind.is("ZAL") {
        return Cow::Borrowed(&body.rows);
    }
    let [mut nets, mut sums] = [RunningSum::default(); 2];
    ordered.clone().for_each(|row| nets.add(&row.net));
    body.sums.iter().for_each(|sum| sums.add(&sum.net));
    match nets.value().is_some() && nets.value() == sums.value() {
        true => Cow::Owned(ordered.map(of_order).collect()),
        false => Cow::Borrowed(&body.rows),
    }
}

fn of_order<'d>(own: &PolishOrderRow<'d>) -> PolishInvoiceRow<'d> {
    PolishInvoiceRow {
        number: own.number.clone(),
        name: own.name.clone(),
        index: own.index.clone(),
        gtin: own.gtin.clone(),
        nomenclature: own.nomenclature.clone(),
        unit: own.unit.clone(),
        quantity: own.quantity.clone(),
        net_price: own.net_price.clone(),
        net: own.net.clone(),
        rate: own.rate.clone(),
        foreign_rate: own.foreign_rate.clone(),
        group_code: own.group_code.clone(),
        procedure: own.procedure.clone(),
        before: own.before.clone(),
        ..PolishInvoiceRow::new(own.element)
    }
}

/// Says every line.
pub(super) fn tell<'d>(invoice: &mut Invoice<'d>, rows: &[PolishInvoiceRow<'d>], is_credit: bool) {
    let of_margin = |one: &quoin_model::en16931::VatBreakdown<'_>| one.element.local() == "P_13_11";
    let is_margin = invoice.vat_breakdown.iter().any(of_margin);
    invoice.lines.reserve(rows.len());
    for row in rows {
        let line = line(row, is_credit, is_margin);
        invoice.lines.push(line);
    }
}

/// A row before a correction is taken back: it has the other sign. So have all rows of a credit
/// note.
fn line<'d>(row: &PolishInvoiceRow<'d>, is_credit: bool, is_margin: bool) -> Line<'d> {
    let is_other = row.before.is("1") != is_credit;
    let mut line = Line::new(row.element);
    line.id = row.number.clone();
    if let Some(day) = row.delivered_on.get() {
        let mut period = Period::new(day.element());
        period.end = row.delivered_on.clone();
        line.period.push(period);
    }
    let has_rate = row.rate.is_present() || row.foreign_rate.is_present();
    let is_gross = !has_rate && row.net.is_absent();
    let amount = if is_gross { &row.gross } else { &row.net };
    line.net_amount.extend(amount.iter().map(|one| signed_amount(*one, is_other)));
    if line.net_amount.is_absent() {
        without_vat(row, &mut line.net_amount);
    }
    let price = if is_gross { &row.gross_price } else { &row.net_price };
    // Of quantity and price one has the other sign: a price of less than nought loses its sign.
    let is_price_negative = price.value().is_some_and(Decimal::is_negative);
    if let Some(first) = price.get() {
        let mut own = Price::new(first.element());
        let is_signed = is_other && is_price_negative;
        own.net.extend(price.iter().map(|one| signed_amount(*one, is_signed)));
        line.price.push(own);
    }
    for own in &row.quantity {
        let own: Quantity<'d> = signed(**own, is_other && !is_price_negative);
        line.quantity.push(with_unit(own, &row.unit));
    }
    unsaid(row, &mut line);
    discount(row, &mut line, is_other);
    line.tax_category.extend(category(row, is_margin));
    line.item.push(item(row));
    line
}

/// BT-129 and BT-146 of a row that does not say them: one, and its amount.
fn unsaid<'d>(row: &PolishInvoiceRow<'d>, line: &mut Line<'d>) {
    let Some(net) = line.net_amount.get() else { return };
    let is_negative = net.value().is_some_and(Decimal::is_negative);
    if line.price.is_absent() {
        let mut own = Price::new(net.element());
        let text = net.trimmed();
        let text = text.trim_start_matches('-').to_owned();
        own.net.push(net.saying(Derivation::Computed(Agreement::Unsaid), text).into());
        own.base_quantity.extend(line.quantity.iter().map(|one| without_sign(*one)));
        line.price.push(own);
    }
    if line.quantity.is_absent() {
        let price = line.price.first().and_then(|price| price.net.value());
        let is_other = price.is_some_and(Decimal::is_negative) != is_negative;
        let one: Quantity<'d> = implied(row.element, if is_other { "-1" } else { "1" });
        line.quantity.push(with_unit(one, &row.unit));
    }
}

fn without_sign(quantity: Quantity<'_>) -> Quantity<'_> {
    let text = quantity.trimmed().trim_start_matches('-').to_owned();
    let of = quantity.saying(Derivation::Computed(Agreement::Unsaid), text);
    Quantity::from(of)
}

/// BT-131 of a row that says the amount with VAT and the VAT in it.
fn without_vat<'d>(row: &PolishInvoiceRow<'d>, field: &mut Field<Amount<'d>>) {
    let [mut gross, mut vat] = [RunningSum::default(); 2];
    gross.add(&row.gross);
    vat.add(&row.vat);
    if vat.value().is_some() {
        summed(field, row.element, gross.minus(vat), Agreement::Unsaid, None);
    }
}

/// BT-130: a word of the table, else what the document says; without one it is a number.
fn with_unit<'d>(quantity: Quantity<'d>, units: &Field<Text<'d>>) -> Quantity<'d> {
    let unit = match units.filled() {
        Some(unit) => match unit_code(&unit.trimmed()) {
            Some(code) => unit.saying(Derivation::Mapped, code),
            None => *unit,
        },
        None => ValueSource::of(quantity.element()).saying(Derivation::Implied, "C62"),
    };
    Quantity::from(quantity.with(&[(AttributeName::UnitCode, unit)]))
}

/// The unit that a word means, in any case of its letters.
pub(in super::super) fn unit_code(word: &str) -> Option<&'static str> {
    lookup(UNITS, &word.to_lowercase())
}

/// BG-27: `P_10`. Some write it for one unit, which price, quantity and amount tell.
fn discount<'d>(row: &PolishInvoiceRow<'d>, line: &mut Line<'d>, is_other: bool) {
    let Some(own) = row.discount.filled() else { return };
    let is_zero = own.value().is_some_and(|value| value.is_zero());
    if is_zero {
        return;
    }
    let own = match for_one(row) {
        Some(whole) => {
            let how = Derivation::Computed(Agreement::Agrees);
            Amount::from(own.saying(how, crate::reading::cents(whole)))
        }
        None => own,
    };
    let own = Amount::from(signed::<ValueSource<'d>>(*own, is_other));
    let is_charge = own.value().is_some_and(Decimal::is_negative);
    let mut one = AllowanceCharge::new(own.element());
    one.indicator.push(implied(own.element(), if is_charge { "true" } else { "false" }));
    one.amount.push(signed_amount(own, is_charge));
    line.allowance_charges.push(one);
}

/// The discount of the whole row, where it is written for one unit.
fn for_one(row: &PolishInvoiceRow<'_>) -> Option<Decimal> {
    let (quantity, price) = (row.quantity.value()?, row.net_price.value()?);
    let (discount, net) = (row.discount.value()?, row.net.value()?);
    let whole = quantity.checked_mul(price)?;
    let is_whole = whole.checked_sub(discount)?.round_to_cents() == net.round_to_cents();
    let times = quantity.checked_mul(discount)?;
    let is_for_one = whole.checked_sub(times)?.round_to_cents() == net.round_to_cents();
    (is_for_one && !is_whole).then_some(times)
}

/// BG-30.
fn category<'d>(row: &PolishInvoiceRow<'d>, is_margin: bool) -> Option<TaxCategory<'d>> {
    let place = row.rate.get().map(|rate| rate.element());
    let place = place.or_else(|| row.foreign_rate.get().map(|rate| rate.element()));
    let mut own = TaxCategory::new(place.unwrap_or(row.element));
    own.scheme.push(implied(own.element, "VAT"));
    if let Some(rate) = row.rate.get() {
        match lookup(CATEGORIES, &rate.trimmed()) {
            Some(code) => {
                own.code.push(mapped(*rate, CATEGORIES));
                if code != "O" {
                    own.rate.push(implied(own.element, "0"));
                }
            }
            None => {
                own.code.push(implied(own.element, "S"));
                own.rate.push((*rate).into());
            }
        }
        return Some(own);
    }
    if row.foreign_rate.is_present() {
        own.code.push(implied(own.element, "S"));
        own.rate = row.foreign_rate.clone();
        return Some(own);
    }
    own.code.push(implied(own.element, "E"));
    own.rate.push(implied(own.element, "0"));
    is_margin.then_some(own)
}

/// BG-31. Group and procedure are attributes (BG-32).
fn item<'d>(row: &PolishInvoiceRow<'d>) -> ItemInformation<'d> {
    let mut item = ItemInformation::new(row.element);
    item.name = row.name.clone();
    item.seller_id = row.index.clone();
    item.standard_id.extend(row.gtin.iter().map(|id| party::gtin(*id)));
    for own in &row.nomenclature {
        let mut one = Classification::new(own.element());
        let list = own.saying(Derivation::Implied, NOMENCLATURE);
        one.code.push(Code::from(own.with(&[(AttributeName::ListId, list)])));
        item.classifications.push(one);
    }
    for (name, field) in [("GTU", &row.group_code), ("Procedura", &row.procedure)] {
        for own in field {
            let mut one = ItemAttribute::new(own.element());
            one.name.push(implied(own.element(), name));
            one.value.push((**own).into());
            item.attributes.push(one);
        }
    }
    item
}
