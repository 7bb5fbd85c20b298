//! Parties of an order: contacts with a role, addresses, and who sends it to whom.

use std::collections::HashSet;

use quoin_model::en16931::{
    AttributeName, Contact, Derivation, Field, Identifier, Party, PartyRole, ValueSource,
};
use quoin_model::order::Order;
use quoin_xml::tree::Element;

use super::super::codes::{BUYERS, DOMAINS, END_USER, SELLERS};
use super::told;
use crate::cxml::read::{CxmlWalk, open, party, take_at, value};
use crate::reading::{DocumentLeaf, lookup};

/// Who sends the message to whom, where that is an electronic address.
#[derive(Default)]
pub(super) struct MessageEnds<'d> {
    from: Field<Identifier<'d>>,
    to: Field<Identifier<'d>>,
}

impl<'d> MessageEnds<'d> {
    /// The buyer orders, and the seller answers.
    pub(super) fn give(mut self, order: &mut Order<'d>) {
        let is_answer = order.kind == quoin_model::order::OrderKind::Response;
        if is_answer {
            std::mem::swap(&mut self.from, &mut self.to);
        }
        for (field, role, mut endpoint) in [
            (&mut order.buyer, PartyRole::Buyer, self.from),
            (&mut order.seller, PartyRole::Seller, self.to),
        ] {
            let Some(first) = endpoint.first() else { continue };
            if field.is_absent() {
                field.push(Party::new(role, first.element()));
            }
            if let Some(party) = field.all_mut().first_mut() {
                party.endpoint.append(&mut endpoint);
            }
        }
    }
}

/// Reads `Header`. What belongs to an account is no content: it is in no term and in no list.
pub(super) fn credentials<'d>(
    walk: &mut CxmlWalk<'d>,
    endpoints: &mut MessageEnds<'d>,
    element: Element<'d>,
) {
    for one in element.descendants() {
        let domain = ValueSource::attribute_called(one, "", "domain");
        let party = one.parent().map(Element::local).unwrap_or_default();
        let identity = one.elements().find(|child| child.local() == "Identity");
        let field = match (one.local(), party) {
            ("Credential", "From") => Some(&mut endpoints.from),
            ("Credential", "To") => Some(&mut endpoints.to),
            _ => None,
        };
        if let (Some(field), Some(domain), Some(identity)) = (field, domain, identity)
            && let Some(scheme) = scheme(domain)
        {
            let id = ValueSource::of(identity).with(&[(AttributeName::SchemeId, scheme)]);
            field.push(id.into());
        }
    }
    let mut held = HashSet::new();
    for id in endpoints.from.iter().chain(&endpoints.to) {
        held.insert(id.element().id());
        held.extend(id.element().parent().map(|parent| parent.id()));
    }
    for one in element.descendants() {
        leaves(walk, one, held.contains(&one.id()));
    }
}

/// Counts the leaves of an element of the head: an identity that is an address is read.
fn leaves<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>, is_held: bool) {
    for attribute in element.attributes() {
        match is_held && element.local() == "Credential" && attribute.local == "domain" {
            true => walk.pass.read += 1,
            false => {
                walk.pass.regenerated.push(DocumentLeaf::attribute_of(element, attribute));
            }
        }
    }
    match crate::reading::leaf(element) {
        crate::reading::LeafKind::Branch => {}
        _ if is_held && element.local() == "Identity" => walk.pass.read += 1,
        _ => walk.pass.regenerated.push(DocumentLeaf::text_of(element)),
    }
}

/// The scheme of electronic addresses that a domain is.
fn scheme<'d>(domain: ValueSource<'d>) -> Option<ValueSource<'d>> {
    let text = domain.trimmed();
    let is_code = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    match (is_code, lookup(DOMAINS, &text)) {
        (true, _) => Some(domain),
        (_, Some(code)) => Some(domain.saying(Derivation::Mapped, code)),
        _ => None,
    }
}

