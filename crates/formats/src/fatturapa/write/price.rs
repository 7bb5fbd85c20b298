//! Quantity, price and discounts of a line (2.2.1.5 to 2.2.1.11), so that the check of SdI on the
//! total (00423) holds: price for one, less and more its discounts, times the quantity.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AllowanceCharge, Derivation, Line, Price, Quantity};

use super::super::codes::{ADJUSTMENTS, UNITS};
use super::{CENTS, PRICE, QUANTITY, RATE, text};
use crate::reading::{lookup, lookup_back};
use crate::writing::{InvoiceOutput, LossKind, in_form, tell_gross_base};

/// Decimals of prices and quantities.
const DECIMALS: u32 = 8;

/// Why a line has neither its quantity nor its price.
const NOT_BY_PRICE: &str = "the line amount (BT-131) is not the price times the quantity with \
    eight decimals (SdI check 00423): the amount is the price of one";
const SIGN: &str = "a quantity is above nought: its sign is with the price";
const FOR_ONE: &str = "the price is for one, with eight decimals";
const ONE_UNIT: &str = "discounts and surcharges are for one unit";

/// How a line is written.
pub(super) enum LinePrice {
    /// As it stands there.
    Own,
    /// Quantity, price for one, and what each discount or surcharge is for one.
    ByQuantity { quantity: Decimal, unit: Decimal, changes: Vec<Decimal> },
    /// The line amount as the price of one.
    Whole,
}

impl LinePrice {
    /// Decides.
    pub(super) fn of(line: &Line<'_>, in_own_words: bool) -> LinePrice {
        if in_own_words {
            return LinePrice::Own;
        }
        by_quantity(line).unwrap_or(LinePrice::Whole)
    }
}

fn by_quantity(line: &Line<'_>) -> Option<LinePrice> {
    let total = line.net_amount.filled()?.value()?;
    let quantity = line.quantity.filled()?.value()?.round(DECIMALS);
    let price = line.price.first()?;
    let base = match price.base().filter(|base| !base.is_blank()) {
        Some(base) => base.value()?,
        None => Decimal::new(1, 0),
    };
    let unit = price.net.filled()?.value()?.checked_div(base)?.round(DECIMALS);
    let unit = if quantity.is_negative() { unit.negated() } else { unit };
    let quantity = quantity.abs();
    if quantity.is_zero() {
        return None;
    }
    let mut left = unit;
    let mut changes = Vec::new();
    for own in &line.allowance_charges {
        let amount = own.amount.filled()?.value()?;
        let change = amount.checked_div(quantity)?.round(DECIMALS);
        if change.checked_mul(quantity)?.round_to_cents() != amount.round_to_cents() {
            return None;
        }
        left = match own.is_charge() {
            true => left.checked_add(change)?,
            false => left.checked_sub(change)?,
        };
        changes.push(change);
    }
    let computed = left.checked_mul(quantity)?.round_to_cents();
    let differs = computed.checked_sub(total.round_to_cents())?.abs();
    let fits = [unit].iter().chain(&changes).all(|one| in_form(*one, PRICE).is_some());
    let is_cent = differs.checked_sub(Decimal::new(1, 2))?;
    let agrees = is_cent.is_negative() || is_cent.is_zero();
    (fits && agrees && in_form(quantity, QUANTITY).is_some()).then_some(LinePrice::ByQuantity {
        quantity,
        unit,
        changes,
    })
}

/// Writes `Quantita` and `UnitaMisura`.
pub(super) fn quantity<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, how: &LinePrice) {
    let Some(own) = line.quantity.filled() else {
        let reason = "without a quantity it is one";
        out.implied("Quantita", "1", line.element, Some("BT-129"), reason);
        return out.implied("UnitaMisura", "C62", line.element, Some("BT-130"), reason);
    };
    match how {
        // It is one that the document does not say.
        LinePrice::Own if own.element().local() != "Quantita" => {}
        LinePrice::Own => out.number_in("Quantita", *own, QUANTITY),
        LinePrice::ByQuantity { quantity, .. } if own.value() != Some(*quantity) => {
            let written = in_form(*quantity, QUANTITY).unwrap_or_default();
            out.changed("Quantita", &written, *own, SIGN);
        }
        LinePrice::ByQuantity { .. } => out.number_in("Quantita", *own, QUANTITY),
        LinePrice::Whole => {
            out.told_otherwise("PrezzoUnitario", *own, LossKind::Changed, NOT_BY_PRICE);
        }
    }
    unit(out, own);
}

/// BT-130: the short name that is usual in Italy, else the code.
fn unit<'d>(out: &mut InvoiceOutput<'d>, quantity: Quantity<'d>) {
    let Some(unit) = quantity.unit().filter(|unit| !unit.is_blank()) else {
        let reason = "without a unit it is a number";
        return out.implied("UnitaMisura", "C62", quantity.element(), Some("BT-130"), reason);
    };
    if unit.derivation() == Some(Derivation::Implied) {
        return;
    }
    if out.ledger.in_own_words {
        let words = out.words(*unit);
        return out.kept("UnitaMisura", &words, *unit);
    }
    let code = unit.trimmed();
    let name = lookup_back(UNITS, &code);
    match name {
        Some(name) => out.kept("UnitaMisura", name, *unit),
        None if lookup(UNITS, &code.to_lowercase()).is_some() => {
            let reason = "the target has short names of units, and it is one of another unit";
            out.lost(*unit, reason);
            out.implied("UnitaMisura", "C62", quantity.element(), Some("BT-130"), reason);
        }
        None => {
            if !text::one_code(out, "UnitaMisura", *unit, 10) {
                let reason = "without a unit it is a number";
                out.implied("UnitaMisura", "C62", quantity.element(), Some("BT-130"), reason);
            }
        }
    }
    out.ledger.implied_unit_list(quantity);
}

