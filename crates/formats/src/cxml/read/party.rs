//! Parties: BG-4 to BG-12, with the accounts and numbers that `IdReference` tells.

use quoin_model::en16931::{
    AttributeName, Contact, CreditTransfer, Derivation, Field, Identifier, Invoice, Party,
    PartyRole, PaymentMeans, PostalAddress, TaxRegistration, Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{BUYERS, SELLERS, TAX_NUMBERS, VAT_NUMBERS};
use super::{CxmlWalk, at, child, open, take, take_at, value};
use crate::reading::DocumentLeaf;

/// Reads `InvoicePartner`: a contact, and numbers of the party.
pub(super) fn partner<'d>(
    walk: &mut CxmlWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) {
    open(&mut walk.pass, element, &[]);
    let mut party = child(element, "Contact").map(|contact| contact_party(walk, contact));
    let mut transfer = CreditTransfer::new(element);
    let mut seen = false;
    for inner in element.elements() {
        match (inner.local(), party.as_mut()) {
            ("Contact", _) if !std::mem::replace(&mut seen, true) => {}
            ("IdReference", Some(party)) => number(walk, party, &mut transfer, inner),
            _ => walk.pass.unread(inner),
        }
    }
    let has_account = [&transfer.account, &transfer.provider].iter().any(|one| one.is_present());
    if has_account || transfer.name.is_present() {
        let mut means = PaymentMeans::new(element);
        means.credit_transfers.push(transfer);
        invoice.payment.means.push(means);
    }
    if let Some(party) = party {
        place(invoice, party);
    }
}

/// Puts a party where its role belongs; of two in one role the second is one of the others.
fn place<'d>(invoice: &mut Invoice<'d>, mut party: Party<'d>) {
    let field = match party.role {
        PartyRole::Seller => &mut invoice.seller,
        PartyRole::Buyer => &mut invoice.buyer,
        PartyRole::Payee => &mut invoice.payee,
        PartyRole::TaxRepresentative => &mut invoice.tax_representative,
        _ => return invoice.extensions.parties.push(party),
    };
    if field.is_absent() {
        return field.push(party);
    }
    party.role = PartyRole::Other;
    invoice.extensions.parties.push(party);
}

/// Reads `Contact`: a party in a role.
pub(in crate::cxml) fn contact_party<'d>(
    walk: &mut CxmlWalk<'d>,
    element: Element<'d>,
) -> Party<'d> {
    open(&mut walk.pass, element, &["role", "addressID", "addressIDDomain"]);
    let role = match element.attribute("role").unwrap_or_default() {
        role if SELLERS.contains(&role) => PartyRole::Seller,
        role if BUYERS.contains(&role) => PartyRole::Buyer,
        "remitTo" => PartyRole::Payee,
        "taxRepresentative" => PartyRole::TaxRepresentative,
        "shipTo" => PartyRole::DeliverTo,
        "shipFrom" => PartyRole::ShipFrom,
        _ => PartyRole::Other,
    };
    let mut party = Party::new(role, element);
    let extensions = party.extensions.get_or_insert_default();
    take_at(&mut extensions.role_code, element, "role");
    if let Some(id) = at::<Identifier<'d>>(element, "addressID") {
        let domain = ValueSource::attribute_called(element, "", "addressIDDomain");
        let scheme = domain.map(|domain| (AttributeName::SchemeId, domain));
        let id = scheme.map_or(*id, |scheme| id.with(&[scheme]));
        party.identifiers.push(id.into());
    }
    let mut contact = Contact::new(element);
    for inner in element.elements() {
        match inner.local() {
            "Name" => take(&mut walk.pass, &mut party.name, inner),
            "PostalAddress" => {
                let address = address(walk, &mut contact, inner);
                party.address.push(address);
            }
            "Email" => contact.email.push(value(&mut walk.pass, inner, &[])),
            "Phone" => telephone(walk, &party.address, &mut contact.telephone, inner),
            "Fax" => telephone(walk, &party.address, &mut contact.telefax, inner),
            "URL" => {
                let extensions = party.extensions.get_or_insert_default();
                take(&mut walk.pass, &mut extensions.website, inner);
            }
            _ => walk.pass.unread(inner),
        }
    }
    let has_name = contact.name.is_present() || contact.department.is_present();
    let has_number = contact.telephone.is_present() || contact.telefax.is_present();
    if has_name || has_number || contact.email.is_present() {
        party.contact.push(contact);
    }
    party
}

/// Reads `PostalAddress`. `DeliverTo` is a person, then a department.
pub(in crate::cxml) fn address<'d>(
    walk: &mut CxmlWalk<'d>,
    contact: &mut Contact<'d>,
    element: Element<'d>,
) -> PostalAddress<'d> {
    let mut address = PostalAddress::new(element);
    open(&mut walk.pass, element, &["name"]);
    address.others.extend(at::<Text<'d>>(element, "name"));
    for inner in element.elements() {
        let pass = &mut walk.pass;
        match inner.local() {
            "DeliverTo" if contact.name.is_absent() => take(pass, &mut contact.name, inner),
            "DeliverTo" if contact.department.is_absent() => {
                take(pass, &mut contact.department, inner);
            }
            "Street" if address.line1.is_absent() => take(pass, &mut address.line1, inner),
            "Street" if address.line2.is_absent() => take(pass, &mut address.line2, inner),
            "Street" if address.line3.is_absent() => take(pass, &mut address.line3, inner),
            "DeliverTo" | "Street" | "Municipality" => {
                address.others.push(value(pass, inner, &[]));
            }
            "City" => take(pass, &mut address.city, inner),
            "PostalCode" => take(pass, &mut address.post_code, inner),
            "State" => {
                address.subdivision.push(value(pass, inner, &["isoStateCode"]));
                take_at(&mut address.subdivision_code, inner, "isoStateCode");
            }
            "Country" => {
                address.country_name.push(value(pass, inner, &["isoCountryCode"]));
                take_at(&mut address.country, inner, "isoCountryCode");
            }
            _ => pass.unread(inner),
        }
    }
    address
}

