//! Parties: BG-4 to BG-9.

use quoin_model::en16931::{
    Contact, Field, Identifier, Invoice, Party, PartyExtensions, PostalAddress, TaxRegistration,
    TaxRegistrationKind, Text,
};

use super::super::codes::{GLN, ORGANISATION};
use super::{has_country, id, plain, with, wrapped_id};
use crate::writing::{InvoiceOutput, LossKind};

/// Writes `BuyerParty` and `SellerParty`.
pub(super) fn parties<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    match invoice.buyer.first() {
        Some(buyer) => out.required_group("cac:BuyerParty", |out| {
            party(out, buyer, "the name of the buyer (BT-44)", "BT-47-1");
        }),
        None => out.refuse_without(invoice.element, "the buyer (BG-7)", "BuyerParty"),
    }
    match invoice.seller.first() {
        Some(seller) => out.required_group("cac:SellerParty", |out| {
            party(out, seller, "the name of the seller (BT-27)", "BT-30-1");
            let more = seller.extensions.as_deref().filter(|_| out.ledger.in_own_words);
            if let Some(accounts) = more.and_then(|more| more.contacts.first()) {
                out.group("cac:AccountsContact", |out| contact(out, accounts));
            }
        }),
        None => out.refuse_without(invoice.element, "the seller (BG-4)", "SellerParty"),
    }
}

/// Writes `Party`. A trading name (BT-28, BT-45) is the name, and the other is registered.
fn party<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    what: &'static str,
    scheme_term: &'static str,
) {
    out.required_group("cac:Party", |out| {
        for one in party.identifiers.iter().filter(|id| !id.is_blank()) {
            wrapped_id(out, "cac:PartyIdentification", *one, GLN);
        }
        let trading = trading_name(out, party);
        let can_register = has_registration(party, out.ledger.in_own_words);
        let registered = party.name.filled().filter(|_| trading.is_some() && can_register);
        out.required_group("cac:PartyName", |out| match (registered, trading) {
            (Some(_), Some(trading)) => with(out, "cbc:Name", *trading, &[]),
            _ => {
                let names = party.name.iter().filter(|name| !name.is_blank());
                let most = if out.ledger.in_own_words { usize::MAX } else { 1 };
                let mut is_named = false;
                for name in names.take(most) {
                    with(out, "cbc:Name", **name, &[]);
                    is_named = true;
                }
                if !is_named {
                    out.refuse_without(party.element, what, "PartyName");
                }
            }
        });
        let empty = PostalAddress::new(party.element);
        let place = party.address.first().unwrap_or(&empty);
        out.required_group("cac:Address", |out| {
            if let Some(own) = place.id.filled() {
                id(out, "cac:ID", own, GLN);
            }
            address(out, place);
        });
        schemes(out, party, registered, scheme_term);
        if let Some(one) = party.contact.first() {
            out.group("cac:Contact", |out| contact(out, one));
        }
    });
}

/// BT-28, BT-45, where it is another name; readers do not tell it where it is the same.
fn trading_name<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) -> Option<Text<'d>> {
    let trading = party.trading_name.filled()?;
    let is_same = party.name.filled().is_some_and(|name| name.trimmed() == trading.trimmed());
    if is_same && !out.ledger.in_own_words {
        let reason = "it is the name of the party, which the target tells once";
        out.told_otherwise("cac:PartyName", *trading, LossKind::Merged, reason);
        return None;
    }
    Some(trading)
}

/// Whether there is an identifier beside which a name can be registered.
fn has_registration(party: &Party<'_>, in_own_words: bool) -> bool {
    let has_vat = party.vat_identifiers().any(|id| !id.is_blank());
    in_own_words || has_vat || organisation(party).is_some()
}

/// BT-30, BT-47: where it is, or may be, a Swedish organisation number.
fn organisation<'d>(party: &Party<'d>) -> Option<Identifier<'d>> {
    let id = party.legal_registration.filled()?;
    let in_sweden = party.country().is_some_and(|country| country.is("SE"));
    let fits = match id.scheme().filter(|scheme| !scheme.is_blank()) {
        Some(scheme) => scheme.is(ORGANISATION),
        None => in_sweden,
    };
    fits.then_some(id)
}

/// Writes every `PartyTaxScheme`: VAT, and what is Swedish (`SWT`).
fn schemes<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    registered: Option<Text<'d>>,
    scheme_term: &'static str,
) {
    if out.ledger.in_own_words {
        party.tax_registrations.iter().for_each(|one| own_scheme(out, party, one));
        return;
    }
    let number = organisation(party);
    let mut registered = registered;
    let vat = party
        .tax_registrations
        .iter()
        .find(|one| one.kind() == TaxRegistrationKind::Vat && one.id.is_filled());
    if let Some((one, id)) = vat.and_then(|one| Some((one, one.id.filled()?))) {
        out.group("cac:PartyTaxScheme", |out| {
            if let Some(name) = registered.filter(|_| number.is_none()) {
                with(out, "cbc:RegistrationName", *name, &[]);
                registered = None;
            }
            out.kept("cac:CompanyID", &id.trimmed(), *id);
            out.group("cac:TaxScheme", |out| out.constant("cac:ID", "VAT", &[]));
        });
        out.ledger.implied_vat(one, id);
    }
    let Some(number) = number else { return };
    out.group("cac:PartyTaxScheme", |out| {
        if let Some(name) = registered {
            with(out, "cbc:RegistrationName", *name, &[]);
        }
        swedish(out, party, number, scheme_term);
        out.group("cac:TaxScheme", |out| out.constant("cac:ID", "SWT", &[]));
    });
}

