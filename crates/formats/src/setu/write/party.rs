//! Parties: BG-4 to BG-10. Buyer and seller are named twice: who is billed, and who is paid.

use quoin_model::en16931::{
    Contact, Field, Identifier, Invoice, Party, PartyExtensions, PartyRole, PostalAddress,
    TaxRegistrationKind, Text,
};

use super::super::read::PHYSICAL;
use super::{kept, plain};
use crate::writing::{InvoiceOutput, LossKind};

const AS_IDENTIFIER: &str =
    "the target asks for an identifier of a party and has no place for this: it stands as that";

/// The terms of a party.
struct SetuPartyTerms {
    id: &'static str,
    lines: [&'static str; 3],
    country: &'static str,
    what: [&'static str; 3],
}

const BUYER: SetuPartyTerms = SetuPartyTerms {
    id: "BT-46",
    lines: ["BT-50", "BT-51", "BT-163"],
    country: "BT-55",
    what: [
        "an identifier of the buyer (BT-46 to BT-49)",
        "the name of the buyer (BT-44)",
        "the address of the buyer (BG-8)",
    ],
};

const SELLER: SetuPartyTerms = SetuPartyTerms {
    id: "BT-29",
    lines: ["BT-35", "BT-36", "BT-162"],
    country: "BT-40",
    what: [
        "an identifier of the seller (BT-29 to BT-34)",
        "the name of the seller (BT-27)",
        "the address of the seller (BG-5)",
    ],
};

/// Writes `Parties`.
pub(super) fn parties<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let others = &invoice.extensions.parties;
    let find = |role: PartyRole| others.iter().find(|party| party.role == role);
    let own_words = out.ledger.in_own_words;
    let billed = find(PartyRole::Invoicee).filter(|_| own_words);
    let paid = invoice.payee.first().or(find(PartyRole::Invoicer).filter(|_| own_words));
    out.group("Parties", |out| {
        match (invoice.buyer.first(), billed) {
            (Some(buyer), None) => {
                out.twice("CustomerParty", "BillToParty", |out| trader(out, buyer, &BUYER));
            }
            (Some(buyer), Some(billed)) => {
                out.required_group("CustomerParty", |out| trader(out, buyer, &BUYER));
                out.required_group("BillToParty", |out| trader(out, billed, &BUYER));
            }
            (None, _) => out.refuse_without(invoice.element, "the buyer (BG-7)", "CustomerParty"),
        }
        let Some(seller) = invoice.seller.first() else {
            return out.refuse_without(invoice.element, "the seller (BG-4)", "SupplierParty");
        };
        let has_vat = seller.vat_identifiers().any(|id| !id.is_blank());
        if !has_vat && !own_words {
            let what = "the VAT identifier of the seller (BT-31)";
            out.refuse_without(seller.element, what, "SupplierParty/TaxId");
        }
        let is_other = |payee: &&Party<'d>| {
            own_words || payee.name.is_filled() && payee.name.text() != seller.name.text()
        };
        match paid.filter(is_other) {
            Some(paid) => {
                out.required_group("SupplierParty", |out| trader(out, seller, &SELLER));
                out.required_group("RemitToParty", |out| payee(out, paid));
            }
            None => {
                out.twice("SupplierParty", "RemitToParty", |out| trader(out, seller, &SELLER));
            }
        }
    });
}

/// BG-10.
fn payee<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    if out.ledger.in_own_words {
        return trader(out, party, &SELLER);
    }
    let id = party.identifiers.filled();
    if let Some(id) = id {
        out.group("PartyId", |out| kept(out, "Id", *id));
    }
    plain(out, "Name", &party.name);
}

fn trader<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, terms: &SetuPartyTerms) {
    let [no_id, no_name, no_address] = terms.what;
    if !identifier(out, party, terms) && !out.ledger.in_own_words {
        out.refuse_without(party.element, no_id, "PartyId");
    }
    if !plain(out, "Name", &party.name) && !out.ledger.in_own_words {
        out.refuse_without(party.element, no_name, "Name");
    }
    let empty = PartyExtensions::default();
    let more = party.extensions.as_deref().unwrap_or(&empty);
    if out.ledger.in_own_words {
        out.each("Description", &more.description);
    }
    let vat = party
        .tax_registrations
        .iter()
        .find(|one| one.kind() == TaxRegistrationKind::Vat && one.id.is_filled());
    if let Some((one, id)) = vat.and_then(|one| Some((one, one.id.filled()?))) {
        out.kept("TaxId", &id.trimmed(), *id);
        out.ledger.implied_vat(one, id);
    }
    match party.address.first() {
        Some(own) => {
            out.group("Addresses", |out| {
                out.group("PrimaryAddress", |out| address(out, own, terms));
                if out.ledger.in_own_words {
                    more.addresses.iter().for_each(|other| other_address(out, other));
                }
            });
        }
        None if out.ledger.in_own_words => {}
        None => out.refuse_without(party.element, no_address, "Addresses"),
    }
    out.group("Contacts", |out| {
        if let Some(one) = party.contact.first() {
            out.group("Contact", |out| contact(out, one, more));
        }
    });
}

