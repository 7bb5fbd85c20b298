//! Parties: seller (1.2), tax representative (1.3), buyer (1.4), third party (1.5), carrier
//! (2.1.9.1).

use quoin_model::en16931::{Invoice, Party, PartyRole, PostalAddress, Text};

use super::address::{self, BUYER, OTHER, SELLER};
use super::{header, register, text};
use crate::writing::InvoiceOutput;

/// Characters of `Denominazione`, and of each part of the name of a person.
const MAX_NAME: usize = 80;
const MAX_PART: usize = 60;

/// `RegimeFiscale`: those of 1.2.3.
const REGIMES: &[&str] = &[
    "RF01", "RF02", "RF04", "RF05", "RF06", "RF07", "RF08", "RF09", "RF10", "RF11", "RF12", "RF13",
    "RF14", "RF15", "RF16", "RF17", "RF18", "RF19", "RF20",
];

/// Writes `CedentePrestatore`.
pub(super) fn seller<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, seller: &Party<'d>) {
    out.required_group("CedentePrestatore", |out| {
        out.required_group("DatiAnagrafici", |out| {
            if !register::vat(out, seller) {
                let what = "the VAT identifier of the seller with its country (BT-31)";
                out.refuse_without(seller.element, what, "IdFiscaleIVA");
            }
            register::tax_code(out, seller, "BT-30-1");
            name(out, seller, "the name of the seller in Latin letters (BT-27)");
            register::profession(out, seller);
            regime(out, seller);
        });
        address::required_address(out, "Sede", seller, &SELLER);
        establishment(out, seller);
        register::companies(out, seller);
        if let Some(contact) = seller.contact.first() {
            out.group("Contatti", |out| {
                header::telephone(out, "Telefono", contact);
                header::telephone(out, "Fax", contact);
                header::mail(out, contact);
            });
        }
        text::code(out, "RiferimentoAmministrazione", &invoice.accounting_reference, 20);
    });
}

/// 1.2.1.8: as the registration says it, else the ordinary one, or that of sellers abroad.
fn regime<'d>(out: &mut InvoiceOutput<'d>, seller: &Party<'d>) {
    let levels = seller.tax_registrations.iter().flat_map(|one| one.level.iter());
    let mut known = levels.filter(|level| REGIMES.contains(&level.trimmed().as_ref()));
    if let Some(level) = known.next() {
        let words = out.words(**level);
        return out.kept("RegimeFiscale", &words, **level);
    }
    let in_italy = seller.country().is_some_and(|country| country.is("IT"));
    let (code, reason) = match in_italy {
        true => ("RF01", "the target asks for the tax regime: the ordinary one"),
        false => ("RF18", "the target asks for the tax regime: another, for a seller abroad"),
    };
    out.derived("RegimeFiscale", code, seller.element, None, reason);
}

/// Writes `Anagrafica`.
fn name<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, what: &'static str) {
    out.required_group("Anagrafica", |out| {
        names(out, party, what);
        if let Some(title) = person(out, party, "Titolo") {
            text::one_code(out, "Titolo", *title, 10);
        }
        register::customs(out, party);
    });
}

/// The name, or the two names of a person.
fn names<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, what: &'static str) {
    let parts = person(out, party, "Nome").zip(person(out, party, "Cognome"));
    match parts {
        Some((first, family)) => {
            text::one_free(out, "Nome", *first, MAX_PART);
            text::one_free(out, "Cognome", *family, MAX_PART);
        }
        None => {
            if !text::free(out, "Denominazione", &party.name, MAX_NAME) {
                out.refuse_without(party.element, what, "Denominazione");
            }
        }
    }
}

/// A part of the name of a person, which only FatturaPA tells apart.
fn person<'d>(out: &InvoiceOutput<'d>, party: &Party<'d>, wanted: &str) -> Option<Text<'d>> {
    let more = party.extensions.as_deref().filter(|_| out.ledger.in_own_words)?;
    more.persons.iter().find(|part| part.element().local() == wanted).copied()
}

/// The permanent establishment.
fn establishment<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let own = party.extensions.as_deref().and_then(|more| more.italy.as_deref());
    let place: Option<&PostalAddress<'d>> = own.and_then(|own| own.establishment.first());
    if let Some(place) = place {
        address::optional(out, "StabileOrganizzazione", place, &OTHER);
    }
}

/// Writes `RappresentanteFiscale` of the seller (BG-11); without an identifier it has no place.
pub(super) fn representative<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    if !has_vat(party) {
        return;
    }
    out.group("RappresentanteFiscale", |out| {
        out.group("DatiAnagrafici", |out| {
            register::vat(out, party);
            register::tax_code(out, party, "");
            name(out, party, "the name of the tax representative in Latin letters (BT-62)");
        });
    });
}

fn has_vat(party: &Party<'_>) -> bool {
    party
        .vat_identifiers()
        .any(|id| id.parts().next().is_some() || register::parts(&id.trimmed()).is_some())
}

/// Writes `CessionarioCommittente`.
pub(super) fn buyer<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, buyer: &Party<'d>) {
    out.required_group("CessionarioCommittente", |out| {
        out.required_group("DatiAnagrafici", |out| {
            let has_vat = register::vat(out, buyer);
            let has_code = register::tax_code(out, buyer, "BT-47-1");
            if !has_vat && !has_code {
                let what = "the VAT identifier (BT-48) or tax code (BT-47) of the buyer \
                    (SdI check 00417)";
                out.refuse_without(buyer.element, what, "IdFiscaleIVA or CodiceFiscale");
            }
            name(out, buyer, "the name of the buyer in Latin letters (BT-44)");
        });
        address::required_address(out, "Sede", buyer, &BUYER);
        establishment(out, buyer);
        let others = &invoice.extensions.parties;
        let own =
            others.iter().find(|one| one.role == PartyRole::BuyerTaxRepresentative && has_vat(one));
        if let Some(own) = own.filter(|_| out.ledger.in_own_words) {
            out.group("RappresentanteFiscale", |out| {
                register::vat(out, own);
                names(out, own, "the name of the tax representative of the buyer");
            });
        }
    });
}

/// Writes `TerzoIntermediarioOSoggettoEmittente`.
pub(super) fn third<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    out.group("TerzoIntermediarioOSoggettoEmittente", |out| {
        out.group("DatiAnagrafici", |out| {
            register::vat(out, party);
            register::tax_code(out, party, "");
            name(out, party, "the name of the third party");
        });
    });
}

/// Writes the inside of `DatiAnagraficiVettore` but the licence.
pub(super) fn carrier<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    register::vat(out, party);
    register::tax_code(out, party, "");
    name(out, party, "the name of the carrier");
}
