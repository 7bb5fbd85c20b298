//! The header (1): transmission, parties, and who issued the document.

use quoin_model::en16931::{
    AttributeName, Contact, Identifier, Invoice, ItalianExtensions, Party, PartyRole, ValueSource,
};

use super::super::codes::{BY_CUSTOMER, MAIL, OFFICE, RECIPIENT};
use super::general::ItalianType;
use super::{party, register, text};
use crate::writing::InvoiceOutput;

/// The code of a buyer without a code in Italy, and of one abroad.
const NO_CODE: &str = "0000000";
const ABROAD: &str = "XXXXXXX";

/// Where the document goes (1.1.3 to 1.1.6).
pub(super) struct Transmission<'d> {
    /// `FPA12` to an office of the administration, else `FPR12`.
    pub format: &'static str,
    code: Option<Identifier<'d>>,
    mail: Option<Identifier<'d>>,
}

impl<'d> Transmission<'d> {
    /// By BT-49 and its scheme; of a document of FatturaPA by what it says.
    pub(super) fn of(invoice: &Invoice<'d>, in_own_words: bool) -> Transmission<'d> {
        let italy = invoice.extensions.italy.as_deref();
        let italy = italy.filter(|_| in_own_words);
        let (code, mail) = match italy {
            Some(italy) => (italy.recipient_code.filled(), italy.recipient_mail.filled()),
            None => (endpoint(invoice, is_code), endpoint(invoice, is_mail)),
        };
        let is_office = code.is_some_and(|code| code.trimmed().len() == 6);
        let said = italy.and_then(|italy| italy.version.text());
        let format = match said.as_deref() {
            Some("FPA12") => "FPA12",
            Some(_) => "FPR12",
            None if is_office => "FPA12",
            None => "FPR12",
        };
        Transmission { format, code, mail }
    }
}

fn endpoint<'d>(
    invoice: &Invoice<'d>,
    fits: impl Fn(&str, &str) -> bool,
) -> Option<Identifier<'d>> {
    let all = invoice.buyer.first()?.endpoint.iter();
    let mut fitting = all
        .filter(|one| one.scheme().is_some_and(|scheme| fits(&scheme.trimmed(), &one.trimmed())));
    fitting.next().copied()
}

fn is_code(scheme: &str, code: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let length = match scheme {
        OFFICE => 6,
        RECIPIENT => 7,
        _ => return false,
    };
    code.len() == length && code.bytes().all(letters)
}

fn is_mail(scheme: &str, address: &str) -> bool {
    scheme == MAIL && is_plain_mail(address)
}

/// Whether an address is one of plain characters: `EmailType` allows some more.
fn is_plain_mail(address: &str) -> bool {
    let is_part = |part: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte);
        !part.is_empty()
            && part.bytes().all(plain)
            && !part.starts_with('.')
            && !part.ends_with('.')
            && !part.contains("..")
    };
    let parts = address.split_once('@');
    address.len() <= 256 && parts.is_some_and(|(own, domain)| is_part(own) && is_part(domain))
}

/// Writes the inside of `FatturaElettronicaHeader`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    to: &Transmission<'d>,
    kind: &ItalianType<'d>,
) {
    let place = invoice.element;
    out.required_group("DatiTrasmissione", |out| transmission(out, invoice, to));
    match invoice.seller.first() {
        Some(seller) => party::seller(out, invoice, seller),
        None => out.refuse_without(place, "the seller (BG-4)", "CedentePrestatore"),
    }
    if let Some(one) = invoice.tax_representative.first() {
        party::representative(out, one);
    }
    match invoice.buyer.first() {
        Some(buyer) => party::buyer(out, invoice, buyer),
        None => out.refuse_without(place, "the buyer (BG-7)", "CessionarioCommittente"),
    }
    let third = invoice.extensions.parties.iter().find(|party| is_third(party));
    if let Some(third) = third {
        party::third(out, third);
    }
    let italy = invoice.extensions.italy.as_deref();
    match italy.and_then(|italy| italy.issuer.filled()) {
        Some(issuer) => {
            text::one_code(out, "SoggettoEmittente", *issuer, 2);
        }
        None if kind.is_self_billed => out.constant("SoggettoEmittente", BY_CUSTOMER, &[]),
        None => {}
    }
}

fn is_third(party: &Party<'_>) -> bool {
    party.role == PartyRole::Other
        && party.element.local() == "TerzoIntermediarioOSoggettoEmittente"
}

