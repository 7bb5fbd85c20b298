//! Parties: who sends it to whom, contacts with a role, addresses.

use quoin_model::en16931::{Field, Identifier, Party, TaxRegistrationKind, ValueSource};
use quoin_model::order::{Order, OrderKind};

use super::super::codes::DOMAINS;
use super::carried;
use crate::cxml::write::party::{address, number, numbers, registration};
use crate::cxml::write::{changed, spoken};
use crate::reading::lookup_back;
use crate::writing::{InvoiceOutput, OutputAttribute};

/// Who sends it to whom: the electronic addresses, until whoever sends it puts in its account.
pub(super) fn credentials<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let (buyer, seller) = (order.buyer.first(), order.seller.first());
    let both = match order.kind {
        OrderKind::Response => [("From", seller), ("To", buyer)],
        _ => [("From", buyer), ("To", seller)],
    };
    for (name, party) in both {
        let endpoint = party.and_then(|party| party.endpoint.filled());
        out.group(name, |out| credential(out, endpoint));
    }
    out.group("Sender", |out| {
        credential(out, None);
        out.constant("UserAgent", "Quoin", &[]);
    });
}

/// Whether a scheme has four digits.
fn is_of_eas(scheme: ValueSource<'_>) -> bool {
    let text = scheme.trimmed();
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn credential<'d>(out: &mut InvoiceOutput<'d>, endpoint: Option<Identifier<'d>>) {
    let scheme = endpoint.and_then(|id| id.scheme()).filter(|scheme| !scheme.is_blank());
    if let Some(endpoint) = endpoint.filter(|_| !scheme.is_some_and(is_of_eas)) {
        return account(out, endpoint);
    }
    let domain = scheme.map(|scheme| scheme.trimmed().into_owned());
    let domain = domain.unwrap_or_else(|| "NetworkID".to_owned());
    let domain = lookup_back(DOMAINS, &domain).unwrap_or(&domain);
    let attributes = [("domain", Some(OutputAttribute::Constant(domain)))];
    out.tagged("Credential", &attributes, |out| {
        let is_written = endpoint.is_some_and(|id| out.text("Identity", id));
        if !is_written {
            out.constant("Identity", "", &[]);
        }
        if let Some(scheme) = scheme {
            out.ledger.carry(scheme);
        }
    });
}

/// An electronic address that is none of a known scheme would be read as an account.
fn account<'d>(out: &mut InvoiceOutput<'d>, endpoint: Identifier<'d>) {
    let reason = "a message has the credentials of an account, not an electronic address";
    for source in endpoint.scheme().into_iter().chain([*endpoint]) {
        changed(out, source, "Credential", reason);
    }
    let domain = endpoint.scheme().map(|scheme| scheme.trimmed().into_owned());
    let domain = domain.filter(|domain| !domain.is_empty());
    let domain = domain.unwrap_or_else(|| "NetworkID".to_owned());
    let attributes = [("domain", Some(OutputAttribute::Constant(domain.as_str())))];
    let text = endpoint.trimmed().into_owned();
    out.tagged("Credential", &attributes, |out| out.constant("Identity", &text, &[]));
}

/// `Contact` of a party in a role.
pub(super) fn contact<'d>(out: &mut InvoiceOutput<'d>, role: &str, party: Option<&Party<'d>>) {
    let Some(party) = party else { return };
    if !party.name.is_filled() && party.identifiers.is_absent() && party.contact.is_absent() {
        return;
    }
    let first = first(party);
    let scheme = first.and_then(|id| id.scheme()).map(OutputAttribute::Carried);
    let attributes = [
        ("role", Some(OutputAttribute::Constant(role))),
        ("addressID", carried(first)),
        ("addressIDDomain", scheme),
    ];
    out.tagged("Contact", &attributes, |out| {
        inside(out, party);
        references(out, party);
    });
}

/// `Address` of who gets the goods or the invoice, with the name it must have.
pub(super) fn addressed<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    location: Option<Identifier<'d>>,
) {
    let first = location.or_else(|| first(party));
    let scheme = first.and_then(|id| id.scheme()).map(OutputAttribute::Carried);
    let attributes = [("addressID", carried(first)), ("addressIDDomain", scheme)];
    out.tagged("Address", &attributes, |out| inside(out, party));
}

/// As [`addressed`], of a place that has no number of its own: that of who receives stands there.
pub(super) fn placed<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let id = first(party);
    let said = |source: Option<ValueSource<'d>>| {
        source.map(|source| source.trimmed().into_owned()).unwrap_or_default()
    };
    let (number, scheme) = (said(id.map(|id| *id)), said(id.and_then(|id| id.scheme())));
    let reason = "an address has one number: that of who receives stands for that of the place";
    for source in id.into_iter().flat_map(|id| id.scheme().into_iter().chain([*id])) {
        changed(out, source, "Address/@addressID", reason);
    }
    let attributes = [
        ("addressID", Some(OutputAttribute::Constant(number.as_str()))),
        ("addressIDDomain", Some(OutputAttribute::Constant(scheme.as_str()))),
    ];
    out.tagged("Address", &attributes, |out| inside(out, party));
}

fn inside<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    spoken(out, "Name", party.name.filled().or_else(|| party.trading_name.filled()));
    let person = party.contact.first();
    address(out, &party.address, person);
    if let Some(person) = person {
        numbers(out, person, party);
    }
}

fn first<'d>(party: &Party<'d>) -> Option<Identifier<'d>> {
    party.identifiers.filled()
}

/// Further numbers of a party: `IdReference`, whose domain says what each is.
pub(super) fn references<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    for registration in &party.tax_registrations {
        let Some(id) = registration.id.filled() else { continue };
        let is_vat = registration.kind() == TaxRegistrationKind::Vat;
        number(out, if is_vat { "vatID" } else { "taxID" }, id);
        if is_vat {
            // The domain says it.
            out.ledger.implied_vat(registration, id);
        }
    }
    if let Some(id) = party.legal_registration.filled() {
        registration(out, id);
    }
    let all = party.identifiers.iter().filter(|id| !id.is_blank());
    all.skip(1).for_each(|id| reference(out, *id));
}

/// The numbers of who receives, beside that of the place.
pub(super) fn further<'d>(out: &mut InvoiceOutput<'d>, numbers: &Field<Identifier<'d>>) {
    numbers.iter().filter(|id| !id.is_blank()).for_each(|id| reference(out, *id));
}

/// A number whose scheme says what it is.
fn reference<'d>(out: &mut InvoiceOutput<'d>, id: Identifier<'d>) {
    let Some(scheme) = id.scheme().filter(|scheme| !scheme.is_blank()) else { return };
    let domain = scheme.trimmed().into_owned();
    number(out, &domain, id);
    out.ledger.carry(scheme);
}
