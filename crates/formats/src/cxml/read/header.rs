//! The head of the document: BT-1 to BT-26, delivery, period, terms of payment.

use jiff::ToSpan;
use quoin_model::en16931::{
    Agreement, Date, DeliveryInformation, Derivation, DocumentReference, Identifier, Invoice,
    InvoiceTypeCode, Note, PartyRole, PaymentMeans, PaymentTerms, Period, TermsAdjustment, Text,
    ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::PURPOSES;
use super::{CxmlWalk, open, party, take, take_at, value};
use crate::reading::{Pass, day_of, implied, mapped};

/// Reads `InvoiceDetailRequestHeader`.
pub(super) fn read<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, KNOWN);
    take_at(&mut invoice.number, element, "invoiceID");
    invoice.issue_date.extend(day_at(element, "invoiceDate"));
    invoice.type_code.push(type_code(element));
    operation(&mut walk.pass, element);
    for child in element.elements() {
        match child.local() {
            // They say what the lines have, which the lines say, too.
            "InvoiceDetailHeaderIndicator" | "InvoiceDetailLineIndicator" => {
                walk.pass.regenerate(child);
            }
            "InvoicePartner" => party::partner(walk, invoice, child),
            "DocumentReference" => {
                invoice.references.others.push(reference(walk, child, ["payloadID", ""]));
            }
            "InvoiceIDInfo" => {
                let preceding = reference(walk, child, ["invoiceID", "invoiceDate"]);
                invoice.references.preceding_invoices.push(preceding);
            }
            "InvoiceDetailShipping" => shipping(walk, invoice, child),
            "ShipNoticeIDInfo" => {
                let advice = reference(walk, child, ["shipNoticeID", "shipNoticeDate"]);
                invoice.references.despatch_advice.push(advice);
            }
            "PaymentTerm" | "InvoiceDetailPaymentTerm" => {
                let terms = terms(walk, child);
                invoice.payment.terms.push(terms);
            }
            "Period" => invoice.period.push(period(walk, child)),
            "Comments" => comments(walk, invoice, child),
            "Extrinsic" => extrinsic(walk, invoice, child),
            _ => walk.pass.unread(child),
        }
    }
}

/// Attributes of the head that are read.
const KNOWN: &[&str] = &["invoiceID", "invoiceDate", "purpose", "invoiceOrigin"];

/// `operation` says that the invoice is new, which every invoice is.
fn operation<'d>(pass: &mut Pass<'d>, element: Element<'d>) {
    if element.attribute("operation") != Some("new") {
        return;
    }
    let is_new = |leaf: &crate::reading::DocumentLeaf<'d>| {
        leaf.element() == element
            && leaf.attribute().is_some_and(|one| one.local == "operation" && one.value == "new")
    };
    if let Some(place) = pass.residue.iter().rposition(is_new) {
        let leaf = pass.residue.remove(place);
        pass.derived.push(leaf);
    }
}

/// BT-3: by the purpose, and by who issued it: the buyer's own is 389.
fn type_code<'d>(element: Element<'d>) -> InvoiceTypeCode<'d> {
    let is_buyers = element.attribute("invoiceOrigin") == Some("buyer");
    let Some(purpose) = ValueSource::attribute_called(element, "", "purpose") else {
        return implied(element, if is_buyers { "389" } else { "380" });
    };
    match is_buyers && purpose.is("standard") {
        true => purpose.saying(Derivation::Mapped, "389").into(),
        false => mapped(purpose, PURPOSES),
    }
}

/// The day of an attribute that is a day and time.
pub(super) fn day_at<'d>(element: Element<'d>, name: &str) -> Option<Date<'d>> {
    ValueSource::attribute_called(element, "", name).map(day_of)
}

/// Reads a reference that is attributes: an identifier and a day.
pub(super) fn reference<'d>(
    walk: &mut CxmlWalk<'d>,
    element: Element<'d>,
    [id, day]: [&str; 2],
) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    open(&mut walk.pass, element, &[id, day]);
    take_at(&mut reference.id, element, id);
    reference.issue_date.extend(day_at(element, day));
    element.elements().for_each(|inner| walk.pass.unread(inner));
    reference
}

/// BG-13.
fn shipping<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut delivery = DeliveryInformation::new(element);
    open(&mut walk.pass, element, &["shippingDate"]);
    delivery.date.extend(day_at(element, "shippingDate"));
    for child in element.elements() {
        if child.local() != "Contact" {
            walk.pass.unread(child);
            continue;
        }
        let mut party = party::contact_party(walk, child);
        if party.role == PartyRole::DeliverTo && delivery.party.is_absent() {
            delivery.location.append(&mut party.identifiers);
            delivery.address.append(&mut party.address);
            delivery.party.push(party);
        } else {
            invoice.extensions.parties.push(party);
        }
    }
    invoice.delivery.push(delivery);
}

/// BT-20 in structure: within how many days, and what is off for less.
fn terms<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> PaymentTerms<'d> {
    let mut terms = PaymentTerms::new(element);
    open(&mut walk.pass, element, &["payInNumberOfDays", "percentageRate"]);
    take_at(&mut terms.days, element, "payInNumberOfDays");
    let mut own = TermsAdjustment::new(element);
    take_at(&mut own.percentage, element, "percentageRate");
    terms.discounts.extend(Some(own).filter(|own| own.percentage.is_present()));
    for child in element.elements() {
        match child.local() {
            "Discount" => {
                let discount = discount(walk, child);
                terms.discounts.push(discount);
            }
            _ => walk.pass.unread(child),
        }
    }
    terms
}

