//! The body (2): its groups in their order, and what follows from all of them.

use std::collections::BTreeSet;

use quoin_model::en16931::{Invoice, Totals, Vehicle};
use quoin_xml::tree::Element;

use super::super::codes::SPLIT_PAYMENT;
use super::references::Related;
use super::{attachment, day, general, italy, line, name, payment, references, totals, vat};
use crate::reading::{Pass, RunningSum};

/// What is known of the body while its parts are read.
#[derive(Default)]
pub(super) struct BodyState<'d> {
    /// References that name lines.
    pub related: Vec<Related<'d>>,
    /// Rates of which the buyer pays the VAT to the state, as written.
    pub split: BTreeSet<String>,
    /// The VAT of those.
    pub split_vat: RunningSum,
    /// BT-112, BT-114.
    pub totals: Option<Totals<'d>>,
    /// What the instalments ask for.
    pub instalments: RunningSum,
}

/// Reads `FatturaElettronicaBody`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut state = BodyState { split: split_rates(element), ..BodyState::default() };
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DatiGenerali" => general::read(pass, invoice, &mut state, child),
            "DatiBeniServizi" => goods(pass, invoice, &mut state, child),
            "DatiVeicoli" => vehicle(pass, invoice, child),
            "DatiPagamento" => payment::read(pass, invoice, &mut state, child),
            "Allegati" => {
                invoice.references.supporting_documents.push(attachment::read(pass, child));
            }
            _ => pass.unread(child),
        }
    }
    references::resolve(pass, invoice, std::mem::take(&mut state.related));
    payment::payee(invoice);
    totals::read(invoice, element, state);
}

/// Reads `DatiBeniServizi`.
fn goods<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DettaglioLinee" => invoice.lines.push(line::read(pass, &state.split, child)),
            "DatiRiepilogo" => vat::read(pass, invoice, state, child),
            _ => pass.unread(child),
        }
    }
}

/// The rates whose summary says that the buyer pays the VAT: lines do not say it.
fn split_rates(body: Element<'_>) -> BTreeSet<String> {
    let goods = body.elements().filter(|one| name(*one) == "DatiBeniServizi");
    let summaries = goods.flat_map(Element::elements).filter(|one| name(*one) == "DatiRiepilogo");
    let rate = |summary: Element<'_>| {
        let text = |wanted: &str| {
            let mut own = summary.elements().filter(|one| name(*one) == wanted);
            own.next().map(|one| one.text().trim().to_owned())
        };
        let split = text("EsigibilitaIVA").is_some_and(|text| text == SPLIT_PAYMENT);
        text("AliquotaIVA").filter(|_| split)
    };
    summaries.filter_map(rate).collect()
}

/// Reads `DatiVeicoli`.
fn vehicle<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut vehicle = Vehicle::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Data" => day(pass, &mut vehicle.registered_on, child),
            "TotalePercorso" => pass.take(&mut vehicle.distance, child),
            _ => pass.unread(child),
        }
    }
    italy(invoice).vehicles.push(vehicle);
}