/// The identifier, which the target asks for: another one stands for it.
fn identifier<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, terms: &SetuPartyTerms) -> bool {
    if let Some(id) = party.identifiers.filled() {
        return out.group("PartyId", |out| kept(out, "Id", *id));
    }
    let vat: Field<_> = party.vat_identifiers().collect();
    // Of these the one for VAT has a place of its own.
    let others = [(&party.legal_registration, false), (&vat, true), (&party.endpoint, false)];
    let filled =
        |(field, is_told): (&Field<Identifier<'d>>, bool)| Some((field.filled()?, is_told));
    let Some((id, is_told)) = others.into_iter().find_map(filled) else { return false };
    let reason = "the target asks for an identifier of a party: another one of it";
    out.group("PartyId", |out| {
        if !is_told {
            let path = Some(out.path_of("Id"));
            out.ledger.list(*id, LossKind::Changed, path, AS_IDENTIFIER);
        }
        out.derived("Id", &id.trimmed(), party.element, Some(terms.id), reason);
    })
}

/// BG-5, BG-8.
fn address<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>, terms: &SetuPartyTerms) {
    let lines: Vec<(usize, Text<'d>)> = [&address.line1, &address.line2, &address.line3]
        .into_iter()
        .enumerate()
        .filter_map(|(at, line)| Some((at, line.filled()?)))
        .collect();
    for (place, (at, line)) in lines.into_iter().enumerate() {
        if place == at {
            kept(out, "AddressLine", *line);
            continue;
        }
        let reason = "the lines of an address have no gaps in the target";
        out.changed("AddressLine", &line.trimmed(), *line, reason);
        let term = terms.lines.get(place).copied();
        out.implied("AddressLine", &line.trimmed(), line.element(), term, reason);
    }
    plain(out, "City", &address.city);
    plain(out, "StateOrProvince", &address.subdivision);
    match address.country.filled() {
        Some(code) if code.derivation().is_none() => kept(out, "Country", *code),
        Some(_) => {}
        None if out.ledger.in_own_words => {}
        None => {
            let reason = "an address without a country is in the Netherlands";
            out.implied("Country", "NL", address.element, Some(terms.country), reason);
        }
    }
    plain(out, "PostalCode", &address.post_code);
    out.constant("Description", PHYSICAL, &[]);
}

/// An address that only SETU has, as it stands there.
fn other_address<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>) {
    out.group("PrimaryAddress", |out| {
        for line in [&address.line1, &address.line2, &address.line3] {
            plain(out, "AddressLine", line);
        }
        plain(out, "City", &address.city);
        plain(out, "StateOrProvince", &address.subdivision);
        plain(out, "Country", &address.country);
        plain(out, "PostalCode", &address.post_code);
        for text in &address.others {
            kept(out, "Description", **text);
        }
    });
}

/// BG-6, BG-9.
fn contact<'d>(out: &mut InvoiceOutput<'d>, contact: &Contact<'d>, more: &PartyExtensions<'d>) {
    out.group("Person", |out| {
        out.group("PersonName", |out| {
            const PARTS: &[&str] = &[
                "Salutation",
                "GivenName",
                "PreferredGivenName",
                "MiddleName",
                "FamilyName",
                "Suffix",
            ];
            let parts = if out.ledger.in_own_words { more.persons.as_slice() } else { &[] };
            for part in parts {
                let local = part.element().local();
                if let Some(name) = PARTS.iter().find(|known| **known == local) {
                    kept(out, name, **part);
                }
            }
            plain(out, "FormattedName", &contact.name);
        });
    });
    plain(out, "Telephone", &contact.telephone);
    plain(out, "EMailAddress", &contact.email);
    plain(out, "Fax", &contact.telefax);
    if out.ledger.in_own_words {
        plain(out, "URI", &more.website);
    }
    plain(out, "Description", &contact.department);
}