/// The organisation number, with BT-32 (what is said of preliminary tax) and BT-33 (the seat).
fn swedish<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    number: Identifier<'d>,
    scheme_term: &'static str,
) {
    out.kept("cac:CompanyID", &number.trimmed(), *number);
    match number.scheme() {
        Some(scheme) => out.ledger.carry(scheme),
        None => {
            let reason = "it is an organisation number of Sweden";
            let place = number.element();
            out.implied("cac:CompanyID", ORGANISATION, place, Some(scheme_term), reason);
        }
    }
    let other = party
        .tax_registrations
        .iter()
        .find(|one| one.kind() == TaxRegistrationKind::Other && one.id.is_filled());
    if let Some((one, id)) = other.and_then(|one| Some((one, one.id.filled()?))) {
        out.kept("cbc:ExemptionReason", &id.trimmed(), *id);
        let path = out.path_of("cac:TaxScheme/cac:ID");
        out.ledger.implied_tax(one, id, || path.clone());
    }
    if let Some(seat) = party.legal_information.filled() {
        out.group("cac:RegistrationAddress", |out| {
            out.kept("cbc:CityName", &seat.trimmed(), *seat);
        });
    }
}

/// A scheme as it stands in a document of Svefaktura.
fn own_scheme<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, one: &TaxRegistration<'d>) {
    let inside = |element: quoin_xml::tree::Element<'d>| element.parent() == Some(one.element);
    out.group("cac:PartyTaxScheme", |out| {
        plain(out, "cbc:RegistrationName", &one.registration_name);
        let is_id = |id: &&Identifier<'d>| id.element().local() == "CompanyID";
        let number = party.legal_registration.iter().find(|id| inside(id.element()));
        if let Some(id) = one.id.iter().find(is_id).or(number) {
            with(out, "cac:CompanyID", **id, &[]);
        }
        plain(out, "cbc:ExemptionReason", &one.exemption_reason);
        let empty = PartyExtensions::default();
        let more = party.extensions.as_deref().unwrap_or(&empty);
        let mut places = more.registration_address.iter();
        if let Some(place) = places.find(|place| inside(place.element)) {
            out.group("cac:RegistrationAddress", |out| {
                if let Some(own) = place.id.filled() {
                    id(out, "cac:ID", own, GLN);
                }
                address(out, place);
            });
        }
        out.group("cac:TaxScheme", |out| {
            plain(out, "cac:ID", &one.scheme);
        });
    });
}

/// Writes the inside of an address but its identifier.
pub(super) fn address<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>) {
    let own = out.ledger.in_own_words;
    let is_line = |text: &Text<'d>| own && text.element().local() == "Line";
    let named = |field: &Field<Text<'d>>| field.filled().filter(|text| !is_line(text));
    for (name, field) in [
        ("cbc:Postbox", &address.line2),
        ("cbc:StreetName", &address.line1),
        ("cbc:Department", &address.line3),
    ] {
        if let Some(text) = named(field) {
            with(out, name, *text, &[]);
        }
    }
    plain(out, "cbc:CityName", &address.city);
    plain(out, "cbc:PostalZone", &address.post_code);
    let fields = [&address.line1, &address.line2, &address.line3];
    let lines = fields.into_iter().flat_map(|field| field.iter()).chain(&address.others);
    let mut lines: Vec<_> = lines.filter(|text| is_line(text)).collect();
    lines.sort_by_key(|text| text.element().id().0);
    if !lines.is_empty() {
        out.group("cac:AddressLine", |out| {
            lines.iter().for_each(|line| with(out, "cbc:Line", ***line, &[]));
        });
    }
    if let Some(code) = address.country.filled() {
        match has_country(&code.trimmed()) {
            true => {
                out.group("cac:Country", |out| with(out, "cac:IdentificationCode", *code, &[]));
            }
            false => out.lost(*code, "the target has the countries of 2004"),
        }
    }
}

/// BG-6, BG-9.
fn contact<'d>(out: &mut InvoiceOutput<'d>, contact: &Contact<'d>) {
    if !plain(out, "cbc:Name", &contact.name) {
        plain(out, "cbc:Name", &contact.department);
    }
    plain(out, "cbc:Telephone", &contact.telephone);
    plain(out, "cbc:Telefax", &contact.telefax);
    plain(out, "cbc:ElectronicMail", &contact.email);
}
