//! What the system reads of an invoice, and what it refuses a file for.
//!
//! Source: documentation of KSeF, "weryfikacja faktury".

use jiff::civil::Date;
use quoin_xml::tree::{Document, Element, Limits};

/// The namespace of FA(3).
const FA_3: &str = "http://crd.gov.pl/wzor/2025/06/25/13775/";

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadInvoice {
    pub(super) seller_nip: String,
    pub(super) seller_name: Option<String>,
    pub(super) buyer_nip: Option<String>,
    pub(super) buyer_name: Option<String>,
    /// The NIP of each `Podmiot3`.
    pub(super) third_nips: Vec<String>,
    /// The NIP of `PodmiotUpowazniony`.
    pub(super) authorised_nip: Option<String>,
    pub(super) issued: Date,
    pub(super) number: String,
    pub(super) kind: String,
    pub(super) currency: String,
    pub(super) total: String,
    pub(super) is_self_invoicing: bool,
    pub(super) has_attachment: bool,
}

impl ReadInvoice {
    /// Whether somebody is named in it as this.
    pub(super) fn names(&self, nip: &str, subject: &str) -> bool {
        match subject {
            "Subject1" => self.seller_nip == nip,
            "Subject2" => self.buyer_nip.as_deref() == Some(nip),
            "Subject3" => self.third_nips.iter().any(|own| own == nip),
            "SubjectAuthorized" => self.authorised_nip.as_deref() == Some(nip),
            _ => false,
        }
    }

    /// Whether somebody is named in it as anything.
    pub(super) fn is_seen_by(&self, nip: &str) -> bool {
        let all = ["Subject1", "Subject2", "Subject3", "SubjectAuthorized"];
        all.into_iter().any(|subject| self.names(nip, subject))
    }
}

/// Reads an invoice.
///
/// # Errors
/// The detail of the status 430.
pub(super) fn read_invoice(xml: &[u8]) -> Result<ReadInvoice, String> {
    if xml.starts_with(&[0xEF, 0xBB, 0xBF]) {
        return Err("Plik nie może zawierać znacznika BOM.".to_owned());
    }
    if std::str::from_utf8(xml).is_err() {
        return Err("Nieprawidłowe kodowanie znaków: wymagane UTF-8.".to_owned());
    }
    let document = Document::parse(xml, &Limits::default())
        .map_err(|error| format!("Dokument nie jest poprawnym XML: {error}"))?;
    let root = document.root();
    if !root.is(FA_3, "Faktura") {
        return Err("Dokument nie jest zgodny ze schemą FA(3).".to_owned());
    }
    let missing = |name: &str| format!("Dokument nie jest zgodny ze schemą: brak elementu {name}.");
    let child = |parent: Element<'_>, name: &str| -> Result<String, String> {
        let found = parent.child(FA_3, name).ok_or_else(|| missing(name))?;
        Ok(found.text().trim().to_owned())
    };
    for name in ["Naglowek", "Podmiot1", "Podmiot2", "Fa"] {
        root.child(FA_3, name).ok_or_else(|| missing(name))?;
    }
    let party = |name: &str| {
        let party = root.child(FA_3, name).ok_or_else(|| missing(name))?;
        party.child(FA_3, "DaneIdentyfikacyjne").ok_or_else(|| missing("DaneIdentyfikacyjne"))
    };
    let (seller, buyer) = (party("Podmiot1")?, party("Podmiot2")?);
    let nip = |party: Element<'_>| {
        let who = party.child(FA_3, "DaneIdentyfikacyjne")?;
        Some(who.child(FA_3, "NIP")?.text().trim().to_owned())
    };
    let thirds = root.elements().filter(|one| one.is(FA_3, "Podmiot3")).filter_map(nip);
    let fa = root.child(FA_3, "Fa").ok_or_else(|| missing("Fa"))?;
    let notes = fa.child(FA_3, "Adnotacje").ok_or_else(|| missing("Adnotacje"))?;
    let issued = child(fa, "P_1")?;
    Ok(ReadInvoice {
        seller_nip: child(seller, "NIP")?,
        seller_name: child(seller, "Nazwa").ok(),
        buyer_nip: child(buyer, "NIP").ok(),
        buyer_name: child(buyer, "Nazwa").ok(),
        third_nips: thirds.collect(),
        authorised_nip: root.child(FA_3, "PodmiotUpowazniony").and_then(nip),
        issued: issued.parse().map_err(|_| missing("P_1"))?,
        number: child(fa, "P_2")?,
        kind: child(fa, "RodzajFaktury")?,
        currency: child(fa, "KodWaluty")?,
        total: child(fa, "P_15")?,
        is_self_invoicing: child(notes, "P_17")? == "1",
        has_attachment: root.child(FA_3, "Zalacznik").is_some(),
    })
}
