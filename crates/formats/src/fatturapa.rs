//! FatturaPA, the invoice of Italy: its formats, its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod formats;
mod read;
#[cfg(test)]
mod tests;
mod write;

use quoin_model::en16931::{Identifier, Invoice, ValueSource};
use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::Syntax;

pub(crate) use formats::SYNTAX;
pub(crate) use write::WRITER;

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: Some(read::read_bodies),
    #[cfg(test)]
    proof: Some(&tests::PROOF),
};

/// The ordinary invoice and the simplified one, of every version: their elements below the
/// document element are in no namespace and have kept their names since 1.0.
fn syntax(element: Element<'_>) -> Option<Syntax> {
    let namespace = element.namespace();
    let current = namespace.starts_with(formats::FATTURE);
    match element.local() {
        "FatturaElettronica" if current || namespace.starts_with(formats::FATTURE_1) => {
            Some(Syntax::FatturaPa)
        }
        "FatturaElettronicaSemplificata" if current => Some(Syntax::FatturaPaSimplified),
        _ => None,
    }
}

/// What an invoice says of its transmission and not of itself: the form, who transmits and under
/// which number, and a recipient code that stands for none. Every transmission makes them anew.
pub(crate) fn envelope<'d>(invoice: &Invoice<'d>) -> Vec<ValueSource<'d>> {
    let Some(italy) = invoice.extensions.italy.as_deref() else { return Vec::new() };
    let forms = italy.version.iter().chain(&italy.transmission_format).map(|code| **code);
    let is_none = |code: &&Identifier<'d>| codes::NO_RECIPIENT.iter().any(|none| code.is(none));
    let codes = italy.recipient_code.iter().filter(is_none);
    let ids = italy.transmitter.iter().chain(&italy.transmission_number).chain(codes);
    forms.chain(ids.map(|id| **id)).collect()
}

/// `SoggettoEmittente` where BT-3 says it: the customer issues the invoice for the seller.
pub(crate) fn issuer<'d>(invoice: &Invoice<'d>) -> Option<ValueSource<'d>> {
    let issuer = invoice.extensions.italy.as_deref()?.issuer.filled()?;
    let is_said = codes::SELF_BILLED.iter().any(|(_, own)| invoice.type_code.is(own));
    (is_said && issuer.is(codes::BY_CUSTOMER)).then_some(*issuer)
}
