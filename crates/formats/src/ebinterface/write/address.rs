//! Addresses (BG-5, BG-8, BG-15), and what stands in them besides.

use quoin_model::en16931::{Contact, Identifier, Party, PostalAddress, ValueSource};

use super::super::codes::ADDRESS_SCHEMES;
use super::kept_with;
use super::party::PartyWords;
use crate::reading::{lookup, lookup_back};
use crate::writing::{InvoiceOutput, LossKind};

/// An identifier with the word for its scheme.
pub(super) fn identifier<'d>(out: &mut InvoiceOutput<'d>, id: Identifier<'d>) {
    let scheme = id.scheme().filter(|scheme| !scheme.is_blank());
    let word = scheme.map(|scheme| match lookup_back(ADDRESS_SCHEMES, &scheme.trimmed()) {
        Some(word) => word.into(),
        None => out.words(scheme),
    });
    let attributes = word.as_deref().map(|word| ("AddressIdentifierType", word));
    kept_with(out, "eb:AddressIdentifier", *id, attributes.as_slice());
    let Some(scheme) = scheme else { return };
    let is_word = lookup(ADDRESS_SCHEMES, &scheme.trimmed()).is_some();
    match is_word && !out.ledger.in_own_words {
        true => {
            let reason = "the target means the scheme of ISO 6523 by the word";
            let name = "eb:AddressIdentifier/@AddressIdentifierType";
            out.told_otherwise(name, scheme, LossKind::Changed, reason);
        }
        false => out.ledger.carry(scheme),
    }
}

/// `Street` to `Country`.
pub(super) fn place<'d>(out: &mut InvoiceOutput<'d>, own: &PostalAddress<'d>, words: &PartyWords) {
    out.first("eb:Street", &own.line1);
    out.first("eb:POBox", &own.post_box);
    if !out.first("eb:Town", &own.city) {
        out.refuse_without(own.element, words.town, "Town");
    }
    if !out.first("eb:ZIP", &own.post_code) {
        out.refuse_without(own.element, words.zip, "ZIP");
    }
    let code = own.country.filled().filter(|code| code.trimmed().chars().count() == 2);
    let name = own.country_name.filled();
    let letters = code.map(|code| code.trimmed());
    let attributes = letters.as_deref().map(|code| ("CountryCode", code));
    match (name, letters.as_deref()) {
        (Some(name), _) => kept_with(out, "eb:Country", *name, attributes.as_slice()),
        (None, Some(letters)) => out.constant("eb:Country", letters, attributes.as_slice()),
        (None, None) => return out.refuse_without(own.element, words.country, "Country"),
    }
    code.iter().for_each(|code| out.ledger.carry(**code));
}

/// Telephone and mail that stand in the address of a document of ebInterface.
pub(super) fn reach<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    if !out.ledger.in_own_words {
        return;
    }
    let more = party.extensions.as_deref();
    let others = more.map(|more| more.contacts.as_slice()).unwrap_or_default();
    let all: Vec<&Contact<'d>> = party.contact.iter().chain(others).collect();
    let phones = all.iter().flat_map(|contact| contact.telephone.iter());
    phones.filter(|one| in_address(one)).for_each(|one| {
        out.text("eb:Phone", *one);
    });
    let mails = all.iter().flat_map(|contact| contact.email.iter());
    mails.filter(|one| in_address(one)).for_each(|one| {
        out.text("eb:Email", *one);
    });
}

pub(super) fn in_address(value: &ValueSource<'_>) -> bool {
    value.element().parent().is_some_and(|parent| parent.local() == "Address")
}

/// Lines 2 and 3, the subdivision and other parts, which have no elements.
pub(super) fn lines<'d>(out: &mut InvoiceOutput<'d>, own: &PostalAddress<'d>) {
    let reason = "the target has one line of an address: it is beside it";
    let name = "eb:AdditionalInformation";
    let parts = [own.line2.filled(), own.line3.filled(), own.subdivision.filled()];
    for part in parts.into_iter().flatten() {
        out.constant(name, &part.trimmed(), &[]);
        out.told_otherwise(name, *part, LossKind::CarriedAsText, reason);
    }
    for part in &own.others {
        out.text(name, *part);
    }
}
