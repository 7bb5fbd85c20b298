//! Parties: BG-4 to BG-12, with the accounts to pay to (BG-17).

use quoin_model::en16931::{
    Contact, CreditTransfer, Field, Identifier, Invoice, Party, PostalAddress, TaxRegistrationKind,
    Text,
};

use super::{made, spoken};
use crate::writing::{InvoiceOutput, OutputAttribute};

/// Writes every `InvoicePartner`.
pub(super) fn partners<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if let Some(seller) = invoice.seller.first() {
        partner(out, "from", seller, None);
    }
    if let Some(buyer) = invoice.buyer.first() {
        partner(out, "billTo", buyer, None);
    }
    let transfers = invoice.payment.credit_transfers().map(|(_, transfer)| transfer);
    let mut transfers = transfers.filter(|transfer| transfer.account.is_filled());
    if let Some(payee) = invoice.payee.first() {
        partner(out, "remitTo", payee, transfers.next());
    }
    let name = invoice.payee.first().or(invoice.seller.first());
    let name = name.and_then(|party| party.name.text()).unwrap_or_default();
    for transfer in transfers {
        out.group("InvoicePartner", |out| {
            contact(out, "remitTo", None, |out| made(out, "Name", &name));
            account(out, transfer);
        });
    }
    if let Some(representative) = invoice.tax_representative.first() {
        partner(out, "taxRepresentative", representative, None);
    }
}

/// Writes a `Contact` in a role, with an identifier.
pub(super) fn contact<'d>(
    out: &mut InvoiceOutput<'d>,
    role: &str,
    id: Option<Identifier<'d>>,
    inside: impl FnOnce(&mut InvoiceOutput<'d>),
) {
    let scheme = id.and_then(|id| id.scheme()).map(OutputAttribute::Carried);
    let attributes = [
        ("role", Some(OutputAttribute::Constant(role))),
        ("addressID", id.map(|id| OutputAttribute::Carried(*id))),
        ("addressIDDomain", scheme),
    ];
    out.tagged("Contact", &attributes, inside);
}

fn partner<'d>(
    out: &mut InvoiceOutput<'d>,
    role: &str,
    party: &Party<'d>,
    transfer: Option<&CreditTransfer<'d>>,
) {
    out.group("InvoicePartner", |out| {
        let mut ids = party.identifiers.iter().filter(|id| !id.is_blank());
        contact(out, role, ids.next().copied(), |out| {
            spoken(out, "Name", party.name.filled());
            let person = party.contact.first();
            address(out, &party.address, person);
            if let Some(person) = person {
                numbers(out, person, party);
            }
        });
        for registration in &party.tax_registrations {
            let Some(id) = registration.id.filled() else { continue };
            let is_vat = registration.kind() == TaxRegistrationKind::Vat;
            number(out, if is_vat { "vatID" } else { "taxID" }, id);
            if is_vat {
                out.ledger.implied_vat(registration, id);
                continue;
            }
            let own = registration.scheme.filled().map(|scheme| *scheme);
            for scheme in own.into_iter().chain(id.scheme()) {
                match scheme.is("FC") {
                    true => out.ledger.carry(scheme),
                    false => {
                        let reason = "cXML does not say for which tax other than VAT it is";
                        super::changed(out, scheme, "IdReference/@domain", reason);
                    }
                }
            }
        }
        if let Some(id) = party.legal_registration.filled() {
            registration(out, id);
        }
        if let Some(name) = party.trading_name.filled() {
            number(out, "tradingName", Identifier::from(*name));
        }
        for id in ids {
            let scheme = id.scheme().filter(|scheme| !scheme.is_blank());
            if let Some(scheme) = scheme {
                let domain = scheme.trimmed().into_owned();
                number(out, &domain, *id);
                out.ledger.carry(scheme);
            }
        }
        if let Some(transfer) = transfer {
            account(out, transfer);
        }
    });
}

/// BT-30 and its like. Whose register it is stands behind it.
pub(in crate::cxml) fn registration<'d>(out: &mut InvoiceOutput<'d>, id: Identifier<'d>) {
    number(out, "supplierCommercialIdentifier", id);
    if let Some(scheme) = id.scheme().filter(|scheme| !scheme.is_blank()) {
        number(out, "supplierCommercialIdentifierScheme", Identifier::from(scheme));
    }
}

/// BG-17.
fn account<'d>(out: &mut InvoiceOutput<'d>, transfer: &CreditTransfer<'d>) {
    if let Some(id) = transfer.account.filled() {
        let text = id.trimmed();
        let has_country = text.bytes().take(2).all(|byte| byte.is_ascii_uppercase());
        number(out, if has_country && text.len() > 14 { "ibanID" } else { "accountID" }, id);
    }
    if let Some(name) = transfer.name.filled() {
        number(out, "accountName", Identifier::from(*name));
    }
    if let Some(provider) = transfer.provider.filled() {
        number(out, "swiftID", provider);
    }
}

pub(in crate::cxml) fn number<'d>(out: &mut InvoiceOutput<'d>, domain: &str, id: Identifier<'d>) {
    let attributes = [
        ("identifier", Some(OutputAttribute::Carried(*id))),
        ("domain", Some(OutputAttribute::Constant(domain))),
    ];
    out.tagged("IdReference", &attributes, |_| {});
}

/// BG-5 and its like, with the person in it. Without a country the definition has no address.
pub(in crate::cxml) fn address<'d>(
    out: &mut InvoiceOutput<'d>,
    addresses: &Field<PostalAddress<'d>>,
    person: Option<&Contact<'d>>,
) {
    let Some(address) = addresses.first() else { return };
    let Some(country) = address.country.filled() else { return };
    out.group("PostalAddress", |out| {
        if let Some(person) = person {
            // The first is the person, the second the department.
            let has_person = out.first("DeliverTo", &person.name);
            if person.department.is_filled() {
                if !has_person {
                    out.constant("DeliverTo", "", &[]);
                }
                out.first("DeliverTo", &person.department);
            }
        }
        let lines = [&address.line1, &address.line2, &address.line3];
        let last = lines.iter().rposition(|line| line.is_filled()).unwrap_or_default();
        for line in lines.iter().take(last + 1) {
            if !out.first("Street", line) {
                out.constant("Street", "", &[]);
            }
        }
        if !out.first("City", &address.city) {
            out.constant("City", "", &[]);
        }
        out.first("State", &address.subdivision);
        out.first("PostalCode", &address.post_code);
        let attributes = [("isoCountryCode", Some(OutputAttribute::Carried(*country)))];
        out.tagged("Country", &attributes, |_| {});
    });
}

/// BT-42, BT-43 and their like. A number stands in parts, of which the last is all that is known.
pub(in crate::cxml) fn numbers<'d>(
    out: &mut InvoiceOutput<'d>,
    person: &Contact<'d>,
    party: &Party<'d>,
) {
    out.first("Email", &person.email);
    let Some(country) = party.country().filter(|country| !country.is_blank()) else { return };
    let country = country.trimmed().into_owned();
    telephone(out, "Phone", person.telephone.filled(), &country);
    telephone(out, "Fax", person.telefax.filled(), &country);
}

fn telephone<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Option<Text<'d>>,
    country: &str,
) {
    let Some(value) = value else { return };
    out.group(name, |out| {
        out.group("TelephoneNumber", |out| {
            out.constant("CountryCode", "", &[("isoCountryCode", country)]);
            out.constant("AreaOrCityCode", "", &[]);
            out.text("Number", value);
        });
    });
}