/// Writes `PrezzoUnitario`, `ScontoMaggiorazione` and `PrezzoTotale`.
pub(super) fn price<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, how: &LinePrice) {
    let Some(total) = line.net_amount.filled() else {
        return out.refuse_without(
            line.element,
            "the net amount of a line (BT-131)",
            "PrezzoTotale",
        );
    };
    let empty = Price::new(line.element);
    let price = line.price.first().unwrap_or(&empty);
    match (how, price.net.filled()) {
        (LinePrice::Own, Some(net)) => out.amount_in("PrezzoUnitario", net, PRICE),
        (LinePrice::ByQuantity { unit, .. }, Some(net)) => {
            let written = in_form(*unit, PRICE).unwrap_or_default();
            match net.value() == Some(*unit) {
                true => out.amount_in("PrezzoUnitario", net, PRICE),
                false => {
                    out.changed("PrezzoUnitario", &written, *net, FOR_ONE);
                    out.one_currency(net);
                }
            }
        }
        (_, net) => {
            let written = total.value().and_then(|total| in_form(total, PRICE));
            let Some(written) = written else {
                return out.number_in("PrezzoTotale", *total, PRICE);
            };
            match net {
                Some(net) => {
                    out.changed("PrezzoUnitario", &written, *net, NOT_BY_PRICE);
                    out.one_currency(net);
                }
                None => {
                    let place = line.element;
                    out.derived("PrezzoUnitario", &written, place, Some("BT-146"), NOT_BY_PRICE);
                }
            }
        }
    }
    base(out, price);
    adjustments(out, line, how);
    out.amount_in("PrezzoTotale", total, PRICE);
}

/// BT-149, BT-150: in the price.
fn base<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    for base in price.base_quantity.iter().filter(|base| !base.is_blank()) {
        tell_gross_base(&mut out.ledger, price, *base);
        out.told_otherwise("PrezzoUnitario", **base, LossKind::Merged, FOR_ONE);
        if let Some(unit) = base.unit().filter(|unit| !unit.is_blank()) {
            out.told_otherwise("PrezzoUnitario", *unit, LossKind::Merged, FOR_ONE);
        }
    }
}

/// BG-27, BG-28.
fn adjustments<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, how: &LinePrice) {
    match how {
        LinePrice::Own => {
            line.allowance_charges.iter().for_each(|one| adjustment(out, one));
        }
        LinePrice::ByQuantity { changes, .. } => {
            for (one, change) in line.allowance_charges.iter().zip(changes) {
                out.group("ScontoMaggiorazione", |out| by_unit(out, one, *change));
            }
        }
        LinePrice::Whole => {}
    }
}

/// A discount or surcharge as it stands there (1.1.8, 2.2.1.10).
pub(super) fn adjustment<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    out.group("ScontoMaggiorazione", |out| {
        kind(out, one);
        if let Some(percentage) = one.percentage.filled() {
            out.number_in("Percentuale", *percentage, RATE);
        }
        // The amount of a percentage is computed, and stands at the percentage.
        let amount = one.amount.filled().filter(|amount| amount.element().local() == "Importo");
        if let Some(amount) = amount {
            out.number_in("Importo", *amount, PRICE);
        }
    });
}

fn kind<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    let name = if one.is_charge() { "MG" } else { "SC" };
    match one.indicator.filled() {
        Some(indicator) if lookup(ADJUSTMENTS, name).is_some() => {
            out.kept("Tipo", name, *indicator);
        }
        _ => out.constant("Tipo", name, &[]),
    }
}

fn by_unit<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>, change: Decimal) {
    kind(out, one);
    if let Some(percentage) = one.percentage.filled() {
        let hundred = Decimal::new(100, 0);
        let written = percentage.value().filter(|value| !value.is_negative());
        let fits =
            written.and_then(|value| hundred.checked_sub(value)?.is_negative().then_some(()));
        match written.filter(|value| fits.is_none() && value.round(2) == *value) {
            Some(_) => out.number_in("Percentuale", *percentage, RATE),
            None => out.lost(*percentage, "a percentage has two decimals, and is at most 100"),
        }
    }
    let Some(amount) = one.amount.filled() else { return };
    let written = in_form(change, PRICE).unwrap_or_default();
    // Readers multiply it with the quantity again.
    let again = amount.value().is_some_and(|value| value.round_to_cents() == value);
    match again {
        true => out.kept("Importo", &written, *amount),
        false => out.changed("Importo", &written, *amount, ONE_UNIT),
    }
    out.one_currency(amount);
}

/// Writes an amount that a line has instead of the document, with a sign.
pub(super) fn signed<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    const INSTEAD: &str = "allowances and charges of the document are lines in the target";
    let Some(amount) = one.amount.filled() else {
        let what = "the amount of an allowance or charge (BT-92, BT-99)";
        return out.refuse_without(one.element, what, "PrezzoTotale");
    };
    let Some(value) = amount.value() else {
        return out.number_in("PrezzoTotale", *amount, CENTS);
    };
    let value = if one.is_charge() { value } else { value.negated() };
    let Some(written) = in_form(value, PRICE) else {
        return out.number_in("PrezzoTotale", *amount, CENTS);
    };
    let place = one.element;
    out.implied("Quantita", "1", place, Some("BT-129"), INSTEAD);
    out.implied("UnitaMisura", "C62", place, Some("BT-130"), INSTEAD);
    out.derived("PrezzoUnitario", &written, place, Some("BT-146"), INSTEAD);
    out.derived("PrezzoTotale", &written, place, Some("BT-131"), INSTEAD);
    out.told_otherwise("PrezzoTotale", *amount, LossKind::Changed, INSTEAD);
    out.one_currency(amount);
}
