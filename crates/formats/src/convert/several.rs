//! Files that hold several invoices: a FatturaPA has one header and any number of bodies, each an
//! invoice of its own (FatturaPA 1.2.3, `FatturaElettronicaBody` 1..n).

use quoin_xml::tree::Element;

use crate::routing::span;

/// The invoices of one file.
#[derive(Debug, Clone)]
pub struct InvoiceFile<'d> {
    /// What stands before the invoices, with the declaration of UTF-8, and what stands behind them.
    shared: (String, &'d str),
    /// Each invoice.
    own: Vec<&'d str>,
}

impl<'d> InvoiceFile<'d> {
    /// The file at an element. A document of any syntax but FatturaPA holds one invoice: itself.
    ///
    /// `None` where the text does not end as it should.
    pub fn of(element: Element<'d>) -> Option<InvoiceFile<'d>> {
        let source = element.document().source();
        let (start, end) = span(element)?;
        let mut spans = bodies(element).map(span).collect::<Option<Vec<_>>>()?;
        if spans.is_empty() {
            spans.push((start, end));
        }
        let (first, last) = (spans.first()?.0, spans.last()?.1);
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        let before = format!("{declaration}{}", source.get(start..first)?);
        let own = spans.into_iter().map(|(from, to)| source.get(from..to));
        Some(InvoiceFile {
            shared: (before, source.get(last..end)?),
            own: own.collect::<Option<_>>()?,
        })
    }

    /// How many invoices there are, at least one.
    pub fn count(&self) -> usize {
        self.own.len()
    }

    /// One of the invoices, the first is number 1, as a document of its own in UTF-8: what all of
    /// them share, and itself. `None` where there is none of that number.
    pub fn alone(&self, number: usize) -> Option<String> {
        let own = self.own.get(number.checked_sub(1)?)?;
        let (before, after) = &self.shared;
        Some(format!("{before}{own}{after}\n"))
    }
}

/// How many invoices the document at an element holds, at least one.
pub(super) fn invoice_count(element: Element<'_>) -> usize {
    bodies(element).count().max(1)
}

fn bodies(element: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    let is_italian = element.local().starts_with("FatturaElettronica");
    let is_body =
        |own: &Element<'_>| own.local() == "FatturaElettronicaBody" && own.namespace().is_empty();
    element.elements().filter(move |own| is_italian && is_body(own))
}
