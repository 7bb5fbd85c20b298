//! Parties: BG-4 to BG-10, BG-15, and those that only DICO has.
//!
//! `Buyer` and `Supplier` may say their numbers only: their names are those of `Invoicee` and
//! `Invoicer`, to whom and by whom it is invoiced.

use quoin_model::en16931::{
    Contact, CreditTransfer, Derivation, Field, Invoice, Party, PartyRole, PaymentMeans,
    PostalAddress, TaxRegistration, Text,
};
use quoin_xml::tree::Element;

use super::super::codes::{GLN, KVK};
use super::{DicoWalk, name, of_scheme};
use crate::reading::{implied, joined, view};

/// Who invoices, and who is invoiced, of which the others decide what they are.
#[derive(Default)]
pub(super) struct DicoParties<'d> {
    invoicee: Vec<Party<'d>>,
    invoicer: Vec<Party<'d>>,
}

impl<'d> DicoParties<'d> {
    /// Whether the element is a party, which is read.
    pub(super) fn take(
        &mut self,
        walk: &mut DicoWalk<'d>,
        invoice: &mut Invoice<'d>,
        element: Element<'d>,
    ) -> bool {
        match name(element) {
            "Buyer" => {
                let party = read(walk, invoice, PartyRole::Buyer, element);
                invoice.buyer.push(party);
            }
            "Supplier" => {
                let party = read(walk, invoice, PartyRole::Seller, element);
                invoice.seller.push(party);
            }
            "Invoicee" => self.invoicee.push(read(walk, invoice, PartyRole::Invoicee, element)),
            "Invoicer" => self.invoicer.push(read(walk, invoice, PartyRole::Invoicer, element)),
            "DeliveryParty" => delivery(walk, invoice, element),
            "ShipFrom" => other(walk, invoice, PartyRole::ShipFrom, element),
            "UltimateConsignee" => other(walk, invoice, PartyRole::UltimateShipTo, element),
            _ => return false,
        }
        true
    }

    /// Makes buyer, seller and payee of the parties.
    pub(super) fn settle(self, invoice: &mut Invoice<'d>) {
        let more = &mut invoice.extensions.parties;
        if let (Some(buyer), Some(own)) =
            (invoice.buyer.all_mut().first_mut(), self.invoicee.first())
        {
            fill(buyer, own);
        }
        more.extend(self.invoicee);
        let Some(seller) = invoice.seller.all_mut().first_mut() else {
            return more.extend(self.invoicer);
        };
        let said = seller.name.text().map(|name| name.into_owned());
        for (at, mut own) in self.invoicer.into_iter().enumerate() {
            let is_other = own.name.is_filled() && own.name.text().as_deref() != said.as_deref();
            // A supplier who has a name of its own is not paid: somebody else is (BG-10).
            if said.is_some() && is_other {
                own.role = PartyRole::Payee;
                invoice.payee.push(own);
                continue;
            }
            if at == 0 {
                fill(seller, &own);
            }
            more.push(own);
        }
    }
}

/// The electronic address, and the name and the address of who says none.
fn fill<'d>(party: &mut Party<'d>, other: &Party<'d>) {
    let own = other.identifiers.iter().filter(|id| id.scheme().is_some());
    party.endpoint.extend(own.map(|id| of_scheme(view(id.element()), GLN)));
    if party.name.is_absent() {
        party.name.extend(other.name.iter().copied());
    }
    if party.address.is_absent() {
        party.address.extend(other.address.iter().cloned());
    }
}

fn other<'d>(
    walk: &mut DicoWalk<'d>,
    invoice: &mut Invoice<'d>,
    role: PartyRole,
    element: Element<'d>,
) {
    let party = read(walk, invoice, role, element);
    invoice.extensions.parties.push(party);
}

/// BG-13, BG-15: it belongs to the day of delivery, which stands before it.
fn delivery<'d>(walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut party = read(walk, invoice, PartyRole::DeliverTo, element);
    if invoice.delivery.is_absent() {
        invoice.delivery.push(quoin_model::en16931::DeliveryInformation::new(element));
    }
    let Some(delivery) = invoice.delivery.all_mut().last_mut() else { return };
    delivery.location.append(&mut party.identifiers);
    delivery.address.append(&mut party.address);
    delivery.party.push(party);
}

