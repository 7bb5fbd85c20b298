//! Parties: `Podmiot1` to `Podmiot3` and `PodmiotUpowazniony` (BG-4 to BG-12, BT-70).

use quoin_model::en16931::{
    Contact, DeliveryInformation, Identifier, Invoice, Party, PartyRole, Text,
};

use super::super::codes::{NIP_ADDRESS, UNION, has_country};
use super::address::address;
use super::number::{collapsed, id, text};
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind};

/// Ten digits, of which the first is no nought and not both of the next two are.
pub(super) fn is_nip(text: &str) -> bool {
    let [first, second, third, rest @ ..] = text.as_bytes() else { return false };
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits && rest.len() == 7 && *first != b'0' && !(*second == b'0' && *third == b'0')
}

/// The Polish number in an identifier for VAT.
fn polish(id: &str) -> Option<&str> {
    id.strip_prefix("PL").map(str::trim).filter(|nip| is_nip(nip))
}

/// Marks what says for which tax the registration is that an identifier is of.
fn registered<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, id: Identifier<'d>) {
    for one in &party.tax_registrations {
        if one.id.iter().any(|own| *own == id) {
            out.ledger.implied_vat(one, id);
        }
    }
}

/// Writes `NIP` of an identifier for VAT (BT-31, BT-48, BT-63). Whether there is one.
fn nip<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) -> bool {
    let own = party.vat_identifiers().find(|id| polish(&id.trimmed()).is_some());
    let Some(own) = own else { return false };
    let text = own.trimmed();
    out.kept("NIP", polish(&text).unwrap_or_default(), *own);
    registered(out, party, own);
    true
}

/// A seller without a Polish number for VAT is not in KSeF, whatever else the document says.
pub(super) fn refuse_foreign(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let seller = invoice.seller.first();
    let is_polish = seller.is_some_and(|seller| {
        seller.vat_identifiers().any(|id| polish(&id.trimmed()).is_some())
            || other_number(seller).is_some()
    });
    match is_polish {
        true => Ok(()),
        false => Err(ConversionRefusal::Required {
            what: "the Polish number for VAT of the seller (BT-31, PL and ten digits)",
            path: seller.map_or(invoice.element, |seller| seller.element).path(),
            target: "NIP",
        }),
    }
}

/// Writes `Podmiot1`.
pub(super) fn seller<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, has_prefix: bool) {
    let empty = Party::new(PartyRole::Seller, invoice.element);
    let seller = invoice.seller.first().unwrap_or(&empty);
    out.group("Podmiot1", |out| {
        if has_prefix {
            out.constant("PrefiksPodatnika", "PL", &[]);
        }
        out.group("DaneIdentyfikacyjne", |out| {
            if !nip(out, seller) {
                other_nip(out, seller);
            }
            if !text(out, "Nazwa", seller.name.filled(), 512) {
                out.refuse_without(seller.element, "the name of the seller (BT-27)", "Nazwa");
            }
        });
        if !address(out, "Adres", seller, seller.address.first()) {
            let what = "a line of the address of the seller, or its city (BT-35, BT-37)";
            out.refuse_without(seller.element, what, "AdresL1");
        }
        contact(out, seller.contact.first(), ["Email", "Telefon"]);
    });
}

/// The Polish number in the other registration for tax (BT-32), or in the electronic address.
fn other_number<'d>(party: &Party<'d>) -> Option<Identifier<'d>> {
    let of_address = party.endpoint.iter().copied();
    let of_address =
        of_address.filter(|id| id.scheme().is_some_and(|scheme| scheme.is(NIP_ADDRESS)));
    let fits = |id: &Identifier<'d>| {
        let text = id.trimmed();
        is_nip(text.strip_prefix("PL").unwrap_or(&text))
    };
    party.other_tax_registrations().chain(of_address).find(fits)
}

/// Writes `NIP` of the other registration for tax (BT-32), or of the electronic address (BT-34).
fn other_nip<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let reason = "the target asks for the Polish number for VAT, which it is";
    let Some(own) = other_number(party) else { return };
    let whole = own.trimmed();
    let number = whole.strip_prefix("PL").unwrap_or(&whole);
    out.changed("NIP", number, *own, reason);
    out.implied("NIP", &format!("PL{number}"), own.element(), Some("BT-31"), reason);
    registered(out, party, own);
}

