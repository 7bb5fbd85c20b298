//! The rows of a report: which elements of the invoice are told, in the order of the report, with
//! which attributes.

use std::borrow::Cow;

use quoin_formats::ubl::{CAC, CBC, basic};
use quoin_xml::tree::Element;

use super::markup::Markup;
use crate::assumed::{BETWEEN_NOTES, GROSS_IS_NET_WITHOUT_DISCOUNT};
use crate::regime::{PREFIX, Regime, RegimeRow};
use crate::terms::{InvoiceTerms, currency_of, is_vat, said};

/// One element of a report.
pub(super) struct ElementRow {
    /// The names of the element in an invoice and in a credit note.
    pub(super) from: &'static [&'static str],
    /// Its prefix and name in the report.
    pub(super) to: (&'static str, &'static str),
    /// How many of them are told at most; of several that are told in one, any number.
    pub(super) most: usize,
    pub(super) content: ElementContent,
    pub(super) when: When,
    /// A group that stays where the invoice has it and nothing of it is told.
    pub(super) kept: bool,
}

pub(super) enum ElementContent {
    /// A text with these attributes.
    Text(&'static [&'static str]),
    /// An amount with its currency, which is obligatory: `0` where it is missing.
    Amount,
    /// All texts of the name, in one.
    Texts,
    /// Elements.
    Group(&'static [ElementRow]),
    /// The gross price of a line (BT-148), which is the net price where nothing else is told.
    GrossPrice,
    /// What is given and not in the invoice: TDT-017, or the specification of an extract.
    Given,
    /// BT-23, else the process in which the invoice was exchanged.
    Process,
}

/// Which elements of the name are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// Where they are of the tax scheme VAT.
    OfVat,
    /// Totals of tax in the currency of the document (BT-5).
    InDocumentCurrency,
    /// Totals of tax in the currency of accounting (BT-6).
    InTaxCurrency,
    /// Where the regime tells how is paid.
    PaymentMeans,
    /// Where the regime tells why no VAT is due.
    ExemptionReasons,
    /// In this regime only.
    In(Regime),
}

pub(super) const ANY: usize = usize::MAX;

pub(super) const fn text(name: &'static [&'static str], to: &'static str) -> ElementRow {
    attributed(name, to, &[])
}

pub(super) const fn attributed(
    from: &'static [&'static str],
    to: &'static str,
    attributes: &'static [&'static str],
) -> ElementRow {
    ElementRow {
        from,
        to: ("cbc", to),
        most: 1,
        content: ElementContent::Text(attributes),
        when: When::Always,
        kept: false,
    }
}

pub(super) const fn amount(name: &'static [&'static str], to: &'static str) -> ElementRow {
    attributed(name, to, &["currencyID"])
}

pub(super) const fn group(
    from: &'static [&'static str],
    to: &'static str,
    inside: &'static [ElementRow],
) -> ElementRow {
    ElementRow {
        from,
        to: ("cac", to),
        most: 1,
        content: ElementContent::Group(inside),
        when: When::Always,
        kept: false,
    }
}

impl ElementRow {
    pub(super) const fn of_report(self) -> ElementRow {
        ElementRow { to: (PREFIX, self.to.1), ..self }
    }

    pub(super) const fn most(self, most: usize) -> ElementRow {
        ElementRow { most, ..self }
    }

    pub(super) const fn when(self, when: When) -> ElementRow {
        ElementRow { when, ..self }
    }

    pub(super) const fn kept(self) -> ElementRow {
        ElementRow { kept: true, ..self }
    }

    pub(super) const fn content(self, content: ElementContent) -> ElementRow {
        ElementRow { content, ..self }
    }

    fn namespace(&self) -> &'static str {
        if matches!(self.content, ElementContent::Group(_)) { CAC } else { CBC }
    }
}

/// What the rows ask besides the element.
pub(super) struct Told<'t> {
    /// The regime; none for France.
    pub(super) regime: Option<Regime>,
    pub(super) payment_means: bool,
    pub(super) exemption_reasons: bool,
    /// The text of [`ElementContent::Given`].
    pub(super) given: &'t str,
    process: Option<Cow<'t, str>>,
    /// BT-5.
    document_currency: Option<Cow<'t, str>>,
    /// BT-6, where it is another one.
    tax_currency: Option<Cow<'t, str>>,
}

impl<'t> Told<'t> {
    /// Everything of an invoice.
    pub(super) fn of(terms: InvoiceTerms<'t>, given: &'t str) -> Told<'t> {
        let document_currency = terms.text("DocumentCurrencyCode");
        let tax_currency =
            terms.text("TaxCurrencyCode").filter(|tax| Some(tax) != document_currency.as_ref());
        Told {
            regime: None,
            payment_means: true,
            exemption_reasons: true,
            given,
            process: terms.process(),
            document_currency,
            tax_currency,
        }
    }

    /// What a regime wants.
    pub(super) fn in_regime(self, row: &RegimeRow) -> Told<'t> {
        Told {
            regime: Some(row.regime),
            payment_means: row.payment_means,
            exemption_reasons: row.exemption_reasons,
            ..self
        }
    }
}