/// Reads a party.
fn read<'d>(
    walk: &mut DicoWalk<'d>,
    invoice: &mut Invoice<'d>,
    role: PartyRole,
    element: Element<'d>,
) -> Party<'d> {
    let mut party = Party::new(role, element);
    let mut address = PostalAddress::new(element);
    let (mut has_address, mut names, mut streets) = (false, Vec::new(), Vec::new());
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "GLN" => walk.id_of(&mut party.identifiers, child, GLN),
            "Name" | "Name2" => names.push(walk.pass.value::<Text<'d>>(child)),
            "VATRegistrationNumber" => {
                let mut registration = TaxRegistration::new(child);
                walk.pass.take(&mut registration.id, child);
                let id = registration.id.iter();
                let schemes = id.map(|id| id.saying(Derivation::Named, "VAT").into());
                registration.scheme = schemes.collect();
                party.tax_registrations.push(registration);
            }
            "ChamberOfCommerceNumber" => walk.id_of(&mut party.legal_registration, child, KVK),
            "ContactInformation" => {
                let contact = contact(walk, child);
                party.contact.push(contact);
            }
            "AccountInformation" => account(walk, invoice, child),
            "LocationDescription" => {
                has_address = true;
                address.others.push(walk.pass.value(child));
            }
            _ if line(walk, &mut address, &mut streets, child) => has_address = true,
            _ => walk.pass.unread(child),
        }
    }
    party.name.extend(whole(element, &names));
    match streets.as_slice() {
        [] => {}
        parts => address.line1.extend(whole(element, parts)),
    }
    if has_address {
        party.address.push(address);
    }
    party
}

/// A text in parts is one with spaces between them.
fn whole<'d>(element: Element<'d>, parts: &[Text<'d>]) -> Option<Text<'d>> {
    match parts {
        [] => None,
        [one] => Some(*one),
        several => Some(joined(element, &[], several, " ")),
    }
}

/// A part of an address: a street with its number in one element, or in several.
fn line<'d>(
    walk: &mut DicoWalk<'d>,
    address: &mut PostalAddress<'d>,
    streets: &mut Vec<Text<'d>>,
    element: Element<'d>,
) -> bool {
    match name(element) {
        "StreetAndNumber" | "Street" | "HouseNumber" | "HouseLetter" | "HouseNumberSuffix" => {
            streets.push(walk.pass.value(element));
        }
        "City" => walk.pass.take(&mut address.city, element),
        "PostalCode" => walk.pass.take(&mut address.post_code, element),
        "Country" => walk.pass.take(&mut address.country, element),
        _ => return false,
    }
    true
}

/// BG-6, BG-9.
fn contact<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) -> Contact<'d> {
    let mut contact = Contact::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ContactPersonName" => walk.pass.take(&mut contact.name, child),
            "PhoneNumber" => walk.pass.take(&mut contact.telephone, child),
            "EmailAddress" => walk.pass.take(&mut contact.email, child),
            _ => walk.pass.unread(child),
        }
    }
    contact
}

/// BG-17: the account, which stands with the supplier.
fn account<'d>(walk: &mut DicoWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut means = PaymentMeans::new(element);
    let mut account = CreditTransfer::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "IBAN" => walk.pass.take(&mut account.account, child),
            "BIC" => walk.pass.take(&mut account.provider, child),
            _ => walk.pass.unread(child),
        }
    }
    means.credit_transfers.push(account);
    invoice.payment.means.push(means);
}

/// A payment code and an account are one BG-16; an account without a code is paid by a transfer.
pub(super) fn one_means(invoice: &mut Invoice<'_>) {
    let means = &mut invoice.payment.means;
    let is_code = |one: &PaymentMeans<'_>| one.code.is_present();
    let code = means.iter().position(is_code);
    let account = means.iter().position(|one| one.code.is_absent());
    match (code, account) {
        (Some(code), Some(account)) => {
            let mut transfers = means
                .get_mut(account)
                .map(|one| std::mem::take(&mut one.credit_transfers))
                .unwrap_or_default();
            if let Some(code) = means.get_mut(code) {
                code.credit_transfers.append(&mut transfers);
            }
            means.remove(account);
        }
        (None, Some(_)) => {
            for one in means.iter_mut() {
                let codes: Field<_> = [implied(one.element, "58")].into_iter().collect();
                one.code = codes;
            }
        }
        _ => {}
    }
}
