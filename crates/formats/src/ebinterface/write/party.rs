//! Parties: BG-4 to BG-9, BG-15, who ordered, and the references that stand in them.

use quoin_model::en16931::{
    DeliveryInformation, Field, Identifier, Invoice, Party, PartyExtensions, PartyRole,
    PostalAddress, TaxRegistrationKind, Text, ValueSource,
};

use super::super::codes::{NO_VAT, is_no_vat};
use super::address::{identifier, in_address, lines, place, reach};
use super::{MAX_ID, kept_with, line};
use crate::writing::{InvoiceOutput, LossKind, TOO_LONG};

/// Which terms a party has, and what is missing where they are not there.
pub(super) struct PartyWords {
    vat: &'static str,
    contact: &'static str,
    pub name: &'static str,
    pub town: &'static str,
    pub zip: &'static str,
    pub country: &'static str,
}

const SELLER: PartyWords = PartyWords {
    vat: "BT-31",
    contact: "BT-41",
    name: "the name of the seller (BT-27)",
    town: "the city of the seller (BT-37)",
    zip: "the post code of the seller (BT-38)",
    country: "the country of the seller (BT-40)",
};
const BUYER: PartyWords = PartyWords {
    vat: "BT-48",
    contact: "BT-56",
    name: "the name of the buyer (BT-44)",
    town: "the city of the buyer (BT-52)",
    zip: "the post code of the buyer (BT-53)",
    country: "the country of the buyer (BT-55)",
};
const ORDERING: PartyWords = PartyWords {
    vat: "",
    contact: "",
    name: "the name of who ordered",
    town: "the city of who ordered",
    zip: "the post code of who ordered",
    country: "the country of who ordered",
};

/// Writes `Biller`, `InvoiceRecipient` and `OrderingParty`.
pub(super) fn parties<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    match invoice.seller.first() {
        Some(seller) => out.required_group("eb:Biller", |out| {
            let order = invoice.references.sales_order.first();
            head(out, seller, &SELLER, None, |out| {
                if let Some(order) = order {
                    line::party_order(out, "eb:OrderReference", order, |_| {});
                }
            });
            account(out, seller, "InvoiceRecipientsBillerID", "eb:InvoiceRecipientsBillerID");
        }),
        None => out.refuse_without(invoice.element, "the seller (BG-4)", "Biller"),
    }
    match invoice.buyer.first() {
        Some(buyer) => out.required_group("eb:InvoiceRecipient", |out| {
            recipient(out, invoice, buyer);
        }),
        None => out.refuse_without(invoice.element, "the buyer (BG-7)", "InvoiceRecipient"),
    }
    let others = &invoice.extensions.parties;
    let ordering = others.iter().find(|one| one.role == PartyRole::BuyerCustomer);
    if let Some(own) = ordering.filter(|own| own.identifiers.is_filled() && out.ledger.in_own_words)
    {
        out.required_group("eb:OrderingParty", |out| {
            head(out, own, &ORDERING, None, |_| {});
            if let Some(id) = numbers(own).next() {
                out.limited("eb:BillersOrderingPartyID", *id, MAX_ID);
            }
        });
    }
}

fn recipient<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, buyer: &Party<'d>) {
    let contract = invoice.references.contract.first().and_then(|one| one.id.filled());
    head(out, buyer, &BUYER, contract, |out| order(out, invoice));
    if let Some(id) = numbers(buyer).next() {
        out.limited("eb:BillersInvoiceRecipientID", *id, MAX_ID);
    }
    if let Some(area) = invoice.accounting_reference.filled() {
        out.limited("eb:AccountingArea", *area, 20);
    }
    account(out, buyer, "SubOrganizationID", "eb:SubOrganizationID");
}

/// BT-13; BT-10 where there is none, as the administration of Austria reads it.
fn order<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let filler = invoice.references.filler_of_order();
    if let Some(filler) = filler {
        out.ledger.regenerate(*filler);
    }
    let own = invoice.references.purchase_order.first().filter(|_| filler.is_none());
    if let Some(order) = own.filter(|order| order.id.is_filled()) {
        return line::party_order(out, "eb:OrderReference", order, |_| {});
    }
    let reference = invoice.buyer_reference.filled().filter(|own| out.is_short(**own, MAX_ID));
    let Some(reference) = reference else { return };
    let reason =
        "without an order the reference of the buyer (BT-10) is the reference of the order";
    out.group("eb:OrderReference", |out| {
        out.constant("eb:OrderID", &reference.trimmed(), &[]);
        out.told_otherwise("eb:OrderID", *reference, LossKind::Changed, reason);
        let place = reference.element();
        out.implied("eb:OrderID", &reference.trimmed(), place, Some("BT-13"), reason);
    });
}

