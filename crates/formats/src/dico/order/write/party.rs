//! Parties of DICO, who are told by a GLN.

use quoin_model::en16931::{
    Field, Identifier, Party, PartyRole, PostalAddress, TaxRegistration, Text, ValueSource,
};
use quoin_model::order::{Order, OrderKind};

use crate::writing::{InvoiceOutput, LossKind, pieces};

/// Characters of a name, of which there are two.
const NAME: usize = 50;
/// Characters of street and number, and of a city.
const STREET: usize = 35;
/// Characters of a post code.
const POST_CODE: usize = 9;
/// Characters of the name of a person, and of a telephone number.
const PERSON: usize = 35;
const TELEPHONE: usize = 20;

/// Writes every party, in the order of the message.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    for (name, field, what) in [
        ("Buyer", &order.buyer, "GLN of the buyer (scheme 0088)"),
        ("Supplier", &order.seller, "GLN of the supplier (scheme 0088)"),
    ] {
        let party = field.first();
        if party.is_none_or(|party| gln(party).is_none()) {
            let place = party.map_or(order.element, |party| party.element);
            out.refuse_without(place, what, name);
        }
        if let Some(party) = party {
            out.group(name, |out| inside(out, party, &party.address));
        }
    }
    receiver(out, order);
    if order.kind == OrderKind::Order
        && let Some(party) = order.invoicee.first()
    {
        out.group("Invoicee", |out| inside(out, party, &party.address));
    }
    for (name, role) in
        [("UltimateConsignee", PartyRole::UltimateShipTo), ("ShipFrom", PartyRole::ShipFrom)]
    {
        if let Some(party) = order.parties.iter().find(|party| party.role == role) {
            out.group(name, |out| inside(out, party, &party.address));
        }
    }
    for name in ["PurchasingOrganisation", "Carrier"] {
        let is_it = |party: &&Party<'d>| party.element.local() == name;
        if let Some(party) = order.parties.iter().find(is_it) {
            out.group(name, |out| inside(out, party, &party.address));
        }
    }
}

/// Who receives the goods, and where.
fn receiver<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let Some(delivery) = order.delivery.first() else { return };
    let party = delivery.party.first();
    let is_said = party.is_some() || delivery.address.is_present();
    if !is_said && !delivery.location.is_filled() {
        return;
    }
    out.group("DeliveryParty", |out| {
        let location = delivery.location.iter().copied().find(is_gln);
        let own = location.or_else(|| party.and_then(gln));
        if let Some(id) = own {
            identifier(out, "GLN", id);
        }
        match party.and_then(|party| party.name.filled()) {
            Some(name) => names(out, name),
            None => {
                if let Some(name) = delivery.location_name.filled() {
                    names(out, name);
                }
            }
        }
        let of_party = party.map(|party| &party.address).filter(|all| all.is_present());
        let addresses = match delivery.address.is_present() {
            true => Some(&delivery.address),
            false => of_party,
        };
        if let Some(addresses) = addresses {
            address(out, addresses);
        }
        if party.is_some_and(|party| party.name.is_filled())
            && let Some(name) = delivery.location_name.filled()
        {
            out.shortened("LocationDescription", *name, NAME);
        }
        if let Some(party) = party {
            contact(out, party);
        }
    });
}

fn inside<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    addresses: &Field<PostalAddress<'d>>,
) {
    if let Some(id) = gln(party) {
        identifier(out, "GLN", id);
        told_again(out, party, id);
    }
    if let Some(vat) = party.vat_identifiers().find(|id| !id.is_blank()) {
        out.kept("VATRegistrationNumber", &vat.trimmed(), *vat);
        let is_own = |one: &&TaxRegistration<'d>| one.id.iter().any(|id| *id == vat);
        for registration in party.tax_registrations.iter().filter(is_own) {
            // The element says which tax it is.
            out.ledger.implied_vat(registration, vat);
        }
    }
    let is_dutch = |id: &Identifier<'d>| id.scheme().is_some_and(|scheme| scheme.is("0106"));
    if let Some(id) = party.legal_registration.iter().copied().find(is_dutch) {
        identifier(out, "ChamberOfCommerceNumber", id);
    }
    if let Some(name) = party.name.filled().or_else(|| party.trading_name.filled()) {
        names(out, name);
    }
    address(out, addresses);
    contact(out, party);
}

