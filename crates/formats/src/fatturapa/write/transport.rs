//! Transport (2.1.9): BT-72 and BG-15, and what only FatturaPA has.

use quoin_model::en16931::{DeliveryInformation, Invoice, ItalianTransport};

use super::address::{self, DELIVERY};
use super::{party, text};
use crate::writing::{InvoiceOutput, NumberForm};

/// `PesoType`.
const WEIGHT: NumberForm = NumberForm { least: 1, most: 2, digits: 4 };

/// Writes `DatiTrasporto`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let italy = invoice.extensions.italy.as_deref();
    let own = italy.and_then(|italy| italy.transport.first());
    if let Some(own) = own {
        let delivery = invoice.delivery.iter().find(|one| one.element == own.element);
        out.group("DatiTrasporto", |out| transport(out, own, delivery));
        return;
    }
    let has_any = |one: &&DeliveryInformation<'d>| {
        one.date.is_filled() || one.address.first().is_some_and(|one| one.country.is_filled())
    };
    if let Some(delivery) = invoice.delivery.iter().find(has_any) {
        out.group("DatiTrasporto", |out| arrival(out, delivery));
    }
}

/// As it stands in a document of FatturaPA.
fn transport<'d>(
    out: &mut InvoiceOutput<'d>,
    own: &ItalianTransport<'d>,
    delivery: Option<&DeliveryInformation<'d>>,
) {
    if let Some(carrier) = own.carrier.first() {
        out.group("DatiAnagraficiVettore", |out| {
            party::carrier(out, carrier);
            text::code(out, "NumeroLicenzaGuida", &own.driving_licence, 20);
        });
    }
    text::free(out, "MezzoTrasporto", &own.means, 80);
    text::free(out, "CausaleTrasporto", &own.reason, 100);
    text::code(out, "NumeroColli", &own.packages, 4);
    text::free(out, "Descrizione", &own.description, 100);
    let weights = [("PesoLordo", &own.gross_weight), ("PesoNetto", &own.net_weight)];
    let units = weights.iter().filter_map(|(_, weight)| weight.filled()?.unit().map(|unit| *unit));
    let unit = units.chain(own.weight_unit.iter().map(|unit| **unit)).next();
    if let Some(unit) = unit {
        text::one_code(out, "UnitaMisuraPeso", unit, 10);
    }
    for (name, weight) in weights {
        if let Some(weight) = weight.filled() {
            out.number_in(name, *weight, WEIGHT);
        }
    }
    if let Some(at) = own.collected_at.filled() {
        let words = out.words(*at);
        out.kept("DataOraRitiro", &words, *at);
    }
    out.plain_day("DataInizioTrasporto", &own.started_on);
    text::code(out, "TipoResa", &own.terms, 3);
    if let Some(address) = delivery.and_then(|delivery| delivery.address.first()) {
        address::optional(out, "IndirizzoResa", address, &DELIVERY);
    }
    if let Some(at) = own.delivered_at.filled() {
        let words = out.words(*at);
        out.kept("DataOraConsegna", &words, *at);
    }
}

/// BG-15 and BT-72, of which the target has the time, too.
fn arrival<'d>(out: &mut InvoiceOutput<'d>, delivery: &DeliveryInformation<'d>) {
    if let Some(address) = delivery.address.first() {
        address::optional(out, "IndirizzoResa", address, &DELIVERY);
    }
    let Some(date) = delivery.date.filled() else { return };
    if let Some(day) = out.day("DataOraConsegna", date) {
        out.constant("DataOraConsegna", &format!("{day}T00:00:00"), &[]);
    }
}