/// Identifiers that have an element of their own: the buyer's without a scheme.
fn numbers<'i, 'd>(party: &'i Party<'d>) -> impl Iterator<Item = Identifier<'d>> + 'i {
    let own = |id: &&Identifier<'d>| {
        !id.is_blank() && id.scheme().is_none() && id.element().local() != "AddressIdentifier"
    };
    party.identifiers.iter().filter(own).copied()
}

/// An identifier that only the element of ebInterface tells.
fn account<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, local: &str, name: &'static str) {
    let more = party.extensions.as_deref().filter(|_| out.ledger.in_own_words);
    let ids = more.iter().flat_map(|more| more.account_ids.iter());
    let own = ids.into_iter().find(|id| id.element().local() == local);
    if let Some(id) = own {
        out.limited(name, **id, MAX_ID);
    }
}

/// What every party has: identifiers, the order, address and contact.
fn head<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    words: &PartyWords,
    contract: Option<Identifier<'d>>,
    order: impl FnOnce(&mut InvoiceOutput<'d>),
) {
    vat(out, party, words);
    further(out, party, contract);
    order(out);
    out.required_group("eb:Address", |out| {
        let all = address_identifiers(party);
        address(out, party, words, &all);
    });
    contact(out, party, words);
}

/// BT-31, BT-48; noughts where there is none, which is what the target has for it.
fn vat<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, words: &PartyWords) {
    const NAME: &str = "eb:VATIdentificationNumber";
    let registrations = party.tax_registrations.iter();
    let mut own = registrations.filter(|one| one.kind() == TaxRegistrationKind::Vat);
    let found = own.find_map(|one| Some((one, one.id.filled()?)));
    let (found, filler) = match found {
        Some((_, id)) if is_no_vat(&id.trimmed()) => (None, Some(id)),
        found => (found, None),
    };
    if let Some(id) = filler {
        out.lost(*id, "it is the word of the target for no identifier");
    }
    let Some((registration, id)) = found else {
        let is_own = |one: quoin_xml::tree::Element<'_>| one.local() == "VATIdentificationNumber";
        if out.ledger.in_own_words && party.element.elements().any(is_own) {
            // The source has the filler itself.
            return out.constant(NAME, NO_VAT, &[]);
        }
        let reason = "the target asks for an identifier for VAT: noughts where there is none";
        let term = (!words.vat.is_empty()).then_some(words.vat);
        return out.derived(NAME, NO_VAT, party.element, term, reason);
    };
    out.text(NAME, id);
    out.ledger.implied_vat(registration, id);
}

/// `FurtherIdentification`: BT-30, BT-32, BT-12, and others of ebInterface.
fn further<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, contract: Option<Identifier<'d>>) {
    let registrations = party.tax_registrations.iter();
    let other = registrations.filter(|one| one.kind() == TaxRegistrationKind::Other);
    let taxes: Vec<_> = other.flat_map(|one| one.id.iter().map(move |id| (one, *id))).collect();
    for id in party.legal_registration.iter().filter(|id| !id.is_blank()).take(1) {
        identification(out, *id, "FN");
    }
    for (registration, id) in taxes.into_iter().filter(|(_, id)| !id.is_blank()) {
        if identification(out, id, "TaxID") {
            let path = out.path_of("eb:FurtherIdentification/@IdentificationType");
            out.ledger.implied_tax(registration, id, || path.clone());
        }
    }
    if let Some(contract) = contract {
        identification(out, contract, "Contract");
    }
    let more = party.extensions.as_deref().filter(|_| out.ledger.in_own_words);
    let ids = more.iter().flat_map(|more| more.account_ids.iter());
    let ids: Vec<_> = ids.filter(|id| id.element().local() == "FurtherIdentification").collect();
    for id in ids {
        let kind = id.scheme();
        let name = kind.map_or("Other".into(), |kind| kind.trimmed());
        identification(out, *id, &name);
        kind.iter().for_each(|kind| out.ledger.carry(*kind));
    }
}

fn identification<'d>(out: &mut InvoiceOutput<'d>, id: Identifier<'d>, kind: &str) -> bool {
    let fits = id.trimmed().chars().count() <= MAX_ID;
    match fits {
        true => {
            let name = "eb:FurtherIdentification";
            kept_with(out, name, *id, &[("IdentificationType", kind)]);
            if out.ledger.in_own_words {
                let element = id.element();
                let own = ["", element.namespace()].into_iter().find_map(|namespace| {
                    ValueSource::attribute_called(element, namespace, "IdentificationType")
                });
                own.iter().for_each(|own| out.ledger.carry(*own));
            }
        }
        false => out.lost(*id, TOO_LONG),
    }
    fits
}