fn transmission<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, to: &Transmission<'d>) {
    let empty = ItalianExtensions::new(invoice.element);
    let italy = invoice.extensions.italy.as_deref().unwrap_or(&empty);
    transmitter(out, invoice, italy);
    match italy.transmission_number.filled() {
        Some(number) if text::is_code(&number.trimmed(), 10) => {
            let words = out.words(*number);
            out.kept("ProgressivoInvio", &words, *number);
        }
        _ => {
            let number = progressive(invoice);
            let reason = "the target asks for a number of the transmission: it follows from \
                the seller, the number and the day of the document";
            out.derived("ProgressivoInvio", &number, invoice.element, None, reason);
        }
    }
    match italy.transmission_format.filled() {
        Some(format) => {
            out.text("FormatoTrasmissione", format);
        }
        None => out.constant("FormatoTrasmissione", to.format, &[]),
    }
    recipient(out, invoice, to);
    if let Some(contact) = italy.transmitter_contact.first() {
        out.group("ContattiTrasmittente", |out| {
            telephone(out, "Telefono", contact);
            mail(out, contact);
        });
    }
    if let Some(mail) = to.mail {
        let words = out.words(*mail);
        out.kept("PECDestinatario", &words, *mail);
        out.scheme_by_place(*mail, AttributeName::SchemeId);
    }
}

/// 1.1.1: who transmits; else the seller.
fn transmitter<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    italy: &ItalianExtensions<'d>,
) {
    if let Some(own) = italy.transmitter.filled()
        && register::tax_id(out, "IdTrasmittente", own)
    {
        return;
    }
    let seller = invoice.seller.first();
    let id = seller.and_then(|seller| seller.vat_identifiers().next());
    let Some((id, (country, code))) = id.and_then(|id| Some((id, register::parts(&id.trimmed())?)))
    else {
        let what = "who transmits, or the VAT identifier of the seller (BT-31)";
        return out.refuse_without(invoice.element, what, "IdTrasmittente");
    };
    let reason = "the target asks who transmits: the seller";
    out.implied("IdTrasmittente", &id.trimmed(), id.element(), None, reason);
    out.group("IdTrasmittente", |out| {
        out.constant("IdPaese", &country, &[]);
        out.constant("IdCodice", &code, &[]);
    });
}

/// 1.1.2: ten letters and digits that are the same each time, and hardly ever those of another
/// document (FNV-1a of 64 bits to the base of 36).
fn progressive(invoice: &Invoice<'_>) -> String {
    let seller = invoice.seller.first().and_then(|seller| seller.vat_identifiers().next());
    let parts = [
        seller.map(|id| id.trimmed()),
        invoice.number.text(),
        invoice.issue_date.text(),
        invoice.type_code.text(),
    ];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        let part = part.unwrap_or_default();
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let mut number = String::with_capacity(10);
    for _ in 0..10 {
        let digit = u32::try_from(hash % 36).unwrap_or_default();
        number.extend(char::from_digit(digit, 36).map(|digit| digit.to_ascii_uppercase()));
        hash /= 36;
    }
    number
}

/// 1.1.4: the code, else what stands for none.
fn recipient<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, to: &Transmission<'d>) {
    if let Some(code) = to.code {
        let words = out.words(*code);
        out.kept("CodiceDestinatario", &words, *code);
        return out.scheme_by_place(*code, AttributeName::SchemeId);
    }
    let buyer = invoice.buyer.first();
    let country = buyer.and_then(|buyer| buyer.country()).map(|code| code.trimmed());
    let place = buyer.map_or(invoice.element, |buyer| buyer.element);
    let (code, reason) = match country.as_deref() {
        Some("IT") | None => (NO_CODE, "the buyer has no code of the exchange system"),
        _ => (ABROAD, "the buyer is abroad, where there are no codes of the exchange system"),
    };
    out.derived("CodiceDestinatario", code, place, None, reason);
}

/// A telephone or fax number, without blanks where it is too long with them.
pub(super) fn telephone<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    contact: &Contact<'d>,
) {
    let field = if name == "Fax" { &contact.telefax } else { &contact.telephone };
    let Some(number) = field.filled() else { return };
    number_of(out, name, *number);
}

fn number_of<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, source: ValueSource<'d>) {
    let words = out.words(source);
    let compact: String = words.split_whitespace().collect();
    let fits = |text: &str| text.len() >= 5 && text::is_code(text, 12);
    let reason = "a telephone number has 5 to 12 characters in the target";
    match [words.as_ref(), compact.as_str()].into_iter().find(|text| fits(text)) {
        Some(text) if text == words => out.kept(name, text, source),
        Some(text) => out.changed(name, text, source, reason),
        None => out.lost(source, reason),
    }
}

/// An address of mail: something, `@`, something with a point in it.
pub(super) fn mail<'d>(out: &mut InvoiceOutput<'d>, contact: &Contact<'d>) {
    let Some(address) = contact.email.filled() else { return };
    let fits = |text: &str| {
        let domain = text.split_once('@').filter(|(own, _)| !own.is_empty());
        let inner = domain.map(|(_, domain)| domain.trim_matches('.'));
        let length = text.chars().count();
        (7..=256).contains(&length)
            && inner.is_some_and(|inner| inner.contains('.'))
            && domain.is_some_and(|(_, domain)| domain.len() == inner.map_or(0, str::len))
    };
    text::code_that(out, "Email", *address, fits);
}
