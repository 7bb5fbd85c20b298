//! The body of a simplified invoice (2): amounts with VAT, by line.

use quoin_model::en16931::{
    Agreement, Derivation, DocumentReference, IncludedVat, Invoice, ItemInformation, Line, Totals,
};
use quoin_xml::tree::Element;

use super::body::BodyState;
use super::vat::CategoryParts;
use super::{attachment, day, general, italy, name};
use crate::reading::{Pass, RunningSum, summed, view};

/// Reads `FatturaElettronicaBody` of a simplified invoice. What is without VAT is in no element,
/// and is not computed: a line has its category, its item and the gross amount.
pub(super) fn read<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let (mut state, mut gross) = (BodyState::default(), RunningSum::default());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DatiGenerali" => general(pass, invoice, &mut state, child),
            "DatiBeniServizi" => goods(pass, invoice, &mut gross, child),
            "Allegati" => {
                invoice.references.supporting_documents.push(attachment::read(pass, child));
            }
            _ => pass.unread(child),
        }
    }
    let mut totals = state.totals.unwrap_or_else(|| Totals::new(element));
    let currency = invoice.currency.get();
    summed(&mut totals.with_vat, element, gross, Agreement::Unsaid, currency);
    summed(&mut totals.due, element, gross, Agreement::Unsaid, currency);
    if totals.with_vat.is_present() {
        invoice.totals.push(totals);
    }
}

fn general<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DatiGeneraliDocumento" => general::document(pass, invoice, state, child),
            "DatiFatturaRettificata" => {
                let reference = corrected(pass, child);
                invoice.references.preceding_invoices.push(reference);
            }
            _ => pass.unread(child),
        }
    }
}

/// BG-3: the invoice that is corrected, and what of it (BT-22 of the reference).
fn corrected<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "NumeroFR" => pass.take(&mut reference.id, child),
            "DataFR" => day(pass, &mut reference.issue_date, child),
            "ElementiRettificati" => pass.take(&mut reference.description, child),
            _ => pass.unread(child),
        }
    }
    reference
}

/// Reads `DatiBeniServizi` of a simplified invoice, which is a line.
fn goods<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    gross: &mut RunningSum,
    element: Element<'d>,
) {
    let (mut line, mut item) = (Line::new(element), ItemInformation::new(element));
    let (mut parts, mut vat) = (CategoryParts::default(), IncludedVat::new(element));
    let mut reasons = Vec::new();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Descrizione" => pass.take(&mut item.name, child),
            "Importo" => {
                pass.take(&mut vat.gross, child);
                line.extensions.get_or_insert_default().gross_amount.push(view(child));
            }
            "DatiIVA" => {
                pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "Imposta" => pass.take(&mut vat.amount, inner),
                        "Aliquota" => parts.rate(pass, inner),
                        _ => pass.unread(inner),
                    }
                }
            }
            "Natura" => parts.nature(pass, child),
            "RiferimentoNormativo" => reasons.push(pass.value(child)),
            _ => pass.unread(child),
        }
    }
    gross.add(&vat.gross);
    let mut category = parts.category(element, false);
    match &mut category {
        Some(category) => category.exemption_reason.extend(reasons),
        None => reasons.iter().for_each(|reason| line.note.push(*reason)),
    }
    line.tax_category.extend(category);
    let number = quoin_model::en16931::ValueSource::of(element);
    let place = (invoice.lines.len() + 1).to_string();
    line.id.push(number.saying(Derivation::Implied, place).into());
    line.item.push(item);
    invoice.lines.push(line);
    italy(invoice).included_vat.push(vat);
}
