//! References (2.1.2 to 2.1.6, 2.1.8): of the document where they name no line or all of them, else
//! of the lines that they name.

use std::collections::{BTreeSet, HashMap};

use quoin_model::en16931::{
    DocumentReference, Field, Identifier, Invoice, ItalianReference, Line, OrderLineReference,
    ValueSource,
};
use quoin_xml::tree::Element;

use super::body::BodyState;
use super::{day, name, schemed};
use crate::reading::{Pass, implied};

/// How many references of lines are kept; the others are unread.
const MAX_LINE_REFERENCES: usize = 200_000;

/// A reference that names lines.
pub(super) struct Related<'d> {
    reference: DocumentReference<'d>,
    /// The elements that name them.
    lines: Vec<Element<'d>>,
}

/// Reads one of the groups of references.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    let kinds = [
        "DatiOrdineAcquisto",
        "DatiContratto",
        "DatiConvenzione",
        "DatiRicezione",
        "DatiFattureCollegate",
        "DatiDDT",
    ];
    if !kinds.contains(&name(element)) {
        return pass.unread(element);
    }
    let related = document(pass, element);
    match related.lines.is_empty() {
        true => of_document(invoice, related.reference),
        false => state.related.push(related),
    }
}

fn document<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Related<'d> {
    let (mut reference, mut lines) = (DocumentReference::new(element), Vec::new());
    let mut own = ItalianReference::default();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "RiferimentoNumeroLinea" => lines.push(child),
            "IdDocumento" | "NumeroDDT" => pass.take(&mut reference.id, child),
            "Data" | "DataDDT" => day(pass, &mut reference.issue_date, child),
            "NumItem" => pass.take(&mut reference.line_id, child),
            "CodiceCommessaConvenzione" => pass.take(&mut own.agreed_code, child),
            "CodiceCUP" => pass.take(&mut own.project, child),
            "CodiceCIG" => pass.take(&mut own.tender, child),
            _ => pass.unread(child),
        }
    }
    let has_codes =
        own.agreed_code.is_present() || own.project.is_present() || own.tender.is_present();
    reference.italy = has_codes.then(|| Box::new(own));
    Related { reference, lines }
}

/// A reference of the whole document: BT-10 to BT-13, BT-15 to BT-18, BG-3.
fn of_document<'d>(invoice: &mut Invoice<'d>, mut reference: DocumentReference<'d>) {
    let references = &mut invoice.references;
    if let Some(own) = reference.italy.as_deref() {
        if name(reference.element) == "DatiOrdineAcquisto" {
            invoice.buyer_reference.extend(own.agreed_code.iter().copied());
        }
        by_code(&mut references.project, &own.project);
        by_code(&mut references.tender, &own.tender);
    }
    match name(reference.element) {
        "DatiOrdineAcquisto" => references.purchase_order.push(reference),
        "DatiContratto" => references.contract.push(reference),
        "DatiConvenzione" => {
            agreement(&mut reference);
            references.invoiced_object.push(reference);
        }
        "DatiRicezione" => references.receiving_advice.push(reference),
        "DatiFattureCollegate" => references.preceding_invoices.push(reference),
        _ => references.despatch_advice.push(reference),
    }
}

/// BT-11 and BT-17 stand in the references; the same code in the next one says nothing new.
fn by_code<'d>(field: &mut Field<DocumentReference<'d>>, codes: &Field<Identifier<'d>>) {
    for code in codes {
        let last = field.all().last().and_then(|last| last.id.get());
        if last.is_some_and(|last| last.trimmed() == code.trimmed()) {
            continue;
        }
        let mut reference = DocumentReference::new(code.element());
        reference.id.push(*code);
        field.push(reference);
    }
}

/// BT-18: an agreement is an object of the scheme `AVV`.
fn agreement(reference: &mut DocumentReference<'_>) {
    for id in reference.id.all_mut() {
        *id = schemed(**id, "AVV");
    }
    reference.type_code.push(implied(reference.element, "130"));
}

/// Gives the references that name lines to the lines, and to the document where they name all.
pub(super) fn resolve<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    related: Vec<Related<'d>>,
) {
    let mut places: HashMap<String, usize> = HashMap::new();
    if !related.is_empty() {
        for (at, line) in invoice.lines.iter().enumerate() {
            let number = line.id.text().unwrap_or_default();
            places.entry(number.into_owned()).or_insert(at);
        }
    }
    let mut left = MAX_LINE_REFERENCES;
    for Related { reference, lines } in related {
        let mut named = BTreeSet::new();
        for element in lines {
            let place = places.get(element.text().trim()).copied();
            let line = place.and_then(|place| invoice.lines.get_mut(place));
            let (Some(line), Some(place), true) = (line, place, left > 0) else {
                pass.unread(element);
                continue;
            };
            let _: ValueSource<'d> = *pass.value::<Identifier<'d>>(element);
            if named.insert(place) {
                of_line(line, reference.clone());
            }
            left -= 1;
        }
        if named.is_empty() {
            invoice.references.others.push(reference);
        } else if named.len() == invoice.lines.len() {
            of_document(invoice, reference);
        }
    }
}

/// A reference of a line; of an order the line in it is BT-132.
fn of_line<'d>(line: &mut Line<'d>, mut reference: DocumentReference<'d>) {
    match name(reference.element) {
        "DatiOrdineAcquisto" => {
            let mut order = OrderLineReference::new(reference.element);
            order.line_id.append(&mut reference.line_id);
            order.order.push(reference);
            line.order_lines.push(order);
        }
        "DatiDDT" => line.extensions.get_or_insert_default().despatch_lines.push(reference),
        "DatiRicezione" => line.extensions.get_or_insert_default().receipt_lines.push(reference),
        _ => line.extensions.get_or_insert_default().billing_references.push(reference),
    }
}
