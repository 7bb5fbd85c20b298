//! Reading cXML 1.2 `InvoiceDetailRequest`, one file a business group.
//!
//! Source: cXML 1.2 `InvoiceDetail.dtd` and the user's guide.

pub(super) mod adjustment;
mod header;
pub(super) mod item;
mod order;
pub(super) mod party;
mod summary;
mod tax;
#[cfg(test)]
mod tests;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Amount, AttributeName, Derivation, Field, Invoice, Quantity, ValueSource, ValueType,
};
use quoin_xml::tree::Element;

use super::codes::CREDITS;
use crate::reading::{DocumentLeaf, Pass, Reading, negated};
use crate::syntax::Syntax;
use crate::writing::{XML, is_language};

/// One walk over a document.
#[derive(Default)]
pub(super) struct CxmlWalk<'d> {
    pub(super) pass: Pass<'d>,
    /// Whether amounts and quantities have the other sign: a credit note whose total is negative.
    is_negated: bool,
}

/// The request of a document; `None` where it is another message of cXML, or one that takes an
/// invoice back.
pub(super) fn request(element: Element<'_>) -> Option<Element<'_>> {
    let mut requests = element.elements().filter(|child| child.local() == "Request");
    let request = requests.find_map(|request| child(request, "InvoiceDetailRequest"))?;
    let header = child(request, "InvoiceDetailRequestHeader");
    let operation = header.and_then(|header| header.attribute("operation"));
    (operation != Some("delete")).then_some(request)
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut walk = CxmlWalk::default();
    let mut invoice = Invoice::new(element);
    walk.is_negated = request(element).is_some_and(is_negative_credit);
    envelope(&mut walk, &mut invoice, element);
    header::finish(&mut invoice);
    walk.pass.reading(syntax, invoice)
}

/// What carries the message is no content: who sends it to whom, with which secret.
fn envelope<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let own = DocumentLeaf::attribute_of;
    walk.pass.regenerated.extend(element.attributes().map(|one| own(element, one)));
    for child in element.elements() {
        match child.local() {
            "Header" => walk.pass.regenerate(child),
            "Request" => {
                open(&mut walk.pass, child, &["deploymentMode"]);
                if let Some(mode) = ValueSource::attribute_called(child, "", "deploymentMode") {
                    let test = crate::reading::mapped(mode, super::codes::MODES);
                    invoice.extensions.test.push(test);
                }
                for inner in child.elements() {
                    match inner.local() {
                        "InvoiceDetailRequest" => invoice_request(walk, invoice, inner),
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            _ => walk.pass.unread(child),
        }
    }
    text(&mut walk.pass, element);
}

fn invoice_request<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    walk.pass.open(element);
    for child in element.elements() {
        match child.local() {
            "InvoiceDetailRequestHeader" => header::read(walk, invoice, child),
            "InvoiceDetailOrder" => order::read(walk, invoice, child),
            "InvoiceDetailSummary" => summary::read(walk, invoice, child),
            _ => walk.pass.unread(child),
        }
    }
}

/// Whether the purpose is to credit, and the first total that says something is negative.
fn is_negative_credit(request: Element<'_>) -> bool {
    let header = child(request, "InvoiceDetailRequestHeader");
    let purpose = header.and_then(|header| header.attribute("purpose")).unwrap_or_default();
    let summary = child(request, "InvoiceDetailSummary").filter(|_| CREDITS.contains(&purpose));
    let totals = ["NetAmount", "DueAmount", "SubtotalAmount"].into_iter();
    let mut amounts = totals
        .filter_map(|name| child(child(summary?, name)?, "Money"))
        .filter_map(|money| Decimal::parse(money.text().trim()).ok());
    amounts.find(|amount| !amount.is_zero()).is_some_and(Decimal::is_negative)
}

/// The first child element of a name.
pub(super) fn child<'d>(element: Element<'d>, name: &str) -> Option<Element<'d>> {
    element.elements().find(|child| child.local() == name)
}

/// Begins a group of which these attributes are read.
pub(super) fn open<'d>(pass: &mut Pass<'d>, element: Element<'d>, known: &[&str]) {
    for attribute in element.attributes() {
        let one = DocumentLeaf::attribute_of(element, attribute);
        match attribute.namespace {
            "" if known.contains(&attribute.local) => pass.read += 1,
            XML if is_content(pass, element, attribute.value) => pass.read += 1,
            XML => pass.regenerated.push(one),
            _ => pass.residue.push(one),
        }
    }
    text(pass, element);
}