/// BT-29; BT-46 with a scheme.
fn address_identifiers<'d>(party: &Party<'d>) -> Vec<Identifier<'d>> {
    let is_number = party.role != PartyRole::Seller;
    let first = numbers(party).next().filter(|_| is_number);
    let left = |id: &&Identifier<'d>| !id.is_blank() && first.is_none_or(|first| first != **id);
    party.identifiers.iter().filter(left).copied().collect()
}

fn address<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    words: &PartyWords,
    identifiers: &[Identifier<'d>],
) {
    for id in identifiers {
        identifier(out, *id);
    }
    if !out.first("eb:Name", &party.name) {
        out.refuse_without(party.element, words.name, "Name");
    }
    out.first("eb:TradingName", &party.trading_name);
    let empty = PostalAddress::new(party.element);
    let own = party.address.first().unwrap_or(&empty);
    place(out, own, words);
    reach(out, party);
    lines(out, own);
}

/// BG-6, BG-9: the target asks for a name.
fn contact<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, words: &PartyWords) {
    let Some(contact) = party.contact.first() else { return };
    let here = |field: &Field<Text<'d>>| {
        field.filled().filter(|one| !in_address(one) || one.element().local() == "Contact")
    };
    let name = here(&contact.name).or_else(|| here(&contact.department));
    let (phone, mail) = (here(&contact.telephone), here(&contact.email));
    if name.is_none() && phone.is_none() && mail.is_none() {
        return;
    }
    out.group("eb:Contact", |out| {
        let empty = PartyExtensions::default();
        let more = party.extensions.as_deref().unwrap_or(&empty);
        if out.ledger.in_own_words {
            let mut salutations = more.persons.iter();
            let own = salutations.find(|one| one.element().local() == "Salutation");
            own.iter().for_each(|own| {
                out.text("eb:Salutation", **own);
            });
        }
        match (name, party.name.filled()) {
            (Some(name), _) => {
                out.text("eb:Name", name);
            }
            (None, Some(name)) => {
                let reason = "the target asks for the name of a contact: that of the party";
                let term = (!words.contact.is_empty()).then_some(words.contact);
                out.derived("eb:Name", &name.trimmed(), party.element, term, reason);
            }
            (None, None) => {}
        }
        phone.iter().for_each(|phone| {
            out.text("eb:Phone", *phone);
        });
        mail.iter().for_each(|mail| {
            out.text("eb:Email", *mail);
        });
        out.first("eb:AdditionalInformation", &contact.note);
    });
}

/// BG-15 with BT-70: an address has a name, which is that of the buyer where nobody is named.
pub(super) fn receiver<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: Option<&Invoice<'d>>,
    delivery: &DeliveryInformation<'d>,
) {
    let party = delivery.party.first();
    let buyer = invoice.and_then(|invoice| invoice.buyer.first()?.name.filled());
    let name = party.and_then(|party| party.name.filled());
    let Some(own) = delivery.address.first() else { return };
    let is_whole = own.city.is_filled()
        && own.post_code.is_filled()
        && (own.country.is_filled() || own.country_name.is_filled());
    if !is_whole || (name.is_none() && buyer.is_none()) {
        return;
    }
    out.group("eb:Address", |out| {
        let ids = party.iter().flat_map(|party| party.identifiers.iter());
        for id in ids.filter(|_| out.ledger.in_own_words).collect::<Vec<_>>() {
            identifier(out, *id);
        }
        match (name, buyer) {
            (Some(name), _) => {
                out.text("eb:Name", name);
            }
            (None, Some(buyer)) => {
                let reason = "the target asks for the name at an address: that of the buyer";
                let place = delivery.element;
                out.derived("eb:Name", &buyer.trimmed(), place, Some("BT-70"), reason);
            }
            (None, None) => {}
        }
        if let Some(party) = party.filter(|_| out.ledger.in_own_words) {
            out.first("eb:TradingName", &party.trading_name);
        }
        place(out, own, &ORDERING);
        if let Some(party) = party {
            reach(out, party);
        }
        lines(out, own);
    });
    if let Some(party) = party.filter(|_| out.ledger.in_own_words) {
        contact(out, party, &ORDERING);
    }
}
