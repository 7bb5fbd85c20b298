//! Facts (`DodatkowyOpis`): those by which a writer says a term, notes, and attributes of items.

use std::collections::HashMap;

use quoin_model::en16931::{
    Identifier, Invoice, ItemAttribute, ItemInformation, Line, OrderLineReference, PaymentMeans,
    PaymentTerms, PolishBody, PolishFact, Text, ValueSource,
};

use super::super::codes::{DOCUMENT_FACTS, ROW_FACTS};
use super::document::{note, object, reference};
use crate::reading::{joined, lookup};

/// Says every fact.
pub(super) fn tell<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>) {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    if body.facts.iter().any(|fact| fact.row.is_filled()) {
        for (at, line) in invoice.lines.iter().enumerate() {
            let Some(number) = line.id.text() else { continue };
            numbers.entry(number.into_owned()).or_insert(at);
        }
    }
    for fact in &body.facts {
        let Some(value) = fact.value.filled() else { continue };
        let at = fact.row.text().and_then(|row| numbers.get(row.as_ref()).copied());
        match at.and_then(|at| invoice.lines.get_mut(at)) {
            Some(line) => of_row(line, fact, value),
            None => of_document(invoice, fact, value),
        }
    }
}

fn of_document<'d>(invoice: &mut Invoice<'d>, fact: &PolishFact<'d>, value: Text<'d>) {
    let id = Identifier::from(*value);
    let key = fact.key.text().unwrap_or_default();
    let term = lookup(DOCUMENT_FACTS, &key).filter(|_| fact.row.is_absent());
    let references = &mut invoice.references;
    match term {
        Some("BT-10") => invoice.buyer_reference.push(value),
        Some("BT-11") => references.project.push(reference(id)),
        Some("BT-14") => references.sales_order.push(reference(id)),
        Some("BT-15") => references.receiving_advice.push(reference(id)),
        Some("BT-17") => references.tender.push(reference(id)),
        Some("BT-18") => references.invoiced_object.push(object(id)),
        Some("BT-19") => invoice.accounting_reference.push(value),
        Some("BT-20") => {
            let mut terms = PaymentTerms::new(value.element());
            terms.text.push(value);
            invoice.payment.terms.push(terms);
        }
        Some("BT-25") => references.preceding_invoices.push(reference(id)),
        Some("BT-82") => means(invoice, fact, |means| means.text.push(value)),
        Some("BT-83") => {
            means(invoice, fact, |means| means.remittance.push(id));
            invoice.payment.remittance.push(id);
        }
        Some("BT-22") => note(invoice, value),
        Some(term) => of_party(invoice, term, value),
        None => {
            let text = match fact.key.get() {
                Some(key) => joined(fact.element, &[], &[key, value], ": "),
                None => value,
            };
            note(invoice, text);
        }
    }
}

/// Says something of the means of payment, which are one.
fn means<'d>(
    invoice: &mut Invoice<'d>,
    fact: &PolishFact<'d>,
    tell: impl FnOnce(&mut PaymentMeans<'d>),
) {
    let all = &mut invoice.payment.means;
    if all.is_empty() {
        all.push(PaymentMeans::new(fact.element));
    }
    all.first_mut().map(tell);
}

fn of_party<'d>(invoice: &mut Invoice<'d>, term: &str, value: Text<'d>) {
    let is_seller = matches!(term, "BT-28" | "BT-30" | "BT-41");
    let parties = if is_seller { &mut invoice.seller } else { &mut invoice.buyer };
    let Some(party) = parties.all_mut().first_mut() else { return };
    match term {
        "BT-28" | "BT-45" => party.trading_name.push(value),
        "BT-30" => party.legal_registration.push(ValueSource::into(*value)),
        _ => {
            if party.contact.is_absent() {
                party.contact.push(quoin_model::en16931::Contact::new(value.element()));
            }
            for contact in party.contact.all_mut().iter_mut().take(1) {
                contact.name.push(value);
            }
        }
    }
}

fn of_row<'d>(line: &mut Line<'d>, fact: &PolishFact<'d>, value: Text<'d>) {
    let id = Identifier::from(*value);
    let key = fact.key.text().unwrap_or_default();
    match lookup(ROW_FACTS, &key) {
        Some("BT-127") => return line.note.push(value),
        Some("BT-128") => return line.documents.push(object(id)),
        Some("BT-132") => {
            let mut one = OrderLineReference::new(value.element());
            one.line_id.push(id);
            return line.order_lines.push(one);
        }
        Some("BT-133") => return line.accounting_reference.push(value),
        _ => {}
    }
    if line.item.is_absent() {
        line.item.push(ItemInformation::new(line.element));
    }
    let Some(item) = line.item.all_mut().first_mut() else { return };
    match lookup(ROW_FACTS, &key) {
        Some("BT-154") => item.description.push(value),
        Some("BT-156") => item.buyer_id.push(id),
        Some("BT-159") => item.origin.push((*value).into()),
        _ => {
            let mut one = ItemAttribute::new(fact.element);
            one.name = fact.key.clone();
            one.value.push(value);
            item.attributes.push(one);
        }
    }
}
