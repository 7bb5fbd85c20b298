//! Transport (2.1.9): the day and place of delivery are BG-13 and BG-15, the rest is an extension.

use quoin_model::en16931::{
    AttributeName, DeliveryInformation, Invoice, ItalianTransport, Quantity, Text, Time,
};
use quoin_xml::tree::Element;

use super::{day, italy, name, party};
use crate::reading::{Pass, day_of};

/// Reads `DatiTrasporto`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut delivery = DeliveryInformation::new(element);
    let mut own = ItalianTransport::new(element);
    let mut units: Vec<Text<'d>> = Vec::new();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DatiAnagraficiVettore" => {
                let carrier = party::carrier(pass, &mut own.driving_licence, child);
                own.carrier.push(carrier);
            }
            "MezzoTrasporto" => pass.take(&mut own.means, child),
            "CausaleTrasporto" => pass.take(&mut own.reason, child),
            "NumeroColli" => pass.take(&mut own.packages, child),
            "Descrizione" => pass.take(&mut own.description, child),
            "UnitaMisuraPeso" => units.push(pass.value(child)),
            "PesoLordo" => pass.take(&mut own.gross_weight, child),
            "PesoNetto" => pass.take(&mut own.net_weight, child),
            "DataOraRitiro" => pass.take(&mut own.collected_at, child),
            "DataInizioTrasporto" => day(pass, &mut own.started_on, child),
            "TipoResa" => pass.take(&mut own.terms, child),
            "IndirizzoResa" => delivery.address.push(party::address(pass, child)),
            "DataOraConsegna" => {
                let at: Time<'d> = pass.value(child);
                own.delivered_at.push(at);
                delivery.date.push(day_of(*at));
            }
            _ => pass.unread(child),
        }
    }
    let weighed = own.gross_weight.is_present() || own.net_weight.is_present();
    for unit in units {
        let unit = [(AttributeName::UnitCode, *unit)];
        for weight in [&mut own.gross_weight, &mut own.net_weight] {
            for one in weight.all_mut() {
                *one = Quantity::from(one.with(&unit));
            }
        }
        let [(_, unit)] = unit;
        if !weighed {
            own.weight_unit.push(Text::from(unit));
        }
    }
    italy(invoice).transport.push(own);
    if delivery.date.is_present() || delivery.address.is_present() {
        invoice.delivery.push(delivery);
    }
}