fn discount<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> TermsAdjustment<'d> {
    let mut discount = TermsAdjustment::new(element);
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "DiscountPercent" => {
                open(&mut walk.pass, child, &["percent"]);
                take_at(&mut discount.percentage, child, "percent");
                child.elements().for_each(|inner| walk.pass.unread(inner));
            }
            "DiscountAmount" => walk.amount(&mut discount.amount, child),
            _ => walk.pass.unread(child),
        }
    }
    discount
}

/// BG-14, BG-26.
pub(super) fn period<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> Period<'d> {
    let mut period = Period::new(element);
    open(&mut walk.pass, element, &["startDate", "endDate"]);
    period.start.extend(day_at(element, "startDate"));
    period.end.extend(day_at(element, "endDate"));
    element.elements().for_each(|inner| walk.pass.unread(inner));
    period
}

/// BG-1, and the attachments in it, which are BG-24.
fn comments<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    if !element.elements().any(|_| true) {
        let mut note = Note::new(element);
        take(&mut walk.pass, &mut note.text, element);
        return invoice.notes.push(note);
    }
    let has_text = matches!(crate::reading::leaf(element), crate::reading::LeafKind::Text);
    open(&mut walk.pass, element, &[]);
    if has_text {
        // The text is the note, not a text that is in no term.
        walk.pass.residue.pop();
        walk.pass.read += 1;
        let mut note = Note::new(element);
        note.text.push(ValueSource::of(element).into());
        invoice.notes.push(note);
    }
    for child in element.elements() {
        match child.local() {
            "Attachment" => attachment(walk, invoice, child),
            _ => walk.pass.unread(child),
        }
    }
}

fn attachment<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut document = DocumentReference::new(element);
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "URL" => {
                let url: Text<'d> = value(&mut walk.pass, child, &[]);
                document.id.push(Identifier::from(*url));
                document.uri.push(url);
            }
            _ => walk.pass.unread(child),
        }
    }
    invoice.references.supporting_documents.push(document);
}

/// `Extrinsic` of the head: its name says which term it is, for those that have a known name.
fn extrinsic<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let name = element.attribute("name").unwrap_or_default();
    let is_known = EXTRINSICS.contains(&name) && !element.elements().any(|_| true);
    if !is_known {
        return walk.pass.unread(element);
    }
    let own: Text<'d> = value(&mut walk.pass, element, &["name"]);
    let reference = |id: Text<'d>| {
        let mut reference = DocumentReference::new(element);
        reference.id.push(Identifier::from(*id));
        reference
    };
    match name {
        "invoiceDueDate" => invoice.due_date.push(day_of(*own)),
        "buyerReference" => invoice.buyer_reference.push(own),
        "projectReference" => invoice.references.project.push(reference(own)),
        "tenderReference" => invoice.references.tender.push(reference(own)),
        "accountingCost" => invoice.accounting_reference.push(own),
        "paymentReference" => invoice.payment.remittance.push(Identifier::from(*own)),
        _ => {
            let mut means = PaymentMeans::new(element);
            means.code.push((*own).into());
            invoice.payment.means.push(means);
        }
    }
}

/// The names of extrinsics that are terms; the last is BT-81.
const EXTRINSICS: &[&str] = &[
    "invoiceDueDate",
    "buyerReference",
    "projectReference",
    "tenderReference",
    "accountingCost",
    "paymentReference",
    "paymentMethod",
];

/// What follows from the whole document: BT-9, BT-81 of an account, and a payee that is none.
pub(super) fn finish(invoice: &mut Invoice<'_>) {
    due_date(invoice);
    account(invoice);
    // Who is paid is named always, and is BG-10 where it is somebody else.
    let name = |party: Option<&quoin_model::en16931::Party<'_>>| {
        party.and_then(|party| party.name.text()).map(|name| name.into_owned())
    };
    if name(invoice.payee.first()).is_some_and(|own| Some(own) == name(invoice.seller.first())) {
        let payees = std::mem::take(&mut invoice.payee);
        invoice.extensions.parties.extend(payees.iter().cloned());
    }
}

/// BT-9 is the day of issue and the days of the first terms that have any.
fn due_date(invoice: &mut Invoice<'_>) {
    if invoice.due_date.is_present() {
        return;
    }
    let Some(issued) = invoice.issue_date.day() else { return };
    let mut days = invoice.payment.terms.iter().filter_map(|terms| terms.days.get());
    let Some(days) = days.next() else { return };
    let count = days.trimmed().parse::<u16>().ok();
    let day = count.and_then(|count| issued.checked_add(i64::from(count).days()).ok());
    if let Some(day) = day {
        let how = Derivation::Computed(Agreement::Unsaid);
        invoice.due_date.push(days.saying(how, day.to_string()).into());
    }
}

/// A payment method and the accounts are one BG-16; an account without a method is paid by a credit
/// transfer.
fn account(invoice: &mut Invoice<'_>) {
    let means = &mut invoice.payment.means;
    let is_code = |one: &PaymentMeans<'_>| one.code.is_present();
    let code = means.iter().position(is_code).map(|at| means.remove(at));
    match code {
        Some(code) => match means.first() {
            Some(_) => {
                // It is said once, of all of them.
                for other in means.iter_mut() {
                    other.code.extend(code.code.iter().copied());
                }
            }
            None => means.push(code),
        },
        None => {
            for one in means.iter_mut() {
                one.code.push(implied(one.element, "30"));
            }
        }
    }
}
