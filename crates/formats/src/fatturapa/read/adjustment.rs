//! Discounts and surcharges (`ScontoMaggiorazione`) of the document (2.1.1.8) and of a line
//! (2.2.1.10).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Agreement, AllowanceCharge, Amount, Derivation, Field, Line, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::ADJUSTMENTS;
use super::name;
use crate::reading::{Pass, agreement, cents};

/// Reads a discount or surcharge. The amount of one on a line is for one unit; [`of_line`] makes
/// it that of the line.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> AllowanceCharge<'d> {
    let mut own = AllowanceCharge::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Tipo" => own.indicator.push(pass.mapped(child, ADJUSTMENTS)),
            "Percentuale" => pass.take(&mut own.percentage, child),
            "Importo" => pass.take(&mut own.amount, child),
            _ => pass.unread(child),
        }
    }
    own
}

/// BT-136, BT-141: what the discounts of a line are together, of amounts or percentages for one
/// unit, each of what the ones before it left (SdI check 00423). Where something is no number, the
/// amounts stay as they are written.
pub(super) fn of_line(line: &mut Line<'_>) {
    let price = line.price.first().and_then(|price| price.net.value());
    let (Some(price), Some(quantity)) = (price, line.quantity.value()) else { return };
    let Some(amounts) = amounts(&line.allowance_charges, price, quantity) else { return };
    let sign = |(one, amount): (&AllowanceCharge<'_>, &Decimal)| match one.is_charge() {
        true => *amount,
        false => amount.negated(),
    };
    let changes = line.allowance_charges.iter().zip(&amounts).map(sign);
    let gross = price.checked_mul(quantity).map(Decimal::round_to_cents);
    let net = gross.and_then(|gross| Decimal::sum(changes.chain([gross])));
    let how = agreement(net, &[line.net_amount.value()]);
    for (own, amount) in line.allowance_charges.iter_mut().zip(amounts) {
        replace(own, amount, how);
    }
}

/// The amount of each for the whole line, in cents.
fn amounts(
    adjustments: &[AllowanceCharge<'_>],
    price: Decimal,
    quantity: Decimal,
) -> Option<Vec<Decimal>> {
    let mut unit = price;
    let hundredth = Decimal::new(1, 2);
    let mut one = |own: &AllowanceCharge<'_>| {
        let share = |percent: Decimal| unit.checked_mul(percent)?.checked_mul(hundredth);
        let change = match own.amount.is_present() {
            true => own.amount.value()?,
            false => share(own.percentage.value()?)?,
        };
        unit = match own.is_charge() {
            true => unit.checked_add(change)?,
            false => unit.checked_sub(change)?,
        };
        Some(change.checked_mul(quantity)?.round_to_cents())
    };
    adjustments.iter().map(&mut one).collect()
}

/// The amount of the line in the place of what is written, which stays at hand there.
fn replace(own: &mut AllowanceCharge<'_>, amount: Decimal, how: Agreement) {
    let written = own.amount.get().map(|amount| *amount);
    let percentage = own.percentage.get().map(|percentage| *percentage);
    let Some(place) = written.or(percentage) else { return };
    own.amount = Field::default();
    own.amount.push(computed(place, amount, how));
}

fn computed(place: ValueSource<'_>, amount: Decimal, how: Agreement) -> Amount<'_> {
    Amount::from(place.saying(Derivation::Computed(how), cents(amount)))
}