/// Reads a telephone number, which stands in parts.
pub(in crate::cxml) fn telephone<'d>(
    walk: &mut CxmlWalk<'d>,
    addresses: &Field<PostalAddress<'d>>,
    field: &mut Field<Text<'d>>,
    element: Element<'d>,
) {
    open(&mut walk.pass, element, &[]);
    for number in element.elements() {
        if number.local() != "TelephoneNumber" {
            walk.pass.unread(number);
            continue;
        }
        open(&mut walk.pass, number, &[]);
        let mut parts: Vec<Text<'d>> = Vec::new();
        let mut has_country = false;
        for part in number.elements() {
            match part.local() {
                "CountryCode" | "AreaOrCityCode" | "Number" | "Extension" => {
                    told_country(walk, addresses, part);
                    let own: Text<'d> = value(&mut walk.pass, part, &["isoCountryCode"]);
                    has_country |= part.local() == "CountryCode" && !own.is_blank();
                    parts.extend(Some(own).filter(|own| !own.is_blank()));
                }
                _ => walk.pass.unread(part),
            }
        }
        match parts.as_slice() {
            [] => {}
            [one] if !has_country => field.push(*one),
            [first, rest @ ..] => {
                let mut text = if has_country { "+".to_owned() } else { String::new() };
                text.push_str(&first.trimmed());
                for part in rest {
                    text.push(' ');
                    text.push_str(&part.trimmed());
                }
                let of: Vec<_> = parts.iter().map(|part| **part).collect();
                field.push(ValueSource::of(number).made_of(&of, text).into());
            }
        }
    }
}

/// The country of a telephone number is told by the address, where it is the same.
fn told_country<'d>(
    walk: &mut CxmlWalk<'d>,
    addresses: &Field<PostalAddress<'d>>,
    element: Element<'d>,
) {
    let Some(own) = element.attributes().find(|one| one.local == "isoCountryCode") else { return };
    let country = addresses.first().and_then(|address| address.country.text());
    let leaf = DocumentLeaf::attribute_of(element, own);
    // It is counted as read with its element.
    walk.pass.read = walk.pass.read.saturating_sub(1);
    match country.as_deref() == Some(own.value) {
        true => walk.pass.derived.push(leaf),
        false => walk.pass.residue.push(leaf),
    }
}

/// Reads `IdReference` of a partner: its domain says what it is.
fn number<'d>(
    walk: &mut CxmlWalk<'d>,
    party: &mut Party<'d>,
    transfer: &mut CreditTransfer<'d>,
    element: Element<'d>,
) {
    let Some((id, domain)) = id_reference(walk, element) else { return };
    match domain.map(|domain| domain.trimmed()).as_deref() {
        Some("ibanID" | "accountID") => transfer.account.push(id),
        Some("swiftID") => transfer.provider.push(id),
        Some("accountName") => transfer.name.push(Text::from(*id)),
        _ => party_number(party, id, domain),
    }
}

/// The identifier of an `IdReference`, and its domain.
pub(in crate::cxml) fn id_reference<'d>(
    walk: &mut CxmlWalk<'d>,
    element: Element<'d>,
) -> Option<(Identifier<'d>, Option<ValueSource<'d>>)> {
    open(&mut walk.pass, element, &["identifier", "domain"]);
    element.elements().for_each(|inner| walk.pass.unread(inner));
    let id = at::<Identifier<'d>>(element, "identifier")?;
    Some((id, ValueSource::attribute_called(element, "", "domain")))
}

/// An identifier of a party in the place that its domain names.
pub(in crate::cxml) fn party_number<'d>(
    party: &mut Party<'d>,
    id: Identifier<'d>,
    domain: Option<ValueSource<'d>>,
) {
    let Some(domain) = domain else { return party.identifiers.push(id) };
    let mut registered = |scheme: &'static str| {
        let scheme = (AttributeName::SchemeId, domain.saying(Derivation::Mapped, scheme));
        let mut registration = TaxRegistration::new(id.element());
        registration.id.push(id.with(&[scheme]).into());
        party.tax_registrations.push(registration);
    };
    match domain.trimmed().as_ref() {
        text if VAT_NUMBERS.contains(&text) => registered("VA"),
        text if TAX_NUMBERS.contains(&text) => registered("FC"),
        "supplierCommercialIdentifier" => party.legal_registration.push(id),
        "supplierCommercialIdentifierScheme" => {
            let known = party.legal_registration.all_mut().last_mut();
            match known.filter(|known| known.scheme().is_none()) {
                Some(known) => *known = known.with(&[(AttributeName::SchemeId, *id)]).into(),
                None => party.identifiers.push(id),
            }
        }
        "tradingName" => party.trading_name.push(Text::from(*id)),
        _ => party.identifiers.push(id.with(&[(AttributeName::SchemeId, domain)]).into()),
    }
}
