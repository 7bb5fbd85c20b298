//! Reading the JSON form: the tree that is made of its text becomes an invoice.

use quoin_model::en16931::{Amount, AttributeName, Invoice, Root};
use quoin_xml::tree::{Document, Element, Limits, ParseError, ParseErrorKind, Position};

use super::form::{Form, MEMBERS};
use super::markup::{JsonWalk, NAMESPACE, ROOT};
use crate::reading::{Pass, Reading};

/// The tree of a JSON text that is an invoice of this form.
///
/// # Errors
/// [`ParseError`] with what was expected and found and where, as a JSON pointer, and the line of
/// the text: no JSON, a member that is said twice, a value of another type than the form has,
/// objects too deep, or more than the limits allow.
pub(crate) fn tree(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    let failed = |kind| ParseError { kind, position: Position { line: 1, column: 1 } };
    if bytes.len() > limits.bytes {
        return Err(failed(ParseErrorKind::TooLarge(limits.bytes)));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes);
    let text = text.map_err(|_| failed(ParseErrorKind::Encoding("UTF-8".to_owned())))?;
    let markup = JsonWalk::of(text, MEMBERS, limits.bytes)?;
    Document::parse(markup.as_bytes(), limits)
}

/// The document element of such a tree.
pub(super) fn root(namespace: &str, local: &str) -> Option<Root> {
    ((namespace, local) == (NAMESPACE, ROOT)).then_some(Root::JsonObject)
}

/// Reads the document element.
pub(super) fn read(element: Element<'_>) -> Reading<'_> {
    let mut pass = Pass::default();
    let mut invoice = Invoice::new(Root::JsonObject, element);
    pass.open_root(element);
    for child in element.elements() {
        if !invoice.take(&mut pass, child.local(), child) {
            pass.unread(child);
        }
    }
    tax_currencies(&mut invoice);
    pass.reading(invoice)
}

/// Of a total of tax the name says in which currency it is.
fn tax_currencies<'d>(invoice: &mut Invoice<'d>) {
    let (own, of_tax) = (invoice.currency.get(), invoice.tax_currency.get());
    for total in &mut invoice.tax_totals {
        let is_own = total.element.local() == "vat";
        let Some(currency) = (if is_own { own } else { of_tax }) else { continue };
        let with = |amount: &Amount<'d>| {
            Amount::from(amount.with(&[(AttributeName::CurrencyId, *currency)]))
        };
        total.amount = total.amount.iter().map(with).collect();
    }
}
