//! The official receipt (UPO): what the system signs about an invoice or a whole session.
//!
//! It is held against what we sent: signature, form, digest and number. Whether the certificate is
//! the Ministry's is a question of the environment, so it is told and not decided here.
//!
//! Source: schema UPO 4-3, and 4-2 before it, which has the same elements.

#[cfg(test)]
mod tests;

use data_encoding::BASE64;
use jiff::Timestamp;
use jiff::civil::Date;
use quoin_xml::tree::{Document, Element, Limits, ParseError};
use quoin_xmldsig::signature::SignatureError;
use quoin_xmldsig::xades;

/// The namespace of UPO 4-3.
pub const UPO_4_3: &str = "http://upo.schematy.mf.gov.pl/KSeF/v4-3";
/// What the namespaces of UPO of KSeF begin with.
const UPO_FAMILY: &str = "http://upo.schematy.mf.gov.pl/KSeF/v4-";
/// Bytes of a receipt at most that is read: one page has at most 10,000 invoices.
pub const UPO_BYTES: usize = 16 << 20;
/// Invoices of a page at most.
pub const UPO_DOCUMENTS: usize = 10_000;

/// Why a receipt cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum UpoError {
    /// No XML.
    #[error("the UPO cannot be read: {0}")]
    Xml(#[from] ParseError),
    /// Another document.
    #[error("this is no UPO of KSeF: the document element is {0}")]
    Root(String),
    /// An element is missing or has no value of its type.
    #[error("the UPO has no proper {0}")]
    Element(&'static str),
    /// It is not signed, or was changed.
    #[error("the signature of the UPO is not good: {0}")]
    Signature(#[from] SignatureError),
    /// It is about other bytes.
    #[error("the UPO is about another invoice: it has the digest {found}, ours is {expected}")]
    Digest {
        /// Of what was sent.
        expected: String,
        /// Of the receipt.
        found: String,
    },
    /// It has another number.
    #[error("the UPO is about {found}, expected {expected}")]
    Number {
        /// Of the status.
        expected: String,
        /// Of the receipt.
        found: String,
    },
    /// It is about none, or about too many.
    #[error("the UPO is about {0} invoices")]
    Documents(usize),
}

/// What it says about one invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpoDocument {
    /// `NipSprzedawcy`.
    pub seller_nip: String,
    /// `NumerKSeFDokumentu`.
    pub ksef_number: String,
    /// `NumerFaktury`.
    pub invoice_number: String,
    /// `DataWystawieniaFaktury`.
    pub issued: Date,
    /// `DataPrzeslaniaDokumentu`.
    pub sent: Timestamp,
    /// `DataNadaniaNumeruKSeF`.
    pub numbered: Timestamp,
    /// `SkrotDokumentu`: the SHA-256 of the invoice.
    pub digest: [u8; 32],
    /// `TrybWysylki`: whether the system counts it as issued without it. Receipts 4-2 do not say.
    pub offline: Option<bool>,
}

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upo {
    /// `NazwaPodmiotuPrzyjmujacego`: the Ministry, with the environment where it is no production.
    pub receiver: String,
    /// `NumerReferencyjnySesji`.
    pub session: String,
    /// The context: the element's name, as in `Nip`, and its value.
    pub context: (String, String),
    /// `OpisPotwierdzenia` of a receipt of a session: page, and of how many.
    pub page: Option<(u32, u32)>,
    /// `KodFormularza`.
    pub form: String,
    /// What it is about.
    pub documents: Vec<UpoDocument>,
    /// The certificate (DER) that signed it; none where it is not signed, as samples are.
    pub signer: Option<Vec<u8>>,
}

/// Reads a receipt; where it is signed, the signature has to be good.
///
/// # Errors
/// [`UpoError`].
pub fn read_upo(bytes: &[u8]) -> Result<Upo, UpoError> {
    let document = Document::parse(bytes, &Limits::default())?;
    let root = document.root();
    if root.local() != "Potwierdzenie" || !root.namespace().starts_with(UPO_FAMILY) {
        return Err(UpoError::Root(format!("{{{:.80}}}{:.80}", root.namespace(), root.local())));
    }
    let signed = root.child(quoin_xml::namespaces::DS, "Signature").is_some();
    let signer = if signed { Some(xades::verify(&document)?.certificate) } else { None };
    let all: Vec<_> = elements(root, "Dokument").take(UPO_DOCUMENTS + 1).collect();
    if all.is_empty() || all.len() > UPO_DOCUMENTS {
        return Err(UpoError::Documents(all.len()));
    }
    let context = child(root, "Uwierzytelnienie")
        .and_then(|part| child(part, "IdKontekstu"))
        .and_then(|part| part.elements().next())
        .ok_or(UpoError::Element("IdKontekstu"))?;
    let page = match child(root, "OpisPotwierdzenia") {
        Some(part) => {
            let number = |name| text(part, name)?.parse().map_err(|_| UpoError::Element(name));
            Some((number("Strona")?, number("LiczbaStron")?))
        }
        None => None,
    };
    Ok(Upo {
        receiver: text(root, "NazwaPodmiotuPrzyjmujacego")?,
        session: text(root, "NumerReferencyjnySesji")?,
        context: (context.local().to_owned(), context.text().trim().to_owned()),
        page,
        form: text(root, "KodFormularza")?,
        documents: all.into_iter().map(read_document).collect::<Result<_, _>>()?,
        signer,
    })
}

/// Reads the receipt of one invoice and holds it against what was sent.
///
/// # Errors
/// [`UpoError`]; a receipt that is not signed is [`SignatureError::Missing`].
pub fn check_upo(bytes: &[u8], digest: &[u8; 32], ksef_number: &str) -> Result<Upo, UpoError> {
    let upo = read_upo(bytes)?;
    if upo.signer.is_none() {
        return Err(UpoError::Signature(SignatureError::Missing("ds:Signature")));
    }
    let [document] = upo.documents.as_slice() else {
        return Err(UpoError::Documents(upo.documents.len()));
    };
    if document.digest != *digest {
        let expected = BASE64.encode(digest);
        return Err(UpoError::Digest { expected, found: BASE64.encode(&document.digest) });
    }
    if document.ksef_number != ksef_number {
        let found = document.ksef_number.clone();
        return Err(UpoError::Number { expected: ksef_number.to_owned(), found });
    }
    Ok(upo)
}

fn read_document(element: Element<'_>) -> Result<UpoDocument, UpoError> {
    fn parsed<T: std::str::FromStr>(
        element: Element<'_>,
        name: &'static str,
    ) -> Result<T, UpoError> {
        text(element, name)?.parse().map_err(|_| UpoError::Element(name))
    }
    let digest = BASE64.decode(text(element, "SkrotDokumentu")?.as_bytes()).ok();
    let digest = digest.and_then(|bytes| bytes.try_into().ok());
    Ok(UpoDocument {
        seller_nip: text(element, "NipSprzedawcy")?,
        ksef_number: text(element, "NumerKSeFDokumentu")?,
        invoice_number: text(element, "NumerFaktury")?,
        issued: parsed(element, "DataWystawieniaFaktury")?,
        sent: parsed(element, "DataPrzeslaniaDokumentu")?,
        numbered: parsed(element, "DataNadaniaNumeruKSeF")?,
        digest: digest.ok_or(UpoError::Element("SkrotDokumentu"))?,
        offline: match child(element, "TrybWysylki") {
            Some(mode) => Some(match mode.text().trim() {
                "Online" => false,
                "Offline" => true,
                _ => return Err(UpoError::Element("TrybWysylki")),
            }),
            None => None,
        },
    })
}

fn elements<'d>(parent: Element<'d>, local: &'static str) -> impl Iterator<Item = Element<'d>> {
    let namespace = parent.namespace();
    parent.elements().filter(move |one| one.is(namespace, local))
}

fn child<'d>(parent: Element<'d>, local: &'static str) -> Option<Element<'d>> {
    elements(parent, local).next()
}

fn text(parent: Element<'_>, local: &'static str) -> Result<String, UpoError> {
    let value = child(parent, local).ok_or(UpoError::Element(local))?.text().trim().to_owned();
    if value.is_empty() { Err(UpoError::Element(local)) } else { Ok(value) }
}
