//! Documents of our own making, for the lab, the benches and the tests of every room.
//!
//! The functions write valid documents for any two parties; the files in `samples/` are what they
//! write for the parties below, and broken ones, each named after the finding it must give.

use std::fmt::Write;

use quoin_xml::write::escape_text;

mod france;
#[cfg(test)]
mod tests;

pub use france::{FrenchBuyer, french_invoice};

/// The party that sends, in the files of `samples/`.
pub const SENDER: &str = "0106:12345678";
/// The party that receives, in the files of `samples/`.
pub const RECEIVER: &str = "0106:87654321";

/// A Peppol BIS Billing 3 invoice with two lines.
pub const INVOICE: &str = include_str!("../samples/bis3-invoice.xml");
/// A Peppol BIS Billing 3 credit note with two lines.
pub const CREDIT_NOTE: &str = include_str!("../samples/bis3-credit-note.xml");
/// An NLCIUS invoice.
pub const NLCIUS_INVOICE: &str = include_str!("../samples/nlcius-invoice.xml");
/// A Peppol BIS Billing 3 invoice with 16 lines, about 20 kB: the yardstick of the benches.
pub const INVOICE_16_LINES: &str = include_str!("../samples/bis3-invoice-16-lines.xml");
/// A Peppol BIS Self-Billing 3 invoice: [`SENDER`] is the buyer.
pub const SELF_BILLED_INVOICE: &str = include_str!("../samples/bis3-self-billed-invoice.xml");
/// A Peppol BIS Self-Billing 3 credit note: [`SENDER`] is the buyer.
pub const SELF_BILLED_CREDIT_NOTE: &str =
    include_str!("../samples/bis3-self-billed-credit-note.xml");
/// An EN 16931 invoice in CII without electronic addresses, as hybrid files hold one.
pub const CII_INVOICE: &str = include_str!("../samples/cii-invoice.xml");

/// Which document to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleKind {
    /// Peppol BIS Billing 3, invoice (380).
    Invoice,
    /// Peppol BIS Billing 3, credit note (381).
    CreditNote,
    /// NLCIUS, invoice (380).
    Nlcius,
    /// Peppol BIS Self-Billing 3, invoice (389): the sender is the buyer.
    SelfBilledInvoice,
    /// Peppol BIS Self-Billing 3, credit note (261): the sender is the buyer.
    SelfBilledCreditNote,
}

/// A Peppol BIS Billing 3 invoice with two lines. Parties are written `0106:12345678`.
pub fn invoice(sender: &str, receiver: &str, number: &str) -> String {
    document(SampleKind::Invoice, sender, receiver, number, 2)
}

/// Any of the documents, with as many lines as wanted (at least one).
pub fn document(
    kind: SampleKind,
    sender: &str,
    receiver: &str,
    number: &str,
    lines: usize,
) -> String {
    let shape = SampleTraits::of(kind);
    let (seller, buyer) = if shape.self_billed { (receiver, sender) } else { (sender, receiver) };
    let lines = lines.max(1);
    let net: u64 = (1..=lines as u64).map(|line| SampleLine::numbered(line).net()).sum();
    let vat = (net * VAT_PERCENT + 50) / 100;
    let mut out = String::with_capacity(4_000 + lines * 1_000);
    head(&mut out, &shape, number);
    party(&mut out, "AccountingSupplierParty", seller, &SELLER);
    party(&mut out, "AccountingCustomerParty", buyer, &BUYER);
    let code = if shape.root == "Invoice" { "30" } else { "58" };
    let _ = write!(out, include_str!("samples/payment.txt"), code = code);
    let (net_text, vat_text) = (money(net), money(vat));
    let gross = money(net + vat);
    let _ = write!(
        out,
        include_str!("samples/totals.txt"),
        net = net_text,
        vat = vat_text,
        gross = gross,
        percent = VAT_PERCENT
    );
    for number in 1..=lines as u64 {
        SampleLine::numbered(number).write(&mut out, &shape);
    }
    let _ = writeln!(out, "</{}>", shape.root);
    out
}

const VAT_PERCENT: u64 = 21;

/// What differs between the kinds.
struct SampleTraits {
    root: &'static str,
    customization: &'static str,
    process: &'static str,
    type_code: &'static str,
    self_billed: bool,
}