/// Reads `Contact`, and puts the party where its role belongs.
pub(super) fn contact<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let mut party = address(walk, PartyRole::Other, element);
    let role = element.attribute("role").unwrap_or_default();
    let (role, field) = match role {
        role if BUYERS.contains(&role) => (PartyRole::Buyer, &mut order.buyer),
        role if SELLERS.contains(&role) => (PartyRole::Seller, &mut order.seller),
        END_USER => (PartyRole::Originator, &mut order.originator),
        _ => return other(order, party, element),
    };
    if field.is_present() {
        return other(order, party, element);
    }
    // The place of the party says its role.
    told(walk, element, "role");
    party.role = role;
    field.push(party);
}

/// A party in another role, or the second one in a role.
fn other<'d>(order: &mut Order<'d>, mut party: Party<'d>, element: Element<'d>) {
    let more = party.extensions.get_or_insert_default();
    take_at(&mut more.role_code, element, "role");
    order.parties.push(party);
}

/// Reads a `Contact`, or the `Address` of `ShipTo` or `BillTo`: a name, and where it is.
pub(super) fn address<'d>(
    walk: &mut CxmlWalk<'d>,
    role: PartyRole,
    element: Element<'d>,
) -> Party<'d> {
    let mut party = Party::new(role, element);
    let mut contact = Contact::new(element);
    let known = ["role", "addressID", "addressIDDomain", "isoCountryCode"];
    open(&mut walk.pass, element, &known);
    if let Some(id) = ValueSource::attribute_called(element, "", "addressID") {
        let domain = ValueSource::attribute_called(element, "", "addressIDDomain");
        let scheme = domain.map(|domain| (AttributeName::SchemeId, domain));
        party.identifiers.push(scheme.map_or(id, |scheme| id.with(&[scheme])).into());
    }
    for child in element.elements() {
        match child.local() {
            "Name" => party.name.push(value(&mut walk.pass, child, &[])),
            "PostalAddress" => {
                usual(walk, child);
                let address = party::address(walk, &mut contact, child);
                party.address.push(address);
            }
            "Email" => {
                contact.email.push(value(&mut walk.pass, child, &["name"]));
                usual(walk, child);
            }
            "Phone" => party::telephone(walk, &party.address, &mut contact.telephone, child),
            "Fax" => party::telephone(walk, &party.address, &mut contact.telefax, child),
            "IdReference" => number(walk, &mut party, child),
            _ => walk.pass.unread(child),
        }
    }
    country(walk, &mut party, element);
    let texts = [&contact.name, &contact.department, &contact.telephone, &contact.email];
    if texts.iter().any(|text| text.is_present()) || contact.telefax.is_present() {
        party.contact.push(contact);
    }
    party
}

/// A name that says nothing, as most senders write it.
fn usual<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) {
    if element.attribute("name") == Some("default") {
        told(walk, element, "name");
    }
}

/// The country beside the address: told by that, or the only one.
fn country<'d>(walk: &mut CxmlWalk<'d>, party: &mut Party<'d>, element: Element<'d>) {
    let Some(own) = element.attributes().find(|one| one.local == "isoCountryCode") else { return };
    let said = party.country().map(|country| country.trimmed().into_owned());
    match (said, party.address.all_mut().first_mut()) {
        (Some(said), _) if said == own.value => {
            walk.pass.read = walk.pass.read.saturating_sub(1);
            walk.pass.derived.push(DocumentLeaf::attribute_of(element, own));
        }
        (None, Some(address)) => take_at(&mut address.country, element, "isoCountryCode"),
        _ => {
            walk.pass.read = walk.pass.read.saturating_sub(1);
            walk.pass.residue.push(DocumentLeaf::attribute_of(element, own));
        }
    }
}

/// Reads `IdReference` of a party: its domain says what it is.
pub(super) fn number<'d>(walk: &mut CxmlWalk<'d>, party: &mut Party<'d>, element: Element<'d>) {
    if let Some((id, domain)) = party::id_reference(walk, element) {
        party::party_number(party, id, domain);
    }
}