/// Writes what the rows name of an element. The recursion is as deep as the tables.
pub(super) fn write(rows: &[ElementRow], parent: Element<'_>, told: &Told<'_>, out: &mut Markup) {
    for row in rows {
        let namespace = row.namespace();
        let named = |element: &Element<'_>| {
            element.namespace() == namespace && row.from.contains(&element.local())
        };
        match row.content {
            ElementContent::Given => out.value(row.to.0, row.to.1, told.given),
            ElementContent::Process => {
                if let Some(process) = &told.process {
                    out.value(row.to.0, row.to.1, process);
                }
            }
            ElementContent::GrossPrice => gross_price(parent, out),
            ElementContent::Texts => {
                let texts: Vec<_> = parent.elements().filter(named).filter_map(said).collect();
                if !texts.is_empty() {
                    out.value(row.to.0, row.to.1, &texts.join(BETWEEN_NOTES));
                }
            }
            ElementContent::Amount if !parent.elements().any(|one| named(&one)) => {
                zero(row, parent, told, out);
            }
            _ => {
                let elements = parent.elements().filter(named);
                let elements = elements.filter(|element| row.tells(*element, told));
                elements
                    .filter(|element| one(row, *element, told, out))
                    .take(row.most)
                    .for_each(drop);
            }
        }
    }
}

/// At a price: the discount and the price before it (BT-147, BT-148).
fn gross_price(price: Element<'_>, out: &mut Markup) {
    let discount = price.child(CAC, "AllowanceCharge");
    let net = basic(price, "PriceAmount");
    let gross = discount.and_then(|one| basic(one, "BaseAmount"));
    let amount = discount.filter(|_| gross.is_some()).and_then(|one| basic(one, "Amount"));
    let net = net.filter(|_| GROSS_IS_NET_WITHOUT_DISCOUNT);
    let Some(gross) = gross.or(net).and_then(|one| Some((one, said(one)?))) else { return };
    let (element, text) = gross;
    let currency = [("currencyID", element.attribute("currencyID").unwrap_or_default())];
    out.open("cac", "AllowanceCharge");
    out.value("cbc", "ChargeIndicator", "false");
    let amount = amount.and_then(said).unwrap_or(Cow::Borrowed("0"));
    out.attributed("cbc", "Amount", &currency, &amount);
    out.attributed("cbc", "BaseAmount", &currency, &text);
    out.close();
}

/// An amount that is missing and obligatory.
fn zero(row: &ElementRow, parent: Element<'_>, told: &Told<'_>, out: &mut Markup) {
    let document = told.document_currency.as_deref().unwrap_or_default();
    let currency = currency_of(parent).unwrap_or(document);
    out.attributed(row.to.0, row.to.1, &[("currencyID", currency)], "0");
}

/// Writes one element, and says whether there was something to write.
fn one(row: &ElementRow, element: Element<'_>, told: &Told<'_>, out: &mut Markup) -> bool {
    let (prefix, name) = row.to;
    let attributes: &[&str] = match row.content {
        ElementContent::Group(inside) => {
            let before = out.raw().len();
            out.open(prefix, name);
            write(inside, element, told, out);
            if row.kept {
                out.close_kept();
            } else {
                out.close();
            }
            return out.raw().len() > before;
        }
        ElementContent::Text(attributes) => attributes,
        _ => &["currencyID"],
    };
    let Some(text) = said(element) else { return false };
    let of = |name: &&'static str| element.attribute(name).map(|value| (*name, value.trim()));
    let attributes: Vec<_> =
        attributes.iter().filter_map(of).filter(|(_, value)| !value.is_empty()).collect();
    out.attributed(prefix, name, &attributes, &text);
    true
}

impl ElementRow {
    fn tells(&self, element: Element<'_>, told: &Told<'_>) -> bool {
        match self.when {
            When::Always => true,
            When::OfVat => is_vat(element),
            When::InDocumentCurrency => {
                let own = currency_of(element);
                own.is_none() || own == told.document_currency.as_deref()
            }
            When::InTaxCurrency => {
                told.tax_currency.is_some() && currency_of(element) == told.tax_currency.as_deref()
            }
            When::PaymentMeans => told.payment_means,
            When::ExemptionReasons => told.exemption_reasons,
            When::In(regime) => told.regime == Some(regime),
        }
    }
}

/// The paths of what rows write in a regime, of groups and of what is in them.
#[cfg(test)]
pub(super) fn paths(rows: &[ElementRow], regime: Regime, parent: &str, out: &mut Vec<String>) {
    for row in rows {
        if matches!(row.when, When::In(other) if other != regime) {
            continue;
        }
        let separator = if parent.is_empty() { "" } else { "/" };
        let path = format!("{parent}{separator}{}", row.to.1);
        if let ElementContent::Group(inside) = row.content {
            paths(inside, regime, &path, out);
        }
        if let ElementContent::Text(attributes) = row.content {
            let told = attributes.iter().filter(|name| **name == "unitCode");
            out.extend(told.map(|name| format!("{path}/@{name}")));
        }
        out.push(path);
    }
}
