//! What a price says twice (BG-29).

use quoin_model::en16931::{Price, Quantity};

use super::LeafLedger;

/// CII has the base quantity (BT-149) beside the gross price too: where it says what was written it
/// is told by that.
pub(crate) fn tell_gross_base<'d>(
    ledger: &mut LeafLedger<'d>,
    price: &Price<'d>,
    base: Quantity<'d>,
) {
    let Some(gross) = price.gross_base_quantity.filled().filter(|gross| *gross != base) else {
        return;
    };
    let unit = |one: Quantity<'d>| one.unit().map(|unit| unit.trimmed());
    let is_same_unit = unit(gross).is_none() || unit(gross) == unit(base);
    if gross.value().is_some() && gross.value() == base.value() && is_same_unit {
        ledger.derive(*gross);
        if let Some(unit) = gross.unit() {
            ledger.derive(*unit);
        }
    }
}
