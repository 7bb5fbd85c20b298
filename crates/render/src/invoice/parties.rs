//! Parties: seller (BG-4), buyer (BG-7), payee (BG-10), tax representative (BG-11), and those that
//! only extensions have.

use quoin_model::en16931::{Contact, Field, Invoice, Party, PartyRole, TaxRegistrationKind};

use crate::address;
use crate::draft::PageDraft;
use crate::names;
use crate::page::{PageCard, PageField, PagePart, PageSection, TextStyle};
use crate::words::PageWord;

/// Seller and buyer.
pub(super) fn main<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> Vec<PageCard> {
    let seller = invoice.seller.iter().map(|party| card(draft, party)).collect::<Vec<_>>();
    let buyer = invoice.buyer.iter().map(|party| card(draft, party)).collect::<Vec<_>>();
    seller.into_iter().chain(buyer).collect()
}

/// All others but the one that receives, which is with the delivery.
pub(super) fn others<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> PageSection {
    let mut section = PageSection::new(draft.word(PageWord::Parties));
    let named = invoice.payee.iter().chain(&invoice.tax_representative);
    let cards: Vec<_> =
        named.chain(&invoice.extensions.parties).map(|party| card(draft, party)).collect();
    if !cards.is_empty() {
        section.parts.push(PagePart::Cards(cards));
    }
    section
}

/// A party as a box: name, address, and what identifies it.
pub(super) fn card<'d>(draft: &mut PageDraft<'d>, party: &Party<'d>) -> PageCard {
    let mut card = PageCard { heading: role(draft, party), ..PageCard::default() };
    card.marks = draft.marks_at(party.element);
    card.lines = draft.texts(&party.name, TextStyle::Strong);
    if let Some(extensions) = party.extensions.as_deref() {
        let registered = draft.texts(&extensions.registration_name, TextStyle::Plain);
        card.lines.extend(registered);
    }
    for one in &party.address {
        card.lines.extend(address::lines(draft, one));
        card.marks.extend(draft.marks_at(one.element));
    }
    let into = &mut card.fields;
    draft.plain(into, PageWord::TradingName, &party.trading_name);
    registrations(draft, into, party);
    draft.ids(into, PageWord::Registration, &party.legal_registration);
    draft.ids(into, PageWord::Identifier, &party.identifiers);
    draft.ids(into, PageWord::ElectronicAddress, &party.endpoint);
    draft.plain(into, PageWord::LegalInformation, &party.legal_information);
    contacts(draft, into, &party.contact);
    card
}

fn role(draft: &PageDraft<'_>, party: &Party<'_>) -> String {
    let word = match party.role {
        PartyRole::Seller => PageWord::Seller,
        PartyRole::Buyer => PageWord::Buyer,
        PartyRole::Payee => PageWord::Payee,
        PartyRole::TaxRepresentative => PageWord::TaxRepresentative,
        PartyRole::DeliverTo => PageWord::DeliverTo,
        _ => {
            let of = party.element.parent().filter(|_| party.element.local() == "Party");
            return names::label(of.unwrap_or(party.element).local(), draft.language).0;
        }
    };
    draft.word(word)
}

/// BT-31, BT-32, BT-48, BT-63.
fn registrations<'d>(draft: &mut PageDraft<'d>, into: &mut Vec<PageField>, party: &Party<'d>) {
    for one in &party.tax_registrations {
        let is_vat = one.kind() == TaxRegistrationKind::Vat;
        let word = if is_vat { PageWord::VatId } else { PageWord::TaxNumber };
        draft.plain(into, word, &one.id);
        // The label says that it is for VAT.
        let scheme = one.scheme_source().filter(|_| is_vat);
        if let Some(scheme) = scheme.filter(|one| one.derivation().is_none()) {
            draft.note_source(scheme);
        }
    }
}

/// BG-6, BG-9.
fn contacts<'d>(
    draft: &mut PageDraft<'d>,
    into: &mut Vec<PageField>,
    contacts: &Field<Contact<'d>>,
) {
    for contact in contacts {
        draft.plain(into, PageWord::Contact, &contact.name);
        draft.plain(into, PageWord::Contact, &contact.department);
        draft.plain(into, PageWord::Telephone, &contact.telephone);
        draft.plain(into, PageWord::Email, &contact.email);
    }
}
