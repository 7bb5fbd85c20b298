//! What a price is of (BT-149, BT-150). cXML says beside it how many units of the price are in one
//! of the quantity, which is one or unknown: no other syntax says it.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AllowanceCharge, Price, Quantity, ValueSource};

use super::line::ONE;
use crate::writing::InvoiceOutput;

/// Units that are all one piece (recommendation 20 of UN/ECE).
const PIECES: &[&str] = &[ONE, "EA", "H87"];

/// Whether one unit of the price is one of the quantity. A price that says no unit is of that of
/// the quantity, and a quantity that says none is of pieces.
pub(in crate::cxml) fn is_one_to_one<'d>(
    base: Quantity<'d>,
    of_line: Option<ValueSource<'d>>,
) -> bool {
    let said = |unit: Option<ValueSource<'d>>| {
        unit.map(|unit| unit.trimmed().into_owned()).filter(|unit| !unit.is_empty())
    };
    let Some(base) = said(base.unit().map(|unit| *unit)) else { return true };
    let of_line = said(of_line).unwrap_or_else(|| ONE.to_owned());
    let is_piece = |unit: &String| PIECES.contains(&unit.as_str());
    base == of_line || is_piece(&base) && is_piece(&of_line)
}

/// What a line costs at a price for one: quantity times price, with what is added and taken off, in
/// cents.
pub(super) fn priced(
    quantity: Option<Decimal>,
    price: Option<Decimal>,
    changes: &[AllowanceCharge<'_>],
) -> Option<Decimal> {
    let mut net = quantity?.checked_mul(price?)?;
    for one in changes {
        let own = one.amount.value()?;
        net = if one.is_charge() { net.checked_add(own)? } else { net.checked_sub(own)? };
    }
    Some(net.round_to_cents())
}

/// Leaves out what the price is of, where the line costs the same without it: the price is for one,
/// or what the line says it costs is that. Otherwise it would be another price.
pub(in crate::cxml) fn leave_out<'d>(
    out: &mut InvoiceOutput<'d>,
    base: Quantity<'d>,
    costs_the_same: bool,
) {
    if !costs_the_same && base.value() != Some(Decimal::new(1, 0)) {
        let why = "its unit is another one than that of the quantity, and cXML asks how many of it \
                   are in one of that, which the document does not say";
        return out.refuse_value(*base, why);
    }
    let reason = "its unit is another one than that of the quantity, and nobody says how many of \
                  it are in one of that";
    out.lost(*base, reason);
    if let Some(unit) = base.unit() {
        out.lost(*unit, reason);
    }
}

/// The unit of a price that says none: that of the quantity.
pub(in crate::cxml) fn unit_of_quantity<'d>(
    out: &mut InvoiceOutput<'d>,
    price: &Price<'d>,
    of_line: ValueSource<'d>,
    term: &'static str,
) {
    let text = of_line.trimmed().into_owned();
    let path = out.path_of("UnitOfMeasure");
    let reason = "the definition asks for the unit of the price: that of the quantity";
    out.ledger.invent(price.element, Some(term), &text, path, reason);
    out.constant("UnitOfMeasure", &text, &[]);
}
