//! The header: transmission (1.1), parties (1.2 to 1.5) and who issued the invoice (1.6).

use quoin_model::en16931::{Contact, Identifier, Invoice, Party, PartyRole};
use quoin_xml::tree::Element;

use super::super::codes::{MAIL, NO_RECIPIENT, OFFICE, RECIPIENT};
use super::{italy, name, party, schemed, tax_id};
use crate::reading::Pass;

/// Reads `FatturaElettronicaHeader`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DatiTrasmissione" => transmission(pass, invoice, child),
            "CedentePrestatore" => seller(pass, invoice, child),
            "CessionarioCommittente" => {
                let mut buyer = Party::new(PartyRole::Buyer, child);
                party::read(pass, &mut buyer, &mut invoice.extensions.parties, child);
                invoice.buyer.push(buyer);
            }
            "RappresentanteFiscale" => {
                let mut own = Party::new(PartyRole::TaxRepresentative, child);
                party::read(pass, &mut own, &mut invoice.extensions.parties, child);
                invoice.tax_representative.push(own);
            }
            "TerzoIntermediarioOSoggettoEmittente" => {
                let mut own = Party::new(PartyRole::Other, child);
                party::read(pass, &mut own, &mut invoice.extensions.parties, child);
                invoice.extensions.parties.push(own);
            }
            "SoggettoEmittente" => pass.take(&mut italy(invoice).issuer, child),
            _ => pass.unread(child),
        }
    }
    endpoint(invoice);
}

/// The seller, whose `RiferimentoAmministrazione` is BT-19.
fn seller<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut own = Party::new(PartyRole::Seller, element);
    let reference = party::read(pass, &mut own, &mut invoice.extensions.parties, element);
    for element in reference {
        pass.take(&mut invoice.accounting_reference, element);
    }
    invoice.seller.push(own);
}

fn transmission<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let italy = italy(invoice);
    let version = italy.version.text();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "IdTrasmittente" => italy.transmitter.push(tax_id(pass, child)),
            "ProgressivoInvio" => pass.take(&mut italy.transmission_number, child),
            "FormatoTrasmissione" => match &version {
                Some(version) if child.text().trim() == version.as_ref() => {
                    pass.derive(child, version);
                }
                _ => pass.take(&mut italy.transmission_format, child),
            },
            "CodiceDestinatario" => pass.take(&mut italy.recipient_code, child),
            "PECDestinatario" => pass.take(&mut italy.recipient_mail, child),
            "ContattiTrasmittente" => italy.transmitter_contact.push(contact(pass, child)),
            _ => pass.unread(child),
        }
    }
}

/// Reads `ContattiTrasmittente` or `Contatti` (BG-6).
pub(super) fn contact<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Contact<'d> {
    let mut contact = Contact::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Telefono" => pass.take(&mut contact.telephone, child),
            "Fax" => pass.take(&mut contact.telefax, child),
            "Email" => pass.take(&mut contact.email, child),
            _ => pass.unread(child),
        }
    }
    contact
}

/// BT-49: the certified mail address, and the code unless it stands for none: seven noughts, or
/// seven `X` for a buyer abroad.
fn endpoint(invoice: &mut Invoice<'_>) {
    let Some(italy) = invoice.extensions.italy.as_deref() else { return };
    let code = |code: &Identifier<'_>| match code.trimmed().as_ref() {
        none if NO_RECIPIENT.contains(&none) => None,
        text => match text.chars().count() {
            6 => Some(OFFICE),
            7 => Some(RECIPIENT),
            _ => None,
        },
    };
    let codes = italy.recipient_code.iter().filter_map(|one| Some(schemed(**one, code(one)?)));
    let mails = italy.recipient_mail.iter().map(|one| schemed(**one, MAIL));
    let found: Vec<_> = codes.chain(mails).collect();
    if let Some(buyer) = invoice.buyer.all_mut().first_mut() {
        buyer.endpoint.extend(found);
    }
}
