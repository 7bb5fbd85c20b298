//! The document level: BT-1 to BT-22, references (BG-3), delivery (BG-13), period (BG-14).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    DeliveryInformation, DeliveryTerms, Derivation, DocumentReference, Identifier, Invoice, Note,
    PartyRole, Period, PolishBody, PolishInvoice, PolishParty, Text, ValueSource,
};

use super::{facts, party, payment, row, vat};
use crate::reading::implied;

/// Says the terms of EN 16931.
pub(super) fn tell<'d>(invoice: &mut Invoice<'d>, own: &PolishInvoice<'d>) {
    let registers = own.footer.iter().flat_map(|footer| &footer.registers);
    let ids = registers.clone().flat_map(|one| one.krs.iter());
    let mut ids = ids.chain(registers.flat_map(|one| one.regon.iter()));
    for one in &own.seller {
        let mut seller = party::party(PartyRole::Seller, one);
        seller.legal_registration.extend(ids.by_ref().take(1).copied());
        ids.by_ref().for_each(drop);
        invoice.seller.push(seller);
    }
    for one in &own.buyer {
        invoice.buyer.push(party::party(PartyRole::Buyer, one));
    }
    for one in &own.third_parties {
        third_party(invoice, one);
    }
    for one in &own.authorised {
        let is_tax_representative = one.role.is("3");
        match is_tax_representative {
            true => {
                let own = party::party(PartyRole::TaxRepresentative, one);
                invoice.tax_representative.push(own);
            }
            false => invoice.extensions.parties.push(party::party(PartyRole::Agent, one)),
        }
    }
    for text in own.footer.iter().flat_map(|one| &one.notes).flat_map(|one| one.text.iter()) {
        note(invoice, *text);
    }
    // There is one; others are in the groups of Poland.
    if let Some(body) = own.body.first() {
        tell_body(invoice, body);
    }
}

/// The factor is who is paid (BG-10), the recipient who receives (BG-13).
fn third_party<'d>(invoice: &mut Invoice<'d>, own: &PolishParty<'d>) {
    let role = own.role.text().unwrap_or_default();
    match role.as_ref() {
        "1" if invoice.payee.is_absent() => {
            invoice.payee.push(party::party(PartyRole::Payee, own));
        }
        "2" if invoice.delivery.is_absent() => {
            let party = party::party(PartyRole::DeliverTo, own);
            let mut delivery = DeliveryInformation::new(own.element);
            delivery.address = party.address.clone();
            delivery.location.extend(party::gln(own));
            delivery.party.push(party);
            invoice.delivery.push(delivery);
        }
        "5" => invoice.extensions.parties.push(party::party(PartyRole::Invoicer, own)),
        "6" => invoice.extensions.parties.push(party::party(PartyRole::Payer, own)),
        _ => invoice.extensions.parties.push(party::party(PartyRole::Other, own)),
    }
}

pub(super) fn note<'d>(invoice: &mut Invoice<'d>, text: Text<'d>) {
    let mut note = Note::new(text.element());
    note.text.push(text);
    invoice.notes.push(note);
}

fn tell_body<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>) {
    let is_credit = kind(invoice, body);
    invoice.currency.extend(body.currency.iter().copied());
    invoice.issue_date.extend(body.issued_on.iter().copied());
    invoice.number.extend(body.number.iter().copied());
    let annotations = body.annotations.first();
    if let Some(cash) = annotations.and_then(|one| one.cash_accounting.get())
        && cash.is("1")
    {
        invoice.tax_point_date_code.push(cash.saying(Derivation::Mapped, "432").into());
    }
    body.correction_reason.iter().for_each(|text| note(invoice, *text));
    references(invoice, body);
    delivery(invoice, body);
    let rows = row::of(body);
    vat::tell(invoice, body, &rows, is_credit);
    row::tell(invoice, &rows, is_credit);
    vat::totals(invoice, body, is_credit);
    payment::tell(invoice, body, is_credit);
    facts::tell(invoice, body);
}

/// BT-3. A correction of less than nought is a credit note, whose amounts have the other sign.
fn kind<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>) -> bool {
    let Some(own) = body.kind.get() else { return false };
    let is_below = body.total.value().is_some_and(Decimal::is_negative);
    let is_self_billed = body.annotations.iter().any(|one| one.self_billed.is("1"));
    let kind = own.trimmed();
    let is_correction = kind.starts_with("KOR");
    let code = match (kind.as_ref(), is_self_billed) {
        ("KOR" | "KOR_ZAL" | "KOR_ROZ", false) if is_below => "381",
        ("KOR" | "KOR_ZAL" | "KOR_ROZ", true) if is_below => "261",
        ("KOR" | "KOR_ZAL" | "KOR_ROZ", _) => "384",
        ("ZAL", _) => "386",
        ("VAT" | "ROZ" | "UPR", true) => "389",
        ("VAT" | "ROZ" | "UPR", false) => "380",
        _ => {
            invoice.type_code.push(ValueSource::into(*own));
            return false;
        }
    };
    invoice.type_code.push(own.saying(Derivation::Mapped, code).into());
    is_correction && is_below
}

fn references<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>) {
    let references = &mut invoice.references;
    for id in &body.delivery_notes {
        references.despatch_advice.push(reference(*id));
    }
    for own in &body.corrected {
        let mut one = DocumentReference::new(own.element);
        one.id = own.number.clone();
        one.issue_date = own.issued_on.clone();
        one.uuid = own.ksef_number.clone();
        references.preceding_invoices.push(one);
    }
    for own in &body.advances {
        let mut one = DocumentReference::new(own.element);
        one.id.extend(own.number.iter().chain(own.ksef_number.iter()).copied().take(1));
        one.uuid = own.ksef_number.clone();
        references.preceding_invoices.push(one);
    }
    for conditions in &body.conditions {
        for own in &conditions.agreements {
            let mut one = DocumentReference::new(own.element);
            (one.id, one.issue_date) = (own.number.clone(), own.day.clone());
            references.contract.push(one);
        }
        for own in &conditions.orders {
            let mut one = DocumentReference::new(own.element);
            (one.id, one.issue_date) = (own.number.clone(), own.day.clone());
            references.purchase_order.push(one);
        }
        for text in &conditions.delivery {
            let mut terms = DeliveryTerms::new(text.element());
            terms.text.push(*text);
            invoice.extensions.delivery_terms.push(terms);
        }
    }
}

/// A reference that is an identifier.
pub(super) fn reference(id: Identifier<'_>) -> DocumentReference<'_> {
    let mut one = DocumentReference::new(id.element());
    one.id.push(id);
    one
}

/// As [`reference`], to the object of the invoice (BT-18, BT-128).
pub(super) fn object(id: Identifier<'_>) -> DocumentReference<'_> {
    let mut one = reference(id);
    one.type_code.push(implied(id.element(), "130"));
    one
}

/// BG-13 and BG-14.
fn delivery<'d>(invoice: &mut Invoice<'d>, body: &PolishBody<'d>) {
    if let Some(day) = body.delivered_on.get() {
        if invoice.delivery.is_absent() {
            invoice.delivery.push(DeliveryInformation::new(day.element()));
        }
        for one in invoice.delivery.all_mut().iter_mut().take(1) {
            one.date.extend(body.delivered_on.iter().copied());
        }
    }
    for own in &body.period {
        let mut period = Period::new(own.element);
        (period.start, period.end) = (own.start.clone(), own.end.clone());
        invoice.period.push(period);
    }
}
