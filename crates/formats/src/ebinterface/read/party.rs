//! Parties: BG-4 to BG-9, who ordered, and the references that stand in them.

use quoin_model::en16931::{
    AttributeName, Contact, DocumentReference, Identifier, Invoice, Party, PartyExtensions,
    PartyRole, PostalAddress, TaxRegistration,
};
use quoin_xml::tree::Element;

use super::super::codes::{ADDRESS_SCHEMES, is_no_vat};
use super::{name, put, with_attribute};
use crate::reading::{Pass, implied, mapped};

/// Reads `Biller`, `InvoiceRecipient` or `OrderingParty`.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    role: PartyRole,
    element: Element<'d>,
) {
    let mut party = Party::new(role, element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            // Who has no identifier is registered nowhere.
            "VATIdentificationNumber" if is_no_vat(child.text().trim()) => pass.regenerate(child),
            "VATIdentificationNumber" => {
                let mut registration = TaxRegistration::new(child);
                pass.take(&mut registration.id, child);
                registration.scheme.push(implied(child, "VAT"));
                party.tax_registrations.push(registration);
            }
            "FurtherIdentification" => further(pass, invoice, &mut party, child),
            "OrderReference" => {
                let reference = order(pass, child);
                match role {
                    PartyRole::Buyer => invoice.references.purchase_order.push(reference),
                    PartyRole::Seller => invoice.references.sales_order.push(reference),
                    _ => invoice.references.others.push(reference),
                }
            }
            "Address" => address(pass, &mut party, child),
            "Contact" => party.contact.push(contact(pass, &mut party.extensions, child)),
            "BillersInvoiceRecipientID" | "BillersOrderingPartyID" => {
                pass.take(&mut party.identifiers, child);
            }
            "AccountingArea" => pass.take(&mut invoice.accounting_reference, child),
            "InvoiceRecipientsBillerID" | "ConsolidatorsBillerID" | "SubOrganizationID" => {
                pass.take(&mut extensions(&mut party).account_ids, child);
            }
            _ => pass.unread(child),
        }
    }
    merge_contacts(&mut party);
    match role {
        PartyRole::Seller => invoice.seller.push(party),
        PartyRole::Buyer => invoice.buyer.push(party),
        _ => invoice.extensions.parties.push(party),
    }
}

fn extensions<'p, 'd>(party: &'p mut Party<'d>) -> &'p mut PartyExtensions<'d> {
    party.extensions.get_or_insert_default()
}

/// Reads `FurtherIdentification`: the kind decides which term it is.
fn further<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    party: &mut Party<'d>,
    element: Element<'d>,
) {
    let (id, kind): (Identifier<'d>, _) = with_attribute(pass, element, "IdentificationType");
    let kind_text = kind.map(|kind| kind.trimmed().into_owned()).unwrap_or_default();
    match (kind_text.as_str(), party.role) {
        ("FN", _) => party.legal_registration.push(id),
        ("TaxID", _) => {
            let mut registration = TaxRegistration::new(element);
            registration.id.push(id);
            party.tax_registrations.push(registration);
        }
        ("Contract", PartyRole::Buyer) => {
            let mut contract = DocumentReference::new(element);
            contract.id.push(id);
            invoice.references.contract.push(contract);
        }
        _ => {
            let kind = kind.map(|kind| (AttributeName::SchemeId, kind));
            let id = Identifier::from(id.with(kind.as_slice()));
            extensions(party).account_ids.push(id);
        }
    }
}

/// Reads `OrderReference` (BT-13, BT-14).
fn order<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        order_term(pass, &mut reference, child);
    }
    reference
}

/// A term of a reference to an order.
pub(super) fn order_term<'d>(
    pass: &mut Pass<'d>,
    reference: &mut DocumentReference<'d>,
    element: Element<'d>,
) {
    match name(element) {
        "OrderID" => pass.take(&mut reference.id, element),
        "ReferenceDate" => pass.take(&mut reference.issue_date, element),
        "Description" => pass.take(&mut reference.description, element),
        _ => pass.unread(element),
    }
}

/// Reads `Address`, which has names, identifiers and ways to reach a party, too.
pub(super) fn address<'d>(pass: &mut Pass<'d>, party: &mut Party<'d>, element: Element<'d>) {
    let (mut address, mut reach) = (PostalAddress::new(element), Contact::new(element));
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "AddressIdentifier" => {
                let (id, kind): (Identifier<'d>, _) =
                    with_attribute(pass, child, "AddressIdentifierType");
                let scheme = kind.map(|kind| {
                    let scheme: Identifier<'d> = mapped(kind, ADDRESS_SCHEMES);
                    (AttributeName::SchemeId, *scheme)
                });
                party.identifiers.push(Identifier::from(id.with(scheme.as_slice())));
            }
            "Name" => pass.take(&mut party.name, child),
            "TradingName" => pass.take(&mut party.trading_name, child),
            "Salutation" => {
                let salutation = pass.value(child);
                extensions(party).persons.push(salutation);
            }
            "Street" => pass.take(&mut address.line1, child),
            "AddressExtension" if address.line2.is_absent() => {
                pass.take(&mut address.line2, child);
            }
            "AddressExtension" if address.line3.is_absent() => {
                pass.take(&mut address.line3, child);
            }
            "AddressExtension" | "AdditionalInformation" => {
                address.others.push(pass.value(child));
            }
            "POBox" => pass.take(&mut address.post_box, child),
            "Town" => pass.take(&mut address.city, child),
            "ZIP" => pass.take(&mut address.post_code, child),
            "Country" => {
                let (country, _) = with_attribute(pass, child, "CountryCode");
                address.country_name.push(country);
                put(&mut address.country, child, "CountryCode");
            }
            "Contact" => pass.take(&mut reach.name, child),
            "Phone" => pass.take(&mut reach.telephone, child),
            "Email" => pass.take(&mut reach.email, child),
            _ => pass.unread(child),
        }
    }
    party.address.push(address);
    if reach.name.is_present() || reach.telephone.is_present() || reach.email.is_present() {
        extensions(party).contacts.push(reach);
    }
}

/// Reads `Contact` (BG-6, BG-9).
pub(super) fn contact<'d>(
    pass: &mut Pass<'d>,
    more: &mut Option<Box<PartyExtensions<'d>>>,
    element: Element<'d>,
) -> Contact<'d> {
    let mut contact = Contact::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Salutation" => more.get_or_insert_default().persons.push(pass.value(child)),
            "Name" => pass.take(&mut contact.name, child),
            "Phone" => pass.take(&mut contact.telephone, child),
            "Email" => pass.take(&mut contact.email, child),
            "AdditionalInformation" => pass.take(&mut contact.note, child),
            _ => pass.unread(child),
        }
    }
    contact
}

/// What an address says of how to reach a party is BG-6 or BG-9 where the contact does not say it.
pub(super) fn merge_contacts(party: &mut Party<'_>) {
    let Some(more) = party.extensions.as_deref_mut() else { return };
    let mut reach = std::mem::take(&mut more.contacts).into_iter();
    let Some(mut first) = reach.next() else { return };
    match party.contact.all_mut().first_mut() {
        None => party.contact.push(first),
        Some(contact) => {
            let fields = [
                (&mut contact.name, &mut first.name),
                (&mut contact.telephone, &mut first.telephone),
                (&mut contact.email, &mut first.email),
            ];
            let mut left = false;
            for (own, other) in fields {
                if own.is_absent() {
                    own.append(other);
                }
                left |= other.is_present();
            }
            if left {
                more.contacts.push(first);
            }
        }
    }
    more.contacts.extend(reach);
}
