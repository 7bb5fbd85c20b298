//! Reading the JSON form: the tree that is made of its text becomes an invoice.

use quoin_model::en16931::{Amount, AttributeName, Invoice};
use quoin_xml::tree::{Document, Element, Limits, ParseError, ParseErrorKind, Position};

use super::form::{Form, MEMBERS};
use super::markup::{JsonWalk, NAMESPACE, ROOT};
use super::pointer;
use crate::reading::{Pass, Reading};
use crate::syntax::Syntax;
use crate::writing::Loss;

/// The member that is BT-111.
const IN_TAX_CURRENCY: &str = "vatInTaxCurrency";
const NO_TAX_CURRENCY: &str = "it is in the currency of VAT accounting (BT-6, taxCurrency), and \
                               the invoice names none beside its own";

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

/// Of the document element of such a tree.
pub(super) fn syntax(element: Element<'_>) -> Option<Syntax> {
    let is_invoice = (element.namespace(), element.local()) == (NAMESPACE, ROOT);
    is_invoice.then_some(Syntax::InvoiceJson)
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut pass = Pass::default();
    let mut invoice = Invoice::new(element);
    pass.open_root(element);
    for child in element.elements() {
        if !invoice.take(&mut pass, child.local(), child) {
            pass.unread(child);
        }
    }
    tax_currencies(&mut invoice);
    totals_of_none(&mut invoice, &mut pass);
    pass.reading(syntax, invoice)
}

/// Where the invoice has no currency of VAT accounting of its own (BT-6), a total in it (BT-111)
/// stays unread: it is the VAT of the invoice (BT-110) in no currency that anybody knows.
fn totals_of_none<'d>(invoice: &mut Invoice<'d>, pass: &mut Pass<'d>) {
    let of_tax = invoice.tax_currency.text();
    if of_tax.is_some() && of_tax != invoice.currency.text() {
        return;
    }
    invoice.tax_totals.retain(|total| {
        let is_own = total.element.local() != IN_TAX_CURRENCY;
        if !is_own {
            pass.read = pass.read.saturating_sub(total.amount.iter().count());
            pass.unread(total.element);
        }
        is_own
    });
}

/// Tells of losses of the form where they are: as JSON pointers. The total in the currency of VAT
/// accounting is told by its term, whether it was read or not.
pub(crate) fn told(losses: &mut [Loss]) {
    for loss in losses {
        loss.source_path = pointer::of_path(&loss.source_path);
        if loss.term.is_none() && loss.source_path == format!("/totals/{IN_TAX_CURRENCY}") {
            loss.term = Some("BT-111");
            loss.reason = NO_TAX_CURRENCY;
        }
    }
}

/// Of a total of tax the name says in which currency it is.
fn tax_currencies<'d>(invoice: &mut Invoice<'d>) {
    let (own, of_tax) = (invoice.currency.get(), invoice.tax_currency.get());
    for total in &mut invoice.tax_totals {
        let is_own = total.element.local() != IN_TAX_CURRENCY;
        let Some(currency) = (if is_own { own } else { of_tax }) else { continue };
        let with = |amount: &Amount<'d>| {
            Amount::from(amount.with(&[(AttributeName::CurrencyId, *currency)]))
        };
        total.amount = total.amount.iter().map(with).collect();
    }
}