/// Writes `Podmiot2`.
pub(super) fn buyer<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    const NO: &str = "the target asks whether a unit of a local government or a member of a VAT \
                      group buys, of which the source knows nothing";
    let empty = Party::new(PartyRole::Buyer, invoice.element);
    let buyer = invoice.buyer.first().unwrap_or(&empty);
    out.group("Podmiot2", |out| {
        out.group("DaneIdentyfikacyjne", |out| {
            buyer_id(out, buyer);
            text(out, "Nazwa", buyer.name.filled(), 512);
        });
        address(out, "Adres", buyer, buyer.address.first());
        contact(out, buyer.contact.first(), ["Email", "Telefon"]);
        let mut numbers = buyer.identifiers.iter().copied();
        id(out, "NrKlienta", numbers.find(|id| id.scheme().is_none()), 256);
        out.derived("JST", "2", buyer.element, None, NO);
        out.derived("GV", "2", buyer.element, None, NO);
    });
}

/// What identifies the buyer: a Polish number, one of the Union, another, or none.
fn buyer_id<'d>(out: &mut InvoiceOutput<'d>, buyer: &Party<'d>) {
    if nip(out, buyer) {
        return;
    }
    let vat = buyer.vat_identifiers().find(|id| !id.is_blank());
    if let Some(vat) = vat {
        if vat.trimmed().starts_with("PL") {
            return out.refuse_value(*vat, "a Polish number for VAT is PL and ten digits");
        }
        if of_union(out, vat) || of_country(out, vat) {
            return registered(out, buyer, vat);
        }
    }
    let country = buyer.country().map(|country| country.trimmed().into_owned());
    let other = buyer.legal_registration.filled();
    let is_polish = country.as_deref().is_none_or(|country| country == "PL");
    if let Some(other) = other.filter(|id| !is_polish && id.trimmed().chars().count() <= 50) {
        let country = country.filter(|country| has_country(country));
        if let Some(country) = country.filter(|country| !other.trimmed().starts_with(country)) {
            out.constant("KodKraju", &country, &[]);
        }
        id(out, "NrID", Some(other), 50);
        return;
    }
    let reason = "the source has no identifier of the buyer that is one in the target";
    out.derived("BrakID", "1", buyer.element, None, reason);
}

/// Writes `KodUE` and `NrVatUE`. Whether it is one of the Union.
fn of_union<'d>(out: &mut InvoiceOutput<'d>, vat: Identifier<'d>) -> bool {
    let whole = vat.trimmed();
    let Some((prefix, number)) = whole.split_at_checked(2) else { return false };
    let country = if prefix == "GR" { "EL" } else { prefix };
    let is_number = |byte: u8| {
        byte.is_ascii_digit() || byte.is_ascii_uppercase() || byte == b'+' || byte == b'*'
    };
    let fits = (1..=12).contains(&number.len()) && number.bytes().all(is_number);
    if !UNION.contains(&country) || !fits {
        return false;
    }
    out.constant("KodUE", country, &[]);
    out.constant("NrVatUE", number, &[]);
    match country == prefix {
        true => out.ledger.carry(*vat),
        false => {
            let reason = "identifiers for VAT of Greece begin with EL";
            out.told_otherwise("KodUE", *vat, LossKind::Changed, reason);
        }
    }
    true
}

/// Writes `KodKraju` and `NrID` of an identifier for VAT of a state outside of the Union.
fn of_country<'d>(out: &mut InvoiceOutput<'d>, vat: Identifier<'d>) -> bool {
    let whole = collapsed(&vat.trimmed());
    let Some((prefix, _)) = whole.split_at_checked(2) else { return false };
    if !has_country(prefix) || whole.chars().count() > 50 {
        return false;
    }
    out.constant("KodKraju", prefix, &[]);
    id(out, "NrID", Some(vat), 50)
}

