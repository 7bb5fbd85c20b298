//! Reading FA(2) and FA(3): the structure by the tables, then the terms of EN 16931 as views of it,
//! one file a business group.
//!
//! Source: FA(3), form 1-0E, and the information sheet on it (Ministry of Finance).

mod document;
mod facts;
mod party;
mod payment;
mod row;
#[cfg(test)]
mod tests;
mod vat;

use quoin_model::en16931::{Amount, Derivation, Invoice, PolishHeader, PolishInvoice, ValueSource};
use quoin_xml::tree::Element;

use super::shape::FaPart;
use super::{FA_3, name};
use crate::reading::{Pass, Reading};
use crate::syntax::Syntax;

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut pass = Pass::default();
    let mut own = PolishInvoice::new(element);
    pass.open_root(element);
    for child in element.elements() {
        match name(child) {
            "Naglowek" => own.header.push(header(&mut pass, child)),
            "Podmiot1" => own.seller.take(&mut pass, child),
            "Podmiot2" => own.buyer.take(&mut pass, child),
            "Podmiot3" => own.third_parties.take(&mut pass, child),
            "PodmiotUpowazniony" => own.authorised.take(&mut pass, child),
            "Fa" => own.body.take(&mut pass, child),
            "Stopka" => own.footer.take(&mut pass, child),
            "Zalacznik" => own.attachment.take(&mut pass, child),
            _ => pass.unread(child),
        }
    }
    let mut invoice = Invoice::new(element);
    document::tell(&mut invoice, &own);
    invoice.extensions.poland = Some(Box::new(own));
    pass.reading(syntax, invoice)
}

/// `Naglowek`: of which form it is, the namespace says.
fn header<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PolishHeader<'d> {
    let mut own = PolishHeader::new(element);
    let [variant, system] = match element.namespace() == FA_3 {
        true => ["3", "FA (3)"],
        false => ["2", "FA (2)"],
    };
    pass.open(element);
    for child in element.elements() {
        let text = ValueSource::of(child);
        let is_form = || {
            let attribute = |local, wanted| {
                let mut all = child.attributes();
                all.any(|one| one.local == local && one.value == wanted)
            };
            text.is("FA")
                && attribute("kodSystemowy", system)
                && attribute("wersjaSchemy", "1-0E")
                && child.attributes().count() == 2
        };
        match name(child) {
            "KodFormularza" if is_form() => pass.regenerate(child),
            "WariantFormularza" if text.is(variant) => pass.regenerate(child),
            "DataWytworzeniaFa" => own.created_at.take(pass, child),
            "SystemInfo" => own.system.take(pass, child),
            _ => pass.unread(child),
        }
    }
    own
}

pub(super) use party::post_code;
pub(super) use row::unit_code;

/// The number with the other sign.
pub(super) fn other_sign(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(rest) => rest.to_owned(),
        None if text.bytes().all(|byte| b"0.".contains(&byte)) => text.to_owned(),
        None => format!("-{}", text.strip_prefix('+').unwrap_or(text)),
    }
}

/// An amount with the other sign where the document credits, or the row is taken back.
fn signed<'d, T: From<ValueSource<'d>>>(source: ValueSource<'d>, is_other: bool) -> T {
    let text = source.trimmed();
    match other_sign(&text) {
        other if is_other && other != text => T::from(source.saying(Derivation::Negated, other)),
        _ => T::from(source),
    }
}

fn signed_amount(amount: Amount<'_>, is_other: bool) -> Amount<'_> {
    signed(*amount, is_other)
}
