//! Units (BT-130, BT-150): hours of a kind, and pieces.

use quoin_model::en16931::{Invoice, ItemAttribute, Line, Quantity};

use super::super::codes::{HOUR, HOUR_TYPE, PIECE, PIECES, REGULAR, is_hours};
use crate::writing::InvoiceOutput;

/// A unit in SETU.
#[derive(Clone, Copy)]
pub(super) struct SetuUnit<'l, 'd> {
    /// The word of the target.
    word: &'l str,
    /// What readers take it for.
    read: &'static str,
    /// The attribute of the item that says which kind of hours it is.
    kind: Option<&'l ItemAttribute<'d>>,
}

/// Whether hours are invoiced, or services, or both.
pub(super) fn reason(invoice: &Invoice<'_>) -> &'static str {
    let is_hour = |line: &Line<'_>| {
        line.quantity.filled().and_then(Quantity::unit).is_some_and(|unit| unit.is(HOUR))
    };
    let hours = invoice.lines.iter().filter(|line| is_hour(line)).count();
    match hours {
        0 => "services",
        all if all == invoice.lines.len() => "hours",
        _ => "combination",
    }
}

/// The attribute of an item that is a kind of hours.
pub(super) fn hour_type<'l, 'd>(line: &'l Line<'d>) -> Option<&'l ItemAttribute<'d>> {
    let attributes = line.item.first().map(|item| item.attributes.as_slice()).unwrap_or_default();
    attributes.iter().find(|one| {
        let is_token = |text: &str| is_hours(text) && !text.contains(' ');
        one.name.is(HOUR_TYPE) && one.value.text().is_some_and(|text| is_token(&text))
    })
}

/// Whether hours are invoiced in a line, and the word for them.
pub(super) fn word(line: &Line<'_>) -> String {
    let kind = hour_type(line).and_then(|one| one.value.text());
    kind.map_or(REGULAR.to_owned(), |kind| kind.into_owned())
}

/// Writes a quantity with its unit. A unit that is neither hours nor pieces is refused.
pub(super) fn quantity<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    line: &Line<'d>,
    value: Quantity<'d>,
    text: &str,
    term: &'static str,
) {
    let unit = value.unit().filter(|unit| !unit.is_blank());
    if out.ledger.in_own_words {
        let words = unit.map(|unit| out.words(*unit));
        let attributes: Vec<_> = words.iter().map(|words| ("uom", words.as_ref())).collect();
        out.constant(name, text, &attributes);
        unit.iter().for_each(|unit| out.ledger.carry(**unit));
        return;
    }
    let reason = "the target has hours of a kind, and pieces";
    let whole = word(line);
    let kind = hour_type(line);
    let own = match unit {
        None => SetuUnit { word: PIECE, read: PIECE, kind: None },
        Some(unit) if unit.is(HOUR) => SetuUnit { word: &whole, read: HOUR, kind },
        Some(unit) if PIECES.contains(&&*unit.trimmed()) => {
            SetuUnit { word: PIECE, read: PIECE, kind: None }
        }
        Some(unit) => return out.refuse_value(*unit, "the target has hours and pieces only"),
    };
    let path = "ItemQuantity/@uom";
    match unit {
        Some(unit) if unit.is(own.read) => out.ledger.carry(*unit),
        Some(unit) => {
            let path = Some(out.path_of(path));
            out.ledger.list(*unit, crate::writing::LossKind::Changed, path, reason);
        }
        None => out.implied(path, PIECE, value.element(), Some(term), reason),
    }
    if let Some(kind) = own.kind {
        kind.name.iter().for_each(|name| out.ledger.carry(**name));
        kind.value.iter().for_each(|value| out.ledger.carry(**value));
    }
    out.ledger.implied_unit_list(value);
    out.constant(name, text, &[("uom", own.word)]);
}

/// The word for the unit of a line.
pub(super) fn of_line(line: &Line<'_>) -> (String, &'static str) {
    let unit = line.quantity.filled().and_then(Quantity::unit);
    match unit.is_some_and(|unit| unit.is(HOUR)) {
        true => (word(line), HOUR),
        false => (PIECE.to_owned(), PIECE),
    }
}