/// Writes `DaneKontaktowe`.
fn contact<'d>(
    out: &mut InvoiceOutput<'d>,
    contact: Option<&Contact<'d>>,
    names: [&'static str; 2],
) {
    let Some(contact) = contact else { return };
    let [mail, telephone] = names;
    out.group("DaneKontaktowe", |out| {
        let fits = |own: &Text<'d>| {
            let text = own.trimmed();
            let at = text.find('@');
            let inside = at.is_some_and(|at| at > 0 && at + 1 < text.len());
            inside && text.chars().count() <= 255
        };
        text(out, mail, contact.email.filled().filter(fits), 255);
        let Some(own) = contact.telephone.filled() else { return };
        let whole = collapsed(&own.trimmed());
        let short: String = whole.chars().filter(|c| !" -()./".contains(*c)).collect();
        let count = short.chars().count();
        match (whole.chars().count() <= 16, count) {
            (true, _) => out.fitted(telephone, &whole, *own, "it has single blanks"),
            (false, 1..=16) => {
                let reason = "the target has 16 characters for it: signs and blanks are left out";
                out.changed(telephone, &short, *own, reason);
            }
            _ => out.lost(*own, "it is longer than the target allows"),
        }
    });
}

/// Writes `Podmiot3` of who is paid (BG-10) and of who receives (BT-70).
pub(super) fn third_parties<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if let Some(payee) = invoice.payee.first().filter(|payee| payee.name.is_filled()) {
        out.group("Podmiot3", |out| {
            out.group("DaneIdentyfikacyjne", |out| {
                payee_id(out, payee);
                text(out, "Nazwa", payee.name.filled(), 512);
            });
            let reason = "who is paid for another is a factor in the target";
            out.derived("Rola", "1", payee.element, None, reason);
        });
    }
    let Some(delivery) = recipient(invoice) else { return };
    let empty = Party::new(PartyRole::DeliverTo, delivery.element);
    let party = delivery.party.first().unwrap_or(&empty);
    out.group("Podmiot3", |out| {
        out.group("DaneIdentyfikacyjne", |out| {
            let reason = "the source has no identifier of who receives";
            out.derived("BrakID", "1", party.element, None, reason);
            text(out, "Nazwa", party.name.filled(), 512);
        });
        let mut located = Party::new(PartyRole::DeliverTo, delivery.element);
        located.identifiers = delivery.location.clone();
        address(out, "Adres", &located, delivery.address.first());
        let reason = "who receives is a recipient in the target";
        out.derived("Rola", "2", party.element, None, reason);
    });
}

/// BG-13 with the name of somebody else than the buyer.
pub(super) fn recipient<'i, 'd>(invoice: &'i Invoice<'d>) -> Option<&'i DeliveryInformation<'d>> {
    let delivery = invoice.delivery.first()?;
    let name = delivery.party_name().filter(|name| !name.is_blank())?;
    let buyer = invoice.buyer.first().and_then(|buyer| buyer.name.text());
    let has_country = delivery.address.first().is_none_or(|address| address.country.is_filled());
    (has_country && buyer.as_deref() != Some(name.trimmed().as_ref())).then_some(delivery)
}

/// BT-60 and BT-61: a Polish number, else another.
fn payee_id<'d>(out: &mut InvoiceOutput<'d>, payee: &Party<'d>) {
    let polish = |id: &&Identifier<'d>| is_nip(&id.trimmed());
    if let Some(own) = payee.identifiers.iter().find(polish) {
        return out.kept("NIP", &own.trimmed(), **own);
    }
    if id(out, "NrID", payee.legal_registration.filled(), 50) {
        return;
    }
    let reason = "the source has no identifier of who is paid that is one in the target";
    out.derived("BrakID", "1", payee.element, None, reason);
}

/// Writes `PodmiotUpowazniony`: the tax representative (BG-11).
pub(super) fn representative<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(party) = invoice.tax_representative.first() else { return };
    out.group("PodmiotUpowazniony", |out| {
        out.group("DaneIdentyfikacyjne", |out| {
            if !nip(out, party) {
                let what = "the Polish number for VAT of the tax representative (BT-63)";
                out.refuse_without(party.element, what, "NIP");
            }
            if !text(out, "Nazwa", party.name.filled(), 512) {
                let what = "the name of the tax representative (BT-62)";
                out.refuse_without(party.element, what, "Nazwa");
            }
        });
        if !address(out, "Adres", party, party.address.first()) {
            let what = "a line of the address of the tax representative (BT-64)";
            out.refuse_without(party.element, what, "AdresL1");
        }
        out.constant("RolaPU", "3", &[]);
    });
}