/// Whether the language of an element is content: that of its text, where somebody says it. The
/// definition asks for one of every text.
fn is_content(pass: &Pass<'_>, element: Element<'_>, language: &str) -> bool {
    let has_text = matches!(crate::reading::leaf(element), crate::reading::LeafKind::Text);
    pass.has_languages && has_text && is_language(language)
}

/// The own text of a group is in no term. Without anything inside, the group is a leaf, and read.
pub(super) fn text<'d>(pass: &mut Pass<'d>, element: Element<'d>) {
    match crate::reading::leaf(element) {
        crate::reading::LeafKind::Branch => {}
        crate::reading::LeafKind::Empty => pass.read += 1,
        crate::reading::LeafKind::Text => pass.residue.push(DocumentLeaf::text_of(element)),
    }
}

/// The value of an attribute of a group that was opened with it.
pub(super) fn at<'d, T: ValueType<'d>>(element: Element<'d>, name: &str) -> Option<T> {
    ValueSource::attribute_called(element, "", name).map(T::from)
}

/// Puts an attribute in a field.
pub(super) fn take_at<'d, T: ValueType<'d>>(
    field: &mut Field<T>,
    element: Element<'d>,
    name: &str,
) {
    field.extend(at::<T>(element, name));
}

/// Reads the text of an element with these attributes.
pub(super) fn value<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
    known: &[&str],
) -> T {
    let lang = element.attributes().filter(|one| one.namespace == XML);
    let lang = lang.filter(|one| !(T::IS_TEXT && is_content(pass, element, one.value)));
    let lang: Vec<_> = lang.map(|one| DocumentLeaf::attribute_of(element, one)).collect();
    let value = pass.value_of(element, |one| {
        one.namespace == XML || one.namespace.is_empty() && known.contains(&one.local)
    });
    // A language that is no content was counted as read, and is made anew.
    pass.read = pass.read.saturating_sub(lang.len());
    pass.regenerated.extend(lang);
    value
}

/// Reads a text into a field.
pub(super) fn take<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    field: &mut Field<T>,
    element: Element<'d>,
) {
    field.push(value(pass, element, &[]));
}

impl<'d> CxmlWalk<'d> {
    /// A number with the sign that the model has.
    fn signed(&self, source: ValueSource<'d>) -> ValueSource<'d> {
        let text = source.trimmed();
        match self.is_negated && !text.is_empty() {
            true => source.saying(Derivation::Negated, negated(&text)),
            false => source,
        }
    }

    /// Reads `Money`: an amount with its currency.
    pub(super) fn money(&mut self, element: Element<'d>) -> Amount<'d> {
        self.money_of(element, &[])
    }

    /// As [`CxmlWalk::money`], of which these attributes are read besides.
    fn money_of(&mut self, element: Element<'d>, more: &[&str]) -> Amount<'d> {
        let known: Vec<&str> = more.iter().copied().chain(["currency"]).collect();
        let own: Amount<'d> = value(&mut self.pass, element, &known);
        let currency = ValueSource::attribute_called(element, "", "currency");
        let signed = self.signed(*own);
        Amount::from(match currency {
            Some(currency) => signed.with(&[(AttributeName::CurrencyId, currency)]),
            None => signed,
        })
    }

    /// Reads a group that is an amount.
    pub(super) fn amount(&mut self, field: &mut Field<Amount<'d>>, element: Element<'d>) {
        open(&mut self.pass, element, &[]);
        for child in element.elements() {
            match child.local() {
                "Money" => {
                    let money = self.money(child);
                    field.push(money);
                }
                _ => self.pass.unread(child),
            }
        }
    }

    /// A quantity that is an attribute, with the unit in an element.
    pub(super) fn quantity(
        &self,
        element: Element<'d>,
        unit: Option<ValueSource<'d>>,
        is_signed: bool,
    ) -> Option<Quantity<'d>> {
        let source = ValueSource::attribute_called(element, "", "quantity")?;
        let source = if is_signed { self.signed(source) } else { source };
        Some(Quantity::from(match unit {
            Some(unit) => source.with(&[(AttributeName::UnitCode, unit)]),
            None => source,
        }))
    }
}