impl SampleTraits {
    fn of(kind: SampleKind) -> SampleTraits {
        const BILLING: [&str; 2] = [
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
            "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
        ];
        const SELF_BILLING: [&str; 2] = [
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0",
            "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0",
        ];
        const NLCIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
        let (root, [customization, process], type_code, self_billed) = match kind {
            SampleKind::Invoice => ("Invoice", BILLING, "380", false),
            SampleKind::CreditNote => ("CreditNote", BILLING, "381", false),
            SampleKind::Nlcius => ("Invoice", [NLCIUS, BILLING[1]], "380", false),
            SampleKind::SelfBilledInvoice => ("Invoice", SELF_BILLING, "389", true),
            SampleKind::SelfBilledCreditNote => ("CreditNote", SELF_BILLING, "261", true),
        };
        SampleTraits { root, customization, process, type_code, self_billed }
    }
}

/// The record of a party, besides its electronic address.
struct SampleParty {
    name: &'static str,
    street: &'static str,
    city: &'static str,
    zone: &'static str,
    vat: &'static str,
    register: &'static str,
}

const SELLER: SampleParty = SampleParty {
    name: "Hoeksteen Bouwadvies B.V.",
    street: "Keizersgracht 100",
    city: "Amsterdam",
    zone: "1015 CS",
    vat: "NL123456782B90",
    register: "12345678",
};

const BUYER: SampleParty = SampleParty {
    name: "De Gevel & Zonen N.V.",
    street: "Stationsplein 1",
    city: "Utrecht",
    zone: "3511 ED",
    vat: "NL876543214B01",
    register: "87654321",
};

/// The invoice that a credit note is about.
const PRECEDING: &str = "  <cac:BillingReference>
    <cac:InvoiceDocumentReference>
      <cbc:ID>F2026-0001</cbc:ID>
    </cac:InvoiceDocumentReference>
  </cac:BillingReference>
";

fn head(out: &mut String, shape: &SampleTraits, number: &str) {
    let due = match shape.root {
        "Invoice" => "  <cbc:DueDate>2026-06-14</cbc:DueDate>\n",
        _ => "",
    };
    let _ = write!(
        out,
        include_str!("samples/head.txt"),
        root = shape.root,
        customization = shape.customization,
        process = shape.process,
        number = escaped(number),
        due = due,
        code = shape.type_code,
        preceding = if shape.root == "Invoice" { "" } else { PRECEDING }
    );
}

fn party(out: &mut String, role: &str, id: &str, record: &SampleParty) {
    let (scheme, value) = id.split_once(':').unwrap_or(("0106", id));
    let register = if scheme == "0106" { value } else { record.register };
    let _ = write!(
        out,
        include_str!("samples/party.txt"),
        role = role,
        scheme = escaped(scheme),
        value = escaped(value),
        name = escaped(record.name),
        street = record.street,
        city = record.city,
        zone = record.zone,
        vat = record.vat,
        register = escaped(register)
    );
}

/// A line: its number decides its item, quantity and price.
struct SampleLine {
    number: u64,
    quantity: u64,
    price: u64,
    item: &'static str,
}

impl SampleLine {
    #[expect(clippy::indexing_slicing, reason = "a number modulo the length")]
    fn numbered(number: u64) -> SampleLine {
        const ITEMS: [&str; 4] =
            ["Natural stone sill", "Window frame, oak", "Lime mortar, 25 kg", "Site survey"];
        let item = ITEMS[(number % 4) as usize];
        SampleLine { number, quantity: number % 5 + 1, price: 1_250 + number % 97 * 37, item }
    }

    /// In cents.
    fn net(&self) -> u64 {
        self.quantity * self.price
    }

    fn write(&self, out: &mut String, shape: &SampleTraits) {
        let quantity = if shape.root == "Invoice" { "Invoiced" } else { "Credited" };
        let _ = write!(
            out,
            include_str!("samples/line.txt"),
            line = shape.root,
            number = self.number,
            quantity_name = quantity,
            quantity = self.quantity,
            net = money(self.net()),
            item = self.item,
            percent = VAT_PERCENT,
            price = money(self.price)
        );
    }
}