/// An identifier and its scheme, which the element means.
fn identifier<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, id: Identifier<'d>) {
    let text = id.trimmed().into_owned();
    out.kept(name, &text, *id);
    if let Some(scheme) = id.scheme() {
        out.ledger.carry(scheme);
    }
}

/// The electronic address and the identifier are often the same GLN.
fn told_again<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, written: Identifier<'d>) {
    let all = party.endpoint.iter().chain(&party.identifiers);
    for other in all.filter(|other| is_gln(other) && ***other != *written) {
        if other.is(&written.trimmed()) {
            out.ledger.derive(**other);
            if let Some(scheme) = other.scheme() {
                out.ledger.derive(scheme);
            }
        }
    }
}

/// The GLN of a party: its identifier, or its electronic address.
fn gln<'d>(party: &Party<'d>) -> Option<Identifier<'d>> {
    party.identifiers.iter().chain(&party.endpoint).copied().find(is_gln)
}

fn is_gln(id: &Identifier<'_>) -> bool {
    let text = id.trimmed();
    let is_number = text.len() == 13 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number && id.scheme().is_some_and(|scheme| scheme.is("0088"))
}

/// A name goes on in `Name2`.
fn names<'d>(out: &mut InvoiceOutput<'d>, name: Text<'d>) {
    let text = name.trimmed().into_owned();
    let pieces = pieces(&text, NAME);
    let [first, second] = pieces.as_slice() else {
        return out.shortened("Name", *name, NAME);
    };
    if name.derivation() == Some(quoin_model::en16931::Derivation::Joined) {
        out.ledger.carry(*name);
    } else {
        let reason = "a name of DICO has at most 50 characters: it goes on in the second";
        out.told_otherwise("Name", *name, LossKind::Changed, reason);
    }
    out.constant("Name", first, &[]);
    out.constant("Name2", second, &[]);
}

fn address<'d>(out: &mut InvoiceOutput<'d>, addresses: &Field<PostalAddress<'d>>) {
    let Some(address) = addresses.first() else { return };
    street(out, address);
    for (name, field, most) in
        [("City", &address.city, STREET), ("PostalCode", &address.post_code, POST_CODE)]
    {
        if let Some(value) = field.filled() {
            out.shortened(name, *value, most);
        }
    }
    out.first("Country", &address.country);
}

/// The lines of the address are one.
fn street<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>) {
    let name = "StreetAndNumber";
    let fields = [&address.line1, &address.building_number, &address.line2, &address.line3];
    let lines: Vec<Text<'d>> = fields.into_iter().filter_map(Field::filled).collect();
    if let [one] = lines.as_slice() {
        return out.shortened(name, **one, STREET);
    }
    let text: Vec<_> = lines.iter().map(|line| line.trimmed()).collect();
    let text = text.join(" ");
    if text.is_empty() {
        return;
    }
    let cut = text.char_indices().nth(STREET).map(|(at, _)| at);
    let kind = if cut.is_some() { LossKind::Changed } else { LossKind::Merged };
    for line in lines {
        let source: ValueSource<'d> = *line;
        out.told_otherwise(name, source, kind, "street and number are one line, of 35 characters");
    }
    out.constant(name, text.get(..cut.unwrap_or(text.len())).unwrap_or_default(), &[]);
}

fn contact<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    for contact in &party.contact {
        out.group("ContactInformation", |out| {
            if let Some(name) = contact.name.filled() {
                out.shortened("ContactPersonName", *name, PERSON);
            }
            if let Some(telephone) = contact.telephone.filled() {
                out.shortened("PhoneNumber", *telephone, TELEPHONE);
            }
            out.first("EmailAddress", &contact.email);
        });
    }
}