/// Cents as an amount: `12.50`.
fn money(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    escape_text(text, &mut out);
    out.replace('"', "&quot;")
}

/// Of which country to write an invoice in PINT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PintSample {
    /// PINT billing of the United Arab Emirates.
    Emirates,
    /// PINT billing of Oman.
    Oman,
}

/// An invoice in PINT with one line. Its identifier (BTAE-07, BTOM-002) is made of its number.
pub fn pint_invoice(country: PintSample, sender: &str, receiver: &str, number: &str) -> String {
    // Oman asks for a UUID of version 5.
    let (text, version) = match country {
        PintSample::Emirates => (include_str!("samples/pint-ae.txt"), 4),
        PintSample::Oman => (include_str!("samples/pint-om.txt"), 5),
    };
    let uuid = &uuid_of(number, version);
    let (from_scheme, from) = sender.split_once(':').unwrap_or(("", sender));
    let (to_scheme, to) = receiver.split_once(':').unwrap_or(("", receiver));
    let places = [
        ("{number}", number),
        ("{uuid}", uuid),
        ("{from_scheme}", from_scheme),
        ("{from}", from),
        ("{to_scheme}", to_scheme),
        ("{to}", to),
    ];
    let filled = |text: String, (place, value): (&str, &str)| text.replace(place, &escaped(value));
    places.into_iter().fold(text.to_owned(), filled)
}

/// A UUID of a version that is another one for each text (FNV-1a; it is no secret and no name).
fn uuid_of(text: &str, version: u128) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = text.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    let bits = hash & !(0xf << 76) & !(0x3 << 62) | version << 76 | 0x2 << 62;
    let hex = format!("{bits:032x}");
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| hex.get(part).unwrap_or_default());
    parts.join("-")
}

/// A Peppol BIS Ordering 3 order with two lines.
pub fn order(sender: &str, receiver: &str, number: &str) -> String {
    let party = |id: &str, record: &SampleParty| {
        let (scheme, value) = id.split_once(':').unwrap_or(("", id));
        let (mut name, mut text) = (String::new(), String::new());
        escape_text(record.name, &mut name);
        escape_text(value, &mut text);
        format!(
            "<cac:Party><cbc:EndpointID schemeID=\"{scheme}\">{text}</cbc:EndpointID>\
             <cac:PartyName><cbc:Name>{name}</cbc:Name></cac:PartyName><cac:PostalAddress>\
             <cac:Country><cbc:IdentificationCode>NL</cbc:IdentificationCode></cac:Country>\
             </cac:PostalAddress><cac:PartyLegalEntity><cbc:RegistrationName>{name}\
             </cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>"
        )
    };
    let line = |id: u32, item: &str| {
        format!(
            "<cac:OrderLine><cac:LineItem><cbc:ID>{id}</cbc:ID>\
             <cbc:Quantity unitCode=\"C62\">10</cbc:Quantity><cac:Item><cbc:Name>{item}</cbc:Name>\
             </cac:Item></cac:LineItem></cac:OrderLine>"
        )
    };
    let mut id = String::new();
    escape_text(number, &mut id);
    let name = "urn:oasis:names:specification:ubl:schema:xsd";
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Order xmlns=\"{name}:Order-2\" \
         xmlns:cac=\"{name}:CommonAggregateComponents-2\" \
         xmlns:cbc=\"{name}:CommonBasicComponents-2\"><cbc:CustomizationID>\
         urn:fdc:peppol.eu:poacc:trns:order:3</cbc:CustomizationID><cbc:ProfileID>\
         urn:fdc:peppol.eu:poacc:bis:ordering:3</cbc:ProfileID><cbc:ID>{id}</cbc:ID>\
         <cbc:IssueDate>2026-05-20</cbc:IssueDate>\
         <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>\
         <cac:ValidityPeriod><cbc:EndDate>2026-12-31</cbc:EndDate></cac:ValidityPeriod>\
         <cac:BuyerCustomerParty>{}</cac:BuyerCustomerParty>\
         <cac:SellerSupplierParty>{}</cac:SellerSupplierParty>{}{}</Order>\n",
        party(sender, &BUYER),
        party(receiver, &SELLER),
        line(1, "Screws"),
        line(2, "Nails")
    )
}
